//! The tables a solver looks into.

use std::sync::Arc;

use rustc_hash::{FxHashMap, FxHashSet};

use super::{
    links::{DropLink, Links},
    values::{PageId, Values},
};
use crate::{
    answer::{
        place::Entry,
        score::{Score, Store},
    },
    board::Color,
    index::Material,
};

/// The tables a solver looks into, by material.
pub struct Library<S> {
    /// Each with as many as it has answers for a position.
    tables: FxHashMap<Material, Vec<Arc<Values<S>>>>,
    /// Pages that are not here now; turns that lead to them are met another time.
    pub elsewhere: FxHashSet<PageId>,
    /// Whether turns are met whose position is looked up.
    pub plain: bool,
    /// Whether turns are met whose position is looked ahead.
    pub passing: bool,
}

impl<S> Library<S> {
    /// No tables yet.
    pub fn new() -> Library<S> {
        Library {
            tables: FxHashMap::default(),
            elsewhere: FxHashSet::default(),
            plain: true,
            passing: true,
        }
    }

    /// Adds the next mode of a table, which may still be in the making.
    pub fn add(&mut self, material: Material, values: Arc<Values<S>>) {
        self.tables.entry(material).or_default().push(values);
    }

    /// Every table, mode by mode.
    pub fn iter(&self) -> impl Iterator<Item = (&Material, &[Arc<Values<S>>])> {
        self.tables.iter().map(|(material, modes)| (material, modes.as_slice()))
    }

    /// The table of a material, mode by mode.
    pub fn get(&self, material: &Material) -> Option<&[Arc<Values<S>>]> {
        self.tables.get(material).map(Vec::as_slice)
    }
}

impl<S: Store> Library<S> {
    /// The score of an entry of a mode of the table with this material; `None` if its page is
    /// elsewhere now.
    ///
    /// # Panics
    /// If it is not there at all, or leading Kings stand side by side.
    #[inline]
    pub fn find(
        &self,
        table: (&Material, usize),
        values: &Values<S>,
        entry: &Entry,
    ) -> Option<Score> {
        let number = values.index.encode(&entry.squares).expect("Kings apart");
        let score = self.score(table, values, (entry.side, number))?;
        Some(if entry.swapped { score.swap_colors() } else { score })
    }

    /// The same for a side to move and a number, as the table sees them.
    ///
    /// # Panics
    /// If the page is not there at all.
    #[inline]
    pub fn score(
        &self,
        (material, mode): (&Material, usize),
        values: &Values<S>,
        (side, number): (Color, u64),
    ) -> Option<Score> {
        let Some(cell) = values.find(side, number) else {
            let structure = (number / values.index.structure_range(0).end) as usize;
            let page = PageId { material: *material, structure, mode, side };
            assert!(self.elsewhere.contains(&page), "solved before it is needed: {page:?}");
            return None;
        };
        Some(cell.score())
    }
}

/// The tables that turns lead to, each with its modes.
pub type LadderLinks<S> = Links<Vec<Arc<Values<S>>>>;

/// The table that dropping a man leads to, with its modes.
pub type LadderDrop<S> = DropLink<Vec<Arc<Values<S>>>>;

/// The score of an entry.
///
/// # Panics
/// If leading Kings stand side by side.
pub fn read<S: Store>(values: &Values<S>, entry: &Entry) -> Score {
    let score = values.at(entry.side, &entry.squares).expect("Kings apart").score();
    if entry.swapped { score.swap_colors() } else { score }
}
