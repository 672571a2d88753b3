//! The file format: bytes, not chess.
//!
//! A table is a header and named sections. Sections of cells hold one small unsigned number an
//! entry and are read at random; blobs hold one string of bytes. Both are stored as zstd blocks
//! with a checksum each. `docs/format.md` describes every byte.
//!
//! [`TableWriter`] makes a file appear complete or not at all; [`Table`] reads it from any number
//! of threads, through a [`BlockCache`] that many tables may share.
//!
//! ```
//! use finale::table::{CellSpec, Description, Table, TableWriter, Width, WriterOptions};
//!
//! # fn main() -> Result<(), finale::table::TableError> {
//! # let dir = tempfile::tempdir().unwrap();
//! let path = dir.path().join("KvK.ftb");
//! let description = Description::new("orthodox", "KvK", "distance");
//! let mut writer = TableWriter::create(&path, description, WriterOptions::default())?;
//! writer.cells(CellSpec::new("white", 4096, Width::One), |entries, bytes| {
//!     for (entry, byte) in entries.zip(bytes) {
//!         *byte = (entry % 7) as u8;
//!     }
//! })?;
//! writer.finish()?;
//!
//! let table = Table::open(&path)?;
//! assert_eq!(table.cells("white")?.get(8)?, 1);
//! # Ok(())
//! # }
//! ```

mod blocks;
mod cache;
mod digits;
mod dont_care;
mod error;
mod header;
mod join;
mod leftover;
mod narrow;
mod packer;
mod quarters;
mod reader;
mod remote;
mod search;
mod sequences;
mod source;
mod stretches;
mod writer;

pub use cache::BlockCache;
pub use digits::{Digit, DigitMap, DigitOrder};
pub use dont_care::DontCareRanges;
pub use error::TableError;
pub(crate) use error::age;
pub(crate) use header::le_u32;
pub use header::{Description, FORMAT_VERSION, Header, Kind, Palette, Section, Width};
pub(crate) use join::blob_name;
pub use leftover::{abandon, remove_leftovers};
pub use reader::{Cells, Table};
pub use remote::{RemoteFiles, WantedBytes};
pub use source::ReadAt;
pub use stretches::Stretches;
pub use writer::{CellSpec, TableWriter, WriterOptions};

#[cfg(test)]
mod tests;
