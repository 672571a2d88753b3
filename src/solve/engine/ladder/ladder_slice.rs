//! One slice of a game with a ladder, solved in three steps: it is laid out, its exits are met (all
//! at once, or some at a time), and it is settled.

use std::io;

use super::{
    checks::CheckScores,
    decided::Decided,
    game::{Conversions, ExitScores, LadderGame},
    settle::settle_beyond,
    spilled_scores::SpilledScores,
};
use crate::{
    answer::score::{Score, Store, offer},
    board::{Bitboard, ByColor, Color},
    index::Material,
    parallel,
    rules::Passing,
    solve::engine::{
        lanes::{lanes_where, lanes_with},
        slice::{MIN_WORDS, QuietTurns, Sets, Slice, Word, legal_positions},
        spill::Budget,
    },
};

/// A slice that is being solved.
pub struct LadderSlice<'a, S: Store, T> {
    game: &'a dyn LadderGame<Store = S>,
    material: Material,
    slice: Slice,
    legal: Sets,
    over: Vec<Ended>,
    /// The positions in which the game goes on, where that is not all legal ones.
    goes_on: Option<Sets>,
    quiet: Staying<'a, T>,
    /// What turns that give check are worth, where they are counted.
    checks: Option<CheckScores<S>>,
    /// The best score of a turn that leaves the slice, of those met so far.
    scores: SpilledScores<S>,
    /// Where captures and promotions decide, as far as is known, if it is asked for.
    decided: Option<Decided>,
}

/// A slice with its scores.
pub struct SolvedLadder<S> {
    pub slice: Slice,
    /// The scores of its positions.
    pub scores: SpilledScores<S>,
    /// The positions that a capture or promotion decides, if it was asked for; those that are
    /// not legal may be among them.
    pub decided: Option<Sets>,
}

impl<'a, S: Store, T: QuietTurns> LadderSlice<'a, S, T> {
    /// A slice of a material of which no exit has been met, in which these turns stay, but for
    /// those that give check where `checks` are counted. With `note_decided` it is noted which
    /// positions captures and promotions decide.
    pub fn new(
        (game, turns): (&'a dyn LadderGame<Store = S>, &'a T),
        material: &Material,
        (slice, checks): (Slice, Option<CheckScores<S>>),
        note_decided: bool,
        budget: &Budget,
    ) -> Self {
        let legal = legal_positions(&slice);
        let over = if game.ends_early() { ended(game, &slice, &legal) } else { Vec::new() };
        let goes_on = if over.is_empty() { None } else { Some(without(&legal, &over)) };
        let open = goes_on.as_ref().unwrap_or(&legal);
        let bound = game.laws().must_capture.then(|| chosen(&slice, open, |word| word.bound()));
        let checked = checks.is_some().then(|| chosen(&slice, &legal, checked));
        let passing = game.laws().passing;
        let nobody_passes = passing == ByColor::both(Passing::Never);
        let passes = (!nobody_passes)
            .then(|| chosen(&slice, &legal, |word| passes(word, turns, &legal, passing)));
        let quiet = Staying { turns, bound, checked, passes };
        let scores = SpilledScores::new(&slice, budget);
        let decided = note_decided.then(|| Decided::filled(slice.words(), only_changes(material)));
        let material = *material;
        LadderSlice { game, material, slice, legal, over, goes_on, quiet, checks, scores, decided }
    }

    /// Meets the turns that leave the slice, as far as `conversions` tells what they lead to. With
    /// the `last` of them, positions without any turn get their score.
    pub fn leave(&mut self, conversions: &Conversions<'_, S>, last: bool) -> io::Result<()> {
        let LadderSlice { game, material, slice, legal, over, goes_on, quiet, scores, .. } = self;
        let LadderSlice { checks, decided, .. } = self;
        let ends = Ends { game: *game, legal, over, quiet, checks: checks.as_ref() };
        let decided = decided.as_ref();
        let noting = decided.filter(|_| !only_changes(material));
        let goes_on = goes_on.as_ref().unwrap_or(legal);
        Color::ALL.into_iter().try_for_each(|side| {
            let positions = &goes_on[side.index()];
            if let Some(decided) = decided.filter(|_| last) {
                // Nor does anything decide where the game is over.
                parallel::each(&positions[..], MIN_WORDS, |word, &lanes| {
                    if lanes == 0 {
                        decided.update(side, word, |_| 0);
                    }
                });
            }
            scores.meet(side, positions, |number, row| {
                let lanes = Bitboard(positions[number]);
                let stand = slice.stand(number).expect("legal lanes stand somewhere");
                let word = Word { slice, stand: &stand, side, lanes };
                let before = noting.map(|decided| (decided, *row));
                let ways = ExitScores::new(conversions, noting.is_some());
                game.leaving(&ways, &word, &mut |lanes, score| {
                    lanes.for_each(|lane| offer(&mut row[lane.number()], side, S::keep(score)));
                });
                if let (Some((decided, before)), Some(changes)) = (before, ways.changes) {
                    let by_change = equal_lanes(row, &changes.into_inner());
                    let as_before = equal_lanes(row, &before);
                    decided.update(side, number, |lanes| by_change | lanes & as_before);
                }
                if last {
                    let before = *row;
                    let met = ends.offer_to(row, &word);
                    if let Some(decided) = decided {
                        // Most words have no end.
                        let as_before = if met { equal_lanes(row, &before) } else { !0 };
                        decided.update(side, number, |decided| decided & lanes.0 & as_before);
                    }
                }
            })
        })
    }

    /// Settles all positions; every turn that leaves the slice has been met.
    pub fn settle(self) -> io::Result<SolvedLadder<S>> {
        let LadderSlice { game, material, slice, legal, over, goes_on, quiet, .. } = self;
        let LadderSlice { mut scores, decided, .. } = self;
        let infinite = game.infinite(&material);
        let draw = Score::new::<S>(infinite, None, infinite);
        let mut open = goes_on.unwrap_or(legal);
        let noting = decided.as_ref();
        settle_beyond(&slice, &quiet, &mut open, &mut scores, [draw; 2], noting)?;
        if let Some(decided) = noting {
            // What never settles is decided where a turn out of the slice is worth as much.
            Color::ALL.into_iter().try_for_each(|side| {
                scores.exits_worth(side, draw, |word, exits| {
                    decided.settle(side, word, open[side.index()][word], exits);
                })
            })?;
        }
        scores.fill(open, draw);
        over.into_iter().for_each(|Ended { score, sets }| scores.fill(sets, score));
        Ok(SolvedLadder { slice, scores, decided: decided.map(Decided::into_sets) })
    }
}

/// Where games end within a slice.
struct Ends<'a, S, T> {
    game: &'a dyn LadderGame<Store = S>,
    legal: &'a Sets,
    over: &'a [Ended],
    quiet: &'a Staying<'a, T>,
    checks: Option<&'a CheckScores<S>>,
}

impl<S: Store, T: QuietTurns> Ends<'_, S, T> {
    /// Offers turns to where the game is over, or that give a check that counts, to the positions
    /// of a word, and gives those their score that have no turn; tells whether there were any such.
    fn offer_to(&self, row: &mut [S; 64], word: &Word<'_>) -> bool {
        let &Ends { game, legal, over, quiet, checks } = self;
        let &Word { slice, stand, side, lanes } = word;
        let mut met = checks.is_some_and(|checks| {
            let word = Word { lanes: quiet.free_lanes(word), ..*word };
            checks.offer_to(row, &word, quiet.turns, &|word| quiet.checked(!side, word))
        });
        let mut offer = |lanes: Bitboard, score| {
            met = true;
            lanes.for_each(|lane| offer(&mut row[lane.number()], side, S::keep(score)));
        };
        for Ended { score, sets } in over {
            let over = |word: usize| sets[(!side).index()][word];
            let lanes = Bitboard(quiet.reach(word, &over));
            if !lanes.is_empty() {
                game.ending_turns(&Word { lanes, ..*word }, *score, &over, &mut offer);
            }
        }
        let stuck = lanes & Bitboard(lanes_with(&*row, S::NONE));
        let open = |word: usize| legal[(!side).index()][word];
        let ended = stuck & !Bitboard(quiet.reach(&Word { lanes: stuck, ..*word }, &open));
        if !ended.is_empty() {
            let checked = slice.checked(stand, side);
            for lane in ended {
                let board = word.setup(lane).board;
                row[lane.number()] = S::keep(game.terminal(&board, side, checked.contains(lane)));
            }
        }
        met || !ended.is_empty()
    }
}

/// Whether every turn out of the slices of a material is a capture or promotion.
fn only_changes(material: &Material) -> bool {
    !material.has_pawns() && material.in_reserve() == Material::default()
}

/// The lanes in which two rows have the same.
fn equal_lanes<S: PartialEq>(a: &[S; 64], b: &[S; 64]) -> u64 {
    lanes_where(|lane| a[lane] == b[lane]).0
}

/// Positions in which the game is over with the same score.
struct Ended {
    score: Score,
    sets: Sets,
}

/// The positions of a slice in which the game is over although there may be turns.
fn ended<S: Store>(game: &dyn LadderGame<Store = S>, slice: &Slice, legal: &Sets) -> Vec<Ended> {
    let mut ended: Vec<Ended> = Vec::new();
    for side in Color::ALL {
        let over =
            parallel::gather(&legal[side.index()][..], MIN_WORDS, &|first, words: &[u64]| {
                let mut over = Vec::new();
                for (number, &lanes) in (first..).zip(words).filter(|&(_, &lanes)| lanes != 0) {
                    let stand = slice.stand(number).expect("legal lanes stand somewhere");
                    let word = Word { slice, stand: &stand, side, lanes: Bitboard(lanes) };
                    game.over(&word, legal, &mut |ended, score| {
                        over.push((number, ended.0 & lanes, score));
                    });
                }
                over
            });
        for (number, lanes, score) in over.into_iter().flatten() {
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

/// Those of some positions that `choose` chooses, word by word.
fn chosen(slice: &Slice, positions: &Sets, choose: impl Fn(&Word<'_>) -> Bitboard + Sync) -> Sets {
    Color::ALL.map(|side| {
        parallel::map(&positions[side.index()][..], MIN_WORDS, |number, &lanes| {
            let stand = slice.stand(number).filter(|_| lanes != 0);
            stand.map_or(0, |stand| {
                let word = Word { slice, stand: &stand, side, lanes: Bitboard(lanes) };
                choose(&word).0
            })
        })
    })
}

/// The lanes of a word in which the side to move is in check.
fn checked(word: &Word<'_>) -> Bitboard {
    word.slice.checked(word.stand, word.side) & word.lanes
}

/// The lanes of a word in which the side to move may pass, if it need not capture; `positions` are
/// all there are.
fn passes(
    word: &Word<'_>,
    turns: &impl QuietTurns,
    positions: &Sets,
    passing: ByColor<Passing>,
) -> Bitboard {
    let &Word { slice, stand, side, .. } = word;
    let free = || word.lanes & !checked(word);
    match passing[side] {
        Passing::Never => Bitboard::EMPTY,
        Passing::AtWill => free(),
        Passing::WhenStuck => {
            let open = |word: usize| positions[(!side).index()][word];
            let lanes = free();
            let mut stuck = lanes & !Bitboard(turns.reach(&Word { lanes, ..*word }, &open));
            slice.conversions(stand, side, stuck, |_, lanes, _| stuck &= !lanes);
            stuck
        }
    }
}

/// Quiet turns that stay in a mode of a slice: where a side that can capture must it makes none,
/// where checks are counted those that give check do not stay, and where sides may pass those that
/// leave everybody where he stands.
struct Staying<'a, T> {
    turns: &'a T,
    /// The positions in which the side to move can capture; none where it need not.
    bound: Option<Sets>,
    /// The positions in which the side to move is in check; none where checks are not counted.
    checked: Option<Sets>,
    /// The positions in which the side to move passes; none where nobody does.
    passes: Option<Sets>,
}

impl<T> Staying<'_, T> {
    #[inline]
    fn free(&self, side: Color, word: usize) -> u64 {
        self.bound.as_ref().map_or(!0, |bound| !bound[side.index()][word])
    }

    #[inline]
    fn free_lanes(&self, word: &Word<'_>) -> Bitboard {
        word.lanes & Bitboard(self.free(word.side, word.stand.word))
    }

    #[inline]
    fn checked(&self, side: Color, word: usize) -> u64 {
        self.checked.as_ref().map_or(0, |checked| checked[side.index()][word])
    }
}

impl<T: QuietTurns> QuietTurns for Staying<'_, T> {
    #[inline(always)]
    fn reach(&self, word: &Word<'_>, set: &(impl Fn(usize) -> u64 + Sync)) -> u64 {
        let lanes = self.free_lanes(word);
        if lanes.is_empty() {
            return 0;
        }
        let from = Word { lanes, ..*word };
        let reached = match self.checked {
            None => self.turns.reach(&from, set),
            Some(_) => {
                let next = !word.side;
                self.turns.reach(&from, &|word| set(word) & !self.checked(next, word))
            }
        };
        match &self.passes {
            None => reached,
            // Who passes leaves everybody where he stands.
            Some(passes) => {
                let here = word.stand.word;
                reached | lanes.0 & passes[word.side.index()][here] & set(here)
            }
        }
    }

    #[inline(always)]
    fn unmove(&self, word: &Word<'_>, mut tell: impl FnMut(usize, u64)) {
        let mover = !word.side;
        let lanes = word.lanes & !Bitboard(self.checked(word.side, word.stand.word));
        let to = Word { lanes, ..*word };
        self.turns.unmove(&to, |word, lanes| tell(word, lanes & self.free(mover, word)));
        if let Some(passes) = &self.passes {
            let here = word.stand.word;
            tell(here, lanes.0 & passes[mover.index()][here] & self.free(mover, here));
        }
    }
}
