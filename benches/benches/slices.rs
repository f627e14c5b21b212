//! Everybody who walks a slice, in memory and mapped, on every input.

use criterion::{Criterion, criterion_group, criterion_main};
use wholeline_benches::{contestants, criteria};

fn slices(criterion: &mut Criterion) {
    criteria::benchmark(criterion, "slices", &[contestants::slices(), contestants::mapped()].concat());
}

criterion_group!(benches, slices);
criterion_main!(benches);
