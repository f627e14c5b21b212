//! Look-ups in sorted lines, in memory and in a file, against a linear search.

mod support;

#[path = "sorted/cases.rs"]
mod cases;
#[path = "sorted/distrust.rs"]
mod distrust;
#[path = "sorted/properties.rs"]
mod properties;
#[path = "sorted/reads.rs"]
mod reads;
#[path = "sorted/source.rs"]
mod source;
