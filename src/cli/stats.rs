//! `finale stats`.

use std::io::{self, Write};

use anyhow::Result;
use serde_json::Value;

use super::{
    args::StatsArgs,
    games::{material, play},
    progress::Bar,
    usage::Usage,
};
use crate::{
    probe::Tablebase,
    registry::{Complete, GameName, Task},
    study::report_object,
    table::BlockCache,
};

/// Answers what students ask of a table.
pub fn run(args: StatsArgs) -> Result<()> {
    play(&args.game, Stats(&args))
}

struct Stats<'a>(&'a StatsArgs);

impl Task for Stats<'_> {
    type Output = Result<()>;

    fn run<G: Complete>(self, game: G) -> Result<()> {
        let Stats(args) = self;
        let tables = Tablebase::on(game, args.tables.directories(BlockCache::default())?);
        let game = tables.game();
        let material = material(&args.material)?;
        let named = game.named(&material)?;
        let bar = Bar::new();
        let report = match &args.from {
            Some(from) => game.statistics_from(&tables, &named, from, &bar),
            None => game.statistics(&tables, &named, &bar).map(Some),
        };
        bar.clear();
        let Some(report) = report? else {
            return Err(
                no_statistics(game.title(), args.from.as_deref().unwrap_or_default()).into()
            );
        };
        let mut out = io::stdout().lock();
        if args.json {
            writeln!(out, "{}", Value::Object(report_object(game, &named, &report)))?;
            return Ok(());
        }
        if named != material {
            writeln!(out, "{material} is {named} with the colours exchanged.\n")?;
        }
        write!(out, "{report}")?;
        Ok(())
    }
}

/// That a game has no statistics from some counters on.
fn no_statistics(title: &str, from: &str) -> Usage {
    Usage(format!("{title} has no statistics from `{from}` on: {}", who_has_them()))
}

/// Which games have statistics from other counters on, and from which.
fn who_has_them() -> String {
    let has = |game: &GameName| {
        let from = game.statistics_from()?;
        Some(format!("{} has them {}", game.title(), from.range))
    };
    GameName::all().iter().filter_map(has).collect::<Vec<_>>().join("; ")
}
