//! Where a position stands in a table: the sides exchanged or not, and its number.

use crate::{
    board::{Board, BoardSize, Color, Group, Man, Square, Symmetry},
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
    let all = |color: Color| {
        let there = board.roles(if swapped { !color } else { color });
        there.iter().map(move |role| Man { color, role })
    };
    entry(Color::ALL.into_iter().flat_map(all), board, to_move, swapped)
}

/// The same from the men of the table, like ones side by side, where it is known whether the table
/// has the sides exchanged.
pub fn known_entry(men: &[Man], board: &Board, to_move: Color, swapped: bool) -> Entry {
    entry(men.chunk_by(|a, b| a == b).map(|kind| kind[0]), board, to_move, swapped)
}

/// The same from the kinds of men that the table may have.
fn entry(kinds: impl Iterator<Item = Man>, board: &Board, to_move: Color, swapped: bool) -> Entry {
    let turn = turn_of(swapped, board.size());
    let mut squares = [Square::new(0); MAX_MEN];
    let standing = kinds.flat_map(|Man { color, role }| {
        let shown = if swapped { !color } else { color };
        board.men(shown, role)
    });
    for (place, square) in squares.iter_mut().zip(standing) {
        *place = turn.image(square);
    }
    Entry { side: if swapped { !to_move } else { to_move }, squares, swapped }
}

/// How a table turns the board of a position: by half if it has the sides exchanged.
pub fn turn_of(swapped: bool, size: BoardSize) -> Symmetry {
    if swapped { Symmetry::HALF_TURN.on(size) } else { Symmetry::IDENTITY }
}

/// The sides to move that a table of this material knows.
pub fn table_sides(material: &Material, swaps: bool) -> usize {
    if swaps && *material == material.swap_colors() { 1 } else { 2 }
}

/// The group of symmetries a chess-like game keeps on the board of chess.
pub fn chess_group(material: &Material) -> Group {
    if material.has_pawns() { Group::MIRROR } else { Group::FULL }
}

/// The number of an entry in its table; 0 for Kings side by side, which no legal position has.
pub fn entry_number(index: &Index, entry: &Entry) -> u64 {
    index.encode(&entry.squares[..index.men().len()]).unwrap_or(0)
}

/// The cell of an entry, counting all with White to move first.
pub fn entry_cell(index: &Index, entry: &Entry) -> u64 {
    entry.side.index() as u64 * index.len() + entry_number(index, entry)
}

/// The cell of a position with the men of a table that never has the sides exchanged.
pub fn setup_cell(index: &Index, setup: &Setup) -> u64 {
    entry_cell(index, &known_entry(index.men(), &setup.board, setup.to_move, false))
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
    let mut board = Board::empty(index.size());
    // What is decoded are different squares.
    index.men().iter().zip(squares).for_each(|(&man, square)| board.put_free(square, man));
    let setup = plain_setup(board, side, None);
    laws.is_legal(&setup.board, side).then_some(setup)
}

/// The board on which men stand on these squares.
pub fn board_of(size: BoardSize, men: &[Man], squares: &[Square]) -> Board {
    let mut board = Board::empty(size);
    men.iter().zip(squares).for_each(|(&man, &square)| board.put(square, man));
    board
}

/// A set-up as tables know it: no castling, counters at their start.
pub fn plain_setup(board: Board, to_move: Color, en_passant: Option<Square>) -> Setup {
    Setup {
        board,
        to_move,
        castling: Castling::NONE,
        en_passant,
        checks_left: None,
        halfmove: 0,
        fullmove: 1,
    }
}
