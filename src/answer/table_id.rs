//! What tells one table from all others.

use serde_json::{Map, Value};

use crate::{index::Material, rules::Game};

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
}
