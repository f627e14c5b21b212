//! Everybody who reads a file, on every input.

use criterion::{Criterion, criterion_group, criterion_main};
use wholeline_benches::{contestants, criteria};

fn readers(criterion: &mut Criterion) {
    criteria::benchmark(criterion, "readers", &contestants::readers());
}

criterion_group!(benches, readers);
criterion_main!(benches);
