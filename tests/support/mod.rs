//! What the tests and the fuzz targets `reader` and `ranges` share: a scripted source, slow models of the
//! contract, and drivers that run the readers and the models side by side.
//!
//! Nothing in here knows proptest, so that a fuzz target can take it in with `#[path]`.

// Each test crate takes in the whole folder and uses a part of it.
#![allow(dead_code)]

pub(crate) mod driver;
pub(crate) mod model;
pub(crate) mod naive;
pub(crate) mod ranges;
pub(crate) mod script;
pub(crate) mod sorted;
