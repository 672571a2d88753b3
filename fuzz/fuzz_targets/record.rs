//! Any text as a game record: what is accepted was played by the rules.

#![no_main]

use finale::registry::Complete;
use finale_fuzz::{
    games::{Question, ask_every_game},
    sound::record_is_sound,
};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    ask_every_game(&Record(text));
});

struct Record<'t>(&'t str);

impl Question for Record<'_> {
    fn ask<G: Complete>(&self, game: &G) {
        record_is_sound(game, self.0);
    }
}
