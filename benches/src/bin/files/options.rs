//! The command line.

use std::process;

const USAGE: &str = "\
usage: files [OPTIONS]

  --rounds N     how many rounds count, the best of which is taken (101)
  --kib N        files of this size only; may be given again
  --quick        3 rounds, 1 MiB of files a size: to see that everything runs, not to be quoted";

/// What was asked for.
#[derive(Debug)]
pub(crate) struct Options {
    pub(crate) rounds: usize,
    /// Bytes of files of one size, about.
    pub(crate) total: usize,
    sizes: Vec<usize>,
}

impl Options {
    /// From the arguments after the program's name; the error is what to tell the user.
    pub(crate) fn parse(mut args: impl Iterator<Item = String>) -> Result<Self, String> {
        let mut options = Self { rounds: 101, total: 8 << 20, sizes: Vec::new() };
        while let Some(arg) = args.next() {
            let mut value = || args.next().ok_or_else(|| format!("files: {arg} takes a value\n\n{USAGE}"));
            match arg.as_str() {
                "--rounds" => options.rounds = positive(&arg, &value()?)?,
                "--kib" => options.sizes.push(positive(&arg, &value()?)?),
                "--quick" => (options.rounds, options.total) = (3, 1 << 20),
                "--help" | "-h" => {
                    println!("{USAGE}");
                    process::exit(0);
                }
                _ => return Err(format!("files: there is no option {arg:?}\n\n{USAGE}")),
            }
        }
        Ok(options)
    }

    /// In KiB.
    pub(crate) fn sizes(&self) -> Vec<usize> {
        if self.sizes.is_empty() { (0..=10).map(|power| 1 << power).collect() } else { self.sizes.clone() }
    }
}

fn positive(option: &str, value: &str) -> Result<usize, String> {
    match value.parse() {
        Ok(n @ 1..=65536) => Ok(n),
        _ => Err(format!("files: {option} takes a number from 1 to 65536, not {value:?}")),
    }
}
