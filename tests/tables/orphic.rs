//! Tables of Orphic Chess: solved, verified by the rules, and compared with another solver.

use std::sync::OnceLock;

use finale::{
    answer::{Tabled, Wdl, materials_with},
    board::{Board, Color, Role},
    index::Material,
    probe::Tablebase,
    progress::Silent,
    rules::{ChessEnding, Elks, Game, KingDrop, Orphic, OrphicTurn, PieceSet, Rooks, perft},
    solve::{BuildOptions, Plan},
    study::Study,
};
use tempfile::TempDir;

use crate::plain_orphic::{self, Plain, Worth};

const ROOKS: Orphic<Rooks> = Orphic::new();
const ELKS: Orphic<Elks> = Orphic::new();
const FREE: Orphic<Rooks> = Orphic::with_king(KingDrop::Free);

/// Material, side to move, legal placements, wins, draws, losses, the longest win and the longest
/// loss in plies, as found by a solver that knows no symmetry.
const ROOK_FACTS: &str = "
    KB[B]vK   w 193284 193268     16      0 35 -
    KB[B]vK   b 223944      0  22312 201632  - 36
    KBvK[N]   w 193284      0 193284      0  - -
    KBvK[N]   b 223944      8 223936      0  1 -
    KNv[K]    w   4032      0   4032      0  - -
    KPv[K]    w   3024    994   2030      0 45 -
    KPv[K]    b   3024      0   2832    192  - 44
    KRvK[N]   w 175168   2304 172864      0 39 -
    KRvK[N]   b 223944      8 223536    400  1 38
    KRv[K]    w   4032   4032      0      0 31 -
    KRv[K]    b   4032      0      0   4032  - 32
    K[B]vKN   w 223944      8 223936      0  1 -
    K[B]vKN   b 205496      0 205496      0  - -
    K[Q]vK    w   3612   3612      0      0 17 -
    K[Q]vK    b   3612      0      0   3612  - 18
    K[R]vK    w   3612   3612      0      0 29 -
    K[R]v[K]  w     64     64      0      0 29 -
    K[R]v[K]  b     64      0      0     64  - 30
    K[R]vKN   w 223944 154376  69568      0 63 -
    K[R]vKN   b 205496      0 142184  63312  - 64
    P[K]vK    w   2940   2874     66      0 47 -
    P[K]vK    b   3024      0    536   2488  - 48
    R[K]vK    w   3136   3128      8      0 29 -
    R[K]vKN   w 196224 116656  79568      0 77 -
    R[K]vKN   b 249984      0 211988  37996  - 76
    [KQ]vK    w     64     64      0      0 13 -
    [KR]vK    w     64     64      0      0 25 -
    [KR]vK    b     64      0      0     64  - 26
    [K]vK     w     64      0     64      0  - -
    [K]v[K]   w      1      0      1      0  - -
";

/// The same for tables that need orthodox ones of four men with pawns.
const PAWN_FACTS: &str = "
    KP[R]vK   w 163328 163328      0      0 25 -
    KP[R]vK   b 168024      0     18 168006  - 30
    KPvK[N]   w 163328  22962 140360      6 45 6
    KPvK[N]   b 168024     36 167236    752 13 44
";

const ELK_FACTS: &str = "
    E[K]vK    w   3416   3394     22      0 39 -
    E[K]vK    b   4032      0    476   3556  - 40
    KEvK      w 190332 190146    186      0 43 -
    KEvK      b 223944      0  23136 200808  - 44
    KE[E]vK   w 190332 190332      0      0 17 -
    KN[E]vK   b 223944      0     40 223904  - 38
    KPvK      w 163328 124960  38368      0 55 -
    KPvK      b 168024      0  70420  97604  - 56
    K[E]vK    w   3612   3612      0      0 37 -
    K[E]vK    b   3612      0      0   3612  - 38
    K[Q]vK    w   3612   3612      0      0 17 -
    P[K]vK    w   2940   2874     66      0 47 -
    [KE]vK    w     64     64      0      0 31 -
    [KE]vK    b     64      0      0     64  - 32
    [KQ]vK    w     64     64      0      0 13 -
";

/// Tables that the facts above do not ask for.
const ROOK_MATERIALS: [&str; 6] = ["[KB]vK", "[KN]vK", "K[N]vK", "KBv[K]", "KQv[K]", "[KR]vKN"];
const ELK_MATERIALS: [&str; 4] = ["[KB]vK", "KEv[K]", "K[E]vK[E]", "KEvK[N]"];

fn material(text: &str) -> Material {
    text.parse().unwrap()
}

/// The materials of some facts and some more.
fn materials(facts: &str, more: &[&str]) -> Vec<Material> {
    let first = |line: &str| line.split_whitespace().next().map(material);
    facts.lines().filter_map(first).chain(more.iter().map(|text| material(text))).collect()
}

/// Tables of one game, built once for all tests.
struct Tables<S: PieceSet> {
    base: Tablebase<Orphic<S>>,
    folder: TempDir,
    plan: Plan,
}

fn build<S: PieceSet>(game: Orphic<S>, facts: &str, more: &[&str]) -> Tables<S> {
    let folder = tempfile::tempdir().unwrap();
    let base = Tablebase::new(game, folder.path());
    let plan = base.build(&materials(facts, more), &BuildOptions::default()).unwrap();
    Tables { base, folder, plan }
}

fn rooks() -> &'static Tables<Rooks> {
    static TABLES: OnceLock<Tables<Rooks>> = OnceLock::new();
    TABLES.get_or_init(|| build(ROOKS, ROOK_FACTS, &ROOK_MATERIALS))
}

fn elks() -> &'static Tables<Elks> {
    static TABLES: OnceLock<Tables<Elks>> = OnceLock::new();
    TABLES.get_or_init(|| build(ELKS, ELK_FACTS, &ELK_MATERIALS))
}

/// What the facts of a material and side to move say.
#[derive(Clone, Default, PartialEq, Debug)]
struct Fact {
    legal: u64,
    /// Losses, draws and wins.
    results: [u64; 3],
    /// The longest loss and the longest win.
    longest: [Option<u16>; 2],
}

impl Fact {
    fn read(fields: &[&str]) -> Fact {
        let [legal, wins, draws, losses, win, loss] = fields else { panic!("six fields") };
        let count = |text: &str| text.parse().unwrap();
        Fact {
            legal: count(legal),
            results: [losses, draws, wins].map(|text| count(text)),
            longest: [loss, win].map(|text| text.parse().ok()),
        }
    }

    fn count<S: PieceSet>(tables: &Tables<S>, asked: &Material, side: Color) -> Fact {
        let named = tables.base.game().named(asked).unwrap();
        let swapped = named != *asked;
        // Of two equal sides the table has White to move only.
        let side = match named == named.swap_colors() {
            true => Color::White,
            false if swapped => !side,
            false => side,
        };
        let add = |fact: &mut Fact, wdl: Wdl, dtm: Option<u16>, weight: u64| {
            fact.legal += weight;
            fact.results[wdl as usize] += weight;
            let longest = match wdl {
                Wdl::Loss => &mut fact.longest[0],
                Wdl::Draw => return,
                Wdl::Win => &mut fact.longest[1],
            };
            *longest = (*longest).max(dtm);
        };
        let count = tables.base.tally(
            &named,
            &Silent,
            Fact::default,
            |fact, position, answer, weight| {
                if position.setup.to_move == side {
                    add(fact, answer.wdl, answer.dtm.map(|plies| plies.0), weight);
                }
                Ok(())
            },
            |fact, other| {
                fact.legal += other.legal;
                for at in 0..3 {
                    fact.results[at] += other.results[at];
                }
                for at in 0..2 {
                    fact.longest[at] = fact.longest[at].max(other.longest[at]);
                }
            },
        );
        count.unwrap()
    }
}

fn check_facts<S: PieceSet>(tables: &Tables<S>, facts: &str) {
    for line in facts.lines().filter(|line| !line.trim().is_empty()) {
        let fields: Vec<&str> = line.split_whitespace().collect();
        let side = if fields[1] == "w" { Color::White } else { Color::Black };
        let found = Fact::count(tables, &material(fields[0]), side);
        assert_eq!(found, Fact::read(&fields[2..]), "{line}");
    }
}

#[test]
fn pawns_beside_reserves_agree_too() {
    let tables = build(ROOKS, PAWN_FACTS, &[]);
    check_facts(&tables, PAWN_FACTS);
    for material in ["KP[R]vK", "KPvK[N]"] {
        assert_eq!(tables.base.verify(&material.parse().unwrap(), &Silent).unwrap().wrong, 0);
    }
}

#[test]
fn counts_agree_with_another_solver() {
    check_facts(rooks(), ROOK_FACTS);
    check_facts(elks(), ELK_FACTS);
}

fn check_rules<S: PieceSet>(tables: &Tables<S>, bigger: &[&str]) {
    // Those with three men on the board take their time: a few of each kind will do here.
    let small = tables.plan.tables.iter().map(|table| table.id.material).filter(|m| m.len() < 3);
    for material in small.chain(bigger.iter().map(|text| material(text))) {
        let verified = tables.base.verify(&material, &Silent).unwrap();
        assert_eq!((verified.wrong, verified.example), (0, None), "{material}");
        assert!(verified.positions > 0);
    }
}

#[test]
fn every_answer_follows_from_its_successors() {
    check_rules(rooks(), &["KB[B]vK"]);
    check_rules(elks(), &["KEvK"]);
}

fn answer<S: PieceSet>(tables: &Tables<S>, fen: &str) -> String {
    let position = tables.base.game().parse_fen(fen).unwrap();
    let answer = tables.base.answer(&position).unwrap();
    format!("{:?} {}", answer.wdl, answer.dtm.map_or("-".to_owned(), |plies| plies.to_string()))
}

#[test]
fn known_positions() {
    assert_eq!(answer(rooks(), "8/8/8/8/8/1K6/8/kn6[B] w"), "Win 1");
    // The King with a Rook beside it in hand enters on White's first rank only.
    assert_eq!(answer(rooks(), "8/8/8/8/8/1k6/8/n7[KR] w"), "Win 33");
    assert_eq!(answer(rooks(), "n7/8/1k6/8/8/8/8/8[KR] w"), "Draw -");
    // A pawn may become an Elk, and the mirror image stands on squares of the other colour.
    assert_eq!(answer(elks(), "8/1P6/k7/8/K7/8/8/8 w"), "Win 15");
    assert_eq!(answer(elks(), "8/6P1/7k/8/7K/8/8/8 w"), "Win 31");
    // The sides exchanged.
    assert_eq!(answer(rooks(), "KN6/8/1k6/8/8/8/8/8[b] b"), "Win 1");
    assert_eq!(answer(elks(), "8/8/8/7k/8/7K/6p1/8 b"), "Win 15");
}

#[test]
fn orthodox_tables_answer_where_the_game_is_orthodox() {
    for (folder, game, orthodox, own) in [
        (rooks().folder.path(), "orphic", "KPvK", "P[K]vK"),
        (elks().folder.path(), "orphic-elks", "KQvK", "KPvK"),
    ] {
        let file = |game: &str, material: &str| folder.join(game).join(format!("{material}.ftb"));
        assert!(file("orthodox", orthodox).exists() && !file(game, orthodox).exists());
        assert!(file(game, own).exists() && !file("orthodox", own).exists());
    }
}

#[test]
fn a_man_in_hand_is_weighed_against_one_on_the_board() {
    let report = ROOKS.statistics(&rooks().base, &material("K[R]vK"), &Silent).unwrap();
    let json = report.fields();
    // White to move wins either way; Black to move draws where the Rook on the board is lost, but
    // cannot touch one in hand.
    let changes = &json["in_reserve"];
    assert_eq!(changes[1]["draw_to_win"], 22_244);
    let pace = &json["in_reserve_pace"];
    assert_eq!(pace[0]["won_both_ways"], 175_168);
    assert_eq!(pace[1]["won_both_ways"], 201_700);
    let squares = &json["drop_squares"];
    assert_eq!((&squares[0]["owner"], &squares[0]["man"]), (&"white".into(), &"rook".into()));
    let counts = |rank: usize| ["a", "b", "c", "d"].map(|file| squares[rank][file].as_u64());
    let mirrored = |rank: usize| ["h", "g", "f", "e"].map(|file| squares[rank][file].as_u64());
    for rank in 0..8 {
        assert_eq!(counts(rank), mirrored(rank));
        assert_eq!(counts(rank), counts(7 - rank));
    }
}

#[test]
fn materials_without_tables_say_why() {
    let reason = |text: &str| ROOKS.named(&material(text)).unwrap_err().to_string();
    for (text, error) in [
        ("QvK", "orphic has no tables for QvK: White has no King"),
        ("K[K]vK", "orphic has no tables for K[K]vK: White has 2 Kings"),
        ("KEvK", "orphic has no tables for KEvK: there are no elks in this game"),
        ("K[KRRR]vK", "orphic has no tables for K[KRRR]vK: White has 2 Kings"),
        ("[KRRR]vK", "orphic has no tables for [KRRR]vK: at most 2 rooks can be in reserve, not 3"),
        (
            "KQ[RRBB]vK",
            "orphic has no tables for KQ[RRBB]vK: tables have at most 6 men, on the board and in reserve",
        ),
    ] {
        assert_eq!(reason(text), error);
    }
    assert!(ELKS.named(&material("KRvK")).is_err());
    assert!("K[P]vK".parse::<Material>().is_err());
}

/// Positions in which a King leaves other men in reserve, and one with nothing in reserve.
const PERFTS: [(&str, u32); 7] = [
    ("8/8/pppppppp/8/8/PPPPPPPP/8/8[KQRRBBNNkqrrbbnn] w - -", 2),
    ("8/B4b2/Npp1pbpp/6R1/1RB2N1r/PPP1r1Pq/3P4/8[KQknn] b - -", 2),
    ("8/4K2p/rppppNpn/p1R4p/P1P1P3/PPq1PPBB/5n1Q/8[kbb] b - -", 2),
    ("4k1n1/5q2/3Q1pp1/Bp3r1p/1P6/RPPP1NPB/PR1P1r2/8[Kbb] b - -", 2),
    ("8/8/8/8/8/1k6/8/n7[KR] w - -", 3),
    ("8/5kb1/p6p/5r1r/pP6/N2p4/K2P4/8[] b - b3", 3),
    ("7k/P7/8/1pP5/8/3P4/8/8[KNB] w - b6", 3),
];

#[test]
fn perft_agrees_with_a_plain_move_maker() {
    for (game, free) in [(ROOKS, false), (FREE, true)] {
        for (fen, most) in PERFTS {
            let (position, plain) = (game.parse_fen(fen).unwrap(), Plain::read(fen));
            for depth in 1..=most {
                let counts = [perft(&game, &position, depth), plain.perft(free, depth)];
                assert_eq!(counts[0], counts[1], "{fen}, free {free}, depth {depth}");
            }
        }
    }
}

/// Tables by free Kings, of all materials of three men and one of four.
fn free() -> &'static Tables<Rooks> {
    static TABLES: OnceLock<Tables<Rooks>> = OnceLock::new();
    TABLES.get_or_init(|| {
        let folder = tempfile::tempdir().unwrap();
        let base = Tablebase::new(FREE, folder.path());
        let mut materials = materials_with(&FREE, 3, true);
        materials.push(material("[KR]vKN"));
        let plan = base.build(&materials, &BuildOptions::default()).unwrap();
        Tables { base, folder, plan }
    })
}

#[test]
fn free_kings_follow_from_their_successors() {
    let tables = free();
    let mut verified = 0;
    for table in tables.plan.tables.iter().filter(|table| table.id.game == "orphic") {
        let material = table.id.material;
        let found = tables.base.verify(&material, &Silent).unwrap();
        assert_eq!((found.wrong, found.example), (0, None), "{material}");
        verified += 1;
    }
    assert_eq!(verified, 36);
}

/// Every position of these materials and all that can come of them, by a recurrence that shares
/// nothing with the program.
#[test]
fn free_kings_agree_with_the_plain_recurrence() {
    let folder = tempfile::tempdir().unwrap();
    let bound = Tablebase::new(ROOKS, folder.path());
    let materials = ["[KQ]vK", "[KR]vK", "[KR]v[K]", "[KN]vK"].map(material);
    bound.build(&materials, &BuildOptions::default()).unwrap();
    let cases = [
        (&bound, false, [58_346, 19_853, 259_895]),
        (&free().base, true, [58_402, 19_853, 259_555]),
    ];
    for (tables, free, expected) in cases {
        // Positions, those won, and the plies of all wins together.
        let mut counts = [0; 3];
        for (men, held) in [("k", "KQ"), ("k", "KR"), ("", "KRk"), ("k", "KN")] {
            for (plain, worth) in plain_orphic::solve(Plain::placements(men, held), free) {
                // Without a reserve the game is the orthodox one.
                if !plain.has_reserve() {
                    continue;
                }
                let position = tables.game().parse_fen(&plain.to_string()).unwrap();
                let answer = tables.answer(&position).unwrap();
                let plies = answer.dtm.map(|plies| plies.0);
                let found = match answer.wdl {
                    Wdl::Win => Worth::Win(plies.unwrap()),
                    Wdl::Draw => Worth::Draw,
                    Wdl::Loss => Worth::Loss(plies.unwrap()),
                };
                assert_eq!(found, worth, "{plain}, free {free}");
                counts[0] += 1;
                if let Worth::Win(plies) = worth {
                    counts[1] += 1;
                    counts[2] += u32::from(plies);
                }
            }
        }
        assert_eq!(counts, expected, "free {free}");
    }
}

/// A Rook goes in first and the King where it is needed: the board turned on its side is the same.
#[test]
fn ranks_do_not_count_for_free_kings() {
    for fen in ["8/8/8/8/8/1k6/8/n7[KR] w", "8/8/8/8/8/6k1/8/7n[KR] w", "n7/8/1k6/8/8/8/8/8[KR] w"]
    {
        assert_eq!(answer(free(), fen), "Win 33", "{fen}");
    }
}

#[test]
fn tables_by_another_king_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    // Each is opened anew: one that has a file open goes on reading it.
    let open = |game| Tablebase::new(game, folder.path());
    let wanted = [material("[KQ]vK")];
    let position = ROOKS.parse_fen("8/8/8/3k4/8/8/8/8[KQ] w").unwrap();
    let refused = |game| {
        let tables = open(game);
        let error = tables.answer(&position).unwrap_err().to_string();
        let build = tables.build(&wanted, &BuildOptions::default()).unwrap_err().to_string();
        assert!(build.contains(".ftb is a table of orphic"), "{build}");
        error.split_once(".ftb is ").unwrap().1.to_owned()
    };
    open(FREE).build(&wanted, &BuildOptions::default()).unwrap();
    assert!(open(FREE).answer(&position).is_ok());
    assert_eq!(refused(ROOKS), "a table of orphic [KQ]vK (king free), not of orphic [KQ]vK");
    std::fs::remove_dir_all(folder.path().join("orphic")).unwrap();
    open(ROOKS).build(&wanted, &BuildOptions::default()).unwrap();
    assert!(open(ROOKS).answer(&position).is_ok());
    assert_eq!(refused(FREE), "a table of orphic [KQ]vK, not of orphic [KQ]vK (king free)");
}

/// A side that has dropped one Bishop and lost it since: by the game's reading it may drop the
/// other on either colour, by a record's on that which the first had not.
///
/// In tables: K[B]vKN is the smallest in which a Bishop in hand can win, and White wins 8
/// positions, each by a drop that mates. A record would take those away whose square has the colour
/// of the first Bishop's.
#[test]
fn where_the_first_bishop_stood_would_matter_in_tables() {
    let tables = rooks();
    let counts = tables.base.tally(
        &material("K[B]vKN").stronger_first(),
        &Silent,
        || [0; 2],
        |counts, position, answer, weight| {
            if answer.wdl != Wdl::Win {
                return Ok(());
            }
            assert_eq!(answer.dtm.map(|plies| plies.0), Some(1));
            let is_mate =
                |next: &_| matches!(ROOKS.ending(next), Some(ChessEnding::Checkmate { .. }));
            let mates = |dark: bool| {
                let turns = ROOKS.turns(position).into_iter();
                turns
                    .filter(|&turn| is_mate(&ROOKS.play(position, turn)))
                    .any(|turn| matches!(turn, OrphicTurn::Drop { to, .. } if to.is_dark() == dark))
            };
            counts[0] += weight;
            counts[1] += if mates(true) && mates(false) { 0 } else { weight };
            Ok(())
        },
        |counts, more| counts.iter_mut().zip(more).for_each(|(count, more)| *count += more),
    );
    // All wins, and those by drops on squares of one colour only.
    assert_eq!(counts.unwrap(), [8, 8]);
}

/// In records: games played at random, in which every turn is as likely as any other.
#[test]
fn where_the_first_bishop_stood_matters_in_records() {
    let mut seed = 1_u64;
    let mut random = |below: usize| {
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (seed >> 33) as usize % below
    };
    // Games; those in which a record would forbid, or allow, other squares than the board does;
    // turns with one Bishop left to drop; those of them with such a difference.
    let mut counts = [0; 4];
    for _ in 0..200 {
        let mut position = ROOKS.initial();
        let mut first = [None; 2];
        let mut met = false;
        for _ in 0..80 {
            let turns = ROOKS.turns(&position);
            if turns.is_empty() {
                break;
            }
            let side = position.setup.to_move;
            let board: &Board = &position.setup.board;
            if let Some(dark) = first[side.index()]
                && position.reserve(side).count(Role::Bishop) == 1
            {
                counts[2] += 1;
                let stands = |wanted| {
                    board.men(side, Role::Bishop).into_iter().any(|at| at.is_dark() == wanted)
                };
                // Dark squares, and light ones.
                if [true, false].map(|colour| stands(colour) != (colour == dark)) != [false; 2] {
                    counts[3] += 1;
                    met = true;
                }
            }
            let turn = turns[random(turns.len())];
            if let OrphicTurn::Drop { role: Role::Bishop, to, .. } = turn {
                first[side.index()].get_or_insert(to.is_dark());
            }
            position = ROOKS.play(&position, turn);
        }
        counts[0] += 1;
        counts[1] += usize::from(met);
    }
    assert_eq!(counts, [200, 2, 1222, 3]);
}
