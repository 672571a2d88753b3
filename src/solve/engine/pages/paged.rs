//! What a game tells to have its tables read page by page, while others are solved.

use super::{
    cell::PageCell,
    entries::{Meanings, PartCells, SectionEntries},
    links::successors,
    outline::Drops,
};
use crate::{
    answer::{
        Contents, Tabled,
        place::table_sides,
        sections::{section_name, sized_stretches},
    },
    board::Color,
    index::Material,
    solve::{engine::slice::Chesslike, parts::MANY},
    table::{Stretches, Table, TableError},
};

/// How a solver gets to know the position after a turn.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug)]
pub enum Meeting {
    /// It is looked up.
    LookedUp,
    /// A pawn has walked past an enemy pawn, which cannot take it after all.
    Idle,
    /// A pawn has walked past an enemy pawn, and this is found looking ahead from there.
    LookedAhead,
}

/// A game whose tables are solved and read page by page.
///
/// A table has one *mode*, or several where what came before a position counts; each has a section
/// of cells for each side to move.
pub trait Paged: Chesslike + Send + 'static {
    /// The game whose tables they are.
    type Game: Tabled;

    /// What pages are made of.
    type Cell: PageCell;

    /// What tells the cells that entries of a file stand for.
    type Meanings: Meanings<Self::Cell>;

    /// Whether a table that is one slice is written from that, without pages of its own.
    const FROM_SLICE: bool = true;

    /// About how many parts a very large table has: each of their sections has its place in the
    /// header.
    const MANY_PARTS: u64 = MANY;

    /// The game whose tables they are.
    fn game(&self) -> &Self::Game;

    /// Whether the parts of a table can be solved by themselves. If not there is one part, solved
    /// slice by slice all the same.
    fn in_parts(&self) -> bool {
        true
    }

    /// How many modes the table of a material has.
    fn modes(&self, _: &Material) -> usize {
        1
    }

    /// The sides to move that a table shows in a mode.
    fn sides(&self, material: &Material, _mode: usize) -> &'static [Color] {
        &Color::ALL[..table_sides(material, self.swaps_colors())]
    }

    /// What the names of a mode's sections have behind the side to move.
    fn suffix(&self, _: &Material, _mode: usize) -> String {
        String::new()
    }

    /// The cells of a mode and side to move, which must be so many.
    ///
    /// # Errors
    /// If they are missing or damaged.
    fn stretches(
        &self,
        table: &Table,
        material: &Material,
        (mode, side): (usize, Color),
        entries: u64,
    ) -> Result<Stretches, TableError> {
        sized_stretches(table, &section_name(side, &self.suffix(material, mode)), entries)
    }

    /// Whether what is solved for tables that hold so much has distances.
    fn has_distances(&self, contents: Contents) -> bool {
        contents >= Contents::Distance
    }

    /// All entries of a mode and side to move, which must be so many, and what they stand for,
    /// with distances or without.
    ///
    /// # Errors
    /// If they are missing or damaged.
    fn entries(
        &self,
        table: &Table,
        material: &Material,
        (mode, side): (usize, Color),
        (entries, distances): (u64, bool),
    ) -> Result<SectionEntries<Self::Meanings>, TableError> {
        let stretches = self.stretches(table, material, (mode, side), entries)?;
        let known = stretches.iter().enumerate().map(|(number, (first, cells))| {
            let part = PartCells { table, material, mode, side, number, cells, distances };
            Ok((first, cells.clone(), self.meanings(&part)?))
        });
        Ok(SectionEntries::new(known.collect::<Result<_, TableError>>()?))
    }

    /// What the entries of some cells stand for.
    ///
    /// # Errors
    /// If what tells it is missing or damaged.
    fn meanings(&self, stretch: &PartCells<'_>) -> Result<Self::Meanings, TableError>;

    /// Whether the table of a material leaves out what captures and promotions decide, so that its
    /// pages must be [put right](super::PutRight::put_right).
    fn leaves_out(&self, _: &Material) -> bool {
        false
    }

    /// The sides that can be to move in a mode.
    fn movers(&self, _mode: usize) -> &'static [Color] {
        &Color::ALL
    }

    /// The modes of `table` that are looked into from `mode`; `swapped` says whether the table has
    /// the sides exchanged.
    fn modes_after(
        &self,
        _mode: usize,
        table: &Material,
        _swapped: bool,
        meeting: Meeting,
    ) -> Vec<usize> {
        if meeting == Meeting::Idle { Vec::new() } else { (0..self.modes(table)).collect() }
    }

    /// Whether the game is over with some men, which then have no table.
    fn has_ended(&self, _: &Material) -> bool {
        false
    }

    /// How men are dropped, if they are.
    fn drops(&self) -> Option<&dyn Drops> {
        None
    }

    /// The materials that have a table and are one conversion away, as their tables are named,
    /// without the material itself.
    fn successors(&self, material: &Material) -> Vec<Material> {
        let mut all = successors(material, &self.laws(), self.swaps_colors());
        all.retain(|after| !self.has_ended(after));
        all
    }

    /// The mode before that often says the same; a table in one piece leaves out what does.
    fn repeats(&self, _mode: usize) -> Option<usize> {
        None
    }
}
