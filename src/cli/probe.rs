//! `finale probe`.

use std::io::{self, Write};

use anyhow::Result;
use serde_json::Value;

use super::{
    args::ProbeArgs, batch::batch, build::build_for, diagram::diagram, games::play,
    line::without_result, note::note_left_out,
};
use crate::{
    board::Board,
    probe::{ProbeError, Ranked, Tablebase},
    registry::{Complete, Task},
    study::position_object,
    table::BlockCache,
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
        let tables = Tablebase::on(game, args.tables.directories(BlockCache::default())?);
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
        args.tables.folder("probe --build")?;
        build_for(game, game.material_of(&position)?, tables.directories(), &args.make)?;
    }
    let fen_read = game.fen(&position);
    if args.json {
        writeln!(io::stdout(), "{}", Value::Object(position_object(tables, &position, true)?))?;
        note_left_out(fen, &fen_read);
        return Ok(());
    }
    let answer = tables.answer(&position)?;
    // The result stands in the headline, and at turns that change it.
    let result = game.result_words(&position, &answer);
    let mut turns = Vec::new();
    for Ranked { turn, after, answer, .. } in tables.ranked(&position)? {
        let words = game.turn_words(&position, turn, &after, &answer);
        turns.push((game.san(&position, turn), without_result(&words, &result).to_owned()));
    }
    let words = game.explanation(tables, &position, &answer);
    write(&fen_read, args.verbose.then(|| game.board(&position)), words, &turns)?;
    note_left_out(fen, &fen_read);
    Ok(())
}

/// Writes a position, its board if that is wanted, the answer in words if they could be found, and
/// the turns with theirs.
fn write(
    fen: &str,
    board: Option<&Board>,
    words: Result<Vec<String>, ProbeError>,
    turns: &[(String, String)],
) -> Result<()> {
    let mut out = io::stdout().lock();
    writeln!(out, "{fen}")?;
    if let Some(board) = board {
        write!(out, "\n{}\n", diagram(board))?;
    }
    for sentence in words? {
        writeln!(out, "{sentence}")?;
    }
    let width = turns.iter().map(|(san, _)| san.chars().count()).max().unwrap_or(0);
    if !turns.is_empty() {
        writeln!(out)?;
    }
    for (san, brief) in turns {
        writeln!(out, "{}", format!("  {san:<width$}  {brief}").trim_end())?;
    }
    Ok(())
}
