//! The games that have tables of both kinds.

use anyhow::{Context, Result};
use finale::rules::{Game as _, Variant};

/// A game that has tables of both kinds.
#[derive(Copy, Clone, PartialEq, Eq, Debug, clap::ValueEnum)]
pub enum Game {
    Orthodox,
    Atomic,
    /// Syzygy's giveaway, in which a player without a turn wins
    Antichess,
    /// Syzygy's, in which a bare King has lost unless it takes the last man at once
    Shatranj,
}

impl Game {
    /// The game as finale plays it.
    pub fn variant(self) -> Result<Variant> {
        let name = self.name();
        Variant::named(name).with_context(|| format!("finale has no game {name}"))
    }

    /// The name of the folder with finale's tables.
    pub fn name(self) -> &'static str {
        match self {
            Game::Orthodox => "orthodox",
            Game::Atomic => "atomic",
            Game::Antichess => "antichess",
            Game::Shatranj => "shatranj",
        }
    }

    /// The fewest men of a table that is compared. Two Kings draw in all games but Antichess, and
    /// that is not written down.
    pub fn fewest_men(self) -> usize {
        if self == Game::Antichess { 2 } else { 3 }
    }
}
