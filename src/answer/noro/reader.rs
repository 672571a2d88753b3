//! An open table.

use rustc_hash::FxHashSet;

use super::{history::History, layers::Layers, margins::Differences};
use crate::{
    answer::{
        place::{chess_group, known_entry},
        sections::{only_side, section_name, sized_stretches, stores, table_material},
    },
    board::{Board, ByColor, Color, Square},
    index::{Index, MAX_MEN, Material},
    table::{Cells, Stretches, Table, TableError},
};

/// How the positions of a material are numbered: Kings are men like others.
pub(crate) fn index(material: &Material) -> Index {
    Index::with_common_kings(material, chess_group(material))
}

/// Where a history of a table is, which any number of positions may have.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(super) struct HistoryPlace {
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
    /// The history of the position in which the man on a square stands on a free one instead, with
    /// a side to move that is stored.
    pub(super) fn moved(
        &self,
        (from, to): (Square, Square),
        to_move: Color,
    ) -> Result<HistoryPlace, TableError> {
        let moved = self.squares.map(|square| if square == from { to } else { square });
        self.reader.place(self.reader.stored(to_move), &moved)
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
    /// The score differences that are told apart, if it has margins.
    differences: Option<Differences>,
    /// By side to move; none of a side that is not stored.
    sides: ByColor<Option<SideHistories>>,
}

/// The positions with a side to move.
#[derive(Debug)]
struct SideHistories {
    numbers: Stretches,
    /// Of each stretch of the numbers.
    histories: Vec<Cells>,
}

impl NoroReader {
    /// Makes a table ready to answer.
    ///
    /// # Errors
    /// If it lacks a section, or one has the wrong size.
    pub(super) fn open(table: &Table, layers: Layers) -> Result<NoroReader, TableError> {
        let material = table_material(table)?;
        let (index, differences) = (index(&material), Differences::told(table, &material));
        let only = only_side(table)?;
        let mut sides = ByColor::new(|_| None);
        for side in Color::ALL.into_iter().filter(|&side| stores(only, side)) {
            let numbers = sized_stretches(table, &section_name(side, ""), index.len())?;
            let of_stretch = |(n, (_, cells)): (_, (_, &Cells))| {
                let length = Differences::codes(differences, layers, side);
                histories(table, (side, length), n, cells.entries())
            };
            let histories = numbers.iter().enumerate().map(of_stretch).collect::<Result<_, _>>()?;
            sides[side] = Some(SideHistories { numbers, histories });
        }
        Ok(NoroReader { sides, table: table.clone(), index, layers, differences })
    }

    /// How positions are numbered.
    pub(super) fn index(&self) -> &Index {
        &self.index
    }

    /// How many cells there are, both sides to move counted.
    pub(super) fn cells(&self) -> u64 {
        2 * self.index.len()
    }

    /// Whether it stores the positions with this side to move.
    pub(super) fn stores(&self, side: Color) -> bool {
        self.sides[side].is_some()
    }

    /// How many different histories positions have, by side to move; none of a side that is not
    /// stored.
    ///
    /// # Errors
    /// If a table that was built in parts, whose stretches each have their own, is damaged.
    pub fn histories(&self) -> Result<ByColor<Option<u64>>, TableError> {
        let mut counts = ByColor::both(None);
        for side in Color::ALL {
            let Some(SideHistories { histories, .. }) = &self.sides[side] else { continue };
            let length = self.length(side);
            counts[side] = match &histories[..] {
                [all] => Some(all.entries() / length as u64),
                stretches => {
                    let read = stretches.iter().map(Cells::read_all);
                    let read = read.collect::<Result<Vec<_>, TableError>>()?;
                    let different: FxHashSet<&[u8]> =
                        read.iter().flat_map(|codes| codes.chunks_exact(length)).collect();
                    Some(different.len() as u64)
                }
            };
        }
        Ok(counts)
    }

    /// How many codes a history with this side to move has.
    fn length(&self, side: Color) -> usize {
        Differences::codes(self.differences, self.layers, side)
    }

    /// The history of the position with these men, which must be those of the table, if it is
    /// stored.
    pub(super) fn position(
        &self,
        board: &Board,
        to_move: Color,
    ) -> Result<Option<History>, TableError> {
        let Some(side) = &self.sides[to_move] else { return Ok(None) };
        let place = self.place(side, &self.squares(board))?;
        self.history(place, to_move).map(Some)
    }

    /// The position with these men, which must be those of the table.
    pub(super) fn standing(&self, board: &Board) -> Standing<'_> {
        Standing { reader: self, squares: self.squares(board) }
    }

    fn stored(&self, side: Color) -> &SideHistories {
        self.sides[side].as_ref().expect("who asks knows that it is stored")
    }

    fn squares(&self, board: &Board) -> [Square; MAX_MEN] {
        known_entry(self.index.men(), board, Color::White, false).squares
    }

    /// Where the history of the position with the men on these squares is.
    fn place(
        &self,
        side: &SideHistories,
        squares: &[Square; MAX_MEN],
    ) -> Result<HistoryPlace, TableError> {
        let position = self.index.encode(&squares[..self.index.men().len()]);
        let position = position.expect("men can stand anywhere");
        let (stretch, number) = side.numbers.get_of_stretch(position)?;
        Ok(HistoryPlace { stretch, number })
    }

    /// A history of a side that is stored.
    pub(super) fn history(
        &self,
        place: HistoryPlace,
        to_move: Color,
    ) -> Result<History, TableError> {
        let mut codes = Vec::new();
        self.read_history(place, to_move, &mut codes)?;
        Ok(History { differences: self.differences, codes })
    }

    /// Puts the codes of a history of a side that is stored in the place of others.
    pub(super) fn read_history(
        &self,
        HistoryPlace { stretch, number }: HistoryPlace,
        to_move: Color,
        codes: &mut Vec<u8>,
    ) -> Result<(), TableError> {
        let histories = &self.stored(to_move).histories[stretch];
        codes.resize(self.length(to_move), 0);
        let first = u64::from(number) * codes.len() as u64;
        // These are whole histories.
        if first >= histories.entries() {
            return Err(no_history(&self.table, to_move, number));
        }
        histories.read_from(first, codes)
    }
}

/// The histories of a stretch with a side to move, each of so many codes: whole ones, and no more
/// than one for each of its positions.
pub(crate) fn histories(
    table: &Table,
    (side, length): (Color, usize),
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
    let length = length as u64;
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
