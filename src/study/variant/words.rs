//! How a win and its length are called.

use crate::answer::Plies;

/// How games are won, for the words.
#[derive(Copy, Clone)]
pub(in crate::study) enum WonBy {
    /// By checkmate alone.
    Mate,
    /// In other ways, too; which of them a table does not know.
    Anything,
}

impl WonBy {
    /// `mates in 5 moves (9 plies)`, `wins in 5 moves (9 plies)`.
    pub(in crate::study) fn in_plies(self, plies: Plies) -> String {
        match self {
            WonBy::Mate => mates_in(plies),
            WonBy::Anything => format!("wins in {}", moves(plies)),
        }
    }
}

/// `mates in 5 moves (9 plies)`.
pub(in crate::study) fn mates_in(plies: Plies) -> String {
    format!("mates in {}", moves(plies))
}

/// `5 moves (9 plies)`.
pub(in crate::study) fn moves(plies: Plies) -> String {
    let moves = plies.moves();
    let s = if moves == 1 { "" } else { "s" };
    format!("{moves} move{s} ({plies} pl{})", if plies == Plies(1) { "y" } else { "ies" })
}
