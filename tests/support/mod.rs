//! What the tests and the fuzz target `reader` share: a scripted source, a slow model of the contract, and a
//! driver that runs the reader and the model side by side.
//!
//! Nothing in here knows proptest, so that a fuzz target can take it in with `#[path]`.

// Each test crate takes in the whole folder and uses a part of it.
#![allow(dead_code)]

pub(crate) mod driver;
pub(crate) mod model;
pub(crate) mod naive;
pub(crate) mod script;
pub(crate) mod sorted;
