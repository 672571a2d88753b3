//! Why a table cannot be written in another form.

use std::path::PathBuf;

use crate::{
    answer::{Contents, TableId},
    probe::ProbeError,
    solve::BuildError,
    table::TableError,
};

/// Why a table cannot be written in another form.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum PackError {
    /// It does not tell what the other is to tell.
    #[error("{} holds {}, so {wanted} cannot be made of it", path.display(), held)]
    HoldsLess {
        /// The table.
        path: PathBuf,
        /// What it holds.
        held: Contents,
        /// What it was to hold.
        wanted: Contents,
    },
    /// The game's tables are made of something else than outcomes, which cannot be written anew.
    #[error("{} cannot be {what} without solving", path.display())]
    NeedsSolving {
        /// The table.
        path: PathBuf,
        /// What was asked for.
        what: &'static str,
        /// The table that was asked for.
        id: Box<TableId>,
    },
    /// A table that the answers need is missing or damaged.
    #[error(transparent)]
    Probe(#[from] ProbeError),
    /// The file cannot be written.
    #[error(transparent)]
    Table(#[from] TableError),
    /// A table cannot be looked into slice by slice.
    #[error(transparent)]
    Slices(BuildError),
}

impl From<BuildError> for PackError {
    fn from(error: BuildError) -> PackError {
        match error {
            BuildError::Open(error) => PackError::Probe(error.into()),
            BuildError::Table(error) => PackError::Table(error),
            BuildError::Stopped => PackError::Probe(ProbeError::Stopped),
            error => PackError::Slices(error),
        }
    }
}
