//! Where the bytes of a table come from.
//!
//! Files are read by position and never mapped: if somebody cuts a mapped file, the system kills
//! the process that touches what is gone, and no program can answer for what others do to its
//! files. A read says so with an error instead.

use std::{
    fmt,
    fs::File,
    io::{self, ErrorKind},
    ops::Range,
    path::Path,
};

/// Bytes of a table that are neither in a file nor all in memory. Any number of threads may read
/// them.
pub trait ReadAt: fmt::Debug + Send + Sync {
    /// Their number.
    fn length(&self) -> u64;

    /// Fills `out` with the bytes from `offset` on.
    ///
    /// # Errors
    /// [`ErrorKind::WouldBlock`] if they are not here yet; whoever holds them then knows that they
    /// are wanted, and what was to be read with them is asked for again once they are here.
    /// [`ErrorKind::UnexpectedEof`] if they end before.
    fn read_exact_at(&self, out: &mut [u8], offset: u64) -> io::Result<()>;

    /// Hears of bytes that will be read soon: if they must be brought, better now than later.
    fn will_read(&self, _range: Range<u64>) {}
}

/// The bytes of a table. Any number of threads may read them.
#[derive(Debug)]
pub(super) enum Source {
    /// An open file, with its length at that time.
    File { file: File, len: u64 },
    /// Bytes in memory.
    Memory(Vec<u8>),
    /// Bytes that somebody else holds.
    Elsewhere(Box<dyn ReadAt>),
}

impl Source {
    /// Opens a file; `None` if it is something else, such as a folder or a pipe, of which opening
    /// might wait for ever.
    pub(super) fn open(path: &Path) -> io::Result<Option<Source>> {
        if !path.metadata()?.is_file() {
            return Ok(None);
        }
        let file = File::open(path)?;
        let len = file.metadata()?.len();
        Ok(Some(Source::File { file, len }))
    }

    /// Their number; for a file, when it was opened.
    pub(super) fn len(&self) -> u64 {
        match self {
            Source::File { len, .. } => *len,
            Source::Memory(bytes) => bytes.len() as u64,
            Source::Elsewhere(bytes) => bytes.length(),
        }
    }

    /// Bytes that will be read soon.
    pub(super) fn will_read(&self, range: Range<u64>) {
        if let Source::Elsewhere(bytes) = self {
            bytes.will_read(range);
        }
    }

    /// Some of the bytes, through `buffer` if they are not in memory already.
    ///
    /// The caller bounds the length of `range` before: so much is allocated.
    ///
    /// # Errors
    /// [`ErrorKind::UnexpectedEof`] if they end before `range` does, [`ErrorKind::OutOfMemory`],
    /// or what the system says.
    pub(super) fn read<'a>(
        &'a self,
        range: Range<u64>,
        buffer: &'a mut Vec<u8>,
    ) -> io::Result<&'a [u8]> {
        let ended = || io::Error::from(ErrorKind::UnexpectedEof);
        let len = range.end.checked_sub(range.start).and_then(|len| usize::try_from(len).ok());
        let len = len.ok_or_else(ended)?;
        let fill: &dyn Fn(&mut [u8]) -> io::Result<()> = match self {
            Source::Memory(bytes) => {
                let start = usize::try_from(range.start).map_err(|_| ended())?;
                return bytes.get(start..).and_then(|rest| rest.get(..len)).ok_or_else(ended);
            }
            Source::File { file, .. } => &|out| read_exact_at(file, out, range.start),
            Source::Elsewhere(bytes) => &|out| bytes.read_exact_at(out, range.start),
        };
        buffer.clear();
        buffer.try_reserve(len).map_err(|_| ErrorKind::OutOfMemory)?;
        buffer.resize(len, 0);
        fill(buffer)?;
        Ok(buffer)
    }
}

#[cfg(unix)]
fn read_exact_at(file: &File, out: &mut [u8], offset: u64) -> io::Result<()> {
    std::os::unix::fs::FileExt::read_exact_at(file, out, offset)
}

#[cfg(windows)]
fn read_exact_at(file: &File, mut out: &mut [u8], mut offset: u64) -> io::Result<()> {
    while !out.is_empty() {
        match std::os::windows::fs::FileExt::seek_read(file, out, offset) {
            Ok(0) => return Err(ErrorKind::UnexpectedEof.into()),
            Ok(read) => {
                out = &mut out[read..];
                offset += read as u64;
            }
            Err(error) if error.kind() == ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
    Ok(())
}

/// Where there are no files none is open.
#[cfg(not(any(unix, windows)))]
fn read_exact_at(_: &File, _: &mut [u8], _: u64) -> io::Result<()> {
    Err(ErrorKind::Unsupported.into())
}
