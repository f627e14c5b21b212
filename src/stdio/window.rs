//! Straight from the stream's own buffer.

use std::io;

use super::stream::Locked;
use crate::gather::Piece;
use crate::scan::Scanner;

/// Appends up to `most` bytes of a line to `line`: those that are there, or if there are none, after reading.
pub(super) fn take(
    stream: &mut Locked<'_>,
    scanner: Scanner,
    line: &mut Vec<u8>,
    most: usize,
) -> io::Result<Piece> {
    if stream.window().is_empty() && !stream.refill()? {
        return Ok(Piece::Last);
    }
    let window = stream.window();
    let window = &window[..window.len().min(most)];
    let end = scanner.find(window);
    let taken = &window[..end.unwrap_or(window.len())];
    line.try_reserve(taken.len())?;
    line.extend_from_slice(taken);
    stream.consume(taken.len());
    Ok(if end.is_some() { Piece::Terminated } else { Piece::Open })
}
