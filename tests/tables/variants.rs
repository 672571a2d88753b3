//! Laws that variants are made of, one at a time: each game here is a page of data, and the judge
//! derives every value of its tables again from the rules.

use finale::{
    Tablebase,
    answer::Plies,
    board::{Color, Role},
    index::Material,
    orthodox::Orthodox,
    progress::Silent,
    rules::{ByMen, CountMen, Game, Laws, Variant, Wdl, perft},
    solve::BuildOptions,
};
use tempfile::TempDir;

/// Orthodox chess, but who is stalemated has lost.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug, Default)]
struct StalemateLoses;

impl Variant for StalemateLoses {
    const NAME: &'static str = "stalemate-loses";
    const TITLE: &'static str = "Stalemate loses";
    const SUMMARY: &'static str = "Orthodox chess, but the side that is stalemated has lost.";
    const STALEMATE: Wdl = Wdl::Loss;
}

/// One must capture; Kings are ordinary men and pawns may become Kings; who has no turn has won.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug, Default)]
struct Antichess;

impl Variant for Antichess {
    const NAME: &'static str = "antichess";
    const TITLE: &'static str = "Antichess";
    const SUMMARY: &'static str = "One must capture. Who has no turn, or no man, has won.";
    const LAWS: Laws = Laws {
        royal: false,
        must_capture: true,
        promotions: &[Role::Queen, Role::Rook, Role::Bishop, Role::Knight, Role::King],
        ..Laws::ORTHODOX
    };
    const STALEMATE: Wdl = Wdl::Win;

    fn ended_by_men(men: &impl CountMen) -> Option<ByMen> {
        let winner = Color::ALL.into_iter().find(|&color| men.count_all(color) == 0)?;
        Some(ByMen { winner: Some(winner) })
    }
}

/// Orthodox chess, but a King that is left alone has lost; two of them draw.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug, Default)]
struct BareKingLoses;

impl Variant for BareKingLoses {
    const NAME: &'static str = "bare-king";
    const TITLE: &'static str = "Bare king loses";
    const SUMMARY: &'static str = "Orthodox chess, but a king that is left alone has lost.";

    const ONLY_MATE_WINS: bool = false;

    fn ended_by_men(men: &impl CountMen) -> Option<ByMen> {
        let bare = |color| men.count_all(color) == 1;
        match (bare(Color::White), bare(Color::Black)) {
            (false, false) => None,
            (true, true) => Some(ByMen { winner: None }),
            (white_bare, _) => {
                Some(ByMen { winner: Some(if white_bare { Color::Black } else { Color::White }) })
            }
        }
    }
}

/// Pawns that reach the last rank stay what they are, and begin anew: the rules of no game, for
/// then the table of a material needs itself.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug, Default)]
struct Reborn;

impl Variant for Reborn {
    const NAME: &'static str = "reborn";
    const TITLE: &'static str = "Reborn";
    const SUMMARY: &'static str = "Orthodox chess, but pawns become pawns.";
    const LAWS: Laws = Laws { promotions: &[Role::Pawn], ..Laws::ORTHODOX };
}

#[test]
fn tables_that_need_each_other_are_refused() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let tables = Tablebase::new(Reborn, folder.path());
    let built = tables.build(&["KPvK".parse().expect("a material")], &BuildOptions::default());
    let error = built.expect_err("no table of these can be the first");
    assert_eq!(error.to_string(), "the tables of KPvK need each other");
}

/// Orthodox chess, but who takes a Knight wins, and so does who is the only one to have any.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug, Default)]
struct KnightHunt;

impl Variant for KnightHunt {
    const NAME: &'static str = "knight-hunt";
    const TITLE: &'static str = "Knight hunt";
    const SUMMARY: &'static str = "Orthodox chess, but who has no knight left has lost.";
    const LAWS: Laws = Laws { promotions: &[Role::Queen, Role::Rook], ..Laws::ORTHODOX };
    const ONLY_MATE_WINS: bool = false;

    fn ended_by_men(men: &impl CountMen) -> Option<ByMen> {
        let has = |color| men.count_men(color, Role::Knight) > 0;
        match (has(Color::White), has(Color::Black)) {
            (true, true) => None,
            (true, false) => Some(ByMen { winner: Some(Color::White) }),
            (false, true) => Some(ByMen { winner: Some(Color::Black) }),
            (false, false) => Some(ByMen { winner: None }),
        }
    }
}

/// A capture explodes; who loses the King by it has lost, and nobody may lose the own one so.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug, Default)]
struct Atomic;

impl Variant for Atomic {
    const NAME: &'static str = "atomic";
    const TITLE: &'static str = "Atomic";
    const SUMMARY: &'static str = "Captures explode: with them go all pieces beside.";
    const LAWS: Laws = Laws { kings_touch: true, explosive: true, ..Laws::ORTHODOX };
    const ONLY_MATE_WINS: bool = false;

    fn ended_by_men(men: &impl CountMen) -> Option<ByMen> {
        let loser = Color::ALL.into_iter().find(|&color| men.count_men(color, Role::King) == 0)?;
        Some(ByMen { winner: Some(!loser) })
    }
}

/// The same with fewer tables: pawns become Knights.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug, Default)]
struct AtomicKnights;

impl Variant for AtomicKnights {
    const NAME: &'static str = "atomic-knights";
    const TITLE: &'static str = "Atomic with Knights";
    const SUMMARY: &'static str = "Atomic, but pawns become knights only.";
    const LAWS: Laws = Laws { promotions: &[Role::Knight], ..Atomic::LAWS };
    const ONLY_MATE_WINS: bool = false;

    fn ended_by_men(men: &impl CountMen) -> Option<ByMen> {
        Atomic::ended_by_men(men)
    }
}

/// Kings are attacked by all men but Kings.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug, Default)]
struct TouchingKings;

impl Variant for TouchingKings {
    const NAME: &'static str = "touching-kings";
    const TITLE: &'static str = "Touching kings";
    const SUMMARY: &'static str = "Orthodox chess, but kings may stand side by side.";
    const LAWS: Laws = Laws { kings_touch: true, ..Laws::ORTHODOX };
}

/// Builds tables and all they need, and holds every value against the rules.
fn right<V: Variant>(game: V, materials: &[&str]) -> (Tablebase<V>, TempDir) {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let tables = Tablebase::new(game, folder.path());
    let materials: Vec<Material> =
        materials.iter().map(|text| text.parse().expect("a material")).collect();
    let plan = tables.build(&materials, &BuildOptions::default()).expect("room to build");
    for table in &plan.tables {
        let material = table.id.material;
        let verified = tables.verify(&material, &Silent).expect("the tables are whole");
        assert!(verified.positions > 0, "{material} is empty");
        assert_eq!(verified.wrong, 0, "{material}: {:?}", verified.example);
    }
    (tables, folder)
}

/// How many placements of a table White to move wins, draws and loses.
fn results<V: Variant>(tables: &Tablebase<V>, material: &str) -> [u64; 3] {
    let counted = tables.tally(
        &material.parse().expect("a material"),
        &Silent,
        <[u64; 3]>::default,
        |counts, setup, answer, weight| {
            if setup.to_move == Color::White {
                counts[Wdl::Win as usize - answer.wdl as usize] += weight;
            }
            Ok(())
        },
        |counts, more| counts.iter_mut().zip(more).for_each(|(count, more)| *count += more),
    );
    counted.expect("the tables are whole")
}

#[test]
fn a_stalemate_may_lose() {
    let (tables, _folder) = right(StalemateLoses, &["KQvK", "KPvK", "KNvK"]);
    // Two Kings alone cannot stalemate.
    assert_eq!(results(&tables, "KvK"), [0, 3_612, 0]);
    let [wins, draws, _] = results(&tables, "KPvK");
    let (orthodox, _folder) = right(Orthodox, &["KPvK"]);
    let [fewer, more, _] = results(&orthodox, "KPvK");
    assert!(wins > fewer && draws < more, "a stalemate wins what was drawn");
}

#[test]
fn captures_may_be_compulsory_and_kings_ordinary() {
    // Published counts of the initial position.
    let start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w - - 0 1";
    let start = Antichess.parse_fen(start).unwrap();
    for (depth, count) in (1..).zip([20, 400, 8_067, 153_299]) {
        assert_eq!(perft(&Antichess, &start, depth), count, "depth {depth}");
    }
    right(Antichess, &["QvR", "PvP", "KKvB"]);
}

#[test]
fn the_men_that_are_left_may_end_the_game() {
    let (tables, _folder) = right(BareKingLoses, &["KRvKB"]);
    let alone = BareKingLoses.parse_fen("8/8/8/8/3k4/8/8/K6R w").unwrap();
    let answer = tables.answer(&alone).expect("no table is needed");
    assert_eq!((answer.wdl, answer.dtm), (Wdl::Win, Some(Plies::ZERO)));
    let material: Material = "KRvK".parse().unwrap();
    assert!(tables.build(&[material], &Default::default()).is_err(), "there is no such table");

    right(KnightHunt, &["KNvKN"]);
}

#[test]
fn kings_may_touch() {
    let (tables, _folder) = right(TouchingKings, &["KQvK", "KRvK", "KPvK"]);
    // Kings on different squares, and no win.
    assert_eq!(results(&tables, "KvK"), [0, 64 * 63, 0]);
    // A King at the edge that can go and stand beside the other is not mated.
    let corner = TouchingKings.parse_fen("k7/8/1K6/8/8/8/8/7R b - - 0 1").unwrap();
    assert_eq!(TouchingKings.turns(&corner).len(), 3);
    let answer = tables.answer(&TouchingKings.parse_fen("8/8/8/3k4/8/8/8/KR6 w").unwrap());
    assert_eq!(answer.expect("its table").wdl, Wdl::Draw, "a Rook and King cannot drive it away");
}

#[test]
fn captures_may_explode() {
    // Published counts of the initial position, and those of two others by python-chess 1.11.2.
    let counted = |fen: &str, counts: &[u64]| {
        let start = Atomic.parse_fen(fen).unwrap();
        for (depth, &count) in (1..).zip(counts) {
            assert_eq!(perft(&Atomic, &start, depth), count, "{fen}, depth {depth}");
        }
    };
    counted("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", &[20, 400, 8_902, 197_326]);
    let middle = "rn2kb1r/1pp1p2p/p2q1pp1/3P4/2P3b1/4PN2/PP3PPP/R2QKB1R b KQkq - 0 1";
    counted(middle, &[40, 1_238, 45_237]);
    counted("r3k2r/8/8/3pP3/8/8/1p4P1/R3K2R w KQkq d6 0 1", &[29, 896, 21_486]);
    counted("8/4k3/3KP3/5p2/1r6/8/2B1p3/8 w - - 0 1", &[13, 312, 3_535]);
    right(Atomic, &["KRvKB"]);
    right(AtomicKnights, &["KPvKP"]);
}
