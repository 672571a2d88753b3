//! Sections of outcomes, each cell written anew.

use serde_json::{Map, Value};

use super::{
    cells::{Known, ToKnow, ToRead},
    error::PackError,
    games::{Pack, Sections},
    job::Job,
    scores::Scores,
};
use crate::{
    answer::{Contents, Outcome, sections::REPEATS},
    board::Color,
    index::{Index, NumberDigit},
    parallel,
    probe::go_on,
    solve::FinishedTable,
    table::{Digit, TableWriter},
};

/// Cells of a stretch by which sides to move are compared.
const SAMPLE: u64 = 1 << 18;

/// Stretches by which they are compared.
const SAMPLES: u64 = 6;

/// How much longer sections are whose sides are compared by stretches, since those cost some time,
/// too.
const MANY_SAMPLES: u64 = 6;

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
    let kept = kept(sections, only, writer.meta());
    job.progress.begin(&format!("packing {}", job.id.title()), entries * kept.len() as u64);
    for (at, (name, side)) in kept {
        let done = |cells| {
            job.progress.advance(cells);
            Ok(go_on(job.progress)?)
        };
        let numbers = job.finished.as_ref().map_or(entries, FinishedTable::slice_numbers);
        let groups = job.finished.as_ref().map_or(vec![vec![0]], |finished| finished.groups(at));
        let begin = |group: &[u64]| -> Result<Box<ToRead<'_>>, PackError> {
            let Some(finished) = &job.finished else {
                let all = move |number| known(job, at * entries + number);
                return Ok(Box::new(move |_| Ok(Box::new(all))));
            };
            let ahead = finished.read_ahead(group)?;
            Ok(Box::new(move |slice| {
                // As long as slices of the group are read.
                let _held = &ahead;
                let slice = finished.slice(slice)?;
                Ok(Box::new(move |number| Ok(slice.known(number))))
            }))
        };
        let scores = Scores::new(*side, (&groups, numbers), &begin, &done)?;
        scores.write(&mut writer, name, &digits)?;
    }
    Ok(writer)
}

/// Sides to move that may take the fewest bytes if one is stored alone: one of them, if some
/// stretches of large sections leave no doubt.
///
/// # Errors
/// If a table is missing or damaged, or the file cannot be begun.
pub fn smaller_sides<G: Pack>(
    job: &Job<'_, G>,
    sections: &Sections,
) -> Result<Vec<Color>, PackError> {
    let entries = sections.index.len();
    let sampled = SAMPLES * SAMPLE;
    if entries < MANY_SAMPLES * sampled {
        return Ok(Color::ALL.to_vec());
    }
    let step = entries / SAMPLES;
    let bytes = |only| -> Result<u64, PackError> {
        let mut writer = job.writer(Some(only))?;
        let kept = kept(sections, Some(only), writer.meta());
        let bytes = kept.into_iter().map(|(at, (_, side))| {
            let begin = |_: &[u64]| -> Result<Box<ToRead<'_>>, PackError> {
                Ok(Box::new(move |number| stretch(job, at * entries + number * step)))
            };
            let go_on = |_| Ok(go_on(job.progress)?);
            let stretches = [(0..SAMPLES).collect()];
            let scores = Scores::new(*side, (&stretches, SAMPLE), &begin, &go_on)?;
            Ok(scores.bytes_by_number(&writer, &[Digit::plain(sampled)])?)
        });
        bytes.sum()
    };
    let [white, black] = [bytes(Color::White)?, bytes(Color::Black)?];
    let is_less = |one: u64, other: u64| one + one / 4 < other;
    Ok(match (is_less(white, black), is_less(black, white)) {
        (true, _) => vec![Color::White],
        (_, true) => vec![Color::Black],
        _ => Color::ALL.to_vec(),
    })
}

/// What is known of the cells of a stretch, by slices where these are shorter: they read what turns
/// lead to page by page.
fn stretch<'j, G: Pack>(job: &'j Job<'_, G>, start: u64) -> Result<Box<ToKnow<'j>>, PackError> {
    let finished = job.finished.as_ref().filter(|finished| finished.slice_numbers() <= SAMPLE);
    let Some(finished) = finished else { return Ok(Box::new(move |i| known(job, start + i))) };
    let numbers = finished.slice_numbers();
    let first = start / numbers;
    let wanted: Vec<u64> = (first..(start + SAMPLE).div_ceil(numbers)).collect();
    let _ahead = finished.read_ahead(&wanted)?;
    let slices = parallel::try_map(wanted, 1, |_, slice| finished.slice(slice))?;
    Ok(Box::new(move |i| {
        let cell = start - first * numbers + i;
        Ok(slices[(cell / numbers) as usize].known(cell % numbers))
    }))
}

/// The sections of a table that are stored, with their places among all.
fn kept<'s>(
    sections: &'s Sections,
    only: Option<Color>,
    meta: &Map<String, Value>,
) -> Vec<(u64, &'s (String, Color))> {
    let is_repeated = |name: &str| meta.get(REPEATS).is_some_and(|all| all.get(name).is_some());
    (0..)
        .zip(&sections.all)
        .filter(|(_, section)| {
            only.is_none_or(|only| only == section.1) || !sections.has_twin(section)
        })
        .filter(|(_, (name, _))| !is_repeated(name))
        .collect()
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

/// What is known of a cell, found by asking for its position.
fn known<G: Pack>(job: &Job<'_, G>, cell: u64) -> Result<Known, PackError> {
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
