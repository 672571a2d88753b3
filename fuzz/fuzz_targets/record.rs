//! Any text as a game record: what is accepted was played by the rules.

#![no_main]

mod games;

use finale::rules::{Game, read_record};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    every_game!(read, text);
});

fn read<G: Game>(game: &G, text: &str) {
    let Ok(replay) = read_record(game, text) else { return };
    for ply in &replay.plies {
        assert!(game.turns(&ply.before).contains(&ply.turn));
        assert!(game.play(&ply.before, ply.turn) == ply.after);
    }
}
