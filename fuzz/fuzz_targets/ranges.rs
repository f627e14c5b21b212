//! Any cuts of an input, into ranges and into pieces, give every line once.
#![no_main]

use libfuzzer_sys::fuzz_target;
use wholeline_fuzz::ranges::Ranges;

fuzz_target!(|case: Ranges| case.check());
