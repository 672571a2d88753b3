//! The first bytes of a table and its header: what is in the file, and where.

use std::ops::Range;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::{checksum::Hasher, digits::DigitOrder};

/// The format version this program writes and reads: the major number. Files of another cannot be
/// read.
pub const FORMAT_VERSION: u16 = 5;

/// What the names of members begin with that readers which do not know them skip.
const OPTIONAL: char = '?';

/// The first bytes of every table. The byte above 127 and the line ends reveal a file that was
/// sent as text.
pub(super) const MAGIC: [u8; 8] = *b"\x89FTB\r\n\x1a\n";

/// Length of the prologue in bytes.
pub(super) const PROLOGUE_LEN: usize = 32;

/// Length of one entry of a block index in bytes: where the block ends, and its checksum.
pub(super) const INDEX_ENTRY_LEN: usize = 12;

/// The largest header accepted, in bytes. The longest that a game writes, of tables joined of
/// parts, has some 300 sections; as a tree in memory JSON can be 36 times as long as its text.
pub(super) const MAX_HEADER_LEN: u64 = 1 << 20;

/// The largest block accepted, in bytes unpacked. Bounds what a reader allocates at a time.
pub(super) const MAX_BLOCK_LEN: u64 = 1 << 20;

/// Longer palettes are stored in a blob, so that opening a table stays cheap.
pub(super) const MAX_PALETTE_IN_HEADER: usize = 256;

/// The longest palette that makes sense for so many entries, in values: each has a number that
/// fits an entry, and an entry that stands for it. No palette is longer than 2²⁴.
pub(super) fn max_palette_len(entries: u64, width: Width) -> u64 {
    entries.min(1 << (8 * width.bytes())).min(1 << 24)
}

/// The fixed part in front of everything else.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Prologue {
    pub(super) version: u16,
    pub(super) minor: u16,
    pub(super) crc: u32,
    pub(super) header_offset: u64,
    pub(super) header_len: u64,
}

impl Prologue {
    /// The checksum of the version, the prologue's last 16 bytes and the header.
    pub(super) fn checksum(&self, header: &[u8]) -> u32 {
        let mut hasher = Hasher::new();
        hasher.update(&self.to_bytes()[8..12]);
        hasher.update(&self.to_bytes()[16..]);
        hasher.update(header);
        hasher.finalize()
    }

    pub(super) fn to_bytes(self) -> [u8; PROLOGUE_LEN] {
        let mut bytes = [0; PROLOGUE_LEN];
        bytes[..8].copy_from_slice(&MAGIC);
        bytes[8..10].copy_from_slice(&self.version.to_le_bytes());
        bytes[10..12].copy_from_slice(&self.minor.to_le_bytes());
        bytes[12..16].copy_from_slice(&self.crc.to_le_bytes());
        bytes[16..24].copy_from_slice(&self.header_offset.to_le_bytes());
        bytes[24..32].copy_from_slice(&self.header_len.to_le_bytes());
        bytes
    }

    /// Reads the fields behind the magic, which the caller has compared.
    pub(super) fn from_bytes(bytes: &[u8; PROLOGUE_LEN]) -> Prologue {
        Prologue {
            version: u16::from_le_bytes([bytes[8], bytes[9]]),
            minor: u16::from_le_bytes([bytes[10], bytes[11]]),
            crc: le_u32(&bytes[12..16]),
            header_offset: le_u64(&bytes[16..24]),
            header_len: le_u64(&bytes[24..32]),
        }
    }
}

/// Up to four bytes as a little-endian number.
#[inline]
pub(crate) fn le_u32(bytes: &[u8]) -> u32 {
    bytes.iter().rfold(0, |n, &byte| n << 8 | u32::from(byte))
}

/// Up to eight bytes as a little-endian number.
pub(super) fn le_u64(bytes: &[u8]) -> u64 {
    bytes.iter().rfold(0, |n, &byte| n << 8 | u64::from(byte))
}

/// What a table is about, as its writer tells it.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Description {
    /// The game's name: `high`.
    pub game: String,
    /// Which of the ways the game has had to store its tables this is, from 1.
    pub schema: u16,
    /// The rule options in force; empty if the game has none.
    pub options: Map<String, Value>,
    /// The material: `KBNvK`.
    pub material: String,
    /// How much it says of its positions: `distance`.
    pub contents: String,
    /// The side to move whose positions alone it stores, if it does not store both: `white`.
    pub side: Option<String>,
    /// Whatever else the writer wants to find again.
    pub meta: Map<String, Value>,
}

impl Description {
    /// A description without options and meta, of the first schema.
    pub fn new(
        game: impl Into<String>,
        material: impl Into<String>,
        contents: impl Into<String>,
    ) -> Description {
        Description {
            game: game.into(),
            schema: 1,
            material: material.into(),
            contents: contents.into(),
            ..Description::default()
        }
    }
}

/// The header of a table.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Header {
    /// The game's name: `high`.
    pub game: String,
    /// Which of the ways the game has had to store its tables this is, from 1.
    pub schema: u16,
    /// The rule options the table was solved with.
    pub options: Map<String, Value>,
    /// The material: `KBNvK`.
    pub material: String,
    /// How much it says of its positions: `distance`.
    pub contents: String,
    /// The side to move whose positions alone it stores, if it does not store both: `white`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub side: Option<String>,
    /// The program that wrote the table, with its version: `finale 0.1.0`.
    pub producer: String,
    /// What the game's solver wrote down beside the sections.
    pub meta: Map<String, Value>,
    /// The sections, in the order in which they lie in the file, without gaps.
    pub sections: Vec<Section>,
    /// Members that this program does not know, and may skip: their names begin with `?`.
    #[serde(flatten)]
    pub others: Map<String, Value>,
}

/// Where a section lies and how it is cut.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Section {
    /// The name. Sections of cells of one name, its *stretches*, are read as one: the entries of
    /// the second follow those of the first. Otherwise names are unique in the table.
    pub name: String,
    /// What it holds.
    pub kind: Kind,
    /// How many entries it has; for a blob, its length in bytes.
    pub entries: u64,
    /// Bytes an entry.
    pub width: Width,
    /// Places a block; the last block may have fewer.
    pub block: u64,
    /// Where the section begins, in bytes from the start of the file.
    pub offset: u64,
    /// Its length in the file: the packed blocks and the block index behind them.
    pub length: u64,
    /// The checksum of the block index.
    pub index_crc: u32,
    /// What the entries stand for; without a palette they stand for themselves.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub palette: Option<Palette>,
    /// The order of the entries, if it is not that of their numbers.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub digits: Option<DigitOrder>,
    /// Members that this program does not know, and may skip: their names begin with `?`.
    #[serde(flatten)]
    pub others: Map<String, Value>,
}

/// A member among these that must not be skipped.
fn unknown(others: &Map<String, Value>) -> Option<String> {
    let name = others.keys().find(|name| !name.starts_with(OPTIONAL))?;
    Some(format!("its member `{name}` is unknown"))
}

/// What a section holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Kind {
    /// Unsigned numbers of a fixed width, read at random.
    Cells,
    /// One string of bytes.
    Blob,
}

impl Kind {
    /// The word used in the header.
    pub fn name(self) -> &'static str {
        match self {
            Kind::Cells => "cells",
            Kind::Blob => "blob",
        }
    }
}

/// The size of an entry.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "u8", into = "u8")]
pub enum Width {
    /// One byte: 0 to 255.
    One = 1,
    /// Two bytes: 0 to 65,535.
    Two = 2,
    /// Four bytes: 0 to 4,294,967,295.
    Four = 4,
}

impl Width {
    /// The smallest width that holds every number up to `max`.
    pub fn holding(max: u32) -> Width {
        match max {
            0..=0xff => Width::One,
            0x100..=0xffff => Width::Two,
            _ => Width::Four,
        }
    }

    /// Bytes an entry: 1, 2 or 4.
    pub fn bytes(self) -> usize {
        self as usize
    }
}

impl From<Width> for u8 {
    fn from(width: Width) -> u8 {
        width as u8
    }
}

impl TryFrom<u8> for Width {
    type Error = String;

    fn try_from(bytes: u8) -> Result<Width, String> {
        match bytes {
            1 => Ok(Width::One),
            2 => Ok(Width::Two),
            4 => Ok(Width::Four),
            _ => Err(format!("width {bytes} instead of 1, 2 or 4")),
        }
    }
}

/// The values the entries of a section stand for.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum Palette {
    /// The values themselves: entry `n` stands for the `n`th.
    Values(Vec<u32>),
    /// The name of a blob with the values, four bytes each.
    Blob(String),
}

impl Section {
    /// How many places for entries it has: as many as entries, or more if there are gaps.
    pub fn places(&self) -> u64 {
        self.digits.as_ref().map_or(self.entries, |digits| digits.places(self.entries))
    }

    /// How many blocks it has.
    pub fn blocks(&self) -> u64 {
        self.places().div_ceil(self.block)
    }

    /// Whether another section may have the same name: both are stretches of the same cells.
    pub(super) fn continues(&self, other: &Section) -> bool {
        self.kind == Kind::Cells && other.kind == Kind::Cells
    }

    /// The size of block number `block` in bytes, unpacked.
    pub(super) fn block_len(&self, block: u64) -> usize {
        let places = (self.places() - block * self.block).min(self.block);
        places as usize * self.width.bytes()
    }

    /// The most bytes that block number `block` can have packed: zstd never makes more.
    pub(super) fn max_packed_len(&self, block: u64) -> u64 {
        let unpacked = self.block_len(block) as u64;
        unpacked + unpacked / 256 + 64
    }

    /// The bytes of the block index, from the start of the section.
    pub(super) fn index_range(&self) -> Option<Range<u64>> {
        let index_len = self.blocks().checked_mul(INDEX_ENTRY_LEN as u64)?;
        Some(self.length.checked_sub(index_len)?..self.length)
    }

    /// What is wrong with this section by itself, if anything.
    pub(super) fn defect(&self) -> Option<String> {
        if let Some(problem) = unknown(&self.others) {
            return Some(problem);
        }
        if self.block == 0 {
            return Some("blocks of no entries".to_owned());
        }
        let width = self.width.bytes() as u64;
        if self.block > MAX_BLOCK_LEN / width {
            return Some(format!(
                "blocks of {} entries are larger than {MAX_BLOCK_LEN} bytes",
                self.block
            ));
        }
        if let Some(problem) = self.digits.as_ref().and_then(|d| d.defect(self.entries)) {
            return Some(problem);
        }
        if self.index_range().is_none() {
            return Some(format!("{} bytes are too few for {} entries", self.length, self.entries));
        }
        let is_plain = self.width == Width::One && self.palette.is_none() && self.digits.is_none();
        if self.kind == Kind::Blob && !is_plain {
            return Some("a blob has width 1, no palette and no digits".to_owned());
        }
        None
    }
}

impl Header {
    /// What it says of the table as a whole.
    pub fn description(&self) -> Description {
        Description {
            game: self.game.clone(),
            schema: self.schema,
            options: self.options.clone(),
            material: self.material.clone(),
            contents: self.contents.clone(),
            side: self.side.clone(),
            meta: self.meta.clone(),
        }
    }

    /// The first section of this name and kind.
    pub fn section(&self, name: &str, kind: Kind) -> Option<(usize, &Section)> {
        self.sections
            .iter()
            .enumerate()
            .find(|(_, section)| section.name == name && section.kind == kind)
    }

    /// Checks that the sections fill the bytes between the prologue and `end`, and that palettes
    /// are there; returns the place and the defect of the first that is wrong.
    pub(super) fn defect(&self, end: u64) -> Option<(String, String)> {
        if let Some(problem) = unknown(&self.others) {
            return Some(("header".to_owned(), problem));
        }
        let mut next = PROLOGUE_LEN as u64;
        for (at, section) in self.sections.iter().enumerate() {
            let found = |problem: String| Some((format!("section `{}`", section.name), problem));
            let namesakes = self.sections[..at].iter().filter(|s| s.name == section.name);
            if namesakes.clone().any(|other| !section.continues(other)) {
                return found("its name stands there twice".to_owned());
            }
            if let Some(problem) = section.defect() {
                return found(problem);
            }
            if section.offset != next {
                return found(format!("it begins at {} instead of {next}", section.offset));
            }
            next = match section.offset.checked_add(section.length) {
                Some(next) if next <= end => next,
                _ => return found("it is longer than the file".to_owned()),
            };
            if let Some(problem) = self.palette_defect(section) {
                return found(problem);
            }
        }
        (next != end).then(|| {
            let problem = format!("the sections end at {next} instead of {end}");
            ("header".to_owned(), problem)
        })
    }

    /// How many values the palette of a section has, if it has one.
    pub(super) fn palette_len(&self, section: &Section) -> Option<u64> {
        match section.palette.as_ref()? {
            Palette::Values(values) => Some(values.len() as u64),
            Palette::Blob(name) => Some(self.section(name, Kind::Blob)?.1.entries / 4),
        }
    }

    fn palette_defect(&self, section: &Section) -> Option<String> {
        let values = match section.palette.as_ref()? {
            Palette::Values(values) if values.len() > MAX_PALETTE_IN_HEADER => {
                return Some(format!("{} palette values are too many here", values.len()));
            }
            Palette::Values(values) => values.len() as u64,
            Palette::Blob(name) => match self.section(name, Kind::Blob) {
                None => return Some(format!("its palette `{name}` is missing")),
                Some((_, blob)) if blob.entries % 4 != 0 => {
                    return Some(format!("its palette has {} bytes", blob.entries));
                }
                Some((_, blob)) => blob.entries / 4,
            },
        };
        let most = max_palette_len(section.entries, section.width);
        (values > most)
            .then(|| format!("its palette has {values} values, of which it can name {most}"))
    }
}
