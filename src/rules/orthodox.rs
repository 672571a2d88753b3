//! Orthodox chess.
//!
//! Checkmate wins, stalemate draws. Draws by repetition, by counting moves, by agreement or for
//! want of men are not modelled: such a game simply goes on, and endless play is a draw.

use super::Variant;

/// The game, which has no options.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug, Default)]
pub struct Orthodox;

impl Variant for Orthodox {
    const NAME: &'static str = "orthodox";
    const TITLE: &'static str = "Orthodox chess";
    const SUMMARY: &'static str = "\
The laws of movement of FIDE, castling and en passant included. Checkmate wins,
stalemate is a draw, and so is endless play. Repetition, the fifty-move rule and
lack of mating material do not end a game.";
}

#[cfg(test)]
mod tests {
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
        (
            "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1",
            &[6, 264, 9_467, 422_333],
        ),
        (
            "rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ - 1 8",
            &[44, 1_486, 62_379, 2_103_487],
        ),
    ];

    #[test]
    fn perft_gives_the_published_counts() {
        for (fen, counts) in PERFT {
            let setup = Orthodox.parse_fen(fen).unwrap();
            for (depth, &count) in (1..).zip(counts) {
                assert_eq!(perft(&Orthodox, &setup, depth), count, "{fen} depth {depth}");
            }
        }
    }

    #[test]
    fn games_end_by_mate_and_stalemate() {
        let ending = |fen| {
            let setup = Orthodox.parse_fen(fen).unwrap();
            Orthodox.ending(&setup).map(|ending| ending.to_string())
        };
        assert_eq!(ending("7k/6Q1/6K1/8/8/8/8/8 b"), Some("White wins by checkmate".to_owned()));
        assert_eq!(ending("7k/5Q2/6K1/8/8/8/8/8 b"), Some("drawn by stalemate".to_owned()));
        assert_eq!(ending("7k/8/6K1/8/8/8/8/8 b"), None);
    }

    #[test]
    fn an_en_passant_square_without_a_legal_capture_is_forgotten() {
        let fen = |fen| Orthodox.fen(&Orthodox.parse_fen(fen).unwrap());
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
            for setup in random_play::positions(&Orthodox, Setup::initial(), &picks) {
                let mut moves = Orthodox.turns(&setup);
                moves.retain(|&mv| setup.is_capture(mv) || mv.promotion.is_some());
                prop_assert_eq!(setup.conversions(&Laws::ORTHODOX), moves);
            }
        }

        #[test]
        fn random_games_have_the_moves_another_generator_finds(picks in random_play::picks(160)) {
            for setup in random_play::positions(&Orthodox, Setup::initial(), &picks) {
                let fen = Orthodox.fen(&setup);
                let theirs = cozy_chess::Board::from_fen(&fen, false).unwrap();
                let mut expected = Vec::new();
                theirs.generate_moves(|moves| {
                    expected.extend(moves.into_iter().map(|mv| mv.to_string()));
                    false
                });
                let mut found: Vec<String> = Orthodox
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
}
