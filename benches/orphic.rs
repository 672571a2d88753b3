//! Orphic Chess: a table with all it needs, and probing positions with men in hand.

use std::hint::black_box;

use criterion::{BatchSize, Criterion, criterion_group, criterion_main};
use finale::{
    answer::Wdl,
    probe::Tablebase,
    rules::{Game, Orphic, Rooks},
    solve::BuildOptions,
};
use tempfile::TempDir;

const GAME: Orphic<Rooks> = Orphic(Rooks);

/// Builds a table and all it needs in a new folder.
fn build(folder: &TempDir, material: &str) -> Tablebase<Orphic<Rooks>> {
    let tables = Tablebase::new(GAME, folder.path());
    let material = material.parse().expect("a material");
    tables.build(&[material], &BuildOptions::default()).expect("room to build");
    tables
}

fn building(c: &mut Criterion) {
    let mut group = c.benchmark_group("orphic build");
    group.sample_size(10);
    for material in ["K[Q]vK", "K[B]vKN"] {
        group.bench_function(material, |b| {
            let folder = || tempfile::tempdir().expect("a temporary folder");
            b.iter_batched(folder, |folder| build(&folder, material), BatchSize::PerIteration);
        });
    }
    group.finish();
}

fn probing(c: &mut Criterion) {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let tables = build(&folder, "K[R]vK");
    let position = GAME.parse_fen("8/8/8/8/3k4/8/8/K7[R] w").expect("a position");
    c.bench_function("orphic probe K[R]vK", |b| {
        b.iter(|| {
            let answer = tables.answer(black_box(&position)).expect("a sound table");
            assert_eq!((answer.wdl, answer.dtm), (Wdl::Win, Some(29)));
        });
    });
    c.bench_function("orphic rank the turns of K[R]vK", |b| {
        b.iter(|| tables.ranked(black_box(&position)).expect("sound tables"));
    });
}

criterion_group!(benches, building, probing);
criterion_main!(benches);
