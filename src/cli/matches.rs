//! Several games in one file: `finale replay` sums them as a match.

use std::io::{self, Write};

use anyhow::{Result, bail};
use serde_json::Value;

use super::{args::ReplayArgs, hints::sentence, record::write_turns, say::say, units::count};
use crate::{board::ByColor, study::Contest};

/// Tells of each game and sums them. A game with a mistake is named and does not count.
pub fn run(contest: &Contest, args: &ReplayArgs) -> Result<()> {
    let typed = args.game.typed();
    let mut out = io::stdout().lock();
    if args.json {
        let object = contest.object(&|error| sentence(error, &typed));
        writeln!(out, "{}", Value::Object(object))?;
    } else if args.pgn {
        let right = contest.games.iter().filter(|one| one.judged.is_ok());
        let records: Vec<String> = right.map(|one| one.record.pgn()).collect();
        write!(out, "{}", records.join("\n"))?;
    } else {
        for one in &contest.games {
            let ByColor { white, black } = &one.players;
            let head = format!("{}: {white} - {black}", one.title());
            if args.probe || args.verbose {
                writeln!(out, "{head}")?;
                write_turns(&mut out, &one.record, args.verbose)?;
            }
            writeln!(out, "{head}: {}", one.result())?;
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
    let mut losses = contest.games.iter().filter_map(|one| one.record.losses.as_ref());
    if args.probe && !losses.any(|losses| losses.covered) {
        say("note: the tables at hand cover no position of these games");
    }
    match contest.games.iter().filter(|one| one.judged.is_err()).count() {
        0 => Ok(()),
        wrong => bail!("{wrong} of {} cannot be counted", count(contest.games.len(), "game")),
    }
}
