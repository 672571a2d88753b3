//! Pawn structures: one slice each.

use crate::{
    board::{Role, Square},
    index::{Index, MAX_MEN},
};

/// The squares of a structure's pawns, in the places of the material's men; the rest means
/// nothing.
pub fn structure_squares(index: &Index, structure: usize) -> [Square; MAX_MEN] {
    let mut squares = [Square::new(0); MAX_MEN];
    if let Some(structures) = index.structures() {
        let mut pawns = structures.pawns(structure);
        for (square, man) in squares.iter_mut().zip(index.men()) {
            if man.role == Role::Pawn {
                *square = pawns[man.color].next().expect("as many as the material has");
            }
        }
    }
    squares
}
