//! What the cells of a section stand for, two bytes each, before it is known how they are packed.

use std::ops::Range;

use rustc_hash::{FxHashMap, FxHashSet};

use crate::{
    answer::Outcome,
    board::Color,
    parallel,
    table::{CellSpec, Digit, DigitMap, DontCareRanges, TableError, TableWriter, Width},
};

/// What is known of a cell: what it stands for, and whether turns that the table leaves out reach
/// that, so that the cell may be anything that is no better; nothing if it is no position.
pub type Known = Option<(Outcome, bool)>;

/// Cells whose outcomes are numbered together; so few that numbers have a bit to spare.
const CHUNK: u64 = 1 << 14;

/// The bit of a cell of which turns that are left out reach what it stands for.
const REACHED: u16 = 1 << 15;

/// About how many bytes a file takes to tell an order.
const ORDER_BYTES: u64 = 400;

/// A cell that is no position.
const ANYTHING: u16 = REACHED - 1;

/// The cells of a section, in the order of their numbers.
pub struct Scores {
    side: Color,
    entries: u64,
    chunks: Vec<Chunk>,
    /// The outcomes there are, from White's worst to its best.
    palette: Vec<Outcome>,
}

/// Some cells, by the numbers of their outcomes.
struct Chunk {
    cells: Vec<u16>,
    outcomes: Vec<Outcome>,
    /// The places of these in the palette.
    places: Vec<u32>,
}

impl Chunk {
    fn new<E>(
        cells: Range<u64>,
        known: &(dyn Fn(u64) -> Result<Known, E> + Sync),
    ) -> Result<Chunk, E> {
        let mut numbers: FxHashMap<Outcome, u16> = FxHashMap::default();
        let mut outcomes = Vec::new();
        let cells = cells.map(|cell| {
            let Some((outcome, reached)) = known(cell)? else { return Ok(ANYTHING) };
            let number = *numbers.entry(outcome).or_insert_with(|| {
                outcomes.push(outcome);
                outcomes.len() as u16 - 1
            });
            Ok(number | if reached { REACHED } else { 0 })
        });
        Ok(Chunk { cells: cells.collect::<Result<_, E>>()?, outcomes, places: Vec::new() })
    }
}

impl Scores {
    /// The cells of so many positions of a side to move, each as `known` knows it.
    ///
    /// # Errors
    /// What `known` or `done` fails with.
    pub fn new<E: Send>(
        side: Color,
        entries: u64,
        known: &(dyn Fn(u64) -> Result<Known, E> + Sync),
        done: &(dyn Fn(u64) -> Result<(), E> + Sync),
    ) -> Result<Scores, E> {
        let mut chunks = parallel::try_map(0..entries.div_ceil(CHUNK), 1, |_, chunk| {
            let cells = chunk * CHUNK..entries.min((chunk + 1) * CHUNK);
            let length = cells.end - cells.start;
            let chunk = Chunk::new(cells, known);
            done(length)?;
            chunk
        })?;
        let all: FxHashSet<Outcome> =
            chunks.iter().flat_map(|chunk| chunk.outcomes.iter().copied()).collect();
        let mut palette: Vec<Outcome> = all.into_iter().collect();
        palette.sort_by_key(|outcome| outcome.score::<i32>(0));
        let places: FxHashMap<Outcome, u32> = palette.iter().copied().zip(0..).collect();
        for chunk in &mut chunks {
            chunk.places = chunk.outcomes.iter().map(|outcome| places[outcome]).collect();
        }
        Ok(Scores { side, entries, chunks, palette })
    }

    /// Says what the entry of a cell may be; that of none is in a gap.
    fn tell(&self, number: Option<u64>, entries: &mut DontCareRanges) {
        let Some(number) = number else { return entries.anything() };
        let chunk = &self.chunks[(number / CHUNK) as usize];
        let cell = chunk.cells[(number % CHUNK) as usize];
        if cell == ANYTHING {
            return entries.anything();
        }
        let place = chunk.places[usize::from(cell & !REACHED)];
        match (cell & REACHED != 0, self.side) {
            (false, _) => entries.exactly(place),
            (true, Color::White) => entries.between(0, place),
            (true, Color::Black) => entries.between(place, u32::MAX),
        }
    }

    /// Writes them into a section, in the order that packs best of those that the digits of their
    /// numbers allow.
    ///
    /// # Errors
    /// If the file cannot be written.
    pub fn write(
        &self,
        writer: &mut TableWriter,
        name: &str,
        digits: &[Digit],
    ) -> Result<(), TableError> {
        let order = self.best_order(writer, digits)?;
        let palette = self.palette.iter().map(|outcome| outcome.packed()).collect();
        let map = order.as_deref().map(|order| DigitMap::new(digits, order));
        let spec = self.spec(name, map.as_ref(), digits).with_palette(palette);
        match order.zip(map) {
            None => writer.choices(spec, |range, entries| {
                range.for_each(|number| self.tell(Some(number), entries));
            }),
            Some((order, map)) => {
                writer.choices(spec.in_order(digits.to_vec(), &order), |range, entries| {
                    range.for_each(|place| self.tell(map.number(place), entries));
                })
            }
        }
    }

    fn width(&self) -> Width {
        Width::holding(self.palette.len().saturating_sub(1) as u32)
    }

    /// A section whose entries lie as `map` says, or in the order of their numbers; blocks keep
    /// slices together.
    fn spec(&self, name: &str, map: Option<&DigitMap>, digits: &[Digit]) -> CellSpec {
        let spec = CellSpec::new(name, self.entries, self.width());
        let slice: u64 = digits.iter().map(Digit::values).product();
        match map {
            _ if slice == self.entries => spec,
            None => spec.in_slices(slice),
            Some(map) => spec.in_slices(map.slice_places()),
        }
    }

    /// About how many bytes they take in the order of their numbers.
    ///
    /// # Errors
    /// If memory is lacking.
    pub fn bytes_by_number(
        &self,
        writer: &TableWriter,
        digits: &[Digit],
    ) -> Result<u64, TableError> {
        writer.trial(&self.spec("", None, digits), |range, entries| {
            range.for_each(|number| self.tell(Some(number), entries));
        })
    }

    /// The order of the digits of places that packs best; none for that of the numbers.
    ///
    /// The digit that comes last is chosen first, as neighbours matter most, then the one before
    /// it, and so on.
    fn best_order(
        &self,
        writer: &TableWriter,
        digits: &[Digit],
    ) -> Result<Option<Vec<usize>>, TableError> {
        let by_number = self.bytes_by_number(writer, digits)?;
        let mut order: Vec<usize> = (0..digits.iter().map(Digit::len).sum()).collect();
        let mut least = self.bytes_in(writer, digits, &order)?;
        for last in (1..order.len()).rev() {
            // Each of those before in the place of this one.
            for other in 0..last {
                let mut tried = order.clone();
                let moved = tried.remove(other);
                tried.insert(last, moved);
                let bytes = self.bytes_in(writer, digits, &tried)?;
                if bytes < least {
                    (least, order) = (bytes, tried);
                }
            }
        }
        Ok((least + ORDER_BYTES < by_number).then_some(order))
    }

    /// About how many bytes the section takes in an order.
    fn bytes_in(
        &self,
        writer: &TableWriter,
        digits: &[Digit],
        order: &[usize],
    ) -> Result<u64, TableError> {
        let map = DigitMap::new(digits, order);
        let spec = self.spec("", Some(&map), digits).in_order(digits.to_vec(), order);
        writer.trial(&spec, |range, entries| {
            range.for_each(|place| self.tell(map.number(place), entries));
        })
    }
}
