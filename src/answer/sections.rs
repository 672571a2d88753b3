//! What the files of all games have in common.

use serde_json::Value;

use crate::{
    board::Color,
    index::Material,
    table::{Stretches, Table, TableError},
};

/// The material that the header of a table names.
pub fn table_material(table: &Table) -> Result<Material, TableError> {
    let text = &table.header().material;
    text.parse().map_err(|error| TableError::Damaged {
        path: table.path().to_owned(),
        place: "header".to_owned(),
        problem: format!("{error}"),
    })
}

/// The side to move whose positions alone a table stores; none if it stores both.
///
/// # Errors
/// If its header names no side.
pub fn only_side(table: &Table) -> Result<Option<Color>, TableError> {
    let Some(name) = &table.header().side else { return Ok(None) };
    let side = Color::ALL.into_iter().find(|side| side.name() == name);
    side.map(Some).ok_or_else(|| TableError::Damaged {
        path: table.path().to_owned(),
        place: "header".to_owned(),
        problem: format!("`{name}` is no side"),
    })
}

/// Whether a table that stores the positions of `only` this side, or of both, stores those of
/// `side`.
pub fn stores(only: Option<Color>, side: Color) -> bool {
    only.is_none_or(|only| only == side)
}

/// What tables call the cells of a side to move: `white`, or `white mate` with the suffix ` mate`.
pub fn section_name(side: Color, suffix: &str) -> String {
    format!("{}{suffix}", side.name())
}

/// The member of a header's `meta` that names, for a section that is left out, the one that says
/// the same.
pub const REPEATS: &str = "repeats";

/// The name of the section that holds what another one repeats.
pub fn resolve(table: &Table, name: String) -> String {
    let repeats = table.header().meta.get(REPEATS).and_then(|repeats| repeats.get(&name));
    repeats.and_then(Value::as_str).map_or(name, str::to_owned)
}

/// All sections of a name, which together must have so many entries.
pub fn sized_stretches(table: &Table, name: &str, entries: u64) -> Result<Stretches, TableError> {
    check_size(table, name, entries)?;
    table.stretches(name)
}

/// Checks what the header says, before any palette is unpacked, which may be as long as the cells.
fn check_size(table: &Table, name: &str, expected: u64) -> Result<(), TableError> {
    let found = table.entries(name)?;
    if found == expected {
        return Ok(());
    }
    Err(TableError::Damaged {
        path: table.path().to_owned(),
        place: format!("section `{name}`"),
        problem: format!("{found} entries instead of {expected}"),
    })
}
