//! Sections of outcomes, each cell written anew.

use super::{
    error::PackError,
    games::{Pack, Sections},
    job::Job,
    scores::{Known, Scores},
};
use crate::{
    answer::{Contents, Outcome, sections::REPEATS},
    board::Color,
    index::{Index, NumberDigit},
    probe::ProbeError,
    table::{Digit, TableWriter},
};

/// Writes a table of outcomes, with the positions of one side to move alone or those of both, but
/// for its end.
///
/// # Errors
/// If a table is missing or damaged, or the file cannot be written.
pub fn write<G: Pack>(
    job: &Job<'_, G>,
    sections: &Sections,
    only: Option<Color>,
) -> Result<TableWriter, PackError> {
    let mut writer = job.writer(only)?;
    let (entries, digits) = (sections.index.len(), digits(&sections.index));
    let repeats = writer.meta().get(REPEATS).cloned();
    let is_repeated = |name: &str| repeats.as_ref().is_some_and(|all| all.get(name).is_some());
    let kept: Vec<_> = (0..)
        .zip(&sections.all)
        .filter(|(_, section)| {
            only.is_none_or(|only| only == section.1) || !sections.has_twin(section)
        })
        .filter(|(_, (name, _))| !is_repeated(name))
        .collect();
    job.progress.begin(&format!("packing {}", job.id.title()), entries * kept.len() as u64);
    for (at, (name, side)) in kept {
        let known = |number| known(job, at * entries + number);
        let done = |cells| job.progress.advance(cells);
        let scores = Scores::new::<ProbeError>(*side, entries, &known, &done)?;
        scores.write(&mut writer, name, &digits)?;
    }
    Ok(writer)
}

/// The digits of the numbers of an index, squares of two men each as one.
fn digits(index: &Index) -> Vec<Digit> {
    let digits = index.digits().into_iter().enumerate();
    let digit = |(at, digit)| match digit {
        NumberDigit::One(size) => Digit::plain(size),
        NumberDigit::Pair { places, of } => {
            // Kinds of two like men are counted in the same way.
            let name = if at == 0 { "leaders" } else { "pairs" };
            Digit::counting(name, places.to_vec(), |place| of.binary_search(&place).is_ok())
        }
    };
    digits.map(digit).collect()
}

/// What is known of a cell.
fn known<G: Pack>(job: &Job<'_, G>, cell: u64) -> Result<Known, ProbeError> {
    let game = job.tables.game();
    let Some(position) = game.cell(&job.table.reader, cell) else { return Ok(None) };
    let contents = job.id.contents;
    let (answer, is_reached) = job.tables.known_cell(job.table, cell, &position, contents)?;
    let mut outcome = game.outcome(&position, &answer);
    if contents == Contents::Result {
        outcome = Outcome { distance: None, ..outcome };
    }
    Ok(Some((outcome, is_reached)))
}
