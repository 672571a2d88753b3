//! Endgame tablebases for chess games that need more than a board.

pub mod board;
pub mod rules;
pub mod table;
