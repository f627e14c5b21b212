//! The bars: what was asked for, and what was measured.

use wholeline_benches::Input;
use wholeline_benches::race::Results;

/// The peers that read, of which the fastest counts.
const PEERS: &[&str] = &["bstr", "linereader", "ripline"];
/// The peers that walk a slice, likewise.
const SLICES: &[&str] = &["bstr lines", "memchr_iter", "stringzilla"];
const MAPPED: &[&str] = &["bstr lines, mapped", "memchr_iter, mapped", "stringzilla, mapped"];

/// Every input that lines can be slow on.
const ALL: &[&str] = &["words", "packages", "mixed", "packed-refs", "64k", "empty", "file"];
const NEXT_LINE: &[&str] = &["next_line"];
const INNER: &[&str] = &["for_each_line", "next_batch"];

/// What is wanted of a ratio.
#[derive(Clone, Copy, Debug)]
enum Wanted {
    /// At least this many times as fast.
    Faster(f64),
    /// At most this many times the time.
    Slower(f64),
}

use Wanted::{Faster, Slower};

/// On each of these inputs, each of these contestants, held against the fastest of those.
type Bar = (&'static [&'static str], &'static [&'static str], Wanted, &'static [&'static str]);

const BARS: &[Bar] = &[
    (&["words", "packages"], NEXT_LINE, Faster(2.0), PEERS),
    (&["mixed"], NEXT_LINE, Faster(2.3), PEERS),
    (&["packed-refs"], NEXT_LINE, Faster(1.2), PEERS),
    (&["64k"], NEXT_LINE, Faster(0.97), PEERS),
    (&["empty"], NEXT_LINE, Faster(2.5), PEERS),
    (&["words", "mixed"], NEXT_LINE, Faster(4.5), &["std read_until"]),
    (&["packages"], NEXT_LINE, Faster(4.0), &["std read_until"]),
    (&["packed-refs"], NEXT_LINE, Faster(2.2), &["std read_until"]),
    (&["words", "packages", "mixed"], NEXT_LINE, Faster(7.0), &["std lines"]),
    (&["words", "packages"], INNER, Faster(2.3), PEERS),
    (&["mixed"], INNER, Faster(2.6), PEERS),
    (&["packed-refs"], INNER, Faster(1.3), PEERS),
    (ALL, INNER, Faster(1.0), NEXT_LINE),
    (ALL, &["LineRange next_line"], Faster(0.97), NEXT_LINE),
    (ALL, &["LineRange for_each_line"], Faster(0.97), &["for_each_line"]),
    (&["mixed"], &["for_each_line"], Slower(1.3), &["read + count"]),
    (&["packed-refs"], &["for_each_line"], Slower(1.15), &["read + count"]),
    (&["packages"], &["for_each_line"], Slower(1.65), &["read + count"]),
    (&["words", "mixed"], &["Lines"], Faster(2.0), SLICES),
    (&["packages"], &["Lines"], Faster(1.8), SLICES),
    (&["words", "mixed"], &["Lines, mapped"], Faster(2.0), MAPPED),
    (&["packages"], &["Lines, mapped"], Faster(1.8), MAPPED),
    (ALL, &["next_line, SSE2"], Faster(0.85), &["next_line"]),
    (ALL, &["for_each_line, SSE2"], Faster(0.85), &["for_each_line"]),
    (ALL, &["next_batch, SSE2"], Faster(0.85), &["next_batch"]),
    (ALL, &["Lines, SSE2"], Faster(0.85), &["Lines"]),
];

/// A bar, and what was measured.
#[derive(Debug)]
pub(crate) struct Row {
    pub(crate) input: &'static str,
    pub(crate) what: String,
    pub(crate) wanted: String,
    pub(crate) measured: String,
    /// By how much of the bar it was missed; nothing or less if it was met.
    pub(crate) missed: f64,
}

/// The bars that results say something about.
pub(crate) fn rows(input: &Input, results: &Results) -> Vec<Row> {
    let mut rows = Vec::new();
    for &(inputs, ours, wanted, theirs) in BARS {
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
pub(crate) fn print(mut rows: Vec<Row>) {
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
