//! Orthodox chess and King of the Hill: counts of other programs, ends, FEN.

use proptest::prelude::*;

use super::*;
use crate::rules::{Game, Laws, Setup, perft, random_play};

/// Published counts of well-known positions for depths 1, 2, …
const PERFT: [(&str, &[u64]); 5] = [
    (
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
        &[20, 400, 8_902, 197_281, 4_865_609],
    ),
    (
        "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
        &[48, 2_039, 97_862, 4_085_603],
    ),
    ("8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1", &[14, 191, 2_812, 43_238, 674_624]),
    ("r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1", &[6, 264, 9_467, 422_333]),
    ("rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ - 1 8", &[44, 1_486, 62_379, 2_103_487]),
];

#[test]
fn perft_gives_the_published_counts() {
    for (fen, counts) in PERFT {
        let setup = Variant::orthodox().parse_fen(fen).unwrap();
        for (depth, &count) in (1..).zip(counts) {
            assert_eq!(perft(&Variant::orthodox(), &setup, depth), count, "{fen} depth {depth}");
        }
    }
}

#[test]
fn games_end_by_mate_and_stalemate() {
    let ending = |fen| {
        let setup = Variant::orthodox().parse_fen(fen).unwrap();
        Variant::orthodox().ending(&setup).map(|ending| ending.to_string())
    };
    assert_eq!(ending("7k/6Q1/6K1/8/8/8/8/8 b"), Some("White wins by checkmate".to_owned()));
    assert_eq!(ending("7k/5Q2/6K1/8/8/8/8/8 b"), Some("drawn by stalemate".to_owned()));
    assert_eq!(ending("7k/8/6K1/8/8/8/8/8 b"), None);
}

#[test]
fn an_en_passant_square_without_a_legal_capture_is_forgotten() {
    let fen = |fen| Variant::orthodox().fen(&Variant::orthodox().parse_fen(fen).unwrap());
    // Pinned on the file; both pawns gone from the rank would open it; nobody attacks it.
    assert_eq!(fen("4r2k/8/8/3pP3/8/8/8/4K3 w - d6"), "4r2k/8/8/3pP3/8/8/8/4K3 w - - 0 1");
    assert_eq!(fen("7k/8/8/K2pP2r/8/8/8/8 w - d6"), "7k/8/8/K2pP2r/8/8/8/8 w - - 0 1");
    assert_eq!(fen("7k/8/8/3p4/8/8/8/4K3 w - d6"), "7k/8/8/3p4/8/8/8/4K3 w - - 0 1");
    assert_eq!(fen("7k/8/8/3pP3/8/8/8/4K3 w - d6"), "7k/8/8/3pP3/8/8/8/4K3 w - d6 0 1");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn conversions_are_the_captures_and_promotions(picks in random_play::picks(160)) {
        for setup in random_play::positions(&Variant::orthodox(), Setup::initial(), &picks) {
            let mut moves = Variant::orthodox().turns(&setup);
            moves.retain(|&mv| setup.is_capture(mv) || mv.promotion.is_some());
            prop_assert_eq!(setup.conversions(&Laws::ORTHODOX), moves);
        }
    }

    #[test]
    fn random_games_have_the_moves_another_generator_finds(picks in random_play::picks(160)) {
        for setup in random_play::positions(&Variant::orthodox(), Setup::initial(), &picks) {
            let fen = Variant::orthodox().fen(&setup);
            let theirs = cozy_chess::Board::from_fen(&fen, false).unwrap();
            let mut expected = Vec::new();
            theirs.generate_moves(|moves| {
                expected.extend(moves.into_iter().map(|mv| mv.to_string()));
                false
            });
            let mut found: Vec<String> = Variant::orthodox()
                .turns(&setup)
                .into_iter()
                .map(|mv| match setup.castling_wing(mv) {
                    // The other generator writes castling as King takes Rook.
                    Some(wing) => {
                        format!("{}{}", mv.from, wing.squares(setup.to_move).rook_from)
                    }
                    None => mv.to_string(),
                })
                .collect();
            expected.sort();
            found.sort();
            prop_assert_eq!(found, expected, "{}", fen);
        }
    }
}

#[test]
fn king_of_the_hill_has_the_counts_of_another_program() {
    // python-chess 1.11, `KingOfTheHillBoard`.
    let counts: [(&str, &[u64]); 3] = [
        (
            "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
            &[48, 2_039, 97_862],
        ),
        ("8/8/2k5/8/8/4K3/2p5/3R4 w - - 0 1", &[22, 222, 3_299, 35_647, 548_943]),
        ("8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1", &[14, 191, 2_812, 43_238]),
    ];
    for (fen, counts) in counts {
        let setup = Variant::koth().parse_fen(fen).unwrap();
        for (depth, &count) in (1..).zip(counts) {
            assert_eq!(perft(&Variant::koth(), &setup, depth), count, "{fen} depth {depth}");
        }
    }
}

#[test]
fn the_hill_ends_the_game() {
    let ending = |fen: &str| Variant::koth().ending(&Variant::koth().parse_fen(fen).unwrap());
    let said = |fen: &str| ending(fen).map(|ending| ending.to_string());
    assert_eq!(
        said("8/8/8/8/4K3/8/8/k6r b").as_deref(),
        Some("White wins: the King has reached e4")
    );
    // Check or not, men that could mate or not: the game goes on.
    assert_eq!(said("8/8/8/8/8/4K3/8/k6r w"), None);
    assert_eq!(said("8/8/8/8/8/4K3/8/k7 w"), None);
    assert_eq!(said("7k/6Q1/6K1/8/8/8/8/8 b").as_deref(), Some("White wins by checkmate"));
    let refused = Variant::koth().parse_fen("8/8/8/8/4K3/8/8/k6r w").unwrap_err().to_string();
    assert!(refused.starts_with("White's King on e4 has won already"), "{refused}");
    // The hill is no shelter: a guarded square there is as forbidden as elsewhere.
    let guarded = Variant::koth().parse_fen("8/8/8/8/r7/4K3/8/k7 w").unwrap();
    assert!(Variant::koth().parse_turn(&guarded, "Ke4").is_err());
    assert_eq!(
        Variant::koth().san(&guarded, Variant::koth().parse_turn(&guarded, "Kd3").unwrap()),
        "Kd3"
    );
}
