//! Game records, judged: whether they are of this game, how they ended, what turns threw away.

use std::iter;

use serde_json::{Map, Value, json};

use super::{OPTIONS_TAG, Study, is_variant, options_tag};
use crate::{
    probe::{ProbeError, Tablebase},
    rules::{Ply, Replay, result_text, tag},
};

/// A record of another game, or of this one by other rules.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum ForeignRecord {
    /// Another game.
    #[error("this is a record of {variant}, not of {title}")]
    Game {
        /// What it is a record of.
        variant: String,
        /// The title of the game it was taken for.
        title: &'static str,
    },
    /// Other rule options.
    #[error("this game was played with {recorded}, not with {options}")]
    Options {
        /// Those that the record names.
        recorded: String,
        /// Those in force.
        options: String,
    },
}

/// Checks that a record with these tags is of the game of this name and title.
///
/// # Errors
/// If its `Variant` is another.
pub fn check_variant(
    name: &str,
    title: &'static str,
    tags: &[(String, String)],
) -> Result<(), ForeignRecord> {
    match tag(tags, "Variant") {
        Some(variant) if !is_variant(variant, name, title) => {
            Err(ForeignRecord::Game { variant: variant.to_owned(), title })
        }
        _ => Ok(()),
    }
}

/// Checks that a record with these tags was played by these rules.
///
/// # Errors
/// If it names others.
pub fn check_options<G: Study>(game: &G, tags: &[(String, String)]) -> Result<(), ForeignRecord> {
    let options = options_tag(game);
    match tag(tags, OPTIONS_TAG) {
        Some(recorded) if recorded != options => {
            // An option at its default may go without saying.
            let options = if options.is_empty() { "the usual rules".to_owned() } else { options };
            Err(ForeignRecord::Options { recorded: recorded.to_owned(), options })
        }
        _ => Ok(()),
    }
}

/// How a record ended, in words, or that the game goes on.
pub fn record_result<G: Study>(game: &G, replay: &Replay<G>, ending: Option<&G::Ending>) -> String {
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

/// A record as JSON; with what its turns throw away, if tables were asked.
pub fn record_object<G: Study>(
    game: &G,
    replay: &Replay<G>,
    ending: Option<&G::Ending>,
    losses: Option<&Losses>,
) -> Map<String, Value> {
    let turn = |(at, ply): (usize, &Ply<G>)| {
        let mut turn = json!({
            "uci": game.uci(&ply.before, ply.turn),
            "san": game.san(&ply.before, ply.turn),
            "comment": game.comment(&ply.before, ply.turn, &ply.after),
            "fen": game.fen(&ply.after),
            "ending": game.ending(&ply.after).map(|ending| ending.to_string()),
        });
        if let Some(losses) = losses {
            turn["thrown_away"] = json!(losses.thrown_away[at]);
        }
        turn
    };
    let turns: Vec<Value> = replay.plies.iter().enumerate().map(turn).collect();
    let members = [
        ("game", json!(G::NAME)),
        ("start", json!(game.fen(&replay.start))),
        ("turns", json!(turns)),
        ("result", json!(record_result(game, replay, ending))),
        ("pgn_result", json!(result_text(ending))),
        ("recorded_result", json!(replay.results().next())),
    ];
    members.into_iter().map(|(name, value)| (name.to_owned(), value)).collect()
}

/// What tables say of the turns of a record.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Losses {
    /// For each turn that throws something away, what: `before: White wins; now: drawn`.
    pub thrown_away: Vec<Option<String>>,
    /// Whether the tables at hand cover a position in which somebody moved.
    pub covered: bool,
}

impl Losses {
    /// Looks up each position of a record once. Those that no table at hand covers are passed
    /// over.
    ///
    /// # Errors
    /// If a table is damaged, or of other options.
    pub fn find<G: Study>(tables: &Tablebase<G>, replay: &Replay<G>) -> Result<Losses, ProbeError> {
        let positions = iter::once(&replay.start).chain(replay.plies.iter().map(|ply| &ply.after));
        let results: Result<Vec<_>, _> = positions.map(|at| known_result(tables, at)).collect();
        let results = results?;
        let lost = |around: &[Option<String>]| match around {
            [Some(before), Some(after)] if before != after => {
                Some(format!("before: {before}; now: {after}"))
            }
            _ => None,
        };
        let covered = results[..replay.plies.len()].iter().any(Option::is_some);
        Ok(Losses { thrown_away: results.windows(2).map(lost).collect(), covered })
    }
}

/// What best play makes of a position, if tables at hand cover it.
fn known_result<G: Study>(
    tables: &Tablebase<G>,
    position: &G::Position,
) -> Result<Option<String>, ProbeError> {
    match tables.answer(position) {
        Ok(answer) => Ok(Some(tables.game().result_words(position, &answer))),
        Err(ProbeError::Unanswerable(_)) => Ok(None),
        Err(error) if error.missing().is_some() => Ok(None),
        Err(error) => Err(error),
    }
}
