//! `finale perft`.

use std::io::{self, Write};

use anyhow::Result;
use serde_json::json;

use super::{args::PerftArgs, games::play, note::note_left_out};
use crate::{
    parallel,
    registry::{Complete, Task},
    rules,
};

/// Counts sequences of turns.
pub fn run(args: PerftArgs) -> Result<()> {
    play(&args.game, Perft(&args))
}

struct Perft<'a>(&'a PerftArgs);

impl Task for Perft<'_> {
    type Output = Result<()>;

    fn run<G: Complete>(self, game: G) -> Result<()> {
        let Perft(args) = self;
        let position =
            if args.fen == "start" { game.initial() } else { game.parse_fen(&args.fen)? };
        let fen = game.fen(&position);
        if args.fen != "start" {
            note_left_out(&args.fen, &fen);
        }
        let first_turns = if args.depth == 0 { Vec::new() } else { game.turns(&position) };
        let counts: Vec<(String, u64)> = parallel::map(first_turns, 1, |_, turn| {
            let next = game.play(&position, turn);
            (game.uci(&position, turn), rules::perft(&game, &next, args.depth - 1))
        });
        Ok(write(&fen, counts, args)?)
    }
}

/// Writes how many sequences begin with each turn, or with any.
fn write(fen: &str, counts: Vec<(String, u64)>, args: &PerftArgs) -> io::Result<()> {
    let mut out = io::stdout().lock();
    // Without a turn there is one sequence, the empty one.
    let total: u64 = match args.depth {
        0 => 1,
        _ => counts.iter().map(|(_, count)| count).sum(),
    };
    if args.json {
        let divide: serde_json::Map<_, _> =
            counts.into_iter().map(|(turn, count)| (turn, json!(count))).collect();
        let mut object = json!({ "fen": fen, "depth": args.depth, "count": total });
        if args.divide {
            object["turns"] = divide.into();
        }
        return writeln!(out, "{object}");
    }
    if args.divide {
        for (turn, count) in counts {
            writeln!(out, "{turn} {count}")?;
        }
    }
    writeln!(out, "{total}")
}
