//! `finale line`.

use std::io::{self, Write};

use anyhow::Result;
use serde_json::Value;

use super::{args::LineArgs, diagram::diagram, games::play, note::note_left_out};
use crate::{
    board::Board,
    probe::Tablebase,
    registry::{Complete, Task},
    study::{MoveNumbers, TurnText, best_line, line_object},
    table::BlockCache,
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
        let tables = Tablebase::on(game, args.tables.directories(BlockCache::default())?);
        let game = tables.game();
        let start = game.parse_fen(&args.fen)?;
        if args.json {
            let object = Value::Object(line_object(&tables, &start, args.max)?);
            writeln!(io::stdout(), "{object}")?;
            note_left_out(&args.fen, &game.fen(&start));
            return Ok(());
        }
        let line = best_line(&tables, &start, args.max)?;
        if args.pgn {
            write!(io::stdout(), "{}", line.pgn(game))?;
            return Ok(());
        }
        let answer = tables.answer(&start)?;
        let mut text = LineText {
            fen: game.fen(&start),
            headline: game.words(&start, &answer).into_iter().next(),
            result: game.result_words(&start, &answer),
            turns: Vec::new(),
            end: line.end_words(game),
            boards: [*game.board(&start), *game.board(line.last())],
        };
        for (ply, turn) in line.plies.iter().zip(line.turns(game)) {
            let brief = game.brief(&ply.after, &ply.answer);
            text.turns.push((turn, brief, game.result_words(&ply.after, &ply.answer)));
        }
        text.write(args)
    }
}

/// Best play as it is read, whatever the game.
struct LineText {
    /// The first position.
    fen: String,
    /// The answer for it.
    headline: Option<String>,
    /// What comes of it.
    result: String,
    /// Each turn, with the answer after it in a few words and what comes of that.
    turns: Vec<(TurnText, String, String)>,
    /// How the line ends.
    end: String,
    /// The men at the beginning and at the end.
    boards: [Board; 2],
}

impl LineText {
    fn write(&self, args: &LineArgs) -> Result<()> {
        let LineText { fen, headline, turns, end, boards: [first, last], .. } = self;
        let mut out = io::stdout().lock();
        writeln!(out, "{fen}")?;
        if args.verbose {
            write!(out, "\n{}\n", diagram(first))?;
        }
        if let Some(headline) = headline.as_ref().filter(|words| *words != end) {
            writeln!(out, "{headline}")?;
        }
        let mut result = &self.result;
        let mut numbers = MoveNumbers::from_fen(fen);
        for (TurnText { mover, san, comment, .. }, brief, result_after) in turns {
            let label = numbers.label(*mover);
            let comment = comment.as_deref().unwrap_or_default();
            // What stays the same is not said again.
            let brief = match without_result(brief, result) {
                brief if brief == end => "",
                brief => brief,
            };
            let text = format!("{label:>6} {san:<8} {comment:<8} {brief}");
            writeln!(out, "{}", text.trim_end())?;
            result = result_after;
        }
        if let Some((turn, ..)) = turns.last().filter(|_| args.verbose) {
            write!(out, "\n{}\n{}\n", turn.fen, diagram(last))?;
        }
        writeln!(out, "{end}")?;
        note_left_out(&args.fen, fen);
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
