//! `finale info`.

use std::io::{self, Write};

use anyhow::Result;
use serde_json::json;

use super::{args::InfoArgs, build::bytes, list::plain};
use crate::{study::Cell, table::Table};

/// Tells what is in a table file.
pub fn run(args: InfoArgs) -> Result<()> {
    let table = Table::open(&args.file)?;
    let header = table.header();
    let mut out = io::stdout().lock();
    if args.json {
        let mut object = serde_json::to_value(header)?;
        object["bytes"] = json!(table.file_len());
        writeln!(out, "{object}")?;
        return Ok(());
    }
    writeln!(out, "game      {}", header.game)?;
    writeln!(out, "material  {}", header.material)?;
    for (name, value) in &header.options {
        writeln!(out, "option    {name} {}", plain(value))?;
    }
    writeln!(out, "made by   {}", header.producer)?;
    writeln!(out, "size      {}", bytes(table.file_len()))?;
    for section in &header.sections {
        writeln!(
            out,
            "section   {:<16} {:>14} {} of {} B in {}",
            section.name,
            Cell::Count(section.entries).to_string(),
            section.kind.name(),
            section.width.bytes(),
            bytes(section.length)
        )?;
    }
    Ok(())
}
