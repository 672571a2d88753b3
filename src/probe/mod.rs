//! Answers from tables.
//!
//! A [`Tablebase`] opens the tables of one game in a folder as they are asked for, and answers any
//! position they cover, from any number of threads.

mod survey;
mod verify;

use std::{
    collections::HashMap,
    path::PathBuf,
    sync::{Arc, RwLock},
};

pub use verify::{Mismatch, Verified};

use crate::{
    index::Material,
    solve::{Shelf, ShelfError, Solve, Unanswerable},
    table::{BlockCache, TableError},
};

/// Why a position could not be answered.
#[derive(Debug, thiserror::Error)]
pub enum ProbeError {
    /// No table covers such positions.
    #[error(transparent)]
    Unanswerable(#[from] Unanswerable),
    /// Its table is not at hand.
    #[error(transparent)]
    Shelf(#[from] ShelfError),
    /// Its table is damaged.
    #[error(transparent)]
    Table(#[from] TableError),
}

impl ProbeError {
    /// The material whose table is missing, if that is the reason.
    pub fn missing(&self) -> Option<Material> {
        match self {
            ProbeError::Shelf(ShelfError::Missing { material, .. }) => Some(*material),
            _ => None,
        }
    }
}

/// A turn with what it leads to.
#[derive(Clone, PartialEq, Debug)]
pub struct Ranked<G: Solve> {
    /// The turn.
    pub turn: G::Turn,
    /// The position after it.
    pub after: G::Position,
    /// What the tables say of that position.
    pub answer: G::Answer,
    /// What the turn makes of the position before it.
    pub worth: G::Answer,
}

/// The tables of one game in a folder.
pub struct Tablebase<G: Solve> {
    game: G,
    shelf: Shelf,
    readers: RwLock<HashMap<Material, Arc<G::Reader>, rustc_hash::FxBuildHasher>>,
}

impl<G: Solve> Tablebase<G> {
    /// The tables of `game` in `folder`, with up to 64 MiB of unpacked blocks in memory.
    ///
    /// The folder is looked into only when a position is asked for.
    pub fn new(game: G, folder: impl Into<PathBuf>) -> Tablebase<G> {
        Tablebase::with_cache(game, folder, BlockCache::default())
    }

    /// The same with a cache of your own, which may serve other tablebases too.
    pub fn with_cache(game: G, folder: impl Into<PathBuf>, cache: BlockCache) -> Tablebase<G> {
        Tablebase { game, shelf: Shelf::new(folder, cache), readers: RwLock::default() }
    }

    /// The game.
    pub fn game(&self) -> &G {
        &self.game
    }

    /// The folder of tables.
    pub fn shelf(&self) -> &Shelf {
        &self.shelf
    }

    /// What best play makes of a position.
    ///
    /// # Errors
    /// If no table covers the position, or its table is missing, of other options, or damaged. The
    /// same goes for the tables that its turns lead to, as far as its own leaves them out, and for
    /// all of them if the position is looked ahead.
    pub fn answer(&self, position: &G::Position) -> Result<G::Answer, ProbeError> {
        if let Some(answer) = self.game.without_table(position) {
            return Ok(answer);
        }
        if self.game.is_looked_ahead(position) {
            return self.look_ahead(position);
        }
        let material = self.game.material_of(position)?;
        let reader = self.reader(&material)?;
        let stored = self.game.read(&reader, position)?;
        let turns = self.game.left_out(position);
        if turns.is_empty() {
            return Ok(stored);
        }
        let reached = self.after(position, turns)?;
        Ok(if self.game.prefer(position, &reached, &stored).is_gt() { reached } else { stored })
    }

    /// What best play makes of a position, from the positions after each turn.
    ///
    /// # Errors
    /// As [`answer`](Tablebase::answer), for any of those positions.
    pub fn look_ahead(&self, position: &G::Position) -> Result<G::Answer, ProbeError> {
        self.after(position, self.game.turns(position))
    }

    /// What the positions after some turns make of the one before.
    fn after(&self, position: &G::Position, turns: Vec<G::Turn>) -> Result<G::Answer, ProbeError> {
        let mut options = Vec::with_capacity(turns.len());
        for turn in turns {
            let after = self.game.play(position, turn);
            options.push((turn, self.answer(&after)?));
        }
        Ok(self.game.backup(position, &options))
    }

    /// Every turn with what it leads to, best first; like turns keep the order of the rules.
    ///
    /// # Errors
    /// As [`answer`](Tablebase::answer), for any of the positions after a turn.
    pub fn ranked(&self, position: &G::Position) -> Result<Vec<Ranked<G>>, ProbeError> {
        let mut ranked = Vec::new();
        for turn in self.game.turns(position) {
            let after = self.game.play(position, turn);
            let answer = self.answer(&after)?;
            let worth = self.game.backup(position, &[(turn, answer.clone())]);
            ranked.push(Ranked { turn, after, answer, worth });
        }
        ranked.sort_by(|a, b| self.game.prefer(position, &b.worth, &a.worth));
        Ok(ranked)
    }

    /// The open table of a material, as [`Solve::table_id`] names it.
    ///
    /// # Errors
    /// If it is missing, of other options, or damaged.
    pub fn reader(&self, material: &Material) -> Result<Arc<G::Reader>, ProbeError> {
        let poisoned = "no reader of tables panics";
        if let Some(reader) = self.readers.read().expect(poisoned).get(material) {
            return Ok(reader.clone());
        }
        let id = self.game.table_id(material).map_err(Unanswerable::from)?;
        let reader = Arc::new(self.game.open(&self.shelf.open(&id)?)?);
        self.readers.write().expect(poisoned).insert(*material, reader.clone());
        Ok(reader)
    }
}
