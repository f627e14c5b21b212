//! The ways to read from a C stream.

/// A way to get at the bytes of a C stream.
///
/// All give the same lines, and leave the stream at the very next byte; what sets them apart is speed, and what
/// becomes of a line when the stream fails in the middle of it. (Two things may be left for the next call: see
/// [`StdioReader`](super::StdioReader#what-may-be-left-of-a-line).) Which ones there are is found out when the
/// crate is built, by asking the C library ([`available`](Self::available)).
///
/// # References
///
/// POSIX.1-2017: `getc`, `getc_unlocked`, `flockfile`, `getdelim`. git's `strbuf_getwholeline` went through
/// them in this order: `getc`, `getc_unlocked`, `getdelim`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Backend {
    /// `getdelim`: the C library looks for the delimiter, and copies the line.
    ///
    /// It is the one that may lose bytes. When the stream fails in the middle of a line, only glibc says how
    /// many it had read: with other C libraries they are gone, and the next line is what is left of that one;
    /// there an interruption by a signal is such an error too, and is reported, not retried. When `getdelim` has
    /// no memory for a line, no C library says: what is left of that line is dropped then.
    ///
    /// It cannot look for either of two bytes, nor stop at a limit, and musl's misses some delimiters above
    /// 0x7f: for [`Terminator::UNIVERSAL`](crate::Terminator::UNIVERSAL), where a limit is set, and there, the
    /// [default](Self::DEFAULT) is used in its stead.
    Getdelim,
    /// The stream's own buffer, looked at directly: under the stream's lock, with the delimiter search of
    /// this crate, and without copying what need not be.
    Window,
    /// `getc_unlocked`, under a lock that is taken once a line: a call a byte.
    GetcUnlocked,
    /// `getc`: a call a byte, each of which takes the stream's lock. That, or one of our own where the system has no
    /// `flockfile`, is held for the whole line besides, so that two threads never share one.
    Getc,
}

impl Backend {
    /// The fastest that loses nothing, whatever happens, of those that this build has: never
    /// [`Getdelim`](Self::Getdelim).
    pub const DEFAULT: Self = if cfg!(has_stdio_window) {
        Self::Window
    } else if cfg!(has_getc_unlocked) {
        Self::GetcUnlocked
    } else {
        Self::Getc
    };

    /// Those that this build has, the fastest first. [`Getc`](Self::Getc) is always one of them.
    ///
    /// ```
    /// use wholeline::stdio::Backend;
    ///
    /// assert!(Backend::available().contains(&Backend::DEFAULT));
    /// assert!(Backend::available().contains(&Backend::Getc));
    /// ```
    pub fn available() -> &'static [Self] {
        &[
            #[cfg(has_stdio_window)]
            Self::Window,
            #[cfg(has_getdelim)]
            Self::Getdelim,
            #[cfg(has_getc_unlocked)]
            Self::GetcUnlocked,
            Self::Getc,
        ]
    }
}
