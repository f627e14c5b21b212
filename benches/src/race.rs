//! Interleaved rounds: each runs each contestant once, so that whatever else the machine does falls on all
//! of them. The order is another in each round, so that nobody always follows the same contestant, and
//! finds the caches and the allocator as that one leaves them.

use std::io;
use std::time::{Duration, Instant};

use crate::dice::Dice;
use crate::{Contestant, Input};

/// Each contestant's best time, in their order.
#[derive(Debug)]
pub struct Results(Vec<(String, Duration)>);

/// One round that does not count, then `rounds` that do. Those that cannot read the input stay out.
///
/// # Errors
///
/// As [`Contestant::run`].
///
/// # Panics
///
/// As [`Contestant::run`].
pub fn race(input: &Input, contestants: &[Contestant], rounds: usize) -> io::Result<Results> {
    let contestants: Vec<_> = contestants.iter().filter(|c| c.can_read(input)).collect();
    let mut best = vec![Duration::MAX; contestants.len()];
    let mut order: Vec<_> = (0..contestants.len()).collect();
    let mut dice = Dice::new(0);
    for round in 0..=rounds {
        dice.shuffle(&mut order);
        for &at in &order {
            let start = Instant::now();
            contestants[at].run(input)?;
            let time = start.elapsed();
            if round > 0 {
                best[at] = best[at].min(time);
            }
        }
    }
    Ok(Results(contestants.iter().map(|c| c.name().to_owned()).zip(best).collect()))
}

impl Results {
    /// Names and times.
    pub fn iter(&self) -> impl Iterator<Item = (&str, Duration)> {
        self.0.iter().map(|(name, time)| (name.as_str(), *time))
    }

    /// The best of these: its name and its time.
    pub fn fastest(&self, names: &[&str]) -> Option<(&str, Duration)> {
        self.iter().filter(|(name, _)| names.contains(name)).min_by_key(|&(_, time)| time)
    }

    /// The time of one.
    pub fn time(&self, name: &str) -> Option<Duration> {
        self.fastest(&[name]).map(|(_, time)| time)
    }
}
