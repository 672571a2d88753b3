//! Sections that are copied as they are.

use super::{error::PackError, games::Pack, job::Job};
use crate::{
    board::Color,
    table::{Section, TableWriter},
};

/// Writes a table of what is no outcome, with the positions of one side to move alone or those of
/// both, but for its end: every section that is to be there as it is.
///
/// # Errors
/// If the table lacks what is to be there, is damaged, or the file cannot be written.
pub fn write<G: Pack>(
    job: &Job<'_, G>,
    there: Option<Color>,
    only: Option<Color>,
) -> Result<TableWriter, PackError> {
    let refused = |what| PackError::NeedsSolving {
        path: job.file.path().to_owned(),
        what,
        id: Box::new(job.id.clone()),
    };
    if there.is_some() && only.is_none() {
        return Err(refused("given its other side back"));
    }
    if job.table.id.contents != job.id.contents {
        return Err(refused("written as a table of results"));
    }
    let mut writer = job.writer(only)?;
    job.progress.begin(&format!("packing {}", job.id.title()), 1);
    writer.append_some(job.file, |section| only.is_none_or(|only| !is_of(section, !only)))?;
    job.progress.advance(1);
    Ok(writer)
}

/// Whether a section is about the positions with a side to move alone.
fn is_of(section: &Section, side: Color) -> bool {
    let rest = section.name.strip_prefix(side.name());
    rest.is_some_and(|rest| rest.is_empty() || rest.starts_with(' '))
}
