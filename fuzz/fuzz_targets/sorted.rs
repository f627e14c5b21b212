//! `SortedLines` and `SortedFile` against a linear search, over lines in order and not.
#![no_main]

use libfuzzer_sys::fuzz_target;
use wholeline_fuzz::sorted::Sorted;

fuzz_target!(|case: Sorted| case.check());
