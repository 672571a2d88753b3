//! Turns that give check, where checks are counted: they lead into another mode of the table.

use std::sync::Arc;

use crate::{
    answer::score::{Score, Store, offer},
    board::{Bitboard, ByColor, Color},
    solve::engine::{
        lanes::lanes_with,
        slice::{QuietTurns, Word},
        spill::ScratchArray,
    },
};

/// What turns are worth that give check and stay among the positions of a slice: with each side in
/// check, the scores where the other has a check less; `None` where it has won by that.
#[derive(Clone)]
pub struct CheckScores<S>(pub ByColor<Option<WordScores<S>>>);

/// The scores of a slice with one side to move, in the order of its words and lanes.
pub type WordScores<S> = Arc<ScratchArray<S>>;

impl<S: Store> CheckScores<S> {
    /// Offers turns that give check to the positions of a word, all of which may make quiet turns;
    /// tells whether there were any. `checked` gives the lanes of a word in which the other side is
    /// in check, and `turns` are all that stay among the positions.
    pub fn offer_to(
        &self,
        row: &mut [S; 64],
        word: &Word<'_>,
        turns: &impl QuietTurns,
        checked: &(impl Fn(usize) -> u64 + Sync),
    ) -> bool {
        let &Word { slice, stand, side, lanes } = word;
        let Some(scores) = &self.0[!side] else {
            let won = S::keep(Score::over::<S>(Some(side)).later::<S>());
            let lanes = Bitboard(turns.reach(word, checked));
            lanes.for_each(|lane| offer(&mut row[lane.number()], side, won));
            return !lanes.is_empty();
        };
        // The best of each lane first: how far it is away is reckoned once, and not for each turn.
        let scores: &[S] = scores;
        let mut best = [S::NONE; 64];
        slice.moves_into(stand, side, lanes, checked, |lane, _, (word, after)| {
            offer(&mut best[lane.number()], side, scores[word * 64 + after.number()]);
        });
        let met = Bitboard(!lanes_with(&best, S::NONE));
        met.for_each(|lane| {
            let score = best[lane.number()].score();
            offer(&mut row[lane.number()], side, S::keep(score.later::<S>()));
        });
        !met.is_empty()
    }
}

/// The checks that are left when a side has given one.
pub fn after_check(left: ByColor<u8>, side: Color) -> ByColor<u8> {
    ByColor::new(|color| left[color] - u8::from(color == side))
}
