//! What a game tells to have its tables read page by page, while others are solved.

use std::hash::Hash;

use super::{
    entries::{Meanings, Stretch},
    ladder_game::Chesslike,
    stock::Stock,
    values::{Extent, PageId},
};
use crate::{
    answer::{
        place::table_sides,
        score::Store,
        sections::{section_name, sized_stretches},
    },
    board::Color,
    index::Material,
    solve::{BuildError, Solve, parts::MANY},
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

/// What a page has for a position.
pub trait Cell: bytemuck::Pod + Ord + Hash + Send + Sync {
    /// What it has for a number that is no position.
    const GAP: Self;
}

impl Cell for i16 {
    const GAP: i16 = Store::NONE;
}

impl Cell for i32 {
    const GAP: i32 = Store::NONE;
}

/// Numbers of something kept once.
impl Cell for u32 {
    const GAP: u32 = u32::MAX;
}

/// A game whose tables are solved and read page by page.
///
/// A table has one *mode*, or several where what came before a position counts; each has a section of
/// cells for each side to move.
pub trait Paged: Chesslike {
    /// The game whose tables they are.
    type Game: Solve;

    /// What pages are made of.
    type Cell: Cell;

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

    /// What the entries of some cells stand for.
    ///
    /// # Errors
    /// If what tells it is missing or damaged.
    fn meanings(&self, stretch: &Stretch<'_>) -> Result<Self::Meanings, TableError>;

    /// Whether the table of a material leaves out what captures and promotions decide, so that its
    /// pages must be [put right](Paged::put_right).
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

    /// The mode before that often says the same; a table in one piece leaves out what does.
    fn repeats(&self, _mode: usize) -> Option<usize> {
        None
    }

    /// Puts right a page that was read of a table that [leaves out](Paged::leaves_out) something, at
    /// least as far as it is looked up.
    ///
    /// # Errors
    /// If what that takes is missing or damaged, or room is lacking.
    fn put_right(
        &self,
        _: &Stock<'_, Self>,
        _: (PageId, Extent),
        _: &mut [Self::Cell],
    ) -> Result<(), BuildError> {
        Ok(())
    }
}
