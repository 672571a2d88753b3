//! The turns that leave a slice: captures and pawn moves, for the 64 positions of a word at once.

use super::words::{Slice, Stand};
use crate::{
    answer::place::board_of,
    board::{Bitboard, Board, Color, Man, Role, Square, king_attacks},
    index::MAX_MEN,
};

/// A turn that leaves the slice: a capture, a pawn move, or both.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct Conversion {
    /// Who moves: an index into the slice's men.
    pub mover: usize,
    /// Where to.
    pub to: Square,
    /// Who is captured.
    pub captured: Option<usize>,
    /// Who is no longer on the board after it: a bit for each of the slice's men.
    pub removed: u16,
    /// What the pawn becomes.
    pub promotion: Option<Role>,
    /// The en passant square, if a pawn walked over squares on which an enemy pawn attacks it.
    pub en_passant: Option<Square>,
}

impl Conversion {
    /// A turn that captures nobody.
    fn quiet(mover: usize, to: Square, promotion: Option<Role>) -> Conversion {
        Conversion { mover, to, captured: None, removed: 0, promotion, en_passant: None }
    }

    /// Whether it changes the men on the board.
    pub fn changes_men(&self) -> bool {
        self.captured.is_some() || self.promotion.is_some()
    }
}

/// Where all men stand after a conversion that several lanes have; a captured man's square means
/// nothing.
#[derive(Copy, Clone, Debug)]
pub struct After {
    /// The squares, in the order of the slice's men.
    pub squares: [Square; MAX_MEN],
    /// Who stands on the square that is the lane: the runner, or the man who has captured it. If
    /// it is nobody, all lanes lead to the same position.
    pub varies: Option<usize>,
}

impl After {
    /// The turn of one lane, where many come together.
    #[inline]
    pub fn turn(&self, turn: &Conversion, lane: Square) -> Conversion {
        let to = if self.varies == Some(turn.mover) { lane } else { turn.to };
        Conversion { to, ..*turn }
    }

    /// The squares after the turn of one lane.
    #[inline]
    pub fn squares(&self, lane: Square) -> [Square; MAX_MEN] {
        let mut squares = self.squares;
        if let Some(man) = self.varies {
            squares[man] = lane;
        }
        squares
    }
}

impl Slice {
    /// The board with the men on these squares.
    pub fn board(&self, squares: &[Square]) -> Board {
        board_of(self.laws.size, &self.men, squares)
    }

    /// The board after a conversion that leaves the men on these squares.
    pub fn board_after(&self, turn: &Conversion, squares: &[Square; MAX_MEN]) -> Board {
        let mut board = Board::empty(self.laws.size);
        let men = self.men.iter().enumerate();
        for (i, &man) in men.filter(|(i, _)| turn.removed >> i & 1 == 0) {
            let promoted = turn.promotion.filter(|_| i == turn.mover);
            board.put(squares[i], Man { role: promoted.unwrap_or(man.role), ..man });
        }
        board
    }

    /// Calls `meet` with every legal conversion of `side` in the given lanes: the turn, the lanes
    /// that have it, and the squares of all men after it (a captured man's means nothing).
    ///
    /// Several lanes come together only if the position after the turn is the same for all.
    /// Captures in passing are not among them: positions that allow one are not in the slice.
    pub fn conversions(
        &self,
        stand: &Stand,
        side: Color,
        lanes: Bitboard,
        mut meet: impl FnMut(&Conversion, Bitboard, &[Square; MAX_MEN]),
    ) {
        self.conversion_rows(stand, side, lanes, |turn, lanes, after| match after.varies {
            None => meet(turn, lanes, &after.squares),
            Some(_) => lanes.for_each(|lane| {
                meet(&after.turn(turn, lane), lane.bit(), &after.squares(lane));
            }),
        });
    }

    /// The same with all lanes together that differ only in the square of one man. Where that is
    /// the man who moves, each lane has a [turn](After::turn) of its own.
    pub fn conversion_rows(
        &self,
        stand: &Stand,
        side: Color,
        lanes: Bitboard,
        mut meet: impl FnMut(&Conversion, Bitboard, &After),
    ) {
        let mut offer = |turn: Conversion, lanes: Bitboard| {
            if lanes.is_empty() {
                return;
            }
            let varies = match self.runner {
                runner if runner.is_some() && runner == turn.captured => Some(turn.mover),
                runner => runner.filter(|&runner| runner != turn.mover),
            };
            let mut after = After { squares: stand.squares, varies };
            after.squares[turn.mover] = turn.to;
            if !self.laws.explosive {
                let mut lanes =
                    lanes & self.safe(side, &turn, &after) & !self.facing(&turn, &after);
                if !self.laws.checks {
                    lanes &= self.safe(!side, &turn, &after);
                }
                if !lanes.is_empty() {
                    meet(&turn, lanes, &after);
                }
                return;
            }
            // Who is blown up depends on where everybody stands.
            let mut offer_one = |mut turn: Conversion, lanes: Bitboard, after: &After| {
                if turn.captured.is_some() {
                    turn.removed |= self.blown_up(&turn, &after.squares);
                }
                if self.survives(side, &turn, after) {
                    meet(&turn, lanes, after);
                }
            };
            match varies {
                None => offer_one(turn, lanes, &after),
                Some(_) => lanes.for_each(|lane| {
                    let alone = After { squares: after.squares(lane), varies: None };
                    offer_one(after.turn(&turn, lane), lane.bit(), &alone);
                }),
            }
        };
        let royal = self.royal(!side).fold(0_u16, |royal, i| royal | 1 << i);
        for (i, man) in self.men.iter().enumerate().filter(|(_, man)| man.color == side) {
            if man.role == Role::Pawn && !self.only_capture[side.index()] {
                self.pawn_steps(stand, i, lanes, &mut offer);
            }
            if self.laws.promoting_pieces(side).contains(man.role)
                && !self.laws.promotes_by_capture(*man)
            {
                self.promoting_steps(stand, i, lanes, &mut offer);
            }
            let from = stand.squares[i];
            let movement = self.movement(i);
            let attacked = movement.attacks(from, stand.occupied);
            for (j, victim) in self.men.iter().enumerate() {
                if victim.color == side
                    || royal >> j & 1 == 1
                    || man.role == Role::Disk
                    || !self.laws.can_capture(man.role, victim.role)
                {
                    continue;
                }
                let mut capture = |to: Square, lanes: Bitboard| {
                    self.arrivals(stand, i, to, lanes, |promotion, lanes| {
                        let quiet = Conversion::quiet(i, to, promotion);
                        offer(Conversion { captured: Some(j), removed: 1 << j, ..quiet }, lanes);
                    });
                };
                let at = stand.squares[j];
                if Some(i) == self.runner {
                    capture(at, lanes & movement.attackers(at, stand.occupied));
                } else if Some(j) == self.runner {
                    // Some of a man's captures may promote and others not.
                    let promoting = self.laws.promotes_on(*man, from);
                    for lanes in [lanes & attacked & promoting, lanes & attacked & !promoting] {
                        if let Some(lane) = lanes.first() {
                            capture(lane, lanes);
                        }
                    }
                } else if self.runner.is_some() {
                    capture(at, lanes & movement.attacks_past(from, at, stand.occupied));
                } else if attacked.contains(at) {
                    capture(at, lanes);
                }
            }
        }
    }

    fn pawn_steps(
        &self,
        stand: &Stand,
        pawn: usize,
        lanes: Bitboard,
        offer: &mut impl FnMut(Conversion, Bitboard),
    ) {
        let Man { color, .. } = self.men[pawn];
        let from = stand.squares[pawn];
        for (steps, to) in self.laws.pawn_steps(color, from, stand.occupied) {
            let ahead = |n: i8| from.offset(0, n * color.forward());
            let way: Bitboard = (1..=steps).filter_map(ahead).collect();
            // The squares of all but the runner are known.
            let open = if self.runner.is_some() { lanes & !way } else { lanes };
            let passed = (steps > 1).then(|| {
                let taker = Man::new(!color, Role::Pawn);
                let takers = self.men.iter().zip(stand.squares);
                let takers = takers.filter(|&(&man, _)| man == taker).map(|(_, at)| at).collect();
                self.laws.en_passant_square(taker.color, takers, (from, steps))
            });
            let passed = passed.flatten();
            self.arrivals(stand, pawn, to, open, |promotion, lanes| {
                let en_passant = passed.filter(|_| promotion.is_none());
                let quiet = Conversion::quiet(pawn, to, promotion);
                offer(Conversion { en_passant, ..quiet }, lanes);
            });
        }
    }

    /// The steps of a piece that promote it.
    fn promoting_steps(
        &self,
        stand: &Stand,
        piece: usize,
        lanes: Bitboard,
        offer: &mut impl FnMut(Conversion, Bitboard),
    ) {
        let man = self.men[piece];
        let (from, movement) = (stand.squares[piece], self.movement(piece));
        let runs = Some(piece) == self.runner;
        let targets = match runs {
            true if self.laws.promotes_from_there(man) => self.laws.size.squares(),
            true => self.laws.promotion_squares[man.color],
            false => {
                let there = self.laws.promotes_on(man, from);
                there & movement.perhaps_steps(from, stand.occupied)
            }
        };
        for to in targets & !stand.occupied {
            let lanes = self.promoting(stand, piece, to, lanes);
            let open: Bitboard = match () {
                () if runs => lanes
                    .filter(|&from| movement.steps(from, stand.occupied).contains(to))
                    .collect(),
                () if self.runner.is_some() => {
                    lanes & movement.steps_past(from, to, stand.occupied) & !to.bit()
                }
                () => lanes,
            };
            for role in self.laws.becomes_beside(man, &self.men[..]).iter() {
                offer(Conversion::quiet(piece, to, Some(role)), open);
            }
        }
    }

    /// Those among some lanes in which a man promotes who moves to a square.
    fn promoting(&self, stand: &Stand, man: usize, to: Square, lanes: Bitboard) -> Bitboard {
        let from = self.laws.promotes_from(self.men[man], to);
        match () {
            () if Some(man) == self.runner => lanes & from,
            () if from.contains(stand.squares[man]) => lanes,
            () => Bitboard::EMPTY,
        }
    }

    /// What a man may be who moves to a square, and in which of the lanes.
    fn arrivals(
        &self,
        stand: &Stand,
        man: usize,
        to: Square,
        lanes: Bitboard,
        mut each: impl FnMut(Option<Role>, Bitboard),
    ) {
        let promoting = self.promoting(stand, man, to, lanes);
        if !promoting.is_empty() {
            let kinds = self.laws.becomes_beside(self.men[man], &self.men[..]);
            kinds.iter().for_each(|role| each(Some(role), promoting));
        }
        let stays = self.laws.may_stay(self.men[man]);
        each(None, if stays { lanes } else { lanes & !promoting });
    }

    /// Who else an explosive capture removes.
    fn blown_up(&self, turn: &Conversion, squares: &[Square; MAX_MEN]) -> u16 {
        let near = king_attacks(turn.to);
        let hit = |i: usize| {
            let role = self.men[i].role;
            let beside = near.contains(squares[i]) && role != Role::Pawn;
            (i == turn.mover || beside) && !self.laws.blast_immune.contains(role)
        };
        (0..self.men.len()).filter(|&i| hit(i)).fold(0, |removed, i| removed | 1 << i)
    }

    /// The lanes in which the turn of a side gives check.
    pub fn checked_after(&self, side: Color, turn: &Conversion, after: &After) -> Bitboard {
        !self.safe(!side, turn, after)
    }

    /// The lanes in which the turn leaves Kings that face each other and may not.
    fn facing(&self, turn: &Conversion, after: &After) -> Bitboard {
        if !self.laws.flying {
            return Bitboard::EMPTY;
        }
        let &After { ref squares, varies } = after;
        self.kings_face(varies, squares, self.taken(turn, after))
    }

    /// The squares taken after a turn, but for that of the man that varies.
    fn taken(&self, turn: &Conversion, after: &After) -> Bitboard {
        let left = (0..self.men.len()).filter(|i| turn.removed >> i & 1 == 0);
        left.filter(|&i| Some(i) != after.varies).map(|i| after.squares[i]).collect()
    }

    /// The lanes in which the turn does not leave a royal man of a side attacked.
    fn safe(&self, side: Color, turn: &Conversion, after: &After) -> Bitboard {
        let &After { ref squares, varies } = after;
        let stays = |i: &usize| turn.removed >> i & 1 == 0;
        let left = || (0..self.men.len()).filter(stays);
        let man = |i: usize| {
            let promoted = turn.promotion.filter(|_| i == turn.mover);
            Man { role: promoted.unwrap_or(self.men[i].role), ..self.men[i] }
        };
        if !self.laws.has_royal() {
            return Bitboard::ALL;
        }
        let occupied = self.taken(turn, after);
        let attacked = |royal: usize| {
            let mut lanes = Bitboard::EMPTY;
            for i in left().filter(|&i| self.men[i].color != side) {
                if !(self.laws.kings_touch && self.men[i].role == Role::King) {
                    let movement = self.laws.movements.of(man(i));
                    lanes |= self.attacked_by(movement, varies, squares, occupied, [i, royal]);
                }
            }
            lanes
        };
        let own = |i: usize| Some(man(i)).filter(|man| stays(&i) && man.color == side);
        !self.in_check(own, attacked)
    }

    /// Whether an explosive turn, after which all squares are known, neither leaves the mover's
    /// King in check nor removes it.
    fn survives(&self, side: Color, turn: &Conversion, after: &After) -> bool {
        let stays = |i: &usize| turn.removed >> i & 1 == 0;
        let Some(king) = self.royal(side).next() else { return true };
        let Some(enemy) = self.royal(!side).find(stays) else { return stays(&king) };
        let near = king_attacks(after.squares[enemy]);
        if !stays(&king) || self.laws.kings_touch && near.contains(after.squares[king]) {
            return stays(&king);
        }
        !self.safe(side, turn, after).is_empty()
    }
}
