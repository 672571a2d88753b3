//! Building tables through the library.

use std::path::Path;

use finale::{
    index::Material,
    probe::Tablebase,
    solve::{BuildOptions, Solve},
};

/// How tests build tables: packing harder takes longer than solving.
pub fn quickly() -> BuildOptions {
    BuildOptions::default().level(3)
}

/// Builds the tables of some materials, and all they need, in `folder`; returns their names in
/// order.
pub fn build<G: Solve>(
    game: &G,
    folder: &Path,
    materials: &[&str],
    options: &BuildOptions,
) -> Vec<Material> {
    let tables = Tablebase::new(game.clone(), folder);
    let materials: Vec<Material> =
        materials.iter().map(|name| name.parse().expect("a material")).collect();
    let plan = tables.build(&materials, options);
    plan.expect("nothing is in the way").tables.iter().map(|table| table.id.material).collect()
}
