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
    let Ok(id) = game.table_id(material) else { return };
    assert_eq!(game.table_id(&id.material).map(|again| again.material), Ok(id.material));
    for needed in game.needs(&id.material) {
        assert!(game.table_id(&needed).is_ok());
    }
}
