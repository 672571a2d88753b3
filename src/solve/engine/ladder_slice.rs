//! One slice of a game with a ladder, solved in three steps: it is laid out, the turns out of it are
//! met (all at once, or some at a time), and it is settled.

use std::{cell::RefCell, io};

use rayon::prelude::*;

use super::{
    conversions::{Conversions, bound},
    ladder::{self, MIN_WORDS, QuietTurns, Sets},
    ladder_game::{LadderGame, WaysOut},
    library::{LadderDrop, LadderLinks},
    scratch::{Budget, Scratch},
    settle,
    slice::{Conversion, Slice, Stand},
    word::Word,
};
use crate::{
    answer::score::{Score, Store, offer},
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
    cells: BothSides<G::Store>,
    /// The same of captures and promotions alone, if somebody wants to know.
    changes: Option<BothSides<G::Store>>,
}

/// A number for every word and lane, per side to move.
pub type BothSides<S> = [Scratch<S>; 2];

/// A slice with its scores, per side to move in the order of its words and lanes.
pub struct Solved<S> {
    /// The slice.
    pub slice: Slice,
    /// The scores of its positions.
    pub cells: BothSides<S>,
    /// The best score of a capture or promotion, if it was asked for.
    pub changes: Option<BothSides<S>>,
}

impl<'a, G: LadderGame> LadderSlice<'a, G> {
    /// A slice of a material of which no turn that leaves it has been met. With `note_changes` it is
    /// noted what captures and promotions are worth.
    ///
    /// # Errors
    /// If scratch space is lacking.
    pub fn new(
        game: &'a G,
        material: &Material,
        slice: Slice,
        note_changes: bool,
        budget: &Budget,
    ) -> io::Result<Self> {
        let legal = ladder::legal_positions(&slice);
        let over = if G::ENDS_EARLY { ended(game, &slice, &legal) } else { Vec::new() };
        let goes_on = if over.is_empty() { None } else { Some(without(&legal, &over)) };
        let open = goes_on.as_ref().unwrap_or(&legal);
        let bound = game.laws().must_capture.then(|| compelled(game, &slice, open));
        let quiet = Compelled { turns: game.quiet(), bound };
        let empty = || -> io::Result<BothSides<G::Store>> {
            let cells = slice.words() * 64;
            Ok([budget.array(cells, G::Store::NONE)?, budget.array(cells, G::Store::NONE)?])
        };
        let (cells, changes) = (empty()?, note_changes.then(empty).transpose()?);
        let material = *material;
        Ok(LadderSlice { game, material, slice, legal, over, goes_on, quiet, cells, changes })
    }

    /// Meets the turns that leave the slice, as far as `conversions` tells what they lead to.
    pub fn leave(&mut self, conversions: &Conversions<'_, G>) {
        let LadderSlice { game, slice, legal, goes_on, cells, changes, .. } = self;
        let goes_on = goes_on.as_ref().unwrap_or(legal);
        for side in Color::ALL {
            let lanes = |number: usize| Bitboard(goes_on[side.index()][number]);
            let leave = |number: usize, row: &mut [G::Store], ways: &dyn WaysOut<G::Store>| {
                let lanes = lanes(number);
                let stand = slice.stand(number).expect("legal lanes stand somewhere");
                let word = Word { slice, stand: &stand, side, lanes };
                game.leaving(ways, &word, &mut |lanes, score| {
                    lanes.for_each(|lane| offer(&mut row[lane.number()], side, Store::keep(score)));
                });
            };
            let rows = cells[side.index()].par_chunks_mut(64).with_min_len(MIN_WORDS);
            match changes {
                None => rows
                    .enumerate()
                    .filter(|(number, _)| !lanes(*number).is_empty())
                    .for_each(|(number, row)| leave(number, row, conversions)),
                Some(changes) => {
                    let changes = changes[side.index()].par_chunks_mut(64);
                    let rows = rows.zip(changes).enumerate();
                    rows.filter(|(number, _)| !lanes(*number).is_empty()).for_each(
                        |(number, (row, changes))| {
                            let ways = Noting { conversions, changes: RefCell::new(changes) };
                            leave(number, row, &ways);
                        },
                    );
                }
            }
        }
    }

    /// Settles all positions; every turn that leaves the slice has been met.
    pub fn settle(self) -> Solved<G::Store> {
        let LadderSlice { game, material, slice, legal, over, goes_on, quiet, mut cells, changes } =
            self;
        let open = goes_on.as_ref().unwrap_or(&legal);
        for side in Color::ALL {
            let rows = cells[side.index()].par_chunks_mut(64).with_min_len(MIN_WORDS);
            rows.enumerate().for_each(|(number, row)| {
                let lanes = Bitboard(open[side.index()][number]);
                if lanes.is_empty() {
                    return;
                }
                let stand = slice.stand(number).expect("legal lanes stand somewhere");
                let word = Word { slice: &slice, stand: &stand, side, lanes };
                for Ended { score, sets } in &over {
                    let targets = &sets[(!side).index()];
                    let lanes = quiet.reach(&slice, &stand, side, lanes.0, &|word| targets[word]);
                    let word = Word { lanes: Bitboard(lanes), ..word };
                    if lanes != 0 {
                        game.ending_turns(&word, *score, &mut |lanes, score| {
                            lanes.for_each(|lane| {
                                offer(&mut row[lane.number()], side, Store::keep(score));
                            });
                        });
                    }
                }
                finish(game, &quiet, &word, row, legal[(!side).index()].as_slice());
            });
        }
        let unsettled = goes_on.unwrap_or(legal);
        settle::settle(&slice, &quiet, unsettled, &mut cells, game.infinite(&material));
        for Ended { score, sets } in &over {
            for (cells, set) in cells.iter_mut().zip(sets) {
                for (word, &lanes) in set.iter().enumerate().filter(|&(_, &lanes)| lanes != 0) {
                    Bitboard(lanes)
                        .for_each(|lane| cells[word * 64 + lane.number()] = Store::keep(*score));
                }
            }
        }
        Solved { slice, cells, changes }
    }
}

/// The turns out of a slice, noting on the way what captures and promotions are worth.
struct Noting<'a, 'c, G: LadderGame> {
    conversions: &'a Conversions<'c, G>,
    /// The row of the word that is being looked at.
    changes: RefCell<&'a mut [G::Store]>,
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
        for (number, &lanes) in legal[side.index()].iter().enumerate().filter(|&(_, &l)| l != 0) {
            let stand = slice.stand(number).expect("legal lanes stand somewhere");
            let word = Word { slice, stand: &stand, side, lanes: Bitboard(lanes) };
            game.over(&word, legal, &mut |over, score| {
                let at = ended.iter().position(|ended| ended.score == score);
                let at = at.unwrap_or_else(|| {
                    let sets = [vec![0; slice.words()], vec![0; slice.words()]];
                    ended.push(Ended { score, sets });
                    ended.len() - 1
                });
                ended[at].sets[side.index()][number] |= over.0 & lanes;
            });
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

/// Gives the lanes without any turn the score of the game's end.
fn finish<G: LadderGame>(
    game: &G,
    quiet: &impl QuietTurns,
    word: &Word<'_>,
    row: &mut [G::Store],
    open: &[u64],
) {
    let &Word { slice, stand, side, lanes } = word;
    let stuck = lanes.filter(|lane| row[lane.number()] == G::Store::NONE).collect::<Bitboard>();
    let ended = stuck & !Bitboard(quiet.reach(slice, stand, side, stuck.0, &|word| open[word]));
    if ended.is_empty() {
        return;
    }
    let checked = slice.checked(stand, side);
    for lane in ended {
        let score = game.terminal(&word.setup(lane).board, side, checked.contains(lane));
        row[lane.number()] = Store::keep(score);
    }
}
