//! `finale probe`.

use std::{
    error::Error,
    io::{self, BufRead, Read, Write},
};

use anyhow::{Context, Result};
use rayon::prelude::*;
use serde_json::{Map, Value, json};

use super::{args::ProbeArgs, build::build_for, games::play, hints};
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
    const CHUNK: usize = 1024;
    let mut input = io::stdin().lock();
    let mut out = io::BufWriter::new(io::stdout().lock());
    loop {
        let lines = std::iter::from_fn(|| BatchLine::read(&mut input).transpose());
        let chunk: Vec<BatchLine> =
            lines.take(CHUNK).collect::<io::Result<_>>().context("cannot read stdin")?;
        if chunk.is_empty() {
            out.flush()?;
            return Ok(());
        }
        if args.build {
            let fens = chunk.iter().filter_map(|line| line.fen().ok());
            for position in fens.filter_map(|fen| tables.game().parse_fen(fen).ok()) {
                if tables.answer(&position).is_err_and(|error| error.missing().is_some()) {
                    build_for(tables.game(), &position, tables.shelf(), &args.make)?;
                }
            }
        }
        let answers: Vec<String> = chunk
            .par_iter()
            .map(|line| Value::Object(answer_line(tables, line, args.turns)).to_string())
            .collect();
        for answer in answers {
            writeln!(out, "{answer}")?;
        }
    }
}

/// A line of a batch.
struct BatchLine {
    /// The line, or only its beginning if it is too long.
    text: String,
    too_long: bool,
}

/// A line that is longer than any position.
#[derive(Debug, thiserror::Error)]
#[error("the line has more than {} bytes, which no position takes", BatchLine::LONGEST)]
struct TooLong;

impl BatchLine {
    /// The most bytes of a line that is read as a position; the longest has some 200.
    const LONGEST: usize = 1024;
    /// How much of a longer one is told apart by.
    const SHOWN: usize = 100;

    /// The next line, if there is one. Of a line that is too long only the beginning is kept.
    fn read(input: &mut impl BufRead) -> io::Result<Option<BatchLine>> {
        let mut bytes = Vec::new();
        if input.take(BatchLine::LONGEST as u64 + 1).read_until(b'\n', &mut bytes)? == 0 {
            return Ok(None);
        }
        let ended = bytes.pop_if(|&mut last| last == b'\n').is_some();
        let too_long = !ended && bytes.len() > BatchLine::LONGEST;
        if too_long {
            bytes.truncate(BatchLine::SHOWN);
            input.skip_until(b'\n')?;
        }
        // Lines that are no UTF-8 are bad FENs like others.
        let text = String::from_utf8_lossy(&bytes).trim_end_matches('\r').to_owned();
        Ok(Some(BatchLine { text, too_long }))
    }

    fn fen(&self) -> Result<&str, TooLong> {
        if self.too_long { Err(TooLong) } else { Ok(&self.text) }
    }
}

fn answer_line<G: Complete>(
    tables: &Tablebase<G>,
    line: &BatchLine,
    turns: bool,
) -> Map<String, Value> {
    // No `anyhow`: it would collect a backtrace for every line that is refused.
    let answer = || -> Result<Map<String, Value>, Box<dyn Error>> {
        let position = tables.game().parse_fen(line.fen()?)?;
        Ok(object(tables, &position, turns)?)
    };
    let mut fields = answer().unwrap_or_else(|error| {
        [("error".to_owned(), json!(hints::sentence(&*error)))].into_iter().collect()
    });
    fields.shift_insert(0, "fen".to_owned(), json!(line.text));
    fields
}

/// A position with its answer, and the ranked turns if they are wanted.
fn object<G: Complete>(
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
