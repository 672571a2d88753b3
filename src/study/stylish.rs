//! What students of Stylish ask: the margin and how it comes about, and where style pays.

mod story;
mod survey;

use serde_json::{Map, Value, json};

use super::{
    Bin, LineEnd, LinePly, Remark, Report, Scope, Study, best_line, ply,
    values::{Field, Kind, Row, SIDES},
    variant::legal_in_passing,
};
use crate::{
    answer::{Plies, StylishAnswer},
    board::{ByColor, Color, Square},
    index::Material,
    probe::{ProbeError, Tablebase},
    progress::Progress,
    rules::{Game, Laws, Move, Stylish, StylishPosition},
};

/// The most plies looked along best play for what it scores.
const LONGEST_LINE: usize = 2000;

/// What tables of results alone leave open.
const NOT_TOLD: &str =
    "The table does not tell when the next capture or promotion, or the end, comes.";

impl Study for Stylish {
    fn title(&self) -> &'static str {
        "Stylish victory or stylish fail"
    }

    fn primer(&self) -> String {
        include_str!("primers/stylish.txt").to_owned()
    }

    fn fields(&self, position: &StylishPosition, answer: &StylishAnswer) -> Map<String, Value> {
        [
            ("margin".to_owned(), json!(answer.margin)),
            ("distance".to_owned(), json!(answer.distance)),
            ("to_gain".to_owned(), json!(answer.margin - Stylish::margin_so_far(position))),
        ]
        .into_iter()
        .collect()
    }

    fn columns(&self) -> Vec<Field> {
        let distance = Field::optional("distance", Kind::I32);
        vec![Field::new("margin", Kind::I64), distance, Field::new("to_gain", Kind::I64)]
    }

    fn fill(&self, position: &StylishPosition, answer: &StylishAnswer, row: &mut Row<'_>) {
        row.integer(answer.margin);
        row.perhaps(answer.distance.map(|plies| plies.0));
        row.integer(answer.margin - Stylish::margin_so_far(position));
    }

    /// Who captured last, where that matters.
    fn mode_columns(&self) -> Vec<Field> {
        vec![Field::optional("last_capture", SIDES)]
    }

    fn fill_mode(&self, position: &StylishPosition, row: &mut Row<'_>) {
        row.side(position.last_capture);
    }

    fn in_passing(&self, position: &StylishPosition) -> Vec<(Square, StylishPosition)> {
        let setups = legal_in_passing(&position.setup, &Laws::ORTHODOX).into_iter();
        setups.map(|(square, setup)| (square, StylishPosition { setup, ..*position })).collect()
    }

    fn turn_fields(&self, position: &StylishPosition, mv: Move) -> Map<String, Value> {
        let awards = self.awards(position, mv);
        let scores: i32 = awards.iter().map(|award| award.points).sum();
        let reasons: Vec<String> = awards.iter().map(ToString::to_string).collect();
        [("scores".to_owned(), json!(scores)), ("reasons".to_owned(), json!(reasons))]
            .into_iter()
            .collect()
    }

    fn words(&self, position: &StylishPosition, answer: &StylishAnswer) -> Vec<String> {
        if let Some(ending) = self.ending(position) {
            return vec![format!("{ending}.")];
        }
        let mut words = vec![match ahead(answer.margin) {
            Some(side) => {
                format!("{side} comes out ahead: margin {}.", answer.margin)
            }
            None => "Both come out level: margin 0.".to_owned(),
        }];
        let so_far = Stylish::margin_so_far(position);
        if so_far != 0 {
            let to_gain = answer.margin - so_far;
            words.push(format!("So far it is {so_far}; {to_gain} is still to come."));
        }
        words.push(match answer.distance {
            Some(plies) => {
                format!("The next capture or promotion, or the end, comes {}.", within(plies))
            }
            None if answer.lacks_distance(self, position) => NOT_TOLD.to_owned(),
            None => "That is what a draw with these men is worth.".to_owned(),
        });
        words
    }

    /// The words, and what scores along best play.
    fn explanation(
        &self,
        tables: &Tablebase<Stylish>,
        position: &StylishPosition,
        answer: &StylishAnswer,
    ) -> Result<Vec<String>, ProbeError> {
        let mut words = self.words(position, answer);
        if self.ending(position).is_some() || answer.lacks_distance(self, position) {
            // Without distances a line keeps the margin, but may never come to it.
            return Ok(words);
        }
        let line = best_line(tables, position, LONGEST_LINE)?;
        words.push("How it comes about:".to_owned());
        for (ply, played) in (1..).zip(&line.plies) {
            if let Some(comment) = self.comment(&played.before, played.turn, &played.after) {
                let san = self.san(&played.before, played.turn);
                let mover = played.before.setup.to_move;
                words.push(format!("  ply {ply}, {mover} {san}: {comment}"));
            }
        }
        let last = line.plies.last().map_or(position, |ply| &ply.after);
        if line.end != LineEnd::Over && is_unknown(self, &line.plies) {
            words.push(format!("  then {UNKNOWN_WAY}"));
        } else if line.end != LineEnd::Over {
            let draw = self.sheet.draw_award(&last.setup.board, last.last_capture);
            let draw =
                draw.map_or("nobody scores".to_owned(), |(side, award)| format!("{side}: {award}"));
            words.push(format!("  then play goes on for ever, a draw: {draw}"));
        }
        Ok(words)
    }

    fn value(&self, _: &StylishPosition, answer: &StylishAnswer) -> i64 {
        answer.margin
    }

    fn result_words(&self, _: &StylishPosition, answer: &StylishAnswer) -> String {
        format!("margin {}", answer.margin)
    }

    fn brief(&self, position: &StylishPosition, answer: &StylishAnswer) -> String {
        if let Some(ending) = self.ending(position) {
            return ending.to_string();
        }
        let margin = answer.margin;
        match answer.distance {
            Some(plies) => format!("margin {margin}, changes {}", within(plies)),
            None if answer.lacks_distance(self, position) => self.result_words(position, answer),
            None => format!("margin {margin}, as a draw"),
        }
    }

    /// What the turn scores and what it leaves.
    fn turn_words(
        &self,
        position: &StylishPosition,
        mv: Move,
        after: &StylishPosition,
        answer: &StylishAnswer,
    ) -> String {
        let awards = self.awards(position, mv);
        let scores: i32 = awards.iter().map(|award| award.points).sum();
        let to_gain = answer.margin - Stylish::margin_so_far(after);
        let reasons: Vec<String> = awards.iter().map(ToString::to_string).collect();
        let why =
            if reasons.is_empty() { String::new() } else { format!("  ({})", reasons.join(", ")) };
        format!("scores {scores:>3}, leaves {to_gain:>4}: {}{why}", self.brief(after, answer))
    }

    fn endless(&self, plies: &[LinePly<Stylish>]) -> String {
        match is_unknown(self, plies) {
            true => UNKNOWN_WAY.to_owned(),
            false => "play goes on for ever".to_owned(),
        }
    }

    fn standing(&self, position: &StylishPosition) -> Option<String> {
        let ByColor { white, black } = position.points;
        let margin = Stylish::margin_so_far(position);
        Some(format!("points {white} to {black}, margin {margin} so far"))
    }

    fn bin(&self, position: &StylishPosition, answer: &StylishAnswer) -> Option<Bin> {
        let to_gain = answer.margin - Stylish::margin_so_far(position);
        Some(Bin { group: "margin", number: to_gain })
    }

    fn scope(&self, _: &Material) -> Scope {
        Scope { query: Some("last_capture = none"), when: None, by_points: true }
    }

    fn remarks(&self, report: &Report) -> Vec<Remark> {
        story::remarks(report)
    }

    fn statistics(
        &self,
        tables: &Tablebase<Stylish>,
        material: &Material,
        progress: &dyn Progress,
    ) -> Result<Report, ProbeError> {
        survey::report(tables, material, progress)
    }
}

/// Why a line of play that tables of results give goes on as it does.
const UNKNOWN_WAY: &str = "the tables tell the margin, but not on which way";

/// Whether the tables do not tell how some turns come to the margin.
fn is_unknown(game: &Stylish, plies: &[LinePly<Stylish>]) -> bool {
    plies.iter().any(|ply| ply.answer.lacks_distance(game, &ply.after))
}

/// Who is ahead by a margin, if anybody is.
fn ahead(margin: i64) -> Option<Color> {
    match margin {
        1.. => Some(Color::White),
        0 => None,
        _ => Some(Color::Black),
    }
}

/// `in 1 ply`, `in 97 plies`.
fn within(plies: Plies) -> String {
    format!("in {}", ply::plies(plies.0))
}
