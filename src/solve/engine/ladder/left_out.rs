//! What captures and promotions decide, put back where tables leave it out.

use super::game::{Conversions, LadderGame};
use crate::solve::engine::{
    pages::{Extent, PageCache, PageCell, PageId},
    slice::{IndexOrder, Slice, Stand},
};
use crate::{
    answer::score::{Store, offer, without_distance},
    board::{Bitboard, Man},
    index::Index,
    solve::error::BuildError,
};

/// Puts back what a page leaves out, as far as it is looked up.
pub fn put_back<S: Store + PageCell>(
    game: &dyn LadderGame<Store = S>,
    cache: &PageCache<'_, S>,
    (id, extent): (PageId, Extent),
    page: &mut [S],
) -> Result<(), BuildError> {
    each_left_out(game, cache, (id, extent), page, &mut |_, cells, options| {
        for (cell, option) in cells.iter_mut().zip(options) {
            if option != S::NONE {
                offer(cell, id.side, option);
            }
        }
    })
}

/// Puts back what a page leaves out, and tells of each number whether that makes its score.
pub fn put_back_and_tell<S: Store + PageCell>(
    game: &dyn LadderGame<Store = S>,
    cache: &PageCache<'_, S>,
    id: PageId,
    page: &mut [S],
) -> Result<Vec<bool>, BuildError> {
    let mut made = vec![false; page.len()];
    each_left_out(game, cache, (id, Extent::Whole), page, &mut |first, cells, options| {
        let cells = cells.iter_mut().zip(&mut made[first..]);
        for ((cell, made), option) in cells.zip(options) {
            if option != S::NONE {
                offer(cell, id.side, option);
                // Where an option is better than what was there, it is what is there.
                *made |= *cell == option;
            }
        }
    })?;
    Ok(made)
}

/// Hears of a stretch of a page: where it begins, its cells, and the best score of a capture or
/// promotion in each of their positions.
type MeetStretch<'m, S> = dyn FnMut(usize, &mut [S], Vec<S>) + 'm;

/// Calls `meet` with stretches of a page as far as it is looked up, as often as it takes rounds to
/// look up all that captures and promotions lead to.
fn each_left_out<S: Store + PageCell>(
    game: &dyn LadderGame<Store = S>,
    cache: &PageCache<'_, S>,
    (id, extent): (PageId, Extent),
    page: &mut [S],
    meet: &mut MeetStretch<'_, S>,
) -> Result<(), BuildError> {
    let (index, infinite) = (cache.index(&id.material)?, game.infinite(&id.material));
    let rounds = cache.rounds(id.mode, &cache.reached_by_change(id)?)?;
    for round in 0..rounds.len() {
        let pages = cache.resident(&id.material, &rounds, round)?;
        let conversions = Conversions::new(game, &id.material, &pages);
        let slice = conversions.slice(&index, id.structure);
        let looked_up = LookedUp::new(&index, &slice, id, extent);
        let start = index.structure_range(id.structure).start;
        // Class by class of the leading men, as many at a time as there is room for.
        let classes = slice.classes_like(&index).unwrap_or(1);
        let (words, numbers) = (slice.words() / classes, page.len() / classes);
        let bytes = (words * 64 + numbers) * size_of::<S>();
        let together = (cache.capacity() as usize / 8 / bytes).clamp(1, classes);
        for (first, page) in (0..).step_by(together).zip(page.chunks_mut(together * numbers)) {
            let words = first * words..(first * words + together * words).min(slice.words());
            let origin = words.start * 64;
            let options =
                conversions.all_left_out(&slice, id.side, words, |stand| looked_up.lanes(stand));
            let mut in_order = vec![S::NONE; page.len()];
            let first = first * numbers;
            let order = IndexOrder::new(&index, start + first as u64, &slice);
            let told = |option: S| match cache.has_distances() {
                true => option,
                false => without_distance(option, id.side, infinite),
            };
            order.sort(|place| told(options[place - origin]), &mut in_order);
            meet(first, page, in_order);
        }
    }
    Ok(())
}

/// The positions of a slice that are looked up.
struct LookedUp {
    /// These men, one of whom stands on one of these squares; `None` if all are.
    promoted: Option<(Vec<usize>, Bitboard)>,
    runner: Option<usize>,
}

impl LookedUp {
    fn new(index: &Index, slice: &Slice, id: PageId, extent: Extent) -> LookedUp {
        let promoted = match extent {
            Extent::Whole => None,
            Extent::Promoted(role) => {
                let man = Man::new(!id.side, role);
                let men = (0..slice.men().len()).filter(|&i| slice.men()[i] == man).collect();
                let there = slice.laws().promotion_squares[man.color];
                // A position is looked up as the one of its images that is counted.
                let images = index.group().symmetries().map(|turn| turn.image_of_set(there));
                Some((men, images.fold(Bitboard::EMPTY, |all, image| all | image)))
            }
        };
        LookedUp { promoted, runner: slice.runner() }
    }

    /// Those among the lanes of a word.
    fn lanes(&self, stand: &Stand) -> Bitboard {
        let Some((men, squares)) = &self.promoted else { return Bitboard::ALL };
        let there = |&man: &usize| Some(man) != self.runner && squares.contains(stand.squares[man]);
        match men.iter().any(there) {
            true => Bitboard::ALL,
            false if self.runner.is_some_and(|runner| men.contains(&runner)) => *squares,
            false => Bitboard::EMPTY,
        }
    }
}
