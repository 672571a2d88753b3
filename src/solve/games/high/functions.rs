//! The functions of a whole table: for each position, the plies to the end at every pair of
//! vitalities, its slices one after the other.
//!
//! A function is a row of V results for each of White's vitalities. Tables have few functions and
//! fewer rows, so each is kept once: a position has the number of a function, and a function V
//! numbers of rows.

use std::{
    io,
    ops::Range,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering::Relaxed},
    },
};

use rustc_hash::{FxHashMap, FxHashSet};

use super::{
    ahead::{Ahead, LandingTables, Landings},
    distance::{DistanceLayers, SolvedDistances, Unsolved, Vital},
    keys::{Key, LOST, key, seen},
    mates::{Mates, MatesSolver, MovesAndPass},
    numbered,
};
use crate::{
    answer::{
        Contents, Outcome, Tabled,
        high::{Functions, Signed, most_rows, read_functions, write_functions},
        place::chess_group,
        score::Store,
    },
    board::{Bitboard, Color},
    index::{Index, Material},
    parallel::{self, Share, chunks},
    rules::{High, Laws, Revitalise},
    solve::{
        engine::{
            builder::{SolveParts, Workbench, section},
            clock::{Sequences, SharedInterner},
            lanes::{NumberLanes, RowWork, with_widest_rows},
            pages::{PackedPages, TablePages},
            slice::{MIN_WORDS, Sets, Slice, legal_positions, structure_groups, structure_squares},
            spill::{Budget, ScratchArray},
        },
        error::BuildError,
        game::Solve,
        goal::Goal,
        parts::Part,
    },
    table::TableWriter,
};

/// Solves a table with distances, which has one part.
pub(super) struct DistanceSolver<'a> {
    pub game: &'a High,
    pub goal: Goal,
    pub bench: &'a Workbench<'a>,
}

impl SolveParts for DistanceSolver<'_> {
    fn solve(&self, part: &Part) -> Result<(), BuildError> {
        let &DistanceSolver { game, goal, bench } = self;
        let material = goal.material;
        let functions = game.solve_distances(&material, bench)?;
        let tables = Mates { game: *game, in_parts: false };
        let mates = MatesSolver::new(tables, MovesAndPass, &goal, bench);
        let job = mates.work.begin(part);
        mates.solve_pages(&job, None)?;
        let mut writer = mates.work.writer(&job, 1)?;
        write(&mut writer, &material, &functions, &job.pages, bench)?;
        bench.finish(writer)
    }
}

/// What of a function matters to a vital turn that leads to it: keys of who turns there, for
/// vitalities 1 to V of the other side, as a number in an [`SharedInterner`].
type DistanceLanding = u32;

/// Everything the slices of a material look into.
type DistanceContext<'a> = Ahead<'a, LandingsOf<'a>>;

/// Landings of functions, in an [`SharedInterner`].
struct LandingsOf<'a> {
    game: &'a High,
    all: &'a SharedInterner<Key>,
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
fn landing_of(game: &High, to_move: Color, result: impl Fn(usize, usize) -> Signed) -> Vec<Key> {
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

/// The functions of a table: a number per position, and what the numbers mean.
struct SolvedFunctions {
    /// For each position a number in `functions`; [`NO_FUNCTION`] for numbers that are none.
    pub numbers: TablePages<u32>,
    /// For each function V numbers in `rows`.
    pub functions: Sequences<u32>,
    /// V results each, for vB from 1 on.
    pub rows: Sequences<Signed>,
}

/// What stands for a function where there is no position.
const NO_FUNCTION: u32 = u32::MAX;

/// An entry per position of a slice, per side to move.
type PerSide<T> = [ScratchArray<T>; 2];

impl High {
    /// Finds the distances of a table, with all it leads to in memory.
    fn solve_distances(
        &self,
        material: &Material,
        bench: &Workbench<'_>,
    ) -> Result<SolvedFunctions, BuildError> {
        let sequences = SharedInterner::new(usize::from(self.vitality.points()));
        let mut tables = LandingTables::default();
        for needed in self.needs(material) {
            let landings = load_landings(self, &needed, &sequences, bench)?;
            tables.insert(needed, Arc::new(landings));
        }
        self.solve_functions(material, &mut tables, &sequences, bench)
    }

    /// Solves the distances of a table; `tables` are those its turns lead to, with landings in
    /// `sequences`. The landings of this table are added to them.
    ///
    /// # Errors
    /// If scratch space is lacking.
    fn solve_functions(
        &self,
        material: &Material,
        tables: &mut LandingTables<DistanceLanding>,
        sequences: &SharedInterner<Key>,
        bench: &Workbench<'_>,
    ) -> Result<SolvedFunctions, BuildError> {
        let index = || Index::new(material, chess_group(material));
        let numbers = TablePages::empty(index(), 2);
        let landings = Arc::new(TablePages::empty(index(), 2));
        tables.insert(*material, landings.clone());
        let context = Ahead::new(self, material, LandingsOf { game: self, all: sequences }, tables);
        let groups = structure_groups(&numbers.index);
        let steps = groups.iter().map(|g| g.len() as u64).sum();
        bench.progress.begin(&format!("solving {material}, distances"), steps);
        let full = usize::from(self.vitality.points());
        let (rows, functions) = (SharedInterner::new(full), SharedInterner::new(full));
        // Where both sides can win, the longest wins have no room in a byte.
        let far = AtomicBool::new(both_fight(material));
        for group in groups {
            parallel::try_each(&group[..], 1, |_, &structure| -> Result<(), BuildError> {
                let squares = structure_squares(&numbers.index, structure);
                let slice =
                    Slice::new(material.men(), squares, chess_group(material), Laws::ORTHODOX);
                let vital = context.vital(&slice, bench.budget)?;
                let (game, slice, vital, budget) = (self, &slice, &vital, bench.budget);
                let layers = DistanceWork { game, slice, vital, rows: &rows, far: &far, budget };
                let solved = with_widest_rows(layers)?;
                let (of_numbers, of_landings) =
                    self.number(solved, &rows, &functions, sequences, bench.budget)?;
                numbers.fill(structure, slice, &of_numbers, NO_FUNCTION, bench.budget)?;
                landings.fill(structure, slice, &of_landings, 0, bench.budget)?;
                bench.progress.advance(1);
                Ok(())
            })?;
        }
        let (functions, rows) = (functions.into_sequences(), rows.into_sequences());
        Ok(SolvedFunctions { numbers, functions, rows })
    }

    /// Finds the functions of a solved slice among those of the table, and their landings.
    fn number(
        &self,
        solved: SolvedDistances,
        rows: &SharedInterner<Signed>,
        functions: &SharedInterner<u32>,
        sequences: &SharedInterner<Key>,
        budget: &Budget,
    ) -> io::Result<(PerSide<u32>, PerSide<DistanceLanding>)> {
        let full = u16::from(self.vitality.points());
        let SolvedDistances { legal, mut numbers, functions: histories } = solved;
        let cells = numbers[0].len();
        let mut landings = [budget.array(cells, 0)?, budget.array(cells, 0)?];
        for side in Color::ALL {
            let meaning = |function: &[u32]| -> (u32, DistanceLanding) {
                let result =
                    |white: usize, black: usize| rows.look(function[white], |row| row[black]);
                let landing = landing_of(self, side, result);
                (functions.number(function), sequences.number(&landing))
            };
            let at = side.index();
            histories.give_meaning(
                &mut numbers[at],
                &mut landings[at],
                &legal[at],
                NO_FUNCTION,
                1..full + 1,
                meaning,
            );
        }
        Ok((numbers, landings))
    }
}

/// The layers of a slice, to be solved.
struct DistanceWork<'a> {
    game: &'a High,
    slice: &'a Slice,
    vital: &'a Vital,
    rows: &'a SharedInterner<Signed>,
    /// Whether distances are likely to have no room in a byte; tells later slices, too.
    far: &'a AtomicBool,
    budget: &'a Budget,
}

impl RowWork for DistanceWork<'_> {
    type Done = io::Result<SolvedDistances>;

    /// Takes the rows of bytes if they hold the distances.
    fn with<B: NumberLanes<Value = u8>, S: NumberLanes<Value = i16>>(
        self,
    ) -> io::Result<SolvedDistances> {
        let DistanceWork { game, slice, vital, rows, far, budget } = self;
        if !far.load(Relaxed) {
            match DistanceLayers::<B>::solve(game, slice, vital, rows, budget) {
                Err(Unsolved::TooFar) => far.store(true, Relaxed),
                Err(Unsolved::Scratch(error)) => return Err(error),
                Ok(solved) => return Ok(solved),
            }
        }
        match DistanceLayers::<S>::solve(game, slice, vital, rows, budget) {
            Err(Unsolved::TooFar) => unreachable!("words hold any distance"),
            Err(Unsolved::Scratch(error)) => Err(error),
            Ok(solved) => Ok(solved),
        }
    }
}

impl DistanceContext<'_> {
    /// The best vital turns of a slice.
    fn vital(&self, slice: &Slice, budget: &Budget) -> io::Result<Vital> {
        let legal = legal_positions(slice);
        let words = slice.words();
        let mut numbers = [budget.array(words * 64, 0)?, budget.array(words * 64, 0)?];
        let lanes = Color::ALL.map(|side| self.find_vital(slice, &legal, side, &mut numbers));
        let sequences = Color::ALL.map(|side| self.collect(&mut numbers[side.index()]));
        Ok(Vital { numbers, lanes, sequences })
    }

    /// Finds the best vital turn of each position of a side: a number in the interner plus one.
    fn find_vital(
        &self,
        slice: &Slice,
        legal: &Sets,
        side: Color,
        numbers: &mut PerSide<u32>,
    ) -> Vec<u64> {
        let mut found = vec![0; slice.words()];
        let words = (chunks(&mut numbers[side.index()][..], 64), &mut found[..]);
        parallel::pieces(words, MIN_WORDS, &|first, words| {
            let mut joined = FxHashMap::default();
            for (word, (numbers, found)) in (first..).zip(words.items()) {
                let lanes = Bitboard(legal[side.index()][word]);
                let Some(stand) = slice.stand(word).filter(|_| !lanes.is_empty()) else { continue };
                slice.conversions(&stand, side, lanes, |turn, lanes, squares| {
                    let option = self.landing(slice, turn, side, squares);
                    *found |= lanes.0;
                    for lane in lanes {
                        let best = &mut numbers[lane.number()];
                        *best = match best.checked_sub(1) {
                            None => option + 1,
                            Some(best) if best == option => best + 1,
                            Some(best) => {
                                let both = (best.min(option), best.max(option));
                                *joined.entry(both).or_insert_with(|| self.join(both) + 1)
                            }
                        };
                    }
                });
            }
        });
        found
    }

    /// The better of two landings, vitality by vitality.
    fn join(&self, (a, b): (DistanceLanding, DistanceLanding)) -> DistanceLanding {
        let mut best = self.landings.all.look(a, <[Key]>::to_vec);
        self.landings.all.look(b, |b| {
            best.iter_mut().zip(b).for_each(|(best, &b)| *best = b.max(*best));
        });
        self.landings.all.number(&best)
    }

    /// NumberLanes the landings of a side from 1 on, and collects what they stand for.
    fn collect(&self, numbers: &mut ScratchArray<u32>) -> Vec<Box<[Key]>> {
        let none = vec![0; usize::from(self.game.vitality.points())];
        let mut sequences = vec![none.into_boxed_slice()];
        let mut places = FxHashMap::default();
        for number in numbers.iter_mut() {
            if let Some(landing) = number.checked_sub(1) {
                *number = *places.entry(landing).or_insert_with(|| {
                    sequences.push(self.landings.all.look(landing, |keys| keys.into()));
                    sequences.len() as u32 - 1
                });
            }
        }
        sequences
    }
}

/// Whether both sides have more than a King: then both can win, and it can take long.
pub(super) fn both_fight(material: &Material) -> bool {
    Color::ALL.into_iter().all(|color| material.men_of(color) > 1)
}

/// NumberLanes rows anew in the order in which functions have them; returns the old numbers in that
/// order.
fn number_as_met(functions: &mut [u32], rows: usize) -> Vec<u32> {
    let mut order = Vec::with_capacity(rows);
    let mut places = vec![u32::MAX; rows];
    for row in functions {
        let place = &mut places[*row as usize];
        if *place == u32::MAX {
            *place = order.len() as u32;
            order.push(*row);
        }
        *row = *place;
    }
    order
}

/// Writes the functions and a number of one for every position, whose `mates` they tell, too.
fn write(
    writer: &mut TableWriter,
    material: &Material,
    solved: &SolvedFunctions,
    mates: &PackedPages<i16>,
    bench: &Workbench<'_>,
) -> Result<(), BuildError> {
    // Sorted, so that every build writes the same file whatever its threads did first.
    let SolvedFunctions { numbers, functions, rows } = solved;
    let mut used = vec![false; rows.end()];
    functions
        .numbers()
        .for_each(|f| functions.get(f).iter().for_each(|&r| used[r as usize] = true));
    let (row_order, row_places) = rows.sorted(rows.numbers().filter(|&row| used[row as usize]));
    let count = numbers.index.len();
    if row_order.len() as u64 > most_rows(count) {
        return Err(BuildError::TooVarious { material: *material });
    }
    let by_place = functions.map(|&row| row_places[row as usize]);
    let (order, places) = by_place.sorted(by_place.numbers());
    // Like functions that differ in their mates are told apart.
    let place_of = &places;
    let of_range = |side: Color, range: Range<u64>| {
        let found = mates.range(section(0, side), range.clone());
        range.zip(found).map(move |(number, mate)| match numbers.get(side, number) {
            NO_FUNCTION => None,
            function => Some((place_of[function as usize], packed_mate(mate))),
        })
    };
    let kinds = kinds(count, &of_range);
    let of_kinds: Vec<u32> = kinds.iter().map(|&(place, _)| order[place as usize]).collect();
    let mut sorted = by_place.concat(&of_kinds);
    drop(by_place);
    let as_met = number_as_met(&mut sorted, row_order.len());
    let as_met: Vec<u32> = as_met.iter().map(|&place| row_order[place as usize]).collect();
    let mates: Vec<Outcome> = kinds.iter().map(|&(_, mate)| Outcome::unpack(mate)).collect();
    write_functions(writer, rows.length(), &rows.concat(&as_met), &sorted, &mates)?;
    let mut first = vec![0; order.len()];
    kinds.iter().enumerate().rev().for_each(|(at, kind)| first[kind.0 as usize] = at);
    // Most functions are of one kind.
    let place = |kind: Kind| {
        let first = first[kind.0 as usize];
        let found = kinds[first..].iter().position(|&other| other == kind);
        (first + found.expect("all kinds have been met")) as u32
    };
    let places = |side, range| of_range(side, range).map(|kind| kind.map(place)).collect();
    numbered::write(writer, count, kinds.len(), places, bench)?;
    Ok(())
}

/// A function by its place among all, with a mate as files have it.
type Kind = (u32, u32);

/// Positions that are looked at together.
const AT_ONCE: u64 = 1 << 14;

/// Every kind that so many positions with either side to move are of, in order.
fn kinds<K: Iterator<Item = Option<Kind>>>(
    count: u64,
    of_range: &(impl Fn(Color, Range<u64>) -> K + Sync),
) -> Vec<Kind> {
    let met = Color::ALL.map(|side| {
        parallel::map(0..count.div_ceil(AT_ONCE), 1, |_, piece| {
            let range = piece * AT_ONCE..count.min((piece + 1) * AT_ONCE);
            of_range(side, range).flatten().collect::<FxHashSet<Kind>>()
        })
    });
    let mut all = FxHashSet::default();
    met.into_iter().flatten().for_each(|met| all.extend(met));
    let mut all: Vec<Kind> = all.into_iter().collect();
    all.sort_unstable();
    all
}

/// A mate that is kept as a score as files have it.
fn packed_mate(mate: i16) -> u32 {
    Outcome::of::<i16>(mate.score()).packed()
}

/// Reads what solving other tables takes of a whole table.
fn load_landings(
    game: &High,
    material: &Material,
    sequences: &SharedInterner<Key>,
    bench: &Workbench<'_>,
) -> Result<TablePages<DistanceLanding>, BuildError> {
    let table = bench.directories.open(&game.table_id(material, Contents::Distance))?;
    let values = TablePages::empty(Index::new(material, chess_group(material)), 2);
    let functions: Functions = read_functions(&table, values.index.len())?;
    let landings: [Vec<DistanceLanding>; 2] = Color::ALL.map(|side| {
        parallel::map(0..functions.len(), 1, |_, function| {
            let row = |white: usize| functions.row(function as u32, white as u8 + 1);
            sequences.number(&landing_of(game, side, |white, black| row(white)[black]))
        })
    });
    numbered::load(
        &values,
        &table,
        landings.each_ref().map(|of_side| &of_side[..]),
        "function",
        bench,
    )?;
    Ok(values)
}
