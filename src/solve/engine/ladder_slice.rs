//! One slice of a game with a ladder, solved in three steps: it is laid out, the turns out of it are
//! met (all at once, or some at a time), and it is settled.

use std::{cell::RefCell, io};

use rayon::prelude::*;

use super::{
    cells::{BothSides, Cell, Cells, Ledger, with_rows},
    conversions::{Conversions, bound},
    decided::Decided,
    ladder::{self, MIN_WORDS, QuietTurns, Sets},
    ladder_game::{LadderGame, WaysOut},
    lanes::lanes_where,
    library::{LadderDrop, LadderLinks},
    scratch::Budget,
    settle,
    slice::{Conversion, Slice, Stand},
    word::Word,
};
use crate::{
    answer::score::{Score, Store, better, offer},
    board::{Bitboard, Color, Square},
    index::{MAX_MEN, Material},
};

/// A slice that is being solved.
pub struct LadderSlice<'a, G: LadderGame> {
    game: &'a G,
    material: Material,
    slice: Slice,
    legal: Sets,
    over: Vec<Ended>,
    /// The positions in which the game goes on, where that is not all legal ones.
    goes_on: Option<Sets>,
    quiet: Compelled<G::Quiet>,
    /// Per side to move, in the order of words and lanes: the best score of a turn that leaves the
    /// slice, of those met so far.
    cells: Cells<'a, G::Store>,
    /// Where captures and promotions decide, as far as is known, if somebody wants to know.
    decided: Option<Decided>,
}

/// A slice with its scores, per side to move in the order of its words and lanes.
pub struct Solved<'a, S> {
    /// The slice.
    pub slice: Slice,
    /// The scores of its positions.
    pub cells: Cells<'a, S>,
    /// The positions that a capture or promotion decides, if somebody wanted to know; those that are
    /// not legal may be among them.
    pub decided: Option<Sets>,
}

impl<'a, G: LadderGame> LadderSlice<'a, G> {
    /// A slice of a material of which no turn that leaves it has been met. With `note_decided` it is
    /// noted which positions captures and promotions decide.
    ///
    /// # Errors
    /// If scratch space is lacking.
    pub fn new(
        game: &'a G,
        material: &Material,
        slice: Slice,
        note_decided: bool,
        budget: &'a Budget,
    ) -> io::Result<Self> {
        let legal = ladder::legal_positions(&slice);
        let over = if G::ENDS_EARLY { ended(game, &slice, &legal) } else { Vec::new() };
        let goes_on = if over.is_empty() { None } else { Some(without(&legal, &over)) };
        let open = goes_on.as_ref().unwrap_or(&legal);
        let bound = game.laws().must_capture.then(|| compelled(game, &slice, open));
        let quiet = Compelled { turns: game.quiet(), bound };
        let cells = Cells::empty(slice.words() * 64, G::NARROW, budget)?;
        let decided = note_decided.then(|| Decided::filled(slice.words(), only_changes(material)));
        let material = *material;
        Ok(LadderSlice { game, material, slice, legal, over, goes_on, quiet, cells, decided })
    }

    /// Meets the turns that leave the slice, as far as `conversions` tells what they lead to.
    ///
    /// # Errors
    /// If scratch space is lacking.
    pub fn leave(&mut self, conversions: &Conversions<'_, G>) -> io::Result<()> {
        let mut cells = self.cells.take();
        if !with_rows!(cells.rows(), rows => self.leave_into(rows, conversions)) {
            cells.widen()?;
            with_rows!(cells.rows(), rows => self.leave_into(rows, conversions));
        }
        self.cells = cells;
        Ok(())
    }

    /// The same; tells whether all scores have fitted.
    fn leave_into<C: Cell<G::Store>>(
        &self,
        cells: &mut BothSides<C>,
        conversions: &Conversions<'_, G>,
    ) -> bool {
        let LadderSlice { game, material, slice, legal, goes_on, decided, .. } = self;
        let decided = decided.as_ref().filter(|_| !only_changes(material));
        let goes_on = goes_on.as_ref().unwrap_or(legal);
        Color::ALL.into_iter().all(|side| {
            let leave = |number: usize, best: &mut [G::Store], ways: &dyn WaysOut<G::Store>| {
                let lanes = Bitboard(goes_on[side.index()][number]);
                let stand = slice.stand(number).expect("legal lanes stand somewhere");
                let word = Word { slice, stand: &stand, side, lanes };
                let mut met = Bitboard::EMPTY;
                game.leaving(ways, &word, &mut |lanes, score| {
                    met |= lanes;
                    lanes
                        .for_each(|lane| offer(&mut best[lane.number()], side, Store::keep(score)));
                });
                met
            };
            let rows = cells[side.index()].par_chunks_mut(64).with_min_len(MIN_WORDS).enumerate();
            let rows = rows.filter(|&(number, _)| goes_on[side.index()][number] != 0);
            rows.map(|(number, row)| {
                let before = whole_row(side, row);
                let mut best = before;
                let met = match decided {
                    None => leave(number, &mut best, conversions),
                    Some(decided) => {
                        let changes = RefCell::new([G::Store::NONE; 64]);
                        let noting = Noting { conversions, changes };
                        let met = leave(number, &mut best, &noting);
                        let by_change = equal_lanes(&best, &noting.changes.into_inner());
                        let as_before = equal_lanes(&best, &before);
                        decided.update(side, number, |lanes| by_change | lanes & as_before);
                        met
                    }
                };
                met.into_iter().all(|lane| {
                    let score = Store::score(best[lane.number()]);
                    C::fit(side, score).is_some_and(|cell| {
                        row[lane.number()] = cell;
                        true
                    })
                })
            })
            .all(|fitted| fitted)
        })
    }

    /// Settles all positions; every turn that leaves the slice has been met.
    ///
    /// # Errors
    /// If scratch space is lacking.
    pub fn settle(mut self) -> io::Result<Solved<'a, G::Store>> {
        let mut cells = self.cells.take();
        if !with_rows!(cells.rows(), rows => self.end(rows)) {
            cells.widen()?;
            with_rows!(cells.rows(), rows => self.end(rows));
        }
        let LadderSlice { game, material, slice, legal, over, goes_on, quiet, decided, .. } = self;
        let unsettled = goes_on.unwrap_or(legal);
        let infinite = game.infinite(&material);
        settle::settle(&slice, &quiet, unsettled, &mut cells, infinite, decided.as_ref())?;
        for Ended { score, sets } in &over {
            settle::fill(sets, &mut cells, *score)?;
        }
        Ok(Solved { slice, cells, decided: decided.map(Decided::into_sets) })
    }

    /// Offers turns to where the game is over, and gives those positions their score that have no
    /// turn; tells whether all scores have fitted.
    fn end<C: Cell<G::Store>>(&self, cells: &mut BothSides<C>) -> bool {
        let LadderSlice { game, slice, legal, over, goes_on, quiet, decided, .. } = self;
        let open = goes_on.as_ref().unwrap_or(legal);
        Color::ALL.into_iter().all(|side| {
            let rows = cells[side.index()].par_chunks_mut(64).with_min_len(MIN_WORDS);
            rows.enumerate()
                .map(|(number, row)| {
                    let lanes = Bitboard(open[side.index()][number]);
                    let mut row = Row { side, cells: row, changed: Bitboard::EMPTY, fitted: true };
                    if !lanes.is_empty() {
                        let stand = slice.stand(number).expect("legal lanes stand somewhere");
                        let word = Word { slice, stand: &stand, side, lanes };
                        for Ended { score, sets } in over {
                            let over = |word: usize| sets[(!side).index()][word];
                            let lanes = quiet.reach(slice, &stand, side, lanes.0, &over);
                            let word = Word { lanes: Bitboard(lanes), ..word };
                            if lanes != 0 {
                                game.ending_turns(&word, *score, &over, &mut |lanes, score| {
                                    row.offer::<G::Store>(lanes, score);
                                });
                            }
                        }
                        let stuck = lanes & Bitboard(C::lanes_with(row.cells, C::EMPTY));
                        let word = Word { lanes: stuck, ..word };
                        let open = &legal[(!side).index()];
                        finish(*game, quiet, &word, open, |lanes, score| {
                            row.offer::<G::Store>(lanes, score);
                        });
                    }
                    if let Some(decided) = &decided {
                        decided.update(side, number, |decided| decided & (lanes & !row.changed).0);
                    }
                    row.fitted
                })
                .all(|fitted| fitted)
        })
    }
}

/// The cells of a word, to which scores are offered.
struct Row<'a, C> {
    side: Color,
    cells: &'a mut [C],
    /// The lanes that had none, or a worse one.
    changed: Bitboard,
    /// Whether all scores have fitted.
    fitted: bool,
}

impl<C> Row<'_, C> {
    fn offer<S: Store>(&mut self, lanes: Bitboard, score: Score)
    where
        C: Cell<S>,
    {
        let Some(option) = C::fit(self.side, score) else {
            self.fitted = false;
            return;
        };
        for lane in lanes {
            let cell = &mut self.cells[lane.number()];
            if *cell == C::EMPTY || better(self.side, option, *cell) {
                *cell = option;
                self.changed |= lane.bit();
            }
        }
    }
}

/// The scores of a row as they are kept where all fit.
fn whole_row<S: Store, C: Cell<S>>(side: Color, row: &[C]) -> [S; 64] {
    let mut whole = [S::NONE; 64];
    for lane in Bitboard(!C::lanes_with(row, C::EMPTY)) {
        whole[lane.number()] = S::keep(row[lane.number()].score(side));
    }
    whole
}

/// Whether every turn out of the slices of a material is a capture or promotion.
fn only_changes(material: &Material) -> bool {
    !material.has_pawns() && material.in_reserve() == Material::default()
}

/// The lanes in which two rows have the same.
fn equal_lanes<S: PartialEq>(a: &[S; 64], b: &[S; 64]) -> u64 {
    lanes_where(|lane| a[lane] == b[lane]).0
}

/// The turns out of a slice, noting on the way what captures and promotions are worth.
struct Noting<'a, 'c, G: LadderGame> {
    conversions: &'a Conversions<'c, G>,
    /// For the lanes of the word that is being looked at.
    changes: RefCell<[G::Store; 64]>,
}

impl<G: LadderGame> WaysOut<G::Store> for Noting<'_, '_, G> {
    fn conversions(&self, word: &Word<'_>, meet: &mut dyn FnMut(Bitboard, &Conversion, Score)) {
        let mut changes = self.changes.borrow_mut();
        self.conversions.conversions(word, &mut |lanes, turn, after| {
            if turn.changes_men() {
                let score = Store::keep(after.later::<G::Store>());
                lanes.for_each(|lane| offer(&mut changes[lane.number()], word.side, score));
            }
            meet(lanes, turn, after);
        });
    }

    fn links(&self) -> &LadderLinks<G::Store> {
        self.conversions.links()
    }

    fn dropped(
        &self,
        drop: &LadderDrop<G::Store>,
        side: Color,
        squares: &[Square; MAX_MEN],
    ) -> Option<Score> {
        self.conversions.dropped(drop, side, squares)
    }
}

/// Positions in which the game is over with the same score.
struct Ended {
    score: Score,
    sets: Sets,
}

/// The positions of a slice in which the game is over although there may be turns.
fn ended<G: LadderGame>(game: &G, slice: &Slice, legal: &Sets) -> Vec<Ended> {
    let mut ended: Vec<Ended> = Vec::new();
    for side in Color::ALL {
        let words = legal[side.index()].par_iter().enumerate().with_min_len(MIN_WORDS);
        let over = words.filter(|&(_, &lanes)| lanes != 0).flat_map_iter(|(number, &lanes)| {
            let stand = slice.stand(number).expect("legal lanes stand somewhere");
            let word = Word { slice, stand: &stand, side, lanes: Bitboard(lanes) };
            let mut over = Vec::new();
            game.over(&word, legal, &mut |ended, score| {
                over.push((number, ended.0 & lanes, score));
            });
            over
        });
        for (number, lanes, score) in over.collect::<Vec<_>>() {
            let at = ended.iter().position(|ended| ended.score == score);
            let at = at.unwrap_or_else(|| {
                let sets = [vec![0; slice.words()], vec![0; slice.words()]];
                ended.push(Ended { score, sets });
                ended.len() - 1
            });
            ended[at].sets[side.index()][number] |= lanes;
        }
    }
    ended
}

/// The positions in which the game goes on.
fn without(legal: &Sets, over: &[Ended]) -> Sets {
    let mut left = legal.clone();
    for Ended { sets, .. } in over {
        for (words, out) in left.iter_mut().zip(sets) {
            words.iter_mut().zip(out).for_each(|(word, out)| *word &= !out);
        }
    }
    left
}

/// The positions in which the side to move must capture.
fn compelled<G: LadderGame>(game: &G, slice: &Slice, positions: &Sets) -> Sets {
    Color::ALL.map(|side| {
        let lanes = positions[side.index()].par_iter().with_min_len(MIN_WORDS).enumerate();
        let bound = lanes.map(|(number, &lanes)| {
            let stand = slice.stand(number).filter(|_| lanes != 0);
            stand.map_or(0, |stand| {
                let word = Word { slice, stand: &stand, side, lanes: Bitboard(lanes) };
                bound(&game.laws(), &word).0
            })
        });
        bound.collect()
    })
}

/// Quiet turns where a side that can capture must.
struct Compelled<T> {
    turns: T,
    /// The positions in which the side to move can capture; none where it need not.
    bound: Option<Sets>,
}

impl<T> Compelled<T> {
    #[inline]
    fn free(&self, side: Color, word: usize) -> u64 {
        self.bound.as_ref().map_or(!0, |bound| !bound[side.index()][word])
    }
}

impl<T: QuietTurns> QuietTurns for Compelled<T> {
    #[inline(always)]
    fn reach(
        &self,
        slice: &Slice,
        stand: &Stand,
        side: Color,
        wanted: u64,
        set: &(impl Fn(usize) -> u64 + Sync),
    ) -> u64 {
        match wanted & self.free(side, stand.word) {
            0 => 0,
            wanted => self.turns.reach(slice, stand, side, wanted, set),
        }
    }

    #[inline(always)]
    fn unmove(
        &self,
        slice: &Slice,
        stand: &Stand,
        side: Color,
        lanes: u64,
        mut tell: impl FnMut(usize, u64),
    ) {
        self.turns.unmove(slice, stand, side, lanes, |word, lanes| {
            tell(word, lanes & self.free(side, word));
        });
    }
}

/// Calls `give` with the score of the game's end and the lanes, among those of the word, that have no
/// quiet turn to one of the `open` positions.
fn finish<G: LadderGame>(
    game: &G,
    quiet: &impl QuietTurns,
    word: &Word<'_>,
    open: &[u64],
    mut give: impl FnMut(Bitboard, Score),
) {
    let &Word { slice, stand, side, lanes } = word;
    let ended = lanes & !Bitboard(quiet.reach(slice, stand, side, lanes.0, &|word| open[word]));
    if ended.is_empty() {
        return;
    }
    let checked = slice.checked(stand, side);
    for lane in ended {
        give(lane.bit(), game.terminal(&word.setup(lane).board, side, checked.contains(lane)));
    }
}
