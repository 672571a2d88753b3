//! Any text as a file of variants: each section is refused with reasons, or is a game in which
//! everything works.

#![no_main]

use finale::rules::{Game, Variant, VariantFile};
use finale_fuzz::sound::position_is_sound;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    let Ok(file) = VariantFile::read(text) else { return };
    for section in file.resolve() {
        match section.definition {
            Ok(definition) => {
                let game = Variant::new(definition);
                assert!(position_is_sound(&game, &game.fen(&game.initial())));
            }
            Err(refusals) => assert!(!refusals.is_empty()),
        }
    }
});
