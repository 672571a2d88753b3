//! Tiebraker Chess from rules to answers: tables are built, verified, and compared with the counts
//! of a plain solver that knows no symmetry.

use std::{collections::BTreeMap, ops::Range};

use finale::{
    answer::{Plies, Tabled, TiebrakerAnswer},
    board::Color,
    index::Material,
    probe::Tablebase,
    rules::{Finish, Game, Mode, Tiebraker, TiebrakerPosition},
    solve::BuildOptions,
    study::{LineEnd, Study, best_line},
    table::TableError,
    verify::Judged,
};
use rayon::prelude::*;

/// Tables in a folder that goes away with them.
struct Built {
    tables: Tablebase<Tiebraker>,
    _folder: tempfile::TempDir,
}

fn build(materials: &[&str]) -> Built {
    let folder = tempfile::tempdir().unwrap();
    let tables = Tablebase::new(Tiebraker, folder.path());
    let materials: Vec<Material> = materials.iter().map(|m| m.parse().unwrap()).collect();
    let options = BuildOptions::default().memory(4 << 30).level(1);
    tables.build(&materials, &options).unwrap();
    Built { tables, _folder: folder }
}

impl Built {
    fn answer(&self, fen: &str) -> TiebrakerAnswer {
        let position = Tiebraker.parse_fen(fen).unwrap();
        self.tables.answer(&position).unwrap()
    }

    /// The sections of a table: the first position of each, and its cells.
    fn sections(&self, material: &Material) -> Vec<(TiebrakerPosition, Range<u64>)> {
        let reader = self.tables.reader(material).unwrap();
        let sections = if *material == material.swap_colors() { 28 } else { 56 };
        let entries = Tiebraker.cells(&reader) / sections;
        let cells = (0..sections).map(|section| section * entries..(section + 1) * entries);
        let first = |cells: &Range<u64>| {
            cells.clone().find_map(|cell| Tiebraker.cell(&reader, cell)).unwrap()
        };
        cells.map(|cells| (first(&cells), cells)).collect()
    }

    /// Derives every answer of the modes in which perpetual check counts from those after each
    /// turn, and makes sure that no perpetual check is overlooked or cannot be kept up.
    fn check_perpetual_check(&self, material: &str) {
        let material: Material = material.parse().unwrap();
        let reader = self.tables.reader(&material).unwrap();
        let sections = self.sections(&material).into_iter().filter(|(position, _)| {
            position.mode == Mode::Normal || position.mode == Mode::Accepted
        });
        for (_, cells) in sections {
            cells.into_par_iter().filter_map(|cell| Tiebraker.cell(&reader, cell)).for_each(
                |position| {
                    let answer = self.tables.answer(&position).unwrap();
                    let derived = self.tables.look_ahead(&position).unwrap();
                    assert_eq!(answer, derived, "{}", Tiebraker.fen(&position));
                },
            );
        }
        let endless = Tiebraker::endless_mismatches(&self.tables, &reader).unwrap();
        assert!(endless.is_empty(), "{:?}", endless.first());
    }

    /// Compares placements by White's points, and the greatest distance, of some modes and sides
    /// to move.
    fn check_counts(&self, material: &str, expected: &[(&str, &str, Option<u16>)]) {
        let material: Material = material.parse().unwrap();
        let reader = self.tables.reader(&material).unwrap();
        let name = |position: &TiebrakerPosition| {
            let disk = position.disk().map_or("", |owner| ["(w)", "(b)"][owner.index()]);
            format!("{} {}{disk}", position.setup.to_move.letter(), position.mode)
        };
        let mut left: BTreeMap<&str, _> =
            expected.iter().map(|&(name, points, longest)| (name, (points, longest))).collect();
        for (first, mut cells) in self.sections(&material) {
            let Some((points, longest)) = left.remove(name(&first).as_str()) else { continue };
            let (mut found, mut found_longest) = (BTreeMap::<u8, u64>::new(), None);
            cells
                .try_for_each(|cell| -> Result<(), TableError> {
                    let weight = Tiebraker.weight(&reader, cell);
                    if let Some(position) = Tiebraker.cell(&reader, cell).filter(|_| weight > 0) {
                        // Nobody declares while the other player is in check.
                        let in_check = position.setup.in_check(position.setup.to_move);
                        if position.mode != Mode::Declared || !in_check {
                            let answer =
                                Tiebraker.read(&reader, &position)?.expect("both sides are stored");
                            *found.entry(answer.points.of(Color::White)).or_default() += weight;
                            found_longest = found_longest.max(answer.distance);
                        }
                    }
                    Ok(())
                })
                .unwrap();
            let found: Vec<String> = found.iter().map(|(p, n)| format!("{p}:{n}")).collect();
            assert_eq!(
                (found.join(" ").as_str(), found_longest),
                (points, longest.map(Plies)),
                "{}",
                name(&first)
            );
        }
        assert!(left.is_empty(), "{left:?} not met");
    }
}

#[test]
fn three_men_agree_with_a_plain_solver() {
    let built = build(&["KQvK", "KPvK"]);
    built.check_counts(
        "KQvK",
        &[
            ("w normal", "100:144508", Some(19)),
            ("b normal", "50:22176 60:872 100:200896", Some(20)),
            ("b declared(w)", "60:131456 90:12180 100:872", Some(1)),
            ("w accepted(w)", "60:128792 90:15716", Some(45)),
            ("b accepted(w)", "40:22176 60:184824 90:16944", Some(46)),
            ("b accepted(b)", "60:144508 100:79436", Some(0)),
            ("w option2:w", "100:144508", None),
            ("b option2:b", "0:22176 60:872 80:200896", Some(20)),
            ("b option1:0(b)", "60:144508 90:79436", Some(0)),
        ],
    );
    built.check_counts(
        "KPvK",
        &[
            ("w normal", "40:4 50:21492 60:16872 80:66614 90:26238 100:32108", Some(39)),
            ("b normal", "40:14 50:51422 60:18984 80:87302 90:4242 100:6060", Some(40)),
            ("w declared(b)", "40:4 60:57810 80:87064 90:4242 100:14208", Some(1)),
            ("w accepted(w)", "40:65410 60:90986 90:6932", Some(11)),
            ("w option2:w", "40:4 100:163324", Some(0)),
            ("b option2:b", "0:51436 60:18984 80:97604", Some(42)),
        ],
    );
    // A lone disk in check is mated, one not in check stalemated.
    assert_eq!(built.answer("8/8/8/8/3k4/8/8/D7 b - - declared").points.of(Color::Black), 60);
    let longest = built.answer("8/8/6k1/8/8/2D5/8/Q7 b - - accepted");
    assert_eq!((longest.points.of(Color::White), longest.distance), (90, Some(Plies(46))));
}

#[test]
fn perpetual_check_decides_with_a_rook_each() {
    let built = build(&["KRvKR"]);
    built.check_counts(
        "KRvKR",
        &[("w normal", "0:72464 45:688 50:7563268 51:4288 60:788 100:3139232", Some(7))],
    );
    built.check_perpetual_check("KRvKR");
    for (fen, points, only, by) in [
        ("8/4r3/8/8/8/8/1K2k3/1R6 b - - normal", 45, "Rb7+", Color::Black),
        ("8/8/R7/6K1/8/8/7r/4k3 w - - normal", 51, "Ra1+", Color::White),
    ] {
        let position = Tiebraker.parse_fen(fen).unwrap();
        let answer = built.answer(fen);
        assert_eq!((answer.points.of(Color::White), answer.distance), (points, None), "{fen}");
        let ranked = built.tables.ranked(&position).unwrap();
        let keeping = ranked.iter().filter(|ranked| ranked.worth.points == answer.points);
        let keeping: Vec<_> = keeping.map(|ranked| Tiebraker.san(&position, ranked.turn)).collect();
        assert_eq!(keeping, [only], "{fen}");
        // Best play keeps checking until a position comes again.
        let line = best_line(&built.tables, &position, 200).unwrap();
        let LineEnd::Repeats { since } = line.end else { panic!("{:?}", line.end) };
        let ending = position.ended(Finish::PerpetualCheck(by));
        assert_eq!(Tiebraker.endless(&line.plies[since..]), ending.to_string());
    }
}
