//! The tables of Norochess, page by page, and what their numbers stand for.

use std::sync::{Arc, Mutex, PoisonError};

use rustc_hash::FxHashMap;

use super::library::{Dictionaries, HistoryDictionary};
use crate::{
    answer::{
        noro::{Layers, histories, index},
        sections::{section_name, sized_stretches},
    },
    board::Color,
    index::{Index, Material},
    lock::lock,
    rules::{Laws, Noro},
    solve::engine::{entries::Numbers, ladder_game::Chesslike, paged::Paged},
    table::{Cells, Stretches, Table, TableError},
};

/// Norochess with the dictionaries of the tables that were opened, and of the one in the making.
///
/// Pages hold numbers. A dictionary belongs to a whole table, so tables have one part.
pub struct NoroTables<'a> {
    /// The game.
    pub noro: &'a Noro,
    dictionaries: Mutex<FxHashMap<Material, Arc<Dictionaries>>>,
}

impl<'a> NoroTables<'a> {
    /// No dictionaries yet.
    pub fn new(noro: &'a Noro) -> NoroTables<'a> {
        NoroTables { noro, dictionaries: Mutex::default() }
    }

    /// What the numbers of a table stand for; nothing yet if it has not been opened.
    pub fn dictionaries(&self, material: &Material) -> Arc<Dictionaries> {
        let mut all = lock(&self.dictionaries);
        all.entry(*material).or_default().clone()
    }

    /// How the plies of its games are sorted.
    pub fn layers(&self) -> Layers {
        Layers::of(self.noro)
    }
}

impl Chesslike for NoroTables<'_> {
    fn laws(&self) -> Laws {
        Noro::LAWS
    }

    fn swaps_colors(&self) -> bool {
        false
    }

    fn index(&self, material: &Material) -> Index {
        index(material)
    }

    fn numbers(&self, material: &Material) -> u64 {
        Index::count_with_common_kings(material, self.group(material))
    }
}

impl Paged for NoroTables<'_> {
    type Game = Noro;
    type Cell = u32;
    type Meanings = Numbers;
    const IN_PARTS: bool = false;

    fn game(&self) -> &Noro {
        self.noro
    }

    fn stretches(
        &self,
        table: &Table,
        material: &Material,
        (_, side): (usize, Color),
        entries: u64,
    ) -> Result<Stretches, TableError> {
        let codes = histories(table, side, self.layers(), entries)?.read_all()?;
        let dictionaries = self.dictionaries(material);
        let mut dictionary =
            dictionaries[side.index()].write().unwrap_or_else(PoisonError::into_inner);
        *dictionary = HistoryDictionary::finished(codes);
        sized_stretches(table, &section_name(side, ""), entries)
    }

    fn meanings(&self, _: &Cells, material: &Material, (_, side): (usize, Color)) -> Numbers {
        let dictionaries = self.dictionaries(material);
        let dictionary = dictionaries[side.index()].read().unwrap_or_else(PoisonError::into_inner);
        Numbers(dictionary.count(self.layers().of_side(side)) as u32)
    }

    fn has_ended(&self, material: &Material) -> bool {
        Color::ALL.into_iter().any(|color| material.men_of(color) == 0)
    }
}
