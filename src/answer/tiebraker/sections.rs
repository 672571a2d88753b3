//! The sections of a table: one per stage and side to move.

use super::stage::{Cell, Stage, points_of};
use crate::{
    answer::{
        Outcome, Plies,
        place::table_sides,
        score::Line,
        sections::{resolve, section_name, sized_stretches},
    },
    board::Color,
    index::Material,
    table::{Cells, Stretches, Table, TableError},
};

/// The sides to move that a table shows of a stage: one that only Black can be to move in does
/// not occur where a table has White to move only.
pub fn stage_sides(material: &Material, stage: Stage) -> &'static [Color] {
    match (stage.mover(), table_sides(material, true)) {
        (Some(Color::Black), 1) => &[],
        (Some(Color::Black), _) => &Color::ALL[1..],
        (None, 2) => &Color::ALL,
        _ => &Color::ALL[..1],
    }
}

/// The name of the section of a stage and a side to move.
pub fn stage_name(stage: Stage, side: Color) -> String {
    section_name(side, &format!(" {stage}"))
}

/// The section of a stage and a side to move, or the one it repeats.
///
/// # Errors
/// If it is missing, has not so many entries, or stands for what is on no ladder.
pub fn stage_cells(
    table: &Table,
    stage: Stage,
    side: Color,
    entries: u64,
) -> Result<Stretches, TableError> {
    let name = resolve(table, stage_name(stage, side));
    let cells = sized_stretches(table, &name, entries)?;
    let longest = Plies((Cell::SPAN / 2 - 1) as u16);
    let fits = |&packed: &u32| {
        let outcome = Outcome::unpack(packed);
        points_of(outcome.value).is_some() && outcome.distance.is_none_or(|d| d < longest)
    };
    let fits =
        |(_, cells): (_, &Cells)| cells.palette().is_some_and(|palette| palette.iter().all(fits));
    if cells.iter().all(fits) {
        return Ok(cells);
    }
    Err(TableError::Damaged {
        path: table.path().to_owned(),
        place: format!("section `{name}`"),
        problem: "its palette holds no points and distances".to_owned(),
    })
}
