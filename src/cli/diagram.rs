//! The board as a drawing of letters.

use crate::board::{Board, Square};

/// Eight lines of men, lower case for Black's and dots for empty squares, with the names of ranks
/// and files.
pub fn diagram(board: &Board) -> String {
    let mut lines = String::new();
    for rank in (0..8).rev() {
        lines += &format!("  {}", rank + 1);
        for file in 0..8 {
            let man = board.get(Square::at(file, rank));
            lines += &man.map_or_else(|| " .".to_owned(), |man| format!(" {man}"));
        }
        lines.push('\n');
    }
    lines + "    a b c d e f g h\n"
}
