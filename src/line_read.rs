//! What every backend offers.

use core::ops::ControlFlow;
use std::io;

use bstr::BString;

use crate::error::LineTooLong;
use crate::line::Line;

/// Something that hands out whole lines.
///
/// Everything here can be had from [`next_line`](Self::next_line); a backend that can do better does.
/// The trait can be made into an object. `&mut dyn LineRead` and `Box<dyn LineRead>` implement it
/// themselves: that is how the generic methods are called on them.
///
/// ```
/// use std::io;
/// use wholeline::{LineRead, LineReader, Lines, Terminator};
///
/// fn count(mut input: &mut dyn LineRead) -> io::Result<usize> {
///     let mut lines = 0;
///     LineRead::for_each_line(&mut input, |_| lines += 1)?;
///     Ok(lines)
/// }
///
/// assert_eq!(count(&mut LineReader::new(&b"a\nb\n"[..]))?, 2);
/// assert_eq!(count(&mut Lines::new(b"a\0b", Terminator::NUL))?, 2);
/// # Ok::<(), io::Error>(())
/// ```
pub trait LineRead {
    /// The next line, or `None` at the end of the input.
    ///
    /// # Errors
    ///
    /// Whatever the source reports, and [`LineTooLong`] where a limit is set.
    ///
    /// # Resumption
    ///
    /// An error loses nothing: the bytes already read are kept, and the next call goes on with the same
    /// line. After [`LineTooLong`] it goes on with the line behind. After `None` it may ask the source
    /// again.
    fn next_line(&mut self) -> io::Result<Option<Line<'_>>>;

    /// Calls `f` with each line up to the end of the input.
    ///
    /// # Errors
    ///
    /// As [`next_line`](Self::next_line), at the first error.
    ///
    /// # Resumption
    ///
    /// The lines that `f` has seen are consumed, also when `f` panics; the next call goes on behind them.
    fn for_each_line(&mut self, mut f: impl FnMut(Line<'_>)) -> io::Result<()>
    where
        Self: Sized,
    {
        while let Some(line) = self.next_line()? {
            f(line);
        }
        Ok(())
    }

    /// Calls `f` with each line until it breaks, fails, or the input ends.
    ///
    /// # Errors
    ///
    /// What `f` returns; else as [`next_line`](Self::next_line), at the first error.
    ///
    /// # Resumption
    ///
    /// The lines that `f` has seen, the last one too, are consumed; the next call goes on behind them.
    ///
    /// ```
    /// use std::io;
    /// use std::ops::ControlFlow;
    /// use wholeline::{LineRead, LineReader};
    ///
    /// let mut reader = LineReader::new(&b"name: x\n\nbody\n"[..]);
    /// LineRead::try_for_each_line(&mut reader, |line| {
    ///     Ok::<_, io::Error>(if line.is_empty() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) })
    /// })?;
    /// assert_eq!(reader.next_line()?.unwrap().as_bytes(), b"body");
    /// # Ok::<(), io::Error>(())
    /// ```
    fn try_for_each_line<E: From<io::Error>>(
        &mut self,
        mut f: impl FnMut(Line<'_>) -> Result<ControlFlow<()>, E>,
    ) -> Result<(), E>
    where
        Self: Sized,
    {
        while let Some(line) = self.next_line()? {
            if f(line)?.is_break() {
                break;
            }
        }
        Ok(())
    }

    /// Appends the next line to `out`, its terminator too if it has one, and returns how many bytes that
    /// are: 0 at the end of the input.
    ///
    /// This is for lines that have to outlive the next call. With
    /// [`OverLong::Truncate`](crate::OverLong::Truncate) and a limit of 0 a line may be 0 bytes long too.
    ///
    /// # Errors
    ///
    /// As [`next_line`](Self::next_line), and [`OutOfMemory`](io::ErrorKind::OutOfMemory) from a
    /// [`LineReader`](crate::LineReader) if there is no room for the line. `out` is then as it was.
    ///
    /// # Resumption
    ///
    /// As [`next_line`](Self::next_line).
    fn read_line_into(&mut self, out: &mut Vec<u8>) -> io::Result<usize> {
        Ok(self.next_line()?.map_or(0, |line| line.append_to(out)))
    }

    /// An iterator over the lines' contents, each an allocation of its own: for when lines have to be
    /// collected. The loop over [`next_line`](Self::next_line) is several times faster.
    ///
    /// ```
    /// use wholeline::{LineRead, LineReader};
    ///
    /// let lines = LineReader::new(&b"a\nb"[..]).into_lines().collect::<Result<Vec<_>, _>>()?;
    /// assert_eq!(lines, ["a", "b"]);
    /// # Ok::<(), std::io::Error>(())
    /// ```
    fn into_lines(self) -> IntoLines<Self>
    where
        Self: Sized,
    {
        IntoLines { inner: Some(self) }
    }
}

macro_rules! forward {
    ($($type:ty),*) => {$(
        impl<L: LineRead + ?Sized> LineRead for $type {
            #[inline]
            fn next_line(&mut self) -> io::Result<Option<Line<'_>>> {
                (**self).next_line()
            }

            #[inline]
            fn read_line_into(&mut self, out: &mut Vec<u8>) -> io::Result<usize> {
                (**self).read_line_into(out)
            }
        }
    )*};
}

forward!(&mut L, Box<L>);

/// The methods of [`LineRead`] that a reader has as its own too.
macro_rules! as_inherent {
    () => {
        #[inline(always)]
        fn next_line(&mut self) -> std::io::Result<Option<$crate::Line<'_>>> {
            self.next_line()
        }

        #[inline]
        fn for_each_line(&mut self, f: impl FnMut($crate::Line<'_>)) -> std::io::Result<()> {
            self.for_each_line(f)
        }

        #[inline]
        fn try_for_each_line<E: From<std::io::Error>>(
            &mut self,
            f: impl FnMut($crate::Line<'_>) -> Result<core::ops::ControlFlow<()>, E>,
        ) -> Result<(), E> {
            self.try_for_each_line(f)
        }
    };
}

pub(crate) use as_inherent;

/// An iterator over the lines of a [`LineRead`], made by [`LineRead::into_lines`].
///
/// After an error that another call may get past it goes on: [`WouldBlock`](io::ErrorKind::WouldBlock),
/// [`TimedOut`](io::ErrorKind::TimedOut), [`LineTooLong`]. After any other it is at its end, so that
/// skipping errors comes to an end too (a directory, for one, reports an error for ever). After the end
/// of the input it asks again, as a reader does. The copies it makes are allocated as any `Vec` is.
#[derive(Debug)]
pub struct IntoLines<L> {
    /// None after an error that retrying cannot cure.
    inner: Option<L>,
}

impl<L: LineRead> Iterator for IntoLines<L> {
    type Item = io::Result<BString>;

    fn next(&mut self) -> Option<Self::Item> {
        match self.inner.as_mut()?.next_line() {
            Ok(line) => line.map(|line| Ok(line.as_bytes().into())),
            Err(error) => {
                if !is_passing(&error) {
                    self.inner = None;
                }
                Some(Err(error))
            }
        }
    }
}

/// Whether the next call may succeed.
fn is_passing(error: &io::Error) -> bool {
    use io::ErrorKind::{Interrupted, TimedOut, WouldBlock};
    matches!(error.kind(), Interrupted | TimedOut | WouldBlock)
        || error.get_ref().is_some_and(|inner| inner.is::<LineTooLong>())
}
