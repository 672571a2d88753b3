//! `finale replay`.

use std::{
    fs,
    io::{self, Read, Write},
    path::Path,
};

use anyhow::{Context, Result, bail};
use serde_json::{Value, json};

use super::{args::ReplayArgs, diagram::diagram, games::play, say::say};
use crate::{
    probe::{ProbeError, Tablebase},
    registry::{Complete, GameName, Task},
    rules::{Ply, Replay, check_results, read_record_until, read_tags, result_text},
    study::{MoveNumbers, OPTIONS_TAG, is_variant, options_tag},
};

/// Plays a game record by the full rules, those that the record names included.
pub fn run(args: ReplayArgs) -> Result<()> {
    let text = read(&args.file)?;
    let tags = read_tags(&text);
    check_game(args.game.game, &tags)?;
    let recorded = tag(&tags, OPTIONS_TAG).map_or(Vec::new(), |options| {
        let pairs = options.split(", ").filter_map(|option| option.split_once(' '));
        pairs.map(|(name, value)| (name.to_owned(), value.to_owned())).collect()
    });
    let game = args.game.with_recorded(&recorded);
    play(&game, ReplayRecord { args: &args, text: &text, tags: &tags })
}

fn tag<'t>(tags: &'t [(String, String)], name: &str) -> Option<&'t str> {
    tags.iter().find(|(tag, _)| tag == name).map(|(_, value)| value.as_str())
}

struct ReplayRecord<'a> {
    args: &'a ReplayArgs,
    text: &'a str,
    tags: &'a [(String, String)],
}

impl Task for ReplayRecord<'_> {
    type Output = Result<()>;

    fn run<G: Complete>(self, game: G) -> Result<()> {
        let ReplayRecord { args, text, tags } = self;
        check_options(&game, tags)?;
        let (replay, error) = read_record_until(&game, text);
        let tables = Tablebase::new(game, &args.tables.tables);
        let game = tables.game();
        let marks = if args.probe { marks(&tables, &replay)? } else { Vec::new() };
        let ending = if error.is_none() { game.result(&replay) } else { None };
        let last = replay.last();
        let result = match &ending {
            Some(ending) => ending.to_string(),
            None => {
                let standing =
                    game.standing(last).map_or(String::new(), |text| format!("; {text}"));
                // Players agree, resign and run out of time.
                let recorded = replay
                    .results()
                    .next()
                    .map_or(String::new(), |result| format!("; the record says {result}"));
                format!("the game goes on, {} to move{standing}{recorded}", game.to_move(last))
            }
        };
        // What was played before a mistake helps to find it; JSON is whole or not at all.
        let error = match error {
            Some(error) if args.json || replay.plies.is_empty() => return Err(error.into()),
            error => error,
        };
        let mut out = io::stdout().lock();
        if args.json {
            let turns: Vec<Value> = replay
                .plies
                .iter()
                .enumerate()
                .map(|(at, ply)| {
                    let mut turn = json!({
                        "uci": game.uci(&ply.before, ply.turn),
                        "san": game.san(&ply.before, ply.turn),
                        "comment": game.comment(&ply.before, ply.turn, &ply.after),
                        "fen": game.fen(&ply.after),
                    });
                    if args.probe {
                        turn["thrown_away"] = json!(marks[at]);
                    }
                    turn
                })
                .collect();
            let object = json!({
                "game": G::NAME,
                "turns": turns,
                "result": result,
                "pgn_result": result_text(ending.as_ref()),
                "recorded_result": replay.results().next(),
            });
            writeln!(out, "{object}")?;
        } else {
            let mut numbers = MoveNumbers::from_fen(&game.fen(&replay.start));
            for (at, ply) in replay.plies.iter().enumerate() {
                let label = numbers.label(game.to_move(&ply.before));
                let comment = game.comment(&ply.before, ply.turn, &ply.after).unwrap_or_default();
                let san = game.san(&ply.before, ply.turn);
                let mark = marks.get(at).cloned().flatten();
                let mark = mark.map_or_else(String::new, |mark| format!("  ?? {mark}"));
                writeln!(out, "{}", format!("{label:>6} {san:<8} {comment}{mark}").trim_end())?;
            }
            writeln!(out, "{}", game.fen(last))?;
            if args.verbose {
                write!(out, "\n{}\n", diagram(game.board(last)))?;
            }
            if let Some(error) = error {
                return Err(error.into());
            }
            writeln!(out, "{result}")?;
        }
        if args.probe && marks.iter().all(Option::is_none) && !is_covered(&tables, &replay)? {
            say("note: the tables at hand cover no position of this game");
        }
        Ok(check_results(&replay, ending.as_ref())?)
    }
}

/// Checks that a record is of this game.
fn check_game(game: GameName, tags: &[(String, String)]) -> Result<()> {
    match tag(tags, "Variant") {
        Some(variant) if !is_variant(variant, game.name(), game.title()) => {
            bail!("this is a record of {variant}, not of {}", game.title())
        }
        _ => Ok(()),
    }
}

/// Checks that a record was played by these rules.
fn check_options<G: Complete>(game: &G, tags: &[(String, String)]) -> Result<()> {
    let options = options_tag(game);
    match tag(tags, OPTIONS_TAG) {
        Some(recorded) if recorded != options => {
            bail!("this game was played with {recorded}, not with {options}")
        }
        _ => Ok(()),
    }
}

/// For each turn that throws something away, what: `before: White wins; now: drawn`. Positions that
/// no table at hand covers are passed over.
fn marks<G: Complete>(tables: &Tablebase<G>, replay: &Replay<G>) -> Result<Vec<Option<String>>> {
    let mark = |ply: &Ply<G>| -> Result<Option<String>> {
        let (Some(before), Some(after)) =
            (result(tables, &ply.before)?, result(tables, &ply.after)?)
        else {
            return Ok(None);
        };
        Ok((before != after).then(|| format!("before: {before}; now: {after}")))
    };
    replay.plies.iter().map(mark).collect()
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

fn is_covered<G: Complete>(tables: &Tablebase<G>, replay: &Replay<G>) -> Result<bool> {
    for ply in &replay.plies {
        if result(tables, &ply.before)?.is_some() {
            return Ok(true);
        }
    }
    Ok(false)
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
