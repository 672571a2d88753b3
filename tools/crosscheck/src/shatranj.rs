//! Shatranj for the reader of Syzygy tables, which knows the games of today.
//!
//! The rules are written down once more, apart from finale's: the reader needs captures, for which
//! the tables hold what packs best, and the ends of the game.

use std::num::NonZeroU32;

use anyhow::{Result, ensure};
use shakmaty::{
    Bitboard, Board, ByColor, ByRole, Castles, CastlingMode, Color, KnownOutcome, Move, MoveList,
    Outcome, Position, RemainingChecks, Role, Setup, Square, attacks,
};
use shakmaty_syzygy::{Syzygy, TableType};

/// A position: Bishops are Elephants, which leap two squares aslant, and Queens are Counsellors,
/// which step one.
#[derive(Clone, Debug)]
pub struct Shatranj {
    board: Board,
    turn: Color,
    castles: Castles,
}

impl Shatranj {
    /// The position of a setup.
    ///
    /// # Errors
    /// If it is not a legal one.
    pub fn new(setup: Setup) -> Result<Shatranj> {
        let Setup { board, turn, .. } = setup;
        let castles = Castles::empty(CastlingMode::Standard);
        let position = Shatranj { board, turn, castles };
        let kings = Color::ALL.map(|color| position.board.king_of(color).is_some());
        ensure!(kings == [true, true], "each side has a King");
        ensure!(!position.is_attacked(!turn), "the side that is not to move is in check");
        Ok(position)
    }

    /// Squares that a man reaches or attacks, a pawn's steps aside.
    fn reached(&self, from: Square) -> Bitboard {
        let Some(piece) = self.board.piece_at(from) else { return Bitboard::EMPTY };
        match piece.role {
            Role::Bishop => aslant(from, 2),
            Role::Queen => aslant(from, 1),
            _ => attacks::attacks(from, piece, self.board.occupied()),
        }
    }

    /// Tells whether a side's King is attacked.
    fn is_attacked(&self, color: Color) -> bool {
        let men = self.board.by_color(!color);
        let king = self.board.king_of(color);
        king.is_some_and(|king| men.into_iter().any(|from| self.reached(from).contains(king)))
    }

    /// The men of a side without its King.
    fn army(&self, color: Color) -> Bitboard {
        self.board.by_color(color) & !self.board.kings()
    }

    fn moves_of(&self, from: Square, role: Role, moves: &mut MoveList) {
        let mut reached = self.reached(from) & !self.us();
        if role == Role::Pawn {
            let step = from.offset(self.turn.fold_wb(8, -8));
            reached &= self.them();
            reached |= step.map_or(Bitboard::EMPTY, Bitboard::from) & !self.board.occupied();
        }
        for to in reached {
            let at_the_end = Bitboard::BACKRANKS.contains(to);
            let promotion = (role == Role::Pawn && at_the_end).then_some(Role::Queen);
            let capture = self.board.role_at(to);
            moves.push(Move::Normal { role, from, capture, to, promotion });
        }
    }
}

/// The squares so many steps aslant.
fn aslant(from: Square, steps: i32) -> Bitboard {
    let (file, rank) = (i32::from(from.file()), i32::from(from.rank()));
    let mut squares = Bitboard::EMPTY;
    for (right, up) in [(1, 1), (1, -1), (-1, 1), (-1, -1)] {
        let (file, rank) = (file + right * steps, rank + up * steps);
        if (0..8).contains(&file) && (0..8).contains(&rank) {
            squares.add(Square::new((rank * 8 + file) as u32));
        }
    }
    squares
}

impl Syzygy for Shatranj {
    const TBW: TableType = TableType { ext: "jtbw", magic: [0xb7, 0xb3, 0xe9, 0xb4] };
    const TBZ: TableType = TableType { ext: "jtbz", magic: [0xfc, 0x26, 0xc1, 0x87] };
    const ONE_KING: bool = true;
    const CONNECTED_KINGS: bool = false;
    const CAPTURES_COMPULSORY: bool = false;
}

impl Position for Shatranj {
    fn board(&self) -> &Board {
        &self.board
    }

    fn promoted(&self) -> Bitboard {
        Bitboard::EMPTY
    }

    fn pockets(&self) -> Option<&ByColor<ByRole<u8>>> {
        None
    }

    fn turn(&self) -> Color {
        self.turn
    }

    fn castles(&self) -> &Castles {
        &self.castles
    }

    fn maybe_ep_square(&self) -> Option<Square> {
        None
    }

    fn remaining_checks(&self) -> Option<&ByColor<RemainingChecks>> {
        None
    }

    fn halfmoves(&self) -> u32 {
        0
    }

    fn fullmoves(&self) -> NonZeroU32 {
        NonZeroU32::MIN
    }

    fn legal_moves(&self) -> MoveList {
        let mut moves = MoveList::new();
        if !self.is_variant_end() {
            for from in self.us() {
                if let Some(role) = self.board.role_at(from) {
                    self.moves_of(from, role, &mut moves);
                }
            }
            moves.retain(|mv| {
                let mut after = self.clone();
                after.play_unchecked(*mv);
                !after.is_attacked(self.turn)
            });
        }
        moves
    }

    fn is_variant_end(&self) -> bool {
        self.variant_outcome().is_known()
    }

    fn has_insufficient_material(&self, color: Color) -> bool {
        self.army(color).is_empty()
    }

    /// Who is left with a bare King has lost, unless it can take the other side's last man at
    /// once; it need not do so.
    fn variant_outcome(&self) -> Outcome {
        let [ours, theirs] = [self.army(self.turn), self.army(!self.turn)];
        let known = match (ours.is_empty(), theirs.is_empty()) {
            (false, false) => return Outcome::Unknown,
            (true, true) => KnownOutcome::Draw,
            (false, true) => KnownOutcome::Decisive { winner: self.turn },
            (true, false) => {
                let reach = |color| {
                    self.board.king_of(color).map_or(Bitboard::EMPTY, attacks::king_attacks)
                };
                let free = reach(self.turn) & !reach(!self.turn);
                if theirs.count() == 1 && (theirs & free).any() {
                    KnownOutcome::Draw
                } else {
                    KnownOutcome::Decisive { winner: !self.turn }
                }
            }
        };
        Outcome::Known(known)
    }

    fn play_unchecked(&mut self, mv: Move) {
        if let Move::Normal { role, from, to, promotion, .. } = mv {
            self.board.discard_piece_at(from);
            self.board.set_piece_at(to, promotion.unwrap_or(role).of(self.turn));
        }
        self.turn = !self.turn;
    }
}

#[cfg(test)]
mod tests {
    use shakmaty::fen::Fen;

    use super::*;

    #[test]
    fn a_bare_king_has_lost_unless_it_can_take_the_last_man() {
        for (fen, result) in [
            ("8/8/8/8/8/2k5/1q6/K7 w - - 0 1", "0-1"),
            ("8/8/8/8/2k5/8/1q6/K7 w - - 0 1", "1/2-1/2"),
            ("8/8/8/8/2k5/8/qq6/K7 w - - 0 1", "0-1"),
            ("8/8/8/8/2k5/8/1q6/7K b - - 0 1", "0-1"),
            ("8/8/8/8/2k5/8/1q6/KR6 w - - 0 1", "*"),
        ] {
            let position = Shatranj::new(fen.parse::<Fen>().unwrap().into_setup()).unwrap();
            assert_eq!(position.variant_outcome().to_string(), result, "{fen}");
        }
    }
}
