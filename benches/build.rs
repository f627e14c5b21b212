//! Compiles the C loops that the ladder is measured against.

fn main() {
    println!("cargo::rerun-if-changed=c/ladder.c");
    cc::Build::new().file("c/ladder.c").opt_level(2).warnings_into_errors(true).compile("ladder");
}
