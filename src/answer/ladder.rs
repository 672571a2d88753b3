//! An open table of a game with a ladder.
//!
//! A table has a section of cells per side to move, `white` and `black`, unless it stores one of
//! them alone; where colours swap and both sides have the same men, only `white`. The palette says
//! what a cell stands for: an [`Outcome`].

use super::{
    Outcome,
    place::{
        Entry, cell_side, entry_cell, entry_number, indexed_setup, known_entry, table_sides,
        turn_of,
    },
    sections::{only_side, section_name, sized_stretches, stores},
};
use crate::{
    board::{Board, ByColor, Color, Group, Role, Square},
    index::{Index, Material},
    rules::{Laws, Setup},
    table::{Stretches, Table, TableError},
};

/// A position of a table, seen from what quiet moves lead to.
#[derive(Debug)]
pub struct Standing<'a> {
    index: &'a Index,
    /// Those with the side to move that comes next.
    cells: &'a Stretches,
    /// The position as it is, with that side to move.
    entry: Entry,
}

impl Standing<'_> {
    /// What the table says of the position in which the man on a square stands on a free one
    /// instead.
    ///
    /// # Errors
    /// If the file turns out damaged.
    pub fn moved(&self, from: Square, to: Square) -> Result<Outcome, TableError> {
        let mut moved = self.entry;
        let turn = turn_of(moved.swapped, self.index.size());
        let (from, to) = (turn.image(from), turn.image(to));
        for square in moved.squares.iter_mut().filter(|square| **square == from) {
            *square = to;
        }
        outcome_at(self.cells, self.index, &moved)
    }
}

/// What cells say of an entry, as the position has its sides.
#[inline]
fn outcome_at(cells: &Stretches, index: &Index, entry: &Entry) -> Result<Outcome, TableError> {
    let outcome = Outcome::unpack(cells.get(entry_number(index, entry))?);
    Ok(if entry.swapped { outcome.swap_colors() } else { outcome })
}

/// An open table of a ladder game.
#[derive(Debug)]
pub struct LadderReader {
    material: Material,
    index: Index,
    /// How many sides to move it has positions of.
    sides: usize,
    /// Those it stores.
    cells: ByColor<Option<Stretches>>,
    /// If the sides may be exchanged, a kind of man of which they have different numbers on the
    /// board, and White's number; none if there is no such kind.
    telling: Option<(Role, usize)>,
}

impl LadderReader {
    /// Makes a table ready to answer whose positions `index` numbers.
    ///
    /// # Errors
    /// If it lacks a section, or one has the wrong size.
    pub(crate) fn open(
        table: &Table,
        index: Index,
        material: &Material,
        swaps: bool,
        suffix: &str,
    ) -> Result<LadderReader, TableError> {
        let (sides, only) = (table_sides(material, swaps), only_side(table)?);
        let mut cells = ByColor::new(|_| None);
        for &side in Color::ALL[..sides].iter().filter(|&&side| sides == 1 || stores(only, side)) {
            let name = section_name(side, suffix);
            cells[side] = Some(sized_stretches(table, &name, index.len())?);
        }
        let count = |color, role| usize::from(material.count(color, role));
        let tells = |role: &Role| count(Color::White, *role) != count(Color::Black, *role);
        let telling = Role::ALL.into_iter().find(tells).filter(|_| swaps);
        Ok(LadderReader {
            telling: telling.map(|role| (role, count(Color::White, role))),
            material: *material,
            index,
            sides,
            cells,
        })
    }

    /// The men of its positions, those in reserve too.
    pub fn material(&self) -> &Material {
        &self.material
    }

    /// What it says of the position with these men, if it stores it. They must be those of the
    /// table, in a legal position.
    ///
    /// # Errors
    /// If the file turns out damaged.
    #[inline]
    pub fn read(&self, board: &Board, to_move: Color) -> Result<Option<Outcome>, TableError> {
        self.read_entry(&self.entry(board, to_move))
    }

    /// The position with these men, which must be those of the table, seen from what quiet moves
    /// lead to with `next` to move; `None` if those are not stored.
    #[inline]
    pub(crate) fn standing(&self, board: &Board, next: Color) -> Option<Standing<'_>> {
        let entry = self.entry(board, next);
        let cells = self.cells[entry.side].as_ref()?;
        Some(Standing { index: &self.index, cells, entry })
    }

    /// Whether the table has the sides of the position with these men exchanged.
    #[inline]
    pub(crate) fn swaps(&self, board: &Board, to_move: Color) -> bool {
        match self.telling {
            // With fewer of them or more, they are.
            Some((role, count)) => board.men(Color::White, role).len() != count,
            None => self.serves_black(to_move),
        }
    }

    #[inline]
    fn entry(&self, board: &Board, to_move: Color) -> Entry {
        known_entry(self.index.men(), board, to_move, self.swaps(board, to_move))
    }

    /// The same where men are in reserve; `material` names those too.
    ///
    /// # Errors
    /// If the file turns out damaged.
    pub fn read_with_reserve(
        &self,
        board: &Board,
        material: &Material,
        to_move: Color,
    ) -> Result<Option<Outcome>, TableError> {
        self.read_entry(&self.entry_with_reserve(board, material, to_move))
    }

    fn entry_with_reserve(&self, board: &Board, material: &Material, to_move: Color) -> Entry {
        let swapped = *material != self.material || self.serves_black(to_move);
        known_entry(self.index.men(), board, to_move, swapped)
    }

    /// Whether White to move stands for this side, who is Black.
    fn serves_black(&self, to_move: Color) -> bool {
        self.sides == 1 && to_move == Color::Black
    }

    fn read_entry(&self, entry: &Entry) -> Result<Option<Outcome>, TableError> {
        let cells = self.cells[entry.side].as_ref();
        cells.map(|cells| outcome_at(cells, &self.index, entry)).transpose()
    }

    /// What it says of the position with this number, if it stores those with that side to move.
    ///
    /// # Errors
    /// If the file turns out damaged, or there is no such number.
    pub fn read_number(&self, side: Color, number: u64) -> Result<Option<Outcome>, TableError> {
        let cells = self.cells[side].as_ref();
        cells.map(|cells| cells.get(number).map(Outcome::unpack)).transpose()
    }

    /// What it says of a cell, counting all with White to move first, if it is stored.
    ///
    /// # Errors
    /// If the file turns out damaged.
    ///
    /// # Panics
    /// If there are not so many cells.
    pub fn read_cell(&self, cell: u64) -> Result<Option<Outcome>, TableError> {
        self.read_number(cell_side(&self.index, cell), cell % self.index.len())
    }

    /// How many cells it has, those that are not stored counted.
    pub fn cells(&self) -> u64 {
        self.index.len() * self.sides as u64
    }

    /// How many placements a cell with a position stands for.
    pub fn weight(&self, cell: u64) -> u64 {
        self.index.weight(cell % self.index.len())
    }

    /// The symmetries that it makes nothing of.
    pub fn group(&self) -> Group {
        self.index.group()
    }

    /// Who is to move in a cell.
    pub fn cell_side(&self, cell: u64) -> Color {
        cell_side(&self.index, cell)
    }

    /// The cell of the position with these men, which must be those of the table.
    pub fn cell_of(&self, board: &Board, to_move: Color) -> u64 {
        entry_cell(&self.index, &self.entry(board, to_move))
    }

    /// The same where men are in reserve; `material` names those too.
    pub fn cell_with_reserve(&self, board: &Board, material: &Material, to_move: Color) -> u64 {
        entry_cell(&self.index, &self.entry_with_reserve(board, material, to_move))
    }

    /// The position of a cell, if it is legal under `laws`.
    pub fn cell(&self, cell: u64, laws: &Laws) -> Option<Setup> {
        indexed_setup(&self.index, cell, laws)
    }
}
