//! Tables of results alone against those with distances.

use std::{fs, path::Path};

use finale::{
    answer::{Contents, Wdl, WinDrawLoss},
    index::Material,
    probe::Tablebase,
    progress::Silent,
    registry::Complete,
    rules::{Elks, Game, High, Orphic, Rooks, Stylish, Tiebraker, Variant},
    solve::BuildOptions,
    study::{Study, best_line},
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
    let ([with, without], mut sizes) = ([tables(0), tables(1)], [0; 2]);
    for table in plan.tables.iter().filter(|table| names.contains(&table.id.material)) {
        let read = |folder: &Path| fs::read(folder.join(table.id.file())).expect("a table");
        assert!(read(folders[0].path()) == read(folders[1].path()), "{}", table.id.title());
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
    let [with, without] =
        compare(Variant::orthodox(), &["KQvK", "KRvK", "KBvK", "KNvK", "KPvK", "KQvKR"]);
    assert!(without * 4 < with, "{without} bytes instead of {with}");
}

#[test]
fn goals_that_tell_colours_apart() {
    compare(Variant::koth(), &["KQvK", "KPvK"]);
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
    assert!(without < with, "{without} bytes instead of {with}");
}

#[test]
fn points() {
    let [with, without] = compare(Tiebraker, &["KRvK", "KPvK"]);
    assert!(without < with, "{without} bytes instead of {with}");
}

/// Builds a table of results in one piece and in several, and holds each answer of one against that
/// of the other.
fn compare_parts<G: Complete>(game: G, name: &str) {
    let folders = [0, 1].map(|_| tempfile::tempdir().expect("a temporary folder"));
    let tables = folders.each_ref().map(|folder| Tablebase::new(game.clone(), folder.path()));
    let [whole, parts] = tables;
    let names = materials(&[name]);
    whole.build(&names, &results()).expect("room to build");
    parts.build(&names, &results().part_size(5000)).expect("room to build");
    let same = |count: &mut u64, position: &G::Position, answer: &G::Answer, _| {
        assert_eq!(whole.answer(position)?, *answer, "{}", game.fen(position));
        *count += 1;
        Ok(())
    };
    let count = parts.tally(&names[0], &Silent, || 0, same, |count, more| *count += more);
    assert!(count.expect("tables that are there") > 0);
    assert_eq!(parts.verify(&names[0], &Silent).expect("tables").wrong, 0);
}

#[test]
fn tables_of_several_parts_have_the_same_results() {
    compare_parts(Variant::orthodox(), "KPvK");
    compare_parts(Stylish::default(), "KPvK");
    compare_parts(Tiebraker, "KPvK");
}

#[test]
fn what_is_not_known_is_not_told() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let tables = Tablebase::new(Variant::orthodox(), folder.path());
    tables.build(&materials(&["KQvKR"]), &results()).expect("room to build");
    // The same with distances after captures.
    tables.build(&materials(&["KQvK", "KRvK"]), &BuildOptions::default()).expect("room to build");
    let tables = Tablebase::new(Variant::orthodox(), folder.path());
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

/// What a table of results says of a position, and how a line from there ends.
fn told<G: Complete + Default>(fen: &str) -> (Vec<String>, String) {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let tables = Tablebase::new(G::default(), folder.path());
    let game = tables.game();
    let position = game.parse_fen(fen).expect("a position");
    let material = game.material_of(&position).expect("a material");
    tables.build(&[material], &results()).expect("room to build");
    let answer = tables.answer(&position).expect("tables");
    let words = game.explanation(&tables, &position, &answer).expect("tables");
    let line = best_line(&tables, &position, 1000).expect("tables");
    (words, line.end_words(game))
}

#[test]
fn games_by_points_do_not_tell_what_they_do_not_know() {
    let (words, end) = told::<Stylish>("8/8/8/8/3k4/8/8/K6R w - - 0+0 - 0 1");
    let when = "The table does not tell when the next capture or promotion, or the end, comes.";
    assert_eq!(words, ["White comes out ahead: margin 110.", when]);
    assert!(end.ends_with("the tables tell the margin, but not on which way"), "{end}");
    let (words, end) = told::<Tiebraker>("8/8/8/8/3k4/8/8/K6R w - - normal 0 1");
    let when = "The table does not tell how far the next conversion, or the end, is.";
    assert_eq!(words[1..], [when]);
    assert!(!end.contains("Black 50"), "{end}");
    // What rests on infinite play they know.
    let (words, end) = told::<Tiebraker>("8/8/8/8/3k4/8/8/K7 w - - normal 0 1");
    assert_eq!(words[0], "White 50, Black 50: a draw.");
    assert!(!end.contains("not on which way"), "{end}");
}
