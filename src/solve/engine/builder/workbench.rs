//! What solves the parts of a table, and what it works with.

use std::fmt;

use crate::{
    probe::TableDirectories,
    progress::Progress,
    solve::{engine::spill::Budget, error::BuildError, parts::Part},
    table::{TableWriter, WriterOptions},
};

/// Solves the parts of a table. What the parts share is kept from one to the next.
pub trait SolveParts {
    /// Solves a part and writes it beside the table to be, or the table itself if it has one part.
    /// What the table needs is there, and so are the parts that this one
    /// [needs](crate::solve::Layout::needs).
    ///
    /// # Errors
    /// If a table or part it needs cannot be read, or memory, disk space or permission is lacking.
    fn solve(&self, part: &Part) -> Result<(), BuildError>;
}

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

impl Workbench<'_> {
    /// Tells that so many cells are about to be written; false if the work was stopped, and what
    /// they are no longer matters.
    pub fn goes_on_to(&self, cells: u64) -> bool {
        self.progress.advance(cells);
        self.budget.go_on().is_ok()
    }

    /// Completes a table, unless the work was stopped.
    ///
    /// # Errors
    /// If it was, or the file cannot be written.
    pub fn finish(&self, writer: TableWriter) -> Result<(), BuildError> {
        self.budget.go_on()?;
        writer.finish()?;
        Ok(())
    }
}

impl fmt::Debug for Workbench<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Workbench").field("directories", &self.directories).finish_non_exhaustive()
    }
}
