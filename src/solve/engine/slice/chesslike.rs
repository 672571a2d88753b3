//! How the men of a game move, and how its positions are numbered.

use crate::{
    answer::place::chess_group,
    board::Group,
    index::{Index, Material, Structures},
    rules::Laws,
};

/// A game whose pieces move as in chess.
pub trait Chesslike: Sync {
    /// What departs from orthodox moves.
    fn laws(&self) -> Laws {
        Laws::ORTHODOX
    }

    /// Whether one table serves a material and its colour swap.
    fn swaps_colors(&self) -> bool;

    /// The symmetries that make positions share a number.
    fn group(&self, material: &Material) -> Group {
        chess_group(material)
    }

    /// How the positions of a material are numbered.
    fn index(&self, material: &Material) -> Index {
        Index::new(material, self.group(material))
    }

    /// How many numbers that gives.
    fn numbers(&self, material: &Material) -> u64 {
        Index::count(material, self.group(material))
    }

    /// How many numbers a pawn structure has.
    fn slice_numbers(&self, material: &Material) -> u64 {
        let [white, black] = material.pawns();
        match material.has_pawns() {
            true => {
                self.numbers(material) / Structures::count_of(white, black, self.group(material))
            }
            false => self.numbers(material),
        }
    }
}
