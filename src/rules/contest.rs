//! Matches: several games between some players, and who has won them together.

use super::game::{Ending, Game, MatchRule, Replay, Stated, tag};
use crate::board::{ByColor, Color};

/// A finished game of a match.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Played {
    /// The players.
    pub players: ByColor<String>,
    /// Who has won; nobody in a draw.
    pub winner: Option<Color>,
    /// The points of both, in games that count them.
    pub points: Option<ByColor<i64>>,
    /// Who has resigned, if that ended the game and the game has a rule about it.
    pub resigned: Option<Color>,
}

/// What a player has done in a match.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Standing {
    /// The player.
    pub player: String,
    /// How many games were won.
    pub wins: u64,
    /// How many were drawn.
    pub draws: u64,
    /// How many were lost.
    pub losses: u64,
    /// The sum of the points scored.
    pub points: i64,
    /// The sum of the points that the opponents scored.
    pub points_against: i64,
    /// Whether the player has resigned a game, where that loses the match.
    pub resigned: bool,
}

impl Standing {
    /// Wins and half of the draws, doubled.
    pub fn doubled_score(&self) -> u64 {
        2 * self.wins + self.draws
    }

    /// The points scored less those of the opponents.
    pub fn difference(&self) -> i64 {
        self.points - self.points_against
    }
}

/// A match.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Match {
    /// The players, the best first; of equals, who comes first in the games.
    pub standings: Vec<Standing>,
    /// How many games count: all, unless one of them has ended the match.
    pub counted: usize,
    /// Whether the first is better than all others.
    pub is_won: bool,
}

/// The players of a record with these tags, or else their colours.
pub fn players(tags: &[(String, String)]) -> ByColor<String> {
    let named = ByColor::new(|color| {
        let name = tag(tags, &color.to_string()).map_or("", str::trim);
        if name.is_empty() || name == "?" { color.to_string() } else { name.to_owned() }
    });
    if named.white == named.black { ByColor::new(|color| color.to_string()) } else { named }
}

/// A record as a game of a match, if it has ended: by the rules, or by what it says itself.
pub fn played<G: Game>(game: &G, replay: &Replay<G>, ending: Option<&G::Ending>) -> Option<Played> {
    let winner = match (ending, replay.said()) {
        (Some(ending), _) => ending.winner(),
        (None, Some(Stated::Won(winner))) => Some(winner),
        (None, Some(Stated::Drawn)) => None,
        (None, None) => return None,
    };
    let (players, points) = (players(&replay.tags), game.points(replay));
    Some(Played { players, winner, points, resigned: ending.and_then(Ending::resigned) })
}

impl Match {
    /// Sums games in the order in which they were played.
    pub fn sum<'p>(rule: MatchRule, games: impl IntoIterator<Item = &'p Played>) -> Match {
        let mut standings: Vec<Standing> = Vec::new();
        let (mut counted, mut ended) = (0, false);
        for game in games {
            if ended {
                break;
            }
            counted += 1;
            for color in Color::ALL {
                let points = |color| game.points.map_or(0, |points| points[color]);
                let standing = standing(&mut standings, &game.players[color]);
                standing.points += points(color);
                standing.points_against += points(!color);
                *match game.winner {
                    None => &mut standing.draws,
                    Some(winner) if winner == color => &mut standing.wins,
                    Some(_) => &mut standing.losses,
                } += 1;
                if rule == MatchRule::PointsUnlessResigned && game.resigned == Some(color) {
                    (standing.resigned, ended) = (true, true);
                }
            }
        }
        let key = |standing: &Standing| match rule {
            MatchRule::Wins => (true, standing.doubled_score() as i64, 0),
            MatchRule::WinsThenPoints => {
                (true, standing.doubled_score() as i64, standing.difference())
            }
            MatchRule::Points => (true, standing.points, 0),
            MatchRule::PointsUnlessResigned => (!standing.resigned, standing.points, 0),
        };
        standings.sort_by_key(|standing| std::cmp::Reverse(key(standing)));
        let is_won = match &standings[..] {
            [] => false,
            [_] => true,
            [first, second, ..] => key(first) > key(second),
        };
        Match { standings, counted, is_won }
    }

    /// Who has won, if anybody is better than all others.
    pub fn winner(&self) -> Option<&Standing> {
        self.standings.first().filter(|_| self.is_won)
    }

    /// Who has resigned, and so lost whatever the points.
    pub fn resigned(&self) -> Option<&Standing> {
        self.standings.iter().find(|standing| standing.resigned)
    }
}

/// The standing of a player, new if there is none yet.
fn standing<'s>(standings: &'s mut Vec<Standing>, player: &str) -> &'s mut Standing {
    let at = standings.iter().position(|standing| standing.player == player);
    let at = at.unwrap_or_else(|| {
        let player = player.to_owned();
        let (wins, draws, losses, points, points_against) = (0, 0, 0, 0, 0);
        let resigned = false;
        standings.push(Standing { player, wins, draws, losses, points, points_against, resigned });
        standings.len() - 1
    });
    &mut standings[at]
}

#[cfg(test)]
mod tests {
    use super::*;

    fn game(white: &str, black: &str, winner: Option<Color>, points: [i64; 2]) -> Played {
        let players = [white.to_owned(), black.to_owned()].into();
        Played { players, winner, points: Some(points.into()), resigned: None }
    }

    fn told(rule: MatchRule, games: &[Played]) -> String {
        let sum = Match::sum(rule, games);
        let rows = sum.standings.iter().map(|s| {
            let (score, points, against) = (s.doubled_score(), s.points, s.points_against);
            format!("{} {score} {points}-{against}", s.player)
        });
        let rows: Vec<String> = rows.collect();
        format!("{}: {}", sum.winner().map_or("nobody", |s| &s.player), rows.join(", "))
    }

    #[test]
    fn what_counts_decides() {
        let (white, black) = (Some(Color::White), Some(Color::Black));
        // Anna wins one, Ben one, and the third is drawn.
        let mut games = vec![
            game("Anna", "Ben", white, [30, 20]),
            game("Ben", "Anna", white, [38, 33]),
            game("Anna", "Ben", None, [10, 10]),
        ];
        assert_eq!(told(MatchRule::Wins, &games), "nobody: Anna 3 73-68, Ben 3 68-73");
        assert_eq!(told(MatchRule::WinsThenPoints, &games), "Anna: Anna 3 73-68, Ben 3 68-73");
        assert_eq!(told(MatchRule::Points, &games), "Anna: Anna 3 73-68, Ben 3 68-73");
        games.push(game("Ben", "Anna", black, [10, 5]));
        assert_eq!(told(MatchRule::Points, &games), "nobody: Anna 5 78-78, Ben 3 78-78");
        assert_eq!(told(MatchRule::Wins, &games), "Anna: Anna 5 78-78, Ben 3 78-78");
        // A third player, who is worse than both by wins.
        games.push(game("Carl", "Ben", black, [0, 1]));
        assert_eq!(
            told(MatchRule::WinsThenPoints, &games),
            "Ben: Ben 5 79-78, Anna 5 78-78, Carl 0 0-1"
        );
        assert_eq!(told(MatchRule::Points, &[]), "nobody: ");
    }

    #[test]
    fn who_resigns_loses_a_series_and_ends_it() {
        let white = Some(Color::White);
        let resigned = Some(Color::Black);
        let games = [
            Played { resigned, ..game("Anna", "Ben", white, [0, 90]) },
            game("Ben", "Anna", white, [50, 0]),
        ];
        let expected = "Anna: Anna 2 0-90, Ben 0 90-0";
        assert_eq!(told(MatchRule::PointsUnlessResigned, &games), expected);
        assert_eq!(Match::sum(MatchRule::PointsUnlessResigned, &games).counted, 1);
        assert_eq!(told(MatchRule::Points, &games), "Ben: Ben 2 140-0, Anna 2 0-140");
    }
}
