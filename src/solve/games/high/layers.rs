//! The layers of one slice: T(vW) of every position, for vW = 1, 2, …, V.

use std::{
    io,
    sync::atomic::{AtomicBool, Ordering::Relaxed},
};

use super::{distance::white_low, landings::StaircaseContext, mates::MovesAndPass};
use crate::{
    board::{Bitboard, Color},
    parallel::{self, Share},
    rules::High,
    solve::engine::{
        clock::LayerLog,
        lanes::{NumberLanes, RowWork, with_widest_rows},
        slice::{MIN_WORDS, Sets, Slice, Stand, legal_positions, side_first},
        spill::{Budget, ScratchArray},
    },
};

/// T of every position in each layer, for each side to move, and the legal positions.
pub(super) type SolvedLayers = ([LayerLog; 2], Sets);

/// Solves all layers of a slice.
///
/// # Errors
/// If scratch space is lacking.
pub(super) fn solve_layers(
    context: &StaircaseContext<'_>,
    slice: &Slice,
    budget: &Budget,
) -> io::Result<SolvedLayers> {
    with_widest_rows(StaircaseWork { context, slice, budget })
}

/// What [`solve_layers`] is asked for.
struct StaircaseWork<'a, 'c> {
    context: &'a StaircaseContext<'c>,
    slice: &'a Slice,
    budget: &'a Budget,
}

impl RowWork for StaircaseWork<'_, '_> {
    type Done = io::Result<SolvedLayers>;

    fn with<B: NumberLanes<Value = u8>, S: NumberLanes<Value = i16>>(self) -> Self::Done {
        SliceLayers::<B>::new(self.context, self.slice, self.budget)?.run(self.budget)
    }
}

/// One slice while its layers are solved, with rows of bytes.
struct SliceLayers<'a, R> {
    game: &'a High,
    slice: &'a Slice,
    legal: Sets,
    /// Words whose lanes must be computed again, per side to move.
    dirty: [Vec<AtomicBool>; 2],
    /// Of each word, the lanes that changed in this layer, until the next begins.
    changed: [Vec<Bitboard>; 2],
    /// T in this layer.
    steps: [ScratchArray<R>; 2],
    /// The rows of the positions each side moves to, as that side counts: White's options are T,
    /// Black's 255 − T, so that both take the greater one and 0 is none.
    views: [ScratchArray<R>; 2],
    /// The best vital turn: T of White's; of Black's, the least vW at which White wins after all
    /// of them, or 0 if there is none.
    vital: [ScratchArray<R>; 2],
}

impl<'a, R: NumberLanes<Value = u8>> SliceLayers<'a, R> {
    /// A slice before its first layer.
    fn new(
        context: &'a StaircaseContext<'_>,
        slice: &'a Slice,
        budget: &Budget,
    ) -> io::Result<SliceLayers<'a, R>> {
        let words = slice.words();
        let full = context.game.vitality.points();
        let legal = legal_positions(slice);
        let flags = || (0..words).map(|_| AtomicBool::new(true)).collect();
        let rows = |row: &(dyn Fn(&Stand) -> R + Sync)| {
            let mut rows = budget.array(words, R::NONE)?;
            parallel::each(&mut rows[..], MIN_WORDS, |word, to| {
                if let Some(stand) = slice.stand(word) {
                    *to = row(&stand);
                }
            });
            io::Result::Ok(rows)
        };
        let vital = |side: Color| {
            rows(&|stand| {
                let lanes = Bitboard(legal[side.index()][stand.word]);
                vital_row(context, slice, side, stand, lanes)
            })
        };
        let vital = [vital(Color::White)?, vital(Color::Black)?];
        // Before the first layer White wins nothing.
        let views = [
            budget.written_zeros(words)?,
            rows(&|stand| {
                let costly = costly_to_black(slice, stand, &legal);
                let lanes = Bitboard(legal[Color::White.index()][stand.word]);
                black_view(full, costly, R::NONE).only(lanes)
            })?,
        ];
        let steps = [budget.written_zeros(words)?, budget.written_zeros(words)?];
        let dirty = [flags(), flags()];
        let changed = [vec![Bitboard::EMPTY; words], vec![Bitboard::EMPTY; words]];
        Ok(SliceLayers { game: context.game, slice, legal, dirty, changed, steps, views, vital })
    }

    fn run(mut self, budget: &Budget) -> io::Result<SolvedLayers> {
        let full = self.game.vitality.points();
        let mut logs = [0, 1].map(|_| LayerLog::new(self.slice, budget));
        for white in 1..=full {
            self.begin(white);
            let mut before = Rise::NONE;
            while self.dirty.iter().flatten().any(|word| word.load(Relaxed)) {
                let rise = Color::ALL.map(|side| self.sweep(side, white));
                let rise = rise[0].and(rise[1]);
                // Not the first time, when what is new in this layer raises lanes.
                if rise.is_level && rise.lanes == before.lanes && rise.lanes > 0 {
                    self.lift(rise);
                }
                before = rise;
            }
            let sides = self.steps.iter().zip(&mut self.changed);
            for (log, (steps, changed)) in logs.iter_mut().zip(sides) {
                log.advance(white.into(), changed, |word| &steps[word].values()[..])?;
            }
        }
        Ok((logs, self.legal))
    }

    /// Turns to the next layer: positions that cost White a point to reach now show what they were
    /// worth in the layer before, and some vital turns of Black begin to lose.
    fn begin(&mut self, white: u8) {
        let (slice, game, dirty) = (self.slice, self.game, &self.dirty);
        let [changed_for_white, changed_for_black] = &mut self.changed;
        changed_for_white.fill(Bitboard::EMPTY);
        let legal = &self.legal[Color::Black.index()];
        let steps = &self.steps[Color::Black.index()];
        let vital = &self.vital[Color::Black.index()];
        let views = (&mut self.views[Color::White.index()][..], &mut changed_for_black[..]);
        parallel::each(views, MIN_WORDS, |word, (view, changed)| {
            if vital[word].values().contains(&white) {
                dirty[Color::Black.index()][word].store(true, Relaxed);
            }
            let changed = std::mem::take(changed);
            let lanes = Bitboard(legal[word]);
            // What has not changed in the layer before is seen already.
            if lanes.is_empty() || changed.is_empty() && white > 1 {
                return;
            }
            let Some(stand) = slice.stand(word) else { return };
            let low = low_lanes(slice, &stand, Color::White);
            // A mated Black has lost whatever White's vitality, even with White's last point.
            let before = if white == 1 {
                let full = game.vitality.points();
                R::all(full).only(slice.mated(&stand, Color::Black, &self.legal))
            } else {
                steps[word]
            };
            let change = R::with_registers(
                #[inline(always)]
                || view.replace(before.or_else(low, *view).only(lanes)),
            );
            if !change.is_empty() {
                MovesAndPass.readers(slice, &stand, Color::White, |reader| {
                    dirty[Color::White.index()][reader].store(true, Relaxed);
                });
            }
        });
    }

    /// Computes the dirty rows of a side anew, and tells who reads those that change.
    fn sweep(&mut self, side: Color, white: u8) -> Rise {
        let (me, other) = (side.index(), (!side).index());
        let full = self.game.vitality.points();
        let (slice, legal) = (self.slice, &self.legal);
        let (dirty, vital) = (&self.dirty, &self.vital[me]);
        let [seen, shown] = side_first(&mut self.views, me);
        let seen = &*seen;
        let rows = (&mut self.steps[me][..], &mut shown[..], &mut self.changed[me][..]);
        let rises = parallel::gather(rows, MIN_WORDS, &|first, rows| {
            let mut all = Rise::NONE;
            for (word, (steps, shown, changed)) in (first..).zip(rows.items()) {
                if !dirty[me][word].load(Relaxed) {
                    continue;
                }
                dirty[me][word].store(false, Relaxed);
                let lanes = Bitboard(legal[me][word]);
                let Some(stand) = slice.stand(word).filter(|_| !lanes.is_empty()) else { continue };
                let (change, rise) = R::with_registers(
                    #[inline(always)]
                    || {
                        let best = slice.quiet(&stand, side, seen).join(seen[word]);
                        let before = *steps;
                        let now = steps_of(side, best, vital[word], (full, white)).only(lanes);
                        let change = steps.replace(now);
                        (change, Rise::of(before, now, change, full))
                    },
                );
                if change.is_empty() {
                    continue;
                }
                *changed |= change;
                if !show(slice, legal, (side, &stand), (full, *steps), shown).is_empty() {
                    MovesAndPass.readers(slice, &stand, !side, |reader| {
                        dirty[other][reader].store(true, Relaxed);
                    });
                }
                all = all.and(rise);
            }
            all
        });
        rises.into_iter().fold(Rise::NONE, Rise::and)
    }

    /// Lets lanes be full at once that would rise to the top one by one: those that the last two
    /// sweeps have raised by one, if they are all that had as much or more and were not full.
    ///
    /// Call these lanes R, and all others S. That every further pair of sweeps raises R by one and
    /// leaves S alone, until R is full, follows by induction from:
    ///
    /// 1. A lane is the best (with Black to move the worst, for White) of what its quiet turns lead
    ///    to, some of them plus the point that they cost, of what the layer before has, and of its
    ///    vital turns.
    /// 2. The last two do not change within a layer, and have been looked at since its first
    ///    sweeps. So a change of a lane comes from a change of what its quiet turns lead to.
    /// 3. A lane of R with White to move has risen since a turn of it leads to a lane of R; that
    ///    one is raised again, by one, and by 1 so is this one, for no turn leads to anything that
    ///    rises more.
    /// 4. A lane of R with Black to move has risen since all its turns that were least led to R;
    ///    the others lead to lanes that are full, or stay above it as long as it is not full: what
    ///    is not in R and not full has less than R has, and would have been the least.
    /// 5. A lane of S that is not full has less than R. With White to move it has no turn into R,
    ///    for that would have raised it; with Black to move it has a turn to another lane of S,
    ///    which is worth less than all that rises, and stays.
    fn lift(&mut self, rise: Rise) {
        let full = self.game.vitality.points();
        let (slice, legal) = (self.slice, &self.legal);
        let high = |row: &R| row.at_least(rise.least) & !row.at_least(full);
        let count = |steps: &ScratchArray<R>| -> usize {
            let count = |row: &R| {
                R::with_registers(
                    #[inline(always)]
                    || high(row).len(),
                )
            };
            let counts = parallel::gather(&steps[..], MIN_WORDS, &|_, rows: &[R]| {
                rows.iter().map(count).sum::<usize>()
            });
            counts.into_iter().sum()
        };
        if self.steps.iter().map(count).sum::<usize>() != rise.lanes {
            return;
        }
        for side in Color::ALL {
            let me = side.index();
            let shown = &mut self.views[(!side).index()][..];
            let rows = (&mut self.steps[me][..], shown, &mut self.changed[me][..]);
            parallel::each(rows, MIN_WORDS, |word, (steps, shown, changed)| {
                let lanes = R::with_registers(
                    #[inline(always)]
                    || {
                        let lanes = high(steps);
                        *steps = R::all(full).or_else(lanes, *steps);
                        lanes
                    },
                );
                if lanes.is_empty() {
                    return;
                }
                *changed |= lanes;
                let stand = slice.stand(word).expect("legal lanes stand somewhere");
                show(slice, legal, (side, &stand), (full, *steps), shown);
            });
        }
    }
}

/// Lets the other side see the steps of a word, `full` being the most; returns the lanes that look
/// different then.
#[inline(always)]
fn show<R: NumberLanes<Value = u8>>(
    slice: &Slice,
    legal: &Sets,
    (side, stand): (Color, &Stand),
    (full, steps): (u8, R),
    shown: &mut R,
) -> Bitboard {
    let costly = match side {
        Color::White => costly_to_black(slice, stand, legal),
        Color::Black => low_lanes(slice, stand, Color::White),
    };
    let lanes = Bitboard(legal[side.index()][stand.word]);
    R::with_registers(
        #[inline(always)]
        || {
            shown.replace(match side {
                Color::White => black_view(full, costly, steps).only(lanes),
                // What White sees, but for turns that cost a point: they see the layer before.
                Color::Black => shown.or_else(costly, steps),
            })
        },
    )
}

/// What sweeps have raised.
#[derive(Copy, Clone)]
struct Rise {
    /// How many lanes that are not full now.
    lanes: usize,
    /// What the least of those raised was before.
    least: u8,
    /// Whether all rose by one.
    is_level: bool,
}

impl Rise {
    /// Nothing.
    const NONE: Rise = Rise { lanes: 0, least: u8::MAX, is_level: true };

    /// What the `change` of a row is.
    #[inline(always)]
    fn of<R: NumberLanes<Value = u8>>(before: R, now: R, change: Bitboard, full: u8) -> Rise {
        let lanes = (change & !now.at_least(full)).len();
        let mut least = u8::MAX;
        for &value in before.or_else(change, R::all(u8::MAX)).values() {
            least = least.min(value);
        }
        Rise { lanes, least, is_level: now.minus(before) == R::all(1).only(change) }
    }

    fn and(self, other: Rise) -> Rise {
        Rise {
            lanes: self.lanes + other.lanes,
            least: self.least.min(other.least),
            is_level: self.is_level && other.is_level,
        }
    }
}

/// T in layer vW, V being full, of positions in which the side to move has these best options and
/// best vital turns.
#[inline(always)]
fn steps_of<R: NumberLanes<Value = u8>>(
    side: Color,
    best: R,
    vital: R,
    (full, white): (u8, u8),
) -> R {
    if side == Color::White {
        return best.join(vital);
    }
    let vital = vital.map(
        #[inline(always)]
        |from| black_vital(full, from, white),
    );
    best.join(vital).map(
        // No option at all: mated.
        #[inline(always)]
        |option| if option == 0 { full } else { 255 - option },
    )
}

/// What Black sees of positions with White to move: a point more for White where the turn that
/// leads there [costs Black one](costly_to_black).
#[inline(always)]
fn black_view<R: NumberLanes<Value = u8>>(full: u8, costly: Bitboard, steps: R) -> R {
    let paid = steps.map(
        #[inline(always)]
        |step| full.min(step + 1),
    );
    R::all(255).minus(paid.or_else(costly, steps))
}

/// The lanes with White to move where it matters that the turn that leads there costs Black a
/// point: mated White has lost whatever it costs.
fn costly_to_black(slice: &Slice, stand: &Stand, legal: &Sets) -> Bitboard {
    low_lanes(slice, stand, Color::Black) & !slice.mated(stand, Color::White, legal)
}

/// A vital turn of Black in layer vW, as Black counts; `from` is 0 if there is none.
#[inline(always)]
fn black_vital(full: u8, from: u8, white: u8) -> u8 {
    match from {
        0 => 0,
        from if white >= from => 255 - full,
        _ => 255,
    }
}

/// The best vital turn of `side` in each lane, as [`SliceLayers::vital`] keeps it.
fn vital_row<R: NumberLanes<Value = u8>>(
    context: &StaircaseContext<'_>,
    slice: &Slice,
    side: Color,
    stand: &Stand,
    lanes: Bitboard,
) -> R {
    let mut row = [0; 64];
    slice.conversions(stand, side, lanes, |turn, lanes, squares| {
        let worth = context.landings.worth(side, context.landing(slice, turn, side, squares));
        for lane in lanes {
            let best = &mut row[lane.number()];
            *best = worth.max(*best);
        }
    });
    R::from_values(row)
}

/// The lanes in which `side` is Low.
fn low_lanes(slice: &Slice, stand: &Stand, side: Color) -> Bitboard {
    let white = white_low(slice, stand);
    if side == Color::White { white } else { !white }
}
