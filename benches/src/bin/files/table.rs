//! What each contestant needed for a file of each size.

use std::time::Duration;

/// A size in KiB, and each contestant's time a file.
type Column = (usize, Vec<Duration>);

/// Prints microseconds a file.
pub(crate) fn print(names: &[&str], columns: &[Column]) {
    print!("{:26}", "µs a file of");
    for (kib, _) in columns {
        print!("{:>10}", format!("{kib} KiB"));
    }
    println!();
    for (at, name) in names.iter().enumerate() {
        print!("{name:26}");
        for (_, times) in columns {
            print!("{:10.2}", times[at].as_nanos() as f64 / 1e3);
        }
        println!();
    }
}

/// The first contestant against others, at these sizes: at least so many times as fast.
const BARS: &[(&str, &[usize], f64)] =
    &[("BufReader, read_until", &[1, 8], 1.15), ("mapped, memchr_iter", &[1], 2.5)];

/// Prints the bars and what was measured.
pub(crate) fn print_bars(names: &[&str], columns: &[Column]) {
    println!();
    for &(rival, sizes, bar) in BARS {
        let at = names.iter().position(|&name| name == rival).expect("a contestant");
        for (kib, times) in columns.iter().filter(|(kib, _)| sizes.contains(kib)) {
            let measured = times[at].as_secs_f64() / times[0].as_secs_f64();
            let verdict = if measured < bar { "missed" } else { "met" };
            println!("{}, {kib} KiB: ≥ {bar:.2} × {rival}: {measured:.2}, {verdict}", names[0]);
        }
    }
}
