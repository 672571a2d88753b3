//! The distances of one slice: the plies to the end of the game at every pair of vitalities.
//!
//! A *layer* is a pair (vW, vB). A turn that costs White a point leads to the layer (vW − 1, vB),
//! one that costs Black a point to (vW, vB − 1), and both are done before. A turn that costs
//! nothing makes its mover High: White's King is then nearer to the centre than Black's, Black's at
//! least as near as White's. So the positions of a layer settle in one pass, in the order of the
//! distance of the King that stays: White to move with Black's King in the centre, Black to move
//! with White's there, White to move with Black's King one step from it, and so on.
//!
//! All layers with the same vW are kept, for each is the ground of the next vW and is then written
//! over. Most positions are worth there what they were worth before, so only those words are
//! computed that read something new: something that wins now or did before, if all their positions
//! are won, and anything else if not.

use std::{
    io,
    ops::Range,
    sync::atomic::{AtomicU8, Ordering::Relaxed},
};

use super::{
    keys::{Key, Keys, NarrowKey, WINS},
    mates::MovesAndPass,
    row_store::{Below, Change, LayerRows, RowStore},
};
use crate::{
    answer::high::Signed,
    board::{Bitboard, Color, Role, Square},
    parallel,
    rules::High,
    solve::engine::{
        clock::{ChangedRows, RowLog},
        slice::{MIN_WORDS, Sets, Slice, Stand, Walks, legal_positions, side_first},
        spill::{Budget, Loan, ScratchArray},
    },
};

/// How many bytes the quiet moves of a side take in a word, at most.
const WALKS_OF_A_WORD: u64 = 600;

/// How many distances a King can have from the centre: 0 on its four squares to 3 on the edge.
const RINGS: usize = 4;

/// The best vital turn of every position of a slice.
pub(super) struct Vital {
    /// Per side to move, the lanes of each word with a vital turn.
    pub lanes: [Vec<u64>; 2],
    /// Per side, how many lanes with a vital turn the words before each have.
    pub before: [Vec<usize>; 2],
    /// Per side, for each position with a vital turn the number of a sequence.
    pub numbers: [ScratchArray<u32>; 2],
    /// Per side, the sequences: keys of the mover for each vitality, 1 to V, of the player who does
    /// not move by the turn, or, if both are restored, the same key V times.
    pub sequences: [Vec<Box<[Key]>>; 2],
}

impl Vital {
    /// The number of the sequence of a lane with a vital turn of a side.
    #[inline(always)]
    fn number(&self, side: usize, word: usize, lane: Square) -> usize {
        let before = self.lanes[side][word] & (lane.bit().0 - 1);
        self.numbers[side][self.before[side][word] + before.count_ones() as usize] as usize
    }

    /// The numbers of all vital turns of a word.
    fn of_word(&self, side: usize, word: usize) -> &[u32] {
        let count = self.lanes[side][word].count_ones() as usize;
        &self.numbers[side][self.before[side][word]..][..count]
    }
}

/// What is known of a slice when all its layers are solved.
pub(super) struct SolvedDistances {
    /// The legal positions.
    pub legal: Sets,
    /// Per side to move, for each vW from 1 on the results at every vB.
    pub logs: [RowLog<Signed>; 2],
}

/// Why a slice was not solved.
pub(super) enum Unsolved {
    /// A distance does not fit into rows of this kind.
    TooFar,
    /// Scratch space is lacking.
    Scratch(io::Error),
}

impl From<io::Error> for Unsolved {
    fn from(error: io::Error) -> Unsolved {
        Unsolved::Scratch(error)
    }
}

/// Nothing that a word reads is new.
const CLEAN: u8 = 0;
/// Losing options of a word are new, which matters to lanes that are lost.
const LOSSES: u8 = 1;
/// Winning options are new.
const WINNING: u8 = 2;

/// How much the words that read such lanes must look again.
fn effect(change: Change, lanes: u64) -> u8 {
    match () {
        () if change.losses & lanes != 0 => WINNING,
        () if change.lanes & lanes != 0 => LOSSES,
        () => CLEAN,
    }
}

/// One slice while its layers are solved.
pub(super) struct DistanceLayers<'a, R: Keys> {
    slice: &'a Slice,
    /// Per side, its quiet moves, if there is memory for them.
    walks: Option<[Walks; 2]>,
    #[allow(dead_code, reason = "gives back the memory that the quiet moves take")]
    loan: Option<Loan>,
    /// V.
    full: u8,
    legal: Sets,
    /// Per side to move and distance of the other side's King, the legal positions of each word.
    rings: [[Vec<u64>; RINGS]; 2],
    /// The lanes in which White is Low; in all others Black is.
    white_low: Vec<u64>,
    vital: &'a Vital,
    /// Per side, the sequences of its vital turns as rows keep them, all of one vitality together.
    sequences: [Vec<Vec<R::Value>>; 2],
    /// What each side sees of the rows its turns lead to.
    views: [ScratchArray<R>; 2],
    /// Words of the layer to be computed, per side to move: [`CLEAN`] and so on.
    dirty: [Vec<AtomicU8>; 2],
    /// What vital turns alone make of Black's words at this vW.
    vital_dirty: Vec<u8>,
}

impl<'a, R: Keys> DistanceLayers<'a, R> {
    /// Solves all layers of a slice.
    ///
    /// # Errors
    /// If scratch space is lacking, or a distance does not fit into rows of this kind.
    pub fn solve(
        game: &High,
        slice: &'a Slice,
        vital: &'a Vital,
        budget: &Budget,
    ) -> Result<SolvedDistances, Unsolved> {
        let (solver, layers) = DistanceLayers::<R>::new(game, slice, vital, budget)?;
        solver.run(layers, budget)
    }

    /// A slice before its first layer, and its rows.
    fn new(
        game: &High,
        slice: &'a Slice,
        vital: &'a Vital,
        budget: &Budget,
    ) -> Result<(DistanceLayers<'a, R>, RowStore<R>), Unsolved> {
        let full = game.vitality.points();
        let words = slice.words();
        let legal = legal_positions(slice);
        let rings = Color::ALL.map(|side| {
            let all = per_word(slice, [0; RINGS], &|stand| {
                let rings = rings(slice, stand, !side);
                rings.map(|lanes| lanes.0 & legal[side.index()][stand.word])
            });
            std::array::from_fn(|ring| all.iter().map(|rings| rings[ring]).collect())
        });
        let white_low = per_word(slice, 0, &|stand| white_low(slice, stand).0);
        let keep = |sequences: &Vec<Box<[Key]>>| -> Option<Vec<Vec<R::Value>>> {
            let of = |v: usize| sequences.iter().map(|keys| R::Value::keep(keys[v])).collect();
            (0..usize::from(full)).map(of).collect()
        };
        let [white, black] = &vital.sequences;
        let [Some(white), Some(black)] = [white, black].map(keep) else {
            return Err(Unsolved::TooFar);
        };
        let clean = || (0..words).map(|_| AtomicU8::new(CLEAN)).collect();
        let views = [budget.array(words, R::NONE)?, budget.array(words, R::NONE)?];
        // Before the first layer, White is exhausted.
        let mut ended = budget.array(words, R::NONE)?;
        parallel::each(&mut ended[..], MIN_WORDS, |word, row| {
            *row = exhausted(slice, Color::Black, &legal, word);
        });
        let layers = RowStore::new(slice, usize::from(full), &ended, budget)?;
        drop(ended);
        let for_walks = (2 * words) as u64 * WALKS_OF_A_WORD;
        let loan = (for_walks <= budget.left()).then(|| budget.take(for_walks));
        let solver = DistanceLayers {
            slice,
            walks: loan.is_some().then(|| Color::ALL.map(|side| slice.walks(side))),
            loan,
            full,
            rings,
            white_low,
            vital,
            sequences: [white, black],
            views,
            dirty: [clean(), clean()],
            vital_dirty: vec![CLEAN; words],
            legal,
        };
        Ok((solver, layers))
    }

    fn run(
        mut self,
        mut layers: RowStore<R>,
        budget: &Budget,
    ) -> Result<SolvedDistances, Unsolved> {
        let full = usize::from(self.full);
        let mut logs = [0, 1].map(|_| RowLog::new(self.slice, full, budget));
        for white in 0..full {
            budget.go_on()?;
            self.find_new_vital_turns(white);
            for black in 0..full {
                let (here, below) = layers.take(black)?;
                self.layer((white, black), here, below);
                layers.put_back(black)?;
            }
            for (side, log) in Color::ALL.into_iter().zip(&mut logs) {
                log.advance(white as u16 + 1, &|words, changed| {
                    self.tell_changes(&layers, (side, white), words, changed)
                })?;
            }
        }
        Ok(SolvedDistances { legal: self.legal, logs })
    }

    /// Finds the words of Black in which a vital turn is not worth what it was with a point less of
    /// White's. White's vital turns make White's vitality full, so they are.
    fn find_new_vital_turns(&mut self, white: usize) {
        let [.., black] = &self.sequences;
        let Some(before) = white.checked_sub(1).map(|before| &black[before]) else { return };
        let keys = before.iter().zip(&black[white]);
        let new: Vec<u8> = keys
            .map(|(&before, &now)| match [before, now].map(R::Value::restore) {
                [before, now] if before == now => CLEAN,
                both if both.iter().any(|&key| key >= WINS) => WINNING,
                _ => LOSSES,
            })
            .collect();
        let vital = self.vital;
        parallel::each(&mut self.vital_dirty[..], MIN_WORDS, |word, dirty| {
            let numbers = vital.of_word(1, word).iter();
            *dirty = numbers.map(|&number| new[number as usize]).max().unwrap_or(CLEAN);
        });
    }

    /// Solves the layer (`white` + 1, `black` + 1).
    fn layer(
        &mut self,
        (white, black): (usize, usize),
        here: &mut LayerRows<R>,
        below: Option<Below<'_, R>>,
    ) {
        if white > 0 && self.is_as_before(here, below) {
            return;
        }
        let all_dirty = self.look_back(white, here, below);
        let LayerRows { rows: [white_rows, black_rows], changes: [white_changes, black_changes] } =
            here;
        let step = |side: Color, ring: usize, vitality: usize| RingStep::<R> {
            slice: self.slice,
            walks: self.walks.as_ref().map(|walks| &walks[side.index()]),
            side,
            ring: &self.rings[side.index()][ring],
            white_low: &self.white_low,
            vital: self.vital,
            kept: &self.sequences[side.index()][vitality],
            dirty: &self.dirty,
            all_dirty,
        };
        for ring in 0..RINGS {
            step(Color::White, ring, black).run(&mut self.views, white_rows, white_changes);
            step(Color::Black, ring, white).run(&mut self.views, black_rows, black_changes);
        }
    }

    /// Whether nothing that a layer looks into is new next to a point less of White's: then it is as
    /// before.
    fn is_as_before(&self, here: &LayerRows<R>, below: Option<Below<'_, R>>) -> bool {
        let all_here = here.changes.iter().flat_map(|changes| changes.iter());
        let below = below.into_iter().flat_map(|(_, changes)| changes);
        all_here.chain(below).all(|change| change.lanes == 0)
            && self.vital_dirty.iter().all(|&dirty| dirty == CLEAN)
    }

    /// Prepares a layer: its views show what turns that cost a point lead to, and else what stood
    /// here with a point less of White's; words that read a change are dirty. Returns whether all
    /// words are.
    fn look_back(
        &mut self,
        white: usize,
        here: &mut LayerRows<R>,
        below: Option<Below<'_, R>>,
    ) -> bool {
        let (slice, legal, white_low, dirty) =
            (self.slice, &self.legal, &self.white_low, &self.dirty);
        let LayerRows { rows: [white_rows, black_rows], changes } = here;
        // Where most words change from layer to layer, finding out which costs more than it saves.
        let changed = changes.iter().flat_map(|changes| changes.iter());
        let changed = changed.filter(|change| change.lanes != 0);
        let all_dirty = white == 0 || changed.count() > slice.words() / 2;
        let first = if all_dirty { WINNING } else { CLEAN };
        for (word, &vital) in self.vital_dirty.iter().enumerate() {
            dirty[0][word].store(first, Relaxed);
            dirty[1][word].store(first.max(vital), Relaxed);
        }
        let mark = |word: usize, side: Color, effect: u8| {
            if effect > first
                && let Some(stand) = slice.stand(word)
            {
                mark_readers(slice, &stand, side, dirty, effect);
            }
        };
        let [white_changes, black_changes] = changes;
        let [white_view, black_view] = &mut self.views;
        let words = (&mut white_view[..], &black_rows[..], &mut black_changes[..]);
        parallel::each(words, MIN_WORDS, |word, (view, row, change)| {
            let lanes = legal[1][word];
            if lanes != 0 {
                R::with_registers(
                    #[inline(always)]
                    || *view = row.seen().only(Bitboard(lanes)),
                );
                mark(word, Color::White, effect(*change, white_low[word]));
            }
            *change = Change::default();
        });
        let words = (&mut black_view[..], &white_rows[..], &mut white_changes[..]);
        parallel::each(words, MIN_WORDS, |word, (view, row, change)| {
            let (lanes, low) = (legal[0][word], !white_low[word]);
            if lanes != 0 {
                R::with_registers(
                    #[inline(always)]
                    || {
                        let paid = match below {
                            Some((rows, _)) => rows[word],
                            None => exhausted(slice, Color::White, legal, word),
                        };
                        let row = paid.or_else(Bitboard(low), *row);
                        *view = row.seen().only(Bitboard(lanes));
                    },
                );
                if let Some((_, changes)) = below {
                    mark(word, Color::Black, effect(changes[word], low));
                }
            }
            *change = Change::default();
        });
        all_dirty
    }

    /// Tells the rows over all vB of the positions of some words that changed with this vW.
    fn tell_changes(
        &self,
        layers: &RowStore<R>,
        (side, white): (Color, usize),
        words: Range<usize>,
        changed: &mut ChangedRows<Signed>,
    ) -> Result<(), Unsolved> {
        let lanes = match white {
            0 => self.legal[side.index()][words.clone()].to_vec(),
            _ => layers.changed(side.index(), words.clone())?,
        };
        if lanes.iter().all(|&lanes| lanes == 0) {
            return Ok(());
        }
        let rows = layers.rows(side.index(), words)?;
        let (mut results, mut row) = (vec![[0; 64]; rows.len()], vec![0; rows.len()]);
        for (word, lanes) in lanes.into_iter().enumerate() {
            let lanes = Bitboard(lanes);
            if lanes.is_empty() {
                continue;
            }
            let mut doubtful = Bitboard::EMPTY;
            R::with_registers(
                #[inline(always)]
                || {
                    for (results, rows) in results.iter_mut().zip(&rows) {
                        let keys = rows[word];
                        doubtful |= keys.doubtful();
                        *results = keys.signed(side);
                    }
                },
            );
            if !(doubtful & lanes).is_empty() {
                return Err(Unsolved::TooFar);
            }
            changed.word(word, lanes);
            for lane in lanes {
                for (to, results) in row.iter_mut().zip(&results) {
                    *to = results[lane.number()];
                }
                changed.row(&row);
            }
        }
        Ok(())
    }
}

/// The rows of a word with `side` to move where the other side is exhausted: who is mated has lost all
/// the same.
#[inline(always)]
fn exhausted<R: Keys>(slice: &Slice, side: Color, legal: &Sets, word: usize) -> R {
    let lanes = Bitboard(legal[side.index()][word]);
    let Some(stand) = slice.stand(word).filter(|_| !lanes.is_empty()) else { return R::NONE };
    let mated = slice.mated(&stand, side, legal);
    R::all(R::Value::LOST).or_else(mated, R::all(R::Value::WON)).only(lanes)
}

/// Tells the words whose turns of `side` lead to this one.
fn mark_readers(slice: &Slice, stand: &Stand, side: Color, dirty: &[Vec<AtomicU8>; 2], effect: u8) {
    MovesAndPass.readers(slice, stand, side, |reader| {
        let flag = &dirty[side.index()][reader];
        if flag.load(Relaxed) < effect {
            flag.fetch_max(effect, Relaxed);
        }
    });
}

/// Settles the positions of a layer in which one side is to move and the other's King has a
/// certain distance.
struct RingStep<'a, R: Keys> {
    slice: &'a Slice,
    walks: Option<&'a Walks>,
    side: Color,
    /// The positions of each word.
    ring: &'a [u64],
    white_low: &'a [u64],
    vital: &'a Vital,
    kept: &'a [R::Value],
    dirty: &'a [Vec<AtomicU8>; 2],
    /// Whether all words are computed anyway, so that nobody need be told of changes.
    all_dirty: bool,
}

impl<R: Keys> RingStep<'_, R> {
    fn run(
        &self,
        views: &mut [ScratchArray<R>; 2],
        rows: &mut ScratchArray<R>,
        changes: &mut [Change],
    ) {
        let me = self.side.index();
        let [seen, shown] = side_first(views, me);
        let seen = &**seen;
        let words = (&mut rows[..], &mut shown[..], changes);
        parallel::each(words, MIN_WORDS, |word, (row, shown, change)| {
            // Most words have no such positions, and what is compiled for some registers is called.
            let lanes = Bitboard(self.ring[word]);
            if lanes.is_empty() {
                return;
            }
            let dirty = self.dirty[me][word].load(Relaxed);
            if dirty == CLEAN {
                return;
            }
            R::with_registers(
                #[inline(always)]
                || self.compute((word, lanes), dirty, seen, row, shown, change),
            );
        });
    }

    /// Computes a word whose options may have changed.
    #[inline(always)]
    fn compute(
        &self,
        (word, lanes): (usize, Bitboard),
        dirty: u8,
        seen: &[R],
        row: &mut R,
        shown: &mut R,
        change: &mut Change,
    ) {
        let me = self.side.index();
        if dirty == LOSSES && row.losses().is_empty() {
            return;
        }
        let new = self.best(word, lanes, seen).or_else(lanes, *row);
        let differs = new.differs(row);
        if differs.is_empty() {
            return;
        }
        let losses = differs & (row.losses() | new.losses());
        let new_change = Change { lanes: differs.0, losses: losses.0 };
        change.lanes |= new_change.lanes;
        change.losses |= new_change.losses;
        *row = new;
        // Who turns to these positions for nothing is High there.
        let low = self.white_low[word] ^ if me == 1 { 0 } else { !0 };
        let free = lanes.0 & !low;
        if free != 0 {
            *shown = new.seen().or_else(Bitboard(free), *shown);
            let effect = effect(new_change, free);
            if effect != CLEAN
                && !self.all_dirty
                && let Some(stand) = self.slice.stand(word)
            {
                mark_readers(self.slice, &stand, !self.side, self.dirty, effect);
            }
        }
    }

    /// The best options of the side in these lanes; others mean nothing.
    #[inline(always)]
    fn best(&self, word: usize, lanes: Bitboard, seen: &[R]) -> R {
        let me = self.side.index();
        let quiet = match self.walks {
            Some(walks) => walks.quiet(word, seen),
            None => match self.slice.stand(word) {
                Some(stand) => self.slice.quiet(&stand, self.side, seen),
                None => R::NONE,
            },
        };
        let mut best = quiet.join(seen[word]);
        let turns = Bitboard(self.vital.lanes[me][word]) & lanes;
        if !turns.is_empty() {
            let mut options = R::NONE;
            for lane in turns {
                options.set(lane, self.kept[self.vital.number(me, word, lane)]);
            }
            best = best.join(options);
        }
        // Without any turn the side is mated.
        R::all(R::Value::LOST).or_else(best.none(), best)
    }
}

/// Something for each word, `none` where men would share a square.
fn per_word<T: Copy + Send + Sync>(
    slice: &Slice,
    none: T,
    of: &(dyn Fn(&Stand) -> T + Sync),
) -> Vec<T> {
    parallel::map(0..slice.words(), MIN_WORDS, |_, word| {
        slice.stand(word).map_or(none, |stand| of(&stand))
    })
}

/// The lanes in which the King of `color` has each distance from the centre.
fn rings(slice: &Slice, stand: &Stand, color: Color) -> [Bitboard; RINGS] {
    let king = king(slice, color);
    std::array::from_fn(|distance| {
        let is_there = |square| usize::from(High::distance(square)) == distance;
        if Some(king) == slice.runner() {
            Square::all().filter(|&square| is_there(square)).collect()
        } else if is_there(stand.squares[king]) {
            Bitboard::ALL
        } else {
            Bitboard::EMPTY
        }
    })
}

/// The lanes in which White is Low; in all others Black is.
pub(super) fn white_low(slice: &Slice, stand: &Stand) -> Bitboard {
    let [white, black] = Color::ALL.map(|color| rings(slice, stand, color));
    let mut low = Bitboard::EMPTY;
    let mut nearer = Bitboard::EMPTY;
    for (white, black) in white.into_iter().zip(black) {
        nearer |= black;
        low |= white & nearer;
    }
    low
}

fn king(slice: &Slice, color: Color) -> usize {
    let found = slice.men().iter().position(|m| m.color == color && m.role == Role::King);
    found.expect("each side has a King")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        answer::place::chess_group,
        index::{MAX_MEN, Material},
        rules::{Laws, Revitalise, Vitality},
        solve::engine::lanes::{NumberLanes, RowWork, with_all_rows},
    };

    /// Solves a slice whose men take nobody, and tells the plies of each position at each pair of
    /// vitalities.
    fn results<R: Keys>(game: &High, slice: &Slice) -> Vec<Vec<Box<[Signed]>>> {
        let (v, words) = (game.vitality.points(), slice.words());
        let folder = tempfile::tempdir().unwrap();
        let budget = Budget::new(u64::MAX, folder.path());
        let none = || budget.array(0, 0).unwrap();
        let vital = Vital {
            lanes: [vec![0; words], vec![0; words]],
            before: [vec![0; words], vec![0; words]],
            numbers: [none(), none()],
            sequences: [Vec::new(), Vec::new()],
        };
        let Ok(solved) = DistanceLayers::<R>::solve(game, slice, &vital, &budget) else {
            panic!("distances are small, and there is memory")
        };
        let mut all = Vec::new();
        for (log, legal) in solved.logs.iter().zip(&solved.legal) {
            for stretch in 0..slice.stretches() {
                let words = log.words(stretch);
                let mut latest: Vec<Vec<Box<[Signed]>>> = vec![Vec::new(); words.len() * 64];
                log.each(stretch, |layer, sets, numbers, rows| {
                    let mut rows = numbers.iter().map(|&number| {
                        let row = number as usize * usize::from(v);
                        rows[row..row + usize::from(v)].into()
                    });
                    let before = usize::from(layer) - 1;
                    for (word, lanes) in sets {
                        for lane in Bitboard(lanes) {
                            let latest = &mut latest[word * 64 + lane.number()];
                            let last = latest.last().cloned();
                            latest.resize_with(before, || last.clone().expect("a row"));
                            latest.push(rows.next().expect("a row for each lane"));
                        }
                    }
                })
                .unwrap();
                for (at, mut rows) in latest.into_iter().enumerate() {
                    if legal[words.start + at / 64] >> (at % 64) & 1 != 0 {
                        let last = rows.last().cloned().expect("all have changed in the first");
                        rows.resize(usize::from(v), last);
                        all.push(rows);
                    }
                }
            }
        }
        all
    }

    /// The results of a slice, solved with bytes and with words.
    #[derive(Copy, Clone)]
    struct Results<'a>(&'a High, &'a Slice);

    impl RowWork for Results<'_> {
        type Done = [Vec<Vec<Box<[Signed]>>>; 2];

        fn with<B: NumberLanes<Value = u8>, S: NumberLanes<Value = i16>>(self) -> Self::Done {
            [results::<B>(self.0, self.1), results::<S>(self.0, self.1)]
        }
    }

    #[test]
    fn any_rows_give_the_same_distances() {
        let vitality = Vitality::new(4).unwrap();
        let game = High { vitality, revitalise: Revitalise::Mover };
        for material in ["KRvK", "KBvKN"] {
            let material: Material = material.parse().unwrap();
            let squares = [Square::new(0); MAX_MEN];
            let slice = Slice::new(material.men(), squares, chess_group(&material), Laws::ORTHODOX);
            let all = with_all_rows(Results(&game, &slice));
            let all: Vec<_> = all.into_iter().flat_map(|(_, results)| results).collect();
            assert!(all[0].iter().any(|result| *result != all[0][0]));
            assert!(all.iter().all(|results| *results == all[0]), "{material}");
        }
    }
}
