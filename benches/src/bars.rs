//! The bars: what was asked for, and what was measured.

use crate::Input;
use crate::race::Results;

/// What is wanted of a ratio.
#[derive(Clone, Copy, Debug)]
pub enum Wanted {
    /// At least this many times as fast.
    Faster(f64),
    /// At most this many times the time.
    Slower(f64),
}

pub use Wanted::{Faster, Slower};

/// On each of these inputs, each of these contestants, held against the fastest of those.
pub type Bar = (&'static [&'static str], &'static [&'static str], Wanted, &'static [&'static str]);

/// A bar, and what was measured.
#[derive(Debug)]
pub struct Row {
    /// Where.
    pub input: &'static str,
    /// Who.
    pub what: String,
    /// What was asked for.
    pub wanted: String,
    /// What came out.
    pub measured: String,
    /// By how much of the bar it was missed; nothing or less if it was met.
    pub missed: f64,
}

/// The bars that results say something about.
pub fn rows(bars: &[Bar], input: &Input, results: &Results) -> Vec<Row> {
    let mut rows = Vec::new();
    for &(inputs, ours, wanted, theirs) in bars {
        if inputs.contains(&input.name()) {
            rows.extend(ours.iter().filter_map(|our| row(input.name(), results, our, wanted, theirs)));
        }
    }
    rows
}

fn row(input: &'static str, results: &Results, our: &str, wanted: Wanted, theirs: &[&str]) -> Option<Row> {
    let time = results.time(our)?.as_secs_f64();
    let (rival, best) = results.fastest(theirs)?;
    let best = best.as_secs_f64();
    let (wanted, measured, missed) = match wanted {
        Faster(bar) => (format!("≥ {bar:.2} ×"), best / time, 1.0 - best / time / bar),
        Slower(bar) => (format!("≤ {bar:.2} × time of"), time / best, time / best / bar - 1.0),
    };
    let rival = if theirs.len() > 1 { format!("fastest peer ({rival})") } else { rival.to_owned() };
    Some(Row {
        input,
        what: our.to_owned(),
        wanted: format!("{wanted} {rival}"),
        measured: format!("{measured:.2}"),
        missed,
    })
}

/// Prints the rows, those that fall short first, the furthest before the nearest.
pub fn print(mut rows: Vec<Row>) {
    rows.sort_by(|a, b| b.missed.max(0.0).total_cmp(&a.missed.max(0.0)));
    let missed = rows.iter().filter(|row| row.missed > 0.0).count();
    println!("Bars: {missed} missed, {} met", rows.len() - missed);
    println!("  {:12} {:22} {:46} {:>10}", "input", "what", "bar", "measured");
    for Row { input, what, wanted, measured, missed } in rows {
        let verdict =
            if missed > 0.0 { format!("missed by {:.1} %", missed * 100.0) } else { "met".to_owned() };
        println!("  {input:12} {what:22} {wanted:46} {measured:>10}  {verdict}");
    }
}
