//! What is to be built.

use crate::{
    answer::{Contents, Tabled},
    index::Material,
};

/// What is to be built: the table of some men that holds so much.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug)]
#[non_exhaustive]
pub struct Goal {
    /// The men, as the table is [named](Tabled::named).
    pub material: Material,
    /// How much it holds.
    pub contents: Contents,
}

impl Goal {
    /// The table of a material, which must be [named](Tabled::named) already, with the contents
    /// that are `wanted`, or with those that the game's tables usually have if they cannot have
    /// these.
    pub fn new<G: Tabled>(_: &G, named: Material, wanted: Contents) -> Goal {
        let contents = if G::CONTENTS.contains(&wanted) { wanted } else { G::CONTENTS[0] };
        Goal { material: named, contents }
    }
}
