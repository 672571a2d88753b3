//! A file of several games, judged one by one and summed as a match.

use std::{error::Error, iter};

use serde_json::{Map, Value, json};

use super::{
    Cell, Listing, Losses, Study, is_variant,
    record::{ForeignRecord, check_options, check_variant, record_object, record_result},
};
use crate::{
    board::{ByColor, Color},
    rules::{
        Game, Match, MatchRule, Orthodox, Played, Record, RecordError, Replay, Standing,
        StatedError, check_results, played, players,
    },
};

/// Why a game of a match does not count.
#[derive(Debug, thiserror::Error)]
pub enum MatchGameError {
    /// It is of another game, or by other rules.
    #[error(transparent)]
    Foreign(#[from] ForeignRecord),
    /// It cannot be played.
    #[error(transparent)]
    Record(#[from] RecordError),
    /// It gives a result against the rules.
    #[error(transparent)]
    Stated(#[from] StatedError),
    /// The series was over.
    #[error("the series ended when a player resigned game {0}")]
    AfterResigning(usize),
}

/// A game of a match.
#[derive(Debug)]
pub struct MatchGame<G: Game> {
    /// Which it is, from 1.
    pub number: usize,
    /// The line it begins on, from 1.
    pub line: usize,
    /// What could be played of it.
    pub replay: Replay<G>,
    /// Whether it is tagged as one of orthodox chess, in a match that has such.
    pub normal: bool,
    /// How it ended, if it did, and what it counts; or what is wrong with it.
    pub judged: Result<(Option<G::Ending>, Option<Played>), MatchGameError>,
}

/// Several games between some players.
#[derive(Debug)]
pub struct Contest<G: Game> {
    /// The games in their order.
    pub games: Vec<MatchGame<G>>,
    /// What they came to. A game with a mistake does not count.
    pub sum: Match,
}

impl<G: Study> Contest<G> {
    /// Judges each game and sums them.
    pub fn judge(game: &G, records: Vec<Record<G>>) -> Contest<G> {
        let numbered = (1..).zip(records);
        let games = numbered.map(|(number, record)| MatchGame::judge(game, number, record));
        let mut games: Vec<_> = games.collect();
        let sum = Match::sum(G::MATCH, games.iter().filter_map(MatchGame::played));
        if sum.resigned().is_some() {
            end_with_resigning(&mut games, sum.counted);
        }
        Contest { games, sum }
    }

    /// How it stood after those of its games that were played as orthodox chess, if others count
    /// too.
    pub fn after_normal_games(&self) -> Option<String> {
        let normal = self.games.iter().filter(|one| one.normal).filter_map(MatchGame::played);
        let normal = Match::sum(G::MATCH, normal);
        (1..self.sum.counted).contains(&normal.counted).then(|| sum_words(G::MATCH, &normal))
    }

    /// Who has won, in words.
    pub fn result(&self) -> String {
        sum_words(G::MATCH, &self.sum)
    }

    /// The players and what they have done.
    pub fn listing(&self) -> Listing {
        let counted = self.sum.counted;
        let mut listing = Listing::new(
            "players",
            format!("{counted} game{}:", if counted == 1 { "" } else { "s" }),
            ["player", "wins", "draws", "losses", "points", "points_against"],
        );
        for standing in &self.sum.standings {
            let points = |points| match G::MATCH {
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

    /// The match as JSON; with what turns throw away, game by game, if tables were asked. Mistakes
    /// are told in the words of `sentence`.
    pub fn object(
        &self,
        game: &G,
        losses: Option<&[Losses]>,
        sentence: impl Fn(&(dyn Error + 'static)) -> String,
    ) -> Map<String, Value> {
        let games = self.games.iter().enumerate().map(|(at, one)| {
            let losses = losses.map(|losses| &losses[at]);
            one.object(game, losses, &sentence)
        });
        let counts_points = G::MATCH != MatchRule::Wins;
        let standings = self.sum.standings.iter().map(|standing| {
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
        let members = [
            ("game", json!(G::NAME)),
            ("games", json!(games.collect::<Vec<_>>())),
            ("players", json!(standings.collect::<Vec<_>>())),
            ("after_normal_games", json!(self.after_normal_games())),
            ("match_winner", json!(self.sum.winner().map(|standing| &standing.player))),
            ("result", json!(self.result())),
        ];
        members.into_iter().map(|(name, value)| (name.to_owned(), value)).collect()
    }
}

/// Where resigning ends a match, games that come after it are mistakes: of those that would count,
/// the last that does is the one that was resigned.
fn end_with_resigning<G: Game>(games: &mut [MatchGame<G>], counted: usize) {
    let mut played = games.iter().filter(|one| one.played().is_some());
    let last = played.nth(counted - 1).map_or(games.len(), |one| one.number);
    for one in games.iter_mut().skip(last).filter(|one| one.judged.is_ok()) {
        one.judged = Err(MatchGameError::AfterResigning(last));
    }
}

impl<G: Game> MatchGame<G> {
    /// Which game it is, and where it begins: `game 2 (line 17)`.
    pub fn title(&self) -> String {
        format!("game {} (line {})", self.number, self.line)
    }

    /// What it counts, if it does.
    pub fn played(&self) -> Option<&Played> {
        self.judged.as_ref().ok().and_then(|(_, played)| played.as_ref())
    }
}

impl<G: Study> MatchGame<G> {
    /// Checks a game by itself.
    fn judge(game: &G, number: usize, record: Record<G>) -> MatchGame<G> {
        let Record { line, replay, error } = record;
        let variant = replay.tag("Variant");
        let orthodox = |variant| is_variant(variant, Orthodox::NAME, Orthodox::TITLE);
        let normal = variant.is_some_and(orthodox) && game.is_normal(&replay);
        let judge = || {
            if !normal {
                check_variant(G::NAME, G::TITLE, &replay.tags)?;
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
        MatchGame { number, line, replay, normal, judged }
    }

    /// How it ended, and whether it counts.
    pub fn result(&self, game: &G) -> String {
        match &self.judged {
            Ok((ending, played)) => {
                let words = record_result(game, &self.replay, ending.as_ref());
                if played.is_some() { words } else { format!("{words}; not counted") }
            }
            Err(_) => "not counted".to_owned(),
        }
    }

    fn object(
        &self,
        game: &G,
        losses: Option<&Losses>,
        sentence: &impl Fn(&(dyn Error + 'static)) -> String,
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
                members.extend(record_object(game, &self.replay, ending.as_ref(), losses));
            }
            Err(error) => {
                members.insert("error".to_owned(), json!(sentence(error)));
            }
        }
        members
    }
}

/// An error with its causes, as one sentence.
pub fn with_causes(error: &(dyn Error + 'static)) -> String {
    let causes = iter::successors(error.source(), |&cause| cause.source());
    causes.fold(error.to_string(), |sentence, cause| format!("{sentence}: {cause}"))
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
