//! Running a program, and what came of it.

use std::ffi::OsStr;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

/// An example of this crate, which `cargo build --examples` has built.
pub(crate) fn example(name: &str) -> Command {
    let test = std::env::current_exe().expect("the path of this program");
    // target/debug/deps/peers-0123456789abcdef
    let profile = test.ancestors().nth(2).expect("a folder of the profile");
    let path: PathBuf = profile.join("examples").join(name);
    assert!(path.exists(), "{} is missing: cargo build --examples", path.display());
    Command::new(path)
}

/// git, with nothing of the user's configuration, and in English.
pub(crate) fn git(directory: &Path, args: impl IntoIterator<Item = impl AsRef<OsStr>>) -> Command {
    let mut git = Command::new("git");
    git.arg("-C").arg(directory).args(args);
    git.env("GIT_CONFIG_NOSYSTEM", "1").env("GIT_CONFIG_GLOBAL", "/dev/null");
    git.env("LC_ALL", "C").env_remove("GIT_DIR");
    git
}

/// Runs it to its end with these bytes on its stdin.
pub(crate) fn run(mut command: Command, stdin: &[u8]) -> Output {
    let mut child = command
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap_or_else(|error| panic!("{command:?}: {error}"));
    let mut input = child.stdin.take().expect("a pipe");
    std::thread::scope(|scope| {
        // One that ends without reading all of it is within its rights.
        scope.spawn(move || drop(input.write_all(stdin)));
        child.wait_with_output().expect("waiting for it")
    })
}
