//! Quiet moves of sets of positions, forwards and backwards.

use std::cell::{Cell, RefCell};

use super::{Place, Slice, Stand};
use crate::{
    board::{Bitboard, Color, Role, Square, Symmetry, attackers_from, attacks, between},
    rules::Move,
    solve::engine::lanes::Lanes,
};

/// A piece that makes quiet moves.
#[derive(Copy, Clone)]
pub(super) struct Mover {
    man: usize,
    role: Role,
    place: Place,
}

impl Slice {
    /// The pieces of `side` that make quiet moves; those whose moves are the cheapest to look at
    /// first.
    pub(super) fn movers_of(&self, side: Color) -> Vec<Mover> {
        let moves = |role| !matches!(role, Role::Pawn | Role::Disk);
        let mut movers: Vec<Mover> = (0..self.men.len())
            .map(|man| Mover { man, role: self.men[man].role, place: self.place(man) })
            .filter(|mover| self.men[mover.man].color == side && moves(mover.role))
            .collect();
        movers.sort_by_key(|mover| match mover.place {
            Place::Other(_) => 0,
            Place::Runner => 1,
            Place::Lead(_) => 2,
        });
        movers
    }

    /// The lanes among `wanted` in which `side` has a quiet move to a position in `set`, which
    /// gives the lanes of a word for the other side to move.
    #[inline]
    pub fn reach(
        &self,
        stand: &Stand,
        side: Color,
        wanted: u64,
        set: impl Fn(usize) -> u64,
    ) -> u64 {
        let missing = Cell::new(wanted);
        let leave = |lanes: u64| missing.set(missing.get() & !lanes);
        let run = |role, targets: u64| leave(targets.reached(role, stand.occupied));
        self.each_way(stand, side, set, run, |_, lanes| {
            leave(lanes);
            missing.get() != 0
        });
        wanted & !missing.get()
    }

    /// Calls `meet` with every quiet move of `side` in the `wanted` lanes to a position in `set`,
    /// which gives the lanes of a word for the other side to move: the lane, who moves, from where
    /// and where to.
    pub fn moves_into(
        &self,
        stand: &Stand,
        side: Color,
        wanted: Bitboard,
        set: impl Fn(usize) -> u64,
        mut meet: impl FnMut(Square, Move),
    ) {
        let meet = RefCell::new(|lane, (from, to)| meet(lane, Move { from, to, promotion: None }));
        let run = |role, targets| {
            for from in wanted {
                let reached = attacks(role, side, from, stand.occupied) & !stand.occupied;
                let mut meet = meet.borrow_mut();
                (reached & Bitboard(targets)).for_each(|to| meet(from, (from, to)));
            }
        };
        self.each_way(stand, side, set, run, |step, lanes| {
            let mut meet = meet.borrow_mut();
            (wanted & Bitboard(lanes)).for_each(|lane| meet(lane, step));
            true
        });
    }

    /// The ways of `side` into `set`: calls `run` with the role of the runner and the lanes that are
    /// there, and `step` with where another piece can go from and to, and the lanes in which that
    /// leads there, until that says `false`.
    #[inline(always)]
    fn each_way(
        &self,
        stand: &Stand,
        side: Color,
        set: impl Fn(usize) -> u64,
        run: impl Fn(Role, u64),
        step: impl Fn((Square, Square), u64) -> bool,
    ) {
        if self.only_capture[side.index()] {
            return;
        }
        for &Mover { man, role, place } in &self.movers[side.index()] {
            let from = stand.squares[man];
            if let Place::Runner = place {
                run(role, set(stand.word));
                continue;
            }
            for to in attacks(role, side, from, stand.occupied) & !stand.occupied {
                let found = match place {
                    Place::Other(stride) => {
                        set(stand.word - from.number() * stride + to.number() * stride)
                    }
                    Place::Lead(n) => {
                        let after = self.lead.class_after(stand.class, n, to);
                        let Some((class, symmetry)) = after else { continue };
                        turned(set(self.word_turned(class, stand, symmetry)), symmetry)
                    }
                    Place::Runner => continue,
                };
                if !step((from, to), found & !between(from, to).0) {
                    return;
                }
            }
        }
    }

    /// Calls `tell` with every word, and lanes in it, from which a quiet move of `side` leads to
    /// one of the `lanes` of this word, which has the other side to move.
    ///
    /// Lanes that are no legal positions may be among them.
    #[inline]
    pub fn unmove(&self, stand: &Stand, side: Color, lanes: u64, mut tell: impl FnMut(usize, u64)) {
        if self.only_capture[side.index()] {
            return;
        }
        for &Mover { man, role, place } in &self.movers[side.index()] {
            let to = stand.squares[man];
            let sources = || attackers_from(role, side, to, stand.occupied) & !stand.occupied;
            match place {
                Place::Runner => tell(stand.word, lanes.reached(role, stand.occupied)),
                Place::Other(stride) => {
                    let base = stand.word - to.number() * stride;
                    for from in sources() {
                        tell(base + from.number() * stride, lanes & !between(from, to).0);
                    }
                }
                Place::Lead(n) => {
                    for from in sources() {
                        let before = self.lead.class_after(stand.class, n, from);
                        let Some((class, turn)) = before else { continue };
                        let lanes = lanes & !between(from, to).0;
                        // Where the leaders stand symmetrically, each image is a word of its own.
                        for &keep in self.lead.stabiliser(class) {
                            let symmetry = turn.then(keep);
                            let word = self.word_turned(class, stand, symmetry);
                            tell(word, turned(lanes, symmetry.inverse()));
                        }
                    }
                }
            }
        }
    }

    /// The word of the men who stand as in `stand`, turned, but for the leaders, who are in
    /// `class`.
    #[inline]
    fn word_turned(&self, class: usize, stand: &Stand, symmetry: Symmetry) -> usize {
        let image = |square: Square| symmetry.image(square);
        if symmetry == Symmetry::IDENTITY {
            let rest = stand.word - stand.class * self.words_a_class;
            class * self.words_a_class + rest
        } else {
            self.word(class, &stand.squares, image)
        }
    }
}

/// A set seen through a symmetry, as by [`Lanes::turned`].
#[inline]
fn turned(set: u64, symmetry: Symmetry) -> u64 {
    if symmetry == Symmetry::IDENTITY { set } else { set.turned(symmetry) }
}
