//! Writes tables: complete or not at all.

use std::{
    ffi::OsStr,
    fs,
    io::{self, BufWriter, Read, Seek, SeekFrom, Write},
    ops::Range,
    path::{Path, PathBuf},
};

use serde_json::{Map, Value};
use tempfile::{NamedTempFile, PersistError};

use super::{
    checksum::checksum,
    digits::{Combinations, Digit, DigitOrder},
    dont_care::DontCareRanges,
    error::TableError,
    header::{
        Description, FORMAT_VERSION, Header, Kind, MAX_BLOCK_LEN, MAX_HEADER_LEN,
        MAX_PALETTE_IN_HEADER, PROLOGUE_LEN, Palette, Prologue, Section, Width, le_u32,
        max_palette_len,
    },
    leftover,
    packer::{Packer, Unpackable},
};
use crate::parallel;

/// Packed blocks held in memory at a time, for each thread.
const BLOCKS_A_THREAD: u64 = 16;

/// Blocks that are packed to find out how a section packs.
const TRIED_BLOCKS: u64 = 6;

/// The most effort of that: below the one that zstd needs most time for.
const TRIAL_LEVEL: i32 = 17;

/// Bytes of two files that are compared at a time.
const COMPARED: usize = 1 << 16;

/// The minor number of the format this program writes. Files of any can be read: what a higher one
/// adds can be skipped.
const MINOR_VERSION: u16 = 0;

/// Whether the file at a path has the bytes of another.
pub(super) fn is_like(path: &Path, other: &mut fs::File) -> io::Result<bool> {
    let mut file = fs::File::open(path)?;
    if file.metadata()?.len() != other.metadata()?.len() {
        return Ok(false);
    }
    other.rewind()?;
    let [mut piece, mut expected] = [[0; COMPARED]; 2];
    loop {
        let length = file.read(&mut piece)?;
        if length == 0 {
            return Ok(true);
        }
        other.read_exact(&mut expected[..length])?;
        if piece[..length] != expected[..length] {
            return Ok(false);
        }
    }
}

impl Prologue {
    /// The prologue of a file whose header lies at `header_offset`.
    pub(super) fn new(header_offset: u64, header: &[u8]) -> Prologue {
        let mut prologue = Prologue {
            version: FORMAT_VERSION,
            minor: MINOR_VERSION,
            crc: 0,
            header_offset,
            header_len: header.len() as u64,
        };
        prologue.crc = prologue.checksum(header);
        prologue
    }
}

/// How a table is packed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct WriterOptions {
    /// The effort of zstd, 1 to 22.
    pub level: i32,
    /// The size of a block of cells in bytes, unpacked; rounded down to a power of two and kept
    /// between 4 bytes and 1 MiB. Small blocks answer cold probes sooner, large ones pack better.
    pub block_len: u32,
}

impl Default for WriterOptions {
    fn default() -> WriterOptions {
        WriterOptions { level: 17, block_len: 512 << 10 }
    }
}

/// A section of cells to be written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CellSpec {
    name: String,
    entries: u64,
    width: Width,
    palette: Option<Vec<u32>>,
    /// Entries that blocks keep together; see [`in_slices`](CellSpec::in_slices).
    slice: Option<u64>,
    /// Where they lie, if not in the order of their numbers.
    digits: Option<(Vec<Digit>, DigitOrder)>,
    /// See [`varied`](CellSpec::varied).
    varied: bool,
}

impl CellSpec {
    /// A section of so many entries that stand for themselves.
    pub fn new(name: impl Into<String>, entries: u64, width: Width) -> CellSpec {
        let name = name.into();
        CellSpec { name, entries, width, palette: None, slice: None, digits: None, varied: false }
    }

    /// The same with a palette: entry `n` stands for the `n`th value, and readers get that.
    pub fn with_palette(self, values: Vec<u32>) -> CellSpec {
        CellSpec { palette: Some(values), ..self }
    }

    /// The same, cut so that no block crosses from one slice of so many entries to the next,
    /// unless it holds several whole ones.
    pub fn in_slices(self, entries: u64) -> CellSpec {
        CellSpec { slice: Some(entries).filter(|&entries| entries > 0), ..self }
    }

    /// The same with entries that lie where a [`DigitMap`](super::DigitMap) of the same digits and
    /// order says. What writes them is asked for places instead of numbers.
    pub fn in_order(self, digits: Vec<Digit>, order: &[usize]) -> CellSpec {
        let header = DigitOrder::new(&digits, order);
        CellSpec { digits: Some((digits, header)), ..self }
    }

    /// How many places they take.
    fn places(&self) -> u64 {
        match &self.digits {
            None => self.entries,
            Some((_, order)) => order.places(self.entries),
        }
    }

    /// The same, packed as entries of which nearly all must be what they are, and which are of many
    /// kinds.
    pub fn varied(self) -> CellSpec {
        CellSpec { varied: true, ..self }
    }

    /// How many entries make a block of at most `len` bytes.
    fn block(&self, len: u32) -> u64 {
        let most = (1 << len.ilog2()) / self.width.bytes() as u64;
        match self.slice {
            None => most,
            Some(slice) if slice <= most => most / slice * slice,
            Some(slice) => {
                let pieces = (slice.div_ceil(most)..=slice).find(|pieces| slice % pieces == 0);
                slice / pieces.expect("a slice has pieces of one entry")
            }
        }
    }
}

/// A table in the making. Unless [`finish`](TableWriter::finish) is called, no file is left.
///
/// Any number of processes may write the same table: each writes a file of its own, and the last
/// to finish gives the table its content.
///
/// ```
/// use finale::table::{CellSpec, Description, Table, TableWriter, Width, WriterOptions};
///
/// # fn main() -> Result<(), finale::table::TableError> {
/// # let dir = tempfile::tempdir().unwrap();
/// let path = dir.path().join("KvK.ftb");
/// let description = Description::new("orthodox", "KvK", "distance");
/// let mut writer = TableWriter::create(&path, description, WriterOptions::default())?;
/// writer.cells(CellSpec::new("white", 4096, Width::One), |entries, bytes| {
///     for (entry, byte) in entries.zip(bytes) {
///         *byte = (entry % 7) as u8;
///     }
/// })?;
/// writer.finish()?;
///
/// let table = Table::open(&path)?;
/// assert_eq!(table.cells("white")?.get(8)?, 1);
/// # Ok(())
/// # }
/// ```
#[derive(Debug)]
pub struct TableWriter {
    path: PathBuf,
    directory: PathBuf,
    file: BufWriter<NamedTempFile>,
    /// Held as long as the file has its temporary name.
    living: leftover::Living,
    /// Bytes written so far.
    pub(super) offset: u64,
    pub(super) header: Header,
    options: WriterOptions,
}

impl TableWriter {
    /// What the tables say of the program that wrote them.
    pub const PRODUCER: &str = concat!("finale ", env!("CARGO_PKG_VERSION"));

    /// Begins a table that will appear as `path`. Makes its directory if there is none, and
    /// removes the temporary files that killed builds of the same table left in it.
    ///
    /// # Errors
    /// The directory or a file in it cannot be made.
    pub fn create(
        path: impl Into<PathBuf>,
        description: Description,
        options: WriterOptions,
    ) -> Result<TableWriter, TableError> {
        let path = path.into();
        let io = |operation, path: &Path| {
            let path = path.to_owned();
            move |source| TableError::Io { operation, path, source }
        };
        let Some(name) = path.file_name().map(OsStr::to_owned) else {
            let error = io::Error::new(io::ErrorKind::InvalidInput, "it does not name a file");
            return Err(io("create", &path)(error));
        };
        let directory = match path.parent() {
            Some(parent) if parent != Path::new("") => parent.to_owned(),
            _ => PathBuf::from("."),
        };
        fs::create_dir_all(&directory).map_err(io("create directory", &directory))?;
        leftover::remove_leftovers_of(&directory, &name);
        let (file, living) = leftover::create(&directory, &name)
            .map_err(io("create a file in directory", &directory))?;
        let mut writer = TableWriter {
            path,
            directory,
            file: BufWriter::with_capacity(1 << 18, file),
            living,
            offset: 0,
            header: Header {
                game: description.game,
                schema: description.schema,
                options: description.options,
                material: description.material,
                contents: description.contents,
                side: description.side,
                producer: TableWriter::PRODUCER.to_owned(),
                meta: description.meta,
                sections: Vec::new(),
                others: Map::new(),
            },
            options,
        };
        // The true prologue is written last, when it is known where the header lies.
        writer.write(&[0; PROLOGUE_LEN])?;
        Ok(writer)
    }

    /// What the writer wants to find again; may be changed until the table is finished.
    pub fn meta(&mut self) -> &mut Map<String, Value> {
        &mut self.header.meta
    }

    /// Writes a section of cells. `fill` gets a range of entries and as many zeroed bytes as they
    /// take, and writes them little-endian; it is called from many threads, once for each block.
    ///
    /// # Errors
    /// The section has the name of an earlier one, an entry is not in its palette, the palette is
    /// longer than 2²⁴ values or than what entries of this width and number can name, or the file
    /// cannot be written.
    pub fn cells(
        &mut self,
        spec: CellSpec,
        fill: impl Fn(Range<u64>, &mut [u8]) + Sync,
    ) -> Result<(), TableError> {
        let (section, limit) = self.begin(spec)?;
        let width = section.width;
        self.section(section, |entries, len, packer| {
            let mut bytes = vec![0; len];
            fill(entries, &mut bytes);
            if let Some(limit) = limit {
                let mut entries = bytes.chunks_exact(width.bytes()).map(le_u32);
                if let Some(entry) = entries.find(|&entry| entry as usize >= limit) {
                    return Err(Unpackable::Entry(entry));
                }
            }
            Ok(packer.pack(width, &bytes)?)
        })
    }

    /// Writes a section of cells whose entries have don't-care ranges. `fill` gets a range of
    /// entries, and says of one after the other what it may be; it is called as that of
    /// [`cells`](TableWriter::cells).
    ///
    /// # Errors
    /// As [`cells`](TableWriter::cells).
    ///
    /// # Panics
    /// If `fill` speaks of more or fewer entries than it was asked for.
    pub fn choices(
        &mut self,
        spec: CellSpec,
        fill: impl Fn(Range<u64>, &mut DontCareRanges) + Sync,
    ) -> Result<(), TableError> {
        let varied = spec.varied;
        let (section, limit) = self.begin(spec)?;
        let width = section.width;
        self.section(section, |entries, len, packer| {
            let mut ranges = DontCareRanges::new(width, len / width.bytes());
            fill(entries, &mut ranges);
            assert_eq!(ranges.bounds()[0].len(), len, "each entry is spoken of once");
            let (packed, most) = packer.choose_and_pack(&ranges, varied)?;
            match limit {
                Some(limit) if most as usize >= limit => Err(Unpackable::Entry(most)),
                _ => Ok(packed),
            }
        })
    }

    /// About how many bytes [`choices`](TableWriter::choices) would write for a section, from
    /// packing some of its blocks; exactly, but for the block index, if it has few.
    ///
    /// # Errors
    /// If memory is lacking.
    pub fn trial(
        &self,
        spec: &CellSpec,
        fill: impl Fn(Range<u64>, &mut DontCareRanges) + Sync,
    ) -> Result<u64, TableError> {
        let (block, places) = (spec.block(self.block_len()), spec.places());
        let blocks = places.div_ceil(block);
        let tried = blocks.min(TRIED_BLOCKS);
        let packed = parallel::try_map(0..tried, 1, |_, number| {
            let first = number * blocks / tried * block;
            let tried = first..places.min(first + block);
            let mut ranges = DontCareRanges::new(spec.width, (tried.end - tried.start) as usize);
            fill(tried, &mut ranges);
            let level = self.options.level.min(TRIAL_LEVEL);
            let mut packer = Packer::new(level).map_err(self.io("pack"))?;
            let packed = packer.choose_and_pack(&ranges, spec.varied);
            let (packed, _) = packed.map_err(self.io("pack"))?;
            Ok::<_, TableError>(packed.len() as u64)
        })?;
        Ok(packed.iter().sum::<u64>() * blocks / tried.max(1))
    }

    /// How many bytes a block has at most, unpacked.
    fn block_len(&self) -> u32 {
        self.options.block_len.clamp(4, MAX_BLOCK_LEN as u32)
    }

    /// How many bytes have been written so far.
    pub fn written(&self) -> u64 {
        self.offset
    }

    /// Begins a section of cells. Returns how many values its palette has, too.
    fn begin(&mut self, spec: CellSpec) -> Result<(Section, Option<usize>), TableError> {
        let block = spec.block(self.block_len());
        let CellSpec { name, entries, width, palette, digits, .. } = spec;
        // Cells of a name that is there are a further stretch of them.
        if !self.header.sections.iter().any(|s| s.name == name && s.kind == Kind::Cells) {
            self.check_name(&name)?;
        }
        let digits = match digits {
            None => None,
            Some((_, order)) if order.defect(entries).is_some() => {
                return Err(self.unwritable(&name, order.defect(entries).unwrap_or_default()));
            }
            Some((digits, order)) => {
                for Combinations { name, bits } in digits.iter().filter_map(Digit::counted) {
                    // Sections may share them.
                    if self.header.section(name, Kind::Blob).is_none() {
                        self.blob(name, bits)?;
                    }
                }
                Some(order)
            }
        };
        let limit = palette.as_ref().map(Vec::len);
        let most = max_palette_len(entries, width);
        let palette = match palette {
            None => None,
            Some(values) if values.len() as u64 > most => {
                let problem = format!("its palette has at most {most} values");
                return Err(self.unwritable(&name, problem));
            }
            Some(values) if values.len() <= MAX_PALETTE_IN_HEADER => Some(Palette::Values(values)),
            Some(values) => {
                let blob = self.free_name(&format!("{name} palette"));
                let bytes: Vec<u8> = values.iter().flat_map(|value| value.to_le_bytes()).collect();
                self.blob(&blob, &bytes)?;
                Some(Palette::Blob(blob))
            }
        };
        let section = Section {
            name,
            kind: Kind::Cells,
            entries,
            width,
            block,
            offset: self.offset,
            length: 0,
            index_crc: 0,
            palette,
            digits,
            others: Map::new(),
        };
        Ok((section, limit))
    }

    /// Writes a string of bytes.
    ///
    /// # Errors
    /// The section has the name of an earlier one, or the file cannot be written.
    pub fn blob(&mut self, name: &str, content: &[u8]) -> Result<(), TableError> {
        self.check_name(name)?;
        let section = Section {
            name: name.to_owned(),
            kind: Kind::Blob,
            entries: content.len() as u64,
            width: Width::One,
            block: MAX_BLOCK_LEN,
            offset: self.offset,
            length: 0,
            index_crc: 0,
            palette: None,
            digits: None,
            others: Map::new(),
        };
        self.section(section, |entries, _, packer| {
            let bytes = &content[entries.start as usize..entries.end as usize];
            Ok(packer.pack(Width::One, bytes)?)
        })
    }

    /// Completes the file, makes sure that it is on the disk, and gives it its name. Returns its
    /// size in bytes.
    ///
    /// # Errors
    /// The file cannot be written or renamed.
    pub fn finish(mut self) -> Result<u64, TableError> {
        let json = serde_json::to_vec(&self.header)
            .map_err(|error| self.io("write the header of")(error.into()))?;
        if json.len() as u64 > MAX_HEADER_LEN {
            let problem = format!("the header has {} of {MAX_HEADER_LEN} bytes", json.len());
            return Err(self.unwritable("header", problem));
        }
        let prologue = Prologue::new(self.offset, &json);
        self.write(&json)?;
        let to_front = self.file.seek(SeekFrom::Start(0));
        to_front.map_err(self.io("write to"))?;
        let written = self.file.write_all(&prologue.to_bytes());
        written.and_then(|()| self.file.flush()).map_err(self.io("write to"))?;
        let synced = self.file.get_ref().as_file().sync_all();
        synced.map_err(self.io("write to"))?;
        let size = self.offset;
        let failed = self.io("rename the finished file to");
        let sync = self.io("make sure of the name of");
        let file = self.file.into_inner().map_err(|error| failed(error.into_error()))?;
        if let Err(PersistError { error: source, mut file }) = file.persist(&self.path) {
            // Windows replaces no file that somebody reads: one like this need not be replaced.
            if !is_like(&self.path, file.as_file_mut()).unwrap_or(false) {
                let operation = "rename the finished file to";
                return Err(TableError::Io { operation, path: self.path.clone(), source });
            }
        }
        drop(self.living);
        // Elsewhere a directory cannot be opened like a file.
        if cfg!(unix) {
            let synced = fs::File::open(&self.directory).and_then(|dir| dir.sync_all());
            synced.map_err(sync)?;
        }
        Ok(size)
    }

    /// Writes a section; `pack` packs a range of entries, which are so many bytes.
    fn section(
        &mut self,
        mut section: Section,
        pack: impl Fn(Range<u64>, usize, &mut Packer) -> Result<Vec<u8>, Unpackable> + Sync,
    ) -> Result<(), TableError> {
        let level = self.options.level;
        let batch = BLOCKS_A_THREAD * rayon::current_num_threads() as u64;
        let mut index = Vec::new();
        let mut end = 0_u64;
        let mut next = 0;
        while next < section.blocks() {
            let blocks = next..section.blocks().min(next + batch);
            next = blocks.end;
            let packed = parallel::gather(blocks, 1, &|_, blocks| {
                let mut packer = Packer::new(level).map_err(self.io("pack"))?;
                let packed = blocks.map(|block| {
                    let first = block * section.block;
                    let last = section.places().min(first.saturating_add(section.block));
                    let packed = pack(first..last, section.block_len(block), &mut packer);
                    let packed = packed.map_err(|reason| match reason {
                        Unpackable::Io(error) => self.io("pack")(error),
                        Unpackable::Entry(entry) => {
                            let problem = format!("entry {entry} is not in the palette");
                            self.unwritable(&section.name, problem)
                        }
                    })?;
                    let crc = checksum(&packed);
                    Ok((packed, crc))
                });
                packed.collect::<Result<Vec<_>, TableError>>()
            });
            let packed = packed.into_iter().collect::<Result<Vec<_>, TableError>>()?;
            for (packed, crc) in packed.into_iter().flatten() {
                end += packed.len() as u64;
                index.extend(end.to_le_bytes());
                index.extend(crc.to_le_bytes());
                self.write(&packed)?;
            }
        }
        self.write(&index)?;
        section.length = end + index.len() as u64;
        section.index_crc = checksum(&index);
        self.header.sections.push(section);
        Ok(())
    }

    pub(super) fn write(&mut self, bytes: &[u8]) -> Result<(), TableError> {
        self.file.write_all(bytes).map_err(self.io("write to"))?;
        self.offset += bytes.len() as u64;
        Ok(())
    }

    pub(super) fn check_name(&self, name: &str) -> Result<(), TableError> {
        match self.header.sections.iter().any(|section| section.name == name) {
            true => Err(self.unwritable(name, "there is one of this name already".to_owned())),
            false => Ok(()),
        }
    }

    fn io(&self, operation: &'static str) -> impl FnOnce(io::Error) -> TableError + use<> {
        let path = self.path.clone();
        move |source| TableError::Io { operation, path, source }
    }

    fn unwritable(&self, section: &str, problem: String) -> TableError {
        TableError::Unwritable { path: self.path.clone(), section: section.to_owned(), problem }
    }
}
