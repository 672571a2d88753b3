//! Reads tables: everything is checked before it is believed.

use std::{
    path::{Path, PathBuf},
    sync::{Arc, OnceLock},
};

use super::{
    blocks::{BlockIndex, IndexError},
    cache::{BlockCache, section_ids},
    cells::{Cells, Held},
    error::TableError,
    header::{
        FORMAT_VERSION, Header, Kind, MAGIC, MAX_HEADER_LEN, PROLOGUE_LEN, Prologue, Section,
        le_u32,
    },
    shared::{Shared, damaged, unreadable, with_room},
    source::{ReadAt, Source},
};
use crate::parallel;

/// An open table. Clones are cheap and share the file.
#[derive(Debug, Clone)]
pub struct Table {
    pub(super) shared: Arc<Shared>,
    /// The blocks of each section, if they are [held](Table::held).
    held: Option<Arc<[Held]>>,
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
        let held = self.held.as_ref().map(|held| Arc::clone(&held[at]));
        Cells::new(&self.shared, at, held)
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
