//! What is to be built.

use crate::{answer::Contents, index::Material, probe::Catalogue};

/// What is to be built: the table of some men that holds so much.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug)]
#[non_exhaustive]
pub struct Goal {
    /// The men, as the table is [named](Catalogue::named).
    pub material: Material,
    /// How much it holds.
    pub contents: Contents,
}

impl Goal {
    /// The table of a material, which must be [named](Catalogue::named) already, with the contents
    /// that are `wanted`, or with those that the game's tables usually have if they cannot have
    /// these.
    pub fn new(game: &dyn Catalogue, named: Material, wanted: Contents) -> Goal {
        let there = game.contents();
        let contents = if there.contains(&wanted) { wanted } else { there[0] };
        Goal { material: named, contents }
    }
}
