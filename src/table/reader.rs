//! Reads tables: everything is checked before it is believed.

use std::{
    cell::RefCell,
    collections::hash_map::Entry,
    io,
    ops::Deref,
    path::{Path, PathBuf},
    sync::{Arc, OnceLock},
};

use rustc_hash::FxHashMap;
use zstd::bulk::Decompressor;

use super::{
    blocks::{BlockIndex, IndexError},
    cache::{BlockCache, BlockKey, section_ids},
    checksum::checksum,
    digits::{DigitMap, MOST_COMBINATION_BYTES},
    error::TableError,
    header::{
        FORMAT_VERSION, Header, Kind, MAGIC, MAX_HEADER_LEN, PROLOGUE_LEN, Palette, Prologue,
        Section, Width, le_u32,
    },
    quarters,
    source::{ReadAt, Source},
    widen::widen,
};
use crate::parallel::{self, chunks};

/// Blocks unpacked between two looks at the memory a section claims to need.
const BLOCKS_AT_ONCE: u64 = 256;

/// An open table. Clones are cheap and share the file.
#[derive(Debug, Clone)]
pub struct Table {
    pub(super) shared: Arc<Shared>,
    /// The blocks of each section, if they are [held](Table::held).
    held: Option<Arc<[Held]>>,
}

/// The blocks of a section that stay in memory, each from when it was read.
type Held = Arc<[OnceLock<Arc<[u8]>>]>;

#[derive(Debug)]
pub(super) struct Shared {
    path: PathBuf,
    source: Source,
    header: Header,
    checksum: u32,
    /// The block index of each section.
    indexes: Vec<BlockIndex>,
    /// The palette of each section, once it was asked for.
    palettes: Vec<OnceLock<Arc<[u32]>>>,
    cache: BlockCache,
    /// The name of the first section's blocks in the cache; the others follow.
    first_id: u64,
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
    /// The file stays open while the table or anything taken from it lives. Renaming another file
    /// over it, as [`TableWriter`] does, changes nothing for this table. If somebody changes or
    /// cuts the open file itself, what has been read stays right, and reading what is no longer
    /// as it was is an error.
    ///
    /// [`TableWriter`]: super::TableWriter
    ///
    /// # Errors
    /// The file cannot be read, is no table, or is damaged.
    pub fn open_with(path: impl AsRef<Path>, cache: &BlockCache) -> Result<Table, TableError> {
        let path = path.as_ref();
        match Source::open(path) {
            Ok(Some(source)) => Table::parse(path.to_owned(), source, cache),
            Ok(None) if path.is_dir() => Err(TableError::Folder { path: path.to_owned() }),
            Ok(None) => Err(TableError::NotATable { path: path.to_owned() }),
            Err(source) => Err(TableError::Io { operation: "open", path: path.to_owned(), source }),
        }
    }

    /// A table from bytes in memory; `path` is its name in messages.
    ///
    /// # Errors
    /// The bytes are no table or damaged.
    pub fn from_bytes(path: impl Into<PathBuf>, bytes: Vec<u8>) -> Result<Table, TableError> {
        Table::parse(path.into(), Source::Memory(bytes), &BlockCache::default())
    }

    /// A table from bytes that somebody else holds; `path` is its name in messages.
    ///
    /// # Errors
    /// The bytes are no table or damaged, or some are not here yet: see
    /// [`TableError::is_awaited`].
    pub fn read_from(
        path: impl Into<PathBuf>,
        bytes: Box<dyn ReadAt>,
        cache: &BlockCache,
    ) -> Result<Table, TableError> {
        Table::parse(path.into(), Source::Elsewhere(bytes), cache)
    }

    fn parse(path: PathBuf, source: Source, cache: &BlockCache) -> Result<Table, TableError> {
        let (header, checksum) = read_header(&path, &source)?;
        let index = |section: &Section| {
            let place = || format!("block index of section `{}`", section.name);
            BlockIndex::read(&source, section).map_err(|error| match error {
                IndexError::Damaged(problem) => damaged(&path, place(), problem),
                IndexError::Io(error) => unreadable(&path, place, error),
            })
        };
        // All are read before one of them fails: bytes that are not here are wanted together, and
        // so are those that the first look at a cell takes.
        for blob in header.sections.iter().filter(|section| section.kind == Kind::Blob) {
            source.will_read(blob.offset..blob.offset.saturating_add(blob.length));
        }
        let indexes: Vec<_> = header.sections.iter().map(index).collect();
        let shared = Shared {
            indexes: indexes.into_iter().collect::<Result<_, _>>()?,
            first_id: section_ids(header.sections.len()),
            palettes: header.sections.iter().map(|_| OnceLock::new()).collect(),
            cache: cache.clone(),
            path,
            source,
            header,
            checksum,
        };
        Ok(Table { shared: Arc::new(shared), held: None })
    }

    /// The same table, with blocks that stay in memory once they have been read, if all of them
    /// take no more than so many bytes.
    ///
    /// Whoever reads each block thousands of times, as who looks at all positions does, need not
    /// look for it in the cache, which threads take turns at.
    #[must_use]
    pub fn held(self, most: u64) -> Table {
        let sections = &self.shared.header.sections;
        let bytes =
            |section: &Section| section.places().saturating_mul(section.width.bytes() as u64);
        if sections.iter().map(bytes).fold(0, u64::saturating_add) > most {
            return self;
        }
        let blocks = |section: &Section| (0..section.blocks()).map(|_| OnceLock::new()).collect();
        Table { held: Some(sections.iter().map(blocks).collect()), ..self }
    }

    /// Where the table was opened.
    pub fn path(&self) -> &Path {
        &self.shared.path
    }

    /// What the table is about and what it has.
    pub fn header(&self) -> &Header {
        &self.shared.header
    }

    /// The checksum of the header, which has that of each block index, which has that of each block:
    /// it tells a table from others of its name.
    pub fn checksum(&self) -> u32 {
        self.shared.checksum
    }

    /// The size of the file in bytes.
    pub fn file_len(&self) -> u64 {
        self.shared.source.len()
    }

    /// The cells of a section.
    ///
    /// # Errors
    /// There is no such section, there are several, or its palette is damaged.
    pub fn cells(&self, name: &str) -> Result<Cells, TableError> {
        let at = self.shared.find(name, Kind::Cells)?;
        let rest = &self.shared.header.sections[at + 1..];
        if rest.iter().any(|section| section.name == name) {
            let problem = "it comes in several stretches, which no solver writes";
            return Err(damaged(&self.shared.path, format!("section `{name}`"), problem));
        }
        self.cells_at(at)
    }

    /// How many cells all sections of a name have together.
    ///
    /// # Errors
    /// There is no such section.
    pub fn entries(&self, name: &str) -> Result<u64, TableError> {
        let first = self.shared.find(name, Kind::Cells)?;
        let sections = self.shared.header.sections[first..].iter();
        let namesakes = sections.filter(|section| section.name == name);
        // Entries that nothing in the file bears out may add up to anything.
        Ok(namesakes.fold(0, |all, section| section.entries.saturating_add(all)))
    }

    /// The cells of each section of a name, in file order.
    ///
    /// # Errors
    /// There is no such section, or a palette is damaged.
    pub(super) fn namesakes(&self, name: &str) -> Result<Vec<Cells>, TableError> {
        let first = self.shared.find(name, Kind::Cells)?;
        let sections = self.shared.header.sections.iter().enumerate().skip(first);
        let namesakes = sections.filter(|(_, section)| section.name == name);
        namesakes.map(|(at, _)| self.cells_at(at)).collect()
    }

    fn cells_at(&self, at: usize) -> Result<Cells, TableError> {
        let section = &self.shared.header.sections[at];
        Ok(Cells {
            palette: self.shared.palette(at)?,
            places: self.shared.places(at)?,
            id: self.shared.first_id + at as u64,
            entries: section.entries,
            width: section.width.bytes(),
            in_quarters: self.shared.in_quarters(at),
            block: section.block,
            at,
            shared: Arc::clone(&self.shared),
            held: self.held.as_ref().map(|held| Arc::clone(&held[at])),
        })
    }

    /// The bytes of a blob, of which at most `most` make sense: a longer one is refused before it
    /// is unpacked.
    ///
    /// # Errors
    /// There is no such blob, it is longer or damaged, or memory is too small for it.
    pub fn blob(&self, name: &str, most: u64) -> Result<Vec<u8>, TableError> {
        let at = self.shared.find(name, Kind::Blob)?;
        let bytes = self.shared.header.sections[at].entries;
        if bytes > most {
            let problem = format!("{bytes} bytes, of which at most {most} make sense");
            return Err(damaged(&self.shared.path, format!("section `{name}`"), problem));
        }
        self.shared.read_all(at)
    }

    /// Unpacks and checks every block of the file.
    ///
    /// # Errors
    /// The first damage found, if there is any.
    pub fn check(&self) -> Result<(), TableError> {
        for (at, section) in self.shared.header.sections.iter().enumerate() {
            // The values need not be unpacked, nor kept: those in a blob are checked as that.
            let palette = self.shared.header.palette_len(section);
            parallel::try_each(0..section.blocks(), 1, |_, block| {
                with_room(section.block_len(block), |unpacked| {
                    self.shared.unpack(at, block, unpacked)?;
                    let Some(values) = palette else {
                        return Ok(());
                    };
                    let mut entries = unpacked.chunks_exact(section.width.bytes()).map(le_u32);
                    match entries.find(|&entry| u64::from(entry) >= values) {
                        Some(entry) => Err(self.shared.not_in_palette(at, entry)),
                        None => Ok(()),
                    }
                })
            })?;
        }
        Ok(())
    }
}

fn damaged(path: &Path, place: String, problem: impl Into<String>) -> TableError {
    TableError::Damaged { path: path.to_owned(), place, problem: problem.into() }
}

/// What it means that a part of an open file cannot be read.
fn unreadable(path: &Path, place: impl FnOnce() -> String, error: io::Error) -> TableError {
    match error.kind() {
        io::ErrorKind::UnexpectedEof => {
            damaged(path, place(), "the file ends before it, though it was longer when opened")
        }
        _ => TableError::Io { operation: "read", path: path.to_owned(), source: error },
    }
}

/// The header of a file, and its checksum.
fn read_header(path: &Path, source: &Source) -> Result<(Header, u32), TableError> {
    let length =
        |expected| TableError::Length { path: path.to_owned(), found: source.len(), expected };
    let damaged = |place: &str, problem: String| damaged(path, place.to_owned(), problem);
    let mut buffer = Vec::new();
    let front = source
        .read(0..source.len().min(PROLOGUE_LEN as u64), &mut buffer)
        .map_err(|error| unreadable(path, || "prologue".to_owned(), error))?;
    let magic = &front[..front.len().min(MAGIC.len())];
    if !MAGIC.starts_with(magic) {
        return Err(TableError::NotATable { path: path.to_owned() });
    }
    let Some(prologue) = front.first_chunk::<PROLOGUE_LEN>() else {
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
    let end = prologue.header_offset.saturating_add(prologue.header_len);
    if end != source.len() {
        return Err(length(end));
    }
    if prologue.header_offset < PROLOGUE_LEN as u64 || prologue.header_len > MAX_HEADER_LEN {
        let problem = format!(
            "a header of {} bytes at {} cannot be",
            prologue.header_len, prologue.header_offset
        );
        return Err(damaged("prologue", problem));
    }
    let json = source
        .read(prologue.header_offset..end, &mut buffer)
        .map_err(|error| unreadable(path, || "header".to_owned(), error))?;
    if prologue.checksum(json) != prologue.crc {
        return Err(damaged("header", "checksum does not match".to_owned()));
    }
    let header: Header = serde_json::from_slice(json)
        .map_err(|error| damaged("header", format!("it cannot be read, {error}")))?;
    match header.defect(prologue.header_offset) {
        Some((place, problem)) => Err(damaged(&place, problem)),
        None => Ok((header, prologue.crc)),
    }
}

impl Shared {
    fn not_in_palette(&self, at: usize, entry: u32) -> TableError {
        let place = format!("section `{}`", self.header.sections[at].name);
        damaged(&self.path, place, format!("entry {entry} is not in the palette"))
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

    /// Checks a block and hands it over as it is packed.
    pub(super) fn packed<T>(
        &self,
        at: usize,
        block: u64,
        buffer: &mut Vec<u8>,
        take: impl FnOnce(&[u8]) -> T,
    ) -> Result<T, TableError> {
        let section = &self.header.sections[at];
        let place = || format!("block {block} of section `{}`", section.name);
        let damaged = |problem: &str| damaged(&self.path, place(), problem);
        let (range, crc) =
            self.indexes[at].block(block).ok_or_else(|| damaged("it is not in the index"))?;
        // The index has been checked: the block lies in the section, and that in the file.
        let range = section.offset + range.start..section.offset + range.end;
        let packed = self.source.read(range, buffer);
        let packed = packed.map_err(|error| unreadable(&self.path, place, error))?;
        if checksum(packed) != crc {
            return Err(damaged("checksum does not match"));
        }
        Ok(take(packed))
    }

    /// Checks a block and unpacks it into `out`, which must have the block's length.
    fn unpack(&self, at: usize, block: u64, out: &mut [u8]) -> Result<(), TableError> {
        let section = &self.header.sections[at];
        let place = || format!("block {block} of section `{}`", section.name);
        let damaged = |problem: &str| damaged(&self.path, place(), problem);
        let unpacked = with_unpacker(|Unpacker { zstd, buffer }| {
            let unpacked = |packed: &[u8]| zstd.decompress_to_buffer(packed, out);
            self.packed(at, block, buffer, unpacked)?
                .map_err(|error| damaged(&format!("it cannot be unpacked, {error}")))
        });
        let unpacked = unpacked.map_err(|error| unreadable(&self.path, place, error))??;
        if unpacked == out.len() {
            return Ok(());
        }
        if section.width == Width::One {
            return Err(damaged(&format!("{unpacked} bytes unpacked instead of {}", out.len())));
        }
        let narrow = out[..unpacked].to_vec();
        widen(&narrow, section.width, out).map_err(damaged)
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
            self.read_blocks(at, first, &mut out[before..])?;
        }
        Ok(out)
    }

    fn read_blocks(&self, at: usize, first: u64, out: &mut [u8]) -> Result<(), TableError> {
        let section = &self.header.sections[at];
        let blocks = chunks(out, section.block as usize * section.width.bytes());
        parallel::try_each(blocks, 1, |block, out| self.unpack(at, first + block as u64, out))
    }

    fn unpacked_len(&self, at: usize) -> Option<usize> {
        let section = &self.header.sections[at];
        let places = usize::try_from(section.places()).ok()?;
        places.checked_mul(section.width.bytes())
    }

    fn too_large(&self, at: usize) -> TableError {
        let section = &self.header.sections[at];
        TableError::Memory {
            path: self.path.clone(),
            section: section.name.clone(),
            bytes: section.places().saturating_mul(section.width.bytes() as u64),
        }
    }

    /// Whether the blocks of a section stay in memory as [`quarters`] of their size.
    fn in_quarters(&self, at: usize) -> bool {
        let section = &self.header.sections[at];
        let values = self.header.palette_len(section);
        section.width == Width::One
            && values.is_some_and(|values| values <= quarters::VALUES as u64)
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

impl Shared {
    /// Where the entries of a section lie, if not in the order of their numbers.
    fn places(&self, at: usize) -> Result<Option<Arc<DigitMap>>, TableError> {
        let Some(digits) = &self.header.sections[at].digits else { return Ok(None) };
        let wrong = |name: &str| {
            let problem = "its bits are not the combinations that are counted";
            damaged(&self.path, format!("section `{name}`"), problem)
        };
        let blob = |name: &str| {
            let at = self.find(name, Kind::Blob)?;
            match self.header.sections[at].entries {
                0..=MOST_COMBINATION_BYTES => self.read_all(at),
                _ => Err(wrong(name)),
            }
        };
        digits.map(blob, wrong).map(|map| Some(Arc::new(map)))
    }
}

/// What a thread needs to unpack blocks. Each keeps one, for it is larger than a block.
struct Unpacker {
    zstd: Decompressor<'static>,
    /// For packed bytes.
    buffer: Vec<u8>,
}

fn with_unpacker<T>(work: impl FnOnce(&mut Unpacker) -> T) -> io::Result<T> {
    thread_local! {
        static UNPACKER: RefCell<Option<Unpacker>> = const { RefCell::new(None) };
    }
    UNPACKER.with_borrow_mut(|slot| {
        let unpacker = match slot {
            Some(unpacker) => unpacker,
            None => slot.insert(Unpacker { zstd: Decompressor::new()?, buffer: Vec::new() }),
        };
        Ok(work(unpacker))
    })
}

/// Hands over so many bytes of any content, which stay with the thread: new ones would be a page
/// fault for each page of a block, which takes longer than to unpack what packs well.
fn with_room<T>(bytes: usize, work: impl FnOnce(&mut [u8]) -> T) -> T {
    thread_local! {
        static ROOM: RefCell<Vec<u8>> = const { RefCell::new(Vec::new()) };
    }
    ROOM.with_borrow_mut(|room| {
        if room.len() < bytes {
            room.resize(bytes, 0);
        }
        work(&mut room[..bytes])
    })
}

/// An unpacked block.
enum Block<'a> {
    /// One that stays in memory.
    Held(&'a [u8]),
    /// One that the cache may forget.
    Shared(Arc<[u8]>),
}

impl Deref for Block<'_> {
    type Target = [u8];

    #[inline]
    fn deref(&self) -> &[u8] {
        match self {
            Block::Held(bytes) => bytes,
            Block::Shared(bytes) => bytes,
        }
    }
}

/// The cells of a section. Clones are cheap; all methods may be called from many threads.
#[derive(Debug, Clone)]
pub struct Cells {
    shared: Arc<Shared>,
    held: Option<Held>,
    at: usize,
    id: u64,
    entries: u64,
    width: usize,
    /// Whether its blocks are in [`quarters`].
    in_quarters: bool,
    block: u64,
    palette: Option<Arc<[u32]>>,
    /// Where entries lie, if not in the order of their numbers.
    places: Option<Arc<DigitMap>>,
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
        let place = self.place(index);
        let block = self.block(place / self.block)?;
        let entry = self.entry(&block, (place % self.block) as usize);
        match &self.palette {
            None => Ok(entry),
            Some(palette) => match palette.get(entry as usize) {
                Some(&value) => Ok(value),
                None => Err(self.not_in_palette(entry)),
            },
        }
    }

    /// An entry of an unpacked block.
    #[inline]
    fn entry(&self, block: &[u8], at: usize) -> u32 {
        match self.width {
            1 if self.in_quarters => u32::from(quarters::entry(block, at)),
            1 => u32::from(block[at]),
            2 => u32::from(u16::from_le_bytes([block[2 * at], block[2 * at + 1]])),
            _ => le_u32(&block[4 * at..4 * at + 4]),
        }
    }

    /// Where an entry lies.
    #[inline]
    fn place(&self, index: u64) -> u64 {
        match &self.places {
            None => index,
            Some(places) => places.place(index),
        }
    }

    /// The error for an entry that is in no palette.
    pub(crate) fn not_in_palette(&self, entry: u32) -> TableError {
        self.shared.not_in_palette(self.at, entry)
    }

    /// All entries in the order of their numbers, little-endian, without looking at the palette.
    ///
    /// # Errors
    /// A block is damaged, or memory is too small.
    pub fn read_all(&self) -> Result<Vec<u8>, TableError> {
        let stored = self.shared.read_all(self.at)?;
        if self.places.is_none() {
            return Ok(stored);
        }
        let mut entries = Vec::new();
        entries.try_reserve_exact(stored.len()).map_err(|_| self.shared.too_large(self.at))?;
        for index in 0..self.entries {
            let at = self.place(index) as usize * self.width;
            entries.extend_from_slice(&stored[at..at + self.width]);
        }
        Ok(entries)
    }

    /// Copies entries, little-endian and without looking at the palette, from number `first` on,
    /// until `out` is full.
    ///
    /// # Errors
    /// There are not so many entries, or a block is damaged.
    pub fn read_from(&self, first: u64, out: &mut [u8]) -> Result<(), TableError> {
        if self.places.is_some() {
            return self.gather(first, out);
        }
        let (mut index, mut out) = (first, out);
        while !out.is_empty() {
            if index >= self.entries {
                return Err(self.out_of_range(index));
            }
            let block = self.block(index / self.block)?;
            let within = index % self.block;
            let left = (self.block - within).min(self.entries - index) as usize * self.width;
            let (copied, rest) = out.split_at_mut(out.len().min(left));
            let (within, length) = (within as usize, copied.len());
            match self.in_quarters {
                true => quarters::apart(&block, within, copied),
                false => copied.copy_from_slice(&block[within * self.width..][..length]),
            }
            index += (length / self.width) as u64;
            out = rest;
        }
        Ok(())
    }

    /// Does what [`read_from`](Cells::read_from) does where entries that follow each other do not
    /// lie side by side.
    fn gather(&self, first: u64, out: &mut [u8]) -> Result<(), TableError> {
        // Entries of neighbouring numbers lie in few blocks.
        let mut blocks: FxHashMap<u64, Block<'_>> = FxHashMap::default();
        for (index, out) in (first..).zip(out.chunks_exact_mut(self.width)) {
            if index >= self.entries {
                return Err(self.out_of_range(index));
            }
            let place = self.place(index);
            let block = match blocks.entry(place / self.block) {
                Entry::Occupied(block) => block.into_mut(),
                Entry::Vacant(slot) => slot.insert(self.block(place / self.block)?),
            };
            let entry = self.entry(block, (place % self.block) as usize);
            out.copy_from_slice(&entry.to_le_bytes()[..self.width]);
        }
        Ok(())
    }

    #[inline]
    fn block(&self, block: u64) -> Result<Block<'_>, TableError> {
        let Some(held) = &self.held else {
            return self.cached(block).map(Block::Shared);
        };
        let slot = &held[block as usize];
        match slot.get() {
            Some(bytes) => Ok(Block::Held(bytes)),
            None => {
                let bytes = self.cached(block)?;
                Ok(Block::Held(slot.get_or_init(|| bytes)))
            }
        }
    }

    fn cached(&self, block: u64) -> Result<Arc<[u8]>, TableError> {
        let key = BlockKey { section: self.id, block };
        match self.shared.cache.get(key) {
            Some(unpacked) => Ok(unpacked),
            None => self.load(key),
        }
    }

    #[cold]
    fn load(&self, key: BlockKey) -> Result<Arc<[u8]>, TableError> {
        let len = self.section().block_len(key.block);
        let unpacked = with_room(quarters::whole(len), |room| {
            let (entries, behind) = room.split_at_mut(len);
            self.shared.unpack(self.at, key.block, entries)?;
            behind.fill(0);
            match self.in_quarters {
                true => quarters::together(room).ok_or_else(|| self.too_high(&room[..len])),
                false => Ok(Arc::from(&room[..len])),
            }
        })?;
        self.shared.cache.insert(key, Arc::clone(&unpacked));
        Ok(unpacked)
    }

    /// The error for entries of which some are in no palette.
    #[cold]
    fn too_high(&self, entries: &[u8]) -> TableError {
        self.not_in_palette(entries.iter().copied().max().unwrap_or(0).into())
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
