//! `finale line`, `finale stats` and `finale verify`.

use std::io::{self, Write};

use anyhow::{Context, Result, bail};
use serde_json::{Value, json};

use super::{
    Usage,
    args::{LineArgs, StatsArgs, VerifyArgs},
    build::count,
    games::play,
    progress::Bar,
};
use crate::{
    index::Material,
    probe::Tablebase,
    registry::{Complete, Task},
    study::{LineEnd, MoveNumbers, best_line},
};

/// Shows best play.
pub fn line(args: LineArgs) -> Result<()> {
    play(&args.game, ShowLine(&args))
}

struct ShowLine<'a>(&'a LineArgs);

impl Task for ShowLine<'_> {
    type Output = Result<()>;

    fn run<G: Complete>(self, game: G) -> Result<()> {
        let ShowLine(args) = self;
        let tables = Tablebase::new(game, &args.tables.tables);
        let game = tables.game();
        let start = game.parse_fen(&args.fen)?;
        let line = best_line(&tables, &start, args.max)?;
        let mut out = io::stdout().lock();
        if args.pgn {
            write!(out, "{}", line.pgn(game))?;
            return Ok(());
        }
        let last = line.plies.last().map_or(&start, |ply| &ply.after);
        let end = match (line.end, game.ending(last)) {
            (_, Some(ending)) => ending.to_string(),
            (LineEnd::Repeats { since }, None) => {
                let endless = game.endless(&line.plies[since..]);
                format!("the position after {} comes again: {endless}", count(since, "turn"))
            }
            (_, None) => format!("cut after {}", count(line.plies.len(), "turn")),
        };
        if args.json {
            let turns: Vec<Value> = line
                .plies
                .iter()
                .map(|ply| {
                    let mut object = serde_json::Map::new();
                    object.insert("uci".into(), json!(game.uci(&ply.before, ply.turn)));
                    object.insert("san".into(), json!(game.san(&ply.before, ply.turn)));
                    object.insert("fen".into(), json!(game.fen(&ply.after)));
                    object.extend(game.fields(&ply.after, &ply.answer));
                    Value::Object(object)
                })
                .collect();
            let object = json!({
                "fen": game.fen(&start), "game": G::NAME, "line": turns, "end": end,
            });
            writeln!(out, "{object}")?;
            return Ok(());
        }
        writeln!(out, "{}", game.fen(&start))?;
        let mut numbers = MoveNumbers::from_fen(&game.fen(&start));
        for ply in &line.plies {
            let label = numbers.label(game.to_move(&ply.before));
            let san = game.san(&ply.before, ply.turn);
            let comment = game.comment(&ply.before, ply.turn, &ply.after).unwrap_or_default();
            let brief = game.brief(&ply.after, &ply.answer);
            let text = format!("{label:>6} {san:<8} {comment:<8} {brief}");
            writeln!(out, "{}", text.trim_end())?;
        }
        writeln!(out, "{end}")?;
        Ok(())
    }
}

/// Answers what students ask of a table.
pub fn stats(args: StatsArgs) -> Result<()> {
    play(&args.game, Stats(&args))
}

struct Stats<'a>(&'a StatsArgs);

impl Task for Stats<'_> {
    type Output = Result<()>;

    fn run<G: Complete>(self, game: G) -> Result<()> {
        let Stats(args) = self;
        let tables = Tablebase::new(game, &args.tables.tables);
        let material: Material = args.material.parse()?;
        let material = tables.game().named(&material)?;
        let bar = Bar::new();
        let game = tables.game();
        let report = match &args.from {
            Some(from) => game.statistics_from(&tables, &material, from, &bar),
            None => game.statistics(&tables, &material, &bar).map(Some),
        };
        bar.clear();
        let Some(report) = report? else {
            let from = args.from.as_deref().unwrap_or_default();
            return Err(Usage(format!("{} has no statistics from `{from}` on", G::TITLE)).into());
        };
        let mut out = io::stdout().lock();
        if args.json {
            writeln!(out, "{}", report.json())?;
        } else {
            write!(out, "{report}")?;
        }
        Ok(())
    }
}

/// Checks tables.
pub fn verify(args: VerifyArgs) -> Result<()> {
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
            let named = |text: &String| -> Result<Material> { Ok(game.named(&text.parse()?)?) };
            args.materials.iter().map(named).collect::<Result<_>>()?
        };
        if materials.is_empty() {
            bail!(
                "there are no tables of {} in {}; build some with `finale build {}`",
                G::NAME,
                args.tables.tables.display(),
                G::NAME
            );
        }
        let bar = Bar::new();
        let mut failed = 0;
        for material in &materials {
            let id = game.table_id(material);
            let table = tables.shelf().open(&id)?;
            table.check().with_context(|| format!("{material} failed its checksums"))?;
            let verified = tables.verify(material, &bar)?;
            bar.clear();
            failed += usize::from(verified.wrong > 0);
            let example = verified.example.as_ref().map(|wrong| {
                json!({
                    "fen": game.fen(&wrong.position),
                    "stored": game.fields(&wrong.position, &wrong.stored),
                    "derived": game.fields(&wrong.position, &wrong.derived),
                })
            });
            let mut out = io::stdout().lock();
            if args.json {
                let object = json!({
                    "game": G::NAME,
                    "material": material.to_string(),
                    "positions": verified.positions,
                    "wrong": verified.wrong,
                    "example": example,
                });
                writeln!(out, "{object}")?;
            } else if let Some(example) = example {
                writeln!(
                    out,
                    "{material:<10} {} of {} positions do not follow from their successors, such as {example}",
                    verified.wrong, verified.positions
                )?;
            } else {
                writeln!(out, "{material:<10} {} positions, all right", verified.positions)?;
            }
        }
        if failed > 0 {
            bail!("{} of {} failed", failed, count(materials.len(), "table"));
        }
        Ok(())
    }
}
