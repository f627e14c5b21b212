//! `split::at_lines` over two threads against one, on each input in memory, and beside it what the machine
//! makes of a second thread at all: bytes that are only read, and arithmetic that reads nothing.
//!
//! The floor of a slice larger than the caches is memory. Two processors that are threads of one core share
//! its units besides: there is no more than the second figure to be had then.

use std::hint::black_box;
use std::io;
use std::thread;
use std::time::{Duration, Instant};

use wholeline::split::{self, Piece};
use wholeline_benches::{Facts, Fold, Hands, Input, inputs, loops};

/// What PERFORMANCE asks for: so many times one thread's speed.
const BAR: f64 = 1.7;
const ROUNDS: usize = 11;

fn main() -> io::Result<()> {
    println!("{:12} {:>9} {:>9}   of lines   of reading   of arithmetic", "input", "ms, one", "ms, two");
    for name in inputs::names() {
        let input = Input::load(name, inputs::SIZE)?;
        let bytes = input.bytes();
        let cuts = [1, 2].map(|pieces| pieces_of(bytes, pieces));
        let mut best = [[Duration::MAX; 2]; 3];
        for round in 0..=ROUNDS {
            for (threads, pieces) in cuts.iter().enumerate() {
                let times = [
                    over_threads(pieces, |(piece, expected)| {
                        assert_eq!(loops::lines(piece.lines()), *expected);
                    }),
                    over_threads(pieces, |(piece, _)| {
                        black_box(sum(piece));
                    }),
                    over_threads(pieces, |(piece, _)| {
                        black_box(spin(piece.len()));
                    }),
                ];
                // The first round wakes everything up.
                for (best, time) in best.iter_mut().zip(times).filter(|_| round > 0) {
                    best[threads] = best[threads].min(time);
                }
            }
        }
        let [lines, reading, arithmetic] = best.map(|[one, two]| one.as_secs_f64() / two.as_secs_f64());
        let verdict = if lines >= BAR { "met" } else { "missed" };
        println!(
            "{name:12} {:9.2} {:9.2} {lines:8.2} x {reading:10.2} x {arithmetic:13.2} x   >= {BAR}: {verdict}",
            best[0][0].as_secs_f64() * 1e3,
            best[0][1].as_secs_f64() * 1e3,
        );
    }
    Ok(())
}

/// The pieces of an input, each with what is in it, counted naively.
fn pieces_of(bytes: &[u8], pieces: usize) -> Vec<(Piece<'_>, Fold)> {
    split::at_lines(bytes, pieces).map(|piece| (piece, Facts::of(&piece).expected(Hands::Content))).collect()
}

/// How long it takes to do this to each piece on a thread of its own, the first on this one.
fn over_threads<T: Sync>(pieces: &[T], work: impl Fn(&T) + Sync) -> Duration {
    let start = Instant::now();
    if let Some((first, others)) = pieces.split_first() {
        thread::scope(|scope| {
            for piece in others {
                scope.spawn(|| work(piece));
            }
            work(first);
        });
    }
    start.elapsed()
}

/// Reads each byte once, as fast as can be.
#[inline(never)]
fn sum(bytes: &[u8]) -> u64 {
    let words = bytes.chunks_exact(8);
    words
        .fold(0, |sum: u64, word| sum.wrapping_add(u64::from_le_bytes(word.try_into().expect("eight bytes"))))
}

/// A dependent chain of multiplications, one for every eight bytes, of which no byte is read.
#[inline(never)]
fn spin(bytes: usize) -> u64 {
    (0..bytes as u64 / 8).fold(1, |x: u64, i| x.wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left(7) ^ i)
}
