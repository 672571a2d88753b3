//! Turns that give check, where checks are counted: they lead into another mode of the table.

use std::sync::Arc;

use crate::{
    answer::score::{Score, Store, offer},
    board::{Bitboard, ByColor, Color},
    index::Index,
    solve::engine::{
        pages::Page,
        slice::{QuietTurns, Word},
    },
};

/// What turns are worth that give check and stay among the positions of a slice.
pub struct CheckScores<S> {
    /// How positions are numbered, and the first number of the slice.
    pub index: Arc<Index>,
    pub first: u64,
    /// The scores of the slice with this side in check, in the order of the index, where the other
    /// side has a check less; `None` where it has won by that.
    pub pages: ByColor<Option<Page<S>>>,
}

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
        let mut met = false;
        let Some(page) = &self.pages[!side] else {
            let won = S::keep(Score::over::<S>(Some(side)).later::<S>());
            let lanes = Bitboard(turns.reach(word, checked));
            lanes.for_each(|lane| offer(&mut row[lane.number()], side, won));
            return !lanes.is_empty();
        };
        let men = slice.men().len();
        slice.moves_into(stand, side, lanes, checked, |lane, mv| {
            let squares = word.squares(lane).map(|at| if at == mv.from { mv.to } else { at });
            let number = self.index.encode(&squares[..men]).expect("Kings apart");
            let score = page[(number - self.first) as usize].score();
            offer(&mut row[lane.number()], side, S::keep(score.later::<S>()));
            met = true;
        });
        met
    }
}

/// The checks that are left when a side has given one.
pub fn after_check(left: ByColor<u8>, side: Color) -> ByColor<u8> {
    ByColor::new(|color| left[color] - u8::from(color == side))
}
