//! The example `packed_refs`: its modes and its commands against each other.
#![no_main]

use libfuzzer_sys::fuzz_target;
use wholeline_fuzz::packed_refs::PackedRefs;

fuzz_target!(|case: PackedRefs| case.check());
