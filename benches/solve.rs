//! Building a table of each game, what it needs being there: how long solving takes, and how long
//! packing and writing.
//!
//! Both parts are timed in builds like any other, at the default effort of the compression unless
//! it is said: what comes before the first cell is written is solving, reading the tables it needs
//! included.

mod common;

use std::{
    fs,
    path::Path,
    sync::Mutex,
    time::{Duration, Instant},
};

use common::material_of;
use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use finale::{
    index::Material,
    probe::Tablebase,
    progress::Progress,
    registry::{Complete, GameName, Task},
    rules::{RuleOptions, Variant},
    solve::{BuildOptions, Goal},
};

/// Notes when writing begins.
#[derive(Default)]
struct Watch(Mutex<Option<Instant>>);

impl Progress for Watch {
    fn begin(&self, what: &str, _: u64) {
        if what.starts_with("writing") {
            *self.0.lock().expect("nobody panics") = Some(Instant::now());
        }
    }

    fn advance(&self, _: u64) {}
}

/// Builds a table anew; returns how long solving it took, and writing it.
fn build<G: Complete>(
    game: &G,
    folder: &Path,
    material: Material,
    options: &BuildOptions,
) -> [Duration; 2] {
    let tables = Tablebase::new(game.clone(), folder);
    let file = tables.directories().path(&game.table_id(&material, G::CONTENTS[0]));
    if file.exists() {
        fs::remove_file(&file).expect("the table is ours");
    }
    let watch = Watch::default();
    let begun = Instant::now();
    let plan = tables.build_with(&[material], options, &watch);
    let done = Instant::now();
    plan.expect("there is room for it");
    let written = watch.0.into_inner().expect("nobody panics").expect("a table is written");
    [written - begun, done - written]
}

/// A table to be built: of a game, with this effort if it is not the default.
struct Bench<'a> {
    criterion: &'a mut Criterion,
    material: Material,
    level: Option<i32>,
}

impl Task for Bench<'_> {
    type Output = ();

    fn run<G: Complete>(self, game: G) {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let material = game.named(&self.material).expect("a material of the game");
        let options = BuildOptions::default();
        let (options, name) = match self.level {
            None => (options, format!("{} {material}", game.name())),
            Some(level) => {
                (options.level(level), format!("{} {material} level {level}", game.name()))
            }
        };
        // With all it needs.
        build(&game, folder.path(), material, &options);
        let mut group = self.criterion.benchmark_group(name);
        let positions = game.size(&Goal::new(&game, material, options.contents)).positions;
        group.sample_size(10).throughput(Throughput::Elements(positions));
        for (part, name) in ["solve", "write"].into_iter().enumerate() {
            group.bench_function(name, |b| {
                b.iter_custom(|times| {
                    let build = |_| build(&game, folder.path(), material, &options)[part];
                    (0..times).map(build).sum()
                });
            });
        }
        group.finish();
    }
}

fn solves(c: &mut Criterion) {
    let mut bench = |game: GameName, material: Material, level| {
        let bench = Bench { criterion: c, material, level };
        game.play(RuleOptions::none(), bench).expect("the usual rules");
    };
    for &game in GameName::all() {
        bench(game, material_of(game.name()), None);
    }
    // Five men, packed in haste.
    let orthodox = GameName::Ordinary(Variant::orthodox());
    bench(orthodox, "KQRvKR".parse().expect("a material"), Some(1));
}

criterion_group!(benches, solves);
criterion_main!(benches);
