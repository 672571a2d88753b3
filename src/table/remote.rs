//! Files of which only some bytes are here: the rest is wanted, and somebody brings it.
//!
//! Who reads never waits. A read of bytes that are not here fails, and they are noted; once a
//! question has failed, all that it wanted is fetched at once and the question is asked again. So
//! a question costs as many rounds as its reads depend on each other, however many they are, and
//! the same code reads tables in a browser, where nothing may wait, and over a slow line, where
//! each round counts.

use std::{
    collections::{BTreeMap, BTreeSet},
    io::{self, ErrorKind},
    ops::Range,
    sync::{Arc, Mutex},
};

use rustc_hash::FxHashMap;

use super::source::ReadAt;
use crate::lock::lock;

const PAGE: u64 = RemoteFiles::PAGE;

/// Of a file no longer than this, all is wanted with its first byte.
const WHOLE: u64 = 64 << 10;

/// With its first byte, so many pages at the end of a file are wanted: its header is there.
const LAST_PAGES: u64 = 4;

/// Of what will be read soon, so much is wanted before it is.
const AHEAD: u64 = 64 << 10;

/// Between two pages that are wanted, so many that are not are brought along: a request costs more
/// than their bytes.
const GAP: u64 = 2;

/// Files of which some bytes are here. Clones share them.
#[derive(Clone, Debug)]
pub struct RemoteFiles {
    files: Arc<BTreeMap<String, Arc<RemoteFile>>>,
}

/// Bytes of a file that are wanted.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct WantedBytes {
    /// The name of the file.
    pub file: String,
    /// Which bytes.
    pub range: Range<u64>,
}

/// A file of which some bytes are here.
#[derive(Debug)]
struct RemoteFile {
    len: u64,
    pages: Mutex<Pages>,
}

/// Pages of a file, by their number.
#[derive(Debug, Default)]
struct Pages {
    here: FxHashMap<u64, Box<[u8]>>,
    wanted: BTreeSet<u64>,
}

impl RemoteFiles {
    /// Bytes are brought in pages of so many, from multiples of that on: a read of a block takes a
    /// few, and what lies beside it in the file is seldom wanted.
    pub const PAGE: u64 = 4 << 10;

    /// Files by their names and lengths, of which nothing is here.
    pub fn new(files: impl IntoIterator<Item = (String, u64)>) -> RemoteFiles {
        let file = |len| Arc::new(RemoteFile { len, pages: Mutex::default() });
        let files = files.into_iter().map(|(name, len)| (name, file(len)));
        RemoteFiles { files: Arc::new(files.collect()) }
    }

    /// The bytes of a file, if there is one of this name.
    pub fn open(&self, name: &str) -> Option<Box<dyn ReadAt>> {
        let file = self.files.get(name)?;
        Some(Box::new(file.clone()))
    }

    /// The bytes that reads failed for since the last time, in the order of files and in them;
    /// those that are close together as one.
    pub fn take_wanted(&self) -> Vec<WantedBytes> {
        let mut all: Vec<WantedBytes> = Vec::new();
        for (name, file) in &*self.files {
            for page in std::mem::take(&mut lock(&file.pages).wanted) {
                let range = page * PAGE..file.len.min((page + 1) * PAGE);
                match all.last_mut().filter(|last| last.file == *name) {
                    Some(last) if range.start <= last.range.end + GAP * PAGE => {
                        last.range.end = range.end;
                    }
                    _ => all.push(WantedBytes { file: name.clone(), range }),
                }
            }
        }
        all
    }

    /// Keeps bytes that were wanted.
    ///
    /// # Errors
    /// If there are no such bytes: the file is unknown, or shorter.
    pub fn bring(&self, wanted: &WantedBytes, bytes: &[u8]) -> io::Result<()> {
        let WantedBytes { file, range } = wanted;
        let right = |file: &&Arc<RemoteFile>| {
            let len = range.end.checked_sub(range.start);
            len == Some(bytes.len() as u64) && range.end <= file.len && range.start % PAGE == 0
        };
        let Some(file) = self.files.get(file).filter(right) else {
            return Err(io::Error::new(ErrorKind::InvalidInput, "these bytes were not asked for"));
        };
        let mut pages = lock(&file.pages);
        for (page, bytes) in (range.start / PAGE..).zip(bytes.chunks(PAGE as usize)) {
            // A page that is cut short is none, unless the file ends there.
            if page * PAGE + bytes.len() as u64 == file.len.min((page + 1) * PAGE) {
                pages.here.insert(page, bytes.into());
            }
        }
        Ok(())
    }

    /// The bytes that are here.
    pub fn bytes(&self) -> u64 {
        self.files.values().map(|file| lock(&file.pages).here.len() as u64 * PAGE).sum()
    }

    /// Forgets what is here. Whoever does so in the middle of a question asks all of it again.
    pub fn forget(&self) {
        self.files.values().for_each(|file| lock(&file.pages).here.clear());
    }
}

/// The pages that some bytes are in.
fn pages_of(range: Range<u64>) -> Range<u64> {
    range.start / PAGE..range.end.div_ceil(PAGE)
}

impl Pages {
    /// Notes that bytes are wanted, those that are not here; whether there are any.
    fn want(&mut self, range: Range<u64>) -> bool {
        let missing = pages_of(range).filter(|page| !self.here.contains_key(page));
        let missing: Vec<u64> = missing.collect();
        let any = !missing.is_empty();
        self.wanted.extend(missing);
        any
    }
}

impl ReadAt for Arc<RemoteFile> {
    fn length(&self) -> u64 {
        self.len
    }

    fn read_exact_at(&self, out: &mut [u8], offset: u64) -> io::Result<()> {
        let end = offset.checked_add(out.len() as u64).filter(|&end| end <= self.len);
        let end = end.ok_or(ErrorKind::UnexpectedEof)?;
        let mut pages = lock(&self.pages);
        if pages.want(offset..end) {
            if pages.here.is_empty() {
                let last = self.len.div_ceil(PAGE).saturating_sub(LAST_PAGES) * PAGE;
                pages.want(if self.len <= WHOLE { 0 } else { last }..self.len);
            }
            return Err(ErrorKind::WouldBlock.into());
        }
        for page in pages_of(offset..end) {
            let start = page * PAGE;
            let (from, to) = (offset.max(start), end.min(start + PAGE));
            let bytes = &pages.here[&page][(from - start) as usize..(to - start) as usize];
            out[(from - offset) as usize..(to - offset) as usize].copy_from_slice(bytes);
        }
        Ok(())
    }

    fn will_read(&self, range: Range<u64>) {
        let end = range.end.min(self.len);
        if range.start < end && end - range.start <= AHEAD {
            lock(&self.pages).want(range.start..end);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn byte(at: u64) -> u8 {
        (at * 7 / 3) as u8
    }

    /// Brings what is wanted; how many requests that took, and how many bytes.
    fn bring(files: &RemoteFiles) -> (usize, u64) {
        let wanted = files.take_wanted();
        for wanted in &wanted {
            let bytes: Vec<u8> = wanted.range.clone().map(byte).collect();
            files.bring(wanted, &bytes).expect("it was asked for");
        }
        (wanted.len(), wanted.iter().map(|wanted| wanted.range.end - wanted.range.start).sum())
    }

    #[test]
    fn what_is_read_is_wanted_first_and_then_right() {
        let len = (1 << 20) + 5;
        let files = RemoteFiles::new([("a".to_owned(), len), ("b".to_owned(), 9000)]);
        let (a, b) = (files.open("a").expect("it is there"), files.open("b").expect("so is b"));
        assert!(files.open("c").is_none());
        let mut out = [0; 10_000];
        let read = |file: &dyn ReadAt, out: &mut [u8], offset| {
            file.read_exact_at(out, offset).map_err(|error| error.kind())
        };
        assert_eq!(read(&*a, &mut out[..16], 0), Err(ErrorKind::WouldBlock));
        assert_eq!(read(&*b, &mut out[..1], 8999), Err(ErrorKind::WouldBlock));
        // The first page of a, its last four, and all of b.
        assert_eq!(bring(&files), (3, 4096 + 3 * 4096 + 5 + 9000));
        assert_eq!(bring(&files), (0, 0));
        read(&*a, &mut out[..16], 0).expect("it was brought");
        for offset in [0, 4095, 4096, 77_777, 500_000, 1 << 19, len - 10_000, len - 4100] {
            let length = out.len().min((len - offset) as usize);
            let out = &mut out[..length];
            while read(&*a, out, offset).is_err() {
                assert!(bring(&files).0 > 0);
            }
            assert!(out.iter().zip(offset..).all(|(&found, at)| found == byte(at)));
        }
        assert_eq!(read(&*a, &mut out, len - 9_999), Err(ErrorKind::UnexpectedEof));
        assert_eq!(read(&*a, &mut out, u64::MAX - 3), Err(ErrorKind::UnexpectedEof));
        files.forget();
        assert_eq!(files.bytes(), 0);
        assert_eq!(read(&*b, &mut out[..1], 0), Err(ErrorKind::WouldBlock));
    }

    #[test]
    fn bytes_that_cannot_be_are_refused() {
        let files = RemoteFiles::new([("a".to_owned(), 10_000)]);
        let bring = |file: &str, range: Range<u64>, bytes: &[u8]| {
            files.bring(&WantedBytes { file: file.to_owned(), range }, bytes).is_ok()
        };
        assert!(bring("a", 8192..10_000, &[0; 1808]));
        assert!(!bring("b", 0..1, &[0]));
        assert!(!bring("a", 8192..10_001, &[0; 1809]));
        assert!(!bring("a", 4096..8192, &[0; 4095]));
        assert!(!bring("a", 1..4096, &[0; 4095]));
        let reversed = Range { start: 4096, end: 0 };
        assert!(!bring("a", reversed, &[]));
    }
}
