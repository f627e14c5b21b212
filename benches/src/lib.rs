//! `wholeline` beside its peers: the same bytes, the same process, the same work a line.
//!
//! Every loop that is measured stands in [`loops`], every reader in one table in [`contestants`], every
//! input in one table in [`inputs`]. An input states what is in it, counted as it was generated, and each
//! run of each contestant is checked against that: a benchmark is a test.
//!
//! # To run
//!
//! ```text
//! cargo bench                                  # criterion, readers and slices
//! cargo bench --bench readers -- words         # one input
//! cargo bench -- --test                        # each loop once, on small inputs: only the checks
//! cargo run --release --bin bars               # ratios from interleaved rounds, held against the bars
//! cargo run --release --bin ladder             # C streams, from `getc` to their own buffer
//! cargo run --release --bin bars -- --help     # fewer rounds, fewer bytes, one input
//! cargo run --release --bin split              # pieces of a slice over two threads, against one
//! cargo run --release --bin files              # many small files: reading against mapping
//! cargo run --release --bin exact              # calls and time of lines without a byte too many
//! cargo run --release --bin bytes              # the same for reading byte by byte
//! ```
//!
//! Environment variables add real inputs:
//!
//! - `WHOLELINE_BENCH_FILE`: one more input, `file`.
//! - `WHOLELINE_BENCH_PACKAGES`: a Debian `Packages` file, unpacked, instead of the generated `packages`.
//!
//! # What is measured
//!
//! A stream is a temporary file that is in the page cache, opened anew for each run, read with
//! [`CAPACITY`] bytes of buffer by everybody. A slice is the same bytes in a `Vec`, or mapped anew for
//! each run. What a loop does with a line is [`Fold::line`]: the line's length and its first byte go into
//! a checksum, so that each line is really found and really touched. Peers get the call that their
//! documentation recommends for this, and one build with the same options.

pub mod bars;
pub mod contestants;
pub mod criteria;
pub mod dice;
pub mod facts;
pub mod fold;
pub mod inputs;
pub mod ladder;
pub mod loops;
pub mod options;
pub mod race;
pub mod shapes;
#[cfg(unix)]
mod stream;
pub mod table;

pub use contestants::Contestant;
pub use facts::{Facts, Hands};
pub use fold::Fold;
pub use inputs::Input;

/// The buffer that every reader gets.
pub const CAPACITY: usize = 64 << 10;
