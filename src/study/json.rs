//! Answers as JSON objects: what `--json` prints and what the server sends.

use serde_json::{Map, Value};

use super::{Report, Study, TurnText, best_line};
use crate::{
    index::Material,
    probe::{Catalogue, ProbeError, Ranked, Tablebase},
};

/// A JSON object with these members, in their order.
pub fn object<const N: usize>(members: [(&str, Value); N]) -> Map<String, Value> {
    with_names(&mut members.into_iter())
}

/// The same, compiled once for however many.
fn with_names(members: &mut dyn Iterator<Item = (&str, Value)>) -> Map<String, Value> {
    members.map(|(name, value)| (name.to_owned(), value)).collect()
}

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
    let mut object = named(game.fen(position), game.name(), game.material_of(position).ok());
    object.extend(game.fields(position, &answer));
    if turns {
        let mut turns = Vec::new();
        for ranked in tables.ranked(position)? {
            turns.push(Value::Object(turn_object(game, position, &ranked)));
        }
        object.insert("turns".to_owned(), Value::Array(turns));
    }
    Ok(object)
}

/// Which position it is.
fn named(fen: String, game: &str, material: Option<Material>) -> Map<String, Value> {
    let material = material.map(|material| material.to_string());
    object([("fen", fen.into()), ("game", game.into()), ("material", material.into())])
}

/// A turn with the answer of the position after it.
pub fn turn_object<G: Study>(
    game: &G,
    position: &G::Position,
    ranked: &Ranked<G>,
) -> Map<String, Value> {
    let (uci, san) = (game.uci(position, ranked.turn), game.san(position, ranked.turn));
    let mut object = object([("uci", uci.into()), ("san", san.into())]);
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
    let mut turns = Vec::new();
    for (ply, text) in line.plies.iter().zip(line.turns(game)) {
        turns.push(line_turn(text, game.fields(&ply.after, &ply.answer)));
    }
    Ok(object([
        ("fen", game.fen(start).into()),
        ("game", game.name().into()),
        ("line", Value::Array(turns)),
        ("end", line.end_words(game).into()),
    ]))
}

/// A turn of a line with the answer after it.
fn line_turn(turn: TurnText, fields: Map<String, Value>) -> Value {
    let TurnText { uci, san, fen, .. } = turn;
    let mut object = object([("uci", uci.into()), ("san", san.into()), ("fen", fen.into())]);
    object.extend(fields);
    Value::Object(object)
}

/// What students ask of a table.
pub fn report_object(
    game: &dyn Catalogue,
    material: &Material,
    report: &Report,
) -> Map<String, Value> {
    let mut object =
        object([("game", game.name().into()), ("material", material.to_string().into())]);
    object.extend(game.options());
    object.extend(report.fields());
    object
}
