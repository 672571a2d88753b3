//! Tables of results alone against those with distances.

use std::{fs, path::Path};

use finale::{
    answer::{Contents, Wdl, WinDrawLoss},
    index::Material,
    probe::Tablebase,
    progress::Silent,
    registry::Complete,
    rules::{Elks, Game, High, KingOfTheHill, Orphic, Orthodox, Rooks, Stylish, Tiebraker},
    solve::BuildOptions,
    study::Study,
};

/// How tables of results are built.
fn results() -> BuildOptions {
    BuildOptions::default().level(3).contents(Contents::Result)
}

fn materials(names: &[&str]) -> Vec<Material> {
    names.iter().map(|name| name.parse().expect("a material")).collect()
}

/// Builds some tables with distances and without, and holds each answer of these against those.
/// Returns what all files take, with distances and without.
fn compare<G: Complete>(game: G, names: &[&str]) -> [u64; 2] {
    let folders = [0, 1].map(|_| tempfile::tempdir().expect("a temporary folder"));
    let tables = |at: usize| Tablebase::new(game.clone(), folders[at].path());
    let names = materials(names);
    tables(0).build(&names, &BuildOptions::default().level(3)).expect("room to build");
    let plan = tables(1).build(&names, &results()).expect("room to build");
    // What distances are known of the tables around makes no difference.
    tables(0).build(&names, &results()).expect("room to build");
    for table in plan.tables.iter().filter(|table| names.contains(&table.id.material)) {
        let read = |folder: &Path| fs::read(folder.join(table.id.file())).expect("a table");
        assert!(read(folders[0].path()) == read(folders[1].path()), "{}", table.id.title());
    }
    let ([with, without], mut sizes) = ([tables(0), tables(1)], [0; 2]);
    for table in &plan.tables {
        let material = &table.id.material;
        assert_eq!(without.contents(material).expect("a table"), Contents::Result);
        assert_eq!(with.contents(material).expect("a table"), Contents::Distance);
        let count = without.tally(
            material,
            &Silent,
            || 0_u64,
            |count, position, answer, _| {
                let known = game.without_distance(with.answer(position)?);
                // Where the game is over, the rules tell all.
                let told = game.without_distance(answer.clone());
                assert_eq!(told, known, "{}", game.fen(position));
                *count += 1;
                Ok(())
            },
            |count, more| *count += more,
        );
        assert!(count.expect("tables that are there") > 0);
        let verified = without.verify(material, &Silent).expect("tables that are there");
        assert_eq!(verified.wrong, 0, "{}: {:?}", table.id.title(), verified.example);
        for (size, contents) in sizes.iter_mut().zip([Contents::Distance, Contents::Result]) {
            let folder = folders[usize::from(contents == Contents::Result)].path();
            let id = game.table_id(material, contents);
            *size += fs::metadata(folder.join(id.file())).expect("a table").len();
        }
    }
    sizes
}

#[test]
fn orthodox_chess() {
    let [with, without] = compare(Orthodox, &["KQvK", "KRvK", "KBvK", "KNvK", "KPvK", "KQvKR"]);
    assert!(without * 4 < with, "{without} bytes instead of {with}");
}

#[test]
fn goals_that_tell_colours_apart() {
    compare(KingOfTheHill, &["KQvK", "KPvK"]);
}

#[test]
fn reserves() {
    compare(Orphic::<Rooks>::default(), &["KRv[K]", "K[B]vK"]);
    compare(Orphic::<Elks>::default(), &["K[E]vK"]);
}

#[test]
fn staircases() {
    compare(High::default(), &["KRvK", "KvKB"]);
}

#[test]
fn margins() {
    let [with, without] = compare(Stylish::default(), &["KQvK", "KRvK", "KBvK", "KNvK", "KPvK"]);
    assert!(without * 2 < with, "{without} bytes instead of {with}");
}

#[test]
fn points() {
    let [with, without] = compare(Tiebraker, &["KQvK", "KRvK", "KBvK", "KNvK", "KPvK"]);
    assert!(without * 2 < with, "{without} bytes instead of {with}");
}

#[test]
fn tables_of_several_parts_have_the_same_results() {
    let folders = [0, 1].map(|_| tempfile::tempdir().expect("a temporary folder"));
    let [whole, parts] = folders.each_ref().map(|folder| Tablebase::new(Orthodox, folder.path()));
    let names = materials(&["KPvK"]);
    whole.build(&names, &results()).expect("room to build");
    parts.build(&names, &results().part_size(5000)).expect("room to build");
    let sum = |tables: &Tablebase<Orthodox>| {
        let add = |sum: &mut [u64; 3], _: &_, answer: &WinDrawLoss, weight| {
            sum[answer.wdl as usize] += weight;
            Ok(())
        };
        let merge = |sum: &mut [u64; 3], more: [u64; 3]| (0..3).for_each(|at| sum[at] += more[at]);
        tables.tally(&names[0], &Silent, <[u64; 3]>::default, add, merge).expect("a table")
    };
    assert_eq!(sum(&parts), sum(&whole));
    assert_eq!(parts.verify(&names[0], &Silent).expect("tables").wrong, 0);
}

#[test]
fn what_is_not_known_is_not_told() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let tables = Tablebase::new(Orthodox, folder.path());
    tables.build(&materials(&["KQvKR"]), &results()).expect("room to build");
    // The same with distances after captures.
    tables.build(&materials(&["KQvK", "KRvK"]), &BuildOptions::default()).expect("room to build");
    let tables = Tablebase::new(Orthodox, folder.path());
    let position = |fen: &str| tables.game().parse_fen(fen).expect("a position");
    let winning = position("8/8/8/3r4/8/2k5/8/K2Q4 w - - 0 1");
    let answer = tables.answer(&winning).expect("tables");
    // The Rook can be taken, but a mate may be nearer.
    assert_eq!(answer, WinDrawLoss { wdl: Wdl::Win, dtm: None });
    let words = tables.game().words(&winning, &answer);
    assert_eq!(words, ["White wins; the table does not tell in how many moves"]);
    // Behind the capture all is known.
    let ranked = tables.ranked(&winning).expect("tables");
    let capture = ranked.iter().find(|ranked| ranked.after.board.occupied().len() == 3);
    assert!(capture.expect("it is legal").answer.dtm.is_some());
    assert_eq!(ranked[0].worth.wdl, Wdl::Win);
}
