//! `finale info`.

use std::io::{self, Write};

use anyhow::Result;
use serde_json::{Value, json};

use super::{args::InfoArgs, units::bytes};
use crate::{
    probe::options_in_words, registry::GameName, rules::ScoreSheet, study::Cell, table::Table,
};

/// Tells what is in a table file, or prints the default score sheet.
pub fn run(args: InfoArgs) -> Result<()> {
    let mut out = io::stdout().lock();
    let Some(file) = args.file else {
        write!(out, "{}", ScoreSheet::DEFAULT_TOML)?;
        return Ok(());
    };
    let table = Table::open(&file)?;
    let header = table.header();
    if args.json {
        let mut object = serde_json::to_value(header)?;
        object["bytes"] = json!(table.file_len());
        writeln!(out, "{object}")?;
        return Ok(());
    }
    writeln!(out, "game      {}", header.game)?;
    writeln!(out, "material  {}", header.material)?;
    writeln!(out, "contents  {}", header.contents)?;
    if let Some(side) = &header.side {
        writeln!(out, "side      {side} to move alone")?;
    }
    let usual = GameName::find(&header.game).map(GameName::usual_options).unwrap_or_default();
    for option in options_in_words(&header.options, &usual) {
        writeln!(out, "option    {option}")?;
    }
    // Options that are a word were said above.
    let same =
        |&(name, value): &(&String, &Value)| value.is_object() && usual.get(name) == Some(value);
    if let Some((name, _)) = header.options.iter().find(same) {
        let command = match name.as_str() {
            "variant" => format!("rules {}", header.game),
            name => format!("info --{name}"),
        };
        writeln!(out, "option    {name} as `finale {command}` prints them")?;
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
