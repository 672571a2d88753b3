//! Where a position stands in a table: the sides exchanged or not, and its number.

use crate::{
    board::{Board, Color, Group, Man, Square, Symmetry},
    index::{Index, MAX_MEN, Material},
    rules::{Castling, Laws, Setup},
};

/// A position as a table knows it.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct Entry {
    /// The side to move in the table.
    pub side: Color,
    /// The squares of the table's men.
    pub squares: [Square; MAX_MEN],
    /// Whether the table has the sides exchanged.
    pub swapped: bool,
}

/// A position as its table knows it, from the men on the board.
pub fn board_entry(board: &Board, to_move: Color, swaps: bool) -> Entry {
    entry_with_reserve(board, &Material::of(board), to_move, swaps)
}

/// The same where men are in reserve; `material` names those too.
pub fn entry_with_reserve(
    board: &Board,
    material: &Material,
    to_move: Color,
    swaps: bool,
) -> Entry {
    let named = if swaps { material.stronger_first() } else { *material };
    let equal = swaps && *material == material.swap_colors();
    let swapped = named != *material || equal && to_move == Color::Black;
    let mut squares = [Square::new(0); MAX_MEN];
    let mut next = 0;
    for color in Color::ALL {
        let shown = if swapped { !color } else { color };
        for role in crate::board::Role::ALL {
            for square in board.men(shown, role) {
                squares[next] = if swapped { Symmetry::HALF_TURN.image(square) } else { square };
                next += 1;
            }
        }
    }
    Entry { side: if swapped { !to_move } else { to_move }, squares, swapped }
}

/// The sides to move that a table of this material knows.
pub fn table_sides(material: &Material, swaps: bool) -> usize {
    if swaps && *material == material.swap_colors() { 1 } else { 2 }
}

/// The group of symmetries a chess-like game keeps.
pub fn chess_group(material: &Material) -> Group {
    if material.has_pawns() { Group::Mirror } else { Group::Full }
}

/// The number of an entry in its table; 0 for Kings side by side, which no legal position has.
pub fn entry_number(index: &Index, entry: &Entry) -> u64 {
    index.encode(&entry.squares[..index.men().len()]).unwrap_or(0)
}

/// Who is to move in a cell, counting all with White to move first.
///
/// # Panics
/// If there are not so many cells.
pub fn cell_side(index: &Index, cell: u64) -> Color {
    Color::ALL[(cell / index.len()) as usize]
}

/// The position of a cell, counting all with White to move first; `None` if it is not legal.
///
/// # Panics
/// If there are not so many cells.
pub fn indexed_setup(index: &Index, cell: u64, laws: &Laws) -> Option<Setup> {
    let side = cell_side(index, cell);
    let squares = index.decode(cell % index.len())?;
    let setup = plain_setup(board_of(index.men(), &squares, None), side, None);
    (!laws.in_check(&setup.board, !side)).then_some(setup)
}

/// The board on which men stand on these squares, but for one.
pub fn board_of(men: &[Man], squares: &[Square], without: Option<usize>) -> Board {
    let mut board = Board::EMPTY;
    for (i, (&man, &square)) in men.iter().zip(squares).enumerate() {
        if Some(i) != without {
            board.put(square, man);
        }
    }
    board
}

/// A set-up as tables know it: no castling, counters at their start.
pub fn plain_setup(board: Board, to_move: Color, en_passant: Option<Square>) -> Setup {
    Setup { board, to_move, castling: Castling::NONE, en_passant, halfmove: 0, fullmove: 1 }
}
