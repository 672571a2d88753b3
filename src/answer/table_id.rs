//! What tells one table from all others.

use serde_json::{Map, Value};

use crate::{index::Material, rules::Game, table::Description};

/// What tells one table from all others.
#[derive(Clone, PartialEq, Debug)]
#[non_exhaustive]
pub struct TableId {
    /// The game's name.
    pub game: &'static str,
    /// The rule options.
    pub options: Map<String, Value>,
    /// The men, as the table is named.
    pub material: Material,
}

impl TableId {
    /// The table of a game, with its options, and a material named as the game names it.
    pub fn new<G: Game>(game: &G, material: Material) -> TableId {
        TableId { game: G::NAME, options: game.options(), material }
    }

    /// What the header of its file says of it.
    pub(crate) fn description(&self) -> Description {
        Description {
            game: self.game.to_owned(),
            options: self.options.clone(),
            material: self.material.to_string(),
            ..Description::default()
        }
    }
}
