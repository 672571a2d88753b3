//! What students of Tiebraker Chess ask: how the points are split and by what, when to declare and
//! how to answer, and where perpetual check decides.

mod story;

use std::{collections::BTreeMap, ops::Range};

use serde_json::{Map, Value, json};

use super::{
    Bin, Cell, Column, LineEnd, LinePly, Listing, Remark, Report, Scope, Study, best_line,
    ply::plies,
    tally::{Most, Tally, merge_each},
    values::{self, Field, Kind, SIDES},
};
use crate::{
    answer::{Plies, TiebrakerAnswer, TiebrakerReader, tiebraker::stage::Stage},
    board::Color,
    index::Material,
    probe::{ProbeError, Tablebase},
    progress::Progress,
    rules::{Finish, Game, Mode, Points, Tiebraker, TiebrakerPosition, TiebrakerTurn},
};

/// By what best play comes to its points.
fn way(position: &TiebrakerPosition, points: Points) -> &'static str {
    match (points.of(Color::White).max(points.of(Color::Black)), position.mode) {
        (100, Mode::Option2(declarer)) if points.of(declarer) == 100 => "refused declaration",
        // Who declares may be refused and then has it all, or mate after all.
        (100, Mode::Normal | Mode::Declared) => "checkmate or refused declaration",
        (60, _) => "stalemate",
        (51 | 55, _) => "perpetual check",
        (50, _) => "draw",
        _ => "checkmate",
    }
}

/// All ways.
const WAYS: [&str; 6] = [
    "checkmate",
    "refused declaration",
    "checkmate or refused declaration",
    "stalemate",
    "perpetual check",
    "draw",
];

/// All modes, as FENs have them; those of option 1 last, by the plies left.
const MODES: [&str; 26] = [
    "normal",
    "declared",
    "accepted",
    "option2:w",
    "option2:b",
    "option1:0",
    "option1:1",
    "option1:2",
    "option1:3",
    "option1:4",
    "option1:5",
    "option1:6",
    "option1:7",
    "option1:8",
    "option1:9",
    "option1:10",
    "option1:11",
    "option1:12",
    "option1:13",
    "option1:14",
    "option1:15",
    "option1:16",
    "option1:17",
    "option1:18",
    "option1:19",
    "option1:20",
];

/// As many plies of best play as an explanation follows.
const LONGEST_LINE: usize = 1000;

/// Whether the tables do not tell how some turns come to their points.
fn is_unknown(plies: &[LinePly<Tiebraker>]) -> bool {
    plies.iter().any(|ply| ply.answer.lacks_distance(&ply.after))
}

impl Study for Tiebraker {
    fn title(&self) -> &'static str {
        "Tiebraker Chess"
    }

    fn primer(&self) -> String {
        include_str!("primers/tiebraker.txt").to_owned()
    }

    fn fields(&self, position: &TiebrakerPosition, answer: &TiebrakerAnswer) -> Map<String, Value> {
        [
            ("points".to_owned(), json!(answer.points.of(Color::White))),
            ("distance".to_owned(), json!(answer.distance)),
            ("by".to_owned(), json!(way(position, answer.points))),
            ("quiet".to_owned(), json!(answer.quiet)),
        ]
        .into_iter()
        .collect()
    }

    fn columns(&self) -> Vec<Field> {
        vec![
            Field::new("points", Kind::U8),
            Field::optional("distance", Kind::I32),
            Field::new("by", Kind::Words(&WAYS)),
            Field::optional("quiet", Kind::I32),
        ]
    }

    fn fill(
        &self,
        position: &TiebrakerPosition,
        answer: &TiebrakerAnswer,
        row: &mut values::Row<'_>,
    ) {
        row.integer(answer.points.of(Color::White));
        row.perhaps(answer.distance.map(|plies| plies.0));
        let way = way(position, answer.points);
        row.word(WAYS.iter().position(|&other| other == way));
        row.perhaps(answer.quiet);
    }

    /// The mode as FENs have it, and whose King is a disk.
    fn mode_columns(&self) -> Vec<Field> {
        vec![Field::new("mode", Kind::Words(&MODES)), Field::optional("disk", SIDES)]
    }

    fn fill_mode(&self, position: &TiebrakerPosition, row: &mut values::Row<'_>) {
        row.word(Some(match position.mode {
            Mode::Normal => 0,
            Mode::Declared => 1,
            Mode::Accepted => 2,
            Mode::Option2(declarer) => 3 + declarer.index(),
            Mode::Option1(left) => 5 + usize::from(left),
        }));
        row.side(position.disk());
    }

    /// Nobody declares while the other player is in check.
    fn occurs(&self, position: &TiebrakerPosition) -> bool {
        position.mode != Mode::Declared || !position.setup.in_check(position.setup.to_move)
    }

    fn words(&self, position: &TiebrakerPosition, answer: &TiebrakerAnswer) -> Vec<String> {
        if let Some(ending) = self.ending(position) {
            return vec![format!("{ending}.")];
        }
        let mut words = vec![match way(position, answer.points) {
            "draw" => format!("{}: a draw.", answer.points),
            way => format!("{}, by {way}.", answer.points),
        }];
        if answer.lacks_distance(position) {
            words.push(
                match answer.rests_on_checks(position) {
                    true => {
                        "The table does not tell after how many quiet moves only checks follow."
                    }
                    false => "The table does not tell how far the next conversion, or the end, is.",
                }
                .to_owned(),
            );
        }
        words.extend(answer.quiet.map(|quiet| match quiet {
            0 => "Every move of its giver can be a check from now on.".to_owned(),
            1 => "It takes one quiet move before only checks follow.".to_owned(),
            _ => format!("It takes {quiet} quiet moves before only checks follow."),
        }));
        words.extend(match (position.mode, answer.distance) {
            (Mode::Declared, _) => {
                Some("The answer to the declaration changes the mode.".to_owned())
            }
            (Mode::Option1(left @ 1..), _) => {
                Some(format!("{} until captures are compulsory.", plies(left)))
            }
            (_, Some(distance)) => {
                Some(format!("The next conversion, or the end, is {} away.", plies(distance.0)))
            }
            (_, None) => None,
        });
        words
    }

    fn value(&self, _: &TiebrakerPosition, answer: &TiebrakerAnswer) -> i64 {
        let [white, black] = Color::ALL.map(|side| i64::from(answer.points.of(side)));
        white - black
    }

    fn result_words(&self, _: &TiebrakerPosition, answer: &TiebrakerAnswer) -> String {
        answer.points.to_string()
    }

    fn brief(&self, position: &TiebrakerPosition, answer: &TiebrakerAnswer) -> String {
        if let Some(ending) = self.ending(position) {
            return ending.to_string();
        }
        let mut brief = format!("{}, {}", answer.points, way(position, answer.points));
        match (answer.distance, answer.quiet) {
            (Some(distance), _) => brief += &format!(", converts in {}", plies(distance.0)),
            (None, Some(1)) => brief += " after 1 quiet move",
            (None, Some(quiet)) if quiet > 0 => brief += &format!(" after {quiet} quiet moves"),
            _ => {}
        }
        brief
    }

    /// Adds what the best line comes to: 100 points have more than one source.
    fn explanation(
        &self,
        tables: &Tablebase<Tiebraker>,
        position: &TiebrakerPosition,
        answer: &TiebrakerAnswer,
    ) -> Result<Vec<String>, ProbeError> {
        let mut words = self.words(position, answer);
        if self.ending(position).is_some() || answer.lacks_distance(position) {
            // Without distances a line keeps the points, but may never come to them.
            return Ok(words);
        }
        let line = match best_line(tables, position, LONGEST_LINE) {
            Ok(line) => line,
            // Best play may leave the tables at hand; the answer holds without it.
            Err(error) if error.missing().is_some() => return Ok(words),
            Err(error) => return Err(error),
        };
        let last = line.plies.last().map_or(position, |ply| &ply.after);
        let end = match line.end {
            LineEnd::Over => self.ending(last).map(|ending| ending.to_string()),
            LineEnd::Repeats { since } => {
                let circle = &line.plies[since..];
                (!is_unknown(circle)).then(|| self.endless(circle))
            }
            LineEnd::Cut => None,
        };
        let turns = line.plies.len() as u16;
        words.extend(end.map(|end| format!("Best play: {end}, after {}.", plies(turns))));
        Ok(words)
    }

    fn endless(&self, circle: &[LinePly<Tiebraker>]) -> String {
        if is_unknown(circle) {
            return "the tables tell the points, but not on which way".to_owned();
        }
        let checks = |side: Color| {
            circle.iter().filter(|ply| ply.before.setup.to_move == side).all(|ply| {
                let after = &ply.after.setup;
                after.in_check(after.to_move)
            })
        };
        let finish = match Color::ALL.map(checks) {
            [true, false] => Finish::PerpetualCheck(Color::White),
            [false, true] => Finish::PerpetualCheck(Color::Black),
            _ => Finish::Endless,
        };
        let ended = circle.last().map(|ply| ply.after.ended(finish));
        ended.map_or_else(String::new, |ending| ending.to_string())
    }

    fn bin(&self, position: &TiebrakerPosition, answer: &TiebrakerAnswer) -> Option<Bin> {
        // Modes are different games: the histogram is of the one every game begins in.
        let normal = position.mode == Mode::Normal;
        normal.then(|| Bin { group: "points", number: answer.points.of(Color::White).into() })
    }

    fn scope(&self, _: &Material) -> Scope {
        Scope { query: Some("mode = normal"), when: None, by_points: true }
    }

    fn scope_cells(&self, reader: &TiebrakerReader) -> Vec<Range<u64>> {
        reader.cells_of(|stage| stage == Stage::NORMAL)
    }

    fn remarks(&self, report: &Report) -> Vec<Remark> {
        story::remarks(report)
    }

    fn statistics(
        &self,
        tables: &Tablebase<Tiebraker>,
        material: &Material,
        progress: &dyn Progress,
    ) -> Result<Report, ProbeError> {
        let counts = tables.tally_some(
            material,
            |reader| reader.cells_of(|stage| is_shown(stage.mode)),
            progress,
            TiebrakerCounts::default,
            |counts, position, answer, weight| counts.add(tables, position, answer, weight),
            TiebrakerCounts::merge,
        )?;
        Ok(counts.report(material))
    }
}

/// Whether statistics tell of a mode: of the countdown they show both ends.
fn is_shown(mode: Mode) -> bool {
    match mode {
        Mode::Option1(left) => matches!(left, 0 | 1 | Mode::COUNTDOWN),
        _ => true,
    }
}

/// A mode with the owner of the disk, or the declarer, and the side to move.
type Row = (Mode, Option<Color>, Color);

/// Placements that perpetual check decides.
#[derive(Clone, Debug, Default)]
struct Perpetuals {
    placements: u64,
    /// The most quiet moves before the checks.
    most_quiet: Most<u16>,
}

/// What may answer a declaration.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Reply {
    Accept,
    Option1,
    Option2,
}

#[derive(Clone, Debug, Default)]
struct TiebrakerCounts {
    points: BTreeMap<Row, [u64; Points::ALL.len()]>,
    /// By the side to move: who may declare, where it is among the best turns, where alone.
    declaring: BTreeMap<Color, [Tally; 3]>,
    /// By declarer and best answers: every declaration, and those that are a best turn.
    replies: BTreeMap<(Color, Vec<Reply>), [Tally; 2]>,
    /// By row and points.
    perpetuals: BTreeMap<(Row, Points), Perpetuals>,
    /// By row and points.
    longest: BTreeMap<(Row, Points), Most<Plies>>,
}

impl TiebrakerCounts {
    fn add(
        &mut self,
        tables: &Tablebase<Tiebraker>,
        position: &TiebrakerPosition,
        answer: &TiebrakerAnswer,
        weight: u64,
    ) -> Result<(), ProbeError> {
        let to_move = position.setup.to_move;
        let fen = || Tiebraker.fen(position);
        if !Tiebraker.occurs(position) {
            return Ok(());
        }
        let row = (position.mode, position.disk(), to_move);
        let place = Points::ALL.iter().position(|&p| p == answer.points);
        self.points.entry(row).or_default()[place.unwrap_or(0)] += weight;
        let circular = !matches!(position.mode, Mode::Declared | Mode::Option1(1..));
        if let Some(distance) = answer.distance.filter(|_| circular) {
            self.longest.entry((row, answer.points)).or_default().meet(distance, fen);
        }
        if circular && answer.rests_on_checks(position) {
            let perpetuals = self.perpetuals.entry((row, answer.points)).or_default();
            perpetuals.placements += weight;
            if let Some(quiet) = answer.quiet {
                perpetuals.most_quiet.meet(quiet, fen);
            }
        }
        match position.mode {
            Mode::Normal => self.add_declaring(tables, position, answer, weight),
            _ => Ok(()),
        }
    }

    fn add_declaring(
        &mut self,
        tables: &Tablebase<Tiebraker>,
        position: &TiebrakerPosition,
        answer: &TiebrakerAnswer,
        weight: u64,
    ) -> Result<(), ProbeError> {
        let turns = Tiebraker.turns(position);
        if !turns.contains(&TiebrakerTurn::Declare) {
            return Ok(());
        }
        let mover = position.setup.to_move;
        let fen = || Tiebraker.fen(position);
        let [may, best, alone] = self.declaring.entry(mover).or_default();
        may.add(weight, fen);
        let declared = Tiebraker.play(position, TiebrakerTurn::Declare);
        let points = tables.answer(&declared)?.points;
        let is_best = points == answer.points;
        if is_best {
            best.add(weight, fen);
            let mut others = turns.into_iter().filter(|&turn| turn != TiebrakerTurn::Declare);
            let keeps = |turn| -> Result<bool, ProbeError> {
                let after = Tiebraker.play(position, turn);
                let points = match Tiebraker.ending(&after) {
                    Some(ending) => ending.points,
                    None => tables.answer(&after)?.points,
                };
                Ok(points == answer.points)
            };
            let kept = others.try_fold(false, |kept, turn| match kept {
                true => Ok(true),
                false => keeps(turn),
            });
            if !kept? {
                alone.add(weight, fen);
            }
        }
        let replies = best_replies(tables, &declared, points)?;
        let [all, good] = self.replies.entry((mover, replies)).or_default();
        all.add(weight, fen);
        if is_best {
            good.add(weight, fen);
        }
        Ok(())
    }

    fn merge(&mut self, other: TiebrakerCounts) {
        fn join<const N: usize>(into: &mut [Tally; N], later: [Tally; N]) {
            into.iter_mut().zip(later).for_each(|(tally, later)| tally.merge(later));
        }
        merge_each(&mut self.points, other.points, |into, later| {
            into.iter_mut().zip(later).for_each(|(sum, n)| *sum += n);
        });
        merge_each(&mut self.declaring, other.declaring, join);
        merge_each(&mut self.replies, other.replies, join);
        merge_each(&mut self.perpetuals, other.perpetuals, |into, later| {
            into.placements += later.placements;
            into.most_quiet.merge(later.most_quiet);
        });
        merge_each(&mut self.longest, other.longest, Most::merge);
    }

    fn report(self, material: &Material) -> Report {
        let mut points = Listing::new(
            "points",
            "Placements by White's points (no symmetry removed)",
            ROW_COLUMNS.into_iter().chain(["points", "placements"]),
        );
        for (row, counts) in &self.points {
            let all = counts.iter().sum();
            for (points_of, &count) in Points::ALL.iter().zip(counts) {
                if count > 0 {
                    let cells = [points_cell(*points_of), Cell::Share(count, all)];
                    points.row(row_cells(row).into_iter().chain(cells));
                }
            }
        }
        let mut declaring = Listing::new(
            "declaring",
            "Declaring",
            [
                ("to_move", "to move"),
                ("may_declare", "may declare"),
                ("best", "a best turn"),
                ("example", "example"),
                ("only_best", "the only best turn"),
                ("only_best_example", "its example"),
            ],
        );
        for (side, [may, best, alone]) in self.declaring {
            let cells = [side.into(), may.count.into()];
            let [best, alone] = [best, alone].map(|tally| tally.cells(may.count));
            declaring.row(cells.into_iter().chain(best).chain(alone));
        }
        let mut replies = Listing::new(
            "replies",
            "Best answers to a declaration",
            [
                ("declarer", "declarer"),
                ("best_answer", "best answer"),
                ("declarations", "declarations"),
                ("example", "example"),
                ("declaring_best", "where declaring is best"),
                ("declaring_best_example", "its example"),
            ],
        );
        for ((declarer, answers), [all, good]) in self.replies {
            let names: Vec<&str> = answers.iter().map(|reply| reply_name(*reply)).collect();
            let cells = [declarer.into(), Cell::text(names.join(" or "))];
            replies.row(cells.into_iter().chain(all.plain_cells()).chain(good.plain_cells()));
        }
        let mut perpetuals = Listing::new(
            "perpetual_check",
            "Perpetual check decides",
            ROW_COLUMNS.into_iter().chain(["points", "placements", "most_quiet_moves", "example"]),
        );
        for ((row, points), Perpetuals { placements, most_quiet }) in &self.perpetuals {
            let [most, example] = match most_quiet.get() {
                Some((most, fen)) => [u64::from(*most).into(), Cell::text(fen)],
                None => [Cell::Nothing, Cell::Nothing],
            };
            let cells = [(*placements).into(), most, example];
            perpetuals.row(row_cells(row).into_iter().chain([points_cell(*points)]).chain(cells));
        }
        let columns = [("points", "points"), ("plies", "moves (plies)"), ("example", "example")];
        let mut longest = Listing::new(
            "longest",
            "Longest ways to a conversion",
            ROW_COLUMNS.map(Column::from).into_iter().chain(columns.map(Column::from)),
        );
        for ((row, points), most) in &self.longest {
            let Some((plies, fen)) = most.get() else { continue };
            let cells = [points_cell(*points), Cell::Plies(plies.0.into()), Cell::text(fen)];
            longest.row(row_cells(row).into_iter().chain(cells));
        }
        let sections = vec![points, declaring, replies, perpetuals, longest];
        Report::new(material.to_string(), sections)
    }
}

/// The answers to a declaration that are as good as any.
fn best_replies(
    tables: &Tablebase<Tiebraker>,
    declared: &TiebrakerPosition,
    best: Points,
) -> Result<Vec<Reply>, ProbeError> {
    let accepted = TiebrakerPosition { mode: Mode::Accepted, ..declared.clone() };
    let accepts = !accepted.board_moves().is_empty();
    let option = |turn| Tiebraker.play(declared, turn);
    let after = [
        (Reply::Accept, Some(accepted).filter(|_| accepts)),
        (Reply::Option1, Some(option(TiebrakerTurn::Option1))),
        (Reply::Option2, Some(option(TiebrakerTurn::Option2))),
    ];
    let mut replies = Vec::new();
    for (reply, position) in after {
        if let Some(position) = position
            && tables.answer(&position)?.points == best
        {
            replies.push(reply);
        }
    }
    Ok(replies)
}

fn reply_name(reply: Reply) -> &'static str {
    match reply {
        Reply::Accept => "accept",
        Reply::Option1 => "option 1",
        Reply::Option2 => "option 2",
    }
}

/// The columns of [`row_cells`].
const ROW_COLUMNS: [&str; 3] = ["mode", "disk", "to_move"];

fn row_cells((mode, disk, to_move): &Row) -> [Cell; 3] {
    [Cell::text(mode.to_string()), disk.map_or(Cell::Nothing, Cell::from), (*to_move).into()]
}

/// White's points.
fn points_cell(points: Points) -> Cell {
    Cell::Count(points.of(Color::White).into())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn points_say_by_what() {
        let points = |white: u8| {
            Points::ALL.into_iter().find(|points| points.of(Color::White) == white).unwrap()
        };
        let men = "8/8/8/8/8/8/8/K1k5 w - -";
        for (mode, white, expected) in [
            ("normal", 50, "draw"),
            ("normal", 51, "perpetual check"),
            ("normal", 45, "perpetual check"),
            ("normal", 40, "stalemate"),
            ("normal", 20, "checkmate"),
            ("normal", 100, "checkmate or refused declaration"),
            ("option2:w", 100, "refused declaration"),
            ("option2:w", 20, "checkmate"),
            ("option2:b", 100, "checkmate"),
            ("option2:b", 0, "refused declaration"),
        ] {
            let position = Tiebraker.parse_fen(&format!("{men} {mode}")).unwrap();
            assert_eq!(way(&position, points(white)), expected, "{mode} {white}");
        }
    }

    #[test]
    fn words_tell_points_and_plies() {
        let answer = |white: u8, distance, quiet| {
            let points = Points::ALL.into_iter().find(|p| p.of(Color::White) == white).unwrap();
            TiebrakerAnswer { points, distance, quiet }
        };
        for (fen, answer, words) in [
            (
                "8/8/8/8/8/2k5/8/K7 w - -",
                answer(60, Some(Plies(3)), None),
                "White 60, Black 40, by stalemate. The next conversion, or the end, is 3 plies away.",
            ),
            (
                "8/8/8/8/8/2k5/8/K7 w - -",
                answer(51, None, Some(1)),
                "White 51, Black 49, by perpetual check. It takes one quiet move before only checks follow.",
            ),
            (
                "8/8/8/8/8/2k5/8/K7 w - -",
                answer(60, None, None),
                "White 60, Black 40, by stalemate. The table does not tell how far the next conversion, or the end, is.",
            ),
            (
                "8/8/8/8/8/2k5/8/K7 w - -",
                answer(51, None, None),
                "White 51, Black 49, by perpetual check. The table does not tell after how many quiet moves only checks follow.",
            ),
            (
                "8/8/8/8/8/2k5/8/D6R w - - option1:1",
                answer(50, None, None),
                "White 50, Black 50: a draw. 1 ply until captures are compulsory.",
            ),
            (
                "8/8/8/8/8/k7/8/D7 w - - accepted",
                answer(40, Some(Plies(0)), None),
                "Black gives stalemate: White 40, Black 60.",
            ),
        ] {
            let position = Tiebraker.parse_fen(fen).unwrap();
            assert_eq!(Tiebraker.words(&position, &answer).join(" "), words);
        }
    }
}
