//! What a game tells to have its tables read page by page, while others are solved.

use super::{ladder_game::Chesslike, stock::Stock, values::PageId};
use crate::{
    answer::{
        TableId,
        place::table_sides,
        sections::{section_name, sized_stretches},
    },
    board::Color,
    index::Material,
    solve::BuildError,
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
/// A table has one *mode*, or several where what came before a position counts; each has a section of
/// cells for each side to move.
pub trait Paged: Chesslike {
    /// What identifies the table of a material.
    fn id(&self, material: &Material) -> TableId;

    /// The tables one turn away.
    fn next_tables(&self, material: &Material) -> Vec<Material>;

    /// How many modes the table of a material has.
    fn modes(&self, _: &Material) -> usize {
        1
    }

    /// The sides to move that a table shows in a mode.
    fn sides(&self, material: &Material, _mode: usize) -> &'static [Color] {
        &Color::ALL[..table_sides(material, self.swaps_colors())]
    }

    /// What the names of a mode's sections have behind the side to move.
    fn suffix(&self, material: &Material, mode: usize) -> String;

    /// What infinite play is worth in a mode, White's view.
    fn endless(&self, material: &Material, mode: usize) -> i32;

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

    /// Puts right a page that was read, where tables do not tell everything.
    ///
    /// # Errors
    /// If what that takes is missing or damaged, or room is lacking.
    fn put_right(
        &self,
        _: &Stock<'_, Self>,
        _: PageId,
        _: &mut [Self::Store],
    ) -> Result<(), BuildError> {
        Ok(())
    }
}
