//! Several games in one file: `finale replay` sums them as a match.

use std::io::{self, Write};

use anyhow::{Result, anyhow, bail};
use serde_json::{Map, Value, json};

use super::{
    args::ReplayArgs,
    hints::sentence,
    record::{Marks, check_game, check_options, marks, object, result_words, write_turns},
    say::say,
    units::count,
};
use crate::{
    board::{ByColor, Color},
    probe::Tablebase,
    registry::Complete,
    rules::{
        Game, Match, MatchRule, Orthodox, Played, Record, Replay, Standing, check_results, played,
        players,
    },
    study::{Cell, Listing, Study, is_variant},
};

/// A game of the file.
struct OneGame<G: Game> {
    line: usize,
    replay: Replay<G>,
    /// Whether it is tagged as one of orthodox chess, in a match that has such.
    normal: bool,
    /// How it ended, if it did, and what it counts; or what is wrong with it.
    judged: Result<(Option<G::Ending>, Option<Played>)>,
}

/// Tells of each game and sums them. A game with a mistake is named and does not count.
pub fn run<G: Complete>(
    tables: &Tablebase<G>,
    records: Vec<Record<G>>,
    args: &ReplayArgs,
) -> Result<()> {
    let game = tables.game();
    let mut games: Vec<OneGame<G>> =
        records.into_iter().map(|record| judge(game, record, args)).collect();
    let marks = games.iter().map(|one| match args.probe {
        true => marks(tables, &one.replay),
        false => Ok(Marks::default()),
    });
    let marks = marks.collect::<Result<Vec<_>>>()?;
    let all = Match::sum(G::MATCH, games.iter().filter_map(OneGame::played));
    end_with_resignation(&mut games, &all);
    let mut out = io::stdout().lock();
    if args.json {
        writeln!(out, "{}", match_object(game, &games, &marks, &all, args))?;
    } else {
        for (at, (one, marks)) in games.iter().zip(&marks).enumerate() {
            let ByColor { white, black } = players(&one.replay);
            let head = format!("{}: {white} - {black}", one.title(at));
            if args.probe || args.verbose {
                writeln!(out, "{head}")?;
                write_turns(&mut out, game, &one.replay, &marks.thrown_away, args.verbose)?;
            }
            writeln!(out, "{head}: {}", one.words(game))?;
        }
        if let Some(words) = after_normal_games(&games, &all) {
            writeln!(out, "\nafter the normal games {words}")?;
        }
        writeln!(out, "\n{}", listing(G::MATCH, &all))?;
        writeln!(out, "{}", sum_words(G::MATCH, &all))?;
    }
    let typed = args.game.typed();
    for (at, one) in games.iter().enumerate() {
        if let Err(error) = &one.judged {
            say(format_args!("error: {}: {}", one.title(at), sentence(error.as_ref(), &typed)));
        }
    }
    if args.probe && !marks.iter().any(|marks| marks.covered) {
        say("note: the tables at hand cover no position of these games");
    }
    match games.iter().filter(|one| one.judged.is_err()).count() {
        0 => Ok(()),
        wrong => bail!("{wrong} of {} cannot be counted", count(games.len(), "game")),
    }
}

/// Checks a game by itself.
fn judge<G: Complete>(game: &G, record: Record<G>, args: &ReplayArgs) -> OneGame<G> {
    let Record { line, replay, error } = record;
    let variant = replay.tag("Variant");
    let orthodox = |variant| is_variant(variant, Orthodox::NAME, Orthodox::TITLE);
    let normal = variant.is_some_and(orthodox) && game.is_normal(&replay);
    let judge = || {
        if !normal {
            check_game(args.game.game, &replay.tags)?;
        }
        check_options(game, &replay.tags)?;
        if let Some(error) = error {
            return Err(error.into());
        }
        let ending = game.result(&replay);
        check_results(&replay, ending.as_ref())?;
        let played = played(game, &replay, ending.as_ref());
        Ok((ending, played))
    };
    let judged = judge();
    OneGame { line, replay, normal, judged }
}

/// Where resigning ends a match, games that come after it are mistakes.
fn end_with_resignation<G: Game>(games: &mut [OneGame<G>], all: &Match) {
    if all.resigned().is_none() {
        return;
    }
    // The last that counts is the one that was resigned.
    let mut played = (1..).zip(&*games).filter(|(_, one)| one.played().is_some());
    let last = played.nth(all.counted - 1).map_or(games.len(), |(number, _)| number);
    for one in games.iter_mut().skip(last).filter(|one| one.judged.is_ok()) {
        one.judged = Err(anyhow!("the series ended when a player resigned game {last}"));
    }
}

impl<G: Game> OneGame<G> {
    /// Which game it is, and where it begins.
    fn title(&self, at: usize) -> String {
        format!("game {} (line {})", at + 1, self.line)
    }

    /// What it counts, if it does.
    fn played(&self) -> Option<&Played> {
        self.judged.as_ref().ok().and_then(|(_, played)| played.as_ref())
    }
}

impl<G: Complete> OneGame<G> {
    /// How it ended, and whether it counts.
    fn words(&self, game: &G) -> String {
        match &self.judged {
            Ok((ending, played)) => {
                let words = result_words(game, &self.replay, ending.as_ref());
                if played.is_some() { words } else { format!("{words}; not counted") }
            }
            Err(_) => "not counted".to_owned(),
        }
    }

    fn object(
        &self,
        game: &G,
        marks: Option<&[Option<String>]>,
        typed: &str,
    ) -> Map<String, Value> {
        let ByColor { white, black } = players(&self.replay);
        let mut members =
            [("line", json!(self.line)), ("white", json!(white)), ("black", json!(black))]
                .map(|(name, value)| (name.to_owned(), value))
                .into_iter()
                .collect::<Map<String, Value>>();
        match &self.judged {
            Ok((ending, played)) => {
                let points = |color| played.as_ref()?.points.map(|points| points[color]);
                members.insert("normal".to_owned(), json!(self.normal));
                members.insert("counted".to_owned(), json!(played.is_some()));
                members.insert("white_points".to_owned(), json!(points(Color::White)));
                members.insert("black_points".to_owned(), json!(points(Color::Black)));
                members.extend(object(game, &self.replay, ending.as_ref(), marks));
            }
            Err(error) => {
                members.insert("error".to_owned(), json!(sentence(error.as_ref(), typed)));
            }
        }
        members
    }
}

fn match_object<G: Complete>(
    game: &G,
    games: &[OneGame<G>],
    marks: &[Marks],
    all: &Match,
    args: &ReplayArgs,
) -> Value {
    let typed = args.game.typed();
    let objects = games
        .iter()
        .zip(marks)
        .map(|(one, marks)| one.object(game, args.probe.then_some(&marks.thrown_away[..]), &typed));
    let counts_points = G::MATCH != MatchRule::Wins;
    let standings = all.standings.iter().map(|standing| {
        let points = |points: i64| counts_points.then_some(points);
        json!({
            "player": standing.player,
            "wins": standing.wins,
            "draws": standing.draws,
            "losses": standing.losses,
            "points": points(standing.points),
            "points_against": points(standing.points_against),
        })
    });
    json!({
        "game": G::NAME,
        "games": objects.collect::<Vec<_>>(),
        "players": standings.collect::<Vec<_>>(),
        "after_normal_games": after_normal_games(games, all),
        "match_winner": all.winner().map(|standing| &standing.player),
        "result": sum_words(G::MATCH, all),
    })
}

/// How a match stood after those of its games that were played as orthodox chess, if others count
/// too.
fn after_normal_games<G: Game>(games: &[OneGame<G>], all: &Match) -> Option<String> {
    let normal = games.iter().filter(|one| one.normal).filter_map(OneGame::played);
    let normal = Match::sum(G::MATCH, normal);
    (1..all.counted).contains(&normal.counted).then(|| sum_words(G::MATCH, &normal))
}

/// The players and what they have done.
fn listing(rule: MatchRule, all: &Match) -> Listing {
    let mut listing = Listing::new(
        "players",
        format!("{}:", count(all.counted, "game")),
        ["player", "wins", "draws", "losses", "points", "points_against"],
    );
    for standing in &all.standings {
        let points = |points| match rule {
            MatchRule::Wins => Cell::Nothing,
            _ => Cell::Number(points),
        };
        listing.row([
            Cell::text(&standing.player),
            Cell::Count(standing.wins),
            Cell::Count(standing.draws),
            Cell::Count(standing.losses),
            points(standing.points),
            points(standing.points_against),
        ]);
    }
    listing
}

/// Who has won, in words.
fn sum_words(rule: MatchRule, all: &Match) -> String {
    let what = match rule {
        MatchRule::Wins | MatchRule::Points => "match",
        MatchRule::WinsThenPoints => "tournament",
        MatchRule::PointsUnlessResigned => "series",
    };
    let [first, others @ ..] = &all.standings[..] else {
        return format!("no game of the {what} counts");
    };
    if let Some(resigned) = all.resigned() {
        return format!("{} resigns and loses the {what}, whatever the points", resigned.player);
    }
    let by_points = matches!(rule, MatchRule::Points | MatchRule::PointsUnlessResigned);
    let score = |standing: &Standing| match by_points {
        true => standing.points.to_string(),
        false => halves(standing.doubled_score()),
    };
    let Some(second) = others.first() else {
        return format!("{} wins the {what}", first.player);
    };
    let scores = format!("{} to {}", score(first), score(second));
    if !all.is_won {
        return format!("the {what} is tied, {scores}");
    }
    if !by_points && first.doubled_score() == second.doubled_score() {
        let (ahead, behind) = (first.difference(), second.difference());
        let points = format!("by points for less points against, {ahead:+} to {behind:+}");
        return format!("{} wins the {what}, {scores}, {points}", first.player);
    }
    format!("{} wins the {what}, {scores}", first.player)
}

/// A number of halves: `2`, `2.5`.
fn halves(doubled: u64) -> String {
    format!("{}{}", doubled / 2, if doubled.is_multiple_of(2) { "" } else { ".5" })
}
