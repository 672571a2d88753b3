//! Solving a table of Stylish with all it needs, and answering its positions.

use std::{hint::black_box, path::Path};

use criterion::{Criterion, criterion_group, criterion_main};
use finale::{
    index::Material,
    probe::Tablebase,
    rules::{Game, Stylish},
    solve::BuildOptions,
};

fn build(folder: &Path) -> Tablebase<Stylish> {
    let tables = Tablebase::new(Stylish::default(), folder);
    let material: Material = "KQvKR".parse().expect("a material");
    let options = BuildOptions::default().memory(2 << 30);
    tables.build(&[material], &options).expect("the temporary directory can be written");
    tables
}

fn solve(c: &mut Criterion) {
    let mut group = c.benchmark_group("stylish");
    group.sample_size(10);
    group.bench_function("build KQvKR and all it needs", |b| {
        b.iter(|| {
            let folder = tempfile::tempdir().expect("a temporary directory can be made");
            build(folder.path());
        });
    });
    group.finish();
}

fn probe(c: &mut Criterion) {
    let folder = tempfile::tempdir().expect("a temporary directory can be made");
    let tables = build(folder.path());
    let fen = "r7/8/8/8/8/8/7k/1KQ5 b - - 0 1";
    let position = tables.game().parse_fen(fen).expect("a position");
    assert_eq!(tables.answer(&position).map(|answer| answer.margin).ok(), Some(97));
    c.bench_function("stylish answer, warm", |b| {
        b.iter(|| tables.answer(black_box(&position)).ok());
    });
    c.bench_function("stylish ranked turns, warm", |b| {
        b.iter(|| tables.ranked(black_box(&position)).ok());
    });
}

criterion_group!(benches, solve, probe);
criterion_main!(benches);
