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
    sync::atomic::{AtomicBool, AtomicU8, Ordering::Relaxed},
};

use super::{
    keys::{Key, Keys, NarrowKey, WINS},
    mates::MovesAndPass,
};
use crate::{
    answer::high::Signed,
    board::{Bitboard, Color, Role, Square},
    parallel::{self, Share, chunks, joined},
    rules::High,
    solve::engine::{
        clock::{ChangedWord, Histories, SharedInterner},
        slice::{MIN_WORDS, Sets, Slice, Stand, Walks, legal_positions, side_first},
        spill::{Budget, ScratchArray},
    },
};

/// How many distances a King can have from the centre: 0 on its four squares to 3 on the edge.
const RINGS: usize = 4;

/// The best vital turn of every position of a slice.
pub(super) struct Vital {
    /// Per side to move, for each position the number of a sequence; 0 is none.
    pub numbers: [ScratchArray<u32>; 2],
    /// The lanes of each word with a vital turn.
    pub lanes: [Vec<u64>; 2],
    /// Per side, the sequences: keys of the mover for each vitality, 1 to V, of the player who does
    /// not move by the turn, or, if both are restored, the same key V times. The first is none.
    pub sequences: [Vec<Box<[Key]>>; 2],
}

/// What is known of a slice when all its layers are solved.
pub(super) struct SolvedDistances {
    /// The legal positions.
    pub legal: Sets,
    /// Per side to move, the history of each position in `functions`.
    pub numbers: [ScratchArray<u32>; 2],
    /// For each vW, from 1 on, the number of a row.
    pub functions: Histories<u32>,
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

/// What is new in a row, next to the layer with a point less of White's.
#[derive(Copy, Clone, Default)]
struct Change {
    /// The lanes that changed.
    lanes: u64,
    /// Those of them that are or were losses: wins for who turns to them.
    losses: u64,
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
    /// Per side, its quiet moves.
    walks: [Walks; 2],
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
    /// For each vB from 1 on, the rows of both sides in the layer (vW, vB).
    rows: Vec<[ScratchArray<R>; 2]>,
    /// For each vB from 1 on, what changed when its rows were computed last.
    changes: Vec<[Vec<Change>; 2]>,
    /// The rows with White to move where Black is exhausted.
    exhausted: ScratchArray<R>,
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
        interner: &SharedInterner<Signed>,
        budget: &Budget,
    ) -> Result<SolvedDistances, Unsolved> {
        DistanceLayers::<R>::new(game, slice, vital, budget)?.run(interner, budget)
    }

    /// A slice before its first layer.
    fn new(
        game: &High,
        slice: &'a Slice,
        vital: &'a Vital,
        budget: &Budget,
    ) -> Result<DistanceLayers<'a, R>, Unsolved> {
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
        let ended = |side: Color| -> io::Result<ScratchArray<R>> {
            let mut rows = budget.array(words, R::NONE)?;
            parallel::each(&mut rows[..], MIN_WORDS, |word, row| {
                let lanes = Bitboard(legal[side.index()][word]);
                let Some(stand) = slice.stand(word).filter(|_| !lanes.is_empty()) else { return };
                let mated = slice.mated(&stand, side, &legal);
                *row = R::all(R::Value::LOST).or_else(mated, R::all(R::Value::WON)).only(lanes);
            });
            Ok(rows)
        };
        let mut rows = Vec::with_capacity(usize::from(full));
        // Before the first layer, White is exhausted.
        let before = ended(Color::Black)?;
        for _ in 0..full {
            let mut black = budget.array(words, R::NONE)?;
            black.copy_from_slice(&before);
            rows.push([budget.array(words, R::NONE)?, black]);
        }
        let unchanged = || [vec![Change::default(); words], vec![Change::default(); words]];
        let clean = || (0..words).map(|_| AtomicU8::new(CLEAN)).collect();
        Ok(DistanceLayers {
            slice,
            walks: Color::ALL.map(|side| slice.walks(side)),
            full,
            rings,
            white_low,
            vital,
            sequences: [white, black],
            rows,
            changes: (0..full).map(|_| unchanged()).collect(),
            exhausted: ended(Color::White)?,
            views: [budget.array(words, R::NONE)?, budget.array(words, R::NONE)?],
            dirty: [clean(), clean()],
            vital_dirty: vec![CLEAN; words],
            legal,
        })
    }

    fn run(
        mut self,
        interner: &SharedInterner<Signed>,
        budget: &Budget,
    ) -> Result<SolvedDistances, Unsolved> {
        let cells = self.slice.words() * 64;
        let mut functions = Histories::new(u32::MAX);
        let mut numbers = [budget.written_zeros(cells)?, budget.written_zeros(cells)?];
        let mut latest = [budget.array(cells, u32::MAX)?, budget.array(cells, u32::MAX)?];
        for white in 0..usize::from(self.full) {
            budget.go_on()?;
            self.find_new_vital_turns(white);
            for black in 0..usize::from(self.full) {
                self.layer(white, black);
            }
            let mut words = Vec::new();
            for (side, (numbers, latest)) in
                Color::ALL.into_iter().zip(numbers.iter_mut().zip(&mut latest))
            {
                let changed = self.intern(side, white, interner, latest)?;
                let all = (chunks(&mut numbers[..], 64), chunks(&latest[..], 64), changed);
                words.extend(parallel::gather(all, MIN_WORDS, &|_, all| {
                    let changed = all.items().filter_map(|(numbers, values, lanes)| {
                        (!lanes.is_empty()).then_some(ChangedWord { numbers, values, lanes })
                    });
                    changed.collect::<Vec<_>>()
                }));
            }
            functions.advance(white as u16 + 1, joined(words));
        }
        Ok(SolvedDistances { legal: self.legal, numbers, functions })
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
        let (lanes, numbers) = (&self.vital.lanes[1], &self.vital.numbers[1]);
        parallel::each(&mut self.vital_dirty[..], MIN_WORDS, |word, dirty| {
            let numbers = Bitboard(lanes[word]).map(|lane| numbers[word * 64 + lane.number()]);
            *dirty = numbers.map(|number| new[number as usize]).max().unwrap_or(CLEAN);
        });
    }

    /// Solves the layer (`white` + 1, `black` + 1).
    fn layer(&mut self, white: usize, black: usize) {
        if white > 0 && self.is_as_before(black) {
            return;
        }
        let all_dirty = self.look_back(white, black);
        let [white_rows, black_rows] = &mut self.rows[black];
        let [white_changes, black_changes] = &mut self.changes[black];
        let step = |side: Color, ring: usize, vitality: usize| RingStep::<R> {
            slice: self.slice,
            walks: &self.walks[side.index()],
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

    /// Whether nothing that the layers with so much of Black's vitality look into is new next to a
    /// point less of White's: then these are as before.
    fn is_as_before(&self, black: usize) -> bool {
        let here = self.changes[black].iter().flatten();
        let below = black.checked_sub(1).into_iter().flat_map(|below| &self.changes[below][0]);
        here.chain(below).all(|change| change.lanes == 0)
            && self.vital_dirty.iter().all(|&dirty| dirty == CLEAN)
    }

    /// Prepares a layer: its views show what turns that cost a point lead to, and else what stood
    /// here with a point less of White's; words that read a change are dirty. Returns whether all
    /// words are.
    fn look_back(&mut self, white: usize, black: usize) -> bool {
        let (slice, legal, white_low, dirty) =
            (self.slice, &self.legal, &self.white_low, &self.dirty);
        // Where most words change from layer to layer, finding out which costs more than it saves.
        let changed = self.changes[black].iter().flatten().filter(|change| change.lanes != 0);
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
        let (done, rest) = self.changes.split_at_mut(black);
        let below_changes = done.last().map(|changes| &changes[0]);
        let [white_changes, black_changes] = &mut rest[0];
        let (done, rest) = self.rows.split_at(black);
        let below = done.last().map_or(&self.exhausted, |rows| &rows[0]);
        let [white_rows, black_rows] = &rest[0];
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
                        let row = below[word].or_else(Bitboard(low), *row);
                        *view = row.seen().only(Bitboard(lanes));
                    },
                );
                if let Some(changes) = below_changes {
                    mark(word, Color::Black, effect(changes[word], low));
                }
            }
            *change = Change::default();
        });
        all_dirty
    }

    /// Finds the rows of positions that changed, over all vB, among those met before; returns which
    /// positions of each word these are.
    fn intern(
        &self,
        side: Color,
        white: usize,
        interner: &SharedInterner<Signed>,
        latest: &mut ScratchArray<u32>,
    ) -> Result<Vec<Bitboard>, Unsolved> {
        let far = AtomicBool::new(false);
        let v = self.rows.len();
        let mut changed = vec![Bitboard::EMPTY; self.slice.words()];
        let words = (chunks(&mut latest[..], 64), &mut changed[..]);
        parallel::pieces(words, MIN_WORDS / 8, &|first, words| {
            let (mut results, mut row, mut row_before) = (vec![[0; 64]; v], vec![0; v], vec![0; v]);
            let mut before = None;
            for (word, (latest, changed)) in (first..).zip(words.items()) {
                let lanes = match white {
                    0 => self.legal[side.index()][word],
                    _ => self
                        .changes
                        .iter()
                        .fold(0, |lanes, changes| lanes | changes[side.index()][word].lanes),
                };
                let lanes = Bitboard(lanes);
                if lanes.is_empty() {
                    continue;
                }
                *changed = lanes;
                let mut doubtful = Bitboard::EMPTY;
                R::with_registers(
                    #[inline(always)]
                    || {
                        for (results, rows) in results.iter_mut().zip(&self.rows) {
                            let keys = rows[side.index()][word];
                            doubtful |= keys.doubtful();
                            *results = keys.signed(side);
                        }
                    },
                );
                if !(doubtful & lanes).is_empty() {
                    far.store(true, Relaxed);
                }
                for lane in lanes {
                    for (to, results) in row.iter_mut().zip(&results) {
                        *to = results[lane.number()];
                    }
                    // Neighbours often have the same row, which is soon seen.
                    latest[lane.number()] = match before {
                        Some(number) if row == row_before => number,
                        _ => {
                            std::mem::swap(&mut row, &mut row_before);
                            *before.insert(interner.number(&row_before))
                        }
                    };
                }
            }
        });
        if far.into_inner() { Err(Unsolved::TooFar) } else { Ok(changed) }
    }
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
    walks: &'a Walks,
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
        let mut best = self.walks.quiet(word, seen).join(seen[word]);
        let turns = Bitboard(self.vital.lanes[me][word]) & lanes;
        if !turns.is_empty() {
            let mut options = R::NONE;
            for lane in turns {
                let number = self.vital.numbers[me][word * 64 + lane.number()];
                options.set(lane, self.kept[number as usize]);
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
        let budget = Budget::new(u64::MAX, "none");
        let numbers = || budget.array(words * 64, 0).unwrap();
        let none = || vec![vec![0; usize::from(v)].into_boxed_slice()];
        let vital = Vital {
            numbers: [numbers(), numbers()],
            lanes: [vec![0; words], vec![0; words]],
            sequences: [none(), none()],
        };
        let rows = SharedInterner::new(usize::from(v));
        let Ok(solved) = DistanceLayers::<R>::solve(game, slice, &vital, &rows, &budget) else {
            panic!("distances are small, and there is memory")
        };
        let rows_of = |&number: &u32| {
            let function = solved.functions.values(number, 1..u16::from(v) + 1);
            function.iter().map(|&row| rows.look(row, |row| row.into())).collect()
        };
        let legal = |&(at, _): &(usize, &u32)| {
            let (side, cell) = (at / (words * 64), at % (words * 64));
            solved.legal[side][cell / 64] >> (cell % 64) & 1 != 0
        };
        let all = solved.numbers.iter().flat_map(|numbers| numbers.iter()).enumerate();
        all.filter(legal).map(|(_, number)| rows_of(number)).collect()
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
