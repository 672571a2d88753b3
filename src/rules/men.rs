//! The men a game is played with, and how many there are.

use crate::board::{Board, Color, Man, Role};

/// How many men of a role a side has.
pub trait CountMen {
    /// How many there are.
    fn count_men(&self, color: Color, role: Role) -> usize;

    /// How many men a side has in all.
    fn count_all(&self, color: Color) -> usize;
}

impl CountMen for Board {
    #[inline]
    fn count_men(&self, color: Color, role: Role) -> usize {
        self.men(color, role).len()
    }

    fn count_all(&self, color: Color) -> usize {
        self.of(color).len()
    }
}

impl CountMen for [Man] {
    fn count_men(&self, color: Color, role: Role) -> usize {
        self.iter().filter(|&&man| man == Man { color, role }).count()
    }

    fn count_all(&self, color: Color) -> usize {
        self.iter().filter(|man| man.color == color).count()
    }
}
