//! What the turns of a finished slice lead to, counted for 64 positions at once.
//!
//! Whoever asks for the positions after each turn of each position makes some twenty of them, and
//! looks each up; here it is a few instructions a turn.

use std::{fmt, ops::Range};

use super::{FinishedScores, FinishedTable};
use crate::{
    answer::{
        place::turn_of,
        score::{Score, Store},
    },
    board::{ByColor, Color, Square},
    index::Material,
    parallel,
    rules::Passing,
    solve::{
        engine::{
            ladder::Conversions,
            lanes::by_lane,
            pages::{Link, LookupRound, PageId},
            slice::{Chesslike, IndexOrder, LaneCounts, MIN_WORDS, Slice, Word},
        },
        error::BuildError,
    },
};

/// How many turns of a position lead to positions in which Black is ahead, nobody, and White.
#[derive(Copy, Clone, PartialEq, Eq, Default, Debug)]
pub struct TurnCounts([u16; 3]);

impl TurnCounts {
    /// How many turns lead to positions with such a value: 1 where White is ahead, 0 where nobody
    /// is, and -1 where Black is.
    pub fn count(self, is_such: impl Fn(i64) -> bool) -> usize {
        let counts = (-1..).zip(self.0).filter(|&(value, _)| is_such(value));
        counts.map(|(_, count)| usize::from(count)).sum()
    }
}

/// The place of a score among the counts.
fn place(score: Score) -> usize {
    (score.value::<i16>().signum() + 1) as usize
}

/// A slice of a finished table, ready to have its turns counted.
pub struct FinishedTurns<'t, 'a> {
    table: &'t FinishedTable<'a>,
    id: PageId,
    slice: Slice,
    /// The positions with the other side to move in which Black is ahead, nobody, and White, word
    /// by word.
    after: Vec<[u64; 3]>,
}

impl fmt::Debug for FinishedTurns<'_, '_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("FinishedTurns").finish_non_exhaustive()
    }
}

impl<'a> FinishedTable<'a> {
    /// Whether turns can be counted: not where sides may pass, or where checks count, so that some
    /// moves lead to another slice.
    pub fn counts_turns(&self) -> bool {
        self.game.winning_checks == 0 && self.game.laws.passing == ByColor::both(Passing::Never)
    }

    /// A slice of which turns [can be](FinishedTable::counts_turns) counted; `all` are those of the
    /// table in their order.
    pub fn turns(&self, slice: u64, all: &[FinishedScores]) -> FinishedTurns<'_, 'a> {
        let id = self.page(slice);
        let own = self.ladder(id).slice(&self.material, self.index.structure_squares(id.structure));
        let swaps = self.game.swaps_colors();
        let men: Vec<_> = own.men().iter().copied().zip(0..).collect();
        let link = Link::new(&men, Material::default(), swaps, self.index.size());
        let after = parallel::map(0..own.words(), MIN_WORDS, |_, word| {
            self.results(&own, word, !id.side, &link, all)
        });
        FinishedTurns { table: self, id, slice: own, after }
    }

    /// The lanes of a word with a side to move in which Black is ahead, nobody, and White; `link`
    /// leads to the table of the same men.
    fn results(
        &self,
        slice: &Slice,
        word: usize,
        side: Color,
        link: &Link,
        all: &[FinishedScores],
    ) -> [u64; 3] {
        let mut results = [0; 3];
        let Some(stand) = slice.stand(word) else { return results };
        let FinishedTable { index, .. } = self;
        let entry = link.entry(side, &stand.squares);
        let is_section = |&(mode, other): &(usize, Color)| (mode, other) == (0, entry.side);
        let section = self.sections.iter().position(is_section).expect("both sides have a section");
        let line = slice.runner().and_then(|runner| {
            let line = index.line(&entry.squares, link.man(side, runner))?;
            Some(line.seen_through(turn_of(entry.swapped, index.size())))
        });
        let number = |lane: Square| match line {
            Some(line) => line.at(lane),
            None => {
                let mut squares = stand.squares;
                slice.runner().into_iter().for_each(|runner| squares[runner] = lane);
                let entry = link.entry(side, &squares);
                index.encode(&entry.squares[..index.men().len()]).expect("Kings apart")
            }
        };
        let slices = &all[section * self.structures() as usize..];
        for lane in slice.legal(&stand, side) {
            let number = number(lane);
            let scores = &slices[(number / self.slice_numbers()) as usize].scores;
            let score = scores[(number % self.slice_numbers()) as usize].score();
            let score = if entry.swapped { score.swap_colors() } else { score };
            results[place(score)] |= lane.bit().0;
        }
        results
    }
}

impl FinishedTurns<'_, '_> {
    /// Counts the turns in the positions of some numbers of the slice; for numbers that are no
    /// positions it means nothing.
    ///
    /// # Errors
    /// If a table that turns lead to is missing or damaged, or there is no room.
    pub fn count(&self, numbers: Range<u64>) -> Result<Vec<TurnCounts>, BuildError> {
        let FinishedTurns { table, id, slice, .. } = self;
        let FinishedTable { index, cache, .. } = table;
        let reached = cache.reached(&id.material, id.structure..id.structure + 1)?;
        let all = [LookupRound::together(cache.rounds(id.mode, &reached)?)];
        let pages = cache.resident(&id.material, &all, 0)?;
        let ladder = table.ladder(*id);
        let conversions = Conversions::new(&*ladder, &id.material, &pages);
        let classes = slice.classes_like(index).unwrap_or(1);
        let (words, size) = (slice.words() / classes, table.slice_numbers() as usize / classes);
        let first = numbers.start as usize / size * words;
        let last = (numbers.end as usize).div_ceil(size) * words;
        let rows = parallel::map(first..last.min(slice.words()), MIN_WORDS, |_, word| {
            self.count_word(word, &conversions)
        });
        let mut counts = vec![TurnCounts::default(); (numbers.end - numbers.start) as usize];
        let row = |place: usize| &rows[place / 64 - first][place % 64];
        let order = IndexOrder::new(index, slice).starting_at(numbers.start);
        order.sort(|place| *row(place), &mut counts);
        Ok(counts)
    }

    /// Counts the turns in each lane of a word.
    fn count_word(&self, word: usize, conversions: &Conversions<'_, i16>) -> [TurnCounts; 64] {
        let FinishedTurns { id, slice, after, .. } = self;
        let none = [TurnCounts::default(); 64];
        let Some(stand) = slice.stand(word) else { return none };
        let lanes = slice.legal(&stand, id.side);
        if lanes.is_empty() {
            return none;
        }
        let word = Word { slice, stand: &stand, side: id.side, lanes };
        let mut counts = <[LaneCounts; 3]>::default();
        let free = lanes & !word.bound();
        slice.count_moves(&stand, id.side, free, |word| after[word], &mut counts);
        let all = |_: &_| true;
        conversions.each(&word, all, |lanes, _, after| counts[place(after)].add(lanes));
        by_lane(|lane| {
            let lane = Square::new(lane as u8);
            let counts = || counts.each_ref().map(|counts| counts.get(lane));
            TurnCounts(if lanes.contains(lane) { counts() } else { [0; 3] })
        })
    }
}
