//! Why a table could not be built.

use std::{io, path::PathBuf};

use super::parts::PartId;
use crate::{
    answer::{TableId, UnfitMaterial},
    index::Material,
    probe::OpenTableError,
    table::TableError,
};

/// Why a table could not be built.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum BuildError {
    /// The game has no such table.
    #[error(transparent)]
    Unfit(#[from] UnfitMaterial),
    /// A table it needs is not at hand.
    #[error(transparent)]
    Open(#[from] OpenTableError),
    /// A table could not be read or written.
    #[error(transparent)]
    Table(#[from] TableError),
    /// A table it needs stores the positions of one side to move alone.
    #[error("{} stores one side to move alone, and solving needs both", path.display())]
    OneSide {
        /// The table.
        path: PathBuf,
        /// Which it is.
        id: Box<TableId>,
    },
    /// There would be more rows of distances than a reader accepts.
    #[error("the distances of {material} are too many and too various")]
    TooVarious {
        /// Its material.
        material: Material,
    },
    /// Tables need each other, so none of them can be the first: the rules of the game say so, and
    /// are wrong.
    #[error("the tables of {} need each other", chain(.0))]
    Circle(
        /// Their materials, each of which needs the next, and the last the first.
        Vec<Material>,
    ),
    /// A part of a table is needed that has not been built.
    #[error("there is no part {part} of {} in {}", id.material, folder.display())]
    MissingPart {
        /// Which part.
        part: PartId,
        /// Of which table.
        id: Box<TableId>,
        /// Where it was looked for.
        folder: PathBuf,
    },
    /// A table has no part of this name.
    #[error("{} has no part {part}; the last is {last}", id.material)]
    NoSuchPart {
        /// The part asked for.
        part: PartId,
        /// Of which table.
        id: Box<TableId>,
        /// The last part it has.
        last: PartId,
    },
    /// What lies in the place of a part is something else.
    #[error("{} is {found}, not {expected}", path.display())]
    OtherPart {
        /// The file.
        path: PathBuf,
        /// What it is.
        found: String,
        /// What it should be.
        expected: String,
    },
    /// A folder for tables cannot be made.
    #[error("cannot make the folder {}", path.display())]
    Folder {
        /// The folder.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// An array has no place in memory or in a scratch file; the source says which and why.
    #[error("no room to work in")]
    Scratch(#[source] io::Error),
    /// The work was [stopped](crate::progress::Stop).
    #[error("stopped")]
    Stopped,
}

impl From<io::Error> for BuildError {
    fn from(error: io::Error) -> BuildError {
        match error.kind() {
            io::ErrorKind::Interrupted => BuildError::Stopped,
            _ => BuildError::Scratch(error),
        }
    }
}

/// Materials as a chain of needs: `KQvK, KRvK`.
fn chain(materials: &[Material]) -> String {
    materials.iter().map(Material::to_string).collect::<Vec<_>>().join(", ")
}
