//! How a table is cut into parts.

use crate::{
    index::{Material, Structures},
    solve::{
        engine::pages::{PageCell, Paged},
        parts::Layout,
    },
};

/// How the table of a material is cut into parts of at most `part_size` numbers.
pub fn layout<C: PageCell>(
    game: &dyn Paged<Cell = C>,
    material: &Material,
    part_size: u64,
) -> Layout {
    if !(material.has_pawns() && game.numbers(material) > part_size) {
        return Layout::one_piece();
    }
    let [white, black] = material.pawns();
    // Without an index: going through all structures takes long where there are many pawns.
    let by_ranks = Structures::count_by_ranks(white, black, game.group(material));
    Layout::of(&by_ranks, game.slice_numbers(material), part_size, game.many_parts())
}

/// The number of the section of a mode and side to move.
pub fn section(mode: usize, side: crate::board::Color) -> usize {
    2 * mode + side.index()
}
