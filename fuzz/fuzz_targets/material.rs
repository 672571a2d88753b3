//! Any text as a material: what is accepted is written again as a name of the same men.

#![no_main]

mod games;

use finale::{index::Material, solve::Solve};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    let Ok(material) = text.parse::<Material>() else { return };
    assert_eq!(material.to_string().parse(), Ok(material));
    every_game!(named, &material);
});

fn named<G: Solve>(game: &G, material: &Material) {
    let Ok(named) = game.named(material) else { return };
    assert_eq!(game.named(&named), Ok(named));
    for needed in game.needs(&named) {
        assert_eq!(game.named(&needed), Ok(needed));
    }
}
