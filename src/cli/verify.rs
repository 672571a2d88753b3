//! `finale verify`.

use std::io::{self, Write};

use anyhow::{Context, Result, bail};
use serde_json::{Value, json};

use super::{
    args::VerifyArgs,
    games::{material, play},
    hints::{sentence, tables_option},
    progress::Bar,
    units::count,
};
use crate::{
    answer::TableId,
    index::Material,
    probe::Tablebase,
    registry::{Complete, Task},
    study::Cell,
    verify::Verified,
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
        let mut tables = Tablebase::new(game.clone(), &args.tables.tables);
        let game = &game;
        let mut there = tables.tables()?;
        if !args.materials.is_empty() {
            let named = |text: &String| -> Result<Material> { Ok(game.named(&material(text)?)?) };
            let wanted = args.materials.iter().map(named).collect::<Result<Vec<_>>>()?;
            there.retain(|id| wanted.contains(&id.material));
            // One that is not there is told when it is opened.
            let missing = wanted.iter().filter(|m| !there.iter().any(|id| id.material == **m));
            let missing: Vec<_> =
                missing.map(|material| game.table_id(material, G::CONTENTS[0])).collect();
            there.extend(missing);
        }
        if there.is_empty() {
            bail!(
                "there are no tables of {} in {}; build some with `finale build {} --men 3{}{}`",
                G::NAME,
                args.tables.tables.display(),
                G::NAME,
                args.game.typed(),
                tables_option(&args.tables.tables),
            );
        }
        let bar = Bar::new();
        let mut failed = 0;
        for (at, id) in there.iter().enumerate() {
            bar.table(at + 1, there.len());
            tables = tables.preferring(id.contents);
            let checked = check(&tables, id, args.checksums, &bar);
            bar.clear();
            let is_right =
                matches!(&checked, Ok(verified) if verified.as_ref().is_none_or(|v| v.wrong == 0));
            failed += usize::from(!is_right);
            let mut out = io::stdout().lock();
            if args.json {
                writeln!(out, "{}", object(game, id, &checked, &args.game.typed()))?;
            } else {
                let words = words(game, &checked, &args.game.typed());
                writeln!(out, "{:<10} {words}", id.title())?;
            }
        }
        if failed > 0 {
            bail!("{failed} of {} failed", count(there.len(), "table"));
        }
        Ok(())
    }
}

/// Reads a table as a whole and, unless only its checksums count, holds it against the rules.
fn check<G: Complete>(
    tables: &Tablebase<G>,
    id: &TableId,
    checksums: bool,
    bar: &Bar,
) -> Result<Option<Verified<G>>> {
    let table = tables.directories().open(id).map_err(crate::probe::ProbeError::from)?;
    table.check().map_err(crate::probe::ProbeError::from).context("it failed its checksums")?;
    if checksums {
        return Ok(None);
    }
    Ok(Some(tables.verify(&id.material, bar)?))
}

fn words<G: Complete>(game: &G, checked: &Result<Option<Verified<G>>>, typed: &str) -> String {
    match checked {
        Ok(None) => "checksums right".to_owned(),
        Ok(Some(verified)) => match example(game, verified) {
            Some(example) => format!(
                "FAILED: {} of {} positions do not follow from their successors, such as {example}",
                verified.wrong, verified.positions
            ),
            None => format!("{} positions, all right", Cell::Count(verified.positions)),
        },
        Err(error) => format!("FAILED: {}", sentence(error.as_ref(), typed)),
    }
}

fn object<G: Complete>(
    game: &G,
    id: &TableId,
    checked: &Result<Option<Verified<G>>>,
    typed: &str,
) -> Value {
    let verified = checked.as_ref().ok().and_then(Option::as_ref);
    json!({
        "game": G::NAME,
        "material": id.material.to_string(),
        "contents": id.contents.name(),
        "positions": verified.map(|verified| verified.positions),
        "wrong": verified.map(|verified| verified.wrong),
        "example": verified.and_then(|verified| example(game, verified)),
        "error": checked.as_ref().err().map(|error| sentence(error.as_ref(), typed)),
    })
}

fn example<G: Complete>(game: &G, verified: &Verified<G>) -> Option<Value> {
    let wrong = verified.example.as_ref()?;
    Some(json!({
        "fen": game.fen(&wrong.position),
        "stored": game.fields(&wrong.position, &wrong.stored),
        "derived": game.fields(&wrong.position, &wrong.derived),
    }))
}
