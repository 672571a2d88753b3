//! Tables of High Chess against the rules, and against counts and samples of another solver.

use std::collections::{BTreeMap, HashSet};

use finale::{
    answer::{Contents, Distance, Plies, TableId, Tabled},
    board::ByColor,
    probe::Tablebase,
    progress::Silent,
    rules::{Ending, Game, High, HighPosition, Laws, RuleOptions},
    solve::BuildOptions,
    study::{Cell, Study, best_line},
    table::Table,
};
use rustc_hash::FxHashMap;
use serde_json::json;

use crate::common::{Built, built, built_as, rows, side};

const THREE_MEN: [&str; 11] =
    ["KvK", "KQvK", "KRvK", "KBvK", "KNvK", "KPvK", "KvKQ", "KvKR", "KvKB", "KvKN", "KvKP"];

fn game(vitality: &str, revitalise: &str) -> High {
    let mut options = RuleOptions::none();
    options.set("vitality", Some(vitality.to_owned()));
    options.set("revitalise", Some(revitalise.to_owned()));
    High::default().with_options(&mut options).expect("options that exist")
}

/// Verifies all tables of three men and compares them with what another solver found.
fn check(vitality: &str, revitalise: &str, samples: &str) {
    let built = built(game(vitality, revitalise), &THREE_MEN);
    assert_eq!(built.materials.len(), THREE_MEN.len());
    built.compare(samples);
    compare_counts(&built, &format!("vitality={vitality} revitalise={revitalise}"));
    built.verify();
}

fn compare_counts(built: &Built<High>, options: &str) {
    let full = built.tables.game().vitality.points();
    let facts = include_str!("../data/high/facts.tsv");
    let mut compared = 0;
    for material in THREE_MEN {
        let counts = built.counts(material, |_| Vec::new());
        for row in rows(facts).filter(|row| row[0] == material && row[2] == options) {
            let (mut placements, mut white_wins) = (0, 0);
            let mut steps: BTreeMap<String, u64> = BTreeMap::new();
            let mut mates: BTreeMap<&str, BTreeMap<String, u64>> =
                ["white", "black"].map(|side| (side, BTreeMap::new())).into();
            for ((to_move, _, answer), count) in
                counts.iter().filter(|(key, _)| key.0 == side(row[1]))
            {
                placements += count;
                if answer.staircase.at(full) == full {
                    white_wins += count;
                }
                for step in answer.staircase.steps() {
                    *steps.entry(step.to_string()).or_default() += count;
                }
                if let (Some(side), Some(plies)) = (answer.mating_side(*to_move), answer.mate.dtm) {
                    let mates = mates.get_mut(side.name()).expect("both sides");
                    *mates.entry(plies.to_string()).or_default() += count;
                }
            }
            let name = format!("{material} {} {options}", row[1]);
            let expected = |column: usize| -> serde_json::Value {
                serde_json::from_str(row[column]).expect("JSON")
            };
            assert_eq!(json!(placements), expected(3), "placements of {name}");
            assert_eq!(json!(white_wins), expected(4), "wins of White in {name}");
            assert_eq!(json!(steps), expected(5), "steps of the staircases of {name}");
            assert_eq!(json!(mates), expected(6), "mates of {name}");
            compared += 1;
        }
    }
    assert_eq!(compared, 2 * THREE_MEN.len());
}

#[test]
fn tables_of_three_men_are_right() {
    check("50", "mover", include_str!("../data/high/samples.tsv"));
}

#[test]
fn distances_at_any_vitalities_are_those_of_another_solver() {
    built(High::default(), &THREE_MEN).compare(include_str!("../data/high/distance.tsv"));
}

/// What there is at V = 50: the functions of a table, the placements that each side wins at 50+50,
/// and its longest wins there. Wins and longest wins were counted by a prototype that shares no
/// code with this program. So were the functions of KBvK and KNvK; in the other two, where there
/// are mates, it told a few more apart, and the numbers here are this program's own.
struct Counted {
    material: &'static str,
    functions: usize,
    wins: [u64; 2],
    longest: [u16; 2],
}

const COUNTED: [Counted; 4] = [
    Counted { material: "KRvK", functions: 292, wins: [389_556, 9_556], longest: [115, 104] },
    Counted { material: "KQvK", functions: 810, wins: [358_896, 9_556], longest: [105, 104] },
    Counted { material: "KBvK", functions: 250, wins: [226_456, 190_772], longest: [111, 103] },
    Counted { material: "KNvK", functions: 291, wins: [228_272, 201_168], longest: [111, 104] },
];

#[test]
fn wins_and_longest_wins_are_those_of_a_prototype() {
    let built = built(High::default(), &["KRvK", "KQvK", "KBvK", "KNvK"]);
    for Counted { material, functions, wins, longest } in COUNTED {
        let mut met = HashSet::new();
        let (mut won, mut most) = ([0; 2], [0; 2]);
        for ((_, _, answer), count) in built.counts(material, |_| Vec::new()) {
            let distances = answer.distances.expect("the table has distances");
            let Distance { winner, plies } = distances.at(ByColor::both(50));
            won[winner.index()] += count;
            most[winner.index()] = plies.0.max(most[winner.index()]);
            met.insert(distances);
        }
        assert_eq!((met.len(), won, most), (functions, wins, longest), "{material}");
    }
}

/// What is known of positions of three men at most in which no pawn can be taken in passing: for the
/// men of each, one after the other, a place for every way to put them, at all vitalities. Millions
/// are known, and where each has its place it is found at once.
struct Known {
    full: u8,
    of_men: FxHashMap<[u8; 3], Vec<Option<Distance>>>,
}

impl Known {
    /// Nothing, of a game with so many points of vitality.
    fn nothing(full: u8) -> Known {
        Known { full, of_men: FxHashMap::default() }
    }

    /// What is known of a position, to be read or written.
    fn at(&mut self, HighPosition { setup, vitality }: &HighPosition) -> &mut Option<Distance> {
        // A man as a number from 1, and where it stands.
        let mut standing = [(0, 0); 3];
        for (place, square) in standing.iter_mut().zip(setup.board.occupied()) {
            let man = setup.board.get(square).expect("a man stands there");
            let number = 1 + 2 * man.role.index() + man.color.index();
            *place = (number as u8, square.number());
        }
        assert!(setup.board.occupied().len() <= standing.len());
        standing.sort_unstable();
        let vitalities = usize::from(self.full).pow(2);
        let of_men = self.of_men.entry(standing.map(|(man, _)| man));
        let of_men = of_men.or_insert_with(|| vec![None; 64 * 64 * 64 * vitalities * 2]);
        let squares = standing.iter().fold(0, |number, (_, square)| 64 * number + square);
        let [white, black] = [vitality.white, vitality.black].map(|left| usize::from(left) - 1);
        let at = (squares * usize::from(self.full) + white) * usize::from(self.full) + black;
        &mut of_men[2 * at + setup.to_move.index()]
    }
}

/// Who wins and when, by the rules and nothing else.
fn search(game: &High, position: &HighPosition, known: &mut Known) -> Distance {
    let mover = position.setup.to_move;
    // Who has no vitality left has lost already.
    let left = position.vitality.white.min(position.vitality.black);
    let plain = position.setup.en_passant.is_none() && left > 0;
    // Most are known, and whether the game is over takes longer to say.
    let found = if plain { *known.at(position) } else { None };
    if let Some(found) = found {
        return found;
    }
    if let Some(winner) = game.ending(position).and_then(|ending| ending.winner()) {
        return Distance { winner, plies: Plies::ZERO };
    }
    let after = game.turns(position).into_iter().map(|turn| {
        let Distance { winner, plies } = search(game, &game.play(position, turn), known);
        Distance { winner, plies: plies.later() }
    });
    // Winning is better than losing, soon is better for a winner and late for a loser.
    let worth = |found: &Distance| match found.winner == mover {
        true => 1 + i32::from(u16::MAX - found.plies.0),
        false => i32::from(found.plies.0) - i32::from(u16::MAX),
    };
    let best = after.max_by_key(worth).expect("a game without a turn is over");
    if plain {
        *known.at(position) = Some(best);
    }
    best
}

/// Holds thousands of positions of each table, at all vitalities, against searches.
fn search_all(vitality: &str, revitalise: &str, materials: &[&str]) {
    let built = built(game(vitality, revitalise), materials);
    let game = built.tables.game();
    let full = game.vitality.points();
    let mut known = Known::nothing(full);
    for material in materials {
        // Every so many cells, so that all of the board is met.
        let positions = built.tables.tally(
            &material.parse().expect("a material"),
            &Silent,
            || (0, Vec::new()),
            |(met, some), position, _, _| {
                *met += 1;
                if *met % 61 == 1 {
                    some.push(position.clone());
                    some.extend(
                        position
                            .setup
                            .passing_variants(&Laws::ORTHODOX)
                            .into_iter()
                            .map(|setup| HighPosition { setup, vitality: position.vitality }),
                    );
                }
                Ok(())
            },
            |(_, all), (_, some)| all.extend(some),
        );
        let (_, positions) = positions.expect("the table is there");
        for mut position in positions {
            let distances = built.tables.answer(&position).expect("the tables are there").distances;
            let distances = distances.expect("the tables have distances");
            for (white, black) in (1..=full).flat_map(|w| (1..=full).map(move |b| (w, b))) {
                position.vitality = ByColor { white, black };
                let found = search(game, &position, &mut known);
                assert_eq!(distances.at(position.vitality), found, "{}", game.fen(&position));
            }
        }
    }
}

#[test]
fn searching_the_game_tree_finds_the_same_distances() {
    search_all("3", "mover", &["KRvK", "KBvK", "KvKN"]);
}

#[test]
fn searching_the_game_tree_finds_the_same_distances_with_two_points() {
    search_all("2", "mover", &["KQvK", "KNvK", "KPvK", "KvKQ", "KvKR", "KvKB", "KvKP"]);
}

#[test]
fn searching_the_game_tree_finds_the_same_distances_when_vital_turns_restore_both() {
    search_all("2", "both", &THREE_MEN);
}

#[test]
fn best_play_ends_when_and_how_the_table_says() {
    let built = built(High::default(), &["KQvK", "KRvK"]);
    let game = built.tables.game();
    for (fen, ending) in [
        ("6Q1/8/3k4/8/6K1/8/8/8 b - - 50+50", "White wins by checkmate"),
        ("8/8/8/8/8/8/2k5/KR6 w - - 8+50", "White wins by exhaustion"),
    ] {
        let position = game.parse_fen(fen).expect("a position");
        let distances = built.tables.answer(&position).expect("a table").distances;
        let distance = distances.expect("a table with distances").at(position.vitality);
        let line = best_line(&built.tables, &position, usize::MAX).expect("tables");
        assert_eq!(line.plies.len(), usize::from(distance.plies.0), "{fen}");
        let last = line.plies.last().expect("some plies");
        assert_eq!(game.ending(&last.after).map(|end| end.to_string()).as_deref(), Some(ending));
    }
}

#[test]
fn tables_without_distances_say_who_wins() {
    let options = BuildOptions::default().level(3).contents(Contents::Result);
    for (revitalise, samples) in [
        ("both", include_str!("../data/high/samples_both.tsv")),
        ("mover", include_str!("../data/high/samples.tsv")),
    ] {
        let built = built_as(game("50", revitalise), &THREE_MEN, &options);
        built.compare(samples);
        compare_counts(&built, &format!("vitality=50 revitalise={revitalise}"));
        built.verify();
    }
    let built = built_as(High::default(), &["KRvK"], &options);
    let tables = &built.tables;
    let position = tables.game().parse_fen("8/8/8/8/8/8/2k5/KR6 w - - 8+50").expect("a position");
    assert_eq!(tables.answer(&position).expect("a table").distances, None);
    // Tables with distances come to lie beside them, and are asked from then on.
    let material = "KRvK".parse().expect("a material");
    let plan = tables.build(&[material], &BuildOptions::default()).expect("room to build");
    assert_eq!(plan.missing().count(), 2, "KvK and KRvK");
    let folder = tables.directories().folder();
    let both = || Tablebase::new(High::default(), folder);
    assert!(both().answer(&position).expect("a table").distances.is_some());
    assert_eq!(both().contents(&material).expect("a table"), Contents::Distance);
    let without = both().preferring(Contents::Result);
    assert_eq!(without.answer(&position).expect("a table").distances, None);
    for tables in [both(), without] {
        assert_eq!(tables.verify(&material, &Silent).expect("tables").wrong, 0);
    }
    // What is needed may hold more, what is asked for is built as it is asked for.
    let needs = both().build(&[material], &options).expect("nothing to build");
    let held = |id: &TableId| (id.material.to_string(), id.contents);
    let held: Vec<_> = needs.tables.iter().map(|table| held(&table.id)).collect();
    assert!(needs.missing().next().is_none());
    assert_eq!(held.last(), Some(&("KRvK".to_owned(), Contents::Result)));
}

/// The bytes of a table that is built into a folder of its own with the tables it needs.
fn bytes(game: High, material: &str, options: &BuildOptions) -> Vec<u8> {
    let folder = tempfile::tempdir().expect("a folder");
    let tables = Tablebase::new(game, folder.path());
    let material = material.parse().expect("a material");
    tables.build(&[material], options).expect("room to build");
    let id = tables.game().table_id(&material, Contents::Distance);
    std::fs::read(tables.directories().path(&id)).expect("the table is there")
}

#[test]
fn bytes_do_not_depend_on_memory() {
    let options = BuildOptions::default().level(1);
    // Where both sides can win rows have two bytes.
    for material in ["KBNvK", "KBvKN"] {
        let game = || game("4", "mover");
        let plenty = bytes(game(), material, &options.clone().memory(1 << 30));
        // Layers are in files; then there is no memory for moves; then big arrays are in files, too.
        for memory in [88 << 20, 24 << 20, 1 << 20] {
            assert!(bytes(game(), material, &options.clone().memory(memory)) == plenty);
        }
    }
}

#[test]
fn large_slices_are_cut_into_pieces() {
    let folder = tempfile::tempdir().expect("a folder");
    let (whole, cut) = (folder.path().join("whole"), folder.path().join("cut"));
    let material = "KBvKN".parse().expect("a material");
    let options = BuildOptions::default().level(1);
    let build = |folder: &std::path::Path, options: &BuildOptions| {
        let tables = Tablebase::new(game("6", "mover"), folder);
        tables.build(&[material], options).expect("room to build");
        tables
    };
    let whole = build(&whole, &options);
    let cut = build(&cut, &options.part_size(400_000));
    let game = cut.game();
    let path = cut.directories().path(&game.table_id(&material, Contents::Distance));
    let table = Table::open(&path).expect("a table");
    // 58 stretches of words, three in a piece, each with what a dictionary has.
    assert_eq!(table.header().sections.len(), 20 * 7);
    let reader = cut.reader(&material).expect("a table");
    let cells = (0..game.cells(&reader)).step_by(13);
    let mut count = 0;
    for position in cells.filter_map(|cell| game.cell(&reader, cell)) {
        let [expected, found] = [&whole, &cut].map(|t| t.answer(&position).expect("a table"));
        assert_eq!(found, expected, "{}", game.fen(&position));
        count += 1;
    }
    assert!(count > 100_000);
    assert_eq!(cut.verify(&material, &Silent).expect("tables").wrong, 0);
}

#[test]
fn tables_of_three_men_are_right_when_vital_turns_restore_both() {
    check("50", "both", include_str!("../data/high/samples_both.tsv"));
}

#[test]
fn tables_of_three_men_are_right_with_little_vitality() {
    check("10", "mover", include_str!("../data/high/samples_v10.tsv"));
}

#[test]
fn students_of_a_lone_bishop_learn_that_only_high_must_pass() {
    let built = built(High::default(), &["KBvK"]);
    let material = "KBvK".parse().expect("a material");
    let game = built.tables.game();
    let report = game.statistics(&built.tables, &material, &Silent).expect("the table is there");
    let passes = report.sections.last().expect("passes come last");
    let counts = |row: &Vec<Cell>| match row[2] {
        Cell::Share(count, _) => count,
        _ => panic!("the third cell counts placements"),
    };
    assert_eq!(passes.rows.iter().map(counts).collect::<Vec<_>>(), [0, 0, 232, 0]);
    let Cell::Text(example) = &passes.rows[2][3] else { panic!("an example of a pass") };
    let position = game.parse_fen(example).expect("the example is a position");
    let best = built.tables.ranked(&position).expect("the tables are there");
    assert_eq!(game.san(&position, best[0].turn), "--");
}

#[test]
fn nobody_is_better_off_without_the_move_at_equal_vitalities() {
    let built = built(High::default(), &["KBvK", "KvKN", "KPvK"]);
    let game = built.tables.game();
    for material in &built.materials {
        let worse = built.tables.tally(
            material,
            &Silent,
            || 0,
            |worse, position, answer, _| {
                let other = HighPosition { setup: position.setup.pass(), ..position.clone() };
                if let Ok(other) = game.parse_fen(&game.fen(&other)) {
                    let winner =
                        |a: &finale::answer::HighAnswer| a.staircase.winner(position.vitality);
                    let mover = position.setup.to_move;
                    let theirs = built.tables.answer(&other)?;
                    *worse += u64::from(winner(&theirs) == mover && winner(answer) != mover);
                }
                Ok(())
            },
            |all, some| *all += some,
        );
        assert_eq!(worse.expect("the tables are there"), 0, "{material}");
    }
}
