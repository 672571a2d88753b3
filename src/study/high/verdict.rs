//! Who wins a position of High Chess, and how.

use crate::{
    answer::{Distance, HighAnswer, Plies},
    board::Color,
    rules::{Ending, Game, High, HighEnding, HighPosition},
    study::variant::{mates_in, moves},
};

/// The winner of a position and how it wins, or why the game is over.
pub struct Verdict {
    /// Who wins.
    pub winner: Color,
    /// How far the end is, if it is known.
    pub distance: Option<Distance>,
    /// Whether the game ends, or ended, by mate; `None` if it is not known.
    pub by_mate: Option<bool>,
    /// The least vitality the winner needs; `None` if the game is over.
    pub least: Option<u8>,
}

impl Verdict {
    /// That of a position, which the tables answer like this.
    pub fn new(game: &High, position: &HighPosition, answer: &HighAnswer) -> Verdict {
        let by_mate = |ending| matches!(ending, HighEnding::Checkmate { .. });
        let ended = game.ending(position).and_then(|ending| Some((ending, ending.winner()?)));
        if let Some((ending, winner)) = ended {
            let distance = Some(Distance { winner, plies: Plies::ZERO });
            return Verdict { winner, distance, by_mate: Some(by_mate(ending)), least: None };
        }
        let distance = answer.distances.as_ref().map(|d| d.at(position.vitality));
        Verdict {
            winner: answer.staircase.winner(position.vitality),
            distance,
            by_mate: distance.map(|distance| by_mate(distance.ending(position.setup.to_move))),
            least: Some(answer.staircase.least(position.vitality)),
        }
    }

    /// How much vitality the winner has beyond that.
    pub fn slack(&self, position: &HighPosition) -> Option<u8> {
        Some(position.vitality[self.winner] - self.least?)
    }

    /// The plies in which the winner can force mate, passing allowed and vitality aside.
    pub fn mate(&self, position: &HighPosition, answer: &HighAnswer) -> Option<Plies> {
        let mates = answer.mating_side(position.setup.to_move) == Some(self.winner);
        answer.mate.dtm.filter(|_| mates)
    }

    /// When and how the game ends by best play, if it is known: `in 34 moves (67 plies) by mate`.
    pub fn end(&self) -> Option<String> {
        let by = if self.by_mate? { "mate" } else { "exhaustion" };
        Some(format!("in {} by {by}", moves(self.distance?.plies)))
    }

    /// How the winner wins without distances, as a sentence goes on after `White wins, `.
    pub fn way(&self, position: &HighPosition, answer: &HighAnswer) -> String {
        let vitality = u16::from(position.vitality[self.winner]);
        match self.mate(position, answer) {
            Some(plies) if vitality >= plies.moves() => mates_in(plies),
            Some(plies) => format!("{} if it can afford it", mates_in(plies)),
            None => "by exhaustion".to_owned(),
        }
    }
}
