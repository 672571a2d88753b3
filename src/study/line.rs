//! Best play, turn by turn.

use super::{
    Study,
    ply::{LinePly, TurnText},
};
use crate::{
    board::Color,
    probe::{ProbeError, Tablebase},
};

/// Why a line stops.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum LineEnd {
    /// The game is over.
    Over,
    /// The last position has occurred before, after that many plies of the line.
    Repeats {
        /// How many plies had been played then.
        since: usize,
    },
    /// As many plies as were asked for.
    Cut,
}

/// Best play from a position.
#[derive(Clone, PartialEq, Debug)]
pub struct Line<G: Study> {
    /// Where it starts.
    pub start: G::Position,
    /// The turns.
    pub plies: Vec<LinePly<G>>,
    /// Why it stops.
    pub end: LineEnd,
}

/// Best play of both sides from a position, at most `limit` plies.
///
/// # Errors
/// If a table on the way is missing or damaged.
pub fn best_line<G: Study>(
    tables: &Tablebase<G>,
    start: &G::Position,
    limit: usize,
) -> Result<Line<G>, ProbeError> {
    let game = tables.game();
    let mut line = Line { start: start.clone(), plies: Vec::new(), end: LineEnd::Cut };
    let mut position = start.clone();
    let mut met = vec![game.identity(&position)];
    while line.plies.len() < limit {
        let Some(best) = tables.ranked(&position)?.into_iter().next() else {
            line.end = LineEnd::Over;
            return Ok(line);
        };
        let ply = LinePly {
            before: position,
            turn: best.turn,
            after: best.after.clone(),
            answer: best.answer,
        };
        line.plies.push(ply);
        position = best.after;
        let identity = game.identity(&position);
        if let Some(since) = met.iter().position(|earlier| *earlier == identity) {
            line.end = LineEnd::Repeats { since };
            return Ok(line);
        }
        met.push(identity);
    }
    if game.turns(&position).is_empty() {
        line.end = LineEnd::Over;
    }
    Ok(line)
}

impl<G: Study> Line<G> {
    /// The position after the last turn.
    pub fn last(&self) -> &G::Position {
        self.plies.last().map_or(&self.start, |ply| &ply.after)
    }

    /// The turns as they are read.
    pub fn turns(&self, game: &G) -> Vec<TurnText> {
        let text = |ply: &LinePly<G>| TurnText::new(game, &ply.before, ply.turn, &ply.after);
        self.plies.iter().map(text).collect()
    }

    /// How the line ends, in words.
    pub fn end_words(&self, game: &G) -> String {
        match (self.end, game.ending(self.last())) {
            (_, Some(ending)) => ending.to_string(),
            (LineEnd::Repeats { since }, None) => {
                repeats(since, &game.endless(&self.plies[since..]))
            }
            (_, None) => format!("cut after {}", turns(self.plies.len())),
        }
    }
}

/// That a line comes back to where it was, which makes that of a game.
fn repeats(since: usize, endless: &str) -> String {
    format!("the position after {} comes again: {endless}", turns(since))
}

/// `1 turn`, `12 turns`.
fn turns(number: usize) -> String {
    format!("{number} turn{}", if number == 1 { "" } else { "s" })
}

/// Numbers turns as move lists do, from the number in the first position's FEN on, or 1.
#[derive(Clone, Debug)]
pub struct MoveNumbers(u64);

impl MoveNumbers {
    /// The numbers of a game from this position on.
    pub fn from_fen(fen: &str) -> MoveNumbers {
        MoveNumbers(fen.rsplit(' ').next().and_then(|field| field.parse().ok()).unwrap_or(1))
    }

    /// The label of the next turn: `12.` if White moves, `12...` if Black does.
    pub fn label(&mut self, mover: Color) -> String {
        let number = self.0;
        match mover {
            Color::White => format!("{number}."),
            Color::Black => {
                self.0 += 1;
                format!("{number}...")
            }
        }
    }
}
