//! `finale probe`.

use std::io::{self, Write};

use anyhow::Result;
use serde_json::{Map, Value, json};

use super::{
    args::ProbeArgs, batch::batch, build::build_for, diagram::diagram, games::play,
    inspect::without_result, note::note_left_out,
};
use crate::{
    probe::{ProbeError, Ranked, Tablebase},
    registry::{Complete, Task},
};

/// Answers a position, or many.
pub fn run(args: ProbeArgs) -> Result<()> {
    play(&args.game, Probe(&args))
}

struct Probe<'a>(&'a ProbeArgs);

impl Task for Probe<'_> {
    type Output = Result<()>;

    fn run<G: Complete>(self, game: G) -> Result<()> {
        let Probe(args) = self;
        let tables = Tablebase::new(game, &args.tables.tables);
        match &args.fen {
            Some(fen) => one(&tables, fen, args),
            None => batch(&tables, args),
        }
    }
}

fn one<G: Complete>(tables: &Tablebase<G>, fen: &str, args: &ProbeArgs) -> Result<()> {
    let game = tables.game();
    let position = game.parse_fen(fen)?;
    if args.build {
        build_for(game, &position, tables.shelf(), &args.make)?;
    }
    let mut out = io::stdout().lock();
    if args.json {
        writeln!(out, "{}", Value::Object(object(tables, &position, true)?))?;
        note_left_out(game, fen, &position);
        return Ok(());
    }
    // Everything is read before anything is written.
    let answer = tables.answer(&position)?;
    let ranked = tables.ranked(&position)?;
    writeln!(out, "{}", game.fen(&position))?;
    if args.verbose {
        write!(out, "\n{}\n", diagram(game.board(&position)))?;
    }
    for sentence in game.explanation(tables, &position, &answer)? {
        writeln!(out, "{sentence}")?;
    }
    // The result stands in the headline, and at turns that change it.
    let result = game.result_words(&position, &answer);
    let turns: Vec<(String, String)> = ranked
        .iter()
        .map(|r| {
            let words = game.turn_words(&position, r.turn, &r.after, &r.answer);
            (game.san(&position, r.turn), without_result(&words, &result).to_owned())
        })
        .collect();
    let width = turns.iter().map(|(san, _)| san.chars().count()).max().unwrap_or(0);
    if !turns.is_empty() {
        writeln!(out)?;
    }
    for (san, brief) in turns {
        writeln!(out, "{}", format!("  {san:<width$}  {brief}").trim_end())?;
    }
    note_left_out(game, fen, &position);
    Ok(())
}

/// A position with its answer, and the ranked turns if they are wanted.
pub fn object<G: Complete>(
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
        let turns: Vec<Value> = ranked.iter().map(|r| turn(game, position, r)).collect();
        object.insert("turns".to_owned(), Value::Array(turns));
    }
    Ok(object)
}

fn turn<G: Complete>(game: &G, position: &G::Position, ranked: &Ranked<G>) -> Value {
    let mut object = Map::new();
    object.insert("uci".to_owned(), json!(game.uci(position, ranked.turn)));
    object.insert("san".to_owned(), json!(game.san(position, ranked.turn)));
    object.extend(game.fields(&ranked.after, &ranked.answer));
    object.extend(game.turn_fields(position, ranked.turn));
    Value::Object(object)
}
