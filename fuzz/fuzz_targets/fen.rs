//! Any text as a FEN of each game: what is accepted is a position in which everything works.

#![no_main]

mod games;

use finale::rules::Game;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    every_game!(read, text);
});

fn read<G: Game>(game: &G, text: &str) {
    let Ok(position) = game.parse_fen(text) else { return };
    let fen = game.fen(&position);
    let again = game.parse_fen(&fen).expect("a FEN we wrote");
    assert_eq!(game.fen(&again), fen);
    let turns = game.turns(&position);
    assert_eq!(turns.is_empty(), game.ending(&position).is_some());
    for turn in turns {
        game.turns(&game.play(&position, turn));
        for text in [game.uci(&position, turn), game.san(&position, turn)] {
            assert_eq!(game.parse_turn(&position, &text), Ok(turn));
        }
    }
}
