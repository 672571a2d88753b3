//! Syzygy files read whole.
//!
//! Every position takes several reads at scattered places; as system calls they would cost more
//! than the rest of the comparison, and all tables of four men fit in memory.

use std::{
    fs, io,
    path::{Path, PathBuf},
};

use shakmaty_syzygy::filesystem::{Filesystem, RandomAccessFile, ReadHint};

/// Files that are read into memory when they are opened.
pub struct InMemory;

impl Filesystem for InMemory {
    fn regular_file_size(&self, path: &Path) -> io::Result<u64> {
        let data = fs::metadata(path)?;
        if data.is_file() { Ok(data.len()) } else { Err(io::ErrorKind::InvalidInput.into()) }
    }

    fn read_dir(&self, path: &Path) -> io::Result<Vec<PathBuf>> {
        fs::read_dir(path)?.map(|entry| Ok(entry?.path())).collect()
    }

    fn open(&self, path: &Path) -> io::Result<Box<dyn RandomAccessFile>> {
        Ok(Box::new(Content(fs::read(path)?)))
    }
}

struct Content(Vec<u8>);

impl RandomAccessFile for Content {
    fn read_at(&self, buffer: &mut [u8], offset: u64, _: ReadHint) -> io::Result<usize> {
        let rest = usize::try_from(offset).ok().and_then(|offset| self.0.get(offset..));
        let rest = rest.unwrap_or_default();
        let length = rest.len().min(buffer.len());
        buffer[..length].copy_from_slice(&rest[..length]);
        Ok(length)
    }
}
