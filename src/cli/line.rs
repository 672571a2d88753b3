//! `finale line`.

use std::io::{self, Write};

use anyhow::Result;
use serde_json::Value;

use super::{args::LineArgs, diagram::diagram, games::play, note::note_left_out};
use crate::{
    probe::Tablebase,
    registry::{Complete, Task},
    study::{MoveNumbers, best_line, line_object},
};

/// Shows best play.
pub fn run(args: LineArgs) -> Result<()> {
    play(&args.game, ShowLine(&args))
}

struct ShowLine<'a>(&'a LineArgs);

impl Task for ShowLine<'_> {
    type Output = Result<()>;

    fn run<G: Complete>(self, game: G) -> Result<()> {
        let ShowLine(args) = self;
        let tables = Tablebase::new(game, &args.tables.tables);
        let game = tables.game();
        let start = game.parse_fen(&args.fen)?;
        let mut out = io::stdout().lock();
        if args.json {
            writeln!(out, "{}", Value::Object(line_object(&tables, &start, args.max)?))?;
            note_left_out(game, &args.fen, &start);
            return Ok(());
        }
        let line = best_line(&tables, &start, args.max)?;
        if args.pgn {
            write!(out, "{}", line.pgn(game))?;
            return Ok(());
        }
        let answer = tables.answer(&start)?;
        let last = line.plies.last().map_or(&start, |ply| &ply.after);
        let end = line.end_words(game);
        writeln!(out, "{}", game.fen(&start))?;
        if args.verbose {
            write!(out, "\n{}\n", diagram(game.board(&start)))?;
        }
        if let Some(headline) = game.words(&start, &answer).first().filter(|words| **words != end) {
            writeln!(out, "{headline}")?;
        }
        let mut result = game.result_words(&start, &answer);
        let mut numbers = MoveNumbers::from_fen(&game.fen(&start));
        for ply in &line.plies {
            let label = numbers.label(game.to_move(&ply.before));
            let san = game.san(&ply.before, ply.turn);
            let comment = game.comment(&ply.before, ply.turn, &ply.after).unwrap_or_default();
            let brief = game.brief(&ply.after, &ply.answer);
            // What stays the same is not said again.
            let brief = match without_result(&brief, &result) {
                brief if brief == end => "",
                brief => brief,
            };
            let text = format!("{label:>6} {san:<8} {comment:<8} {brief}");
            writeln!(out, "{}", text.trim_end())?;
            result = game.result_words(&ply.after, &ply.answer);
        }
        if args.verbose && !line.plies.is_empty() {
            write!(out, "\n{}\n{}\n", game.fen(last), diagram(game.board(last)))?;
        }
        writeln!(out, "{end}")?;
        note_left_out(game, &args.fen, &start);
        Ok(())
    }
}

/// An answer in words without the result it begins with, where that is known.
pub fn without_result<'w>(words: &'w str, result: &str) -> &'w str {
    match words.strip_prefix(result) {
        Some("") => "",
        Some(rest) => rest.strip_prefix(", ").unwrap_or(words),
        None => words,
    }
}
