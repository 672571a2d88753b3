//! Whole answers of a table of four men in memory, one thread.
//!
//! For comparison the same run reads as many numbers out of a plain array as large as the table,
//! at the places a table has them: what no probe can be quicker than.

#[path = "../tests/common/build.rs"]
mod build;

use std::{hint::black_box, path::Path};

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use finale::{
    board::Color,
    probe::Tablebase,
    rules::{High, HighPosition, Orthodox},
    solve::Solve,
};

const POSITIONS: usize = 200_000;
const MATERIAL: &str = "KQvKR";

/// A table with random legal positions, and the cells they are stored in.
struct Sample<G: Solve> {
    tables: Tablebase<G>,
    cells: u64,
    positions: Vec<(u64, G::Position)>,
}

impl<G: Solve> Sample<G> {
    fn new(game: G, folder: &Path) -> Sample<G> {
        build::build(&game, folder, &[MATERIAL]);
        let tables = Tablebase::new(game, folder);
        let material = MATERIAL.parse().expect("a material");
        let reader = tables.reader(&material).expect("it was just built");
        let cells = tables.game().cells(&reader);
        let mut state: u64 = 1;
        let numbers = std::iter::repeat_with(|| {
            state = state
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1_442_695_040_888_963_407);
            (state >> 20) % cells
        });
        let positions = numbers.filter_map(|cell| Some((cell, tables.game().cell(&reader, cell)?)));
        let positions = positions.take(POSITIONS).collect();
        Sample { tables, cells, positions }
    }

    /// Answers all positions, and makes sure that `wins` of them are not all alike.
    fn bench(&self, c: &mut Criterion, wins: impl Fn(&G::Position, &G::Answer) -> bool) {
        let mut group = c.benchmark_group(format!("{} {MATERIAL}, warm", G::NAME));
        group.sample_size(10).throughput(Throughput::Elements(POSITIONS as u64));
        let count = || {
            let answers = self.positions.iter().filter(|(_, position)| {
                let answer = self.tables.answer(position).expect("the table is whole");
                wins(position, &answer)
            });
            answers.count()
        };
        let won = count();
        assert!(won > POSITIONS / 4 && won < POSITIONS);
        group.bench_function("probe", |b| b.iter(|| assert_eq!(black_box(count()), won)));
        let array: Vec<u16> = (0..self.cells).map(|cell| cell as u16).collect();
        group.bench_function("read a plain array", |b| {
            b.iter(|| {
                let numbers =
                    self.positions.iter().map(|&(cell, _)| u64::from(array[cell as usize]));
                black_box(numbers.sum::<u64>())
            });
        });
        group.finish();
    }
}

fn probes(c: &mut Criterion) {
    let folder = tempfile::tempdir().expect("a temporary folder");
    Sample::new(Orthodox, folder.path()).bench(c, |_, answer| answer.dtm.is_some());
    Sample::new(High::default(), folder.path()).bench(c, |position: &HighPosition, answer| {
        answer.staircase.winner(position.vitality) == Color::White
    });
}

criterion_group!(benches, probes);
criterion_main!(benches);
