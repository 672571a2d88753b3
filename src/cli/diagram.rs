//! The board as a drawing of letters.

use crate::board::{Board, Square};

/// Eight lines of men, lower case for Black's and dots for empty squares, with the names of ranks
/// and files.
pub fn diagram(board: &Board) -> String {
    let mut lines = String::new();
    let (files, ranks) = (board.size().files(), board.size().ranks());
    for rank in (0..ranks).rev() {
        lines += &format!("  {}", rank + 1);
        for file in 0..files {
            let man = board.get(Square::at(file, rank));
            lines += &man.map_or_else(|| " .".to_owned(), |man| format!(" {man}"));
        }
        lines.push('\n');
    }
    let names: String = ('a'..).take(files.into()).map(|file| format!(" {file}")).collect();
    lines + "   " + &names + "\n"
}
