//! Byte by byte.

use core::ffi::c_int;
use std::io;

use libc::FILE;

use super::stream::Locked;
use crate::gather::Piece;
use crate::scan::Needle;

/// A function that gives a byte, or EOF.
pub(super) type Getc = unsafe extern "C" fn(*mut FILE) -> c_int;

/// Appends up to `most` bytes of a line to `line`.
pub(super) fn take(
    stream: &Locked<'_>,
    getc: Getc,
    needle: Needle,
    line: &mut Vec<u8>,
    most: usize,
) -> io::Result<Piece> {
    let ends = |byte| match needle {
        Needle::Byte(delimiter) => byte == delimiter,
        Needle::CrOrLf => byte == b'\r' || byte == b'\n',
    };
    let mut bytes = stream.bytes(getc);
    for _ in 0..most {
        let Some(byte) = bytes.next()? else { return Ok(Piece::Last) };
        line.push(byte);
        if ends(byte) {
            return Ok(Piece::found(&[byte], Some(1), needle));
        }
    }
    Ok(Piece::Open)
}
