//! `finale probe`.

use std::io::{self, BufRead, Write};

use anyhow::{Context, Result};
use rayon::prelude::*;
use serde_json::{Map, Value, json};

use super::{args::ProbeArgs, build::build_for, games::play, hints};
use crate::{
    probe::{Ranked, Tablebase},
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
        return Ok(());
    }
    // Everything is read before anything is written.
    let answer = tables.answer(&position)?;
    let ranked = tables.ranked(&position)?;
    writeln!(out, "{}", game.fen(&position))?;
    for sentence in game.explanation(tables, &position, &answer)? {
        writeln!(out, "{sentence}")?;
    }
    let turns: Vec<(String, String)> = ranked
        .iter()
        .map(|r| {
            (game.san(&position, r.turn), game.turn_words(&position, r.turn, &r.after, &r.answer))
        })
        .collect();
    let width = turns.iter().map(|(san, _)| san.chars().count()).max().unwrap_or(0);
    if !turns.is_empty() {
        writeln!(out)?;
    }
    for (san, brief) in turns {
        writeln!(out, "  {san:<width$}  {brief}")?;
    }
    Ok(())
}

/// Answers FENs from stdin, a JSON object a line, in their order.
fn batch<G: Complete>(tables: &Tablebase<G>, args: &ProbeArgs) -> Result<()> {
    const CHUNK: usize = 4096;
    // Lines that are no UTF-8 are bad FENs like others.
    let mut lines = io::stdin().lock().split(b'\n').map(|line| {
        line.map(|line| String::from_utf8_lossy(&line).trim_end_matches('\r').to_owned())
    });
    let mut out = io::BufWriter::new(io::stdout().lock());
    loop {
        let chunk: Vec<String> =
            lines.by_ref().take(CHUNK).collect::<io::Result<_>>().context("cannot read stdin")?;
        if chunk.is_empty() {
            out.flush()?;
            return Ok(());
        }
        if args.build {
            for position in chunk.iter().filter_map(|fen| tables.game().parse_fen(fen).ok()) {
                if tables.answer(&position).is_err_and(|error| error.missing().is_some()) {
                    build_for(tables.game(), &position, tables.shelf(), &args.make)?;
                }
            }
        }
        let objects: Vec<Map<String, Value>> =
            chunk.par_iter().map(|fen| answer_line(tables, fen, args.turns)).collect();
        for object in objects {
            writeln!(out, "{}", Value::Object(object))?;
        }
    }
}

fn answer_line<G: Complete>(tables: &Tablebase<G>, fen: &str, turns: bool) -> Map<String, Value> {
    let answer = || -> Result<Map<String, Value>> {
        let position = tables.game().parse_fen(fen)?;
        let mut fields = object(tables, &position, turns)?;
        fields.insert("fen".to_owned(), json!(fen));
        Ok(fields)
    };
    answer().unwrap_or_else(|error| {
        [("fen".to_owned(), json!(fen)), ("error".to_owned(), json!(hints::sentence(&error)))]
            .into_iter()
            .collect()
    })
}

/// A position with its answer, and the ranked turns if they are wanted.
fn object<G: Complete>(
    tables: &Tablebase<G>,
    position: &G::Position,
    turns: bool,
) -> Result<Map<String, Value>> {
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
