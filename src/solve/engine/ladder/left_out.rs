//! What captures and promotions decide, put back where tables leave it out.

use std::ops::Range;

use super::game::{Conversions, LadderGame};
use crate::solve::engine::{
    pages::{Extent, PageCache, PageCell, PageId},
    slice::{IndexOrder, Slice, Stand, Word},
};
use crate::{
    answer::score::{Store, offer, without_distance},
    board::{Bitboard, Color, Man, Role, Square},
    index::Index,
    parallel,
    solve::error::BuildError,
};

/// Words after a promotion that are a task of their own.
const WORDS_A_TASK: usize = 1 << 9;

/// Such tasks after which what they have found is put into the page.
const TASKS_TOGETHER: usize = 1 << 7;

/// Puts back what a page leaves out, as far as it is looked up.
pub fn put_back<S: Store + PageCell>(
    game: &dyn LadderGame<Store = S>,
    cache: &PageCache<'_, S>,
    (id, extent): (PageId, Extent),
    page: &mut [S],
) -> Result<(), BuildError> {
    if let Extent::Promoted(role) = extent
        && cache.index(&id.material)?.structures().is_some()
    {
        return put_back_after_promotion(game, cache, (id, role), page);
    }
    let told = told(game, cache, id);
    each_left_out(game, cache, (id, extent), page, &mut |_, cells, left_out| {
        left_out.order.each_cell(cells, |cell, place| {
            let option = left_out.at(place);
            if option != S::NONE {
                offer(cell, id.side, told(option));
            }
        });
    })
}

/// Puts back what a page leaves out where the side that has moved has such a man on its last rank.
///
/// That is for pages with pawns, of which these are an eighth or so. In the table of a pawn on each
/// side most pages are read for them alone, and those behind them, where the other pawn promotes
/// next, are the largest. Without pawns a slice may be folded otherwise than the index, and a
/// position of it have several numbers.
fn put_back_after_promotion<S: Store + PageCell>(
    game: &dyn LadderGame<Store = S>,
    cache: &PageCache<'_, S>,
    (id, role): (PageId, Role),
    page: &mut [S],
) -> Result<(), BuildError> {
    let (index, told) = (cache.index(&id.material)?, told(game, cache, id));
    let start = index.structure_range(id.structure).start;
    each_round(game, cache, id, &mut |conversions, slice| {
        let promoted = Promoted::new(&index, slice, id.side, role);
        let tasks = slice.words().div_ceil(WORDS_A_TASK);
        for first in (0..tasks).step_by(TASKS_TOGETHER) {
            let together = first..tasks.min(first + TASKS_TOGETHER);
            let found = parallel::map(together, 1, |_, task| {
                let words = task * WORDS_A_TASK..(task + 1) * WORDS_A_TASK;
                promoted.left_out(conversions, words.start..words.end.min(slice.words()))
            });
            for (number, option) in found.into_iter().flatten() {
                offer(&mut page[(number - start) as usize], id.side, told(option));
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
    let told = told(game, cache, id);
    let mut made = vec![false; page.len()];
    each_left_out(game, cache, (id, Extent::Whole), page, &mut |first, cells, left_out| {
        let mut options = vec![S::NONE; cells.len()];
        left_out.order.sort(|place| told(left_out.at(place)), &mut options);
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

/// What a stretch of a page leaves out.
struct LeftOut<'a, S> {
    order: IndexOrder<'a>,
    /// The best score of a capture or promotion, place by place from the first one on.
    options: Vec<S>,
    first: usize,
}

impl<S: Store> LeftOut<'_, S> {
    /// The best score of a capture or promotion in the position with this place.
    #[inline]
    fn at(&self, place: usize) -> S {
        self.options[place - self.first]
    }
}

/// Hears of a stretch of a page: where it begins, its cells, and what they leave out.
type MeetStretch<'m, S> = dyn FnMut(usize, &mut [S], &LeftOut<'_, S>) + 'm;

/// Calls `meet` with stretches of a page as far as it is looked up, as often as it takes rounds to
/// look up all that captures and promotions lead to.
fn each_left_out<S: Store + PageCell>(
    game: &dyn LadderGame<Store = S>,
    cache: &PageCache<'_, S>,
    (id, extent): (PageId, Extent),
    page: &mut [S],
    meet: &mut MeetStretch<'_, S>,
) -> Result<(), BuildError> {
    let index = cache.index(&id.material)?;
    each_round(game, cache, id, &mut |conversions, slice| {
        let promoted = match extent {
            Extent::Whole => None,
            Extent::Promoted(role) => Some(Promoted::new(&index, slice, id.side, role)),
        };
        // Class by class of the leading men, as many at a time as there is room for.
        let classes = slice.classes_like(&index).unwrap_or(1);
        let (words, numbers) = (slice.words() / classes, page.len() / classes);
        let bytes = (words * 64 + numbers) * size_of::<S>();
        let together = (cache.capacity() as usize / 8 / bytes).clamp(1, classes);
        for (first, page) in (0..).step_by(together).zip(page.chunks_mut(together * numbers)) {
            let words = first * words..(first * words + together * words).min(slice.words());
            let wanted = |stand: &Stand| match &promoted {
                None => Bitboard::ALL,
                Some(promoted) => promoted.lanes(stand),
            };
            let origin = words.start * 64;
            let options = conversions.all_left_out(slice, id.side, words, wanted);
            let first = first * numbers;
            let order = IndexOrder::new(&index, slice).starting_at(first as u64);
            meet(first, page, &LeftOut { order, options, first: origin });
        }
    })
}

/// Calls `meet` with what leads out of the slice of a page, and the slice, as often as it takes
/// rounds to look up all that captures and promotions lead to.
fn each_round<S: Store + PageCell>(
    game: &dyn LadderGame<Store = S>,
    cache: &PageCache<'_, S>,
    id: PageId,
    meet: &mut dyn FnMut(&Conversions<'_, S>, &Slice),
) -> Result<(), BuildError> {
    let index = cache.index(&id.material)?;
    let rounds = cache.rounds(id.mode, &cache.reached_by_change(id)?)?;
    for round in 0..rounds.len() {
        let pages = cache.resident(&id.material, &rounds, round)?;
        let conversions = Conversions::new(game, &id.material, &pages);
        meet(&conversions, &conversions.slice(&index, id.structure));
    }
    Ok(())
}

/// What a page tells of a score: its distance only where pages have any.
fn told<S: Store + PageCell>(
    game: &dyn LadderGame<Store = S>,
    cache: &PageCache<'_, S>,
    id: PageId,
) -> impl Fn(S) -> S + use<S> {
    let (distances, infinite) = (cache.has_distances(), game.infinite(&id.material));
    move |score| match distances {
        true => score,
        false => without_distance(score, id.side, infinite),
    }
}

/// The positions of a slice after a promotion: one of some men stands on one of some squares.
struct Promoted<'a> {
    index: &'a Index,
    slice: &'a Slice,
    /// Who is to move.
    side: Color,
    men: Vec<usize>,
    squares: Bitboard,
}

impl<'a> Promoted<'a> {
    /// Those with a side to move after the other one has got such a man.
    fn new(index: &'a Index, slice: &'a Slice, side: Color, role: Role) -> Promoted<'a> {
        let man = Man::new(!side, role);
        let men = (0..slice.men().len()).filter(|&i| slice.men()[i] == man).collect();
        let there = slice.laws().promotion_squares[man.color];
        // A position is looked up as the one of its images that is counted.
        let images = index.group().symmetries().map(|turn| turn.image_of_set(there));
        let squares = images.fold(Bitboard::EMPTY, |all, image| all | image);
        Promoted { index, slice, side, men, squares }
    }

    /// The numbers of those in some words that have a capture or promotion, with the best score of
    /// one.
    fn left_out<S: Store>(
        &self,
        conversions: &Conversions<'_, S>,
        words: Range<usize>,
    ) -> Vec<(u64, S)> {
        let &Promoted { slice, side, .. } = self;
        let mut found = Vec::new();
        for stand in words.filter_map(|word| slice.stand(word)) {
            let lanes = self.lanes(&stand);
            if lanes.is_empty() {
                continue;
            }
            let lanes = slice.legal(&stand, side) & lanes;
            let mut options = [S::NONE; 64];
            conversions.left_out(Word { slice, stand: &stand, side, lanes }, &mut options);
            let number = self.numbers(&stand);
            let options = lanes.map(|lane| (lane, options[lane.number()]));
            let some = options.filter(|&(_, option)| option != S::NONE);
            found.extend(some.map(|(lane, option)| (number(lane), option)));
        }
        found
    }

    /// Those among the lanes of a word.
    fn lanes(&self, stand: &Stand) -> Bitboard {
        let Promoted { slice, men, squares, .. } = self;
        let runner = slice.runner();
        let there = |&man: &usize| Some(man) != runner && squares.contains(stand.squares[man]);
        match men.iter().any(there) {
            true => Bitboard::ALL,
            false if runner.is_some_and(|runner| men.contains(&runner)) => *squares,
            false => Bitboard::EMPTY,
        }
    }

    /// The numbers of the positions of a word, by lane.
    fn numbers(&self, stand: &Stand) -> impl Fn(Square) -> u64 {
        let &Promoted { index, slice, .. } = self;
        let (squares, runner) = (stand.squares, slice.runner());
        let line = runner.and_then(|runner| index.line(&squares, runner));
        move |lane| match line {
            Some(line) => line.at(lane),
            None => {
                let mut squares = squares;
                runner.into_iter().for_each(|runner| squares[runner] = lane);
                index.encode(&squares[..slice.men().len()]).expect("Kings apart")
            }
        }
    }
}
