//! What can go wrong with a table file.

use std::{
    io,
    path::{Path, PathBuf},
};

/// Why a table could not be written or read.
#[derive(Debug, thiserror::Error)]
pub enum TableError {
    /// The operating system refused; the source says why.
    #[error("cannot {operation} {path}")]
    Io {
        /// What was tried: `create`, `write to`.
        operation: &'static str,
        /// On which file or directory.
        path: PathBuf,
        /// The answer of the system.
        source: io::Error,
    },
    /// Where the file should be, a folder is.
    #[error("{path} is a folder, not a table file")]
    Folder {
        /// The folder.
        path: PathBuf,
    },
    /// The file does not begin like a table.
    #[error("{path} is not a table file")]
    NotATable {
        /// The file.
        path: PathBuf,
    },
    /// The file is a table of a format this program does not know.
    #[error(
        "{path} was made by {} finale: it has format {found}, and this one reads {supported}",
        age(*found, *supported)
    )]
    Version {
        /// The file.
        path: PathBuf,
        /// The version it claims.
        found: u16,
        /// The version this program knows.
        supported: u16,
    },
    /// The file is shorter or longer than it says.
    #[error("{path} is damaged ({found} bytes long instead of {expected})")]
    Length {
        /// The file.
        path: PathBuf,
        /// Its length in bytes.
        found: u64,
        /// The length its first bytes ask for, or the least of any table.
        expected: u64,
    },
    /// The content of the file contradicts itself.
    #[error("{path} is damaged ({place}: {problem})")]
    Damaged {
        /// The file.
        path: PathBuf,
        /// Where in it: ``block 17 of section `white` ``.
        place: String,
        /// What is wrong there.
        problem: String,
    },
    /// A section was asked for that the table does not have.
    #[error("{path} has no section `{name}` of {kind}; it has {present}")]
    NoSection {
        /// The file.
        path: PathBuf,
        /// The section asked for.
        name: String,
        /// The kind asked for: `cells` or `blob`.
        kind: &'static str,
        /// The sections it has, with their kinds.
        present: String,
    },
    /// An entry was asked for past the end of a section.
    #[error("entry {index} of section `{section}` in {path}: it has {entries} entries")]
    OutOfRange {
        /// The file.
        path: PathBuf,
        /// The section.
        section: String,
        /// The entry asked for, from 0.
        index: u64,
        /// How many the section has.
        entries: u64,
    },
    /// A section does not fit in memory.
    #[error(
        "section `{section}` of {path} needs {bytes} bytes of memory; free some, or read it entry by entry"
    )]
    Memory {
        /// The file.
        path: PathBuf,
        /// The section.
        section: String,
        /// Its size unpacked.
        bytes: u64,
    },
    /// The writer was asked for a section that the format does not allow.
    #[error("cannot write section `{section}` to {path}: {problem}")]
    Unwritable {
        /// The file.
        path: PathBuf,
        /// The section.
        section: String,
        /// What the format asks for.
        problem: String,
    },
}

/// Which finale writes one number where this one reads another.
pub fn age(found: u16, supported: u16) -> &'static str {
    if found < supported { "an older" } else { "a newer" }
}

impl TableError {
    /// The file that is not as it should be, if building its table again would help.
    pub fn damaged(&self) -> Option<&Path> {
        match self {
            TableError::Version { path, found, supported } => {
                (found < supported).then_some(path.as_path())
            }
            TableError::NotATable { path }
            | TableError::Length { path, .. }
            | TableError::Damaged { path, .. } => Some(path),
            _ => None,
        }
    }

    /// Whether bytes are wanted that are not here yet; once they are, the same works.
    pub fn is_awaited(&self) -> bool {
        matches!(self, TableError::Io { source, .. } if source.kind() == io::ErrorKind::WouldBlock)
    }

    /// Whether building its table again would help.
    pub fn is_damage(&self) -> bool {
        self.damaged().is_some()
    }
}
