//! The example's parser of git's config files.
#![no_main]

use libfuzzer_sys::fuzz_target;
use wholeline_fuzz::config::Config;

fuzz_target!(|case: Config| case.check());
