//! Laws that variants are made of, one at a time: each game here is a page of data, and the judge
//! derives every value of its tables again from the rules.

use finale::{
    Tablebase,
    answer::{Contents, Plies, Tabled},
    board::{ByColor, Color, Role, RoleSet},
    index::Material,
    progress::Silent,
    rules::{Definition, Game, Laws, Setup, Variant, VariantFile, Wdl, perft},
    solve::BuildOptions,
};
use tempfile::TempDir;

/// The games of the file beside this one, which stands for one that a user has written.
fn game(name: &str) -> Variant {
    let file = VariantFile::read(include_str!("variants.ini")).expect("a file of variants");
    let resolved = file.resolve().into_iter().find(|resolved| resolved.name == name);
    let resolved = resolved.expect("a section of the file");
    Variant::new(resolved.definition.expect("a section that can be built"))
}

/// A game that is known by name.
fn known(name: &str) -> Variant {
    Variant::named(name).expect("a game that is known")
}

/// Holds numbers of sequences of turns, of one turn and more, against those that others counted.
fn counted(game: Variant, start: &Setup, counts: &[u64]) {
    for (depth, &count) in (1..).zip(counts) {
        assert_eq!(perft(&game, start, depth), count, "{}, depth {depth}", game.fen(start));
    }
}

/// The turns of a position, as UCI writes them.
fn turns(game: Variant, fen: &str) -> Vec<String> {
    let position = game.parse_fen(fen).unwrap();
    game.turns(&position).into_iter().map(|turn| game.uci(&position, turn)).collect()
}

/// The same in order, in a row.
fn sorted_turns(game: Variant, fen: &str) -> String {
    let mut turns = turns(game, fen);
    turns.sort();
    turns.join(" ")
}

/// How a game has ended in a position, in words.
fn ending(game: Variant, fen: &str) -> Option<String> {
    game.ending(&game.parse_fen(fen).unwrap()).map(|ending| ending.to_string())
}

/// Orthodox chess by other laws of movement.
fn by_laws(name: &str, laws: Laws) -> Variant {
    Variant::new(Definition { name: name.to_owned(), laws, ..Definition::default() })
}

#[test]
fn tables_that_need_each_other_are_refused() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    // Pawns that reach the last rank stay what they are, and begin anew.
    let promotions = ByColor::both(RoleSet::of(&[Role::Pawn]));
    let reborn = Laws { promotions, ..Laws::ORTHODOX };
    let tables = Tablebase::new(by_laws("reborn", reborn), folder.path());
    let built = tables.build(&["KPvK".parse().expect("a material")], &BuildOptions::default());
    let error = built.expect_err("no table of these can be the first");
    assert_eq!(error.to_string(), "the tables of KPvK need each other");
}

/// Builds tables and all they need, and holds every value against the rules.
fn right(game: Variant, materials: &[&str]) -> (Tablebase<Variant>, TempDir) {
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
fn results(tables: &Tablebase<Variant>, material: &str) -> [u64; 3] {
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
    let (tables, _folder) = right(game("stalemate-loses"), &["KQvK", "KPvK", "KNvK"]);
    // Two Kings alone cannot stalemate.
    assert_eq!(results(&tables, "KvK"), [0, 3_612, 0]);
    let [wins, draws, _] = results(&tables, "KPvK");
    let (orthodox, _folder) = right(Variant::orthodox(), &["KPvK"]);
    let [fewer, more, _] = results(&orthodox, "KPvK");
    assert!(wins > fewer && draws < more, "a stalemate wins what was drawn");
}

#[test]
fn captures_may_be_compulsory_and_kings_ordinary() {
    // Published counts of the initial position.
    let start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w - - 0 1";
    let antichess = known("antichess");
    let start = antichess.parse_fen(start).unwrap();
    counted(antichess, &start, &[20, 400, 8_067, 153_299]);
    right(antichess, &["QvR", "PvP", "KKvB"]);
}

#[test]
fn the_men_that_are_left_may_end_the_game() {
    let bare_king = game("bare-king");
    let (tables, _folder) = right(bare_king, &["KRvKB"]);
    let alone = bare_king.parse_fen("8/8/8/8/3k4/8/8/K6R w").unwrap();
    let answer = tables.answer(&alone).expect("no table is needed");
    assert_eq!((answer.wdl, answer.dtm), (Wdl::Win, Some(Plies::ZERO)));
    let material: Material = "KRvK".parse().unwrap();
    assert!(tables.build(&[material], &Default::default()).is_err(), "there is no such table");

    right(game("knight-hunt"), &["KNvKN"]);
}

#[test]
fn kings_may_touch() {
    let touching = by_laws("touching-kings", Laws { kings_touch: true, ..Laws::ORTHODOX });
    let (tables, _folder) = right(touching, &["KQvK", "KRvK", "KPvK"]);
    // Kings on different squares, and no win.
    assert_eq!(results(&tables, "KvK"), [0, 64 * 63, 0]);
    // A King at the edge that can go and stand beside the other is not mated.
    let corner = touching.parse_fen("k7/8/1K6/8/8/8/8/7R b - - 0 1").unwrap();
    assert_eq!(touching.turns(&corner).len(), 3);
    let answer = tables.answer(&touching.parse_fen("8/8/8/3k4/8/8/8/KR6 w").unwrap());
    assert_eq!(answer.expect("its table").wdl, Wdl::Draw, "a Rook and King cannot drive it away");
}

#[test]
fn captures_may_explode() {
    // Published counts of the initial position, and those of two others by python-chess 1.11.2.
    let atomic = known("atomic");
    let of = |fen: &str| atomic.parse_fen(fen).unwrap();
    counted(
        atomic,
        &of("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"),
        &[20, 400, 8_902, 197_326],
    );
    let middle = "rn2kb1r/1pp1p2p/p2q1pp1/3P4/2P3b1/4PN2/PP3PPP/R2QKB1R b KQkq - 0 1";
    counted(atomic, &of(middle), &[40, 1_238, 45_237]);
    counted(atomic, &of("r3k2r/8/8/3pP3/8/8/1p4P1/R3K2R w KQkq d6 0 1"), &[29, 896, 21_486]);
    counted(atomic, &of("8/4k3/3KP3/5p2/1r6/8/2B1p3/8 w - - 0 1"), &[13, 312, 3_535]);
    // Black has blown up the King from check.
    let over = ending(atomic, "k1Q5/8/8/8/8/8/8/8 w").expect("White has no King");
    assert_eq!(over, "Black wins by the men that are left");
    assert!(atomic.parse_fen("k1Q5/8/8/8/8/8/8/K7 w").is_err());
    right(game("atomic-knights"), &["KPvKP", "KRvKB"]);
}

#[test]
fn pawns_may_walk_otherwise() {
    let (tables, _folder) = right(game("slow-and-contrary"), &["KPvKP"]);
    let mated = tables.game().parse_fen("5k/4Q1/4K1/6/6/6 b").unwrap();
    let ending = tables.game().ending(&mated).expect("it is mate");
    assert_eq!(ending.to_string(), "Black wins by being checkmated");
    // Neither side to side nor side for side: two tables, and no mirror.
    let (tables, _folder) = right(game("lopsided"), &["KPvK", "KvKP"]);
    let answer = |fen: &str| tables.answer(&tables.game().parse_fen(fen).unwrap()).unwrap().wdl;
    assert_eq!(answer("8/8/8/8/8/k7/7P/K7 w"), Wdl::Win);
}

#[test]
fn men_may_move_by_notations() {
    // Rides, hurdles and leaps that are blocked, one against another, and as what a pawn becomes.
    right(game("riders"), &["KHvKC", "KGvK", "KEvK", "KPvK"]);
    // Not the same to the left and to the right: no mirror, and White's to the right is Black's
    // left.
    let (tables, _folder) = right(game("left-handed"), &["KLvK", "KPvK"]);
    let of_d4 = |fen: &str| {
        let turns = turns(*tables.game(), fen).into_iter();
        turns.filter(|turn| turn.contains("d4")).collect::<Vec<_>>()
    };
    assert_eq!(of_d4("8/8/8/8/3L4/8/8/K1k5 w"), ["d4c4", "d4e6"]);
    assert_eq!(of_d4("8/8/8/8/3l4/8/8/K1k5 b"), ["d4c2", "d4e4"]);
}

#[test]
fn kings_may_move_as_knights_and_pawns_promote_early() {
    let knightmate = known("knightmate");
    let start = knightmate.initial();
    // Counted by Fairy-Stockfish, as those of Makruk.
    counted(knightmate, &start, &[18, 324, 6_765]);
    let (tables, _folder) = right(knightmate, &["KMvKM"]);
    // Kings may stand side by side, but not a Knight's leap apart.
    let parse = |fen: &str| tables.game().parse_fen(fen);
    assert!(parse("8/8/8/8/8/8/8/Kk6 w").is_ok() && parse("8/8/8/8/8/1k6/8/K7 w").is_err());

    let makruk = known("makruk");
    counted(makruk, &makruk.initial(), &[23, 529, 12_012]);
    right(makruk, &["KMvKM"]);
}

#[test]
fn boards_may_be_small() {
    // Counted by Fairy-Stockfish.
    for (name, counts) in
        [("gardner", [7, 53, 506, 4_775]), ("losalamos", [10, 100, 1_212, 14_332])]
    {
        let game = known(name);
        counted(game, &game.initial(), &counts);
    }
    let (tables, _folder) = right(known("gardner"), &["KBNvK", "KPvKP"]);
    let answer = |fen: &str| tables.answer(&tables.game().parse_fen(fen).unwrap()).unwrap();
    assert_eq!(answer("k4/2K2/5/5/4R w").dtm, Some(Plies(1)));
    // The side to move is always the table's; a pawn goes the other way for Black.
    assert_eq!(answer("5/4P/k4/5/K4 w").dtm, answer("k4/5/K4/4p/5 b").dtm);
    right(known("losalamos"), &["KNNvK"]);
    // Neither square nor the same to the left and to the right, with hoppers, rides and double
    // steps.
    right(game("small-riders"), &["KHvKC", "KLvK", "KPvK"]);
    right(game("four-by-four"), &["KQRvKR", "KRRvKB"]);
    // Where men stand on every square all turns are captures.
    for name in ["three-by-three", "blast-on-nine"] {
        right(game(name), &["KRRRRvKNNN"]);
    }
    right(game("nine-squares"), &["KPPvKP"]);
    // A side may have no position to move in, and men too few squares.
    let (tables, folder) = right(game("three-squares"), &["KvK", "KRvK"]);
    let refused = |tables: &Tablebase<Variant>, material: &str| {
        let materials = [material.parse().expect("a material")];
        tables.build(&materials, &BuildOptions::default()).expect_err(material).to_string()
    };
    let four = refused(&tables, "KRRvK");
    assert!(four.ends_with("so many men do not fit on 3×1 squares"), "{four}");
    let nine = Tablebase::new(game("nine-squares"), folder.path());
    for material in ["KPPPPPPPvK", "KvKPPPPPPP"] {
        let pawns = refused(&nine, material);
        assert!(pawns.ends_with("squares where they can stand"), "{pawns}");
    }
}

#[test]
fn pawns_may_stand_on_their_first_rank() {
    let (tables, _folder) =
        right(game("pawns-at-home"), &["KQvK", "KRvK", "KBvK", "KNvK", "KPvK", "KPvKP", "KPPvK"]);
    // As many as Kirill Kryukov has, symmetric ones counted once.
    let mut positions = 0;
    for material in ["KQvK", "KRvK", "KBvK", "KNvK", "KPvK"] {
        let material = material.parse().unwrap();
        let counted = tables.tally(
            &material,
            &Silent,
            || 0_u64,
            |count, _, _, _| {
                *count += 1;
                Ok(())
            },
            |count, more| *count += more,
        );
        positions += counted.expect("the tables are whole");
    }
    assert_eq!(positions, 3_378);
    let error = tables.game().parse_fen("3P/k3/4/3K b").unwrap_err().to_string();
    assert_eq!(error, "a pawn stands on d4, the last rank of its side");
}

#[test]
fn pawns_may_promote_on_some_squares_of_the_last_rank() {
    // What Fairy-Stockfish plays, and counts.
    let few = game("few-squares");
    assert_eq!(
        sorted_turns(few, "3k/PP2/4/4/K2P w"),
        "a1a2 a1b1 a1b2 a4a5b a4a5n a4a5q a4a5r b4b5 d1d2"
    );
    assert_eq!(sorted_turns(few, "kP2/4/4/4/K3 w"), "a1a2 a1b1 a1b2");
    let (tables, _folder) = right(few, &["KPvK", "KvKP"]);
    let [wins, draws, losses] = results(&tables, "KPvK");
    assert!(wins > 0 && draws > 0 && losses == 0, "{wins} {draws}");
    assert!(results(&tables, "KvKP")[2] > wins, "Black promotes on two squares");
}

#[test]
fn pawns_alone_are_a_game() {
    let alone = game("pawns-alone");
    assert!(alone.parse_fen("1k1/ppp/PPP/1K1 w").is_err(), "it has no Kings");
    // These are all positions as a solver over Fairy-Stockfish finds them.
    let (tables, _folder) = right(alone, &["PPvP", "RvP"]);
    let counted = ["PvP", "PPvP", "RvP"].map(|material| results(&tables, material));
    assert_eq!(counted, [[13, 14, 3], [42, 18, 0], [66, 0, 0]]);
}

#[test]
fn the_letter_of_pawns_may_be_another_mans() {
    let (tables, _folder) = right(game("runners"), &["KPvK", "KPPvKP"]);
    let runners = *tables.game();
    let ending = |fen: &str| ending(runners, fen);
    let won = "White wins: a p has reached b5";
    assert_eq!(ending("1PPk1/5/5/5/K4 b").as_deref(), Some(won), "two are enough");
    assert_eq!(ending("1P1k1/5/5/5/K4 b"), None, "one is not");
    assert_eq!(ending("3k1/5/5/5/Kpp2 w"), None, "Black has no goal");
    // It stays what it is on the last rank, and in names of materials it is the letter alone.
    assert_eq!(turns(runners, "5/P2k1/5/5/K4 w"), ["a1b1", "a1a2", "a1b2", "a4a5"]);
    let position = runners.parse_fen("5/P2k1/5/5/K4 w").unwrap();
    assert_eq!(runners.san(&position, runners.parse_turn(&position, "a5").unwrap()), "Pa5");
    // A game of the collection that has nothing else.
    let breakthrough = known("breakthrough");
    counted(breakthrough, &breakthrough.initial(), &[22, 484, 11_132]);
    right(breakthrough, &["PvP", "PPvP"]);
}

#[test]
fn men_at_the_goal_may_have_to_be_safe() {
    let (tables, _folder) = right(game("safely"), &["KNvKN", "KNvKB"]);
    let safely = *tables.game();
    let ending = |fen: &str| ending(safely, fen);
    let won = "White wins: a knight has reached c3";
    assert_eq!(ending("k4/5/2N2/5/K4 b").as_deref(), Some(won));
    assert_eq!(ending("k4/5/2N2/5/K3b b"), None, "it is attacked");
    assert_eq!(ending("k4/3b1/2N2/5/K4 w"), None);
    assert_eq!(ending("k4/2b2/2N2/5/K4 w").as_deref(), Some(won), "it was, and is no longer");
    let both = "drawn: both sides have reached their goals";
    assert_eq!(ending("k4/5/2Nn1/5/K4 w").as_deref(), Some(both));
}

#[test]
fn pawns_may_be_taken_in_passing_on_some_squares_only() {
    let some = game("some-passing");
    let (_tables, _folder) = right(some, &["KPvKP"]);
    let passing = |fen: &str, turn: &str| turns(some, fen).contains(&turn.to_owned());
    assert!(passing("k4/5/5/2Pp1/5/4K w - d4", "c3d4"));
    assert!(!passing("k4/5/5/1pP2/5/4K w - b4", "c3b4"));
    // Without anything to become they stay where they are.
    assert_eq!(turns(some, "5/P4/5/5/2k2/4K w"), ["e1e2"]);
}

#[test]
fn stalemates_may_count_men() {
    let (tables, _folder) = right(game("fewer-men"), &["KPvKN", "KQvK"]);
    let answer = |fen: &str| tables.answer(&tables.game().parse_fen(fen).unwrap()).unwrap().wdl;
    assert_eq!(answer("4k/2Q2/3K1/5/5 b"), Wdl::Win, "the King alone has fewer men");
    let suicide = known("suicide");
    let drawn = ending(suicide, "8/8/p7/P7/8/8/8/8 w");
    assert_eq!(drawn.as_deref(), Some("drawn by stalemate"));
    let won = ending(suicide, "8/8/p7/P6n/8/8/8/8 w");
    assert_eq!(won.as_deref(), Some("White wins by stalemate"));
    right(suicide, &["RvN"]);
}

#[test]
fn a_bare_king_may_have_one_more_turn() {
    let shatranj = known("shatranj");
    // Counted by Fairy-Stockfish.
    counted(shatranj, &shatranj.initial(), &[16, 256, 4_176]);
    let (tables, _folder) = right(shatranj, &["KRvK", "KQvKB"]);
    let answer = |fen: &str| tables.answer(&shatranj.parse_fen(fen).unwrap()).unwrap();
    assert_eq!(answer("8/8/8/8/8/1kR5/8/K7 b").wdl, Wdl::Draw, "it takes the last man");
    assert_eq!(answer("8/8/8/8/1k6/2R5/8/K7 b").wdl, Wdl::Draw);
    let lost = answer("8/8/8/8/k7/2R5/8/K7 b");
    assert_eq!((lost.wdl, lost.dtm), (Wdl::Loss, Some(Plies(1))));
    assert_eq!(answer("8/8/8/8/k7/2R5/8/K7 w").dtm, Some(Plies::ZERO));
}

#[test]
fn pawns_walk_on_where_every_capture_and_promotion_ends_the_game() {
    let (tables, _folder) = right(known("kinglet"), &["PvP"]);
    let answer = |fen: &str| tables.answer(&tables.game().parse_fen(fen).unwrap()).unwrap();
    // Who must promote has no pawn then; the other has a step more.
    assert_eq!(answer("8/P7/8/8/8/7p/8/8 w").wdl, Wdl::Loss);
    assert_eq!(answer("8/P7/8/8/8/7p/8/8 b").wdl, Wdl::Win);
}

#[test]
fn pawns_may_walk_two_squares_from_anywhere() {
    let torpedo = known("torpedo");
    // Counted by Fairy-Stockfish.
    counted(torpedo, &torpedo.initial(), &[20, 400, 9_194]);
    right(game("small-torpedo"), &["KPvKP"]);
    let (tables, _folder) = right(torpedo, &["KPvK"]);
    let answer = |fen: &str| tables.answer(&torpedo.parse_fen(fen).unwrap()).unwrap();
    assert_eq!(answer("8/8/4P3/8/8/k7/8/K7 w").wdl, Wdl::Win, "it promotes at once");
    // In passing wherever that was.
    let passed = turns(torpedo, "k7/8/1pP5/8/8/8/8/K7 b - c5");
    assert!(passed.contains(&"b6c5".to_owned()), "{passed:?}");
    let error = torpedo.parse_fen("k7/8/1p6/8/8/8/8/K7 b - c5").unwrap_err().to_string();
    assert!(error.contains("needs a pawn of White on c6"), "{error}");
}

#[test]
fn pawns_of_the_sides_may_become_other_men() {
    let chigorin = known("chigorin");
    let (tables, _folder) = right(chigorin, &["KPvK", "KvKP"]);
    let becomes = |fen: &str| {
        let turns = turns(*tables.game(), fen).into_iter();
        turns.filter(|uci| uci.len() == 5).collect::<Vec<_>>().join(" ")
    };
    assert_eq!(becomes("8/4P3/8/8/k7/8/8/K7 w"), "e7e8r e7e8n e7e8c");
    assert_eq!(becomes("8/8/8/k7/8/K7/4p3/8 b"), "e2e1q e2e1r e2e1b");
}

#[test]
fn tables_take_nothing_for_equal_that_a_promotion_tells_apart() {
    let (tables, _folder) = right(game("lopsided-promotion"), &["KPvK", "KPvKP"]);
    let read = |fen: &str| tables.answer(&tables.game().parse_fen(fen).unwrap()).unwrap();
    assert_ne!(read("4/P3/3k/4/K3 w").dtm, read("4/3P/k3/4/3K w").dtm);
}

#[test]
fn men_may_stay_what_they_are_or_have_a_kind_of_their_own_to_become() {
    let staying = game("staying");
    right(staying, &["KNPvK", "KNvKP", "KPvKP"]);
    // Turns here are as Fairy-Stockfish has them: a Knight promotes on its way back as well.
    assert_eq!(
        sorted_turns(staying, "3k/P1N1/4/1N2/K3 w"),
        "a1a2 a1b1 a4a5 a4a5r b2d1 b2d3 c4a3 c4a3+ c4a5 c4a5+ c4d2 c4d2+"
    );
    assert_eq!(
        sorted_turns(staying, "P2k/3P/N3/4/K3 w"),
        "a1a2 a1b1 a1b2 a3b1 a3b5 a3b5+ a3c2 a3c4 a3c4+"
    );
    assert_eq!(
        sorted_turns(staying, "3k/4/4/2n1/1K1p b"),
        "c2a1 c2a1+ c2a3 c2a3+ c2b4 c2b4+ c2d4 c2d4+ d5c4 d5c5 d5d4"
    );
    let driven = game("driven");
    right(driven, &["KNPvK", "KNvKP"]);
    assert_eq!(
        sorted_turns(driven, "2k1/P3/2N1/1N2/K3 w"),
        "a1a2 a1b1 a4a5+ b2c4+ b2d1 b2d3 c3a2 c3b1 c3b5+ c3d1 c3d5+"
    );
    let huntsmen = game("huntsmen");
    right(huntsmen, &["KNPvK", "KNvKP", "KNvKN"]);
    assert_eq!(
        sorted_turns(huntsmen, "1n1k/4/N3/4/K3 w"),
        "a1a2 a1b1 a1b2 a3b1 a3b5 a3b5+ a3c2 a3c4"
    );
    // From there, too.
    assert_eq!(sorted_turns(huntsmen, "1N1k/4/n3/4/K3 w"), "a1a2 a1b2 b5a3 b5a3+ b5c3 b5d4");
    let driven_huntsmen = game("driven-huntsmen");
    right(driven_huntsmen, &["KNPvK", "KNvKN"]);
    assert_eq!(
        sorted_turns(driven_huntsmen, "1n1k/4/N3/4/K3 w"),
        "a1a2 a1b1 a1b2 a3b1 a3b5+ a3c2 a3c4"
    );
    let error = driven.parse_fen("3k/N3/4/4/K3 w").unwrap_err().to_string();
    assert_eq!(error, "the man on a4 would have promoted there");
}

#[test]
fn what_has_become_its_own_kind_may_be_written_with_a_plus() {
    let staying = game("staying");
    let fen = "3k/2N1/4/4/K3 w - - 0 1";
    let setup = staying.parse_fen(fen).unwrap();
    let after = |text: &str| {
        let turn = staying.parse_turn(&setup, text).expect("a turn");
        (staying.san(&setup, turn), staying.fen(&staying.play(&setup, turn)))
    };
    let promoted = ("Na5=Q+".to_owned(), "Q2k/4/4/4/K3 b - - 1 1".to_owned());
    for text in ["c4a5+", "c4a5q", "Na5=Q", "Na5=Q+"] {
        assert_eq!(after(text), promoted, "{text}");
    }
    // Elsewhere it is a sign of check, though there is none.
    let stays = ("Na5".to_owned(), "N2k/4/4/4/K3 b - - 1 1".to_owned());
    for text in ["c4a5", "Na5", "Na5+", "Nc4-a5"] {
        assert_eq!(after(text), stays, "{text}");
    }
    let read = |fen: &str| staying.parse_fen(fen).map(|setup| staying.fen(&setup));
    assert_eq!(read("+N2k/4/3+n/K3/4 b - - 1 1").unwrap(), "Q2k/4/3q/K3/4 b - - 1 1");
    assert_eq!(
        read("+R2k/4/4/4/K3 b - - 1 1").unwrap_err().to_string(),
        "`+` on rank 5 is neither a man of this game nor a number of empty squares"
    );
    let driven = game("driven").parse_fen("3k/+P3/4/4/K3 w").unwrap();
    assert_eq!(game("driven").fen(&driven), "3k/G3/4/4/K3 w - - 0 1");
}

#[test]
fn a_pawn_that_can_only_take_in_passing_must() {
    let narrow = game("narrow");
    let (tables, _folder) = right(narrow, &["KPPvKP"]);
    // Without the right to take in passing it would be stalemate. The right is what loses.
    assert_eq!(ending(narrow, "3/1k1/1p1/pP1/K2 w").as_deref(), Some("drawn by stalemate"));
    let position = narrow.parse_fen("3/pk1/1p1/1P1/K2 b").unwrap();
    let after = narrow.play(&position, narrow.parse_turn(&position, "a4a2").unwrap());
    assert_eq!(tables.answer(&after).unwrap().dtm, Some(Plies(12)));
    for answer in [tables.answer(&position), tables.look_ahead(&position)] {
        assert_eq!(answer.unwrap().dtm, Some(Plies(13)));
    }
}

#[test]
fn pawns_may_walk_three_squares() {
    let leaping = game("leaping-pawns");
    right(leaping, &["KPvK", "KPvKP"]);
    // As Fairy-Stockfish has them.
    let white = "a1a2 a1b1 a3a4 a3a6r b2b3 b2b5";
    assert_eq!(sorted_turns(leaping, "3k/4/4/P2p/1P2/K3 w"), white);
    assert_eq!(sorted_turns(leaping, "3k/4/4/P2p/1P2/K3 b"), "d3d2 d6c5 d6c6 d6d5");
    assert_eq!(sorted_turns(leaping, "3k/4/P3/4/P3/K3 w"), "a1b1 a1b2 a2a3 a4a5");
}

#[test]
fn who_has_walked_three_squares_may_be_taken_in_passing() {
    let striding = game("striding-pawns");
    right(striding, &["KPvKP"]);
    // As Fairy-Stockfish has them: on both squares, on one of them, and past it.
    for (before, turn, after, takes) in [
        ("3k/4/1p2/1p2/4/P3/3K w", "a2a5", "Pp2/1p2/4/4/3K b - a3a4", "b4a3 b5a4"),
        ("3k/4/1p2/4/4/P3/3K w", "a2a5", "Pp2/4/4/4/3K b - a4", "b5a4"),
        ("3k/4/4/1p2/4/P3/3K w", "a2a5", "P3/1p2/4/4/3K b - a3", "b4a3"),
        ("3k/4/1p2/1p2/P3/4/3K w", "a3a5", "Pp2/1p2/4/4/3K b - a4", "b5a4"),
        ("3k/2p1/1P2/1P2/4/4/K3 b", "c6c3", "1P2/1P2/2p1/4/K3 w - c5", "b4c5"),
        ("3k/1p2/2P1/2P1/4/4/3K b", "b6b3", "2P1/2P1/1p2/4/3K w - -", ""),
    ] {
        let position = striding.parse_fen(before).unwrap();
        let played = striding.play(&position, striding.parse_turn(&position, turn).unwrap());
        let fen = striding.fen(&played);
        assert!(fen.contains(&format!("/{after} ")), "{fen}");
        assert_eq!(striding.parse_fen(&fen).as_ref(), Ok(&played));
        let captures = striding.turns(&played).into_iter().filter(|&mv| played.is_capture(mv));
        let mut captures: Vec<_> = captures
            .map(|mv| {
                let men = striding.play(&played, mv).board.occupied().len();
                assert_eq!(men, played.board.occupied().len() - 1);
                striding.uci(&played, mv)
            })
            .collect();
        captures.sort();
        assert_eq!(captures.join(" "), takes, "{fen}");
    }
    // The right to take is told apart by where it may be used, not by how the pawn came.
    let read = |fen: &str| striding.parse_fen(fen).map(|setup| striding.fen(&setup));
    let one = "3k/4/Pp2/1p2/4/4/3K b - a4 0 1";
    assert_eq!(read(one).as_deref(), Ok(one));
    assert_eq!(read("3k/4/P3/1p2/4/4/3K b - a3a4"), read("3k/4/P3/1p2/4/4/3K b - a3"));
    for (fen, error) in [
        ("3k/4/Pp2/1p2/4/4/3K b - a4b4", "en passant squares a4b4 are impossible"),
        (
            "3k/4/P3/1p2/P3/4/3K b - a3a4",
            "needs a pawn of White on a5 and nothing behind it up to a2",
        ),
        (
            "3k/4/1p2/1p2/4/4/3K b - a3a4",
            "needs a pawn of White on a5 and nothing behind it up to a2",
        ),
        ("3k/4/Pp2/1p2/4/4/3K b - a3a", "`a3a` is not an en passant square"),
        ("3k/4/Pp2/1p2/4/4/3K b - a6", "en passant square a6 must be on rank 3"),
    ] {
        let refused = read(fen).unwrap_err().to_string();
        assert!(refused.contains(error), "{refused}");
    }
    // Before the last rank pawns promote, also after two squares; there is no en passant then.
    let white = "a1a2 a1b1 a1b2 a5a6r b3b4 b3b5";
    assert_eq!(sorted_turns(striding, "3k/4/P3/4/1P2/4/K3 w"), white);
}

#[test]
fn men_may_keep_to_regions_and_kings_may_not_face_each_other() {
    let palaces = game("palaces");
    right(palaces, &["KRPvKR", "KBvKR"]);
    // As Fairy-Stockfish has them: the Rook stops before file d, the King before rank 4, and none
    // goes to file d, where the Kings would face each other.
    let white = "a1a2 a1a3 a1a4 a1a5 a1b1 a1c1 c3b2 c3b3 c3c2";
    assert_eq!(sorted_turns(palaces, "3k/4/2K1/4/R3 w"), white);
    assert_eq!(sorted_turns(palaces, "1k2/4/2K1/4/R3 b"), "b5b4");
    assert_eq!(sorted_turns(palaces, "3k/4/4/K3/2R1 b"), "d5d4");
    let error = palaces.parse_fen("3k/4/4/4/R2K w").unwrap_err().to_string();
    assert!(error.starts_with("the Kings face each other"), "{error}");
    right(game("one-palace"), &["KNvKN", "KPvKP"]);
}

#[test]
fn explosions_may_leave_one_side_alone() {
    // Who is to move where they have left nobody is stalemated, and wins by that in this game.
    let (tables, _folder) = right(game("blown-away"), &["RCvR", "RCvC", "CCvC", "RvR"]);
    let answer = |fen: &str| tables.answer(&tables.game().parse_fen(fen).unwrap()).unwrap();
    assert_eq!(answer("3/3/3/3 w").wdl, Wdl::Win);
    // Who is left alone and cannot move is stalemated, too.
    assert_eq!(answer("3/3/3/c2 b").wdl, Wdl::Win);
    assert_eq!(answer("3/3/3/r2 b").wdl, Wdl::Loss);
    assert_eq!(answer("r2/3/3/R2 w").wdl, Wdl::Draw);
    // A capture leaves Black alone, and stuck or not.
    assert_eq!(answer("c2/3/3/Cc1 w").wdl, Wdl::Loss);
    assert_eq!(answer("r2/3/3/Cc1 w").wdl, Wdl::Win);
}

#[test]
fn explosions_may_spare_men() {
    let spared = game("spared-knights");
    right(spared, &["KNvKR", "KNPvK", "KNvKN", "KPvKN"]);
    let after = |fen: &str, uci: &str| {
        let setup = spared.parse_fen(fen).unwrap();
        spared.fen(&spared.play(&setup, spared.parse_turn(&setup, uci).unwrap()))
    };
    // As Fairy-Stockfish has it: beside, and as who captures.
    let crowd = "k3/4/1rn1/1NB1/K3 w - - 0 1";
    assert_eq!(after(crowd, "c2b3"), "k3/4/2n1/1N2/K3 b - - 0 1");
    assert_eq!(after("k3/2r1/4/1N2/K3 w - - 0 1", "b2c4"), "k3/2N1/4/4/K3 b - - 0 1");
    // A Knight does not capture one, nor a King a King beside it.
    assert_eq!(sorted_turns(spared, "k3/2n1/4/1N2/K3 w"), "a1a2 a1b1 b2a4 b2d1 b2d3");
    let kings = sorted_turns(spared, "4/4/k3/1K2/4 w");
    assert_eq!(kings, "b2a1 b2a2 b2b1 b2b3 b2c1 b2c2 b2c3");
    right(game("spared-royal"), &["KNvKR", "KPvKP", "KRvKN"]);
    let royal = sorted_turns(game("spared-royal"), "4/k3/1n2/1RNn/K3 w");
    assert_eq!(royal, "a1a2 b2b3");
}

#[test]
fn the_sides_may_have_other_men_that_promote() {
    let unlike = game("unlike-pawns");
    right(unlike, &["KPvKS", "KSvKS", "KvKSS"]);
    // As Fairy-Stockfish has them. White's men that promote for Black alone stay what they are.
    let white = "a5a4 a5b5 c2b1 c2b2 c2b3 c2c1 c2c3 c2d1 c2d2 c2d3";
    assert_eq!(sorted_turns(unlike, "S2k/4/4/2K1/4 w"), white);
    assert_eq!(sorted_turns(unlike, "3k/4/4/s2K/4 b"), "a2a1b a2a3 a2b2 d5c4 d5c5 d5d4");
    let stray = unlike.parse_fen("k3/4/1p2/2K1/4 w").unwrap_err().to_string();
    assert_eq!(stray, "Black has no pawns in this game");
    let (tables, _folder) = right(unlike, &["KvKS"]);
    let built = tables.build(&["KvKP".parse().unwrap()], &BuildOptions::default());
    let error = built.expect_err("no such men").to_string();
    assert_eq!(error, "unlike-pawns has no tables for KvKP: Black has no pawns in this game");
}

#[test]
fn the_royal_king_may_have_another_letter() {
    let other = game("other-letter");
    right(other, &["GRvG", "GPvGK"]);
    // As Fairy-Stockfish has them.
    assert_eq!(sorted_turns(other, "1R1g/4/4/4/G3 b"), "d5c3");
    let two = other.parse_fen("g2g/4/2G1/4/4 b").unwrap_err().to_string();
    assert_eq!(two, "Black has 2 of the royal man G; in this game it has exactly 1");
}

#[test]
fn kings_may_race_without_checks() {
    let racing = known("racingkings");
    // Counted by Fairy-Stockfish.
    counted(racing, &racing.initial(), &[21, 421, 11_264]);
    let (tables, _folder) = right(racing, &["KQvK", "KvKR"]);
    let answer = |fen: &str| tables.answer(&racing.parse_fen(fen).unwrap()).unwrap().wdl;
    let ending = |fen: &str| ending(racing, fen);
    // Black follows, or cannot.
    assert_eq!(ending("4K3/1k6/8/8/8/8/8/6Q1 b"), None);
    assert_eq!(answer("4K3/1k6/8/8/8/8/8/6Q1 b"), Wdl::Draw);
    let won = "White wins: the King has reached e8";
    assert_eq!(ending("4K3/8/1k6/8/8/8/8/8 b").as_deref(), Some(won));
    let both = "drawn: both sides have reached their goals";
    assert_eq!(ending("1k2K3/8/8/8/8/8/8/8 w").as_deref(), Some(both));
    assert_eq!(answer("8/4K3/1k6/8/8/8/8/8 w"), Wdl::Win);
    assert_eq!(answer("8/4K3/1k6/8/8/8/8/8 b"), Wdl::Draw);
    // Nobody is ever in check, nor gives one.
    assert!(racing.parse_fen("8/8/8/8/8/1k5K/8/1Q6 b").is_err());
    let near = racing.parse_fen("8/8/8/8/8/1k5K/8/Q7 w").unwrap();
    let gives_check = |&turn: &_| racing.is_check(&racing.play(&near, turn));
    assert!(!racing.turns(&near).iter().any(gives_check));
    // Elsewhere whoever is in check has no last turn.
    let (tables, _folder) = right(game("checked-race"), &["KRvK"]);
    let answer = |fen: &str| tables.answer(&tables.game().parse_fen(fen).unwrap()).unwrap().wdl;
    assert_eq!(answer("2K1/k3/3R/4 b"), Wdl::Draw);
    assert_eq!(answer("2K1/k2R/4/4 b"), Wdl::Loss);
}

#[test]
fn any_man_may_have_a_goal_and_nobody_a_king() {
    let (tables, _folder) = right(game("sixth-rank"), &["KPvKP", "KPvKN"]);
    let reached = tables.game().parse_fen("6/P5/6/6/6/6/K1k3 b").unwrap();
    let ending = tables.game().ending(&reached).expect("it is over");
    assert_eq!(ending.to_string(), "White wins: a pawn has reached a6");
    right(game("last-man"), &["RvN", "PvP", "RvBN"]);
    let (tables, _folder) = right(game("crossing"), &["RvN", "PvP"]);
    let answer = |fen: &str| tables.answer(&tables.game().parse_fen(fen).unwrap()).unwrap().wdl;
    assert_eq!(answer("8/8/8/8/8/8/8/n3r3 w"), Wdl::Loss, "the last man was taken on a goal");
    assert_eq!(answer("8/8/8/8/8/8/n7/4r3 w"), Wdl::Loss);
    assert_eq!(answer("8/8/8/8/8/4r3/n7/8 w"), Wdl::Draw, "who has no man has no turn");
}

#[test]
fn checks_may_be_counted() {
    // Counted by Fairy-Stockfish.
    let game_of_three = known("3check");
    counted(game_of_three, &game_of_three.initial(), &[20, 400, 8_902]);
    let (tables, _folder) = right(game("two-checks"), &["KPvKP", "KQvKN"]);
    let answer = |fen: &str| tables.answer(&tables.game().parse_fen(fen).unwrap()).unwrap();
    let plies = |fen: &str| answer(fen).dtm.map(|Plies(plies)| plies);
    // With a check left the Queen wins by any, and with two by two, though it could mate later.
    assert_eq!(plies("k3/4/4/4/3Q/K3 w - - 1+2 0 1"), Some(1));
    assert_eq!(plies("k3/4/4/4/3Q/K3 w - - 2+2 0 1"), Some(3));
    // A Knight wins by checks, where it could never mate; whoever leaves the field out has all.
    assert_eq!(answer("4/k3/4/4/2N1/K3 w - - 1+2 0 1").wdl, Wdl::Win);
    assert_eq!(answer("4/k3/4/4/2N1/K3 w"), answer("4/k3/4/4/2N1/K3 w - - 2+2 0 1"));
    // What is White's for White is Black's for Black.
    assert_eq!(answer("k3/2n1/4/4/K3/4 b - - 2+1 0 1"), answer("4/k3/4/4/2N1/K3 w - - 1+2 0 1"));
    let over = tables.game().parse_fen("k2Q/4/4/4/4/K3 b - - 0+2 0 1").unwrap();
    assert_eq!(tables.game().ending(&over).unwrap().to_string(), "White wins by its last check");
    right(game("first-check"), &["KPvKP", "KPvK"]);
}

#[test]
fn royal_men_may_be_others_than_one_king_each() {
    let (tables, _folder) = right(game("two-kings"), &["KKRvKK"]);
    let three = tables.game().parse_fen("k3/2k1/4/K3/K1K1 b").unwrap_err().to_string();
    assert_eq!(three, "White has 3 of the royal man K; in this game it has exactly 2");
    // Of two that are attacked one stays so.
    let fork = tables.game().parse_fen("2k1/K3/K1R1/4/2k1 b").unwrap();
    assert_eq!(tables.game().ending(&fork).unwrap().to_string(), "White wins by checkmate");
    right(game("royal-queens"), &["KQPvKQ"]);
    let (tables, _folder) = right(game("crowd"), &["PPvK", "PvKP"]);
    // Who has lost the last pawn has lost, and a pawn on the first rank may walk two squares.
    let read = |fen: &str| tables.game().parse_fen(fen);
    let answer = |fen: &str| tables.answer(&read(fen).unwrap()).unwrap();
    assert_eq!(answer("5/5/5/5/2k2/2P2 b").dtm, Some(Plies(1)));
    assert!(read("5/5/5/5/2k2/K1P2 w").is_err() && read("5/5/5/5/5/2P2 w").is_err());
    for name in ["horde", "coregal"] {
        let game = Variant::collection().iter().find(|game| game.name() == name).copied();
        let game = game.expect("a game of the collection");
        // Counted by Fairy-Stockfish.
        let counts = if name == "horde" { [8, 128, 1_274] } else { [20, 400, 8_882] };
        counted(game, &game.initial(), &counts);
    }
}

#[test]
fn men_may_be_royal_while_few_are_left() {
    let maharajas = game("two-maharajas");
    right(maharajas, &["MMvKR", "MMvKP"]);
    // As Fairy-Stockfish has them: of two either may be lost, the last one may not.
    let two = sorted_turns(maharajas, "k3/4/4/1rr1/1MM1 w");
    assert_eq!(two, "b1a1 b1a2 b1a3 b1b2 b1c2 b1c3 b1d2 c1a2 c1b2 c1b3 c1c2 c1d1 c1d2 c1d3");
    assert_eq!(sorted_turns(maharajas, "k3/4/4/r3/2M1 w"), "c1a2 c1b1 c1b3 c1d1 c1d3");
    let none = maharajas.parse_fen("k3/4/4/r3/2R1 w").unwrap_err().to_string();
    assert_eq!(none, "White has 0 of the royal man M; in this game it has at least 1");
    // Not both, or both.
    let (spartans, bold) = (game("two-spartans"), game("bold-kings"));
    let (tables, _folder) = right(spartans, &["KKvKK", "KKvKR", "KPvKP"]);
    right(bold, &["KKvKK", "KKRvK"]);
    let attacked = "1k1k/R3/1R1R/4/K3 b";
    assert_eq!(sorted_turns(spartans, attacked), "b5a4 b5c5 d5c5");
    assert_eq!(sorted_turns(bold, attacked), "b5a4 b5a5 b5b4 b5c4 b5c5 d5c4 d5c5 d5d4");
    // It is check, and who has moved may not leave it so.
    let fork = spartans.parse_fen("1k1k/4/1R1R/4/K3 b").unwrap();
    assert!(spartans.is_check(&fork));
    assert!(spartans.parse_fen("1k1k/4/1R1R/4/K3 w").is_err());
    assert!(bold.parse_fen("1k1k/4/1R1R/4/K3 w").is_ok());
    let becomes = tables.game().parse_fen("k3/3P/4/4/K3 w").unwrap();
    let kings = tables.game().turns(&becomes).into_iter();
    assert_eq!(kings.filter(|turn| turn.promotion == Some(Role::King)).count(), 1);
}

#[test]
fn promotions_may_be_limited() {
    let few = game("few-queens");
    let (tables, _folder) = right(few, &["KPPvK", "KQPvK", "KQPvKP", "KKPvK", "KPvKP"]);
    let promoted = |fen: &str| {
        let turns = turns(few, fen).into_iter();
        let letters = turns.filter_map(|turn| turn.strip_prefix("d4d5").map(str::to_owned));
        letters.collect::<Vec<_>>()
    };
    assert_eq!(promoted("k3/3P/4/4/K3 w"), ["k", "q", "n"]);
    assert_eq!(promoted("k3/3P/4/4/KQ2 w"), ["k", "n"]);
    assert_eq!(promoted("k3/3P/4/4/KKQ1 w"), ["n"]);
    // What Black has does not count, and a side may begin with more.
    assert_eq!(promoted("k2q/3P/4/4/K3 w").len(), 0);
    assert_eq!(promoted("k1q1/3P/4/4/KQQ1 w"), ["k", "n"]);
    // Nobody needs the table of a second Queen.
    let second = few.table_id(&"KQQvK".parse().expect("a material"), Contents::Distance);
    assert!(!tables.directories().path(&second).exists());
}

#[test]
fn who_is_stuck_may_pass() {
    let (tables, _folder) = right(game("passing"), &["PvP", "PvR"]);
    let read = |fen: &str| tables.game().parse_fen(fen).unwrap();
    // Pawns that face each other pass for ever.
    let blocked = read("4/p3/P3/4/4 w");
    assert_eq!(tables.answer(&blocked).unwrap().wdl, Wdl::Draw);
    let turns = tables.game().turns(&blocked);
    let [pass] = turns[..] else { panic!("{turns:?}") };
    assert_eq!(tables.game().san(&blocked, pass), "--");
    assert_eq!(tables.game().parse_turn(&blocked, "--").unwrap(), pass);
    assert_eq!(tables.game().fen(&tables.game().play(&blocked, pass)), "4/p3/P3/4/4 b - - 1 1");
    // Whoever would be stalemated elsewhere is mated in a moment.
    let (tables, _folder) = right(game("passing-kings"), &["KPvK"]);
    let stuck = tables.game().parse_fen("k3/2Q1/1K2/4/4 b").unwrap();
    let answer = tables.answer(&stuck).unwrap();
    assert_eq!((answer.wdl, answer.dtm), (Wdl::Loss, Some(Plies(2))));
    // A side that may pass at will knows no zugzwang; the colours are not alike then.
    let (tables, _folder) = right(game("idle"), &["KPvK", "KvKP"]);
    let waits = tables.game().parse_fen("k3/4/1K2/4/2R1 w").unwrap();
    let turns = tables.game().turns(&waits);
    // As in other programs a pass is the King's, wherever others stand.
    let pass = turns.iter().find(|turn| turn.is_pass()).expect("White may pass");
    assert_eq!(tables.game().uci(&waits, *pass), "b3b3");
}

#[test]
fn men_may_have_first_moves() {
    let rushers = game("rushers");
    right(rushers, &["KGvKG", "KGvKP", "KPvKG"]);
    // From where pawns walk two squares, if nobody stands on the way.
    for (fen, turns) in [
        ("k3/4/4/4/K1G1 w", "a1a2 a1b1 a1b2 c1b2 c1c3 c1d2"),
        ("k3/4/4/2g1/K1G1 w", "a1a2 a1b2 c1b2 c1d2"),
        ("k1g1/4/4/4/K3 b", "a5a4 a5b4 a5b5 c5b4 c5d4"),
        ("k3/2g1/4/4/K3 b", "a5a4 a5b4 a5b5 c4b3 c4b5 c4c2 c4d3 c4d5"),
    ] {
        assert_eq!(sorted_turns(rushers, fen), turns, "{fen}");
    }
    // Other programs say which squares that was over.
    let rushed = rushers.parse_fen("k3/4/2G1/4/K3 b - c2c3 0 1").unwrap();
    assert_eq!(rushers.fen(&rushed), "k3/4/2G1/4/K3 b - - 0 1");
    let never = rushers.parse_fen("k3/4/3G/4/K3 b - c2c3 0 1").unwrap_err().to_string();
    assert_eq!(
        never,
        "en passant squares c2c3 are impossible: no pawn of this game walks over all of them"
    );
    let (even, _folder) = right(game("even-rushers"), &["KGvK", "KGvKG"]);
    // There the sides may be exchanged, so that one table is of both.
    let swapped = even.game().parse_fen("gk2/4/4/4/2K1 b").unwrap();
    assert_eq!(even.answer(&swapped).unwrap().wdl, Wdl::Draw);
}

#[test]
fn men_that_are_no_pawns_may_promote() {
    let (tables, _folder) = right(game("wanderers"), &["KPvKP", "KPPvK"]);
    let read = |fen: &str| tables.game().parse_fen(fen);
    let there = read("2Pk/4/4/4/K3 w").unwrap_err().to_string();
    assert_eq!(there, "the man on c5 would have promoted there");
    let before = read("k3/2P1/4/4/K3 w").unwrap();
    let turns = tables.game().turns(&before);
    let written: Vec<String> = turns.iter().map(|&turn| tables.game().san(&before, turn)).collect();
    for san in ["Pc5=R+", "Pc5=N", "Pd4=N", "Pb4+", "Pc3"] {
        assert!(written.iter().any(|written| written == san), "{san} in {written:?}");
        assert!(tables.game().parse_turn(&before, san).is_ok(), "{san}");
    }
    right(game("climbers"), &["KPvKR", "KPPvK"]);
}
