//! What a Rust program relies on: threads may share tables, and folders may be several.

use std::{fmt::Debug, thread};

use finale::{
    Tablebase,
    answer::Plies,
    ordinary::{Variant, Wdl},
    probe::{OpenTableError, ProbeError, TableDirectories},
    registry::{Complete, GameName, Task},
    rules::{FenError, Game, RuleOptions},
    solve::{BuildError, BuildOptions},
    table::{BlockCache, Table, TableError},
};

/// Compiles only if values of the type can be shared by threads, and printed.
fn shared<T: Send + Sync + Debug>() {}

/// Compiles only if the error can cross threads as a boxed one.
fn is_an_error<T: std::error::Error + Send + Sync + 'static>() {}

struct Shared;

impl Task for Shared {
    type Output = ();

    fn run<G: Complete>(self, _: G) {
        shared::<G>();
        shared::<G::Position>();
        shared::<G::Turn>();
        shared::<G::Answer>();
        shared::<G::Reader>();
        shared::<Tablebase<G>>();
    }
}

#[test]
fn whatever_answers_can_be_shared_by_threads() {
    for game in GameName::all() {
        game.play(RuleOptions::none(), Shared).expect("the usual options");
    }
    shared::<TableDirectories>();
    shared::<Table>();
    shared::<BuildOptions>();
    is_an_error::<FenError>();
    is_an_error::<TableError>();
    is_an_error::<OpenTableError>();
    is_an_error::<ProbeError>();
    is_an_error::<BuildError>();
}

#[test]
fn tables_may_lie_in_several_folders_and_answer_many_threads() {
    let folders = [(); 3].map(|()| tempfile::tempdir().expect("a temporary folder"));
    let [first, second, empty] = folders.each_ref().map(|folder| folder.path());
    let build = |folder, material: &str| {
        let tables = Tablebase::new(Variant::orthodox(), folder);
        let materials = [material.parse().expect("a material")];
        tables.build(&materials, &BuildOptions::default()).expect("room to build");
    };
    build(first, "KQvK");
    build(second, "KRvK");
    let directories = TableDirectories::new(empty, BlockCache::default()).and(first).and(second);
    let tables = Tablebase::on(Variant::orthodox(), directories);
    let mut found: Vec<String> =
        tables.materials().expect("folders").iter().map(ToString::to_string).collect();
    found.sort();
    assert_eq!(found, ["KQvK", "KRvK", "KvK"]);
    assert_eq!(tables.max_men().expect("folders"), 3);
    thread::scope(|scope| {
        for (fen, plies) in [("8/8/8/8/8/2k5/8/KQ6 w", 11), ("8/8/8/8/8/1K6/3R4/k7 w", 1)] {
            for _ in 0..4 {
                let tables = &tables;
                scope.spawn(move || {
                    let position = tables.game().parse_fen(fen).expect("a position");
                    let answer = tables.answer(&position).expect("a table in one of the folders");
                    assert_eq!((answer.wdl, answer.dtm), (Wdl::Win, Some(Plies(plies))));
                });
            }
        }
    });
}
