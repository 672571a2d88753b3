//! What a word gathers from the words that its quiet moves lead to, and who gathers from it.

use super::words::{Mover, Place, Slice, Stand};
use crate::{
    board::{Color, Square, Symmetry, attackers_from, attacks, between},
    solve::engine::lanes::Lanes,
};

impl Slice {
    /// Joins, lane by lane, the options that the quiet moves of `side` lead to.
    ///
    /// `rows` are those of the words for the other side to move. Lanes that are no legal positions
    /// must be [`Lanes::NONE`] there; the lanes of the result that are none mean nothing.
    #[inline(always)]
    pub fn quiet<L: Lanes>(&self, stand: &Stand, side: Color, rows: &[L]) -> L {
        let mut best = L::NONE;
        if self.only_capture[side.index()] {
            return best;
        }
        self.prefetch(stand, side, rows);
        for &Mover { man, role, place } in &self.movers[side.index()] {
            let from = stand.squares[man];
            let targets = || attacks(role, side, from, stand.occupied) & !stand.occupied;
            match place {
                Place::Runner => {
                    best = best.join(rows[stand.word].reached(role, stand.occupied));
                }
                Place::Other(digit) => {
                    let ways = digit.ways(stand.word, &stand.squares, man);
                    for to in targets() {
                        let passed = between(from, to);
                        let mut option = rows[ways.word(to)];
                        if !passed.is_empty() {
                            option = option.only(!passed);
                        }
                        best = best.join(option);
                    }
                }
                Place::Lead(n) => {
                    for to in targets() {
                        let Some((word, symmetry)) = self.word_after(stand, n, to) else {
                            continue;
                        };
                        let mut option = rows[word];
                        if symmetry != Symmetry::IDENTITY {
                            option = option.turned(symmetry);
                        }
                        let passed = between(from, to);
                        if !passed.is_empty() {
                            option = option.only(!passed);
                        }
                        best = best.join(option);
                    }
                }
            }
        }
        best
    }

    /// Asks for the rows that [`quiet`](Slice::quiet) reads last, those of other classes: they lie
    /// far apart, and to wait for one after the other took a third of the time.
    #[inline(always)]
    fn prefetch<L: Lanes>(&self, stand: &Stand, side: Color, rows: &[L]) {
        for &Mover { man, role, place } in &self.movers[side.index()] {
            let Place::Lead(n) = place else { continue };
            let targets = attacks(role, side, stand.squares[man], stand.occupied);
            for to in targets & !stand.occupied {
                if let Some((word, _)) = self.word_after(stand, n, to) {
                    rows[word].prefetch();
                }
            }
        }
    }

    /// The word where one of the leaders is on another square, and how to look at it; `None` if
    /// leaders may not stand so.
    #[inline(always)]
    pub(super) fn word_after(
        &self,
        stand: &Stand,
        leader: usize,
        to: Square,
    ) -> Option<(usize, Symmetry)> {
        let (class, symmetry) = self.lead.class_after(stand.class, leader, to)?;
        Some((self.word_turned(class, stand, symmetry), symmetry))
    }

    /// Tells every word whose [`quiet`](Slice::quiet) moves of `side` read this one: what has to
    /// be looked at again when it changes.
    #[inline]
    pub fn readers(&self, stand: &Stand, side: Color, mut tell: impl FnMut(usize)) {
        if self.only_capture[side.index()] {
            return;
        }
        for &Mover { man, role, place } in &self.movers[side.index()] {
            let at = stand.squares[man];
            let sources = || attackers_from(role, side, at, stand.occupied) & !stand.occupied;
            match place {
                Place::Runner => tell(stand.word),
                Place::Other(digit) => {
                    let ways = digit.ways(stand.word, &stand.squares, man);
                    sources().for_each(|from| tell(ways.word(from)));
                }
                Place::Lead(n) => {
                    for from in sources() {
                        let before = self.lead.class_after(stand.class, n, from);
                        let Some((class, turn)) = before else { continue };
                        // Where the leaders stand symmetrically, each image is a word of its own.
                        for &keep in self.lead.stabiliser(class) {
                            tell(self.word_turned(class, stand, turn.then(keep)));
                        }
                    }
                }
            }
        }
    }
}
