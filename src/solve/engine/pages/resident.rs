//! The tables a solver looks into.

use std::sync::Arc;

use rustc_hash::{FxHashMap, FxHashSet};

use super::{
    links::{DropLink, Links},
    table_pages::{Page, PageId, TablePages},
};
use crate::{
    answer::{
        place::{Entry, turn_of},
        score::{Score, Store},
    },
    board::{Bitboard, Color, Role, Square},
    index::Material,
};

/// The tables a solver looks into, by material.
pub struct ResidentPages<S> {
    /// Each with as many as it has answers for a position.
    pub(super) tables: FxHashMap<Material, Vec<Arc<TablePages<S>>>>,
    /// Pages that are not here now; turns that lead to them are met another time.
    pub(super) elsewhere: FxHashSet<PageId>,
    /// Whether turns are met whose position is looked up.
    pub plain: bool,
    /// Whether turns are met whose position is looked ahead.
    pub passing: bool,
}

impl<S> ResidentPages<S> {
    /// Every table, mode by mode.
    pub fn iter(&self) -> impl Iterator<Item = (&Material, &[Arc<TablePages<S>>])> {
        self.tables.iter().map(|(material, modes)| (material, modes.as_slice()))
    }

    /// The table of a material, mode by mode.
    pub fn get(&self, material: &Material) -> Option<&[Arc<TablePages<S>>]> {
        self.tables.get(material).map(Vec::as_slice)
    }
}

impl<S: Store> ResidentPages<S> {
    /// The score of an entry of a mode of the table with this material; `None` if its page is
    /// elsewhere now.
    ///
    /// # Panics
    /// If it is not there at all, or leading Kings stand side by side.
    #[inline]
    pub fn find(
        &self,
        table: (&Material, usize),
        values: &TablePages<S>,
        entry: &Entry,
    ) -> Option<Score> {
        let number = values.index.encode(&entry.squares).expect("Kings apart");
        let score = self.score(table, values, (entry.side, number))?;
        Some(if entry.swapped { score.swap_colors() } else { score })
    }

    /// Calls `meet` with the scores of the entries that differ in the square of one man: `lanes`
    /// are the squares it can stand on, as they are seen where the turn comes from.
    ///
    /// # Panics
    /// As [`find`](ResidentPages::find).
    #[inline]
    pub fn find_row(
        &self,
        table: (&Material, usize),
        values: &TablePages<S>,
        (entry, man): (&Entry, usize),
        lanes: Bitboard,
        mut meet: impl FnMut(Bitboard, Score),
    ) {
        let index = &values.index;
        let turn = turn_of(entry.swapped, index.size());
        let mut squares = entry.squares;
        if index.men()[man].role == Role::Pawn {
            for lane in lanes {
                squares[man] = turn.image(lane);
                if let Some(score) = self.find(table, values, &Entry { squares, ..*entry }) {
                    meet(lane.bit(), score);
                }
            }
            return;
        }
        // All are on one page.
        let (structure, symmetry) = index.structure_of(&squares);
        let Some(page) = self.page(table, values, structure, entry.side) else { return };
        let mut meet_number = |lane: Square, number: u64| {
            let score = page[number as usize].score();
            meet(lane.bit(), if entry.swapped { score.swap_colors() } else { score });
        };
        match index.line_beside(&squares, man, symmetry) {
            Some(line) => {
                let line = line.seen_through(turn);
                lanes.for_each(|lane| meet_number(lane, line.at(lane)));
            }
            None => lanes.for_each(|lane| {
                squares[man] = turn.image(lane);
                let (number, _) = index.encode_beside(&squares, symmetry).expect("Kings apart");
                meet_number(lane, number);
            }),
        }
    }

    /// A page of a table; `None` if it is elsewhere now.
    ///
    /// # Panics
    /// If it is not there at all.
    #[inline]
    fn page<'v>(
        &self,
        (material, mode): (&Material, usize),
        values: &'v TablePages<S>,
        structure: usize,
        side: Color,
    ) -> Option<&'v Page<S>> {
        let page = values.page(structure, side);
        if page.is_none() {
            let id = PageId { material: *material, structure, mode, side };
            assert!(self.elsewhere.contains(&id), "solved before it is needed: {id:?}");
        }
        page
    }

    /// The score for a side to move and a number, as the table sees them.
    ///
    /// # Panics
    /// If the page is not there at all.
    #[inline]
    pub fn score(
        &self,
        table: (&Material, usize),
        values: &TablePages<S>,
        (side, number): (Color, u64),
    ) -> Option<Score> {
        let size = values.index.structure_range(0).end;
        let page = self.page(table, values, (number / size) as usize, side)?;
        let cell = page[(number % size) as usize];
        Some(cell.score())
    }
}

/// The tables that turns lead to, each with its modes.
pub type LadderLinks<S> = Links<Vec<Arc<TablePages<S>>>>;

/// The table that dropping a man leads to, with its modes.
pub type LadderDrop<S> = DropLink<Vec<Arc<TablePages<S>>>>;

/// The score of an entry.
///
/// # Panics
/// If leading Kings stand side by side.
pub fn read<S: Store>(values: &TablePages<S>, entry: &Entry) -> Score {
    let score = values.at(entry.side, &entry.squares).expect("Kings apart").score();
    if entry.swapped { score.swap_colors() } else { score }
}
