//! `LineReader` against the model of the contract, call by call.
#![no_main]

use libfuzzer_sys::fuzz_target;
use wholeline_fuzz::reader::Reader;

fuzz_target!(|case: Reader| case.check());
