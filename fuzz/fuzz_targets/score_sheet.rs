//! Any text as a score sheet of Stylish: what is accepted plays.

#![no_main]

use finale::rules::{Game, ScoreSheet, Stylish};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    let Ok(sheet) = ScoreSheet::from_toml(text) else { return };
    let game = Stylish { sheet: sheet.into() };
    assert!(!game.turns(&game.initial()).is_empty());
});
