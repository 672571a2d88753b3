//! Pawn structures: one slice each.

use crate::{
    board::{Role, Square},
    index::{Index, MAX_MEN},
};

/// Pawn structures in the order they can be solved: groups of structures whose pawn moves lead
/// only to groups before, most advanced first. Without pawns there is one group of one.
pub fn structure_groups(index: &Index) -> Vec<Vec<usize>> {
    let Some(structures) = index.structures() else { return vec![vec![0]] };
    let mut groups: Vec<Vec<usize>> = Vec::new();
    for structure in 0..structures.len() {
        let left = structures.ranks_to_go(structure);
        if groups.len() <= left {
            groups.resize_with(left + 1, Vec::new);
        }
        groups[left].push(structure);
    }
    groups.retain(|group| !group.is_empty());
    groups
}

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
