//! The contestants as criterion benchmarks: a group an input.

use std::env;
use std::time::Duration;

use criterion::{Criterion, SamplingMode, Throughput};

use crate::Contestant;
use crate::inputs::{self, Input};

/// Every contestant on every input.
///
/// # Panics
///
/// If an input cannot be read, or a contestant does not find what is in it.
pub fn benchmark(criterion: &mut Criterion, kind: &str, contestants: &[Contestant]) {
    let only_checks = env::args().any(|arg| arg == "--test" || arg == "--list");
    let size = if only_checks { inputs::SMALL } else { inputs::SIZE };
    for name in inputs::names() {
        let input = Input::load(name, size).unwrap_or_else(|e| panic!("{name}: {e}"));
        println!("{input}");
        let mut group = criterion.benchmark_group(format!("{kind}/{name}"));
        group
            .throughput(Throughput::Bytes(input.facts().bytes()))
            .sampling_mode(SamplingMode::Flat)
            .sample_size(10)
            .warm_up_time(Duration::from_millis(500))
            .measurement_time(Duration::from_secs(2));
        for contestant in contestants.iter().filter(|c| c.can_read(&input)) {
            group.bench_function(contestant.name(), |bencher| {
                bencher
                    .iter(|| contestant.run(&input).unwrap_or_else(|e| panic!("{}: {e}", contestant.name())));
            });
        }
    }
}
