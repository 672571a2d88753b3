//! What a solver works with.

use std::fmt;

use crate::{
    probe::TableDirectories, progress::Progress, solve::engine::spill::Budget, table::WriterOptions,
};

/// What a solver works with.
pub struct Workbench<'a> {
    /// The tables that exist, and where new ones go.
    pub directories: &'a TableDirectories,
    /// Memory for big arrays.
    pub budget: &'a Budget,
    /// How tables are written.
    pub options: WriterOptions,
    /// How many numbers a [part](crate::solve::Layout) has at most. All who work on a table must
    /// agree.
    pub part_size: u64,
    /// Who hears of the progress.
    pub progress: &'a dyn Progress,
}

impl fmt::Debug for Workbench<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Workbench").field("directories", &self.directories).finish_non_exhaustive()
    }
}
