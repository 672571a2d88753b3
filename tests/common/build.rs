//! Building tables through the library.

use std::path::Path;

use finale::{
    index::Material,
    solve::{Plan, Shelf, Silent, Solve, Workbench, scratch::Budget},
    table::{BlockCache, WriterOptions},
};

/// Builds the tables of some materials, and all they need, in `folder`; returns their names in
/// order.
pub fn build<G: Solve>(game: &G, folder: &Path, materials: &[&str]) -> Vec<Material> {
    let materials: Vec<Material> =
        materials.iter().map(|name| name.parse().expect("a material")).collect();
    let shelf = Shelf::new(folder, BlockCache::default());
    let plan = Plan::new(game, &materials, &shelf).expect("the game has tables for them");
    let budget = Budget::new(1 << 30, folder);
    // Packing harder takes longer than solving.
    let options = WriterOptions { level: 3, ..WriterOptions::default() };
    let bench = Workbench { shelf: &shelf, budget: &budget, options, progress: &Silent };
    plan.build(game, &bench, |_| {}).expect("nothing is in the way");
    plan.tables.iter().map(|table| table.id.material).collect()
}
