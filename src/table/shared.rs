//! An open file: how its sections are found, checked and unpacked.

use std::{
    cell::RefCell,
    io,
    path::{Path, PathBuf},
    sync::{Arc, OnceLock},
};

use zstd::bulk::Decompressor;

use super::{
    blocks::BlockIndex,
    cache::BlockCache,
    checksum::checksum,
    digits::{DigitMap, MOST_COMBINATION_BYTES},
    error::TableError,
    header::{Header, Kind, Palette, Width, le_u32},
    quarters,
    source::Source,
    widen::widen,
};
use crate::parallel::{self, chunks};

/// Blocks unpacked between two looks at the memory a section claims to need.
const BLOCKS_AT_ONCE: u64 = 256;

/// An open file, as its table and all that is taken from it share it.
#[derive(Debug)]
pub(super) struct Shared {
    pub path: PathBuf,
    pub source: Source,
    pub header: Header,
    pub checksum: u32,
    /// The block index of each section.
    pub indexes: Vec<BlockIndex>,
    /// The palette of each section, once it was asked for.
    pub palettes: Vec<OnceLock<Arc<[u32]>>>,
    pub cache: BlockCache,
    /// The name of the first section's blocks in the cache; the others follow.
    pub first_id: u64,
}

impl Shared {
    /// The error for an entry of a section that is not in its palette.
    pub(super) fn not_in_palette(&self, at: usize, entry: u32) -> TableError {
        let place = format!("section `{}`", self.header.sections[at].name);
        damaged(&self.path, place, format!("entry {entry} is not in the palette"))
    }

    /// The place of the section of a name.
    pub(super) fn find(&self, name: &str, kind: Kind) -> Result<usize, TableError> {
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
    pub(super) fn unpack(&self, at: usize, block: u64, out: &mut [u8]) -> Result<(), TableError> {
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
    pub(super) fn read_all(&self, at: usize) -> Result<Vec<u8>, TableError> {
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

    /// The error for a section that memory is too small for.
    pub(super) fn too_large(&self, at: usize) -> TableError {
        let section = &self.header.sections[at];
        TableError::Memory {
            path: self.path.clone(),
            section: section.name.clone(),
            bytes: section.places().saturating_mul(section.width.bytes() as u64),
        }
    }

    /// Whether the blocks of a section stay in memory as [`quarters`] of their size.
    pub(super) fn in_quarters(&self, at: usize) -> bool {
        let section = &self.header.sections[at];
        let values = self.header.palette_len(section);
        section.width == Width::One
            && values.is_some_and(|values| values <= quarters::VALUES as u64)
    }

    /// What the entries of a section stand for, if not for themselves.
    pub(super) fn palette(&self, at: usize) -> Result<Option<Arc<[u32]>>, TableError> {
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

    /// Where the entries of a section lie, if not in the order of their numbers.
    pub(super) fn places(&self, at: usize) -> Result<Option<Arc<DigitMap>>, TableError> {
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
pub(super) fn with_room<T>(bytes: usize, work: impl FnOnce(&mut [u8]) -> T) -> T {
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

/// The error for a part of a file that is not as it must be.
pub(super) fn damaged(path: &Path, place: String, problem: impl Into<String>) -> TableError {
    TableError::Damaged { path: path.to_owned(), place, problem: problem.into() }
}

/// What it means that a part of an open file cannot be read.
pub(super) fn unreadable(
    path: &Path,
    place: impl FnOnce() -> String,
    error: io::Error,
) -> TableError {
    match error.kind() {
        io::ErrorKind::UnexpectedEof => {
            damaged(path, place(), "the file ends before it, though it was longer when opened")
        }
        _ => TableError::Io { operation: "read", path: path.to_owned(), source: error },
    }
}
