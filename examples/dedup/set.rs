//! A set of lines that remembers their order: an index under a hash table, the bytes in one arena.
//!
//! What it takes, beside the bytes of the lines themselves and at most a quarter more: 24 bytes a line for where
//! it is and how often it was seen (and again a quarter more), and 10 to 21 bytes of table, 31 while the table
//! grows.

use std::hash::{BuildHasher, Hasher};

use bumpalo::Bump;
use hashbrown::DefaultHashBuilder;
use hashbrown::hash_table::{Entry, HashTable};

/// A line, and how often it was seen.
pub(crate) struct Seen<'arena> {
    pub(crate) line: &'arena [u8],
    pub(crate) count: u64,
}

pub(crate) struct LineSet<'arena> {
    arena: &'arena Bump,
    /// In the order of first sight.
    lines: Vec<Seen<'arena>>,
    table: HashTable<Slot>,
    /// Seeded anew in each process, so that no input can be made to fall on one bucket everywhere.
    hashes: DefaultHashBuilder,
}

/// Half a hash is kept, so that neither growing the table nor passing over another line in it has to look at
/// lines again.
#[derive(Clone, Copy)]
struct Slot {
    hash: u32,
    /// In `lines`.
    index: u32,
}

/// There are more different lines than a `u32` can number.
#[derive(Debug)]
pub(crate) struct TooMany;

impl<'arena> LineSet<'arena> {
    pub(crate) fn new(arena: &'arena Bump) -> Self {
        Self { arena, lines: Vec::new(), table: HashTable::new(), hashes: DefaultHashBuilder::default() }
    }

    /// Counts this line, and says whether it is the first like it: one look-up in the table either way.
    #[inline]
    pub(crate) fn insert(&mut self, line: &[u8]) -> Result<bool, TooMany> {
        let mut hasher = self.hashes.build_hasher();
        hasher.write(line);
        let hash = (hasher.finish() >> 32) as u32;
        let same = |slot: &Slot| slot.hash == hash && self.lines[slot.index as usize].line == line;
        match self.table.entry(spread(hash), same, |slot| spread(slot.hash)) {
            Entry::Occupied(slot) => {
                self.lines[slot.get().index as usize].count += 1;
                Ok(false)
            }
            Entry::Vacant(place) => {
                let index = u32::try_from(self.lines.len()).map_err(|_| TooMany)?;
                place.insert(Slot { hash, index });
                reserve_one(&mut self.lines);
                self.lines.push(Seen { line: stored(self.arena, line), count: 1 });
                Ok(true)
            }
        }
    }

    pub(crate) fn lines(&self) -> &[Seen<'arena>] {
        &self.lines
    }
}

/// The table takes the bucket from the low bits, and a tag from the highest seven.
fn spread(hash: u32) -> u64 {
    u64::from(hash) << 32 | u64::from(hash)
}

/// By a quarter: `Vec` alone would double, and half of a large one may stay unused.
fn reserve_one<T>(lines: &mut Vec<T>) {
    if lines.len() == lines.capacity() {
        lines.reserve_exact(lines.len() / 4 + 1024);
    }
}

/// A copy in the arena, which would double too, but for its limit.
fn stored<'arena>(arena: &'arena Bump, line: &[u8]) -> &'arena [u8] {
    let allocated = arena.allocated_bytes();
    arena.set_allocation_limit(Some(allocated + allocated / 4 + 64 * 1024));
    if let Ok(copy) = arena.try_alloc_slice_copy(line) {
        return copy;
    }
    // Larger than a quarter of everything before it.
    arena.set_allocation_limit(None);
    arena.alloc_slice_copy(line)
}
