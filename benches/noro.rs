//! Norochess: what a layer costs, and how many positions are answered a second.

use std::hint::black_box;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use finale::{
    index::Material,
    probe::Tablebase,
    progress::Silent,
    rules::{Game, Noro, NoroPosition},
    solve::{Budget, BuildOptions, Solve, Workbench},
    table::WriterOptions,
};

/// All layers of a 4-man table without pawns. An element is a position in a layer; gathering the
/// options and writing the file, at the lowest effort, are counted with it.
fn layers(criterion: &mut Criterion) {
    let folder = tempfile::tempdir().unwrap();
    let game = Noro::default();
    let tables = Tablebase::new(game, folder.path());
    let budget = Budget::new(1 << 30, folder.path());
    let options = WriterOptions { level: 1, ..WriterOptions::default() };
    let bench = Workbench { shelf: tables.shelf(), budget: &budget, options, progress: &Silent };
    let mut group = criterion.benchmark_group("noro layers");
    group.sample_size(10);
    for name in ["KQvKR", "KRvKN"] {
        let material: Material = name.parse().unwrap();
        tables.build(&[material], &BuildOptions::default().level(1)).unwrap();
        // Each position is in every other layer.
        let positions = game.size(&material).positions / 2;
        group.throughput(Throughput::Elements(positions * u64::from(game.moves.plies() + 1)));
        group.bench_function(name, |b| b.iter(|| game.solve(&material, &bench).unwrap()));
    }
    group.finish();
    let position = |fen: &str| game.parse_fen(fen).unwrap();
    let positions: Vec<NoroPosition> = (1..=48)
        .flat_map(|number| {
            ["8/4R1k1/8/8/8/1n6/3K4/8 w", "k7/8/3R4/8/2n5/8/8/6K1 b", "8/8/1k6/8/5n2/8/R7/K7 w"]
                .map(|men| position(&format!("{men} - - 9+9 0 {number}")))
        })
        .collect();
    let mut group = criterion.benchmark_group("noro probes");
    group.throughput(Throughput::Elements(positions.len() as u64));
    group.bench_function("KRvKN, warm", |b| {
        b.iter(|| {
            for position in &positions {
                black_box(tables.answer(position).unwrap().thresholds());
            }
        });
    });
    group.finish();
}

criterion_group!(benches, layers);
criterion_main!(benches);
