//! An open table.

use rustc_hash::FxHashSet;

use super::layers::Layers;
use crate::{
    answer::{
        place::{chess_group, known_entry},
        sections::{section_name, sized_stretches, table_material},
    },
    board::{Board, ByColor, Color, Square},
    index::{Index, MAX_MEN, Material},
    table::{Cells, Stretches, Table, TableError},
};

/// How the positions of a material are numbered: Kings are men like others.
pub(crate) fn index(material: &Material) -> Index {
    Index::with_common_kings(material, chess_group(material))
}

/// A history of a table: that of any number of positions.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(super) struct History {
    stretch: usize,
    number: u32,
}

/// A position of a table.
#[derive(Debug)]
pub(super) struct Standing<'a> {
    reader: &'a NoroReader,
    squares: [Square; MAX_MEN],
}

impl Standing<'_> {
    /// The history of the position in which the man on a square stands on a free one instead.
    pub(super) fn moved(
        &self,
        (from, to): (Square, Square),
        to_move: Color,
    ) -> Result<History, TableError> {
        let moved = self.squares.map(|square| if square == from { to } else { square });
        self.reader.history(&moved, to_move)
    }
}

/// What the section of histories is called after the side to move.
pub(crate) const HISTORIES: &str = " histories";

/// An open table of Norochess.
#[derive(Debug)]
pub struct NoroReader {
    table: Table,
    index: Index,
    layers: Layers,
    numbers: [Stretches; 2],
    /// Of each stretch of the numbers.
    histories: [Vec<Cells>; 2],
}

impl NoroReader {
    /// Makes a table ready to answer.
    ///
    /// # Errors
    /// If it lacks a section, or one has the wrong size.
    pub(super) fn open(table: &Table, layers: Layers) -> Result<NoroReader, TableError> {
        let index = index(&table_material(table)?);
        let numbers = |side| sized_stretches(table, &section_name(side, ""), index.len());
        let numbers = [numbers(Color::White)?, numbers(Color::Black)?];
        let histories = |side: Color| {
            let stretches = numbers[side.index()].iter().enumerate();
            let of_stretch = |(n, (_, cells)): (_, (_, &Cells))| {
                histories(table, side, layers, n, cells.entries())
            };
            stretches.map(of_stretch).collect::<Result<Vec<_>, TableError>>()
        };
        Ok(NoroReader {
            histories: [histories(Color::White)?, histories(Color::Black)?],
            numbers,
            table: table.clone(),
            index,
            layers,
        })
    }

    /// How positions are numbered.
    pub(super) fn index(&self) -> &Index {
        &self.index
    }

    /// How many cells there are, both sides to move counted.
    pub(super) fn cells(&self) -> u64 {
        2 * self.index.len()
    }

    /// How many different histories positions have, by side to move.
    ///
    /// # Errors
    /// If a table that was built in parts, whose stretches each have their own, is damaged.
    pub fn histories(&self) -> Result<ByColor<u64>, TableError> {
        let mut counts = ByColor::both(0);
        for side in Color::ALL {
            let length = self.layers.of_side(side);
            counts[side] = match &self.histories[side.index()][..] {
                [all] => all.entries() / length as u64,
                stretches => {
                    let read = stretches.iter().map(Cells::read_all);
                    let read = read.collect::<Result<Vec<_>, TableError>>()?;
                    let different: FxHashSet<&[u8]> =
                        read.iter().flat_map(|codes| codes.chunks_exact(length)).collect();
                    different.len() as u64
                }
            };
        }
        Ok(counts)
    }

    /// The codes of the position with these men, which must be those of the table.
    pub(super) fn codes(&self, board: &Board, to_move: Color) -> Result<Vec<u8>, TableError> {
        let history = self.history(&self.squares(board), to_move)?;
        self.codes_of(history, to_move)
    }

    /// The position with these men, which must be those of the table.
    pub(super) fn standing(&self, board: &Board) -> Standing<'_> {
        Standing { reader: self, squares: self.squares(board) }
    }

    fn squares(&self, board: &Board) -> [Square; MAX_MEN] {
        known_entry(self.index.men(), board, Color::White, false).squares
    }

    /// The history of the position with the men on these squares.
    fn history(&self, squares: &[Square; MAX_MEN], to_move: Color) -> Result<History, TableError> {
        let position = self.index.encode(&squares[..self.index.men().len()]);
        let position = position.expect("men can stand anywhere");
        let (stretch, number) = self.numbers[to_move.index()].get_of_stretch(position)?;
        Ok(History { stretch, number })
    }

    /// The codes of a history.
    pub(super) fn codes_of(
        &self,
        History { stretch, number }: History,
        to_move: Color,
    ) -> Result<Vec<u8>, TableError> {
        let histories = &self.histories[to_move.index()][stretch];
        let mut codes = vec![0; self.layers.of_side(to_move)];
        let first = u64::from(number) * codes.len() as u64;
        // These are whole histories.
        if first >= histories.entries() {
            return Err(no_history(&self.table, to_move, number));
        }
        histories.read_from(first, &mut codes)?;
        Ok(codes)
    }
}

/// The histories of a stretch with a side to move: whole ones, and no more than one for each of its
/// positions.
pub(crate) fn histories(
    table: &Table,
    side: Color,
    layers: Layers,
    stretch: usize,
    positions: u64,
) -> Result<Cells, TableError> {
    let name = section_name(side, HISTORIES);
    let damaged = |problem| TableError::Damaged {
        path: table.path().to_owned(),
        place: format!("section `{name}`"),
        problem,
    };
    let all = table.stretches(&name)?;
    let cells = all.stretch(stretch).ok_or_else(|| {
        damaged(format!("it has no stretch {stretch} for the positions of that stretch"))
    })?;
    let length = layers.of_side(side) as u64;
    if cells.entries().is_multiple_of(length) && cells.entries() / length <= positions {
        return Ok(cells.clone());
    }
    Err(damaged(format!(
        "{} codes are not up to {positions} histories of {length}",
        cells.entries()
    )))
}

fn no_history(table: &Table, side: Color, number: u32) -> TableError {
    TableError::Damaged {
        path: table.path().to_owned(),
        place: format!("section `{}`", section_name(side, "")),
        problem: format!("there is no history {number}"),
    }
}
