//! The functions of a table: for each position, the plies to the end at every pair of vitalities,
//! its slices one after the other, and what they leave in the file.
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
    time::Duration,
};

use rustc_hash::FxHashSet;

use super::{
    ahead::{Ahead, LandingTables},
    distance::{DistanceLayers, SolvedDistances, Unsolved, Vital},
    distance_landings::{DistanceContext, DistanceLanding, DistancePages, LandingsOf, landing_of},
    mates::{Mates, MatesSolver, MovesAndPass},
    numbered,
};
use crate::{
    answer::{
        Outcome,
        high::{Signed, most_rows, write_functions},
        place::chess_group,
        score::Store,
    },
    board::{Bitboard, Color, Role},
    index::{Index, Material},
    parallel,
    rules::{High, Laws},
    solve::{
        engine::{
            builder::{
                BATCH, Batch, PartJob, SolveParts, TableSolver, Workbench, memory_need, section,
            },
            clock::{Histories, NewHistories, RowLog, SharedInterner},
            lanes::{NumberLanes, RowWork, with_widest_rows},
            pages::{LookupRound, PackedPages, PageCell},
            slice::{Chesslike, IndexOrder, Slice},
            spill::{Budget, ScratchArray},
        },
        error::BuildError,
        game::{Solve, TableSize},
        goal::Goal,
        parts::{PART_SIZE, Part},
    },
    table::TableWriter,
};

/// A slice with more numbers than a part is to have is cut into pieces, each with a dictionary of its
/// own: what a dictionary takes while it is written, and whenever it is read, grows with the slice.
/// About so many pieces come to a part's size.
const PIECES_A_PART: u64 = 4;

/// So many pieces are enough for any slice: each has its place in the header.
const MANY_PIECES: u64 = 64;

/// Solves the parts of a table with distances: the mates of each, and its functions.
pub(super) struct DistanceSolver<'a> {
    game: High,
    tables: Arc<DistancePages>,
    functions: TableSolver<'a, DistanceLanding>,
    mates: MatesSolver<'a>,
    /// Whether distances are likely to have no room in a byte: where both sides can win, the longest
    /// wins have none.
    far: AtomicBool,
}

/// What the functions of some positions are.
struct Dictionary {
    /// For each function V numbers in `rows`.
    functions: SharedInterner<u32>,
    /// V results each, for vB from 1 on.
    rows: SharedInterner<Signed>,
}

impl Dictionary {
    fn new(game: &High) -> Dictionary {
        let full = usize::from(game.vitality.points());
        Dictionary { functions: SharedInterner::new(full), rows: SharedInterner::new(full) }
    }
}

/// What stands for a function where there is no position.
const NO_FUNCTION: u32 = u32::MAX;

/// Numbers of a slice that are brought into the order of the index together.
struct Piece {
    numbers: Range<usize>,
    /// The first of its stretches and how many numbers each has, unless it is the whole slice.
    stretches: Option<(usize, usize)>,
}

impl Piece {
    /// Brings what `from` has for stretches into the order of the index.
    fn sort<C: bytemuck::Pod + Send + Sync>(
        &self,
        order: &IndexOrder<'_>,
        from: impl Fn(usize) -> io::Result<Vec<C>> + Sync,
        to: &mut [C],
    ) -> io::Result<()> {
        match self.stretches {
            None => order.sort_stretches(from, to),
            Some(stretches) => order.sort_some(stretches, from, to),
        }
    }
}

/// The numbers of functions of a piece, and their landings if anybody looks there.
type Numbered = (ScratchArray<u32>, Option<ScratchArray<DistanceLanding>>);

impl<'a> DistanceSolver<'a> {
    /// The table of a material.
    pub fn new(game: &High, goal: &Goal, bench: &'a Workbench<'a>) -> Self {
        let tables = Arc::new(DistancePages::new(*game));
        let functions = TableSolver::new(tables.clone(), goal, bench);
        let mates = MatesSolver::new(Mates(*game), MovesAndPass, goal, bench);
        let far = AtomicBool::new(both_fight(&goal.material));
        DistanceSolver { game: *game, tables, functions, mates, far }
    }

    /// Solves a part whose slices share a dictionary, and writes it.
    fn solve_together(&self, part: &Part, mates: &PartJob<i16>) -> Result<TableWriter, BuildError> {
        let work = &self.functions;
        let job = work.begin(part);
        let dictionary = Dictionary::new(&self.game);
        let all = PackedPages::new(job.structures.clone(), work.size(), Color::ALL.len());
        for structures in work.batches(job.structures.clone(), BATCH) {
            for Batch { structures, rounds } in work.in_one_round(0, structures)? {
                let tables = self.tables_around(rounds)?;
                let context = self.context(&tables);
                parallel::try_each(structures, 1, |_, structure| -> Result<(), BuildError> {
                    let slice = self.slice(structure);
                    let solved = self.solve_slice(&slice, context.vital(&slice, &work.budget)?)?;
                    let numbers = 0..work.size() as usize;
                    let piece = Piece { numbers, stretches: None };
                    for side in Color::ALL {
                        let of_slice = (&slice, &solved);
                        let (numbers, landings) =
                            self.number(of_slice, side, &piece, &dictionary)?;
                        all.put(section(0, side), structure, &numbers, &work.budget)?;
                        if let Some(landings) = landings {
                            work.put(&job, (0, side), structure, &Arc::new(landings))?;
                        }
                    }
                    work.bench.progress.advance(1);
                    Ok(())
                })?;
            }
        }
        work.cache.forget();
        let mut writer = self.mates.work.writer(mates, 1)?;
        let numbers = |side, range| all.range(section(0, side), range);
        let mates = |side, range| mates.pages.range(section(0, side), range);
        let entries = work.entries(&job);
        write(&mut writer, &self.mates.work, dictionary, entries, (&numbers, &mates))?;
        Ok(writer)
    }

    /// Solves a part whose slices are large, and writes it piece by piece.
    fn solve_apart(&self, part: &Part, mates: &PartJob<i16>) -> Result<TableWriter, BuildError> {
        let work = &self.functions;
        let (job, size) = (work.begin(part), work.size());
        let mut writer = None;
        for structure in job.structures.clone() {
            let reached = work.cache.reached(&work.material, structure..structure + 1)?;
            let rounds = work.cache.rounds(0, &reached)?;
            let slice = self.slice(structure);
            let vital = {
                let tables = self.tables_around(rounds)?;
                self.context(&tables).vital(&slice, &work.budget)?
            };
            // All that is looked up has been.
            work.cache.forget();
            let solved = self.solve_slice(&slice, vital)?;
            work.bench.progress.advance(1);
            let room = || work.cache.room(size as usize);
            let mut pages = match work.material.has_pawns() {
                true => Some([room()?, room()?]),
                false => None,
            };
            for piece in self.pieces(&slice) {
                let dictionary = Dictionary::new(&self.game);
                let mut numbers = Vec::new();
                for side in Color::ALL {
                    let of_slice = (&slice, &solved);
                    let (of_side, landings) = self.number(of_slice, side, &piece, &dictionary)?;
                    numbers.push(of_side);
                    if let (Some(pages), Some(landings)) = (&mut pages, landings) {
                        pages[side.index()][piece.numbers.clone()].copy_from_slice(&landings);
                    }
                }
                let writer = match &mut writer {
                    Some(writer) => writer,
                    None => writer.insert(self.mates.work.writer(mates, 1)?),
                };
                let first = (structure - job.structures.start) as u64 * size;
                let first = first + piece.numbers.start as u64;
                let of_numbers = |side: Color, range: Range<u64>| {
                    numbers[side.index()][range.start as usize..range.end as usize].to_vec()
                };
                let of_mates = |side: Color, range: Range<u64>| {
                    mates.pages.range(section(0, side), first + range.start..first + range.end)
                };
                let entries = piece.numbers.len() as u64;
                let told: Told<'_> = (&of_numbers, &of_mates);
                write(writer, &self.mates.work, dictionary, entries, told)?;
            }
            for (side, page) in Color::ALL.into_iter().zip(pages.into_iter().flatten()) {
                work.put(&job, (0, side), structure, &Arc::new(page))?;
            }
        }
        Ok(writer.expect("a part has slices"))
    }

    /// How the numbers of a large slice are cut into pieces.
    fn pieces(&self, slice: &Slice) -> Vec<Piece> {
        let size = self.functions.size();
        let Some(numbers) = slice.numbers_a_stretch(&self.functions.index, size) else {
            return vec![Piece { numbers: 0..size as usize, stretches: None }];
        };
        let most = (self.functions.bench.part_size / PIECES_A_PART).max(size / MANY_PIECES);
        let together = (most / numbers).max(1);
        let firsts = (0..size.div_ceil(numbers)).step_by(together as usize);
        let piece = |first: u64| {
            let end = size.min((first + together) * numbers) as usize;
            let stretches = Some((first as usize, numbers as usize));
            Piece { numbers: (first * numbers) as usize..end, stretches }
        };
        firsts.map(piece).collect()
    }

    /// The tables that some slices look into, with all pages at hand at once.
    fn tables_around(
        &self,
        rounds: Vec<LookupRound>,
    ) -> Result<LandingTables<DistanceLanding>, BuildError> {
        let TableSolver { material, cache, .. } = &self.functions;
        let pages = cache.resident(material, &[LookupRound::together(rounds)], 0)?;
        Ok(pages.iter().map(|(material, modes)| (*material, modes[0].clone())).collect())
    }

    fn context<'t>(&'t self, tables: &'t LandingTables<DistanceLanding>) -> DistanceContext<'t> {
        let landings = LandingsOf { game: &self.game, all: &self.tables.landings };
        Ahead::new(&self.game, &self.functions.material, landings, tables)
    }

    fn slice(&self, structure: usize) -> Slice {
        let TableSolver { material, index, .. } = &self.functions;
        let squares = index.structure_squares(structure);
        Slice::new(material.men(), squares, chess_group(material), Laws::ORTHODOX)
    }

    fn solve_slice(&self, slice: &Slice, vital: Vital) -> io::Result<SolvedDistances> {
        let (game, vital, far, budget) = (&self.game, &vital, &self.far, &self.functions.budget);
        with_widest_rows(DistanceWork { game, slice, vital, far, budget })
    }

    /// Finds the functions of a piece of a solved slice in a dictionary, and their landings, in the
    /// order of the index.
    fn number(
        &self,
        (slice, solved): (&Slice, &SolvedDistances),
        side: Color,
        piece: &Piece,
        dictionary: &Dictionary,
    ) -> Result<Numbered, BuildError> {
        let TableSolver { material, index, cache, budget, .. } = &self.functions;
        let order = IndexOrder::new(index, slice);
        let log = &solved.logs[side.index()];
        let legal = &solved.legal[side.index()];
        let number = |stretch| self.number_stretch((side, log), stretch, legal, dictionary);
        let count = piece.numbers.len();
        if !material.has_pawns() {
            // Nothing looks into a table that is one slice while it is solved.
            let mut numbers = budget.array(count, NO_FUNCTION)?;
            piece.sort(&order, |stretch| Ok(number(stretch)?.0), &mut numbers)?;
            return Ok((numbers, None));
        }
        let both = |stretch| -> io::Result<Vec<[u32; 2]>> {
            let (numbers, landings) = number(stretch)?;
            let both = numbers.into_iter().zip(landings);
            Ok(both.map(|(number, landing)| [number, landing]).collect())
        };
        let mut sorted = budget.array(count, [NO_FUNCTION, DistanceLanding::GAP])?;
        piece.sort(&order, both, &mut sorted)?;
        let (mut numbers, mut landings) = (budget.array(count, NO_FUNCTION)?, cache.room(count)?);
        let to = numbers.iter_mut().zip(&mut landings[..]);
        to.zip(&sorted[..]).for_each(|((number, landing), both)| [*number, *landing] = *both);
        Ok((numbers, Some(landings)))
    }

    /// Puts together what the positions of a stretch of words have in all layers: for each the number
    /// of a function, and its landing if anybody looks there. `legal` are the positions
    /// of the slice.
    fn number_stretch(
        &self,
        (side, log): (Color, &RowLog<Signed>),
        stretch: usize,
        legal: &[u64],
        dictionary: &Dictionary,
    ) -> io::Result<(Vec<u32>, Vec<DistanceLanding>)> {
        let Dictionary { functions, rows: known_rows } = dictionary;
        let full = self.game.vitality.points();
        let is_looked_up = self.functions.material.has_pawns();
        let words = log.words(stretch);
        let mut histories = Histories::new(NO_FUNCTION);
        let mut numbers = vec![0; words.len() * 64];
        log.each(stretch, |layer, sets, row_numbers, rows| {
            let rows = rows.chunks_exact(usize::from(full));
            let rows: Vec<u32> = rows.map(|row| known_rows.number(row)).collect();
            let mut row_numbers = row_numbers.iter();
            let mut new = NewHistories::default();
            for (word, lanes) in sets {
                for (lane, &row) in Bitboard(lanes).zip(row_numbers.by_ref()) {
                    let number = &mut numbers[word * 64 + lane.number()];
                    *number = histories.go_on(*number, (layer, rows[row as usize]), &mut new);
                }
            }
        })?;
        let meaning = |function: &[u32]| -> (u32, DistanceLanding) {
            let number = functions.number(function);
            if !is_looked_up {
                return (number, DistanceLanding::GAP);
            }
            let result =
                |white: usize, black: usize| known_rows.look(function[white], |row| row[black]);
            let landing = landing_of(&self.game, side, result);
            (number, self.tables.landings.number(&landing))
        };
        let mut landings = vec![DistanceLanding::GAP; numbers.len()];
        let layers = 1..u16::from(full) + 1;
        let legal = &legal[words];
        histories.give_meaning(&mut numbers, &mut landings, legal, NO_FUNCTION, layers, meaning);
        Ok((numbers, landings))
    }
}

impl SolveParts for DistanceSolver<'_> {
    fn solve(&self, part: &Part) -> Result<(), BuildError> {
        let DistanceSolver { functions, mates, .. } = self;
        // They have the memory in turn.
        functions.cache.forget();
        let job = mates.work.begin(part);
        mates.solve_pages(&job, None)?;
        mates.work.cache.forget();
        let writer = match functions.size() > functions.bench.part_size {
            true => self.solve_apart(part, &job)?,
            false => self.solve_together(part, &job)?,
        };
        mates.work.bench.finish(writer)
    }
}

/// The layers of a slice, to be solved.
struct DistanceWork<'a> {
    game: &'a High,
    slice: &'a Slice,
    vital: &'a Vital,
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
        let DistanceWork { game, slice, vital, far, budget } = self;
        if !far.load(Relaxed) {
            match DistanceLayers::<B>::solve(game, slice, vital, budget) {
                Err(Unsolved::TooFar) => far.store(true, Relaxed),
                Err(Unsolved::Scratch(error)) => return Err(error),
                Ok(solved) => return Ok(solved),
            }
        }
        match DistanceLayers::<S>::solve(game, slice, vital, budget) {
            Err(Unsolved::TooFar) => unreachable!("words hold any distance"),
            Err(Unsolved::Scratch(error)) => Err(error),
            Ok(solved) => Ok(solved),
        }
    }
}

/// How big a table with distances is.
pub(super) fn size(game: &High, material: &Material) -> TableSize {
    let numbers = Index::count(material, chess_group(material));
    let v = u64::from(game.vitality.points());
    // Where both sides can win, longer distances take two bytes, and there are many functions. How
    // many is hard to tell: KQvKQ takes 42 s, KNvKR 39 s, KBvKQ 6 s, most others like them 12 to 30 s.
    let (width, work, file) = match both_fight(material) {
        true => (2, 3 * v * v / 2, 4),
        false => (1, 5 * v * v / 4, 2),
    };
    // For both sides to move: the rows of each vitality of Black, and a quarter of a byte for what
    // changed; the views; the moves, and what is known of each word.
    let layers = v * (4 * width + 1) / 2;
    let kept = 8 * (layers + 2 * width + 19 + 4);
    // One layer and what it reads of another, and the views; all others are in a file.
    let filed = 8 * (5 * width + 1 + 4);
    let pages = DistancePages::new(*game);
    let memory = memory_need(&pages, material, 0, kept).memory;
    let least = memory_need(&pages, material, 0, filed).least;
    // A dictionary is in memory as a whole, while it is written and when it is read.
    let largest = |material: &Material| dictionary(&pages, material);
    let around = game.needs(material);
    let dictionary = around.iter().map(largest).fold(largest(material), u64::max);
    TableSize {
        positions: 2 * numbers,
        memory: memory + dictionary,
        least: Some(least + dictionary),
        loaded: 8 * numbers,
        file: 2 * numbers * file,
        scratch: Some(layers * Slice::lanes(&material.men(), pages.group(material), &pages.laws())),
        time: Duration::from_nanos(2 * numbers * (400 + work)),
    }
}

/// About how many bytes the largest dictionary of a table takes while it is written, if the table is
/// cut as it usually is.
fn dictionary(pages: &DistancePages, material: &Material) -> u64 {
    let slice = pages.slice_numbers(material);
    let numbers = match slice > PART_SIZE {
        true => (PART_SIZE / PIECES_A_PART).max(slice / MANY_PIECES),
        false => pages.numbers(material).min(PART_SIZE),
    };
    let count = |color, role| material.count(color, role);
    let is_strong = |color| count(color, Role::Queen) + count(color, Role::Rook) > 0;
    // As seen in tables of four men, for a position.
    let bytes = match () {
        () if !both_fight(material) => 40,
        () if material.has_pawns() => 90,
        () if is_strong(Color::Black) => 300,
        () if is_strong(Color::White) => 80,
        () => 8,
    };
    2 * numbers * bytes
}

/// Whether both sides have more than a King: then both can win, and it can take long.
fn both_fight(material: &Material) -> bool {
    Color::ALL.into_iter().all(|color| material.men_of(color) > 1)
}

/// Numbers rows anew in the order in which functions have them; returns the old numbers in that
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

/// What is told of some numbers with a side to move: the numbers of functions, and mates.
type Told<'t> = (
    &'t (dyn Fn(Color, Range<u64>) -> Vec<u32> + Sync),
    &'t (dyn Fn(Color, Range<u64>) -> Vec<i16> + Sync),
);

/// Writes a dictionary and the number of a function for each of so many positions, as they are told
/// for either side to move; functions tell mates, too.
fn write(
    writer: &mut TableWriter,
    work: &TableSolver<'_, i16>,
    Dictionary { functions, rows }: Dictionary,
    count: u64,
    (numbers, mates): Told<'_>,
) -> Result<(), BuildError> {
    let (functions, rows) = (functions.into_sequences(), rows.into_sequences());
    // Sorted, so that every build writes the same file whatever its threads did first.
    let mut used = vec![false; rows.end()];
    functions
        .numbers()
        .for_each(|f| functions.get(f).iter().for_each(|&r| used[r as usize] = true));
    let (row_order, row_places) = rows.sorted(rows.numbers().filter(|&row| used[row as usize]));
    if row_order.len() as u64 > most_rows(count) {
        return Err(BuildError::TooVarious { material: work.material });
    }
    let by_place = functions.map(|&row| row_places[row as usize]);
    drop((functions, row_places));
    let (order, places) = by_place.sorted(by_place.numbers());
    // Like functions that differ in their mates are told apart.
    let of_range = |side: Color, range: Range<u64>| {
        let (numbers, mates) = (numbers(side, range.clone()), mates(side, range));
        // Numbers that are no positions have no mate either.
        let legal = |mate: i16| mate != <i16 as Store>::NONE;
        let kind =
            |(number, mate)| legal(mate).then(|| (places[number as usize], packed_mate(mate)));
        numbers.into_iter().zip(mates).map(kind).collect::<Vec<Option<Kind>>>()
    };
    let kinds = kinds(count, &of_range);
    let of_kinds: Vec<u32> = kinds.iter().map(|&(place, _)| order[place as usize]).collect();
    let mut sorted = by_place.concat(&of_kinds);
    drop(by_place);
    let as_met = number_as_met(&mut sorted, row_order.len());
    let as_met: Vec<u32> = as_met.iter().map(|&place| row_order[place as usize]).collect();
    drop(row_order);
    let mates: Vec<Outcome> = kinds.iter().map(|&(_, mate)| Outcome::unpack(mate)).collect();
    write_functions(writer, rows.length(), |row| rows.get(as_met[row]), &sorted, &mates)?;
    drop((sorted, rows));
    let mut first = vec![0; order.len()];
    kinds.iter().enumerate().rev().for_each(|(at, kind)| first[kind.0 as usize] = at);
    // Most functions are of one kind.
    let place = |kind: Kind| {
        let first = first[kind.0 as usize];
        let found = kinds[first..].iter().position(|&other| other == kind);
        (first + found.expect("all kinds have been met")) as u32
    };
    let in_file = |side, range| {
        let kinds = of_range(side, range).into_iter();
        kinds.map(|kind| kind.map(place)).collect()
    };
    numbered::write(writer, count, kinds.len(), in_file, work.bench)?;
    Ok(())
}

/// A function by its place among all, with a mate as files have it.
type Kind = (u32, u32);

/// Positions that are looked at together: as many as are packed together.
const AT_ONCE: u64 = 1 << 16;

/// Every kind that so many positions with either side to move are of, in order.
fn kinds(
    count: u64,
    of_range: &(impl Fn(Color, Range<u64>) -> Vec<Option<Kind>> + Sync),
) -> Vec<Kind> {
    let met = Color::ALL.map(|side| {
        parallel::map(0..count.div_ceil(AT_ONCE), 1, |_, piece| {
            let range = piece * AT_ONCE..count.min((piece + 1) * AT_ONCE);
            of_range(side, range).into_iter().flatten().collect::<FxHashSet<Kind>>()
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
