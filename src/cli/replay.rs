//! `finale replay`.

use std::{
    fs,
    io::{self, Read, Write},
    path::Path,
};

use anyhow::{Context, Error, Result};
use serde_json::Value;

use super::{args::ReplayArgs, games::play, matches, record::write_turns, say::say, usage::Usage};
use crate::{
    probe::Tablebase,
    registry::{Complete, Task},
    rules::{Record, RecordError, check_results, read_records, read_tags},
    study::{Contest, ForeignRecord, RecordText, check_options, check_variant, recorded_options},
    table::BlockCache,
};

/// Plays a game record by the full rules, those that the record names included; or several of them,
/// as a match.
pub fn run(args: ReplayArgs) -> Result<()> {
    let text = read(&args.file)?;
    let tags = read_tags(&text);
    // In a match, a game of another variant is one that does not count.
    let name = args.game.game;
    let mut other = check_variant(name.name(), name.title(), &tags).err();
    let recorded = if other.is_none() { recorded_options(&tags) } else { Vec::new() };
    let game = args.game.with_recorded(&recorded);
    let record = ReplayRecord { args: &args, text: &text, tags: &tags, other: &mut other };
    match play(&game, record) {
        Err(error) if error.is::<Usage>() => Err(other.map_or(error, Error::from)),
        done => done,
    }
}

struct ReplayRecord<'a> {
    args: &'a ReplayArgs,
    text: &'a str,
    tags: &'a [(String, String)],
    /// Why the record, or the first one, is not of this game.
    other: &'a mut Option<ForeignRecord>,
}

impl Task for ReplayRecord<'_> {
    type Output = Result<()>;

    fn run<G: Complete>(self, game: G) -> Result<()> {
        let ReplayRecord { args, text, tags, other } = self;
        let mut records = read_records(&game, text);
        let tables = Tablebase::on(game, args.tables.directories(BlockCache::default())?);
        if records.len() > 1 {
            return matches::run(&Contest::judge(&tables, records, args.probe)?, args);
        }
        if let Some(other) = other.take() {
            return Err(other.into());
        }
        check_options(tables.game(), tags)?;
        records.pop().map_or(Ok(()), |record| run_alone(&tables, record, args))
    }
}

/// Replays the one game of a file.
fn run_alone<G: Complete>(
    tables: &Tablebase<G>,
    record: Record<G>,
    args: &ReplayArgs,
) -> Result<()> {
    let Record { replay, error, .. } = record;
    let ending = if error.is_none() { tables.game().result(&replay) } else { None };
    let record = RecordText::new(tables, &replay, ending.as_ref(), args.probe)?;
    write(&record, error, args)?;
    Ok(check_results(&replay, ending.as_ref())?)
}

/// Writes a record that was read as far as there is no mistake in it.
fn write(record: &RecordText, error: Option<RecordError>, args: &ReplayArgs) -> Result<()> {
    // What was played before a mistake helps to find it; what programs read is whole or not at all.
    let error = match error {
        Some(error) if args.json || args.pgn || record.turns.is_empty() => return Err(error.into()),
        error => error,
    };
    let mut out = io::stdout().lock();
    if args.json {
        writeln!(out, "{}", Value::Object(record.object()))?;
    } else if args.pgn {
        write!(out, "{}", record.pgn())?;
    } else {
        write_turns(&mut out, record, args.verbose)?;
        if let Some(error) = error {
            return Err(error.into());
        }
        writeln!(out, "{}", record.result)?;
    }
    if record.losses.as_ref().is_some_and(|losses| !losses.covered) {
        say("note: the tables at hand cover no position of this game");
    }
    Ok(())
}

/// The text of a file, or of stdin for `-`. What is not UTF-8 is taken for Latin-1, as older
/// records are.
fn read(path: &Path) -> Result<String> {
    let bytes = if path == Path::new("-") {
        let mut bytes = Vec::new();
        io::stdin().read_to_end(&mut bytes).context("cannot read stdin")?;
        bytes
    } else {
        fs::read(path).with_context(|| format!("cannot read {}", path.display()))?
    };
    Ok(String::from_utf8(bytes)
        .unwrap_or_else(|error| error.into_bytes().into_iter().map(char::from).collect()))
}
