//! What the turns of a record cost, by the tables.

use std::iter;

use super::{Study, ply::plies};
use crate::{
    answer::Plies,
    board::Color,
    probe::{ProbeError, Tablebase},
    rules::Replay,
};

/// What a turn cost that best play would have kept.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Loss {
    /// Another side wins than before, or nobody: `before: White wins; now: drawn`.
    Result(String),
    /// The same comes of it, by fewer points.
    Points(String),
    /// So many plies: a win is as much farther away, or a loss nearer.
    Plies(u16),
}

impl Loss {
    /// The sign beside the turn: `??`, `?`, or `?!`.
    pub fn sign(&self) -> &'static str {
        match self {
            Loss::Result(_) => "??",
            Loss::Points(_) => "?",
            Loss::Plies(_) => "?!",
        }
    }

    /// The same as a numeric annotation glyph of PGN: 4, 2, or 6.
    pub fn glyph(&self) -> u8 {
        match self {
            Loss::Result(_) => 4,
            Loss::Points(_) => 2,
            Loss::Plies(_) => 6,
        }
    }

    /// The result or the points that were thrown away, in words; `None` if only plies were.
    pub fn thrown_away(&self) -> Option<&str> {
        match self {
            Loss::Result(words) | Loss::Points(words) => Some(words),
            Loss::Plies(_) => None,
        }
    }

    /// The plies, if that is all that was lost.
    pub fn plies(&self) -> Option<u16> {
        match *self {
            Loss::Plies(plies) => Some(plies),
            _ => None,
        }
    }

    /// All of it in words.
    pub fn words(&self) -> String {
        match self {
            Loss::Result(words) | Loss::Points(words) => words.clone(),
            Loss::Plies(number) => format!("{} lost", plies(*number)),
        }
    }
}

/// What tables say of the turns of a record.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Losses {
    /// What each turn cost, if it cost anything.
    pub turns: Vec<Option<Loss>>,
    /// Whether the tables at hand cover a position in which somebody moved.
    pub covered: bool,
}

impl Losses {
    /// Looks up each position of a record once. Those that no table at hand covers are passed
    /// over.
    ///
    /// # Errors
    /// If a table is damaged, or of other options.
    pub fn find<G: Study>(tables: &Tablebase<G>, replay: &Replay<G>) -> Result<Losses, ProbeError> {
        let positions = iter::once(&replay.start).chain(replay.plies.iter().map(|ply| &ply.after));
        let worths: Result<Vec<_>, _> = positions.map(|at| Worth::of(tables, at)).collect();
        Ok(Losses::between(&worths?))
    }

    /// What is lost between positions that are worth so much, as far as that is known.
    fn between(worths: &[Option<Worth>]) -> Losses {
        let lost = |around: &[Option<Worth>]| match around {
            [Some(before), Some(after)] => before.lost(after),
            _ => None,
        };
        let covered = worths[..worths.len() - 1].iter().any(Option::is_some);
        Losses { turns: worths.windows(2).map(lost).collect(), covered }
    }
}

/// What a position is worth.
struct Worth {
    to_move: Color,
    words: String,
    /// By how much White comes out ahead.
    value: i64,
    plies_to_win: Option<Plies>,
}

impl Worth {
    /// What best play makes of a position, if tables at hand cover it.
    fn of<G: Study>(
        tables: &Tablebase<G>,
        position: &G::Position,
    ) -> Result<Option<Worth>, ProbeError> {
        let game = tables.game();
        match tables.answer(position) {
            Ok(answer) => Ok(Some(Worth {
                to_move: game.to_move(position),
                words: game.result_words(position, &answer),
                value: game.value(position, &answer),
                plies_to_win: game.plies_to_win(position, &answer),
            })),
            Err(ProbeError::Unanswerable(_)) => Ok(None),
            Err(error) if error.missing().is_some() => Ok(None),
            Err(error) => Err(error),
        }
    }

    /// What a turn cost after which a position is worth that.
    fn lost(&self, after: &Worth) -> Option<Loss> {
        if self.value != after.value {
            let words = format!("before: {}; now: {}", self.words, after.words);
            return Some(match self.value.signum() == after.value.signum() {
                true => Loss::Points(words),
                false => Loss::Result(words),
            });
        }
        let (best, played) = (self.plies_to_win?, after.plies_to_win?.later());
        let wins = (self.value > 0) == (self.to_move == Color::White);
        let lost = match wins {
            true => played.0.checked_sub(best.0),
            false => best.0.checked_sub(played.0),
        };
        lost.filter(|&plies| plies > 0).map(Loss::Plies)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn worth(to_move: Color, value: i64, plies: Option<u16>) -> Option<Worth> {
        Some(Worth { to_move, words: format!("by {value}"), value, plies_to_win: plies.map(Plies) })
    }

    #[test]
    fn results_weigh_more_than_points_and_points_more_than_plies() {
        let (white, black) = (Color::White, Color::Black);
        let words = |text: &str| text.to_owned();
        for (before, after, lost) in [
            (
                worth(white, 1, None),
                worth(black, 0, None),
                Some(Loss::Result(words("before: by 1; now: by 0"))),
            ),
            (
                worth(black, -5, None),
                worth(white, -2, None),
                Some(Loss::Points(words("before: by -5; now: by -2"))),
            ),
            (worth(white, 1, Some(9)), worth(black, 1, Some(8)), None),
            (worth(white, 1, Some(9)), worth(black, 1, Some(12)), Some(Loss::Plies(4))),
            (worth(black, 1, Some(8)), worth(white, 1, Some(7)), None),
            (worth(black, 1, Some(8)), worth(white, 1, Some(1)), Some(Loss::Plies(6))),
            (worth(black, -1, Some(7)), worth(white, -1, Some(8)), Some(Loss::Plies(2))),
            (worth(white, 1, Some(9)), worth(black, 1, None), None),
            (worth(white, 0, None), worth(black, 0, None), None),
            (worth(white, 1, Some(9)), None, None),
        ] {
            let found = Losses::between(&[before, after]);
            assert_eq!(found, Losses { turns: vec![lost], covered: true });
        }
        assert!(!Losses::between(&[None, worth(white, 1, None)]).covered);
    }
}
