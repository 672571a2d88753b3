//! The tables a solver looks into.

use std::sync::Arc;

use rustc_hash::FxHashMap;

use super::{links::Links, values::Values};
use crate::{
    answer::{
        place::Entry,
        score::{Score, Store},
    },
    index::Material,
};

/// The tables a solver looks into, by material.
pub struct Library<S> {
    /// Each with as many as it has answers for a position.
    tables: FxHashMap<Material, Vec<Arc<Values<S>>>>,
}

impl<S: Store> Library<S> {
    /// No tables yet.
    pub fn new() -> Library<S> {
        Library { tables: FxHashMap::default() }
    }

    /// Adds the next mode of a table, which may still be in the making.
    pub fn add(&mut self, material: Material, values: Arc<Values<S>>) {
        self.tables.entry(material).or_default().push(values);
    }

    /// The table of a material, mode by mode.
    pub fn get(&self, material: &Material) -> Option<&[Arc<Values<S>>]> {
        self.tables.get(material).map(Vec::as_slice)
    }
}

/// The tables that turns lead to, each with its modes.
pub type LadderLinks<S> = Links<Vec<Arc<Values<S>>>>;

/// The score of an entry.
///
/// # Panics
/// If leading Kings stand side by side.
pub fn read<S: Store>(values: &Values<S>, entry: &Entry) -> Score {
    let score = values.at(entry.side, &entry.squares).expect("Kings apart").score();
    if entry.swapped { score.swap_colors() } else { score }
}
