//! `finale replay`.

use std::{
    fs,
    io::{self, Read, Write},
    path::Path,
};

use anyhow::{Context, Result};
use serde_json::{Value, json};

use super::{args::ReplayArgs, games::play};
use crate::{
    registry::{Complete, Task},
    rules::read_record,
    study::MoveNumbers,
};

/// Plays a game record by the full rules.
pub fn run(args: ReplayArgs) -> Result<()> {
    play(&args.game, ReplayRecord(&args))
}

struct ReplayRecord<'a>(&'a ReplayArgs);

impl Task for ReplayRecord<'_> {
    type Output = Result<()>;

    fn run<G: Complete>(self, game: G) -> Result<()> {
        let ReplayRecord(args) = self;
        let text = read(&args.file)?;
        let replay = read_record(&game, &text)?;
        let last = replay.last();
        let result = match game.result(&replay) {
            Some(ending) => ending.to_string(),
            None => {
                let standing =
                    game.standing(last).map_or(String::new(), |text| format!("; {text}"));
                format!("the game goes on, {} to move{standing}", game.to_move(last))
            }
        };
        let mut out = io::stdout().lock();
        if args.json {
            let turns: Vec<Value> = replay
                .plies
                .iter()
                .map(|ply| {
                    json!({
                        "uci": game.uci(&ply.before, ply.turn),
                        "san": game.san(&ply.before, ply.turn),
                        "comment": game.comment(&ply.before, ply.turn, &ply.after),
                        "fen": game.fen(&ply.after),
                    })
                })
                .collect();
            let object = json!({ "game": G::NAME, "turns": turns, "result": result });
            writeln!(out, "{object}")?;
            return Ok(());
        }
        let mut numbers = MoveNumbers::from_fen(&game.fen(&replay.start));
        for ply in &replay.plies {
            let label = numbers.label(game.to_move(&ply.before));
            let comment = game.comment(&ply.before, ply.turn, &ply.after).unwrap_or_default();
            let san = game.san(&ply.before, ply.turn);
            writeln!(out, "{}", format!("{label:>6} {san:<8} {comment}").trim_end())?;
        }
        writeln!(out, "{}", game.fen(last))?;
        writeln!(out, "{result}")?;
        Ok(())
    }
}

/// The text of a file, or of stdin for `-`.
fn read(path: &Path) -> Result<String> {
    if path == Path::new("-") {
        let mut text = String::new();
        io::stdin().read_to_string(&mut text).context("cannot read stdin")?;
        return Ok(text);
    }
    fs::read_to_string(path).with_context(|| format!("cannot read {}", path.display()))
}
