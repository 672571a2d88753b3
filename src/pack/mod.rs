//! Tables in other forms: with less in them, or packed smaller, without solving anything.
//!
//! A table may hold the positions of one side to move alone, since those of the other follow from
//! one look ahead; it may lack the distances; and its entries may lie in an order that packs
//! better. Whoever hosts tables, or keeps them in memory, needs a third of the bytes; whoever
//! builds others from them wants them as they were.

mod cells;
mod copies;
mod error;
mod games;
mod job;
mod ladder;
mod scores;

use std::{fmt, str::FromStr};

pub use error::PackError;
pub use games::{Pack, Sections};
use job::Job;

use crate::{
    answer::{Contents, TableId, sections::only_side},
    board::Color,
    index::Material,
    probe::{OpenTableError, TableDirectories, Tablebase},
    progress::Progress,
    solve::{Budget, Goal},
    table::{TableWriter, WriterOptions},
};

/// Which positions a table stores.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug)]
pub enum Sides {
    /// Those of either side to move.
    Both,
    /// Those of one side to move, the one that takes fewer bytes. The others are answered from
    /// the positions after each turn.
    One,
}

impl Sides {
    /// All there are.
    pub const ALL: [Sides; 2] = [Sides::Both, Sides::One];

    /// Its name in commands: `both` or `one`.
    pub const fn name(self) -> &'static str {
        match self {
            Sides::Both => "both",
            Sides::One => "one",
        }
    }
}

impl fmt::Display for Sides {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl FromStr for Sides {
    type Err = String;

    fn from_str(text: &str) -> Result<Sides, String> {
        let named = Sides::ALL.into_iter().find(|sides| sides.name() == text);
        named.ok_or_else(|| format!("write `both` or `one` instead of `{text}`"))
    }
}

/// The form a table is to have.
#[derive(Copy, Clone, PartialEq, Debug)]
#[non_exhaustive]
pub struct Form {
    /// How much it holds; none for as much as the table it is made from.
    pub contents: Option<Contents>,
    /// Which positions it stores.
    pub sides: Sides,
    /// How it is written.
    pub writer: WriterOptions,
    /// How many bytes of memory the tables that are looked into may take, beside some for each
    /// position of a side to move.
    pub memory: u64,
}

impl Form {
    /// Tables that store these sides, with as much in them as before, written with 1 GiB of memory.
    pub fn new(sides: Sides) -> Form {
        Form { contents: None, sides, writer: WriterOptions::default(), memory: 1 << 30 }
    }

    /// The same with tables that hold so much.
    #[must_use]
    pub fn contents(self, contents: Contents) -> Form {
        Form { contents: Some(contents), ..self }
    }

    /// The same with so many bytes of memory.
    #[must_use]
    pub fn memory(self, bytes: u64) -> Form {
        Form { memory: bytes, ..self }
    }

    /// The same with this effort of the compression, 1 to 22.
    #[must_use]
    pub fn level(self, level: i32) -> Form {
        Form { writer: WriterOptions { level, ..self.writer }, ..self }
    }
}

/// A table that has been written.
#[derive(Clone, PartialEq, Debug)]
pub struct Packed {
    /// Which it is.
    pub id: TableId,
    /// How many bytes the table has from which it was made.
    pub from: u64,
    /// How many bytes it has.
    pub bytes: u64,
    /// The side to move whose positions it stores, if not both.
    pub side: Option<Color>,
    /// Whether it was there in that form, so that nothing had to be written.
    pub was_there: bool,
}

impl<G: Pack> Tablebase<G> {
    /// Writes the table of a material in another form into other directories: the one of these
    /// that [prefers](Tablebase::preferring) the contents asked for, or holds most. All tables that
    /// the answers need must be there.
    ///
    /// # Errors
    /// If the table holds less than is wanted, it or one that it needs is missing or damaged, the
    /// file cannot be written, or the work is [stopped](Progress::stop).
    pub fn pack(
        &self,
        material: &Material,
        form: &Form,
        into: &TableDirectories,
        progress: &dyn Progress,
    ) -> Result<Packed, PackError> {
        let (table, file) = self.open_whole(material)?;
        let (held, path) = (table.id.contents, file.path().to_owned());
        let wanted = form.contents.unwrap_or(held);
        if wanted > held {
            return Err(PackError::HoldsLess { path, held, wanted });
        }
        let id = self.game().table_id(material, wanted);
        let there = only_side(&file)?;
        let sections = self.game().sections(material);
        let has_both = sections.as_ref().is_none_or(Sections::has_both_sides);
        let sides = if has_both { form.sides } else { Sides::Both };
        if let Some((side, bytes)) = written_before(into, &id, sides)? {
            return Ok(Packed { id, from: file.file_len(), bytes, side, was_there: true });
        }
        let finished = match there {
            None => {
                let stop = progress.stop().cloned().unwrap_or_default();
                let budget = Budget::new(form.memory, into.folder()).stopped_by(stop);
                let goal = Goal::new(self.game(), *material, wanted);
                self.game().finished(&goal, self.directories(), budget)?
            }
            Some(_) => None,
        };
        let job = Job {
            tables: self,
            table: &table,
            file: &file,
            path: into.path(&id),
            id,
            options: form.writer,
            finished,
            progress,
        };
        let candidates: Vec<Option<Color>> = match (sides, there, &sections) {
            (Sides::One, Some(_), _) => vec![there],
            (Sides::One, None, Some(sections)) => {
                ladder::smaller_sides(&job, sections)?.into_iter().map(Some).collect()
            }
            (Sides::One, None, None) => Color::ALL.map(Some).to_vec(),
            (Sides::Both, ..) => vec![None],
        };
        let mut best: Option<(TableWriter, Option<Color>)> = None;
        for only in candidates {
            let writer = match &sections {
                Some(sections) => ladder::write(&job, sections, only)?,
                None => copies::write(&job, there, only)?,
            };
            if best.as_ref().is_none_or(|(best, _)| writer.written() < best.written()) {
                best = Some((writer, only));
            }
        }
        let (writer, side) = best.expect("there is a candidate");
        let (id, from) = (job.id.clone(), file.file_len());
        // It may take the place of what it was made from: Windows replaces no file that is open.
        drop(job);
        drop((table, file));
        let bytes = writer.finish()?;
        Ok(Packed { id, from, bytes, side, was_there: false })
    }
}

/// The side to move whose positions a table stores alone, and its bytes, if it is there in the form
/// that is wanted.
///
/// # Errors
/// If there is something else in its place.
fn written_before(
    into: &TableDirectories,
    id: &TableId,
    sides: Sides,
) -> Result<Option<(Option<Color>, u64)>, PackError> {
    let table = match into.open(id) {
        Ok(table) => table,
        Err(OpenTableError::Missing { .. }) => return Ok(None),
        Err(error) if error.is_mended_by_building() => return Ok(None),
        Err(error) => return Err(PackError::Probe(error.into())),
    };
    let side = only_side(&table)?;
    let is_so = side.is_some() == (sides == Sides::One);
    Ok(is_so.then(|| (side, table.file_len())))
}
