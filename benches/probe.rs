//! Whole answers of a table of each game in memory, one thread.
//!
//! For comparison the same run reads as many numbers out of a plain array as large as the table,
//! at the places a table has them: what no probe can be quicker than.

mod common;

use std::hint::black_box;

use common::material_of;
use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use finale::{
    answer::{Contents, Tabled},
    index::Material,
    pack::{Form, Sides},
    probe::{TableDirectories, Tablebase},
    progress::Silent,
    registry::{Complete, GameName, Task},
    rules::{RuleOptions, Setup, Variant},
    solve::BuildOptions,
    table::{BlockCache, WriterOptions},
};

const POSITIONS: usize = 200_000;

struct Bench<'a>(&'a mut Criterion);

impl Task for Bench<'_> {
    type Output = ();

    fn run<G: Complete>(self, game: G) {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let tables = Tablebase::new(game, folder.path());
        let game = tables.game();
        let material = game.named(&material_of(game.name())).expect("a material of the game");
        tables.build(&[material], &BuildOptions::default()).expect("there is room for it");
        let reader = tables.reader(&material).expect("it was just built");
        let cells = game.cells(&reader);
        let mut state: u64 = 1;
        let numbers = std::iter::repeat_with(|| {
            state = state
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1_442_695_040_888_963_407);
            (state >> 20) % cells
        });
        let legal = numbers.filter_map(|cell| Some((cell, game.cell(&reader, cell)?)));
        let positions: Vec<(u64, G::Position)> = legal.take(POSITIONS).collect();

        let answer = |at: usize| tables.answer(&positions[at].1).expect("the tables are whole");
        let first = answer(0);
        let others = || (0..POSITIONS).filter(|&at| answer(at) != first).count();
        let expected = others();
        assert!(expected > 0, "all answers are alike");

        let mut group = self.0.benchmark_group(format!("{} {material}, warm", game.name()));
        group.sample_size(10).throughput(Throughput::Elements(POSITIONS as u64));
        group.bench_function("answer", |b| b.iter(|| assert_eq!(others(), expected)));
        let array: Vec<u16> = (0..cells).map(|cell| cell as u16).collect();
        group.bench_function("read a plain array", |b| {
            b.iter(|| {
                let numbers = positions.iter().map(|&(cell, _)| u64::from(array[cell as usize]));
                black_box(numbers.sum::<u64>())
            });
        });
        let ranked = POSITIONS / 100;
        group.throughput(Throughput::Elements(ranked as u64));
        group.bench_function("rank the turns", |b| {
            b.iter(|| {
                for (_, position) in &positions[..ranked] {
                    black_box(tables.ranked(position).expect("the tables are whole"));
                }
            });
        });
        group.finish();
    }
}

/// Positions of orthodox KQvKR, asked of tables in each form they can have: warm, and with every
/// block unpacked anew.
fn forms(c: &mut Criterion) {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let material: Material = "KQvKR".parse().expect("a material");
    let whole = Tablebase::new(Variant::orthodox(), folder.path().join("both sides, distance"));
    let plan = whole.build(&[material], &BuildOptions::default()).expect("there is room for it");
    let reader = whole.reader(&material).expect("it was just built");
    let mut state: u64 = 1;
    let cells = Variant::orthodox().cells(&reader);
    let numbers = std::iter::repeat_with(|| {
        state =
            state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 20) % cells
    });
    let legal = numbers.filter_map(|cell| Variant::orthodox().cell(&reader, cell));
    let positions: Vec<Setup> = legal.take(POSITIONS).collect();
    for (name, form) in [
        ("both sides, distance", None),
        ("one side, distance", Some(Form::new(Sides::One))),
        ("both sides, result", Some(Form::new(Sides::Both).contents(Contents::Result))),
        ("one side, result", Some(Form::new(Sides::One).contents(Contents::Result))),
    ] {
        let at = folder.path().join(name);
        let into = TableDirectories::new(&at, BlockCache::default());
        for table in plan.tables.iter().filter(|_| form.is_some()) {
            let form = form.expect("it is some").level(WriterOptions::default().level);
            whole.pack(&table.id.material, &form, &into, &Silent).expect("whole tables");
        }
        let mut group = c.benchmark_group(format!("orthodox KQvKR, {name}"));
        group.sample_size(10);
        for (kind, cache, count) in [
            ("warm", BlockCache::default(), POSITIONS),
            ("cold", BlockCache::new(0), POSITIONS / 200),
        ] {
            let tables = Tablebase::on(Variant::orthodox(), TableDirectories::new(&at, cache));
            group.throughput(Throughput::Elements(count as u64));
            group.bench_function(kind, |b| {
                b.iter(|| {
                    for position in &positions[..count] {
                        black_box(tables.answer(position).expect("the tables are whole"));
                    }
                });
            });
        }
        group.finish();
    }
}

fn probes(c: &mut Criterion) {
    for game in GameName::all() {
        game.play(RuleOptions::none(), Bench(c)).expect("the usual rules");
    }
}

criterion_group!(benches, forms, probes);
criterion_main!(benches);
