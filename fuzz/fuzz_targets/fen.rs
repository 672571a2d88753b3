//! Any text as a FEN of each game: what is accepted is a position in which everything works.

#![no_main]

use finale::registry::Complete;
use finale_fuzz::{
    games::{Question, ask_every_game},
    sound::position_is_sound,
};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    ask_every_game(&Fen(text));
});

struct Fen<'t>(&'t str);

impl Question for Fen<'_> {
    fn ask<G: Complete>(&self, game: &G) {
        position_is_sound(game, self.0);
    }
}
