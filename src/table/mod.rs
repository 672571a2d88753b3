//! The file format: bytes, not chess.
//!
//! A table is a header and named sections. Sections of cells hold one small unsigned number an
//! entry and are read at random; blobs hold one string of bytes. Both are stored as zstd blocks
//! with a checksum each. `docs/format.md` describes every byte.
//!
//! [`Table`] reads a file from any number of threads, through a [`BlockCache`] that many tables may
//! share. With the feature `build`, [`TableWriter`] makes one appear complete or not at all.

mod blocks;
mod cache;
mod cells;
mod checksum;
mod digits;
#[cfg(feature = "build")]
mod dont_care;
mod error;
mod header;
#[cfg(feature = "build")]
mod join;
#[cfg(feature = "build")]
mod leftover;
#[cfg(feature = "build")]
mod narrow;
#[cfg(feature = "build")]
mod packer;
mod quarters;
mod reader;
mod remote;
#[cfg(feature = "build")]
mod search;
#[cfg(feature = "build")]
mod sequences;
mod shared;
mod source;
mod stretches;
mod widen;
#[cfg(feature = "build")]
mod writer;

pub use cache::BlockCache;
pub use cells::Cells;
pub use digits::{Digit, DigitMap, DigitOrder};
#[cfg(feature = "build")]
pub use dont_care::DontCareRanges;
pub use error::TableError;
pub(crate) use error::age;
pub(crate) use header::le_u32;
pub use header::{Description, FORMAT_VERSION, Header, Kind, Palette, Section, Width};
#[cfg(feature = "build")]
pub use leftover::{abandon, remove_leftovers};
pub use reader::Table;
pub use remote::{RemoteFiles, WantedBytes};
pub use source::ReadAt;
pub use stretches::Stretches;
pub(crate) use stretches::blob_name;
#[cfg(feature = "build")]
pub use writer::{CellSpec, TableWriter, WriterOptions};

#[cfg(test)]
mod tests;
