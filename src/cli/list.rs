//! `finale list`.

use std::io::{self, Write};

use anyhow::Result;
use serde_json::{Value, json};

use super::{args::ListArgs, build::bytes, say::say};
use crate::{
    probe::{Shelf, options_in_words},
    registry::GameName,
    rules::{Game, Stylish},
    table::{BlockCache, Table},
};

/// Lists tables.
pub fn run(args: ListArgs) -> Result<()> {
    let games = match args.game {
        Some(game) => vec![game],
        None => GameName::ALL.to_vec(),
    };
    let shelf = Shelf::new(&args.tables.tables, BlockCache::default());
    let mut out = io::stdout().lock();
    let mut objects = Vec::new();
    let mut any = false;
    for game in games {
        for path in shelf.files(game.name())? {
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
        say(format_args!("there are no tables in {}", args.tables.tables.display()));
    }
    Ok(())
}
