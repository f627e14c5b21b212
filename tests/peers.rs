//! The examples beside the programs whose work they do, git above all.
//!
//! Those tests that need such a program `cargo test` alone leaves out, and says so. To run them:
//!
//! ```text
//! cargo build --features mmap --examples && cargo test --features mmap --test peers -- --ignored
//! ```

#[path = "peers/bundle.rs"]
mod bundle;
#[path = "peers/count_lines.rs"]
mod count_lines;
#[path = "peers/dedup.rs"]
mod dedup;
#[path = "peers/dialogue.rs"]
mod dialogue;
#[path = "peers/git_config.rs"]
mod git_config;
#[path = "peers/object_paths.rs"]
mod object_paths;
#[path = "peers/packed_refs.rs"]
mod packed_refs;
#[path = "peers/support.rs"]
mod support;
