//! Orthodox chess.
//!
//! Checkmate wins, stalemate draws. Draws by repetition, by counting moves, by agreement or for
//! want of men are not modelled: such a game simply goes on, and endless play is a draw.
//!
//! FEN has no field of its own. The en passant square is kept and written only if a capture there
//! is legal, since otherwise it makes no difference.

use std::fmt;

use super::{
    Ending, Game, OptionError, RuleOptions, TurnError,
    chess::{Laws, Move, Setup},
    fen::{self, FenError, Frame},
    notation::{self, Written},
};
use crate::board::{Board, Color, Role};

/// The game, which has no options.
#[derive(Copy, Clone, PartialEq, Eq, Debug, Default)]
pub struct Orthodox;

/// How a game of orthodox chess ended.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum OrthodoxEnding {
    /// A King is mated.
    Checkmate {
        /// The side that mates.
        winner: Color,
    },
    /// The side to move has no move and is not in check.
    Stalemate,
}

impl Ending for OrthodoxEnding {
    fn winner(&self) -> Option<Color> {
        match *self {
            OrthodoxEnding::Checkmate { winner } => Some(winner),
            OrthodoxEnding::Stalemate => None,
        }
    }
}

impl fmt::Display for OrthodoxEnding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            OrthodoxEnding::Checkmate { winner } => write!(f, "{winner} wins by checkmate"),
            OrthodoxEnding::Stalemate => f.write_str("drawn by stalemate"),
        }
    }
}

/// The men of orthodox chess.
pub const ROLES: [Role; 6] =
    [Role::King, Role::Queen, Role::Rook, Role::Bishop, Role::Knight, Role::Pawn];

impl Game for Orthodox {
    const NAME: &'static str = "orthodox";
    type Position = Setup;
    type Turn = Move;
    type Ending = OrthodoxEnding;

    fn from_options(_: &mut RuleOptions) -> Result<Orthodox, OptionError> {
        Ok(Orthodox)
    }

    fn options(&self) -> serde_json::Map<String, serde_json::Value> {
        serde_json::Map::new()
    }

    fn initial(&self) -> Setup {
        Setup::initial()
    }

    fn parse_fen(&self, fen: &str) -> Result<Setup, FenError> {
        let frame = Frame::read(fen)?;
        let board = frame.board(&ROLES)?;
        fen::one_king_each(&board)?;
        let mut setup = frame.setup(board, &Laws::ORTHODOX, "only the two counters may follow")?;
        setup.drop_idle_en_passant(&Laws::ORTHODOX);
        Ok(setup)
    }

    fn fen(&self, setup: &Setup) -> String {
        fen::write(setup, "", &[])
    }

    fn board<'p>(&self, setup: &'p Setup) -> &'p Board {
        &setup.board
    }

    fn to_move(&self, setup: &Setup) -> Color {
        setup.to_move
    }

    fn turns(&self, setup: &Setup) -> Vec<Move> {
        setup.moves(&Laws::ORTHODOX)
    }

    fn play(&self, setup: &Setup, mv: Move) -> Setup {
        let mut next = setup.play(mv);
        next.drop_idle_en_passant(&Laws::ORTHODOX);
        next
    }

    fn ending(&self, setup: &Setup) -> Option<OrthodoxEnding> {
        if !self.turns(setup).is_empty() {
            None
        } else if setup.in_check(setup.to_move) {
            Some(OrthodoxEnding::Checkmate { winner: !setup.to_move })
        } else {
            Some(OrthodoxEnding::Stalemate)
        }
    }

    fn uci(&self, _: &Setup, mv: Move) -> String {
        mv.to_string()
    }

    fn san(&self, setup: &Setup, mv: Move) -> String {
        let next = self.play(setup, mv);
        let check = next.in_check(next.to_move);
        let sign = notation::check_sign(check, next.is_checkmate(&Laws::ORTHODOX));
        notation::san(setup, &self.turns(setup), mv) + sign
    }

    fn parse_turn(&self, setup: &Setup, text: &str) -> Result<Move, TurnError> {
        let written = Written::read(text);
        notation::choose(self, setup, text, |mv| {
            written.is_some_and(|written| written.fits(setup, mv))
        })
    }

    fn comment(&self, _: &Setup, _: Move, _: &Setup) -> Option<String> {
        None
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::rules::{perft, random_play};

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
