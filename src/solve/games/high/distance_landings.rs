//! What vital turns are worth, in tables with distances: they restore vitality, so a row or a column
//! of the function they lead to matters.

use std::{
    io,
    ops::Range,
    path::PathBuf,
    sync::{Arc, Mutex},
};

use rustc_hash::FxHashMap;

use super::{
    ahead::{Ahead, Landings},
    distance::Vital,
    keys::{Key, LOST, key, seen},
};
use crate::{
    answer::high::{Signed, map_functions},
    board::{Bitboard, Color},
    lock::lock,
    parallel,
    probe::Catalogue,
    rules::{High, Revitalise},
    solve::engine::{
        clock::SharedInterner,
        pages::{PageCell, Paged, PartCells},
        slice::{Chesslike, MIN_WORDS, Sets, Slice, legal_positions},
        spill::{Budget, ScratchArray},
    },
    table::TableError,
};

/// What of a function matters to a vital turn that leads to it: keys of who turns there, for
/// vitalities 1 to V of the other side, as a number in a [`SharedInterner`].
pub(super) type DistanceLanding = u32;

/// Everything the slices of a material look into.
pub(super) type DistanceContext<'a> = Ahead<'a, LandingsOf<'a>>;

/// Landings of functions, in a [`SharedInterner`].
pub(super) struct LandingsOf<'a> {
    pub game: &'a High,
    pub all: &'a SharedInterner<Key>,
}

impl Landings for LandingsOf<'_> {
    type Landing = DistanceLanding;

    fn best(&self, _: Color, after: impl Iterator<Item = DistanceLanding>) -> DistanceLanding {
        let full = usize::from(self.game.vitality.points());
        // The turn that led here restored its mover's vitality.
        let best = after.map(|landing| self.all.look(landing, |keys| keys[full - 1])).max();
        self.all.number(&vec![seen(best.unwrap_or(LOST)); full])
    }
}

/// The landing of a position with these results, `to_move` being to move there. `result` gets the
/// vitalities less one, White's first.
pub(super) fn landing_of(
    game: &High,
    to_move: Color,
    result: impl Fn(usize, usize) -> Signed,
) -> Vec<Key> {
    let full = usize::from(game.vitality.points());
    let keys = (0..full).map(|other| {
        let result = match (game.revitalise, to_move) {
            (Revitalise::Mover, Color::Black) => result(full - 1, other),
            (Revitalise::Mover, Color::White) => result(other, full - 1),
            (Revitalise::Both, _) => result(full - 1, full - 1),
        };
        seen(key(to_move, result))
    });
    keys.collect()
}

/// High Chess with what the numbers of the tables that were opened mean to a vital turn. Pages hold
/// that alone.
pub(super) struct DistancePages {
    game: High,
    /// What landings stand for.
    pub landings: SharedInterner<Key>,
    opened: Mutex<Opened>,
}

/// What the numbers of a stretch mean, by side to move; by the path of the file and the number of
/// the stretch.
type Opened = FxHashMap<(PathBuf, usize), [Arc<[DistanceLanding]>; 2]>;

impl DistancePages {
    /// None opened yet.
    pub fn new(game: High) -> DistancePages {
        let landings = SharedInterner::new(usize::from(game.vitality.points()));
        DistancePages { game, landings, opened: Mutex::default() }
    }
}

impl Chesslike for DistancePages {
    fn swaps_colors(&self) -> bool {
        false
    }
}

impl Paged for DistancePages {
    type Cell = DistanceLanding;

    fn game(&self) -> &dyn Catalogue {
        &self.game
    }

    fn meanings(&self, stretch: &PartCells<'_>) -> Result<Arc<[DistanceLanding]>, TableError> {
        let PartCells { table, number, side, cells, .. } = *stretch;
        let key = (table.path().to_owned(), number);
        if let Some(known) = lock(&self.opened).get(&key) {
            return Ok(known[side.index()].clone());
        }
        // Not under the lock, for many threads read.
        let landings = map_functions(table, number, cells.entries(), |function| {
            Color::ALL.map(|side| {
                let result = |white, black| function.result(white, black);
                self.landings.number(&landing_of(&self.game, side, result))
            })
        })?;
        let of_side =
            |side: Color| landings.iter().map(|landings| landings[side.index()]).collect();
        let landings: [Arc<[DistanceLanding]>; 2] = Color::ALL.map(of_side);
        let meant = landings[side.index()].clone();
        lock(&self.opened).insert(key, landings);
        Ok(meant)
    }
}

impl DistanceContext<'_> {
    /// The best vital turns of a slice.
    pub fn vital(&self, slice: &Slice, budget: &Budget) -> io::Result<Vital> {
        let legal = legal_positions(slice);
        let [white, black] = Color::ALL.map(|side| self.find_vital(slice, &legal, side, budget));
        let [(white, white_lanes), (black, black_lanes)] = [white?, black?];
        let (mut numbers, lanes) = ([white, black], [white_lanes, black_lanes]);
        let sequences = Color::ALL.map(|side| self.collect(&mut numbers[side.index()]));
        let before = lanes.each_ref().map(|lanes| {
            let mut before = 0;
            let count = |lanes: &u64| {
                let here = before;
                before += lanes.count_ones() as usize;
                here
            };
            lanes.iter().map(count).collect()
        });
        Ok(Vital { lanes, before, numbers, sequences })
    }

    /// Finds the best vital turn of each position of a side that has one: a number in the interner;
    /// and the lanes of each word that have.
    fn find_vital(
        &self,
        slice: &Slice,
        legal: &Sets,
        side: Color,
        budget: &Budget,
    ) -> io::Result<(ScratchArray<u32>, Vec<u64>)> {
        let found = parallel::gather(0..slice.words(), MIN_WORDS, &|_, words: Range<usize>| {
            let mut joined = FxHashMap::default();
            let (mut all, mut all_lanes) = (Vec::new(), Vec::with_capacity(words.len()));
            for word in words {
                let mut found = Bitboard::EMPTY;
                let mut numbers = [DistanceLanding::GAP; 64];
                let lanes = Bitboard(legal[side.index()][word]);
                if let Some(stand) = slice.stand(word).filter(|_| !lanes.is_empty()) {
                    slice.conversions(&stand, side, lanes, |turn, lanes, squares| {
                        let option = self.landing(slice, turn, side, squares);
                        found |= lanes;
                        for lane in lanes {
                            let best = &mut numbers[lane.number()];
                            *best = match *best {
                                DistanceLanding::GAP => option,
                                best if best == option => best,
                                best => {
                                    let both = (best.min(option), best.max(option));
                                    *joined.entry(both).or_insert_with(|| self.join(both))
                                }
                            };
                        }
                    });
                }
                all_lanes.push(found.0);
                all.extend(found.map(|lane| numbers[lane.number()]));
            }
            (all, all_lanes)
        });
        let count = found.iter().map(|(numbers, _)| numbers.len()).sum();
        let mut numbers = budget.array(count, 0)?;
        let mut rest = &mut numbers[..];
        let mut lanes = Vec::with_capacity(slice.words());
        for (some, of_words) in found {
            let (now, later) = std::mem::take(&mut rest).split_at_mut(some.len());
            now.copy_from_slice(&some);
            rest = later;
            lanes.extend(of_words);
        }
        Ok((numbers, lanes))
    }

    /// The better of two landings, vitality by vitality.
    fn join(&self, (a, b): (DistanceLanding, DistanceLanding)) -> DistanceLanding {
        let mut best = self.landings.all.look(a, <[Key]>::to_vec);
        self.landings.all.look(b, |b| {
            best.iter_mut().zip(b).for_each(|(best, &b)| *best = b.max(*best));
        });
        self.landings.all.number(&best)
    }

    /// Numbers the landings of a side anew, and collects what they stand for.
    fn collect(&self, numbers: &mut [u32]) -> Vec<Box<[Key]>> {
        let mut sequences = Vec::new();
        let mut places = FxHashMap::default();
        for number in numbers {
            *number = *places.entry(*number).or_insert_with(|| {
                sequences.push(self.landings.all.look(*number, |keys| keys.into()));
                sequences.len() as u32 - 1
            });
        }
        sequences
    }
}
