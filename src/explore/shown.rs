//! A position in short, as previews show it.

use crate::{
    board::{Board, Color},
    study::man_paths,
};

/// A position as previews show it.
#[derive(Clone, Debug)]
pub struct Shown {
    /// Its FEN.
    pub fen: String,
    /// Its men.
    pub board: Board,
    /// Whose turn it is.
    pub to_move: Color,
    /// What best play makes of it, in a few words, if there is a table that says so.
    pub brief: Option<String>,
}

impl Shown {
    /// Whether its men can be drawn where there is nothing to write with.
    pub fn has_outlines(&self) -> bool {
        let mut men = self.board.size().squares().filter_map(|square| self.board.get(square));
        men.all(|man| man_paths(man).is_some())
    }
}
