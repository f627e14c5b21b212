//! Every kernel, and `Lines`, against a loop over bytes.
#![no_main]

use libfuzzer_sys::fuzz_target;
use wholeline_fuzz::scan::Scan;

fuzz_target!(|case: Scan| case.check());
