//! How much a table says of its positions.

use std::fmt;

/// How much a table says of its positions.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[non_exhaustive]
pub enum Contents {
    /// Who wins, by how much, or from which counters on; not how long it takes.
    Result,
    /// Also how many plies it takes.
    Distance,
}

impl Contents {
    /// Its name in commands and JSON: `result` or `distance`.
    pub const fn name(self) -> &'static str {
        match self {
            Contents::Result => "result",
            Contents::Distance => "distance",
        }
    }
}

impl fmt::Display for Contents {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}
