//! Settles a slice from both ends of the ladder: each half from its end towards the value of
//! infinite play.
//!
//! What settles in a step notifies exactly the positions that have a turn to it: one option is
//! enough for the hero, and a villain so notified looks whether it has an option left, stopping at
//! the first. Words lie in blocks, and a step skips the blocks without a notified position.
//!
//! Words of the same class of leading men are settled by the same thread, so most notifications are
//! plain writes of that thread, much cheaper than the atomic ones to words of other threads.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};

use super::{
    decided::Decided,
    score_store::{ScoreStore, StoreStretch},
};
use crate::solve::engine::slice::{QuietTurns, Sets, Slice, Word, side_first};
use crate::{
    answer::score::Score,
    board::{Bitboard, Color},
    parallel::{self, chunks},
};

/// Words a block: one flag for each keeps a step over a table of which little changes short, and
/// one flag a word would be as much to look at as the words.
pub const BLOCK: usize = 64;

/// Settles the `open` positions worth more to White than the first score, or more to Black than the
/// second, which are then open no longer.
///
/// On entry the store has the score of the best exit of each position, or the score of the position
/// itself if the game is over there. `decided`, if it is given, is narrowed down.
///
/// # Panics
/// If a distance exceeds half of [`Store::SPAN`](crate::answer::score::Store::SPAN).
pub fn settle_beyond<S: ScoreStore>(
    slice: &Slice,
    turns: &impl QuietTurns,
    open: &mut Sets,
    store: &mut S,
    floors: [Score; 2],
    decided: Option<&Decided>,
) -> Result<(), S::Error> {
    Color::ALL
        .into_iter()
        .zip(floors)
        .try_for_each(|half| HalfPass::new(slice, turns, half, decided).run(open, store))
}

/// One half of the ladder.
struct HalfPass<'a, T> {
    slice: &'a Slice,
    turns: &'a T,
    hero: Color,
    /// Only scores better for the hero settle.
    floor: Score,
    /// Positions with a turn to one that settled in the last step.
    notified: [Notified; 2],
    /// Where those of this step are noted that the hero must not see before the next one.
    notified_next: Option<Notified>,
    decided: Option<&'a Decided>,
}

/// Positions with a turn to one that has settled.
struct Notified {
    /// By words that the same thread settles.
    near: Vec<u64>,
    /// By any others.
    far: Vec<AtomicU64>,
    /// The blocks that have any.
    blocks: Vec<AtomicBool>,
}

impl Notified {
    fn empty(words: usize) -> Notified {
        Notified {
            near: vec![0; words],
            far: (0..words).map(|_| AtomicU64::new(0)).collect(),
            blocks: (0..words.div_ceil(BLOCK)).map(|_| AtomicBool::new(false)).collect(),
        }
    }
}

/// Notes that a position of a block has been notified.
#[inline]
fn wake(block: &AtomicBool) {
    if !block.load(Relaxed) {
        block.store(true, Relaxed);
    }
}

/// Takes away what a variable had, which no other thread uses at the moment.
#[inline]
fn take(lanes: &AtomicU64) -> u64 {
    let taken = lanes.load(Relaxed);
    if taken != 0 {
        lanes.store(0, Relaxed);
    }
    taken
}

impl<'a, T: QuietTurns> HalfPass<'a, T> {
    /// The half of the ladder in which the hero does better than the floor. What turns that are
    /// left out decide is noted in `decided`, if it is asked for.
    fn new(
        slice: &'a Slice,
        turns: &'a T,
        (hero, floor): (Color, Score),
        decided: Option<&'a Decided>,
    ) -> Self {
        let notified = || Notified::empty(slice.words());
        HalfPass {
            slice,
            turns,
            hero,
            floor,
            notified: [notified(), notified()],
            notified_next: None,
            decided,
        }
    }

    /// Settles what does better than the floor; `open` positions have not settled.
    ///
    /// # Panics
    /// If a distance exceeds half of [`Store::SPAN`](crate::answer::score::Store::SPAN).
    fn run<S: ScoreStore>(mut self, open: &mut Sets, store: &mut S) -> Result<(), S::Error> {
        let mut last: Option<Score> = None;
        let (hero, floor) = (self.hero, self.floor.seen_by(self.hero));
        store.begin(hero, self.floor);
        loop {
            let score = match last.map(Score::later::<S::Store>).or_else(|| store.next_pending()) {
                Some(score) if score.seen_by(hero) > floor => score,
                _ => return Ok(()),
            };
            assert!(last != Some(score), "distances fit the ladder");
            // The villain first: what the hero settles now is one ply too late for it.
            let work = [!hero, hero].map(|side| self.has_work(side, score, store));
            if work == [true; 2] && self.notified_next.is_none() {
                self.notified_next = Some(Notified::empty(self.slice.words()));
            }
            let mut settled = false;
            for (side, _) in [!hero, hero].into_iter().zip(work).filter(|&(_, work)| work) {
                settled |= self.step(side, store.stretches(side, score), open)?;
            }
            last = settled.then_some(score);
            if let Some(next) = &mut self.notified_next {
                std::mem::swap(&mut self.notified[hero.index()], next);
            }
        }
    }

    /// Whether a position with `side` to move may be worth `score`.
    fn has_work(&self, side: Color, score: Score, store: &impl ScoreStore) -> bool {
        let notified = &self.notified[side.index()].blocks;
        notified.iter().any(|notified| notified.load(Relaxed)) || store.is_due(side, score)
    }

    /// Settles positions with `side` to move; tells whether there were any.
    fn step<R: StoreStretch + Send>(
        &mut self,
        side: Color,
        stretches: Vec<R>,
        open: &mut Sets,
    ) -> Result<bool, R::Error> {
        let &mut HalfPass { slice, turns, hero, decided, .. } = self;
        let HalfPass { notified, notified_next, .. } = self;
        let me = side.index();
        let together = slice.words_a_stretch();
        let [open, others] = side_first(open, me);
        let [mine, notified] = side_first(notified, me);
        let notified =
            if side == hero { notified } else { notified_next.as_mut().unwrap_or(notified) };
        let step = PassStep {
            slice,
            turns,
            hero,
            side,
            others,
            mine: (&mine.far, &mine.blocks),
            notified: (&notified.far, &notified.blocks),
            decided,
        };
        let near = chunks(&mut mine.near[..], together);
        let notified = chunks(&mut notified.near[..], together);
        let words = (stretches, chunks(&mut open[..], together), (near, notified));
        let settled = parallel::try_map(words, 1, |task, (stretch, open, (near, notified))| {
            step.settle(StepWords { first: task * together, stretch, open, near, notified })
        })?;
        Ok(settled.contains(&true))
    }
}

/// What threads share in one step.
struct PassStep<'a, T> {
    slice: &'a Slice,
    turns: &'a T,
    hero: Color,
    /// Who is to move.
    side: Color,
    /// The open positions with the other side to move.
    others: &'a [u64],
    /// The positions of this side that other threads have notified, and the blocks that have any.
    mine: (&'a [AtomicU64], &'a [AtomicBool]),
    /// The same of the other side, for the next step.
    notified: (&'a [AtomicU64], &'a [AtomicBool]),
    decided: Option<&'a Decided>,
}

/// The words that a thread settles one after the other.
struct StepWords<'a, R> {
    /// The first of them.
    first: usize,
    stretch: R,
    open: &'a mut [u64],
    /// Those notified by each other.
    near: &'a mut [u64],
    /// Those of the other side that they notify.
    notified: &'a mut [u64],
}

impl<T: QuietTurns> PassStep<'_, T> {
    /// Settles some words; tells whether there were any to settle.
    fn settle<R: StoreStretch>(&self, mut words: StepWords<'_, R>) -> Result<bool, R::Error> {
        words.stretch.begin()?;
        let mut settled = false;
        for start in (0..words.open.len()).step_by(BLOCK) {
            let block = start..words.open.len().min(start + BLOCK);
            let flag = &self.mine.1[(words.first + start) / BLOCK];
            let was_notified = flag.load(Relaxed);
            if !was_notified && !words.stretch.is_due(block.clone()) {
                continue;
            }
            flag.store(false, Relaxed);
            for at in block {
                settled |= self.settle_word(&mut words, at, was_notified);
            }
        }
        words.stretch.finish()?;
        Ok(settled)
    }

    /// Settles one word.
    #[inline]
    fn settle_word<R: StoreStretch>(
        &self,
        words: &mut StepWords<'_, R>,
        at: usize,
        was_notified: bool,
    ) -> bool {
        let &PassStep { slice, turns, hero, side, others, .. } = self;
        let word = words.first + at;
        let (stretch, open) = (&mut words.stretch, &mut words.open[at]);
        let exits = stretch.take_due(at, *open);
        let mut lanes = exits;
        if was_notified {
            lanes |= (std::mem::take(&mut words.near[at]) | take(&self.mine.0[word])) & *open;
        }
        if lanes == 0 {
            return false;
        }
        if side != hero {
            lanes &= !stretch.pending(at);
            if lanes == 0 {
                return false;
            }
        }
        let stand = slice.stand(word).expect("legal lanes stand somewhere");
        if side != hero {
            let word = Word { slice, stand: &stand, side, lanes: Bitboard(lanes) };
            lanes &= !turns.reach(&word, &|word| others[word]);
            if lanes == 0 {
                return false;
            }
        }
        *open &= !lanes;
        stretch.settle(at, lanes);
        if let Some(decided) = self.decided {
            decided.settle(side, word, lanes, exits);
        }
        let (far, blocks) = self.notified;
        let settled = Word { slice, stand: &stand, side, lanes: Bitboard(lanes) };
        turns.unmove(&settled, |word, lanes| {
            let lanes = lanes & others[word];
            if lanes == 0 {
                return;
            }
            if let Some(near) = words.notified.get_mut(word.wrapping_sub(words.first)) {
                *near |= lanes;
                wake(&blocks[word / BLOCK]);
            } else if lanes & !far[word].load(Relaxed) != 0 {
                // To look first is much cheaper than to write what is there already.
                far[word].fetch_or(lanes, Relaxed);
                wake(&blocks[word / BLOCK]);
            }
        });
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        answer::score::Store,
        board::Square,
        rules::Laws,
        solve::engine::{
            ladder::{ResidentScores, fill},
            slice::{PieceMoves, legal_positions},
            spill::{Budget, ScratchArray},
        },
    };

    fn draw() -> Score {
        Score::new::<i16>(0, None, 0)
    }

    /// The score of a position without quiet moves, and of captures, which all draw here; `None` if
    /// there are neither.
    fn outside(word: &Word<'_>, lane: Square) -> Option<Score> {
        let setup = word.setup(lane);
        let moves = setup.moves(&Laws::ORTHODOX);
        let captures = moves.iter().any(|&mv| setup.is_capture(mv));
        let lost = if word.side == Color::White { -1 } else { 1 };
        match moves.is_empty() {
            true if setup.in_check(word.side) => Some(Score::new::<i16>(lost, Some(0), 0)),
            true => Some(draw()),
            false => captures.then_some(draw()),
        }
    }

    fn settled(slice: &Slice) -> [ScratchArray<i16>; 2] {
        let budget = Budget::new(u64::MAX, "none");
        let cells = || budget.array(slice.words() * 64, i16::NONE).unwrap();
        let mut scores = [cells(), cells()];
        let mut open = legal_positions(slice);
        for side in Color::ALL {
            for (number, &lanes) in open[side.index()].iter().enumerate() {
                let Some(stand) = slice.stand(number) else { continue };
                let word = Word { slice, stand: &stand, side, lanes: Bitboard(lanes) };
                for lane in word.lanes {
                    let score = outside(&word, lane).map_or(i16::NONE, i16::keep);
                    scores[side.index()][number * 64 + lane.number()] = score;
                }
            }
        }
        let mut store = ResidentScores::of(slice, &mut scores);
        let Ok(()) = settle_beyond(slice, &PieceMoves, &mut open, &mut store, [draw(); 2], None);
        fill(&open, &mut scores, draw());
        scores
    }

    #[test]
    fn every_score_is_the_best_of_those_a_ply_later() {
        for (material, longest) in [("KRvK", 32), ("KvKQ", 20), ("KRvKN", 0)] {
            let slice = Slice::of_pieces(material);
            let scores = settled(&slice);
            let mut farthest = 0;
            for (side, lanes) in Color::ALL.into_iter().zip(legal_positions(&slice)) {
                for (number, lanes) in lanes.into_iter().enumerate() {
                    let Some(stand) = slice.stand(number) else { continue };
                    let word = Word { slice: &slice, stand: &stand, side, lanes: Bitboard(lanes) };
                    for lane in word.lanes {
                        let setup = word.setup(lane);
                        let moves = setup.moves(&Laws::ORTHODOX).into_iter();
                        let quiet = moves.filter(|&mv| !setup.is_capture(mv)).map(|mv| {
                            let here =
                                word.squares(lane).map(|at| if at == mv.from { mv.to } else { at });
                            let (word, lane) = slice.locate(&here[..slice.men().len()]).unwrap();
                            let cell = scores[(!side).index()][word * 64 + lane.number()];
                            cell.score().later::<i16>()
                        });
                        let expected = Score::best(side, quiet.chain(outside(&word, lane)));
                        let found = scores[side.index()][number * 64 + lane.number()].score();
                        assert_eq!(Some(found), expected, "{material}: {setup:?}");
                        farthest = farthest.max(found.distance::<i16>().unwrap_or(0));
                    }
                }
            }
            // As every book on endgames has it; nobody wins by force with a Rook against a Knight
            // that is never lost.
            assert!(longest == 0 || farthest == longest, "{material}: {farthest} plies");
        }
    }
}
