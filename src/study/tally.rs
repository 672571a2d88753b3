//! Some of the placements of a table, with an example.

use super::Cell;

/// How many placements, and a position for one of them.
#[derive(Clone, Debug, Default)]
pub(super) struct Tally {
    pub count: u64,
    pub example: Option<String>,
}

impl Tally {
    /// Counts a position that stands for so many placements.
    pub fn add(&mut self, weight: u64, fen: impl FnOnce() -> String) {
        self.count += weight;
        self.example.get_or_insert_with(fen);
    }

    /// Adds those of a tally of later positions.
    pub fn merge(&mut self, other: Tally) {
        self.count += other.count;
        self.example = self.example.take().or(other.example);
    }

    /// The number, as a part of so many, and the example.
    pub fn cells(self, of: u64) -> [Cell; 2] {
        [Cell::Share(self.count, of), self.example.into()]
    }
}
