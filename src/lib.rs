//! Endgame tablebases for chess games that need more than a board.

pub mod board;
pub mod cli;
pub mod index;
pub mod probe;
pub mod rules;
pub mod solve;
pub mod study;
pub mod table;
