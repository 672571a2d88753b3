//! An open table.

use super::{Layers, index, squares};
use crate::{
    answer::sections::{section_name, sized, table_material},
    board::{Board, Color},
    index::Index,
    table::{Cells, Table, TableError},
};

/// What the section of histories is called after the side to move.
pub(crate) const HISTORIES: &str = " histories";

/// An open table of Norochess.
#[derive(Debug)]
pub struct NoroReader {
    table: Table,
    index: Index,
    layers: Layers,
    numbers: [Cells; 2],
    histories: [Cells; 2],
}

impl NoroReader {
    /// Makes a table ready to answer.
    ///
    /// # Errors
    /// If it lacks a section, or one has the wrong size.
    pub(super) fn open(table: &Table, layers: Layers) -> Result<NoroReader, TableError> {
        let index = index(&table_material(table)?);
        let numbers = |side| sized(table, &section_name(side, ""), index.len());
        let histories = |side| table.cells(&section_name(side, HISTORIES));
        Ok(NoroReader {
            numbers: [numbers(Color::White)?, numbers(Color::Black)?],
            histories: [histories(Color::White)?, histories(Color::Black)?],
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
    pub fn histories(&self) -> [u64; 2] {
        Color::ALL
            .map(|side| self.histories[side.index()].entries() / self.layers.of_side(side) as u64)
    }

    /// The codes of the position with these men, which must be those of the table.
    pub(super) fn codes(&self, board: &Board, to_move: Color) -> Result<Vec<u8>, TableError> {
        let squares = squares(board);
        let position = self.index.encode(&squares[..self.index.men().len()]);
        let number =
            self.numbers[to_move.index()].get(position.expect("men can stand anywhere"))?;
        let mut codes = vec![0; self.layers.of_side(to_move)];
        let first = u64::from(number) * codes.len() as u64;
        let histories = &self.histories[to_move.index()];
        if first + codes.len() as u64 > histories.entries() {
            return Err(no_history(&self.table, to_move, number));
        }
        histories.read_from(first, &mut codes)?;
        Ok(codes)
    }
}

pub(crate) fn no_history(table: &Table, side: Color, number: u32) -> TableError {
    TableError::Damaged {
        path: table.path().to_owned(),
        place: format!("section `{}`", section_name(side, "")),
        problem: format!("there is no history {number}"),
    }
}
