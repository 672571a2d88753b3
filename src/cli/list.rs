//! `finale list`.

use std::{io, io::Write};

use anyhow::Result;
use clap::ValueEnum;
use serde_json::{Value, json};

use super::{args::ListArgs, build::bytes, games::GameName};
use crate::{
    rules::{Game, Stylish},
    solve::options_in_words,
    study::table_files,
    table::Table,
};

/// Lists tables.
pub fn run(args: ListArgs) -> Result<()> {
    let games = match args.game {
        Some(game) => vec![game],
        None => GameName::value_variants().to_vec(),
    };
    let mut out = io::stdout().lock();
    let mut objects = Vec::new();
    let mut any = false;
    for game in games {
        let name = game.to_possible_value().map(|value| value.get_name().to_owned());
        let name = name.unwrap_or_default();
        for path in table_files(&args.tables.tables, &name)? {
            any = true;
            match Table::open(&path) {
                Ok(table) if args.json => objects.push(json!({
                    "file": path,
                    "game": table.header().game,
                    "material": table.header().material,
                    "options": table.header().options,
                    "bytes": table.file_len(),
                })),
                Ok(table) => {
                    let header = table.header();
                    let options = options_in_words(&header.options, &Stylish::default().options());
                    let text = format!(
                        "{:<12} {:<10} {:>10}  {}",
                        header.game,
                        header.material,
                        bytes(table.file_len()),
                        options.join(", ")
                    );
                    writeln!(out, "{}", text.trim_end())?;
                }
                Err(error) if args.json => {
                    objects.push(json!({ "file": path, "error": error.to_string() }));
                }
                Err(error) => writeln!(out, "{error}")?,
            }
        }
    }
    if args.json {
        writeln!(out, "{}", Value::Array(objects))?;
    } else if !any {
        eprintln!("there are no tables in {}", args.tables.tables.display());
    }
    Ok(())
}
