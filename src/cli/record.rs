//! What the program prints of a game record.

use std::io::{self, Write};

use super::diagram::diagram;
use crate::{
    registry::Complete,
    rules::Replay,
    study::{Losses, MoveNumbers},
};

/// Writes the turns of a record, a line each, and its last position.
pub fn write_turns<G: Complete>(
    out: &mut impl Write,
    game: &G,
    replay: &Replay<G>,
    losses: Option<&Losses>,
    verbose: bool,
) -> io::Result<()> {
    let mut numbers = MoveNumbers::from_fen(&game.fen(&replay.start));
    for (at, ply) in replay.plies.iter().enumerate() {
        let label = numbers.label(game.to_move(&ply.before));
        let comment = game.comment(&ply.before, ply.turn, &ply.after).unwrap_or_default();
        let san = game.san(&ply.before, ply.turn);
        let lost = losses.and_then(|losses| losses.thrown_away[at].as_ref());
        let lost = lost.map_or_else(String::new, |lost| format!("  ?? {lost}"));
        writeln!(out, "{}", format!("{label:>6} {san:<8} {comment}{lost}").trim_end())?;
    }
    let last = replay.last();
    writeln!(out, "{}", game.fen(last))?;
    if verbose {
        write!(out, "\n{}\n", diagram(game.board(last)))?;
    }
    Ok(())
}
