//! Reads tables: everything is checked before it is believed.

use std::{
    cell::RefCell,
    fs::File,
    ops::Range,
    path::{Path, PathBuf},
    sync::{Arc, OnceLock},
};

use memmap2::Mmap;
use rayon::prelude::*;
use zstd::bulk::Decompressor;

use super::{
    cache::{BlockCache, BlockKey, section_ids},
    error::TableError,
    header::{
        FORMAT_VERSION, Header, INDEX_ENTRY_LEN, Kind, MAGIC, MAX_HEADER_LEN, PROLOGUE_LEN,
        Palette, Prologue, Section, le_u32, le_u64,
    },
};

/// Blocks unpacked between two looks at the memory a section claims to need.
const BLOCKS_AT_ONCE: u64 = 256;

/// An open table. Clones are cheap and share the file.
#[derive(Debug, Clone)]
pub struct Table {
    shared: Arc<Shared>,
}

#[derive(Debug)]
struct Shared {
    path: PathBuf,
    bytes: Bytes,
    header: Header,
    /// The palette of each section, once it was asked for.
    palettes: Vec<OnceLock<Arc<[u32]>>>,
    cache: BlockCache,
    /// The name of the first section's blocks in the cache; the others follow.
    first_id: u64,
}

#[derive(Debug)]
enum Bytes {
    Mapped(Mmap),
    Owned(Vec<u8>),
}

impl Bytes {
    fn as_slice(&self) -> &[u8] {
        match self {
            Bytes::Mapped(map) => map,
            Bytes::Owned(bytes) => bytes,
        }
    }
}

impl Table {
    /// Opens a table with a cache of its own, of [`BlockCache::DEFAULT_CAPACITY`].
    ///
    /// # Errors
    /// See [`open_with`](Table::open_with).
    pub fn open(path: impl AsRef<Path>) -> Result<Table, TableError> {
        Table::open_with(path, &BlockCache::default())
    }

    /// Opens a table and checks its header and block indexes. The blocks themselves are checked
    /// when they are read.
    ///
    /// The file stays mapped while the table or anything taken from it lives. It must not be
    /// changed in place meanwhile; replacing it by renaming, as [`TableWriter`] does, is fine.
    ///
    /// [`TableWriter`]: super::TableWriter
    ///
    /// # Errors
    /// The file cannot be read, is no table, or is damaged.
    pub fn open_with(path: impl AsRef<Path>, cache: &BlockCache) -> Result<Table, TableError> {
        let path = path.as_ref();
        let failed =
            |operation| move |source| TableError::Io { operation, path: path.to_owned(), source };
        let file = File::open(path).map_err(failed("open"))?;
        let metadata = file.metadata().map_err(failed("read the length of"))?;
        if metadata.is_dir() {
            return Err(TableError::Folder { path: path.to_owned() });
        }
        let length = metadata.len();
        if length == 0 {
            return Table::parse(path.to_owned(), Bytes::Owned(Vec::new()), cache);
        }
        // SAFETY: the mapping is private to this table and only read. Tables are never changed in
        // place by this program: writers rename complete files over them, which leaves a mapped
        // file as it was. That nobody else does is the contract of this function.
        #[allow(unsafe_code)]
        let map = unsafe { Mmap::map(&file) }.map_err(failed("map"))?;
        Table::parse(path.to_owned(), Bytes::Mapped(map), cache)
    }

    /// A table from bytes in memory; `path` is its name in messages.
    ///
    /// # Errors
    /// The bytes are no table or damaged.
    pub fn from_bytes(path: impl Into<PathBuf>, bytes: Vec<u8>) -> Result<Table, TableError> {
        Table::parse(path.into(), Bytes::Owned(bytes), &BlockCache::default())
    }

    fn parse(path: PathBuf, bytes: Bytes, cache: &BlockCache) -> Result<Table, TableError> {
        let header = read_header(&path, bytes.as_slice())?;
        let shared = Shared {
            first_id: section_ids(header.sections.len()),
            palettes: header.sections.iter().map(|_| OnceLock::new()).collect(),
            cache: cache.clone(),
            path,
            bytes,
            header,
        };
        for section in &shared.header.sections {
            shared.check_index(section)?;
        }
        Ok(Table { shared: Arc::new(shared) })
    }

    /// Where the table was opened.
    pub fn path(&self) -> &Path {
        &self.shared.path
    }

    /// What the table is about and what it has.
    pub fn header(&self) -> &Header {
        &self.shared.header
    }

    /// The size of the file in bytes.
    pub fn file_len(&self) -> u64 {
        self.shared.bytes.as_slice().len() as u64
    }

    /// The cells of a section.
    ///
    /// # Errors
    /// There is no such section, or its palette is damaged.
    pub fn cells(&self, name: &str) -> Result<Cells, TableError> {
        let at = self.shared.find(name, Kind::Cells)?;
        let section = &self.shared.header.sections[at];
        Ok(Cells {
            palette: self.shared.palette(at)?,
            id: self.shared.first_id + at as u64,
            entries: section.entries,
            width: section.width.bytes(),
            block_bits: section.block.trailing_zeros(),
            at,
            shared: Arc::clone(&self.shared),
        })
    }

    /// The bytes of a blob.
    ///
    /// # Errors
    /// There is no such blob, it is damaged, or memory is too small for it.
    pub fn blob(&self, name: &str) -> Result<Vec<u8>, TableError> {
        let at = self.shared.find(name, Kind::Blob)?;
        self.shared.read_all(at)
    }

    /// Unpacks and checks every block of the file.
    ///
    /// # Errors
    /// The first damage found, if there is any.
    pub fn check(&self) -> Result<(), TableError> {
        for (at, section) in self.shared.header.sections.iter().enumerate() {
            let palette = self.shared.palette(at)?;
            (0..section.blocks()).into_par_iter().try_for_each_init(
                Vec::new,
                |unpacked, block| {
                    unpacked.resize(section.block_len(block), 0);
                    self.shared.unpack(section, block, unpacked)?;
                    let Some(palette) = &palette else {
                        return Ok(());
                    };
                    let mut entries = unpacked.chunks_exact(section.width.bytes()).map(le_u32);
                    match entries.find(|&entry| entry as usize >= palette.len()) {
                        Some(entry) => Err(self.shared.not_in_palette(at, entry)),
                        None => Ok(()),
                    }
                },
            )?;
        }
        Ok(())
    }
}

fn read_header(path: &Path, bytes: &[u8]) -> Result<Header, TableError> {
    let length = |expected| TableError::Length {
        path: path.to_owned(),
        found: bytes.len() as u64,
        expected,
    };
    let damaged = |place: &str, problem: String| TableError::Damaged {
        path: path.to_owned(),
        place: place.to_owned(),
        problem,
    };
    let magic = &bytes[..bytes.len().min(MAGIC.len())];
    if !MAGIC.starts_with(magic) {
        return Err(TableError::NotATable { path: path.to_owned() });
    }
    let Some(prologue) = bytes.first_chunk::<PROLOGUE_LEN>() else {
        return Err(length(PROLOGUE_LEN as u64));
    };
    let prologue = Prologue::from_bytes(prologue);
    if prologue.version != FORMAT_VERSION {
        return Err(TableError::Version {
            path: path.to_owned(),
            found: prologue.version,
            supported: FORMAT_VERSION,
        });
    }
    if prologue.reserved != 0 {
        return Err(damaged("prologue", "reserved bytes are not zero".to_owned()));
    }
    let end = prologue.header_offset.saturating_add(prologue.header_len);
    if end != bytes.len() as u64 {
        return Err(length(end));
    }
    if prologue.header_offset < PROLOGUE_LEN as u64 || prologue.header_len > MAX_HEADER_LEN {
        let problem = format!(
            "a header of {} bytes at {} cannot be",
            prologue.header_len, prologue.header_offset
        );
        return Err(damaged("prologue", problem));
    }
    // Both ends lie within the bytes in memory, so the offset fits.
    let json = &bytes[prologue.header_offset as usize..];
    if prologue.checksum(json) != prologue.crc {
        return Err(damaged("header", "checksum does not match".to_owned()));
    }
    let header: Header = serde_json::from_slice(json)
        .map_err(|error| damaged("header", format!("it cannot be read, {error}")))?;
    match header.defect(prologue.header_offset) {
        Some((place, problem)) => Err(damaged(&place, problem)),
        None => Ok(header),
    }
}

impl Shared {
    fn damaged(&self, place: String, problem: impl Into<String>) -> TableError {
        TableError::Damaged { path: self.path.clone(), place, problem: problem.into() }
    }

    fn not_in_palette(&self, at: usize, entry: u32) -> TableError {
        self.damaged(
            format!("section `{}`", self.header.sections[at].name),
            format!("entry {entry} is not in the palette"),
        )
    }

    fn find(&self, name: &str, kind: Kind) -> Result<usize, TableError> {
        match self.header.section(name, kind) {
            Some((at, _)) => Ok(at),
            None => {
                let sections = self.header.sections.iter();
                let present: Vec<_> = sections
                    .map(|section| format!("`{}` ({})", section.name, section.kind.name()))
                    .collect();
                Err(TableError::NoSection {
                    path: self.path.clone(),
                    name: name.to_owned(),
                    kind: kind.name(),
                    present: match present.is_empty() {
                        true => "none".to_owned(),
                        false => present.join(", "),
                    },
                })
            }
        }
    }

    /// The bytes of a part of a section; none only if the header was not checked.
    fn part(&self, section: &Section, part: Range<u64>) -> Option<&[u8]> {
        let start = usize::try_from(section.offset.checked_add(part.start)?).ok()?;
        let end = usize::try_from(section.offset.checked_add(part.end)?).ok()?;
        self.bytes.as_slice().get(start..end)
    }

    fn index(&self, section: &Section) -> Option<&[u8]> {
        self.part(section, section.index_range()?)
    }

    /// Checks that the blocks lie one behind the other and fill the bytes up to the index.
    fn check_index(&self, section: &Section) -> Result<(), TableError> {
        let damaged = |problem: &str| {
            self.damaged(format!("block index of section `{}`", section.name), problem)
        };
        let index = self.index(section).ok_or_else(|| damaged("it is missing"))?;
        if crc32fast::hash(index) != section.index_crc {
            return Err(damaged("checksum does not match"));
        }
        let mut last = 0;
        for entry in index.chunks_exact(INDEX_ENTRY_LEN) {
            let end = le_u64(&entry[..8]);
            if end < last {
                return Err(damaged("a block ends before it begins"));
            }
            last = end;
        }
        if last + index.len() as u64 != section.length {
            return Err(damaged("the blocks do not fill the section"));
        }
        Ok(())
    }

    /// The packed bytes and the checksum of a block.
    fn packed(&self, section: &Section, block: u64) -> Option<(&[u8], u32)> {
        let index = self.index(section)?;
        let at = usize::try_from(block).ok()?.checked_mul(INDEX_ENTRY_LEN)?;
        let entry = index.get(at..at + INDEX_ENTRY_LEN)?;
        let start = match block {
            0 => 0,
            _ => le_u64(&index[at - INDEX_ENTRY_LEN..at - 4]),
        };
        let packed = self.part(section, start..le_u64(&entry[..8]))?;
        Some((packed, le_u32(&entry[8..])))
    }

    /// Checks a block and unpacks it into `out`, which must have the block's length.
    fn unpack(&self, section: &Section, block: u64, out: &mut [u8]) -> Result<(), TableError> {
        let damaged = |problem: String| {
            self.damaged(format!("block {block} of section `{}`", section.name), problem)
        };
        let (packed, crc) = self
            .packed(section, block)
            .ok_or_else(|| damaged("it lies outside of its section".to_owned()))?;
        if crc32fast::hash(packed) != crc {
            return Err(damaged("checksum does not match".to_owned()));
        }
        let unpacked = decompress(packed, out)
            .map_err(|error| damaged(format!("it cannot be unpacked, {error}")))?;
        if unpacked != out.len() {
            return Err(damaged(format!("{unpacked} bytes unpacked instead of {}", out.len())));
        }
        Ok(())
    }

    /// All bytes of a section.
    fn read_all(&self, at: usize) -> Result<Vec<u8>, TableError> {
        let section = &self.header.sections[at];
        let too_large = || self.too_large(at);
        let bytes = self.unpacked_len(at).ok_or_else(too_large)?;
        let mut out = Vec::new();
        out.try_reserve_exact(bytes).map_err(|_| too_large())?;
        // The claim of the header is only believed as far as the blocks have borne it out, so
        // that a malicious file cannot use up memory it does not fill.
        for first in (0..section.blocks()).step_by(BLOCKS_AT_ONCE as usize) {
            let last = section.blocks().min(first + BLOCKS_AT_ONCE);
            let before = out.len();
            let added = (first..last).map(|block| section.block_len(block)).sum::<usize>();
            out.resize(before + added, 0);
            self.read_blocks(section, first, &mut out[before..])?;
        }
        Ok(out)
    }

    fn read_blocks(&self, section: &Section, first: u64, out: &mut [u8]) -> Result<(), TableError> {
        out.par_chunks_mut(section.block as usize * section.width.bytes())
            .enumerate()
            .try_for_each(|(block, out)| self.unpack(section, first + block as u64, out))
    }

    fn unpacked_len(&self, at: usize) -> Option<usize> {
        let section = &self.header.sections[at];
        let entries = usize::try_from(section.entries).ok()?;
        entries.checked_mul(section.width.bytes())
    }

    fn too_large(&self, at: usize) -> TableError {
        let section = &self.header.sections[at];
        TableError::Memory {
            path: self.path.clone(),
            section: section.name.clone(),
            bytes: section.entries.saturating_mul(section.width.bytes() as u64),
        }
    }

    fn palette(&self, at: usize) -> Result<Option<Arc<[u32]>>, TableError> {
        let Some(palette) = &self.header.sections[at].palette else {
            return Ok(None);
        };
        if let Some(values) = self.palettes[at].get() {
            return Ok(Some(Arc::clone(values)));
        }
        let values: Arc<[u32]> = match palette {
            Palette::Values(values) => values.as_slice().into(),
            Palette::Blob(name) => {
                let bytes = self.read_all(self.find(name, Kind::Blob)?)?;
                bytes.chunks_exact(4).map(le_u32).collect()
            }
        };
        Ok(Some(Arc::clone(self.palettes[at].get_or_init(|| values))))
    }
}

fn decompress(packed: &[u8], out: &mut [u8]) -> std::io::Result<usize> {
    thread_local! {
        // Its memory is larger than a block, so each thread keeps one.
        static DECOMPRESSOR: RefCell<Option<Decompressor<'static>>> = const { RefCell::new(None) };
    }
    DECOMPRESSOR.with_borrow_mut(|slot| {
        let decompressor = match slot {
            Some(decompressor) => decompressor,
            None => slot.insert(Decompressor::new()?),
        };
        decompressor.decompress_to_buffer(packed, out)
    })
}

/// The cells of a section. Clones are cheap; all methods may be called from many threads.
#[derive(Debug, Clone)]
pub struct Cells {
    shared: Arc<Shared>,
    at: usize,
    id: u64,
    entries: u64,
    width: usize,
    block_bits: u32,
    palette: Option<Arc<[u32]>>,
}

impl Cells {
    /// How many entries there are.
    pub fn entries(&self) -> u64 {
        self.entries
    }

    /// How the section is cut.
    pub fn section(&self) -> &Section {
        &self.shared.header.sections[self.at]
    }

    /// What the entries stand for, if not for themselves.
    pub fn palette(&self) -> Option<&[u32]> {
        self.palette.as_deref()
    }

    /// The value of an entry: what it stands for if there is a palette, else itself.
    ///
    /// # Errors
    /// There is no such entry, or its block is damaged.
    #[inline]
    pub fn get(&self, index: u64) -> Result<u32, TableError> {
        if index >= self.entries {
            return Err(self.out_of_range(index));
        }
        let block = self.block(index >> self.block_bits)?;
        let within = (index & ((1 << self.block_bits) - 1)) as usize;
        let entry = match self.width {
            1 => u32::from(block[within]),
            2 => u32::from(u16::from_le_bytes([block[2 * within], block[2 * within + 1]])),
            _ => le_u32(&block[4 * within..4 * within + 4]),
        };
        match &self.palette {
            None => Ok(entry),
            Some(palette) => match palette.get(entry as usize) {
                Some(&value) => Ok(value),
                None => Err(self.not_in_palette(entry)),
            },
        }
    }

    /// The error for an entry that is in no palette.
    pub(crate) fn not_in_palette(&self, entry: u32) -> TableError {
        self.shared.not_in_palette(self.at, entry)
    }

    /// All entries as they are stored, little-endian, without looking at the palette.
    ///
    /// # Errors
    /// A block is damaged, or memory is too small.
    pub fn read_all(&self) -> Result<Vec<u8>, TableError> {
        self.shared.read_all(self.at)
    }

    /// Like [`read_all`](Cells::read_all), into memory of the caller.
    ///
    /// # Errors
    /// A block is damaged, or `out` has not exactly the length of all entries.
    pub fn read_into(&self, out: &mut [u8]) -> Result<(), TableError> {
        if self.shared.unpacked_len(self.at) != Some(out.len()) {
            return Err(self.shared.too_large(self.at));
        }
        self.shared.read_blocks(self.section(), 0, out)
    }

    /// Copies entries as they are stored, from number `first` on, until `out` is full.
    ///
    /// # Errors
    /// There are not so many entries, or a block is damaged.
    pub fn read_from(&self, first: u64, out: &mut [u8]) -> Result<(), TableError> {
        let (mut index, mut out) = (first, out);
        while !out.is_empty() {
            if index >= self.entries {
                return Err(self.out_of_range(index));
            }
            let block = self.block(index >> self.block_bits)?;
            let within = (index & ((1 << self.block_bits) - 1)) as usize * self.width;
            let length = out.len().min(block.len() - within);
            let (copied, rest) = out.split_at_mut(length);
            copied.copy_from_slice(&block[within..within + length]);
            index += (length / self.width) as u64;
            out = rest;
        }
        Ok(())
    }

    #[inline]
    fn block(&self, block: u64) -> Result<Arc<[u8]>, TableError> {
        let key = BlockKey { section: self.id, block };
        match self.shared.cache.get(key) {
            Some(unpacked) => Ok(unpacked),
            None => self.load(key),
        }
    }

    #[cold]
    fn load(&self, key: BlockKey) -> Result<Arc<[u8]>, TableError> {
        let section = self.section();
        let mut unpacked: Arc<[u8]> = vec![0; section.block_len(key.block)].into();
        if let Some(bytes) = Arc::get_mut(&mut unpacked) {
            self.shared.unpack(section, key.block, bytes)?;
        }
        self.shared.cache.insert(key, Arc::clone(&unpacked));
        Ok(unpacked)
    }

    #[cold]
    fn out_of_range(&self, index: u64) -> TableError {
        TableError::OutOfRange {
            path: self.shared.path.clone(),
            section: self.section().name.clone(),
            index,
            entries: self.entries,
        }
    }
}
