//! Every way to read a C stream, `LineReader` and `Lines`, against a loop over bytes.
#![no_main]

use libfuzzer_sys::fuzz_target;
use wholeline_fuzz::backends::Backends;

fuzz_target!(|case: Backends| case.check());
