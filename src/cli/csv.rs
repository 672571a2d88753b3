//! Columns as comma-separated values.

use std::io::{self, Write};

use crate::study::{Columns, Field, Kind, Values};

/// Writes the names of the columns.
///
/// # Errors
/// If they cannot be written.
pub fn write_head(out: &mut dyn Write, fields: &[Field]) -> io::Result<()> {
    let names: Vec<&str> = fields.iter().map(|field| field.name.as_str()).collect();
    writeln!(out, "{}", names.join(","))
}

/// Writes the rows: nothing where there is no value, `inf` and `-inf`, and lists parted by spaces.
///
/// # Errors
/// If they cannot be written.
pub fn write_rows(out: &mut dyn Write, columns: &Columns) -> io::Result<()> {
    for row in 0..columns.rows() {
        for (number, (field, values)) in columns.iter().enumerate() {
            if number > 0 {
                out.write_all(b",")?;
            }
            write_value(out, field, values, row)?;
        }
        out.write_all(b"\n")?;
    }
    Ok(())
}

fn write_value(out: &mut dyn Write, field: &Field, values: &Values, row: usize) -> io::Result<()> {
    if field.optional && !values.has(row) {
        return Ok(());
    }
    match (values, field.kind) {
        (Values::I8(all), Kind::Words(words)) => out.write_all(words[all[row] as usize].as_bytes()),
        (Values::I8(all), _) => write!(out, "{}", all[row]),
        (Values::U8(all), _) => write!(out, "{}", all[row]),
        (Values::I32(all), _) => write!(out, "{}", all[row]),
        (Values::I64(all), _) => write!(out, "{}", all[row]),
        (Values::F32(all), _) => write!(out, "{}", all[row]),
        (Values::Text(all), _) => {
            let text = all[row].as_deref().unwrap_or_default();
            write!(out, "\"{}\"", text.replace('"', "\"\""))
        }
        (Values::Lists(length, all), _) => {
            let numbers = all[row * length..(row + 1) * length].iter().map(u8::to_string);
            write!(out, "{}", numbers.collect::<Vec<_>>().join(" "))
        }
    }
}
