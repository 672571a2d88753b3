//! What vital turns lead to: other slices and tables, of which a little a position matters, its
//! *landing*.

use std::sync::Arc;

use rustc_hash::FxHashMap;

use crate::{
    answer::place::{board_entry, entry_number},
    board::{ByColor, Color, Square},
    index::Material,
    rules::{Game, High, HighPosition, Laws, Setup},
    solve::engine::{
        pages::{Links, TablePages},
        slice::{Conversion, Slice, passing_setup},
    },
};

/// What a landing says.
pub(super) trait Landings {
    /// What is kept of a position.
    type Landing: bytemuck::Pod + Send + Sync;

    /// The landing of a position in which every turn is vital, from those `after` each turn.
    fn best(&self, to_move: Color, after: impl Iterator<Item = Self::Landing>) -> Self::Landing;
}

/// The landings of tables.
pub(super) type LandingTables<L> = FxHashMap<Material, Arc<TablePages<L>>>;

/// Everything the slices of a material look into.
pub(super) struct Ahead<'a, L: Landings> {
    pub game: &'a High,
    pub landings: L,
    tables: &'a LandingTables<L::Landing>,
    links: Links<Arc<TablePages<L::Landing>>>,
}

impl<'a, L: Landings> Ahead<'a, L> {
    /// The turns of a material lead to some of `tables`, its own among them.
    pub fn new(
        game: &'a High,
        material: &Material,
        landings: L,
        tables: &'a LandingTables<L::Landing>,
    ) -> Self {
        let links = Links::new(&material.men(), &Laws::ORTHODOX, false, |m| tables.get(m).cloned());
        Ahead { game, landings, tables, links }
    }

    /// The landing of a vital turn of `side` from these squares.
    pub fn landing(
        &self,
        slice: &Slice,
        turn: &Conversion,
        side: Color,
        squares: &[Square],
    ) -> L::Landing {
        if turn.en_passant.is_some() {
            return self.look_up(&passing_setup(slice, turn, side, squares));
        }
        let (link, values) = self.links.get(turn).expect("a table of every successor");
        let entry = link.entry(!side, squares);
        values.at(entry.side, &entry.squares).expect("Kings apart")
    }

    /// The landing of any position. Where a pawn can be taken in passing every turn is vital, so
    /// the landings after it are all it takes.
    fn look_up(&self, setup: &Setup) -> L::Landing {
        if setup.en_passant.is_none() {
            let values = &self.tables[&Material::of(&setup.board)];
            let entry = board_entry(&setup.board, setup.to_move, false);
            return values.get(entry.side, entry_number(&values.index, &entry));
        }
        let full = self.game.vitality.points();
        let position = HighPosition { setup: setup.clone(), vitality: ByColor::both(full) };
        let turns = self.game.turns(&position).into_iter();
        let after = turns.map(|turn| self.look_up(&self.game.play(&position, turn).setup));
        self.landings.best(setup.to_move, after)
    }
}
