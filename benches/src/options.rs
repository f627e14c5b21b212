//! The command line.

use std::io;
use std::process::{self, ExitCode};

use crate::inputs;

const USAGE: &str = "[OPTIONS]

  --rounds N     how many rounds count, the best of which is taken (7)
  --mib N        size of the inputs that are generated, in MiB (64)
  --input NAME   this input only; may be given again
  --quick        3 rounds, 4 MiB: to see that everything runs, not to be quoted

WHOLELINE_BENCH_FILE names one more input, `file`; WHOLELINE_BENCH_PACKAGES a Debian Packages file,
unpacked, to take instead of the generated one.";

/// A program's `main`: runs with the options, or says what is wrong with them.
pub fn main<O>(
    program: &str,
    options: Result<O, String>,
    run: impl FnOnce(&O) -> io::Result<()>,
) -> ExitCode {
    match options.map(|options| run(&options)) {
        Ok(Ok(())) => return ExitCode::SUCCESS,
        Ok(Err(error)) => eprintln!("{program}: {error}"),
        Err(message) => eprintln!("{message}"),
    }
    ExitCode::FAILURE
}

/// What was asked for.
#[derive(Debug)]
pub struct Options {
    /// How many rounds count.
    pub rounds: usize,
    /// How large a generated input is.
    pub size: usize,
    inputs: Vec<String>,
}

impl Options {
    /// From the arguments after the program's name; the error is what to tell the user.
    pub fn parse(program: &str, mut args: impl Iterator<Item = String>) -> Result<Self, String> {
        let usage = || format!("usage: {program} {USAGE}");
        let mut options = Self { rounds: 7, size: inputs::SIZE, inputs: Vec::new() };
        while let Some(arg) = args.next() {
            let mut value =
                || args.next().ok_or_else(|| format!("{program}: {arg} takes a value\n\n{}", usage()));
            match arg.as_str() {
                "--rounds" => options.rounds = positive(&arg, &value()?)?,
                "--mib" => options.size = positive(&arg, &value()?)? << 20,
                "--input" => options.inputs.push(known(value()?)?),
                "--quick" => (options.rounds, options.size) = (3, 4 << 20),
                "--help" | "-h" => {
                    println!("{}", usage());
                    process::exit(0);
                }
                _ => return Err(format!("{program}: there is no option {arg:?}\n\n{}", usage())),
            }
        }
        Ok(options)
    }

    /// Whether an input was asked for.
    pub fn wants(&self, input: &str) -> bool {
        self.inputs.is_empty() || self.inputs.iter().any(|name| name == input)
    }
}

fn positive(option: &str, value: &str) -> Result<usize, String> {
    match value.parse() {
        Ok(n @ 1..=4096) => Ok(n),
        _ => Err(format!("{option} takes a number from 1 to 4096, not {value:?}")),
    }
}

fn known(input: String) -> Result<String, String> {
    let names = inputs::names();
    if names.contains(&input.as_str()) {
        return Ok(input);
    }
    Err(format!("no input is called {input:?}; there are {}", names.join(", ")))
}
