//! Answers as JSON objects: what `--json` prints and what the server sends.

use serde_json::{Map, Value, json};

use super::{Report, Study, best_line};
use crate::{
    index::Material,
    probe::{ProbeError, Ranked, Tablebase},
};

/// A position with its answer, and its turns, best first, if they are wanted.
///
/// # Errors
/// If a table that is needed for it is missing or damaged.
pub fn position_object<G: Study>(
    tables: &Tablebase<G>,
    position: &G::Position,
    turns: bool,
) -> Result<Map<String, Value>, ProbeError> {
    let game = tables.game();
    let answer = tables.answer(position)?;
    let mut object = Map::new();
    object.insert("fen".to_owned(), json!(game.fen(position)));
    object.insert("game".to_owned(), json!(G::NAME));
    let material = game.material_of(position).ok();
    object.insert("material".to_owned(), json!(material.map(|m| m.to_string())));
    object.extend(game.fields(position, &answer));
    if turns {
        let ranked = tables.ranked(position)?;
        let turns = ranked.iter().map(|r| Value::Object(turn_object(game, position, r))).collect();
        object.insert("turns".to_owned(), Value::Array(turns));
    }
    Ok(object)
}

/// A turn with the answer of the position after it.
pub fn turn_object<G: Study>(
    game: &G,
    position: &G::Position,
    ranked: &Ranked<G>,
) -> Map<String, Value> {
    let mut object = Map::new();
    object.insert("uci".to_owned(), json!(game.uci(position, ranked.turn)));
    object.insert("san".to_owned(), json!(game.san(position, ranked.turn)));
    object.extend(game.fields(&ranked.after, &ranked.answer));
    object.extend(game.turn_fields(position, ranked.turn));
    object
}

/// Best play from a position, at most `limit` plies, and how it ends.
///
/// # Errors
/// If a table on the way is missing or damaged.
pub fn line_object<G: Study>(
    tables: &Tablebase<G>,
    start: &G::Position,
    limit: usize,
) -> Result<Map<String, Value>, ProbeError> {
    let game = tables.game();
    let line = best_line(tables, start, limit)?;
    let turns = line.plies.iter().map(|ply| {
        let mut object = Map::new();
        object.insert("uci".to_owned(), json!(game.uci(&ply.before, ply.turn)));
        object.insert("san".to_owned(), json!(game.san(&ply.before, ply.turn)));
        object.insert("fen".to_owned(), json!(game.fen(&ply.after)));
        object.extend(game.fields(&ply.after, &ply.answer));
        Value::Object(object)
    });
    let mut object = Map::new();
    object.insert("fen".to_owned(), json!(game.fen(start)));
    object.insert("game".to_owned(), json!(G::NAME));
    object.insert("line".to_owned(), Value::Array(turns.collect()));
    object.insert("end".to_owned(), json!(line.end_words(game)));
    Ok(object)
}

/// What students ask of a table.
pub fn report_object<G: Study>(
    game: &G,
    material: &Material,
    report: &Report,
) -> Map<String, Value> {
    let mut object = Map::new();
    object.insert("game".to_owned(), json!(G::NAME));
    object.insert("material".to_owned(), json!(material.to_string()));
    object.extend(game.options());
    object.extend(report.fields());
    object
}
