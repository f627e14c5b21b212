//! Everybody who reads a file byte by byte, on every input.

use criterion::{Criterion, criterion_group, criterion_main};
use wholeline_benches::{contestants, criteria};

fn bytes(criterion: &mut Criterion) {
    criteria::benchmark(criterion, "bytes", &contestants::bytes());
}

criterion_group!(benches, bytes);
criterion_main!(benches);
