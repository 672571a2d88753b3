//! What the statistics of games that are won, drawn and lost tell in a story.

use super::words::{WonBy, moves};
use crate::{
    answer::Plies,
    board::Color,
    study::{Remark, Report},
};

/// How long each side needs at most, if the table tells.
pub(in crate::study) fn longest(report: &Report, won_by: WonBy) -> Vec<Remark> {
    let verb = match won_by {
        WonBy::Mate => "mate",
        WonBy::Anything => "win",
    };
    let longest = |winner: Option<Color>| {
        let wins = report.entries("longest").filter(|entry| {
            let to_move = Color::ALL.into_iter().find(|side| side.name() == entry.kind("to_move"));
            let won = to_move.map(|side| if entry.kind("result") == "win" { side } else { !side });
            won == winner
        });
        let all = wins.filter_map(|entry| Some((entry.count("plies"), entry.text("example")?)));
        let (plies, fen) = all.max_by_key(|&(plies, _)| plies)?;
        let who = winner.map_or("The side that wins".to_owned(), |winner| winner.to_string());
        let text =
            format!("{who} needs {} at most to {verb}, as here.", moves(Plies(plies as u16)));
        (plies > 0).then(|| Remark::new(text).at(fen))
    };
    [None, Some(Color::White), Some(Color::Black)].into_iter().filter_map(longest).collect()
}
