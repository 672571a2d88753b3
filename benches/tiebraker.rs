//! Tiebraker Chess: all modes of a table with three men, and probes.

use std::{hint::black_box, time::Duration};

use criterion::{BatchSize, Criterion, criterion_group, criterion_main};
use finale::{
    index::Material,
    probe::Tablebase,
    rules::{Game, Tiebraker},
    solve::BuildOptions,
};

fn build(tables: &Tablebase<Tiebraker>, material: &str) {
    let material: Material = material.parse().expect("a material");
    let options = BuildOptions::default().memory(4 << 30);
    tables.build(&[material], &options).expect("the temporary directory can be written");
}

fn solving(c: &mut Criterion) {
    let mut group = c.benchmark_group("tiebraker, all modes");
    group.sample_size(10).measurement_time(Duration::from_secs(20));
    for material in ["KQvK", "KRvK"] {
        group.bench_function(material, |b| {
            b.iter_batched(
                || tempfile::tempdir().expect("a temporary directory can be made"),
                |folder| {
                    build(&Tablebase::new(Tiebraker, folder.path()), material);
                    folder
                },
                BatchSize::PerIteration,
            );
        });
    }
    group.finish();
}

fn probing(c: &mut Criterion) {
    let folder = tempfile::tempdir().expect("a temporary directory can be made");
    let tables = Tablebase::new(Tiebraker, folder.path());
    build(&tables, "KQvK");
    for (name, fen, points) in [
        ("normal", "8/8/6k1/8/8/2K5/8/Q7 b - -", 100),
        ("accepted", "8/8/6k1/8/8/2D5/8/Q7 b - - accepted", 90),
        ("option1:7", "8/8/6k1/8/8/2D5/8/Q7 w - - option1:7", 60),
    ] {
        let position = Tiebraker.parse_fen(fen).expect("a position");
        c.bench_function(&format!("tiebraker, probe, {name}"), |b| {
            b.iter(|| {
                let answer = tables.answer(black_box(&position)).expect("its table is there");
                assert_eq!(answer.points.of(finale::board::Color::White), points);
            });
        });
    }
}

criterion_group!(benches, solving, probing);
criterion_main!(benches);
