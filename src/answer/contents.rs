//! How much a table says of its positions.

use std::{fmt, str::FromStr};

/// How much a table says of its positions; of those that a game has, a greater one says all that a
/// lesser one does.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[non_exhaustive]
pub enum Contents {
    /// Who wins, by how much, or from which counters on; not how long it takes.
    Result,
    /// Also how many plies it takes.
    Distance,
    /// Also the points by which the game ends, if both sides play for them once they know who wins.
    Points,
}

impl Contents {
    /// All there are, the one that says least first.
    pub const ALL: [Contents; 3] = [Contents::Result, Contents::Distance, Contents::Points];

    /// Its name in commands, file names, headers and JSON: `result`, `distance` or `points`.
    pub const fn name(self) -> &'static str {
        match self {
            Contents::Result => "result",
            Contents::Distance => "distance",
            Contents::Points => "points",
        }
    }
}

impl fmt::Display for Contents {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// Tables of a game cannot hold so much, or so little.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error(
    "there are no tables of {contents} for {game}; they are of {}",
    there.iter().map(|contents| contents.name()).collect::<Vec<_>>().join(" or ")
)]
pub struct UnfitContents {
    /// What was asked for.
    pub contents: Contents,
    /// The game's name.
    pub game: &'static str,
    /// What its tables can hold.
    pub there: &'static [Contents],
}

/// There are no contents of this name.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("there are no tables of `{name}`; they are of {}", Contents::ALL.map(Contents::name).join(" or "))]
pub struct UnknownContents {
    /// What was written.
    pub name: String,
}

impl FromStr for Contents {
    type Err = UnknownContents;

    fn from_str(text: &str) -> Result<Contents, UnknownContents> {
        let named = Contents::ALL.into_iter().find(|contents| contents.name() == text);
        named.ok_or_else(|| UnknownContents { name: text.to_owned() })
    }
}
