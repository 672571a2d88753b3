//! What a word gathers from the words that its quiet moves lead to, and who gathers from it.

use super::words::{Mover, Place, Slice, Stand};
use crate::{
    board::{Bitboard, Color, Square, Symmetry},
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
        for &Mover { man, movement, place } in &self.movers[side.index()] {
            let from = stand.squares[man];
            let targets = || movement.perhaps_steps(from, stand.occupied);
            let past = |to| movement.steps_past(from, to, stand.occupied);
            match place {
                Place::Runner => {
                    best = best.join(rows[stand.word].reached(movement, stand.occupied));
                }
                Place::Other(digit) => {
                    let ways = digit.ways(stand.word, &stand.squares, man);
                    for to in targets() {
                        let mut option = rows[ways.word(to)];
                        let past = past(to);
                        if past != Bitboard::ALL {
                            option = option.only(past);
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
                        if !symmetry.is_identity() {
                            option = option.turned(symmetry);
                        }
                        let past = past(to);
                        if past != Bitboard::ALL {
                            option = option.only(past);
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
        for &Mover { man, movement, place } in &self.movers[side.index()] {
            let Place::Lead(n) = place else { continue };
            for to in movement.perhaps_steps(stand.squares[man], stand.occupied) {
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
        for &Mover { man, movement, place } in &self.movers[side.index()] {
            let at = stand.squares[man];
            let sources = || movement.perhaps_steps_from(at, stand.occupied);
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
