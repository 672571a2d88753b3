//! What solves the parts of a table.

use crate::solve::{error::BuildError, parts::Part};

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
