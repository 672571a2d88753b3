//! Bytes of tables elsewhere, kept on disk.
//!
//! A file for each table: a checksum for each page of it, 0 for those that are not here, and behind
//! them the pages at their places, so that most of it is a hole. A page is believed only if its
//! checksum is right. So programs may read and write it side by side, and be killed at any moment;
//! what they leave torn is fetched again.

use std::{
    env,
    fs::{self, File},
    io::{self, Read, Seek, SeekFrom, Write},
    ops::Range,
    path::{Path, PathBuf},
    time::SystemTime,
};

use crate::table::RemoteFiles;

/// Bytes are kept in the pages in which tables want them.
const PAGE: u64 = RemoteFiles::PAGE;

/// A folder of bytes that were brought, at most so many.
#[derive(Clone, Debug)]
pub struct DiskCache {
    folder: PathBuf,
    most: u64,
}

impl DiskCache {
    /// What is kept unless it is said, in bytes.
    pub const DEFAULT_CAPACITY: u64 = 512 << 20;

    /// A cache in a folder, which need not exist.
    pub fn new(folder: impl Into<PathBuf>, most: u64) -> DiskCache {
        DiskCache { folder: folder.into(), most }
    }

    /// The one in the folder that `$FINALE_CACHE` names, none if that is empty, or else the one where
    /// this system keeps caches of its users, if it has such a place.
    pub fn usual() -> Option<DiskCache> {
        let folder = match env::var_os("FINALE_CACHE") {
            Some(folder) if folder.is_empty() => return None,
            Some(folder) => folder.into(),
            None => dirs::cache_dir()?.join("finale"),
        };
        Some(DiskCache::new(folder, DiskCache::DEFAULT_CAPACITY))
    }

    /// What is kept of a folder of tables at an address. Makes room first, by removing the files
    /// that were used longest ago.
    pub(super) fn of(&self, address: &str) -> FolderCache {
        self.make_room();
        FolderCache { folder: self.folder.join(plain(address)) }
    }

    fn make_room(&self) {
        let mut files: Vec<(SystemTime, u64, PathBuf)> = Vec::new();
        let folders = fs::read_dir(&self.folder).into_iter().flatten().flatten();
        for file in folders.flat_map(|folder| fs::read_dir(folder.path())).flatten().flatten() {
            if let Ok(metadata) = file.metadata() {
                let used = metadata.modified().unwrap_or(SystemTime::UNIX_EPOCH);
                files.push((used, room(&metadata), file.path()));
            }
        }
        files.sort();
        let mut taken: u64 = files.iter().map(|(_, room, _)| room).sum();
        for (_, room, path) in files {
            if taken <= self.most {
                return;
            }
            // Another program may be about the same.
            let _ = fs::remove_file(path);
            taken -= room;
        }
    }
}

/// What a file takes on disk, without its holes where the system tells that.
fn room(metadata: &fs::Metadata) -> u64 {
    #[cfg(unix)]
    return std::os::unix::fs::MetadataExt::blocks(metadata) * 512;
    #[cfg(not(unix))]
    metadata.len()
}

/// An address or the name of a file as the name of a file.
fn plain(text: &str) -> String {
    text.chars().map(|c| if c.is_ascii_alphanumeric() || c == '.' { c } else { '_' }).collect()
}

/// What is kept of a folder of tables.
#[derive(Clone, Debug)]
pub(super) struct FolderCache {
    folder: PathBuf,
}

impl FolderCache {
    /// What is kept of a table, which its checksum tells from others of its name.
    pub(super) fn file(&self, name: &str, checksum: &str, len: u64) -> KeptFile {
        let path = self.folder.join(format!("{}.{}", plain(name), plain(checksum)));
        KeptFile { path, len }
    }
}

/// What is kept of a table. That something cannot be read or written there is no error: it is
/// fetched instead.
#[derive(Debug)]
pub(super) struct KeptFile {
    path: PathBuf,
    /// The length of the table.
    len: u64,
}

impl KeptFile {
    fn place_of_checksum(page: u64) -> u64 {
        4 * page
    }

    fn place_of_page(&self, page: u64) -> u64 {
        4 * self.len.div_ceil(PAGE) + page * PAGE
    }

    /// The length of a page.
    fn page_len(&self, page: u64) -> usize {
        (self.len - page * PAGE).min(PAGE) as usize
    }

    /// Bytes of the table from the start of a page on, if all of them are here.
    pub(super) fn read(&self, range: Range<u64>) -> Option<Vec<u8>> {
        let mut file = File::open(&self.path).ok()?;
        let mut bytes = Vec::new();
        for page in range.start / PAGE..range.end.min(self.len).div_ceil(PAGE) {
            bytes.extend(self.read_page(&mut file, page).ok()??);
        }
        // Those used last are kept longest.
        let _ = file.set_modified(SystemTime::now());
        (bytes.len() as u64 == range.end - range.start).then_some(bytes)
    }

    fn read_page(&self, file: &mut File, page: u64) -> io::Result<Option<Vec<u8>>> {
        let mut checksum = [0; 4];
        file.seek(SeekFrom::Start(KeptFile::place_of_checksum(page)))?;
        file.read_exact(&mut checksum)?;
        if checksum == [0; 4] {
            return Ok(None);
        }
        let mut bytes = vec![0; self.page_len(page)];
        file.seek(SeekFrom::Start(self.place_of_page(page)))?;
        file.read_exact(&mut bytes)?;
        Ok((crc32fast::hash(&bytes).to_le_bytes() == checksum).then_some(bytes))
    }

    /// Keeps bytes that begin with a page.
    pub(super) fn write(&self, start: u64, bytes: &[u8]) {
        // A full disk, say, costs only speed.
        let _ = self.try_write(start, bytes);
    }

    fn try_write(&self, start: u64, bytes: &[u8]) -> io::Result<()> {
        fs::create_dir_all(self.path.parent().unwrap_or(Path::new(".")))?;
        let mut file = File::options().create(true).truncate(false).write(true).open(&self.path)?;
        for (page, bytes) in (start / PAGE..).zip(bytes.chunks(PAGE as usize)) {
            if bytes.len() != self.page_len(page) {
                break;
            }
            file.seek(SeekFrom::Start(self.place_of_page(page)))?;
            file.write_all(bytes)?;
            file.seek(SeekFrom::Start(KeptFile::place_of_checksum(page)))?;
            file.write_all(&crc32fast::hash(bytes).to_le_bytes())?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_kept_comes_back_and_what_is_torn_does_not() {
        let folder = tempfile::tempdir().expect("a folder");
        let cache = DiskCache::new(folder.path(), 1 << 20);
        let kept = cache.of("https://example.org/tables").file("high/KRvK.ftb", "12ab", 10_000);
        assert_eq!(kept.read(0..4096), None);
        let bytes: Vec<u8> = (0..10_000u32).map(|n| (n / 7) as u8).collect();
        kept.write(4096, &bytes[4096..]);
        assert_eq!(kept.read(4096..10_000).as_deref(), Some(&bytes[4096..]));
        assert_eq!(kept.read(8192..10_000).as_deref(), Some(&bytes[8192..]));
        assert_eq!(kept.read(0..8192), None);
        let other = cache.of("https://example.org/tables").file("high/KRvK.ftb", "34", 10_000);
        assert_eq!(other.read(4096..8192), None);
        let mut file = File::options().write(true).open(&kept.path).expect("it is there");
        file.seek(SeekFrom::Start(kept.place_of_page(1) + 77)).expect("a place");
        file.write_all(&[!bytes[4096 + 77]]).expect("a byte");
        assert_eq!(kept.read(4096..8192), None);
        assert_eq!(kept.read(8192..10_000).as_deref(), Some(&bytes[8192..]));
    }

    #[test]
    fn what_was_used_long_ago_makes_room() {
        let folder = tempfile::tempdir().expect("a folder");
        let cache = DiskCache::new(folder.path(), 400_000);
        let files = cache.of("a");
        let kept = |name: &str| files.file(name, "1", 163_840);
        for (name, age) in [("old", 200), ("new", 100), ("newest", 0)] {
            kept(name).write(0, &[7; 163_840]);
            let file = File::options().write(true).open(&kept(name).path).expect("it is there");
            let used = SystemTime::now() - std::time::Duration::from_secs(age);
            file.set_modified(used).expect("a time");
        }
        let files = cache.of("a");
        let is_kept = |name: &str| files.file(name, "1", 163_840).read(0..163_840).is_some();
        assert_eq!(["old", "new", "newest"].map(is_kept), [false, true, true]);
    }
}
