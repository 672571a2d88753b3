//! Solving and writing whole tables, what they need being there.

#[path = "../tests/common/build.rs"]
mod build;

use std::{fs, path::Path};

use criterion::{Criterion, criterion_group, criterion_main};
use finale::{
    rules::{High, Orthodox},
    solve::Solve,
};

fn solve<G: Solve>(c: &mut Criterion, game: &G, folder: &Path, material: &str) {
    build::build(game, folder, &[material]);
    let table = folder.join(G::NAME).join(format!("{material}.ftb"));
    c.bench_function(&format!("solve {} {material}", G::NAME), |b| {
        b.iter(|| {
            fs::remove_file(&table).expect("the table is there");
            build::build(game, folder, &[material])
        });
    });
}

fn solves(c: &mut Criterion) {
    let folder = tempfile::tempdir().expect("a temporary folder");
    solve(c, &Orthodox, folder.path(), "KRvK");
    solve(c, &Orthodox, folder.path(), "KQvKR");
    solve(c, &High::default(), folder.path(), "KBvK");
}

criterion_group! {
    name = benches;
    config = Criterion::default().sample_size(10);
    targets = solves
}
criterion_main!(benches);
