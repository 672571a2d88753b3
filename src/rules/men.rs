//! The men a game is played with, and how many there are.

use crate::board::{Board, Color, Role};

/// The men of orthodox chess.
pub const ORTHODOX_ROLES: [Role; 6] =
    [Role::King, Role::Queen, Role::Rook, Role::Bishop, Role::Knight, Role::Pawn];

/// How many men of a role a side has.
pub trait CountMen {
    /// How many there are.
    fn count_men(&self, color: Color, role: Role) -> usize;

    /// How many men a side has in all.
    fn count_all(&self, color: Color) -> usize {
        Role::ALL.into_iter().map(|role| self.count_men(color, role)).sum()
    }
}

impl CountMen for Board {
    fn count_men(&self, color: Color, role: Role) -> usize {
        self.men(color, role).len()
    }
}
