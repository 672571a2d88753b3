//! Bytes that are written once and read again later: in a file, but for a little that stays in
//! memory.

use std::{
    borrow::Cow,
    fs::File,
    io::{self, Read, Seek, SeekFrom, Write},
    ops::Range,
    path::PathBuf,
    sync::Mutex,
};

use super::no_room::NoRoom;
use crate::{lock::lock, progress::Stop};

/// Fewer bytes are not worth a look into a file, which costs a call of the system and a lock.
const SMALL: usize = 1 << 10;

/// So many bytes in all are not worth a file: small tables then touch no disk but for themselves.
const FEW: u64 = 1 << 20;

/// Keeps pieces of bytes in a temporary file, which goes away with it however that happens.
///
/// Unlike an array that is [mapped](super::ScratchArray), it takes no memory of the process.
pub struct SpillFile {
    folder: PathBuf,
    kept: Mutex<SpillState>,
    stop: Stop,
}

/// What a spill file has.
#[derive(Default)]
struct SpillState {
    /// How many bytes of pieces that are not small are in memory.
    here: u64,
    /// The file, if there is one yet.
    file: Option<File>,
    /// How long it is.
    end: u64,
}

/// Where a piece is kept.
pub enum Spilled {
    /// In memory.
    Here(Vec<u8>),
    /// In the file, from there on.
    InFile(u64),
}

impl SpillFile {
    /// Makes its file in `folder`, when there is something to be kept.
    pub(super) fn new(folder: impl Into<PathBuf>, stop: Stop) -> SpillFile {
        SpillFile { folder: folder.into(), kept: Mutex::default(), stop }
    }

    /// Looks whether the work goes on that it is for.
    ///
    /// # Errors
    /// Of the kind `Interrupted` if it was stopped.
    pub fn go_on(&self) -> io::Result<()> {
        self.stop.go_on()
    }

    /// Keeps a piece.
    pub fn keep(&self, bytes: Vec<u8>) -> io::Result<Spilled> {
        if bytes.len() < SMALL {
            return Ok(Spilled::Here(bytes));
        }
        let mut kept = lock(&self.kept);
        let SpillState { here, file, end } = &mut *kept;
        if *here + bytes.len() as u64 <= FEW {
            *here += bytes.len() as u64;
            return Ok(Spilled::Here(bytes));
        }
        let lack = |source| {
            let (bytes, folder) = (bytes.len() as u64, self.folder.clone());
            NoRoom::Disk { bytes, folder, source }
        };
        let file = match file {
            Some(file) => file,
            None => file.insert(tempfile::tempfile_in(&self.folder).map_err(lack)?),
        };
        let start = *end;
        let written = file.seek(SeekFrom::Start(start)).and_then(|_| file.write_all(&bytes));
        written.map_err(lack)?;
        *end += bytes.len() as u64;
        Ok(Spilled::InFile(start))
    }

    /// Some bytes of a piece.
    ///
    /// # Panics
    /// If the piece is shorter.
    pub fn read<'a>(&self, stored: &'a Spilled, range: Range<usize>) -> io::Result<Cow<'a, [u8]>> {
        match stored {
            Spilled::Here(bytes) => Ok(Cow::Borrowed(&bytes[range])),
            Spilled::InFile(start) => {
                let mut bytes = vec![0; range.len()];
                let kept = lock(&self.kept);
                let mut file = kept.file.as_ref().expect("pieces in a file have one");
                file.seek(SeekFrom::Start(start + range.start as u64))?;
                file.read_exact(&mut bytes)?;
                Ok(Cow::Owned(bytes))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pieces_come_back() {
        let folder = tempfile::tempdir().unwrap();
        let file = SpillFile::new(folder.path(), Stop::default());
        let piece = |n: usize| (0..n * 70_000).map(|i| (i * n) as u8).collect::<Vec<u8>>();
        let kept: Vec<Spilled> = (0..9).map(|n| file.keep(piece(n)).unwrap()).collect();
        assert!(matches!(kept[4], Spilled::Here(_)) && matches!(kept[5], Spilled::InFile(0)));
        for (n, kept) in kept.iter().enumerate().rev() {
            let all = file.read(kept, 0..n * 70_000).unwrap();
            assert_eq!(all[..], piece(n));
            let some = file.read(kept, n * 10_000..n * 30_000).unwrap();
            assert_eq!(some[..], piece(n)[n * 10_000..n * 30_000]);
        }
        // Windows has it as long as it is open.
        if cfg!(windows) {
            drop(file);
        }
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0);
    }

    #[test]
    fn what_cannot_be_kept_is_an_error() {
        let folder = tempfile::tempdir().unwrap();
        let missing = folder.path().join("none");
        let file = SpillFile::new(&missing, Stop::default());
        assert!(file.keep(vec![0; FEW as usize]).is_ok());
        assert!(file.keep(vec![0; SMALL - 1]).is_ok());
        let Err(error) = file.keep(vec![0; SMALL]) else { panic!("there is no such folder") };
        let text = format!("cannot write 1024 bytes to a scratch file in {}", missing.display());
        assert_eq!(error.to_string(), text);
        assert_eq!(error.kind(), io::ErrorKind::NotFound);
    }
}
