//! King of the Hill: orthodox chess, but a King on d4, e4, d5 or e5 wins at once.
//!
//! Nothing else ends a game that does not end orthodox chess; men that cannot mate may still walk.

use super::Variant;
use crate::board::{Bitboard, Square};

/// The game, which has no options.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug, Default)]
pub struct KingOfTheHill;

impl Variant for KingOfTheHill {
    const NAME: &'static str = "koth";
    const TITLE: &'static str = "King of the Hill";
    const SUMMARY: &'static str = "\
Orthodox chess, but a king that reaches d4, e4, d5 or e5 wins at once. Stalemate
and endless play are draws; lack of mating material ends nothing, since a king
can always walk.";
    const GOAL: Bitboard =
        Bitboard::of([Square::at(3, 3), Square::at(4, 3), Square::at(3, 4), Square::at(4, 4)]);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::{Game, perft};

    const KOTH: KingOfTheHill = KingOfTheHill;

    #[test]
    fn perft_gives_the_counts_of_another_program() {
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
            let setup = KOTH.parse_fen(fen).unwrap();
            for (depth, &count) in (1..).zip(counts) {
                assert_eq!(perft(&KOTH, &setup, depth), count, "{fen} depth {depth}");
            }
        }
    }

    #[test]
    fn the_hill_ends_the_game() {
        let ending = |fen: &str| KOTH.ending(&KOTH.parse_fen(fen).unwrap());
        let said = |fen: &str| ending(fen).map(|ending| ending.to_string());
        assert_eq!(
            said("8/8/8/8/4K3/8/8/k6r b").as_deref(),
            Some("White wins: the King has reached e4")
        );
        // Check or not, men that could mate or not: the game goes on.
        assert_eq!(said("8/8/8/8/8/4K3/8/k6r w"), None);
        assert_eq!(said("8/8/8/8/8/4K3/8/k7 w"), None);
        assert_eq!(said("7k/6Q1/6K1/8/8/8/8/8 b").as_deref(), Some("White wins by checkmate"));
        let refused = KOTH.parse_fen("8/8/8/8/4K3/8/8/k6r w").unwrap_err().to_string();
        assert!(refused.starts_with("White's king on e4 has won already"), "{refused}");
        // The hill is no shelter: a guarded square there is as forbidden as elsewhere.
        let guarded = KOTH.parse_fen("8/8/8/8/r7/4K3/8/k7 w").unwrap();
        assert!(KOTH.parse_turn(&guarded, "Ke4").is_err());
        assert_eq!(KOTH.san(&guarded, KOTH.parse_turn(&guarded, "Kd3").unwrap()), "Kd3");
    }
}
