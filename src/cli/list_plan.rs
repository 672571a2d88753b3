//! `finale list --plan`: how far the tables of a plan are.

use std::{
    fs,
    io::{self, Read, Write},
    path::{Path, PathBuf},
};

use anyhow::{Context, Result};
use serde::Deserialize;
use serde_json::{Value, json};

use super::{
    games::material,
    units::{bytes, count, seconds},
};
use crate::{
    probe::slashed,
    registry::GameName,
    solve::{PartId, part_path},
};

/// What is read of a plan that `finale build --plan --json` wrote.
#[derive(Deserialize)]
struct PlanJson {
    game: String,
    tables: Vec<TableJson>,
}

#[derive(Deserialize)]
struct TableJson {
    material: String,
    /// Its file, from the folder of tables on.
    file: PathBuf,
    parts: Vec<PartJson>,
}

#[derive(Deserialize)]
struct PartJson {
    part: String,
    seconds: f64,
}

/// How far a table is.
struct TableStatus {
    game: GameName,
    material: String,
    file: PathBuf,
    /// The size of the table, if it is there.
    bytes: Option<u64>,
    /// How many parts are there, and how many there are in all; none of a table that was there
    /// when the plan was made.
    parts: (usize, usize),
    /// How long the missing parts take on two cores, about.
    seconds: f64,
}

/// Tells of every table of a plan whether it is there, or how many of its parts are.
pub fn run(plan: &Path, folder: &Path, as_json: bool) -> Result<()> {
    let statuses = read(plan)
        .and_then(|plan| statuses(&plan, folder))
        .with_context(|| format!("{} is not a plan of `finale build --plan --json`", name(plan)))?;
    let mut out = io::stdout().lock();
    if as_json {
        writeln!(out, "{}", Value::Array(statuses.iter().map(TableStatus::json).collect()))?;
    } else {
        for status in &statuses {
            writeln!(out, "{}", status.words())?;
        }
        writeln!(out, "{}", sum(&statuses))?;
    }
    Ok(())
}

/// How messages call the file of a plan.
fn name(plan: &Path) -> String {
    if plan == Path::new("-") { "stdin".to_owned() } else { plan.display().to_string() }
}

fn read(plan: &Path) -> Result<PlanJson> {
    let mut text = String::new();
    match plan {
        plan if plan == Path::new("-") => io::stdin().read_to_string(&mut text),
        plan => fs::File::open(plan).and_then(|mut file| file.read_to_string(&mut text)),
    }?;
    Ok(serde_json::from_str(&text)?)
}

fn statuses(plan: &PlanJson, folder: &Path) -> Result<Vec<TableStatus>> {
    let game = GameName::find(&plan.game)
        .with_context(|| format!("there is no game called {}", plan.game))?;
    let status = |table: &TableJson| TableStatus::new(game, table, folder);
    plan.tables.iter().map(status).collect()
}

impl TableStatus {
    fn new(game: GameName, table: &TableJson, folder: &Path) -> Result<TableStatus> {
        let material = material(&table.material)?.to_string();
        let file = folder.join(&table.file);
        let bytes = fs::metadata(&file).ok().map(|file| file.len());
        let (mut there, mut left) = (0, 0.0);
        for part in &table.parts {
            let id: PartId = part.part.parse()?;
            if bytes.is_some() || part_path(&file, id).exists() {
                there += 1;
            } else {
                left += part.seconds;
            }
        }
        Ok(TableStatus {
            game,
            material,
            file,
            bytes,
            parts: (there, table.parts.len()),
            seconds: left,
        })
    }

    fn words(&self) -> String {
        let status = match (self.bytes, self.parts) {
            (Some(size), _) => format!("{:>10}", bytes(size)),
            (None, (there, all)) if all > 1 => format!("{there} of {all} parts"),
            (None, _) => "missing".to_owned(),
        };
        format!("{:<12} {:<10} {status}", self.game.name(), self.material)
    }

    fn json(&self) -> Value {
        let (there, all) = self.parts;
        json!({
            "file": slashed(&self.file),
            "game": self.game.name(),
            "material": self.material,
            "bytes": self.bytes,
            "parts": all,
            "parts_there": there,
        })
    }
}

/// How far all of them are.
fn sum(statuses: &[TableStatus]) -> String {
    let missing = || statuses.iter().filter(|status| status.bytes.is_none());
    let tables = count(statuses.len(), "table");
    let there = statuses.len() - missing().count();
    if there == statuses.len() {
        let size = statuses.iter().filter_map(|status| status.bytes).sum();
        return format!("{tables}, {}: all there", bytes(size));
    }
    let parts = missing()
        .fold((0, 0), |(there, all), status| (there + status.parts.0, all + status.parts.1));
    let time = missing().map(|status| status.seconds).sum();
    format!(
        "{there} of {tables} and {} of {} of the others are there; still to do: about {} on two cores",
        parts.0,
        count(parts.1, "part"),
        seconds(time),
    )
}
