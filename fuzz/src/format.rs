//! The bytes of an input, and what they stand for.
//!
//! Every string of bytes is an input, and a small change to it is a small change to the case: what has a
//! length ends at a marker or with the input. Repetitions are packed, so that an input that fills several
//! windows of the search is still short.

use std::fmt::Debug;

use crate::support::naive::Terminator;

/// The size of an unpacked input: more than two windows of the search, and no more than a slow model can bear.
pub(crate) const MOST: usize = 10 << 10;

/// What says that something is repeated.
const REPEAT: u8 = 0xEE;

/// Ends a list.
const END: u8 = 0xFF;

/// `REPEAT, k, n`: what stands `k` bytes before, for `size(n)` bytes. `REPEAT, 0`: the byte itself.
pub(crate) fn unpack(packed: &[u8]) -> Vec<u8> {
    let mut packed = Decoder(packed);
    let mut plain = Vec::new();
    while !packed.0.is_empty() && plain.len() < MOST {
        let byte = packed.byte();
        let period = if byte == REPEAT { usize::from(packed.byte()) } else { 0 };
        if period == 0 {
            plain.push(byte);
            continue;
        }
        let more = packed.size().min(MOST - plain.len());
        for _ in 0..more {
            // Where nothing stands yet: 0.
            plain.push(plain.len().checked_sub(period).map_or(0, |before| plain[before]));
        }
    }
    plain
}

pub(crate) fn pack(plain: &[u8]) -> Vec<u8> {
    assert!(plain.len() <= MOST, "an input of {} bytes", plain.len());
    let mut packed = Vec::new();
    let mut at = 0;
    while at < plain.len() {
        let repeated = |period: u8| {
            let same =
                (at..plain.len()).take_while(|&at| plain[at] == plain[at - usize::from(period)]).count();
            let byte = (0..=u8::MAX).filter(|&byte| size(byte) <= same).max_by_key(|&byte| size(byte))?;
            Some((size(byte), [REPEAT, period, byte]))
        };
        match (1..=at.min(64) as u8).filter_map(repeated).max_by_key(|(len, _)| *len) {
            Some((len, token)) if len > token.len() => {
                packed.extend(token);
                at += len;
            }
            _ => {
                packed.push(plain[at]);
                packed.extend((plain[at] == REPEAT).then_some(0));
                at += 1;
            }
        }
    }
    packed
}

/// A byte as a length: small ones, then those around where something else begins.
fn size(byte: u8) -> usize {
    // A window of the search has 4032 bytes.
    const AROUND: [usize; 8] = [256, 512, 1024, 2048, 4032, 4096, 8064, 8192];
    match byte.checked_sub(224) {
        None => usize::from(byte),
        Some(index) => AROUND[usize::from(index / 4)] + usize::from(index % 4) - 2,
    }
}

/// Takes an unpacked input apart. Where it has ended, everything is 0.
pub(crate) struct Decoder<'a>(pub(crate) &'a [u8]);

impl Decoder<'_> {
    pub(crate) fn byte(&mut self) -> u8 {
        let Some((&byte, rest)) = self.0.split_first() else { return 0 };
        self.0 = rest;
        byte
    }

    pub(crate) fn pick<T: Copy>(&mut self, from: &[T]) -> T {
        from[usize::from(self.byte()) % from.len()]
    }

    pub(crate) fn size(&mut self) -> usize {
        size(self.byte())
    }

    /// A size, or all there can be.
    pub(crate) fn any_size(&mut self) -> usize {
        match self.byte() {
            u8::MAX => usize::MAX,
            byte => size(byte),
        }
    }

    pub(crate) fn terminator(&mut self) -> Terminator {
        match self.byte() % 5 {
            0 => Terminator::LF,
            1 => Terminator::CrLf,
            2 => Terminator::Universal,
            3 => Terminator::Byte(0),
            _ => Terminator::Byte(self.byte()),
        }
    }

    /// What `item` makes of the bytes up to the end marker, of which the first `most` count.
    pub(crate) fn list<T>(&mut self, most: usize, item: impl Fn(&mut Self) -> T) -> Vec<T> {
        let mut items = Vec::new();
        loop {
            match self.0.first() {
                None => return items,
                Some(&END) => {
                    self.byte();
                    return items;
                }
                Some(_) => {
                    let item = item(self);
                    if items.len() < most {
                        items.push(item);
                    }
                }
            }
        }
    }
}

/// The one or two bytes that `decode` makes `value` of. They are searched for: so there is nothing beside the
/// decoder that could contradict it.
pub(crate) fn encode<T: Debug>(value: &T, decode: impl Fn(&mut Decoder<'_>) -> T) -> Vec<u8> {
    let value = format!("{value:?}");
    for first in 0..END {
        for second in 0..=u8::MAX {
            let bytes = [first, second];
            let mut decoder = Decoder(&bytes);
            if format!("{:?}", decode(&mut decoder)) == value {
                return bytes[..bytes.len() - decoder.0.len()].to_vec();
            }
        }
    }
    panic!("{value} is nothing that an input can stand for");
}

/// A list as [`Decoder::list`] takes it apart.
pub(crate) fn encode_list<T: Debug>(items: &[T], item: impl Fn(&mut Decoder<'_>) -> T) -> Vec<u8> {
    let mut bytes: Vec<u8> = items.iter().flat_map(|value| encode(value, &item)).collect();
    bytes.push(END);
    bytes
}
