//! Which men promote, where, and to what.
//!
//! There are two ways. Pawns, and pieces that do so as pawns do, become one of some kinds when they
//! reach certain squares. Other pieces have one kind of their own that they become, when they go to
//! one of those squares, from one to another, or away from one; in some games only as they capture.

use super::{laws::Laws, men::CountMen};
use crate::board::{Bitboard, Board, Color, Man, Role, RoleSet, Square};

impl Laws {
    /// Whether squares of promotion are any to a man, though there may be nothing to become.
    #[inline]
    pub fn promotes(&self, man: Man) -> bool {
        self.promoting[man.color].contains(man.role) || self.own_promotions.of(man.role).is_some()
    }

    /// The kinds that a man may become by a move.
    #[inline]
    pub fn becomes(&self, man: Man) -> RoleSet {
        let own = self.own_promotions.of(man.role);
        match self.promoting[man.color].contains(man.role) {
            true => self.promotions[man.color],
            false => own.map_or_else(RoleSet::default, |own| RoleSet::of(&[own])),
        }
    }

    /// The same without the kinds of which its side, with these men, has as many as it may.
    #[inline]
    pub fn becomes_beside(&self, man: Man, men: &(impl CountMen + ?Sized)) -> RoleSet {
        let kinds = self.becomes(man);
        if kinds.and(self.promotion_limits.kinds()).is_empty() {
            return kinds;
        }
        let limits = self.promotion_limits.iter();
        let reached =
            limits.filter(|&(role, most)| men.count_men(man.color, role) >= usize::from(most));
        reached.fold(kinds, |kinds, (role, _)| kinds.with(role, false))
    }

    /// Whether men of a side can become such men.
    pub fn can_be_had(&self, color: Color, role: Role) -> bool {
        self.promotions[color].contains(role)
            || self.own_promotions.iter().any(|(_, own)| own == role)
    }

    /// The kinds that a man may become by any number of moves.
    pub fn ever_becomes(&self, man: Man) -> RoleSet {
        let mut all = self.becomes(man);
        loop {
            let more = all.iter().fold(all, |all, role| all.or(self.becomes(Man { role, ..man })));
            if more == all {
                return all;
            }
            all = more;
        }
    }

    /// The squares to which a move from a square promotes a man.
    #[inline]
    pub fn promotes_on(&self, man: Man, from: Square) -> Bitboard {
        let there = self.promotion_squares[man.color];
        match () {
            () if self.promoting[man.color].contains(man.role) => there,
            () if self.own_promotions.of(man.role).is_none() => Bitboard::EMPTY,
            () if there.contains(from) => Bitboard::ALL,
            () => there,
        }
    }

    /// The same, where those with somebody to capture are known.
    #[inline]
    pub fn promotes_among(&self, man: Man, from: Square, captures: Bitboard) -> Bitboard {
        let there = self.promotes_on(man, from);
        if self.promotes_by_capture(man) { there & captures } else { there }
    }

    /// The squares from which a move to a square promotes a man.
    #[inline]
    pub fn promotes_from(&self, man: Man, to: Square) -> Bitboard {
        let there = self.promotion_squares[man.color];
        match () {
            () if !self.promotes(man) => Bitboard::EMPTY,
            () if there.contains(to) => Bitboard::ALL,
            () if self.promotes_from_there(man) => there,
            () => Bitboard::EMPTY,
        }
    }

    /// Whether a man promotes by captures alone.
    #[inline]
    pub fn promotes_by_capture(&self, man: Man) -> bool {
        self.pieces_promote_by_capture && !self.promoting[man.color].contains(man.role)
    }

    /// Whether a man that could promote by such a move may stay what it is.
    #[inline]
    pub fn may_stay(&self, man: Man) -> bool {
        match self.promoting[man.color].contains(man.role) {
            true => self.pawns_may_stay,
            false => self.pieces_may_stay,
        }
    }

    /// Whether a man that promotes may stand where it would, and does so as it leaves.
    pub fn promotes_from_there(&self, man: Man) -> bool {
        let may_stand = self.pieces_may_stay || self.pieces_promote_by_capture;
        !self.promoting[man.color].contains(man.role) && may_stand
    }

    /// The kinds of pieces of a side that promote.
    pub fn promoting_pieces(&self, color: Color) -> RoleSet {
        self.promoting[color].or(self.own_promotions.promoting()).with(Role::Pawn, false)
    }

    /// A pawn of a side that has none in this game, since its pawns would never promote.
    pub fn stray_pawn(&self, men: &impl CountMen) -> Option<Color> {
        let is_stray = |&color: &Color| {
            !self.promoting[color].contains(Role::Pawn) && men.count_men(color, Role::Pawn) > 0
        };
        Color::ALL.into_iter().find(is_stray)
    }

    /// Where no man of a kind can stand, since it would have promoted; pawns aside.
    pub fn never_stands_on(&self, man: Man) -> Bitboard {
        let comes_there = self.may_stay(man) || self.promotes_by_capture(man);
        match man.role != Role::Pawn && self.promotes(man) && !comes_there {
            true => self.promotion_squares[man.color],
            false => Bitboard::EMPTY,
        }
    }

    /// A piece that stands where it would have promoted.
    pub fn unpromoted(&self, board: &Board) -> Option<Square> {
        let of = |color: Color| {
            let mut there = self.promoting_pieces(color).iter();
            there.find_map(|role| {
                (board.men(color, role) & self.never_stands_on(Man { color, role })).first()
            })
        };
        Color::ALL.into_iter().find_map(of)
    }
}
