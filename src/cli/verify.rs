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
        let tables = Tablebase::new(game, &args.tables.tables);
        let game = tables.game();
        let materials: Vec<Material> = if args.materials.is_empty() {
            tables.materials()?
        } else {
            let named = |text: &String| -> Result<Material> { Ok(game.named(&material(text)?)?) };
            args.materials.iter().map(named).collect::<Result<_>>()?
        };
        if materials.is_empty() {
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
        for (at, material) in materials.iter().enumerate() {
            bar.table(at + 1, materials.len());
            let checked = check(&tables, material, args.checksums, &bar);
            bar.clear();
            let is_right =
                matches!(&checked, Ok(verified) if verified.as_ref().is_none_or(|v| v.wrong == 0));
            failed += usize::from(!is_right);
            let mut out = io::stdout().lock();
            if args.json {
                writeln!(out, "{}", object(game, material, &checked, &args.game.typed()))?;
            } else {
                let words = words(game, &checked, &args.game.typed());
                writeln!(out, "{:<10} {words}", material.to_string())?;
            }
        }
        if failed > 0 {
            bail!("{failed} of {} failed", count(materials.len(), "table"));
        }
        Ok(())
    }
}

/// Reads a table as a whole and, unless only its checksums count, holds it against the rules.
fn check<G: Complete>(
    tables: &Tablebase<G>,
    material: &Material,
    checksums: bool,
    bar: &Bar,
) -> Result<Option<Verified<G>>> {
    let id = tables.game().table_id(material);
    let table = tables.directories().open(&id).map_err(crate::probe::ProbeError::from)?;
    table.check().map_err(crate::probe::ProbeError::from).context("it failed its checksums")?;
    if checksums {
        return Ok(None);
    }
    Ok(Some(tables.verify(material, bar)?))
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
    material: &Material,
    checked: &Result<Option<Verified<G>>>,
    typed: &str,
) -> Value {
    let verified = checked.as_ref().ok().and_then(Option::as_ref);
    json!({
        "game": G::NAME,
        "material": material.to_string(),
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
