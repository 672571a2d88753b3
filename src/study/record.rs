//! Game records, judged: whether they are of this game, how they ended, what their turns cost.

use serde_json::{Map, Value, json};

use super::{
    Loss, Losses, OPTIONS_TAG, Study, TurnText, is_variant,
    json::object,
    options_tag,
    pgn::{Tags, record},
};
use crate::{
    board::{Board, Color},
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
    same_options(options_tag(game), tags)
}

fn same_options(options: String, tags: &[(String, String)]) -> Result<(), ForeignRecord> {
    match tag(tags, OPTIONS_TAG) {
        Some(recorded) if recorded != options => {
            // An option at its default may go without saying.
            let options = if options.is_empty() { "the usual rules".to_owned() } else { options };
            Err(ForeignRecord::Options { recorded: recorded.to_owned(), options })
        }
        _ => Ok(()),
    }
}

/// A record as people and programs read it, whatever game it is of.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct RecordText {
    /// The name of the game: `high`.
    pub game: &'static str,
    /// The FEN of the first position.
    pub start: String,
    /// The turns.
    pub turns: Vec<TurnText>,
    /// The men on the board at the end.
    pub board: Board,
    /// How it ended, in words, or that the game goes on.
    pub result: String,
    /// The result as records have it: `1-0`, or `*` if the game goes on.
    pub pgn_result: &'static str,
    /// The result that the record gives, if any.
    pub recorded_result: Option<String>,
    /// What its turns cost, if tables were asked.
    pub losses: Option<Losses>,
    /// Its tag pairs, with those that it lacks.
    tags: Tags,
}

impl RecordText {
    /// A record that ended like this, if it did; with what its turns cost if that is to be looked
    /// up.
    ///
    /// # Errors
    /// As [`Losses::find`].
    pub fn new<G: Study>(
        tables: &Tablebase<G>,
        replay: &Replay<G>,
        ending: Option<&G::Ending>,
        probe: bool,
    ) -> Result<RecordText, ProbeError> {
        let (game, last) = (tables.game(), replay.last());
        let text = |ply: &Ply<G>| TurnText::new(game, &ply.before, ply.turn, &ply.after);
        let recorded_result = replay.results().next().map(str::to_owned);
        let result = ending.map(|ending| ending.to_string()).unwrap_or_else(|| {
            going_on(game.to_move(last), game.standing(last), recorded_result.as_deref())
        });
        let start = game.fen(&replay.start);
        // Only the players know what they agreed upon.
        let pgn_result = result_text(ending);
        let known = if pgn_result == "*" { recorded_result.as_deref() } else { None };
        Ok(RecordText {
            tags: Tags::of_record(game, &replay.tags, &start, known.unwrap_or(pgn_result)),
            game: game.name(),
            start,
            turns: replay.plies.iter().map(text).collect(),
            board: *game.board(last),
            result,
            pgn_result,
            recorded_result,
            losses: if probe { Some(Losses::find(tables, replay)?) } else { None },
        })
    }

    /// The FEN of the last position.
    pub fn last(&self) -> &str {
        self.turns.last().map_or(&self.start, |turn| &turn.fen)
    }

    /// What a turn cost, if tables were asked and it cost anything.
    pub fn loss(&self, turn: usize) -> Option<&Loss> {
        self.losses.as_ref()?.turns[turn].as_ref()
    }

    /// The record as PGN, the tags it has among its own; with a glyph and a comment at each turn
    /// that cost something, if tables were asked. Comments it had are not kept.
    pub fn pgn(&self) -> String {
        let turns = self.turns.iter().enumerate();
        record(&self.tags, &self.start, turns.map(|(at, turn)| (turn, self.loss(at))))
    }

    /// The record as JSON; with what its turns cost, if tables were asked.
    pub fn object(&self) -> Map<String, Value> {
        let turn = |(at, turn): (usize, &TurnText)| {
            let TurnText { uci, san, comment, fen, ending, .. } = turn;
            let mut turn =
                json!({ "uci": uci, "san": san, "comment": comment, "fen": fen, "ending": ending });
            if self.losses.is_some() {
                let loss = self.loss(at);
                turn["thrown_away"] = json!(loss.and_then(Loss::thrown_away));
                turn["plies_lost"] = json!(loss.and_then(Loss::plies));
                turn["glyph"] = json!(loss.map(Loss::glyph));
            }
            turn
        };
        object([
            ("game", self.game.into()),
            ("start", json!(self.start)),
            ("turns", self.turns.iter().enumerate().map(turn).collect()),
            ("result", json!(self.result)),
            ("pgn_result", self.pgn_result.into()),
            ("recorded_result", json!(self.recorded_result)),
        ])
    }
}

/// That a game goes on, in words. Players agree, resign and run out of time, as the record says.
fn going_on(to_move: Color, standing: Option<String>, recorded: Option<&str>) -> String {
    let standing = standing.map_or(String::new(), |text| format!("; {text}"));
    let recorded = recorded.map_or(String::new(), |result| format!("; the record says {result}"));
    format!("the game goes on, {to_move} to move{standing}{recorded}")
}
