//! What the benches of all games share.

use finale::index::Material;

/// What is built and probed of a game: a table of four men where that is not a matter of minutes.
pub fn material_of(game: &str) -> Material {
    let name = match game {
        "orphic" => "K[R]vKN",
        "orphic-elks" => "K[E]vKN",
        "tiebraker" => "KQvK",
        "makruk" => "KRvKS",
        _ => "KQvKR",
    };
    name.parse().expect("a material")
}
