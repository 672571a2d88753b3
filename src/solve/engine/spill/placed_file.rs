//! Bytes that have a place in a file and are read and written again and again, in long pieces.

use std::{
    fs::File,
    io::{self, Read, Seek, SeekFrom, Write},
    path::PathBuf,
    sync::Mutex,
};

use super::no_room::NoRoom;
use crate::{lock::lock, progress::Stop};

/// A temporary file, which goes away with this however that happens.
///
/// Unlike an array that is [mapped](super::ScratchArray), it takes no memory of the process.
pub struct PlacedFile {
    folder: PathBuf,
    file: Mutex<File>,
    stop: Stop,
}

impl PlacedFile {
    /// An empty file in `folder`.
    pub(super) fn new(folder: impl Into<PathBuf>, stop: Stop) -> io::Result<PlacedFile> {
        let folder = folder.into();
        let file = match tempfile::tempfile_in(&folder) {
            Ok(file) => Mutex::new(file),
            Err(source) => return Err(NoRoom::Disk { bytes: 0, folder, source }.into()),
        };
        Ok(PlacedFile { folder, file, stop })
    }

    /// Writes bytes to a place.
    ///
    /// # Errors
    /// If the disk is full, or the work was stopped.
    pub fn write(&self, place: u64, bytes: &[u8]) -> io::Result<()> {
        self.stop.go_on()?;
        let mut file = lock(&self.file);
        let written = file.seek(SeekFrom::Start(place)).and_then(|_| file.write_all(bytes));
        written.map_err(|source| {
            let (bytes, folder) = (bytes.len() as u64, self.folder.clone());
            NoRoom::Disk { bytes, folder, source }.into()
        })
    }

    /// Reads what was written to a place.
    ///
    /// # Errors
    /// If the disk cannot be read.
    pub fn read(&self, place: u64, out: &mut [u8]) -> io::Result<()> {
        let mut file = lock(&self.file);
        file.seek(SeekFrom::Start(place))?;
        file.read_exact(out)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_are_read_where_they_were_written() {
        let folder = tempfile::tempdir().unwrap();
        let file = PlacedFile::new(folder.path(), Stop::default()).unwrap();
        let piece = |n: u8| vec![n; 1000];
        for n in [3, 1, 0, 2, 1] {
            file.write(u64::from(n) * 1000, &piece(n)).unwrap();
        }
        file.write(500, &piece(9)).unwrap();
        let mut found = vec![0; 4000];
        file.read(0, &mut found).unwrap();
        let expected = [vec![0; 500], piece(9), vec![1; 500], piece(2), piece(3)].concat();
        assert_eq!(found, expected);
        assert!(file.read(1, &mut found).is_err());
        // Windows has it as long as it is open.
        if cfg!(windows) {
            drop(file);
        }
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0);
        let missing = folder.path().join("none");
        let Err(error) = PlacedFile::new(&missing, Stop::default()) else { panic!("no folder") };
        let text = format!("cannot write 0 bytes to a scratch file in {}", missing.display());
        assert_eq!(error.to_string(), text);
    }
}
