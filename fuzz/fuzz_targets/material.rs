//! Any text as a material: what is accepted is written again as a name of the same men.

#![no_main]

use finale::{index::Material, registry::Complete};
use finale_fuzz::games::{Question, ask_every_game};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    let Ok(material) = text.parse::<Material>() else { return };
    assert_eq!(material.to_string().parse(), Ok(material));
    ask_every_game(&Named(material));
});

struct Named(Material);

impl Question for Named {
    fn ask<G: Complete>(&self, game: &G) {
        let Ok(named) = game.named(&self.0) else { return };
        assert_eq!(game.named(&named), Ok(named));
        for needed in game.needs(&named) {
            assert_eq!(game.named(&needed), Ok(needed));
        }
    }
}
