//! A turn of a line.

use crate::answer::Tabled;

/// One turn of a line.
#[derive(Clone, PartialEq, Debug)]
pub struct LinePly<G: Tabled> {
    /// The position before the turn.
    pub before: G::Position,
    /// The turn.
    pub turn: G::Turn,
    /// The position after it.
    pub after: G::Position,
    /// What the tables say of that position.
    pub answer: G::Answer,
}
