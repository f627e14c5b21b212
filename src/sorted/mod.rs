//! Binary search over sorted lines, in memory or in a file that is not read whole.
//!
//! [`search`] is the one place that knows how to search; it sees bytes through [`Text`](text::Text), which
//! a slice is and which [`blocks`] make of a file. What it knows of lines is in [`shape`].

mod blocks;
mod file;
mod order;
mod record;
mod search;
mod shape;
mod slice;
#[cfg(test)]
mod tests;
mod text;

pub use file::{FileRecords, SortedFile};
pub use order::OutOfOrder;
pub use record::Record;
pub use slice::{Records, SortedLines};
