//! What students of Norochess ask: who wins at a score, by how many points it could differ, what the
//! last move is worth to Black, and by how many points the game ends.

mod story;

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Map, Value, json};

use super::{
    Cell, Listing, Remark, Report, Scope, Study,
    json::object,
    ply::plies,
    tally::{Tally, merge_each},
    values::{Field, Kind, Row},
    variant::value_of,
};
use crate::{
    answer::{Bound, Finish, NoroAnswer, Thresholds},
    board::{ByColor, Color, Square},
    index::Material,
    probe::{ProbeError, Tablebase},
    progress::Progress,
    rules::{Game, Noro, NoroPosition, Setup},
};

fn bound(bound: Bound) -> Value {
    match bound {
        Bound::From(least) => json!(least),
        endless => json!(endless.to_string()),
    }
}

/// A bound as a number, which may be infinite.
fn bound_number(bound: Bound) -> f32 {
    match bound {
        Bound::Always => f32::NEG_INFINITY,
        Bound::From(least) => least as f32,
        Bound::Never => f32::INFINITY,
    }
}

impl Study for Noro {
    fn title(&self) -> &'static str {
        "Norochess"
    }

    fn primer(&self) -> String {
        include_str!("primers/noro.txt").to_owned()
    }

    fn fields(&self, position: &NoroPosition, answer: &NoroAnswer) -> Map<String, Value> {
        let thresholds = answer.thresholds();
        let difference = position.difference();
        [
            ("result".to_owned(), json!(thresholds.winner(difference).map_or("draw", Color::name))),
            ("win_at".to_owned(), bound(thresholds.win_at)),
            ("draw_at".to_owned(), bound(thresholds.draw_at)),
            ("slack".to_owned(), json!(thresholds.slack(difference))),
            ("plies_left".to_owned(), json!(self.remaining(&position.setup))),
            ("margin".to_owned(), json!(answer.finish(difference).map(|finish| finish.margin))),
        ]
        .into_iter()
        .collect()
    }

    fn columns(&self) -> Vec<Field> {
        vec![
            Field::new("result", Kind::Words(&["white", "draw", "black"])),
            Field::new("win_at", Kind::F32),
            Field::new("draw_at", Kind::F32),
            Field::optional("slack", Kind::I32),
            Field::new("plies_left", Kind::I32),
            // Below 0 if Black comes out ahead.
            Field::optional("margin", Kind::F32),
        ]
    }

    fn fill(&self, position: &NoroPosition, answer: &NoroAnswer, row: &mut Row<'_>) {
        let (thresholds, difference) = (answer.thresholds(), position.difference());
        row.word(Some(match thresholds.winner(difference) {
            Some(Color::White) => 0,
            None => 1,
            Some(Color::Black) => 2,
        }));
        row.number(bound_number(thresholds.win_at));
        row.number(bound_number(thresholds.draw_at));
        row.perhaps(thresholds.slack(difference));
        row.integer(self.remaining(&position.setup));
        row.perhaps_number(answer.finish(difference).map(|finish| finish.margin as f32));
    }

    fn in_passing(&self, position: &NoroPosition) -> Vec<(Square, NoroPosition)> {
        let setups = position.setup.passing_variants(&Noro::LAWS).into_iter();
        // Before the first turn no pawn has moved.
        let later = |setup: Setup| Setup { fullmove: 2, ..setup };
        let at = |setup: Setup| {
            Some((setup.en_passant?, NoroPosition { setup: later(setup), ..*position }))
        };
        setups.filter_map(at).collect()
    }

    /// The thresholds along the clock, for each number of plies to go with this side to move, and the
    /// margin at the score as it is, if the table tells it.
    fn chart_fields(&self, position: &NoroPosition, answer: &NoroAnswer) -> Map<String, Value> {
        let margin = |remaining| Some(answer.finish_at(remaining, position.difference())?.margin);
        let along: Vec<Value> = (0..=self.moves.plies())
            .filter_map(|remaining| Some((remaining, answer.at(remaining)?)))
            .map(|(remaining, thresholds)| {
                let mut point = object([
                    ("plies_left", json!(remaining)),
                    ("win_at", bound(thresholds.win_at)),
                    ("draw_at", bound(thresholds.draw_at)),
                ]);
                point.extend(margin(remaining).map(|margin| ("margin".to_owned(), json!(margin))));
                Value::Object(point)
            })
            .collect();
        [("along".to_owned(), Value::Array(along))].into_iter().collect()
    }

    fn words(&self, position: &NoroPosition, answer: &NoroAnswer) -> Vec<String> {
        if let Some(ending) = self.ending(position) {
            return vec![format!("{ending}.")];
        }
        let thresholds = answer.thresholds();
        let difference = position.difference();
        let remaining = self.remaining(&position.setup);
        let ByColor { white, black } = position.points;
        let result = match thresholds.winner(difference) {
            Some(winner) => format!("{winner} wins"),
            None => "Drawn".to_owned(),
        };
        let plies = plies(remaining);
        let mut words = vec![
            format!("{result} at {white}-{black} with at most {plies} to go."),
            margin(thresholds, difference),
        ];
        let finish = answer.finish(difference).and_then(finish_words);
        words.extend(finish.map(|finish| format!("{finish}: neither side can do better.")));
        words
    }

    fn value(&self, position: &NoroPosition, answer: &NoroAnswer) -> i64 {
        value_of(answer.thresholds().winner(position.difference()))
    }

    fn result_words(&self, position: &NoroPosition, answer: &NoroAnswer) -> String {
        match answer.thresholds().winner(position.difference()) {
            Some(winner) => format!("{winner} wins"),
            None => "drawn".to_owned(),
        }
    }

    fn brief(&self, position: &NoroPosition, answer: &NoroAnswer) -> String {
        if let Some(ending) = self.ending(position) {
            return ending.to_string();
        }
        let thresholds = answer.thresholds();
        let difference = position.difference();
        let Some(winner) = thresholds.winner(difference) else { return "drawn".to_owned() };
        let lead = answer.finish(difference).map(|finish| final_lead(winner, finish));
        let by = lead.filter(|&lead| lead > 0).map(|lead| format!(", by {}", points(lead)));
        let by = by.unwrap_or_default();
        match thresholds.slack(difference) {
            None => format!("{winner} wins{by}, at any score"),
            Some(slack) => format!("{winner} wins{by}, slack {slack}"),
        }
    }

    fn scope(&self, material: &Material) -> Scope {
        let when = format!("At equal scores in games of {} moves", self.moves);
        Scope { when: Some(when), ..Scope::without_en_passant(material) }
    }

    fn remarks(&self, report: &Report) -> Vec<Remark> {
        story::remarks(report)
    }

    fn statistics(
        &self,
        tables: &Tablebase<Noro>,
        material: &Material,
        progress: &dyn Progress,
    ) -> Result<Report, ProbeError> {
        let exchanged = match tables.reader(&material.swap_colors()) {
            Ok(_) => None,
            Err(error) if error.missing().is_some() => Some(error.to_string()),
            Err(error) => return Err(error),
        };
        let counts = tables.tally(
            material,
            progress,
            || NoroCounts::new(self),
            |counts, position, answer, weight| {
                counts.add(tables, position, answer, weight);
                if exchanged.is_none() {
                    counts.exchange(tables, position, answer, weight)?;
                }
                for (_, position) in self.in_passing(position) {
                    let answer = tables.answer(&position)?;
                    counts.add_start(tables, &position, (&answer, true), weight);
                }
                Ok(())
            },
            NoroCounts::merge,
        )?;
        let histories = tables.reader(material)?.histories()?;
        Ok(counts.report(self, material, histories, exchanged))
    }
}

/// How far the score could be from what it is.
fn margin(thresholds: Thresholds, difference: i64) -> String {
    let Some(winner) = thresholds.winner(difference) else {
        return "With a point more White would win, with a point less Black would.".to_owned();
    };
    let Some(slack) = thresholds.slack(difference) else {
        return format!("{winner} can take the last man in time and wins at any score.");
    };
    let lead = if winner == Color::White { difference } else { -difference };
    match (slack, lead - slack) {
        (0, _) if thresholds.win_at == thresholds.draw_at => {
            format!("{winner} needs every point: with one less {} would win.", !winner)
        }
        (0, _) => format!("{winner} needs every point: with one less it would be a draw."),
        (_, ..=-1) => format!("{winner} still wins when {} behind.", points(slack - lead)),
        (_, 0) => format!("{winner} still wins when the scores are equal."),
        (_, least) => format!("{winner} still wins when only {} ahead.", points(least)),
    }
}

/// How a game ends that is played for points, if it is won.
fn finish_words(finish: Finish) -> Option<String> {
    let winner = finish.winner?;
    Some(match final_lead(winner, finish) {
        lead @ 1.. => format!("{winner} wins by {}", points(lead)),
        0 => format!("{winner} takes the last man at equal scores"),
        lead => format!("{winner} takes the last man {} behind", points(-lead)),
    })
}

/// By how much the winner comes out ahead.
fn final_lead(winner: Color, finish: Finish) -> i64 {
    if winner == Color::White { finish.margin } else { -finish.margin }
}

fn points(count: i64) -> String {
    if count == 1 { "1 point".to_owned() } else { format!("{count} points") }
}

/// What a side needs: the least lead with which it wins, and with which it draws.
type Needs = (Bound, Bound);

/// What happens with so many plies to go at equal scores.
#[derive(Copy, Clone, PartialEq, Eq, Debug, Default)]
struct Clock {
    white_wins: u64,
    draws: u64,
    black_wins: u64,
    /// White wins at any score, or Black does.
    eliminated: [u64; 2],
}

impl Clock {
    fn add(&mut self, thresholds: Thresholds, weight: u64) {
        *match thresholds.winner(0) {
            Some(Color::White) => &mut self.white_wins,
            None => &mut self.draws,
            Some(Color::Black) => &mut self.black_wins,
        } += weight;
        match thresholds.win_at {
            Bound::Always => self.eliminated[0] += weight,
            Bound::Never => self.eliminated[1] += weight,
            Bound::From(_) => {}
        }
    }
}

#[derive(Clone, Debug)]
struct NoroCounts {
    /// By plies to go.
    clocks: Vec<Clock>,
    placements: [u64; 2],
    /// All different pairs of thresholds that positions have along the clock.
    pairs: [u64; 2],
    /// At the start of the clock: by side to move, and whether a pawn can be taken in passing.
    starts: BTreeMap<(Color, bool, Needs), Tally>,
    /// The same by the margin at equal scores, and who wins with it.
    margins: BTreeMap<(Color, bool, i64, Option<Color>), Tally>,
    /// By side to move and plies to go: what White needs, and what it would need as Black.
    exchanged: BTreeMap<(Color, u32, Needs, Needs), Tally>,
}

impl NoroCounts {
    fn new(game: &Noro) -> NoroCounts {
        NoroCounts {
            clocks: vec![Clock::default(); game.moves.plies() as usize + 1],
            placements: [0; 2],
            pairs: [0; 2],
            starts: BTreeMap::new(),
            margins: BTreeMap::new(),
            exchanged: BTreeMap::new(),
        }
    }

    fn add(
        &mut self,
        tables: &Tablebase<Noro>,
        position: &NoroPosition,
        answer: &NoroAnswer,
        weight: u64,
    ) {
        let side = position.setup.to_move;
        self.placements[side.index()] += weight;
        let mut met: Vec<Thresholds> = Vec::new();
        for (remaining, clock) in (0..).zip(&mut self.clocks) {
            if let Some(thresholds) = answer.at(remaining) {
                clock.add(thresholds, weight);
                if !met.contains(&thresholds) {
                    met.push(thresholds);
                }
            }
        }
        self.pairs[side.index()] += weight * met.len() as u64;
        self.add_start(tables, position, (answer, false), weight);
    }

    /// A position at the start of the clock; whether a pawn can be taken in passing, too.
    fn add_start(
        &mut self,
        tables: &Tablebase<Noro>,
        position: &NoroPosition,
        (answer, passing): (&NoroAnswer, bool),
        weight: u64,
    ) {
        let (side, fen) = (position.setup.to_move, || tables.game().fen(position));
        let key = (side, passing, answer.thresholds().needs());
        self.starts.entry(key).or_default().add(weight, fen);
        if let Some(Finish { winner, margin }) = answer.finish(0) {
            let key = (side, passing, margin, winner);
            self.margins.entry(key).or_default().add(weight, fen);
        }
    }

    /// Compares a position with the one in which the sides are exchanged.
    fn exchange(
        &mut self,
        tables: &Tablebase<Noro>,
        position: &NoroPosition,
        answer: &NoroAnswer,
        weight: u64,
    ) -> Result<(), ProbeError> {
        let game = tables.game();
        let setup = &position.setup;
        let side = setup.to_move;
        let swapped = Setup { board: setup.board.swap_colors(), to_move: !side, ..setup.clone() };
        let other = tables.answer(&NoroPosition { setup: swapped, points: ByColor::default() })?;
        // With all moves to make, and with the last that is sure to be made.
        let last = 2 * (u32::from(game.moves.overtime()) + 1);
        for white_turn in BTreeSet::from([game.moves.plies(), last]) {
            let black_turn = white_turn - 1;
            let (here, there) = match side {
                Color::White => (white_turn, black_turn),
                Color::Black => (black_turn, white_turn),
            };
            let (Some(as_white), Some(as_black)) = (answer.at(here), other.at(there)) else {
                continue;
            };
            let key = (side, white_turn, as_white.needs(), as_black.needs_of_black());
            self.exchanged.entry(key).or_default().add(weight, || game.fen(position));
        }
        Ok(())
    }

    fn merge(&mut self, other: NoroCounts) {
        for (clock, more) in self.clocks.iter_mut().zip(other.clocks) {
            clock.white_wins += more.white_wins;
            clock.draws += more.draws;
            clock.black_wins += more.black_wins;
            for side in 0..2 {
                clock.eliminated[side] += more.eliminated[side];
            }
        }
        for side in 0..2 {
            self.placements[side] += other.placements[side];
            self.pairs[side] += other.pairs[side];
        }
        merge_each(&mut self.starts, other.starts, Tally::merge);
        merge_each(&mut self.margins, other.margins, Tally::merge);
        merge_each(&mut self.exchanged, other.exchanged, Tally::merge);
    }

    fn report(
        self,
        game: &Noro,
        material: &Material,
        histories: ByColor<Option<u64>>,
        missing: Option<String>,
    ) -> Report {
        let mut sections = vec![self.clock_listing(), self.starts_listing()];
        if !self.margins.is_empty() {
            sections.push(self.margins_listing());
        }
        sections.push(self.exchanged_listing(material, missing));
        sections.push(self.histories_listing(histories));
        Report::new(format!("{material}, games of {} moves", game.moves), sections)
    }

    fn clock_listing(&self) -> Listing {
        let mut clocks = Listing::new(
            "clock",
            "At equal scores, along the clock (legal placements, no symmetry removed; plies at \
             which nothing changes left out)",
            [
                ("to_move", "to move"),
                ("plies_left", "plies to go"),
                ("white", "White wins"),
                ("draws", "draws"),
                ("black", "Black wins"),
                ("white_at_any_score", "White at any score"),
                ("black_at_any_score", "Black at any score"),
            ],
        );
        let last = self.clocks.len() - 1;
        for side in Color::ALL {
            let plies = (0..=last).filter(|ply| ply % 2 == side.index());
            for ply in plies {
                let clock = self.clocks[ply];
                let all = clock.white_wins + clock.draws + clock.black_wins;
                let changes = ply < 2 || self.clocks[ply - 2] != clock;
                if changes || ply + 2 > last {
                    clocks.row([
                        side.into(),
                        (ply as u64).into(),
                        Cell::Share(clock.white_wins, all),
                        Cell::Share(clock.draws, all),
                        Cell::Share(clock.black_wins, all),
                        clock.eliminated[0].into(),
                        clock.eliminated[1].into(),
                    ]);
                }
            }
        }
        clocks
    }

    fn starts_listing(&self) -> Listing {
        let mut starts = Listing::new(
            "lead_needed",
            "The lead White needs, all moves still to be made",
            ["to_move", "en_passant", "win_at", "draw_at", "placements", "example"],
        );
        for (&(side, passing, (win_at, draw_at)), tally) in &self.starts {
            let all: u64 = self
                .starts
                .iter()
                .filter(|((to_move, en_passant, _), _)| (*to_move, *en_passant) == (side, passing))
                .map(|(_, tally)| tally.count)
                .sum();
            let needs = [side.into(), Cell::Flag(passing), bound_cell(win_at), bound_cell(draw_at)];
            starts.row(needs.into_iter().chain(tally.clone().cells(all)));
        }
        starts
    }

    /// How games end in which both sides play for points.
    fn margins_listing(&self) -> Listing {
        let mut margins = Listing::new(
            "margins",
            "By how many points White comes out ahead when both sides play for them, at equal \
             scores, all moves still to be made",
            ["to_move", "en_passant", "margin", "result", "placements", "example"],
        );
        for (&(side, passing, margin, winner), tally) in &self.margins {
            let all: u64 = self
                .margins
                .iter()
                .filter(|((to_move, en_passant, ..), _)| (*to_move, *en_passant) == (side, passing))
                .map(|(_, tally)| tally.count)
                .sum();
            let result = match winner {
                Some(winner) => Cell::Kind(winner.name(), format!("{winner} wins")),
                None => Cell::Kind("draw", "drawn".to_owned()),
            };
            let row = [side.into(), Cell::Flag(passing), Cell::Number(margin), result];
            margins.row(row.into_iter().chain(tally.clone().cells(all)));
        }
        margins
    }

    fn histories_listing(&self, histories: ByColor<Option<u64>>) -> Listing {
        let mut along = Listing::new(
            "histories",
            "How thresholds change along the clock",
            ["to_move", "placements", "different_histories", "pairs_per_placement"],
        );
        for side in Color::ALL {
            let (pairs, all) = (self.pairs[side.index()], self.placements[side.index()]);
            along.row([
                side.into(),
                all.into(),
                histories[side].map_or(Cell::Nothing, Cell::Count),
                Cell::Mean(pairs as f64 / all.max(1) as f64),
            ]);
        }
        along
    }

    /// `missing` says why it cannot be told.
    fn exchanged_listing(&self, material: &Material, missing: Option<String>) -> Listing {
        let mut exchanged = Listing::new(
            "last_move",
            format!(
                "What the last move is worth against {}: the lead these men need as White, and as \
                 Black",
                material.swap_colors()
            ),
            [
                ("on_move", "on move"),
                ("moves_left", "moves to go"),
                ("white_win_at", "White: to win"),
                ("white_draw_at", "to draw"),
                ("black_win_at", "Black: to win"),
                ("black_draw_at", "to draw"),
                ("better_as", "better as"),
                ("placements", "placements"),
                ("example", "example"),
            ],
        );
        for ((side, ply, white, black), tally) in &self.exchanged {
            let better = match white.cmp(black) {
                std::cmp::Ordering::Less => Color::White.into(),
                std::cmp::Ordering::Equal => Cell::Kind("either", "either".to_owned()),
                std::cmp::Ordering::Greater => Color::Black.into(),
            };
            let mover = match side {
                Color::White => Cell::Kind("these_men", "these men".to_owned()),
                Color::Black => Cell::Kind("the_others", "the others".to_owned()),
            };
            let bounds = [white.0, white.1, black.0, black.1].map(bound_cell);
            let start = [mover, u64::from(ply / 2).into()];
            let end = [better].into_iter().chain(tally.clone().plain_cells());
            exchanged.row(start.into_iter().chain(bounds).chain(end));
        }
        if let Some(missing) = missing {
            exchanged.title += &format!(" (not known: {missing})");
        }
        exchanged
    }
}

/// A lead, or `"inf"` or `"-inf"`.
fn bound_cell(bound: Bound) -> Cell {
    match bound {
        Bound::From(least) => Cell::Number(least.into()),
        endless => Cell::Text(endless.to_string()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn finishes_are_told_in_points() {
        for (winner, margin, text) in [
            (Some(Color::White), 4, Some("White wins by 4 points")),
            (Some(Color::Black), -1, Some("Black wins by 1 point")),
            (Some(Color::White), 0, Some("White takes the last man at equal scores")),
            (Some(Color::Black), 3, Some("Black takes the last man 3 points behind")),
            (None, 0, None),
        ] {
            assert_eq!(finish_words(Finish { winner, margin }).as_deref(), text);
        }
    }

    #[test]
    fn margins_are_told_in_points() {
        use Bound::{Always, From, Never};
        for (win_at, draw_at, difference, text) in [
            (From(-2), From(-2), 1, "White still wins when 2 points behind."),
            (From(0), From(-1), 4, "White still wins when the scores are equal."),
            (From(1), From(0), 4, "White still wins when only 1 point ahead."),
            (From(1), From(0), 1, "White needs every point: with one less it would be a draw."),
            (From(0), From(0), 0, "White needs every point: with one less Black would win."),
            (
                From(1),
                From(0),
                0,
                "With a point more White would win, with a point less Black would.",
            ),
            (From(1), From(0), -1, "Black needs every point: with one less it would be a draw."),
            (From(1), From(1), 0, "Black needs every point: with one less White would win."),
            (From(10), From(9), 0, "Black still wins when 8 points behind."),
            (From(1), From(0), -5, "Black still wins when only 1 point ahead."),
            (From(2), From(1), -5, "Black still wins when the scores are equal."),
            (Always, Always, -40, "White can take the last man in time and wins at any score."),
            (Never, Never, 40, "Black can take the last man in time and wins at any score."),
        ] {
            assert_eq!(margin(Thresholds { win_at, draw_at }, difference), text);
        }
    }
}
