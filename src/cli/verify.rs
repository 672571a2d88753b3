//! `finale verify`.

use std::io::{self, Write};

use anyhow::{Context, Result, bail};
use serde_json::{Map, Value, json};

use super::{
    args::VerifyArgs,
    games::{ByContents, material, no_tables, play},
    hints::sentence,
    progress::Bar,
    units::count,
};
use crate::{
    answer::TableId,
    index::Material,
    probe::{Catalogue, ProbeError, TableDirectories},
    registry::{Complete, Task},
    study::Cell,
    table::BlockCache,
    verify::{Mismatch, Verified},
};

/// Checks tables, all of them whatever is found.
pub fn run(args: VerifyArgs) -> Result<()> {
    play(&args.game, Verify(&args))
}

struct Verify<'a>(&'a VerifyArgs);

impl Task for Verify<'_> {
    type Output = Result<()>;

    fn run<G: Complete>(self, game: G) -> Result<()> {
        let Verify(args) = self;
        let directories =
            TableDirectories::new(args.tables.folder("verify")?, BlockCache::default());
        let all = ByContents::new(&game, &directories);
        let verify = |id: &TableId, bar: &Bar| -> Result<Checked> {
            let tables = all.preferring(id.contents);
            let Verified { positions, wrong, example } = tables.verify(&id.material, bar)?;
            let example = example.map(|Mismatch { position, stored, derived }| {
                let fields = [stored, derived].map(|answer| game.fields(&position, &answer));
                example_object(&game.fen(&position), fields)
            });
            Ok(Checked { positions, wrong, example })
        };
        verify_all(&game, &directories, args, &verify)
    }
}

/// What came of checking a table against the rules.
struct Checked {
    positions: u64,
    wrong: u64,
    /// One of those that are wrong.
    example: Option<Value>,
}

/// A position whose answer does not follow.
fn example_object(fen: &str, [stored, derived]: [Map<String, Value>; 2]) -> Value {
    json!({ "fen": fen, "stored": stored, "derived": derived })
}

/// Checks the tables of a game, each with a way to hold it against the rules.
fn verify_all(
    game: &dyn Catalogue,
    directories: &TableDirectories,
    args: &VerifyArgs,
    verify: &dyn Fn(&TableId, &Bar) -> Result<Checked>,
) -> Result<()> {
    let mut there = directories.tables(game)?;
    if !args.materials.is_empty() {
        let named = |text: &String| -> Result<Material> { Ok(game.named(&material(text)?)?) };
        let wanted = args.materials.iter().map(named).collect::<Result<Vec<_>>>()?;
        there.retain(|id| wanted.contains(&id.material));
        // One that is not there is told when it is opened.
        let missing = wanted.iter().filter(|m| !there.iter().any(|id| id.material == **m));
        let missing: Vec<_> =
            missing.map(|material| game.table_id(material, game.contents()[0])).collect();
        there.extend(missing);
    }
    if there.is_empty() {
        return Err(no_tables(&args.game, &args.tables.tables));
    }
    let bar = Bar::new();
    let mut failed = 0;
    for (at, id) in there.iter().enumerate() {
        bar.table(at + 1, there.len());
        let checked = check(directories, id).and_then(|()| match args.checksums {
            true => Ok(None),
            false => verify(id, &bar).map(Some),
        });
        bar.clear();
        let is_right =
            matches!(&checked, Ok(verified) if verified.as_ref().is_none_or(|v| v.wrong == 0));
        failed += usize::from(!is_right);
        let mut out = io::stdout().lock();
        if args.json {
            writeln!(out, "{}", object(game, id, &checked, &args.game.typed()))?;
        } else {
            let words = words(&checked, &args.game.typed());
            writeln!(out, "{:<10} {words}", id.title())?;
        }
    }
    if failed > 0 {
        bail!("{failed} of {} failed", count(there.len(), "table"));
    }
    Ok(())
}

/// Reads a table as a whole.
fn check(directories: &TableDirectories, id: &TableId) -> Result<()> {
    let table = directories.open(id).map_err(ProbeError::from)?;
    table.check().map_err(ProbeError::from).context("it failed its checksums")
}

fn words(checked: &Result<Option<Checked>>, typed: &str) -> String {
    match checked {
        Ok(None) => "checksums right".to_owned(),
        Ok(Some(Checked { positions, wrong, example: Some(example) })) => format!(
            "FAILED: {wrong} of {positions} positions do not follow from their successors, such as \
             {example}"
        ),
        Ok(Some(checked)) => format!("{} positions, all right", Cell::Count(checked.positions)),
        Err(error) => format!("FAILED: {}", sentence(error.as_ref(), typed)),
    }
}

fn object(
    game: &dyn Catalogue,
    id: &TableId,
    checked: &Result<Option<Checked>>,
    typed: &str,
) -> Value {
    let verified = checked.as_ref().ok().and_then(Option::as_ref);
    json!({
        "game": game.name(),
        "material": id.material.to_string(),
        "contents": id.contents.name(),
        "positions": verified.map(|verified| verified.positions),
        "wrong": verified.map(|verified| verified.wrong),
        "example": verified.and_then(|verified| verified.example.as_ref()),
        "error": checked.as_ref().err().map(|error| sentence(error.as_ref(), typed)),
    })
}
