//! The distances of one slice: the plies to the end of the game at every pair of vitalities.
//!
//! A *layer* is a pair (vW, vB). A turn that costs White a point leads to the layer (vW − 1, vB), one
//! that costs Black a point to (vW, vB − 1), and both are done before. A turn that costs nothing
//! makes its mover High: White's King is then nearer to the centre than Black's, Black's at least as
//! near as White's. So the positions of a layer settle in one pass, in the order of the distance of
//! the King that stays: White to move with Black's King in the centre, Black to move with White's
//! there, White to move with Black's King one step from it, and so on.
//!
//! All layers with the same vW are kept, for each is the ground of the next vW and is then written
//! over.

use std::{
    io,
    sync::atomic::{AtomicBool, Ordering::Relaxed},
};

use rayon::prelude::*;

use super::{
    interner::Interner,
    keys::{Key, Keys, signed},
};
use crate::{
    answer::high::Signed,
    board::{Bitboard, Color, Role, Square},
    rules::High,
    solve::engine::{
        clock::Histories,
        ladder::{self, MIN_WORDS},
        scratch::{Budget, Scratch},
        slice::{Slice, Stand},
    },
};

/// How many distances a King can have from the centre.
const RINGS: usize = 4;

/// The best vital turn of every position of a slice.
pub(super) struct Vital {
    /// Per side to move, for each position the number of a sequence; 0 is none.
    pub numbers: [Scratch<u32>; 2],
    /// The lanes of each word with a vital turn.
    pub lanes: [Vec<u64>; 2],
    /// Per side, the sequences: keys of the mover for each vitality, 1 to V, of the player who does
    /// not move by the turn, or, if both are restored, the same key V times. The first is none.
    pub sequences: [Vec<Box<[Key]>>; 2],
}

/// What is known of a slice when all its layers are solved.
pub(super) struct Solved {
    /// The legal positions.
    pub legal: ladder::Sets,
    /// Per side to move, the history of each position in `functions`.
    pub numbers: [Scratch<u32>; 2],
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

/// One slice while its layers are solved.
pub(super) struct Layers<'a, R: Keys> {
    slice: &'a Slice,
    /// V.
    full: u8,
    legal: ladder::Sets,
    /// Per side to move and distance of the other side's King, the legal positions.
    rings: [Vec<[u64; RINGS]>; 2],
    /// The lanes in which White is Low; in all others Black is.
    white_low: Vec<u64>,
    vital: &'a Vital,
    /// Per side, the sequences of its vital turns as rows keep them, all of one vitality together.
    sequences: [Vec<Vec<R::Kept>>; 2],
    /// For each vB from 1 on, the rows of both sides in the layer (vW, vB).
    rows: Vec<[Scratch<R>; 2]>,
    /// The rows with White to move where Black is exhausted.
    exhausted: Scratch<R>,
    /// What each side sees of the rows its turns lead to.
    views: [Scratch<R>; 2],
    /// Lanes that are not what they were with a point less of White's.
    changed: [Vec<u64>; 2],
}

impl<'a, R: Keys> Layers<'a, R> {
    /// A slice before its first layer.
    ///
    /// # Errors
    /// If scratch space is lacking, or a vital turn is too far from the end.
    pub fn new(
        game: &High,
        slice: &'a Slice,
        vital: &'a Vital,
        budget: &Budget,
    ) -> Result<Layers<'a, R>, Unsolved> {
        let full = game.vitality.points();
        let words = slice.words();
        let legal = ladder::legal_positions(slice);
        let rings = Color::ALL.map(|side| {
            per_word(slice, [0; RINGS], |stand| {
                let rings = rings(slice, stand, !side);
                rings.map(|lanes| lanes.0 & legal[side.index()][stand.word])
            })
        });
        let white_low = per_word(slice, 0, |stand| white_low(slice, stand).0);
        let keep = |sequences: &Vec<Box<[Key]>>| -> Option<Vec<Vec<R::Kept>>> {
            let of = |v: usize| sequences.iter().map(|keys| R::keep(keys[v])).collect();
            (0..usize::from(full)).map(of).collect()
        };
        let [white, black] = &vital.sequences;
        let sequences = [white, black].map(keep);
        let [Some(white), Some(black)] = sequences else { return Err(Unsolved::TooFar) };
        let ended = |side: Color| -> io::Result<Scratch<R>> {
            let mut rows = budget.array(words, R::NONE)?;
            rows.par_iter_mut().with_min_len(MIN_WORDS).enumerate().for_each(|(word, row)| {
                let lanes = Bitboard(legal[side.index()][word]);
                let Some(stand) = slice.stand(word).filter(|_| !lanes.is_empty()) else { return };
                let mated = mated(slice, vital, &stand, side, &legal);
                *row = R::LOST.or_else(mated, R::WON).only(lanes);
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
        Ok(Layers {
            slice,
            full,
            rings,
            white_low,
            vital,
            sequences: [white, black],
            rows,
            exhausted: ended(Color::White)?,
            views: [budget.array(words, R::NONE)?, budget.array(words, R::NONE)?],
            // At first everything is new.
            changed: legal.clone(),
            legal,
        })
    }

    /// Solves all layers.
    ///
    /// # Errors
    /// If scratch space is lacking, or a distance does not fit.
    pub fn run(
        mut self,
        interner: &Interner<Signed>,
        budget: &Budget,
    ) -> Result<Solved, Unsolved> {
        let cells = self.slice.words() * 64;
        let mut functions = Histories::new(u32::MAX);
        let mut numbers = [budget.array(cells, 0)?, budget.array(cells, 0)?];
        let mut latest = [budget.array(cells, u32::MAX)?, budget.array(cells, u32::MAX)?];
        for white in 0..usize::from(self.full) {
            for black in 0..usize::from(self.full) {
                self.layer(white, black);
            }
            for side in Color::ALL {
                self.intern(side, interner, &mut latest[side.index()])?;
            }
            let mut rows = Vec::new();
            for ((numbers, latest), changed) in
                numbers.iter_mut().zip(&latest).zip(&mut self.changed)
            {
                let all = numbers.chunks_exact_mut(64).zip(latest.chunks_exact(64)).zip(changed);
                rows.extend(all.filter_map(|(both, changed)| {
                    (std::mem::take(changed) != 0).then_some(both)
                }));
            }
            functions.advance(white as u16 + 1, rows);
        }
        Ok(Solved { legal: self.legal, numbers, functions })
    }

    /// Solves the layer (`white` + 1, `black` + 1).
    fn layer(&mut self, white: usize, black: usize) {
        let (done, rest) = self.rows.split_at_mut(black);
        let below = done.last().map_or(&self.exhausted, |rows| &rows[0]);
        let [white_rows, black_rows] = &mut rest[0];
        let (legal, white_low) = (&self.legal, &self.white_low);
        // Turns that cost a point lead to layers that are done.
        let [white_view, black_view] = &mut self.views;
        let seen = |view: &mut Scratch<R>, rows: &Scratch<R>, side: Color| {
            view.par_iter_mut().zip(rows.par_iter()).with_min_len(MIN_WORDS).enumerate().for_each(
                |(word, (view, row))| {
                    let low = white_low[word] ^ if side == Color::White { 0 } else { !0 };
                    let lanes = low & legal[(!side).index()][word];
                    *view = if lanes == 0 { R::NONE } else { row.seen().only(Bitboard(lanes)) };
                },
            );
        };
        seen(white_view, black_rows, Color::White);
        seen(black_view, below, Color::Black);
        let [white_changed, black_changed] = &mut self.changed;
        let step = |side: Color, ring, vitality: usize| Step::<R> {
            slice: self.slice,
            side,
            ring,
            rings: &self.rings[side.index()],
            white_low,
            vital: self.vital,
            kept: &self.sequences[side.index()][vitality],
        };
        for ring in 0..RINGS {
            step(Color::White, ring, black).run(&mut self.views, white_rows, white_changed);
            step(Color::Black, ring, white).run(&mut self.views, black_rows, black_changed);
        }
    }

    /// Finds the rows of positions that changed, over all vB, among those met before.
    fn intern(
        &self,
        side: Color,
        interner: &Interner<Signed>,
        latest: &mut Scratch<u32>,
    ) -> Result<(), Unsolved> {
        let far = AtomicBool::new(false);
        latest.par_chunks_mut(64).with_min_len(MIN_WORDS / 8).enumerate().for_each_init(
            || vec![0; 64 * self.rows.len()],
            |found, (word, latest)| {
                let lanes = Bitboard(self.changed[side.index()][word]);
                for (black, rows) in self.rows.iter().enumerate() {
                    let row = &rows[side.index()][word];
                    for lane in lanes {
                        let key = row.key(lane.number());
                        if key.is_none() {
                            far.store(true, Relaxed);
                        }
                        found[lane.number() * self.rows.len() + black] =
                            signed(side, key.unwrap_or(0));
                    }
                }
                for lane in lanes {
                    let at = lane.number() * self.rows.len();
                    latest[lane.number()] = interner.number(&found[at..at + self.rows.len()]);
                }
            },
        );
        if far.into_inner() { Err(Unsolved::TooFar) } else { Ok(()) }
    }
}

/// Settles the positions of a layer in which one side is to move and the other's King has a
/// certain distance.
struct Step<'a, R: Keys> {
    slice: &'a Slice,
    side: Color,
    ring: usize,
    rings: &'a [[u64; RINGS]],
    white_low: &'a [u64],
    vital: &'a Vital,
    kept: &'a [R::Kept],
}

impl<R: Keys> Step<'_, R> {
    fn run(&self, views: &mut [Scratch<R>; 2], rows: &mut Scratch<R>, changed: &mut [u64]) {
        let Step { slice, side, .. } = *self;
        let me = side.index();
        let [seen, shown] = ladder::two(views, me);
        let seen = &*seen;
        let (vital, numbers) = (&self.vital.lanes[me], &self.vital.numbers[me]);
        (rows.par_iter_mut(), shown.par_iter_mut(), changed.par_iter_mut())
            .into_par_iter()
            .with_min_len(MIN_WORDS)
            .enumerate()
            .for_each(|(word, (row, shown, changed))| {
                let lanes = Bitboard(self.rings[word][self.ring]);
                if lanes.is_empty() {
                    return;
                }
                let Some(stand) = slice.stand(word) else { return };
                let mut best = slice.quiet(&stand, side, |word| seen[word]).join(seen[word]);
                let turns = Bitboard(vital[word]) & lanes;
                if !turns.is_empty() {
                    let mut options = R::NONE;
                    for lane in turns {
                        let number = numbers[word * 64 + lane.number()];
                        options.set(lane.number(), self.kept[number as usize]);
                    }
                    best = best.join(options);
                }
                // Without any turn the side is mated.
                let new = R::LOST.or_else(best.none(), best).or_else(lanes, *row);
                let differs = new.differs(row);
                if !differs.is_empty() {
                    *row = new;
                    *changed |= differs.0;
                }
                // Who turns to these positions for nothing is High there.
                let low = self.white_low[word] ^ if side == Color::Black { 0 } else { !0 };
                let free = lanes & !Bitboard(low);
                if !free.is_empty() {
                    *shown = new.seen().or_else(free, *shown);
                }
            });
    }
}

/// Something for each word, `none` where men would share a square.
fn per_word<T: Copy + Send + Sync>(
    slice: &Slice,
    none: T,
    of: impl Fn(&Stand) -> T + Sync,
) -> Vec<T> {
    (0..slice.words())
        .into_par_iter()
        .with_min_len(MIN_WORDS)
        .map(|word| slice.stand(word).map_or(none, |stand| of(&stand)))
        .collect()
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

/// The lanes in which White is Low.
fn white_low(slice: &Slice, stand: &Stand) -> Bitboard {
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

/// The lanes in which `side`, to move, is mated.
fn mated(
    slice: &Slice,
    vital: &Vital,
    stand: &Stand,
    side: Color,
    legal: &ladder::Sets,
) -> Bitboard {
    let lanes = Bitboard(legal[side.index()][stand.word]) & slice.checked(stand, side);
    if lanes.is_empty() {
        return lanes;
    }
    let open = &legal[(!side).index()];
    let quiet = Bitboard(slice.quiet(stand, side, |word| open[word]));
    lanes & !quiet & !Bitboard(vital.lanes[side.index()][stand.word])
}
