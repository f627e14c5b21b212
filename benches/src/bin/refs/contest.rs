//! Who did the same work in what time.

use std::io;
use std::time::{Duration, Instant};

/// A contestant: its name, and its work, which returns how much it found.
type Entry<'a> = (&'static str, Box<dyn FnMut() -> io::Result<u64> + 'a>);

/// The best times.
pub(crate) struct Results(Vec<(&'static str, Duration)>);

/// One round that does not count, then `rounds` that do, all contestants in turn. Each must find `expected`.
pub(crate) fn run(rounds: usize, expected: u64, mut entries: Vec<Entry<'_>>) -> io::Result<Results> {
    let mut results: Vec<_> = entries.iter().map(|(name, _)| (*name, Duration::MAX)).collect();
    for round in 0..=rounds {
        for ((name, work), (_, best)) in entries.iter_mut().zip(&mut results) {
            let start = Instant::now();
            let found = work()?;
            let time = start.elapsed();
            assert_eq!(found, expected, "{name}");
            if round > 0 {
                *best = time.min(*best);
            }
        }
    }
    Ok(Results(results))
}

impl Results {
    pub(crate) fn print(&self, what: &str, works: u64) {
        println!("{what}");
        for (name, time) in &self.0 {
            println!("  {name:36} {:12.2} µs", time.as_secs_f64() * 1e6 / works as f64);
        }
    }

    pub(crate) fn time(&self, name: &str) -> Duration {
        self.0.iter().find(|(other, _)| *other == name).expect("a contestant").1
    }

    /// A bar: that `name` is at least so many times as fast as `other`.
    pub(crate) fn bar(&self, name: &str, other: &str, least: f64) {
        let ratio = self.time(other).as_secs_f64() / self.time(name).as_secs_f64();
        let met = if ratio >= least { "met" } else { "MISSED" };
        println!("  bar {met}: {name} is {ratio:.2} × {other}, of {least:.1} wanted");
    }
}
