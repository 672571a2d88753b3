use proptest::prelude::*;

use super::*;
use crate::rules::{perft, random_play, read_record};

fn read(fen: &str) -> TiebrakerPosition {
    Tiebraker.parse_fen(fen).unwrap_or_else(|error| panic!("{fen}: {error}"))
}

/// The turns in short notation, sorted.
fn sans(fen: &str) -> Vec<String> {
    let position = read(fen);
    let turns = Tiebraker.turns(&position).into_iter();
    let mut sans: Vec<_> = turns.map(|turn| Tiebraker.san(&position, turn)).collect();
    sans.sort();
    sans
}

/// The position after turns in any notation, parted by spaces.
fn after(fen: &str, turns: &str) -> TiebrakerPosition {
    turns.split_whitespace().fold(read(fen), |position, text| {
        let turn = Tiebraker.parse_turn(&position, text).unwrap_or_else(|error| panic!("{error}"));
        Tiebraker.play(&position, turn)
    })
}

fn fen_after(fen: &str, turns: &str) -> String {
    Tiebraker.fen(&after(fen, turns))
}

/// How the game ended with the last of the turns; empty if it goes on.
fn ending(fen: &str, turns: &str) -> String {
    let last = after(fen, turns);
    assert_eq!(Tiebraker.turns(&last).is_empty(), Tiebraker.ending(&last).is_some());
    Tiebraker.ending(&last).map_or_else(String::new, |ending| ending.to_string())
}

#[test]
fn a_declaration_is_a_turn_and_happens_once() {
    let start = Tiebraker.initial();
    assert_eq!(Tiebraker.turns(&start).len(), 21);
    let fen = Tiebraker.fen(&start);
    assert_eq!(fen, "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - normal 0 1");
    assert_eq!(Tiebraker.turns(&after(&fen, "declare")).len(), 22);
    for (turns, count) in [("K=D e5", 20), ("K=D option1", 20), ("K=D option2", 20)] {
        assert_eq!(Tiebraker.turns(&after(&fen, turns)).len(), count, "{turns}");
    }
    // In check, one must move.
    assert_eq!(sans("7k/8/8/8/8/8/8/K6r w"), ["Ka2", "Kb2"]);
}

#[test]
fn the_answers_set_men_and_mode() {
    let fen = "7k/8/8/8/8/8/7n/K7 b - - normal 5 9";
    for (turns, expected) in [
        ("K=D", "7d/8/8/8/8/8/7n/K7 w - - declared 6 10"),
        ("K=D Kb2", "7d/8/8/8/8/8/1K5n/8 b - - accepted 7 10"),
        ("K=D option1", "7k/8/8/8/8/8/7n/D7 b - - option1:20 7 10"),
        ("K=D option2", "7k/8/8/8/8/8/7n/K7 b - - option2:b 7 10"),
        ("K=D option1 Kg7", "8/6k1/8/8/8/8/7n/D7 w - - option1:19 8 11"),
    ] {
        assert_eq!(fen_after(fen, turns), expected, "{turns}");
    }
}

#[test]
fn captures_or_checks_are_compulsory_for_both() {
    // 13 moves of the Rook, 2 of the pawn, 2 of the King, and the declaration.
    let men = "3r3k/8/8/8/8/8/P7/K2R4 w - -";
    assert_eq!(sans(&format!("{men} normal")).len(), 13 + 2 + 2 + 1);
    let accepted = "3r3d/8/8/8/8/8/P7/K2R4 w - - accepted";
    assert_eq!(sans(accepted), ["Rh1#", "Rxd8#"]);
    assert_eq!(sans("3r3k/8/8/8/8/8/P7/D2R4 w - - accepted"), ["Rh1+", "Rxd8+"]);
    assert_eq!(sans("3r3k/8/8/8/8/8/P7/D2R4 w - - option1:0"), ["Rh1+", "Rxd8+"]);
    assert_eq!(
        sans("3r3d/8/8/8/8/8/P7/K2R4 w - - declared"),
        ["Rh1#", "Rxd8#", "option1", "option2"]
    );
    // Free with plies left, and after a refusal.
    assert_eq!(sans("3r3k/8/8/8/8/8/P7/D2R4 w - - option1:7").len(), 13 + 2);
    assert_eq!(sans(&format!("{men} option2:b")).len(), 13 + 2 + 2);
    // Captures of the King and en passant bind too.
    assert_eq!(sans("7d/8/8/8/8/8/1n5P/K7 w - - accepted"), ["Kxb2"]);
    assert_eq!(sans("7d/8/8/3pP3/8/8/8/K7 w - d6 accepted"), ["exd6"]);
    assert_eq!(sans("7k/8/8/8/8/8/1n5P/D7 b - - accepted").len(), 3 + 4);
    // In check, every way out will do.
    assert_eq!(sans("6d1/8/8/8/8/8/P7/K2r3R w - - accepted"), ["Kb2", "Rxd1"]);
}

#[test]
fn the_countdown_ends_in_compulsion() {
    let fen = "3r3k/8/8/8/8/8/P7/D2R4 w - - option1:1";
    let next = after(fen, "Rc1");
    assert_eq!(next.mode, Mode::Option1(0));
    assert_eq!(Tiebraker.fen(&after(fen, "Rc1 Kh7 Rb1")).split(' ').nth(4), Some("option1:0"));
}

#[test]
fn mate_pays_by_the_mode() {
    let men = "8/5K2/6Q1/8/8/8/8 w - -";
    for (king, turns, expected) in [
        ("7k", "normal", "White gives checkmate: White 100, Black 0"),
        ("7k", "option2:b", "White gives checkmate: White 80, Black 20"),
        ("7k", "option2:w", "White gives checkmate: White 100, Black 0"),
        ("7d", "accepted", "White gives checkmate: White 100, Black 0"),
        ("7d", "option1:0", "White gives checkmate: White 90, Black 10"),
        ("7d", "option1:2", "White gives checkmate: White 100, Black 0"),
        ("7d", "declared", "White gives checkmate: White 100, Black 0"),
    ] {
        assert_eq!(ending(&format!("{king}/{men} {turns}"), "Qg7#"), expected, "{turns}");
    }
    let fen = "7k/8/5D2/6Q1/8/8/8/8 w - -";
    for (mode, points) in [("accepted", "90"), ("option1:0", "90"), ("option1:1", "100")] {
        let ending = ending(&format!("{fen} {mode}"), "Qg7#");
        assert!(ending.starts_with(&format!("White gives checkmate: White {points},")), "{mode}");
    }
    // The twentieth ply ends the game before captures are compulsory.
    let last = fen_after(&format!("{fen} option1:1"), "Qg7#");
    assert_eq!(last, "7k/6Q1/5D2/8/8/8/8/8 b - - option1:1 1 1");
    assert!(Tiebraker.parse_fen(&last).is_err());
    // The two sides are treated alike.
    assert_eq!(
        ending("8/8/8/8/6q1/5d2/8/7K b - - accepted", "Qg2#"),
        "Black gives checkmate: White 10, Black 90"
    );
    assert_eq!(
        ending("8/8/8/8/6q1/5k2/8/7K b - - option2:w", "Qg2#"),
        "Black gives checkmate: White 20, Black 80"
    );
}

#[test]
fn stalemate_pays_sixty_but_to_a_refused_declarer_all() {
    for (mode, points) in
        [("normal", 60), ("option2:b", 60), ("option2:w", 100), ("accepted", 60), ("option1:2", 60)]
    {
        let king = if matches!(mode, "normal" | "option2:b" | "option2:w") { 'k' } else { 'd' };
        let fen = format!("7{king}/8/5K2/8/6Q1/8/8/8 w - - {mode}");
        let rest = 100 - points;
        assert_eq!(
            ending(&fen, "Qg6"),
            format!("White gives stalemate: White {points}, Black {rest}"),
            "{mode}"
        );
    }
}

#[test]
fn a_lone_disk_is_stalemated() {
    let last = after("k7/8/8/8/8/8/8/K7 w", "K=D Kb7");
    let ending = Tiebraker.ending(&last).unwrap();
    assert_eq!(ending.to_string(), "Black gives stalemate: White 40, Black 60");
}

#[test]
fn who_cannot_move_may_still_reject_but_not_declare() {
    let men = "k7/8/1QD5/8/8/8/8/8 b - -";
    assert_eq!(sans(&format!("{men} declared")), ["option1", "option2"]);
    assert_eq!(Tiebraker.ending(&read(&format!("{men} declared"))), None);
    let over = read(&format!("{men} accepted"));
    assert!(Tiebraker.turns(&over).is_empty());
    assert_eq!(Tiebraker.ending(&over).unwrap().points.of(Color::White), 60);
    assert!(sans("k7/8/1QK5/8/8/8/8/8 b - - normal").is_empty());
}

#[test]
fn castling_rights_survive_until_the_disk_stays() {
    let fen = "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - normal 0 1";
    let rights = |turns| after(fen, turns).setup.castling.to_string();
    assert_eq!(rights("K=D"), "KQkq");
    assert_eq!(rights("K=D option2"), "KQkq");
    assert_eq!(rights("K=D option1"), "KQ");
    assert_eq!(rights("K=D Rxa1+"), "k");
    assert_eq!(rights("K=D option2 O-O"), "kq");
    let disk = after(fen, "K=D option1 Rxa8+");
    assert!(Tiebraker.parse_turn(&disk, "O-O").is_err());
    // Castling accepts, but is no way around a compulsory capture.
    assert_eq!(fen_after("4k2r/8/8/8/8/8/7p/R3K3 w Qk -", "K=D O-O").split(' ').nth(2), Some("-"));
    assert!(Tiebraker.parse_turn(&after(fen, "K=D"), "O-O").is_err());
}

#[test]
fn en_passant_lapses_with_a_declaration() {
    let fen = "4k3/8/8/8/3pP3/8/8/4K3 b - e3 normal 0 1";
    assert_eq!(fen_after(fen, "K=D"), "4d3/8/8/8/3pP3/8/8/4K3 w - - declared 1 2");
    assert!(Tiebraker.parse_turn(&after(fen, "K=D option2"), "dxe3").is_err());
}

#[test]
fn fen_errors_say_what_would_be_right() {
    for (fen, error) in [
        ("d7/8/8/8/8/8/8/D7 w - - accepted", "both kings are disks; at most one player has a disk"),
        ("d7/8/8/8/8/8/8/KD6 w - - accepted", "White has 2 kings; each side has exactly one"),
        (
            "k7/8/8/8/8/8/8/D7 w",
            "White's king is a disk, but mode normal has none; write K, or declared, accepted or option1:<0 to 20> for the mode",
        ),
        (
            "d7/8/8/8/8/8/8/K7 w - - option2:w",
            "Black's king is a disk, but mode option2:w has none; write k, or declared, accepted or option1:<0 to 20> for the mode",
        ),
        (
            "k7/8/8/8/8/8/8/K7 w - - declared",
            "mode declared needs a disk; write d for the king of the player not on move",
        ),
        (
            "k7/8/8/8/8/8/8/K7 w - - accepted",
            "mode accepted needs a disk; write D or d for the king of the player who declared",
        ),
        (
            "k7/8/8/8/8/8/8/K7 w - - option1:4",
            "mode option1:4 needs a disk; write D or d for the king of the player who chose option 1",
        ),
        (
            "k7/8/8/8/8/8/8/D7 w - - declared",
            "in mode declared with White's king a disk it must be Black's turn",
        ),
        (
            "k7/8/8/8/8/8/8/D7 w - - option1:4",
            "in mode option1:4 with White's king a disk it must be Black's turn",
        ),
        (
            "k7/8/8/8/8/8/8/D7 b - - option1:3",
            "in mode option1:3 with White's king a disk it must be White's turn",
        ),
        (
            "k7/8/8/8/8/8/8/D7 b - - option1:21",
            "`21` plies left is out of range; option1:<k> counts from 20 down to 0",
        ),
        (
            "k7/8/8/8/8/8/8/D7 b - - option1:+5",
            "`+5` plies left is out of range; option1:<k> counts from 20 down to 0",
        ),
        (
            "k7/8/8/8/8/8/8/4D2R b K - accepted",
            "White's king is a disk in mode accepted and can no longer castle; leave out its castling rights",
        ),
        (
            "4k3/8/8/3pP3/8/8/8/D7 w - d6 declared",
            "in mode declared with White's king a disk it must be Black's turn",
        ),
        (
            "8/8/5K2/8/8/8/8/b5d1 w - - declared",
            "White cannot be in check right after Black's declaration, which gives none",
        ),
        (
            "4d3/8/8/3pP3/8/8/8/K7 w - d6 declared",
            "en passant square d6 cannot be: the right lapses with a declaration; write -",
        ),
        (
            "k7/8/8/8/8/8/8/K7 w - - option2",
            "`option2` is not a field of this game; the mode is normal, declared, accepted, option1:<0 to 20>, option2:w or option2:b, and only the two counters may follow",
        ),
    ] {
        assert_eq!(Tiebraker.parse_fen(fen).unwrap_err().to_string(), error, "{fen}");
    }
}

#[test]
fn the_mode_may_be_left_out() {
    let canonical = "k7/8/8/8/8/8/8/K7 w - - normal 0 1";
    for fen in [canonical, "k7/8/8/8/8/8/8/K7", "k7/8/8/8/8/8/8/K7_w_-_-_0_1"] {
        assert_eq!(Tiebraker.fen(&read(fen)), canonical);
    }
    let declared = "4k3/8/8/8/8/8/8/4D2R b K - declared 0 1";
    assert_eq!(Tiebraker.fen(&read(declared)), declared);
}

/// Whose King is a disk, and the mode, beside a board of another move generator.
type Stage = (Option<cozy_chess::Color>, Mode);

/// What perft counts, by another generator, which knows null moves but neither disks nor modes.
fn count(board: &cozy_chess::Board, (disk, mode): Stage, depth: u32) -> u64 {
    if depth == 0 {
        return 1;
    }
    let mover = board.side_to_move();
    let in_check = !board.checkers().is_empty();
    let mut loud = Vec::new();
    let mut quiet = Vec::new();
    board.generate_moves(|moves| {
        if disk == Some(mover) && moves.piece == cozy_chess::Piece::King {
            return false;
        }
        for mv in moves {
            let mut next = board.clone();
            next.play_unchecked(mv);
            let enemies = board.colors(!mover);
            let taken = enemies.len() > next.colors(!mover).len();
            if taken { &mut loud } else { &mut quiet }.push(next);
        }
        false
    });
    if mode.is_compulsory() && !in_check && !loud.is_empty() {
        quiet.retain(|next| !next.checkers().is_empty());
    }
    let next_mode = match mode {
        Mode::Declared => Mode::Accepted,
        Mode::Option1(left) => Mode::Option1(left.saturating_sub(1)),
        _ => mode,
    };
    let mut turns: Vec<(cozy_chess::Board, Stage)> =
        loud.into_iter().chain(quiet).map(|next| (next, (disk, next_mode))).collect();
    if let Some(same) = board.null_move() {
        if mode == Mode::Normal && !turns.is_empty() {
            turns.push((same, (Some(mover), Mode::Declared)));
        } else if mode == Mode::Declared {
            turns.push((same.clone(), (Some(mover), Mode::Option1(20))));
            turns.push((same, (None, Mode::Option2(Color::White))));
        }
    }
    turns.into_iter().map(|(next, stage)| count(&next, stage, depth - 1)).sum()
}

#[test]
fn perft_agrees_with_another_generator() {
    let start = Tiebraker.initial();
    for (depth, expected) in (1..).zip([21, 442, 10_227, 233_507]) {
        let board = cozy_chess::Board::default();
        assert_eq!(count(&board, (None, Mode::Normal), depth), expected);
        assert_eq!(perft(&Tiebraker, &start, depth), expected);
    }
    for (men, mode, stage) in [
        ("r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq -", "normal", None),
        ("8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - -", "normal", None),
        ("8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 b - -", "accepted", Some(Mode::Accepted)),
        ("8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - -", "option1:1", Some(Mode::Option1(1))),
        (
            "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/4KR2 w kq -",
            "option1:3",
            Some(Mode::Option1(3)),
        ),
    ] {
        let board = cozy_chess::Board::from_fen(&format!("{men} 0 1"), false).unwrap();
        // White has the disk, if there is one.
        let ours = if stage.is_some() { men.replacen('K', "D", 1) } else { men.to_owned() };
        let position = read(&format!("{ours} {mode}"));
        let stage =
            stage.map_or((None, Mode::Normal), |mode| (Some(cozy_chess::Color::White), mode));
        for depth in 1..=3 {
            let found = perft(&Tiebraker, &position, depth);
            assert_eq!(found, count(&board, stage, depth), "{ours} {mode} depth {depth}");
        }
    }
}

fn result(fen: &str, record: &str) -> Option<String> {
    let replay = read_record(&Tiebraker, &format!("[FEN \"{fen}\"]\n\n{record}")).unwrap();
    Tiebraker.result(&replay).map(|ending| ending.to_string())
}

#[test]
fn a_record_shows_perpetual_check() {
    let men = "6k1/6p1/8/7Q/8/8/1r6/7K w - -";
    let cycle = "Qe8+ Kh7 Qh5+ Kg8 ";
    let twice = cycle.repeat(2);
    let white = Some("White gives perpetual check: White 51, Black 49".to_owned());
    assert_eq!(result(men, cycle), None);
    assert_eq!(result(men, &twice), white);
    // The record may stop anywhere in the cycle, or after further checks.
    assert_eq!(result(men, &(twice.clone() + "Qe8+ Kh7")), white);
    assert_eq!(result(men, &(twice.clone() + "Qd5+ Kh7")), white);
    // One quiet move and it is no perpetual.
    assert_eq!(result(men, &(twice.clone() + "Qh3")), None);
    assert_eq!(
        result(men, &(cycle.to_owned() + "Qh3 Rb1+ Kg2 Rb2+ Kh1 Ra2 Qh5 Rb2 " + cycle)),
        Some("drawn by threefold repetition: White 50, Black 50".to_owned())
    );
    // By the mode.
    for (mode, points) in [("option2:w", 100), ("option2:b", 0)] {
        let expected =
            format!("White gives perpetual check: White {points}, Black {}", 100 - points);
        assert_eq!(result(&format!("{men} {mode}"), &twice), Some(expected));
    }
    for mode in ["accepted", "option1:0"] {
        let fen = format!("{} {mode}", men.replace('K', "D"));
        let even = "White gives perpetual check: White 50, Black 50".to_owned();
        assert_eq!(result(&fen, &twice), Some(even));
    }
    let black = "7k/1R6/8/8/7q/8/6P1/6K1 b - -";
    assert_eq!(
        result(black, &"Qe1+ Kh2 Qh4+ Kg1 ".repeat(2)),
        Some("Black gives perpetual check: White 45, Black 55".to_owned())
    );
}

#[test]
fn a_record_goes_through_the_modes() {
    let replay =
        read_record(&Tiebraker, "1. e4 K=D 2. option1 e5 {the count runs} 3. Nf3").unwrap();
    let comments: Vec<_> = replay
        .plies
        .iter()
        .map(|ply| Tiebraker.comment(&ply.before, ply.turn, &ply.after).unwrap_or_default())
        .collect();
    assert_eq!(comments, ["", "declared", "option1:20", "option1:19", "option1:18"]);
    assert_eq!(Tiebraker.result(&replay), None);
    assert!(read_record(&Tiebraker, "1. e4 K=D 2. e5 declare").is_err());
    let replay = read_record(&Tiebraker, "1. f3 e5 2. g4 declare 3. option2 Qh4#").unwrap();
    let mate = "Black gives checkmate: White 0, Black 100";
    assert_eq!(Tiebraker.result(&replay).unwrap().to_string(), mate);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(32))]

    #[test]
    fn modes_follow_one_another(picks in random_play::picks(160)) {
        let positions = random_play::positions(&Tiebraker, Tiebraker.initial(), &picks);
        for pair in positions.windows(2) {
            let follows = match (pair[0].mode, pair[1].mode) {
                (Mode::Normal, next) => matches!(next, Mode::Normal | Mode::Declared),
                (Mode::Declared, Mode::Accepted | Mode::Option1(20)) => true,
                (Mode::Declared, Mode::Option2(by)) => by == pair[1].setup.to_move,
                (Mode::Option1(left), Mode::Option1(next)) => {
                    next == left.saturating_sub(1) || Tiebraker.ending(&pair[1]).is_some()
                }
                (mode, next) => mode == next,
            };
            prop_assert!(follows, "{} to {}", pair[0].mode, pair[1].mode);
        }
    }
}
