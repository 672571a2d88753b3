//! A file of several games, judged one by one and summed as a match.

use std::{error::Error, iter};

use serde_json::{Map, Value, json};

use super::{
    Cell, Listing, Study, is_variant,
    json::object,
    record::{ForeignRecord, RecordText, check_options, check_variant},
};
use crate::{
    board::{ByColor, Color},
    probe::{ProbeError, Tablebase},
    rules::{
        Game, Match, MatchRule, Played, Record, RecordError, Standing, StatedError, Variant,
        check_results, played, players,
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
pub struct MatchGame {
    /// Which it is, from 1.
    pub number: usize,
    /// The line it begins on, from 1.
    pub line: usize,
    /// The players, by its tags.
    pub players: ByColor<String>,
    /// What could be played of it.
    pub record: RecordText,
    /// Whether it is tagged as one of orthodox chess, in a match that has such.
    pub normal: bool,
    /// What it counts, if it does; or what is wrong with it.
    pub judged: Result<Option<Played>, MatchGameError>,
}

/// Several games between some players.
#[derive(Debug)]
pub struct Contest {
    /// The name of the game: `high`.
    pub game: &'static str,
    /// What decides.
    pub rule: MatchRule,
    /// The games in their order.
    pub games: Vec<MatchGame>,
    /// What they came to. A game with a mistake does not count.
    pub sum: Match,
}

impl Contest {
    /// Judges each game and sums them; with what turns cost if that is to be looked up.
    ///
    /// # Errors
    /// As [`Losses::find`](super::Losses::find).
    pub fn judge<G: Study>(
        tables: &Tablebase<G>,
        records: Vec<Record<G>>,
        probe: bool,
    ) -> Result<Contest, ProbeError> {
        let mut games = Vec::new();
        for record in records {
            games.push(MatchGame::judge(tables, games.len() + 1, record, probe)?);
        }
        Ok(Contest::new(tables.game().name(), G::MATCH, games))
    }

    fn new(game: &'static str, rule: MatchRule, mut games: Vec<MatchGame>) -> Contest {
        let sum = Match::sum(rule, games.iter().filter_map(MatchGame::played));
        if sum.resigned().is_some() {
            end_with_resigning(&mut games, sum.counted);
        }
        Contest { game, rule, games, sum }
    }

    /// How it stood after those of its games that were played as orthodox chess, if others count
    /// too.
    pub fn after_normal_games(&self) -> Option<String> {
        let normal = self.games.iter().filter(|one| one.normal).filter_map(MatchGame::played);
        let normal = Match::sum(self.rule, normal);
        (1..self.sum.counted).contains(&normal.counted).then(|| sum_words(self.rule, &normal))
    }

    /// Who has won, in words.
    pub fn result(&self) -> String {
        sum_words(self.rule, &self.sum)
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
            let points = |points| match self.rule {
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

    /// The match as JSON. Mistakes are told in the words of `sentence`.
    pub fn object(
        &self,
        sentence: &dyn Fn(&(dyn Error + 'static)) -> String,
    ) -> Map<String, Value> {
        let games = self.games.iter().map(|one| one.object(sentence));
        let counts_points = self.rule != MatchRule::Wins;
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
        object([
            ("game", self.game.into()),
            ("games", json!(games.collect::<Vec<_>>())),
            ("players", json!(standings.collect::<Vec<_>>())),
            ("after_normal_games", json!(self.after_normal_games())),
            ("match_winner", json!(self.sum.winner().map(|standing| &standing.player))),
            ("result", json!(self.result())),
        ])
    }
}

/// Where resigning ends a match, games that come after it are mistakes: of those that would count,
/// the last that does is the one that was resigned.
fn end_with_resigning(games: &mut [MatchGame], counted: usize) {
    let mut played = games.iter().filter(|one| one.played().is_some());
    let last = played.nth(counted - 1).map_or(games.len(), |one| one.number);
    for one in games.iter_mut().skip(last).filter(|one| one.judged.is_ok()) {
        one.judged = Err(MatchGameError::AfterResigning(last));
    }
}

impl MatchGame {
    /// Which game it is, and where it begins: `game 2 (line 17)`.
    pub fn title(&self) -> String {
        format!("game {} (line {})", self.number, self.line)
    }

    /// What it counts, if it does.
    pub fn played(&self) -> Option<&Played> {
        self.judged.as_ref().ok().and_then(Option::as_ref)
    }

    /// Checks a game by itself.
    fn judge<G: Study>(
        tables: &Tablebase<G>,
        number: usize,
        record: Record<G>,
        probe: bool,
    ) -> Result<MatchGame, ProbeError> {
        let (game, Record { line, replay, error }) = (tables.game(), record);
        let ending = if error.is_none() { game.result(&replay) } else { None };
        let ending = ending.as_ref();
        let variant = replay.tag("Variant");
        let orthodox = Variant::orthodox();
        let orthodox = |variant| is_variant(variant, orthodox.name(), orthodox.title());
        let normal = variant.is_some_and(orthodox) && game.is_normal(&replay);
        let judge = || {
            if !normal {
                check_variant(game.name(), game.title(), &replay.tags)?;
            }
            check_options(game, &replay.tags)?;
            if let Some(error) = error {
                return Err(error.into());
            }
            check_results(&replay, ending)?;
            Ok(played(game, &replay, ending))
        };
        let (judged, players) = (judge(), players(&replay.tags));
        let record = RecordText::new(tables, &replay, ending, probe)?;
        Ok(MatchGame { number, line, players, record, normal, judged })
    }

    /// How it ended, and whether it counts.
    pub fn result(&self) -> String {
        match &self.judged {
            Ok(Some(_)) => self.record.result.clone(),
            Ok(None) => format!("{}; not counted", self.record.result),
            Err(_) => "not counted".to_owned(),
        }
    }

    fn object(&self, sentence: &dyn Fn(&(dyn Error + 'static)) -> String) -> Map<String, Value> {
        let ByColor { white, black } = &self.players;
        let mut members =
            object([("line", json!(self.line)), ("white", json!(white)), ("black", json!(black))]);
        match &self.judged {
            Ok(played) => {
                let points = |color| played.as_ref()?.points.map(|points| points[color]);
                members.extend(object([
                    ("normal", json!(self.normal)),
                    ("counted", json!(played.is_some())),
                    ("white_points", json!(points(Color::White))),
                    ("black_points", json!(points(Color::Black))),
                ]));
                members.extend(self.record.object());
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
