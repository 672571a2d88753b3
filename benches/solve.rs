//! Building a table of each game, what it needs being there: how long solving takes, and how long
//! packing and writing.
//!
//! Both parts are timed in builds like any other, at the default effort of the compression: what
//! comes before the first cell is written is solving, reading the tables it needs included.

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
    rules::RuleOptions,
    solve::BuildOptions,
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
fn build<G: Complete>(game: &G, folder: &Path, material: Material) -> [Duration; 2] {
    let tables = Tablebase::new(game.clone(), folder);
    let file = tables.shelf().path(&game.table_id(&material));
    if file.exists() {
        fs::remove_file(&file).expect("the table is ours");
    }
    let watch = Watch::default();
    let begun = Instant::now();
    let plan = tables.build_with(&[material], &BuildOptions::default(), &watch);
    let done = Instant::now();
    plan.expect("there is room for it");
    let written = watch.0.into_inner().expect("nobody panics").expect("a table is written");
    [written - begun, done - written]
}

struct Bench<'a>(&'a mut Criterion);

impl Task for Bench<'_> {
    type Output = ();

    fn run<G: Complete>(self, game: G) {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let material = game.named(&material_of(G::NAME)).expect("a material of the game");
        // With all it needs.
        build(&game, folder.path(), material);
        let mut group = self.0.benchmark_group(format!("{} {material}", G::NAME));
        group
            .sample_size(10)
            .throughput(Throughput::Elements(game.size(&material, true).positions));
        for (part, name) in ["solve", "write"].into_iter().enumerate() {
            group.bench_function(name, |b| {
                b.iter_custom(|times| {
                    (0..times).map(|_| build(&game, folder.path(), material)[part]).sum()
                });
            });
        }
        group.finish();
    }
}

fn solves(c: &mut Criterion) {
    for game in GameName::ALL {
        game.play(RuleOptions::none(), Bench(c)).expect("the usual rules");
    }
}

criterion_group!(benches, solves);
criterion_main!(benches);
