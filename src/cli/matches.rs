//! Several games in one file: `finale replay` sums them as a match.

use std::io::{self, Write};

use anyhow::{Result, bail};
use serde_json::Value;

use super::{args::ReplayArgs, hints::sentence, record::write_turns, say::say, units::count};
use crate::{
    board::ByColor,
    probe::Tablebase,
    registry::Complete,
    rules::{Record, players},
    study::{Contest, Losses},
};

/// Tells of each game and sums them. A game with a mistake is named and does not count.
pub fn run<G: Complete>(
    tables: &Tablebase<G>,
    records: Vec<Record<G>>,
    args: &ReplayArgs,
) -> Result<()> {
    let game = tables.game();
    let contest = Contest::judge(game, records);
    let losses: Option<Vec<Losses>> = match args.probe {
        true => {
            let games = contest.games.iter();
            Some(games.map(|one| Losses::find(tables, &one.replay)).collect::<Result<_, _>>()?)
        }
        false => None,
    };
    let typed = args.game.typed();
    let mut out = io::stdout().lock();
    if args.json {
        let object = contest.object(game, losses.as_deref(), |error| sentence(error, &typed));
        writeln!(out, "{}", Value::Object(object))?;
    } else {
        for (at, one) in contest.games.iter().enumerate() {
            let ByColor { white, black } = players(&one.replay);
            let head = format!("{}: {white} - {black}", one.title());
            if args.probe || args.verbose {
                writeln!(out, "{head}")?;
                let losses = losses.as_ref().map(|losses| &losses[at]);
                write_turns(&mut out, game, &one.replay, losses, args.verbose)?;
            }
            writeln!(out, "{head}: {}", one.result(game))?;
        }
        if let Some(words) = contest.after_normal_games() {
            writeln!(out, "\nafter the normal games {words}")?;
        }
        writeln!(out, "\n{}", contest.listing())?;
        writeln!(out, "{}", contest.result())?;
    }
    for one in &contest.games {
        if let Err(error) = &one.judged {
            say(format_args!("error: {}: {}", one.title(), sentence(error, &typed)));
        }
    }
    if losses.is_some_and(|losses| !losses.iter().any(|losses| losses.covered)) {
        say("note: the tables at hand cover no position of these games");
    }
    match contest.games.iter().filter(|one| one.judged.is_err()).count() {
        0 => Ok(()),
        wrong => bail!("{wrong} of {} cannot be counted", count(contest.games.len(), "game")),
    }
}
