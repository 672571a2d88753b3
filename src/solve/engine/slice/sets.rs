//! Quiet moves of sets of positions, forwards and backwards.

use super::{Place, Slice, Stand};
use crate::{
    board::{Color, Role, Square, Symmetry, attackers_from, attacks, between},
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
        let mut missing = wanted;
        if self.only_capture[side.index()] {
            return 0;
        }
        for &Mover { man, role, place } in &self.movers[side.index()] {
            let from = stand.squares[man];
            match place {
                Place::Runner => missing &= !set(stand.word).reached(role, stand.occupied),
                Place::Other(stride) => {
                    let base = stand.word - from.number() * stride;
                    for to in attacks(role, side, from, stand.occupied) & !stand.occupied {
                        let found = set(base + to.number() * stride);
                        missing &= !found | between(from, to).0;
                        if missing == 0 {
                            return wanted;
                        }
                    }
                }
                Place::Lead(n) => {
                    for to in attacks(role, side, from, stand.occupied) & !stand.occupied {
                        let after = self.lead.class_after(stand.class, n, to);
                        let Some((class, symmetry)) = after else { continue };
                        let found = set(self.word_turned(class, stand, symmetry));
                        missing &= !turned(found, symmetry) | between(from, to).0;
                        if missing == 0 {
                            return wanted;
                        }
                    }
                }
            }
        }
        wanted & !missing
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
