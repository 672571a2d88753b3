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
    index::Material,
    registry::{Complete, GameName, Task},
    story::{story, story_value},
    study::{Remark, report_object},
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
        let tables = args.tables.of(game)?;
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
        let story = args.story.then(|| story(&tables, &named, &report, &bar));
        bar.clear();
        let story = story.transpose()?;
        let mut out = io::stdout().lock();
        if args.json {
            let mut object = report_object(game, &named, &report);
            object.extend(story.map(|story| ("story".to_owned(), story_value(&story))));
            writeln!(out, "{}", Value::Object(object))?;
            return Ok(());
        }
        if named != material {
            writeln!(out, "{material} is {named} with the colours exchanged.\n")?;
        }
        match story {
            Some(story) => write_story(&mut out, game.name(), &named, &story)?,
            None => write!(out, "{report}")?,
        }
        Ok(())
    }
}

/// Writes sentences with the positions they speak of, and how to find all of those.
fn write_story(
    out: &mut impl Write,
    game: &str,
    named: &Material,
    story: &[Remark],
) -> io::Result<()> {
    for Remark { text, fen, query } in story {
        writeln!(out, "{text}")?;
        if let Some(fen) = fen {
            writeln!(out, "  {fen}")?;
        }
        if let Some(query) = query {
            writeln!(out, "  finale find {game} '{named}' '{query}'")?;
        }
    }
    Ok(())
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
