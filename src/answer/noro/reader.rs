//! An open table.

use super::{Layers, index, squares};
use crate::{
    answer::sections::{section_name, sized, table_material},
    board::{Board, ByColor, Color},
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
        let histories = |side| histories(table, side, layers, index.len());
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
    pub fn histories(&self) -> ByColor<u64> {
        ByColor::new(|side| {
            self.histories[side.index()].entries() / self.layers.of_side(side) as u64
        })
    }

    /// The codes of the position with these men, which must be those of the table.
    pub(super) fn codes(&self, board: &Board, to_move: Color) -> Result<Vec<u8>, TableError> {
        let squares = squares(board);
        let position = self.index.encode(&squares[..self.index.men().len()]);
        let number =
            self.numbers[to_move.index()].get(position.expect("men can stand anywhere"))?;
        let mut codes = vec![0; self.layers.of_side(to_move)];
        if u64::from(number) >= self.histories()[to_move] {
            return Err(no_history(&self.table, to_move, number));
        }
        // So it lies below the number of codes.
        let first = u64::from(number) * codes.len() as u64;
        self.histories[to_move.index()].read_from(first, &mut codes)?;
        Ok(codes)
    }
}

/// The histories of a side to move: whole ones, and no more than one for each of its positions.
pub(crate) fn histories(
    table: &Table,
    side: Color,
    layers: Layers,
    positions: u64,
) -> Result<Cells, TableError> {
    let name = section_name(side, HISTORIES);
    let cells = table.cells(&name)?;
    let length = layers.of_side(side) as u64;
    if cells.entries().is_multiple_of(length) && cells.entries() / length <= positions {
        return Ok(cells);
    }
    Err(TableError::Damaged {
        path: table.path().to_owned(),
        place: format!("section `{name}`"),
        problem: format!(
            "{} codes are not up to {positions} histories of {length}",
            cells.entries()
        ),
    })
}

fn no_history(table: &Table, side: Color, number: u32) -> TableError {
    TableError::Damaged {
        path: table.path().to_owned(),
        place: format!("section `{}`", section_name(side, "")),
        problem: format!("there is no history {number}"),
    }
}
