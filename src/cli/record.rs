//! What the program tells of a game record.

use std::{
    io::{self, Write},
    iter,
};

use anyhow::{Result, bail};
use serde_json::{Map, Value, json};

use super::diagram::diagram;
use crate::{
    probe::{ProbeError, Tablebase},
    registry::{Complete, GameName},
    rules::{Ply, Replay, result_text, tag},
    study::{MoveNumbers, OPTIONS_TAG, is_variant, options_tag},
};

/// How a record ended, in words, or that the game goes on.
pub fn result_words<G: Complete>(
    game: &G,
    replay: &Replay<G>,
    ending: Option<&G::Ending>,
) -> String {
    if let Some(ending) = ending {
        return ending.to_string();
    }
    let last = replay.last();
    let standing = game.standing(last).map_or(String::new(), |text| format!("; {text}"));
    // Players agree, resign and run out of time.
    let recorded = replay.results().next();
    let recorded = recorded.map_or(String::new(), |result| format!("; the record says {result}"));
    format!("the game goes on, {} to move{standing}{recorded}", game.to_move(last))
}

/// A record as JSON; with what its turns throw away, if that was asked for.
pub fn object<G: Complete>(
    game: &G,
    replay: &Replay<G>,
    ending: Option<&G::Ending>,
    marks: Option<&[Option<String>]>,
) -> Map<String, Value> {
    let turn = |(at, ply): (usize, &Ply<G>)| {
        let mut turn = json!({
            "uci": game.uci(&ply.before, ply.turn),
            "san": game.san(&ply.before, ply.turn),
            "comment": game.comment(&ply.before, ply.turn, &ply.after),
            "fen": game.fen(&ply.after),
        });
        if let Some(marks) = marks {
            turn["thrown_away"] = json!(marks[at]);
        }
        turn
    };
    let turns: Vec<Value> = replay.plies.iter().enumerate().map(turn).collect();
    let members = [
        ("game", json!(G::NAME)),
        ("turns", json!(turns)),
        ("result", json!(result_words(game, replay, ending))),
        ("pgn_result", json!(result_text(ending))),
        ("recorded_result", json!(replay.results().next())),
    ];
    members.into_iter().map(|(name, value)| (name.to_owned(), value)).collect()
}

/// Writes the turns of a record, a line each, and its last position.
pub fn write_turns<G: Complete>(
    out: &mut impl Write,
    game: &G,
    replay: &Replay<G>,
    marks: &[Option<String>],
    verbose: bool,
) -> io::Result<()> {
    let mut numbers = MoveNumbers::from_fen(&game.fen(&replay.start));
    for (at, ply) in replay.plies.iter().enumerate() {
        let label = numbers.label(game.to_move(&ply.before));
        let comment = game.comment(&ply.before, ply.turn, &ply.after).unwrap_or_default();
        let san = game.san(&ply.before, ply.turn);
        let mark = marks.get(at).cloned().flatten();
        let mark = mark.map_or_else(String::new, |mark| format!("  ?? {mark}"));
        writeln!(out, "{}", format!("{label:>6} {san:<8} {comment}{mark}").trim_end())?;
    }
    let last = replay.last();
    writeln!(out, "{}", game.fen(last))?;
    if verbose {
        write!(out, "\n{}\n", diagram(game.board(last)))?;
    }
    Ok(())
}

/// Checks that a record is of this game.
pub fn check_game(game: GameName, tags: &[(String, String)]) -> Result<()> {
    match tag(tags, "Variant") {
        Some(variant) if !is_variant(variant, game.name(), game.title()) => {
            bail!("this is a record of {variant}, not of {}", game.title())
        }
        _ => Ok(()),
    }
}

/// Checks that a record was played by these rules.
pub fn check_options<G: Complete>(game: &G, tags: &[(String, String)]) -> Result<()> {
    let options = options_tag(game);
    match tag(tags, OPTIONS_TAG) {
        Some(recorded) if recorded != options => {
            // An option at its default may go without saying.
            let options = if options.is_empty() { "the usual rules" } else { &options };
            bail!("this game was played with {recorded}, not with {options}")
        }
        _ => Ok(()),
    }
}

/// What tables say of a record.
#[derive(Default)]
pub struct Marks {
    /// For each turn that throws something away, what: `before: White wins; now: drawn`.
    pub thrown_away: Vec<Option<String>>,
    /// Whether the tables at hand cover a position in which somebody moved.
    pub covered: bool,
}

/// Looks up each position of a record once. Those that no table at hand covers are passed over.
pub fn marks<G: Complete>(tables: &Tablebase<G>, replay: &Replay<G>) -> Result<Marks> {
    let positions = iter::once(&replay.start).chain(replay.plies.iter().map(|ply| &ply.after));
    let results = positions.map(|position| result(tables, position)).collect::<Result<Vec<_>>>()?;
    let mark = |around: &[Option<String>]| match around {
        [Some(before), Some(after)] if before != after => {
            Some(format!("before: {before}; now: {after}"))
        }
        _ => None,
    };
    let covered = results[..replay.plies.len()].iter().any(Option::is_some);
    Ok(Marks { thrown_away: results.windows(2).map(mark).collect(), covered })
}

/// What best play makes of a position, if tables at hand cover it.
fn result<G: Complete>(tables: &Tablebase<G>, position: &G::Position) -> Result<Option<String>> {
    match tables.answer(position) {
        Ok(answer) => Ok(Some(tables.game().result_words(position, &answer))),
        Err(ProbeError::Unanswerable(_)) => Ok(None),
        Err(error) if error.missing().is_some() => Ok(None),
        Err(error) => Err(error.into()),
    }
}
