//! The command line.

use std::process;

use wholeline_benches::inputs;

const USAGE: &str = "\
usage: bars [OPTIONS]

  --rounds N     how many rounds count, the best of which is taken (7)
  --mib N        size of the inputs that are generated, in MiB (64)
  --input NAME   this input only; may be given again
  --quick        3 rounds, 4 MiB: to see that everything runs, not to be quoted

WHOLELINE_BENCH_FILE names one more input, `file`; WHOLELINE_BENCH_PACKAGES a Debian Packages file,
unpacked, to take instead of the generated one.";

/// What was asked for.
#[derive(Debug)]
pub(crate) struct Options {
    pub(crate) rounds: usize,
    pub(crate) size: usize,
    inputs: Vec<String>,
}

impl Options {
    /// From the arguments after the program's name; the error is what to tell the user.
    pub(crate) fn parse(mut args: impl Iterator<Item = String>) -> Result<Self, String> {
        let mut options = Self { rounds: 7, size: inputs::SIZE, inputs: Vec::new() };
        while let Some(arg) = args.next() {
            let mut value = || args.next().ok_or_else(|| format!("bars: {arg} takes a value\n\n{USAGE}"));
            match arg.as_str() {
                "--rounds" => options.rounds = positive(&arg, &value()?)?,
                "--mib" => options.size = positive(&arg, &value()?)? << 20,
                "--input" => options.inputs.push(known(value()?)?),
                "--quick" => (options.rounds, options.size) = (3, 4 << 20),
                "--help" | "-h" => {
                    println!("{USAGE}");
                    process::exit(0);
                }
                _ => return Err(format!("bars: there is no option {arg:?}\n\n{USAGE}")),
            }
        }
        Ok(options)
    }

    /// Whether an input was asked for.
    pub(crate) fn wants(&self, input: &str) -> bool {
        self.inputs.is_empty() || self.inputs.iter().any(|name| name == input)
    }
}

fn positive(option: &str, value: &str) -> Result<usize, String> {
    match value.parse() {
        Ok(n @ 1..=4096) => Ok(n),
        _ => Err(format!("bars: {option} takes a number from 1 to 4096, not {value:?}")),
    }
}

fn known(input: String) -> Result<String, String> {
    let names = inputs::names();
    if names.contains(&input.as_str()) {
        return Ok(input);
    }
    Err(format!("bars: no input is called {input:?}; there are {}", names.join(", ")))
}
