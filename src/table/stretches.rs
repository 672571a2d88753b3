//! Cells in several sections of one name, read as one.

use super::{cells::Cells, error::TableError, reader::Table};

impl Table {
    /// The cells of all sections of a name, one behind the other.
    ///
    /// # Errors
    /// There is no such section, or a palette is damaged.
    pub fn stretches(&self, name: &str) -> Result<Stretches, TableError> {
        Ok(Stretches::new(self.namesakes(name)?))
    }
}

/// All cells of one name: a section, or several of them, *stretches*, one behind the other. Each
/// stretch has a width and a palette of its own. Clones are cheap.
#[derive(Debug, Clone)]
pub struct Stretches {
    /// Each with the number of its first entry; never empty.
    all: std::sync::Arc<[(u64, Cells)]>,
}

impl Stretches {
    /// These cells, one behind the other.
    pub(super) fn new(cells: impl IntoIterator<Item = Cells>) -> Stretches {
        let mut first = 0_u64;
        let all = cells.into_iter().map(|cells| {
            // Entries that nothing in the file bears out may add up to anything.
            let next = first.saturating_add(cells.entries());
            (std::mem::replace(&mut first, next), cells)
        });
        Stretches { all: all.collect() }
    }

    /// How many entries there are in all.
    pub fn entries(&self) -> u64 {
        let (first, last) = &self.all[self.all.len() - 1];
        first.saturating_add(last.entries())
    }

    /// A stretch, by its number from 0.
    pub fn stretch(&self, number: usize) -> Option<&Cells> {
        self.all.get(number).map(|(_, cells)| cells)
    }

    /// The stretches, each with the number of its first entry.
    pub fn iter(&self) -> impl Iterator<Item = (u64, &Cells)> {
        self.all.iter().map(|(first, cells)| (*first, cells))
    }

    /// The value of an entry, as by [`Cells::get`].
    ///
    /// # Errors
    /// There is no such entry, or its block is damaged.
    #[inline]
    pub fn get(&self, index: u64) -> Result<u32, TableError> {
        Ok(self.get_of_stretch(index)?.1)
    }

    /// The same, behind the number of the stretch that has the entry, from 0.
    ///
    /// # Errors
    /// There is no such entry, or its block is damaged.
    #[inline]
    pub fn get_of_stretch(&self, index: u64) -> Result<(usize, u32), TableError> {
        let at = match self.all.len() {
            1 => 0,
            _ => self.all.partition_point(|(first, _)| *first <= index) - 1,
        };
        let (first, cells) = &self.all[at];
        Ok((at, cells.get(index - first)?))
    }
}

/// What a blob is called that belongs to a stretch of cells, from 0, in a table put together from
/// parts, each of which has one of this name.
pub fn blob_name(name: &str, stretch: usize) -> String {
    match stretch {
        0 => name.to_owned(),
        _ => format!("{name} {}", stretch + 1),
    }
}
