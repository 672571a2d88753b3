//! `finale probe`.

use std::io::{self, Write};

use anyhow::Result;
use serde_json::Value;

use super::{
    args::ProbeArgs, batch::batch, build::build_for, diagram::diagram, games::play,
    line::without_result, note::note_left_out,
};
use crate::{
    probe::Tablebase,
    registry::{Complete, Task},
    study::position_object,
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
        build_for(game, game.material_of(&position)?, tables.directories(), &args.make)?;
    }
    let mut out = io::stdout().lock();
    if args.json {
        writeln!(out, "{}", Value::Object(position_object(tables, &position, true)?))?;
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
