//! What is known of a slice without looking into it: its men, and where its pawns stand.

use crate::{
    board::{Bitboard, BoardSize, ByColor, Color, Man, Role, Square, Symmetry},
    index::Material,
};

/// The men of a slice: which there are, and where the pawns stand.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug)]
pub struct Outline {
    pub material: Material,
    /// White's and Black's pawns.
    pub pawns: ByColor<Bitboard>,
}

impl Outline {
    /// The same with the sides exchanged and the board, which has this size, turned by half.
    pub fn swap_colors(&self, size: BoardSize) -> Outline {
        let half_turn = Symmetry::HALF_TURN.on(size);
        let ByColor { white, black } = self.pawns.map(|pawns| half_turn.image_of_set(pawns));
        Outline {
            material: self.material.swap_colors(),
            pawns: ByColor { white: black, black: white },
        }
    }

    /// Whether a side has any men but pawns.
    pub fn has_pieces(&self, side: Color) -> bool {
        self.material.roles(side).any(|role| role != Role::Pawn)
    }

    /// The same with another man.
    pub fn with(mut self, man: Man) -> Outline {
        self.material.add(man);
        self
    }

    /// The same without a man.
    pub fn without(mut self, man: Man) -> Outline {
        self.material.remove(man);
        self
    }

    /// The same with another pawn, on a square.
    pub fn with_pawn(self, color: Color, at: Square) -> Outline {
        let mut after = self.with(Man::new(color, Role::Pawn));
        after.pawns[color] |= at.bit();
        after
    }

    /// The same without the pawn on a square.
    pub fn without_pawn(self, color: Color, at: Square) -> Outline {
        let mut after = self.without(Man::new(color, Role::Pawn));
        after.pawns[color] &= !at.bit();
        after
    }
}

/// The turns of a game in which men are dropped from a reserve.
pub trait Drops {
    /// Whether a side with such men makes no turns but captures and drops.
    fn only_captures(&self, material: &Material, side: Color) -> bool;

    /// Calls `meet` with what each drop of a side leaves.
    fn after_drops(&self, before: &Outline, side: Color, meet: &mut dyn FnMut(Outline));
}
