//! What each contestant needed for an input.

use crate::Input;
use crate::race::Results;

/// Prints times, and how many times as fast as `base` each is.
pub fn print(input: &Input, results: &Results, base: &str) {
    let base_time = results.time(base);
    println!("  {:26} {:>9} {:>9} {:>7}  × {base}", "", "ms", "ns/line", "GB/s");
    for (name, time) in results.iter() {
        let nanos = time.as_nanos() as f64;
        let ratio = base_time.map_or(f64::NAN, |base| base.as_secs_f64() / time.as_secs_f64());
        println!(
            "  {name:26} {:9.2} {:9.2} {:7.2}  {ratio:.2}",
            nanos / 1e6,
            nanos / input.facts().lines().max(1) as f64,
            input.facts().bytes() as f64 / nanos,
        );
    }
    println!();
}
