//! `finale list`.

use std::{
    fs, io,
    io::Write,
    path::{Path, PathBuf},
};

use anyhow::{Context, Result};
use clap::ValueEnum;
use serde_json::{Value, json};

use super::{args::ListArgs, build::bytes, games::GameName};
use crate::{
    index::Material,
    rules::{Game, Stylish},
    solve::options_in_words,
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
        for path in files(&args.tables.tables, &name)? {
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

/// The table files of a game, by name.
fn files(tables: &Path, game: &str) -> Result<Vec<PathBuf>> {
    let folder = tables.join(game);
    if !folder.exists() {
        return Ok(Vec::new());
    }
    let cannot = || format!("cannot read {}", folder.display());
    let mut files: Vec<PathBuf> = fs::read_dir(&folder)
        .and_then(|entries| entries.map(|entry| Ok(entry?.path())).collect())
        .with_context(cannot)?;
    files.retain(|path| {
        let hidden = path.file_name().is_some_and(|name| name.to_string_lossy().starts_with('.'));
        !hidden && path.extension().is_some_and(|extension| extension == "ftb")
    });
    files.sort_by_key(|path| (path.file_name().map(|name| name.len()), path.clone()));
    Ok(files)
}

/// The materials that have a table file of a game.
pub fn materials_of(tables: &Path, game: &str) -> Result<Vec<Material>> {
    let stems = files(tables, game)?;
    Ok(stems.iter().filter_map(|path| path.file_stem()?.to_str()?.parse().ok()).collect())
}
