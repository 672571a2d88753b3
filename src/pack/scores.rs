//! What the cells of a section stand for, before it is known how they are packed.

use super::{
    cells::{Cells, ToBegin},
    error::PackError,
};
use crate::{
    answer::Outcome,
    board::Color,
    table::{CellSpec, Digit, DigitMap, DontCareRanges, TableError, TableWriter, Width},
};

/// About how many bytes a file takes to tell an order.
const ORDER_BYTES: u64 = 400;

/// The cells of a section, in the order of their numbers.
pub struct Scores {
    side: Color,
    entries: u64,
    cells: Cells,
    /// The outcomes there are, from White's worst to its best.
    palette: Vec<Outcome>,
}

impl Scores {
    /// The cells of some slices of a side to move, so many in each; see [`Cells::ask`].
    ///
    /// # Errors
    /// What `begin` or `done` fails with.
    pub fn new<'k>(
        side: Color,
        (groups, slice): (&[Vec<u64>], u64),
        begin: &ToBegin<'k, '_>,
        done: &(dyn Fn(u64) -> Result<(), PackError> + Sync),
    ) -> Result<Scores, PackError> {
        let entries = groups.iter().map(Vec::len).sum::<usize>() as u64 * slice;
        let (cells, palette) = Cells::ask((groups, slice), begin, done)?;
        Ok(Scores { side, entries, cells, palette })
    }

    /// Says what the entry of a cell may be; that of none is in a gap.
    fn tell(&self, number: Option<u64>, entries: &mut DontCareRanges) {
        match (number.and_then(|number| self.cells.get(number)), self.side) {
            (None, _) => entries.anything(),
            (Some((place, false)), _) => entries.exactly(place),
            (Some((place, true)), Color::White) => entries.between(0, place),
            (Some((place, true)), Color::Black) => entries.between(place, u32::MAX),
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
                    map.each_number(range, |number| self.tell(number, entries));
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
            map.each_number(range, |number| self.tell(number, entries));
        })
    }
}
