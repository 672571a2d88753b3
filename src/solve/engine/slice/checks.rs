//! Which lanes of a word are legal positions, checks and mates.

use super::words::{Slice, Stand};
use crate::board::{Bitboard, Color, Man, Movement, Role, RoleSet, Square};
use crate::index::MAX_MEN;

impl Slice {
    /// The lanes in which a royal man of `color` is attacked.
    pub fn checked(&self, stand: &Stand, color: Color) -> Bitboard {
        let attacked = |royal: usize| {
            let mut lanes = Bitboard::EMPTY;
            for (i, man) in self.men.iter().enumerate().filter(|(_, man)| man.color != color) {
                if !(self.laws.kings_touch && man.role == Role::King) {
                    lanes |= self.attacked(stand, i, royal);
                }
            }
            if self.laws.kings_touch && self.laws.explosive {
                // Who removes one of two Kings side by side removes both.
                self.royal(!color).for_each(|enemy| lanes &= !self.attacked(stand, enemy, royal));
            }
            lanes
        };
        let own = |i: usize| Some(self.men[i]).filter(|man| man.color == color);
        let checked = self.in_check(own, attacked);
        if checked.is_empty() { checked } else { checked & self.placed(stand) }
    }

    /// The lanes in which a side is in check: a royal man is attacked, or all of those of which not
    /// all may be. `own` are the men of the side that are there, each in its place among all, and
    /// `attacked` says in which lanes one of them is.
    pub(super) fn in_check(
        &self,
        own: impl Fn(usize) -> Option<Man>,
        attacked: impl Fn(usize) -> Bitboard,
    ) -> Bitboard {
        let all = || (0..self.men.len()).filter_map(|i| Some((i, own(i)?.role)));
        let count = |kind| all().filter(|&(_, role)| role == kind).count();
        let of = |kinds: RoleSet| all().filter(move |&(_, role)| kinds.contains(role));
        let lanes = of(self.laws.royal_kinds(count));
        let lanes = lanes.fold(Bitboard::EMPTY, |lanes, (i, _)| lanes | attacked(i));
        let not_all = self.laws.not_all_attacked();
        if not_all.is_empty() {
            return lanes;
        }
        let together = of(not_all).map(|(i, _)| attacked(i)).reduce(|all, lanes| all & lanes);
        lanes | together.unwrap_or_default()
    }

    /// The lanes in which one man attacks another.
    fn attacked(&self, stand: &Stand, by: usize, target: usize) -> Bitboard {
        self.attacked_while(self.runner, &stand.squares, stand.occupied, [by, target])
    }

    /// The same where the lanes are the squares of the man `runner`, or nobody's, and `occupied`
    /// are the squares of all others.
    #[inline]
    pub(super) fn attacked_while(
        &self,
        runner: Option<usize>,
        squares: &[Square; MAX_MEN],
        occupied: Bitboard,
        [by, target]: [usize; 2],
    ) -> Bitboard {
        self.attacked_by(self.movement(by), runner, squares, occupied, [by, target])
    }

    /// The same for a man that moves in this way, such as one that has just been promoted.
    #[inline]
    pub(super) fn attacked_by(
        &self,
        movement: Movement,
        runner: Option<usize>,
        squares: &[Square; MAX_MEN],
        occupied: Bitboard,
        [by, target]: [usize; 2],
    ) -> Bitboard {
        let (from, at) = (squares[by], squares[target]);
        if Some(by) == runner {
            movement.attackers(at, occupied)
        } else if Some(target) == runner {
            movement.attacks(from, occupied)
        } else if runner.is_some() {
            movement.attacks_past(from, at, occupied)
        } else if movement.attacks(from, occupied).contains(at) {
            Bitboard::ALL
        } else {
            Bitboard::EMPTY
        }
    }

    /// How one of the men moves.
    pub(super) fn movement(&self, man: usize) -> Movement {
        self.laws.movements.of(self.men[man])
    }

    /// The lanes that are legal positions with `to_move` to move.
    pub fn legal(&self, stand: &Stand, to_move: Color) -> Bitboard {
        let lanes = self.placed(stand)
            & !self.checked(stand, !to_move)
            & !self.unpromoted(stand)
            & !self.kings_face(self.runner, &stand.squares, stand.occupied);
        if self.laws.checks { lanes } else { lanes & !self.checked(stand, to_move) }
    }

    /// The lanes in which Kings face each other that may not, where the lanes are the squares of the
    /// man `runner`, or nobody's, and `occupied` are those of all others.
    pub(super) fn kings_face(
        &self,
        runner: Option<usize>,
        squares: &[Square; MAX_MEN],
        occupied: Bitboard,
    ) -> Bitboard {
        if !self.laws.flying {
            return Bitboard::EMPTY;
        }
        let king = |color| self.men.iter().position(|&man| man == Man::new(color, Role::King));
        match Color::ALL.map(king) {
            [Some(white), Some(black)] => {
                self.attacked_by(Movement::Rook, runner, squares, occupied, [white, black])
            }
            _ => Bitboard::EMPTY,
        }
    }

    /// The lanes in which a piece stands where it would have promoted.
    fn unpromoted(&self, stand: &Stand) -> Bitboard {
        let mut lanes = Bitboard::EMPTY;
        if Color::ALL.into_iter().all(|color| self.laws.promoting_pieces(color).is_empty()) {
            return lanes;
        }
        for (i, &man) in self.men.iter().enumerate().filter(|(_, man)| man.role != Role::Pawn) {
            let there = self.laws.never_stands_on(man);
            if Some(i) == self.runner {
                lanes |= there;
            } else if there.contains(stand.squares[i]) {
                return Bitboard::ALL;
            }
        }
        lanes
    }

    /// The lanes in which `side`, to move in one of the `legal` positions, is mated by board moves
    /// alone.
    pub fn mated(&self, stand: &Stand, side: Color, legal: &[Vec<u64>; 2]) -> Bitboard {
        let lanes = Bitboard(legal[side.index()][stand.word]) & self.checked(stand, side);
        if lanes.is_empty() {
            return lanes;
        }
        let open = &legal[(!side).index()];
        let mut stuck = lanes & !Bitboard(self.reach(stand, side, lanes.0, |word| open[word]));
        self.conversions(stand, side, stuck, |_, lanes, _| stuck &= !lanes);
        stuck
    }

    /// The royal men of a side.
    pub(super) fn royal(&self, color: Color) -> impl Iterator<Item = usize> + '_ {
        let count = |role| self.men.iter().filter(|&&man| man == Man::new(color, role)).count();
        let kinds = self.laws.royal_kinds(count);
        let royal = move |&i: &usize| {
            let Man { color: of, role } = self.men[i];
            of == color && kinds.contains(role)
        };
        (0..self.men.len()).filter(royal)
    }
}
