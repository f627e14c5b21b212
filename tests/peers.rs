//! The examples beside the programs whose work they do, git above all.
//!
//! These tests need those programs, so `cargo test` alone leaves them out, and says so. To run them:
//!
//! ```text
//! cargo build --examples && cargo test --test peers -- --ignored
//! ```

#[path = "peers/git_config.rs"]
mod git_config;
#[path = "peers/support.rs"]
mod support;
