//! How far away something is.

use std::{cmp::Ordering, fmt};

use serde::Serialize;

/// A number of plies: turns of either side.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default, Serialize)]
#[serde(transparent)]
pub struct Plies(pub u16);

impl Plies {
    /// The game is over, or what is counted has just happened.
    pub const ZERO: Plies = Plies(0);

    /// One ply more, up to 65,535.
    pub const fn later(self) -> Plies {
        Plies(self.0.saturating_add(1))
    }

    /// The turns of the side to move among them, when it makes the first: half of them, rounded up.
    pub const fn moves(self) -> u16 {
        self.0.div_ceil(2)
    }
}

/// Which of two distances of the same value a side likes better that hurries, or delays; one that
/// is not known comes after the others.
#[inline]
pub(crate) fn prefer_distance<D: Ord>(hurries: bool, a: Option<D>, b: Option<D>) -> Ordering {
    match (hurries, a, b) {
        (true, Some(a), Some(b)) => b.cmp(&a),
        (_, a, b) => a.cmp(&b),
    }
}

impl fmt::Display for Plies {
    /// The number alone.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}
