//! Lines from a pipe, a file and a socket, and exactly what is left in them.
#![no_main]

use libfuzzer_sys::fuzz_target;
use wholeline_fuzz::exact::Exact;

fuzz_target!(|case: Exact| case.check());
