//! What students of High Chess ask: who wins, at which vitality, by mate or by exhaustion, and
//! what passing is good for.

mod counts;
mod story;
mod verdict;

use serde_json::{Map, Value, json};

use self::verdict::Verdict;
use super::{
    Bin, Remark, Report, Scope, StatisticsFrom, Study, ranges,
    values::{Field, Kind, Row, SIDES},
    variant::{moves, value_of},
};
use crate::{
    answer::{HighAnswer, Plies},
    board::{ByColor, Square},
    index::Material,
    probe::{ProbeError, Tablebase},
    progress::Progress,
    rules::{Game, High, HighPosition, HighTurn, Laws, Setup},
};

impl Study for High {
    const STATISTICS_FROM: Option<StatisticsFrom> = Some(StatisticsFrom {
        help: "count at these vitalities, White's first",
        default: "both full",
        range: "from two vitalities on, each at least 1 and at most what its tables have, such as \
                20+50",
    });

    fn title(&self) -> &'static str {
        "High Chess"
    }

    fn primer(&self) -> String {
        include_str!("primers/high.txt").to_owned()
    }

    fn fields(&self, position: &HighPosition, answer: &HighAnswer) -> Map<String, Value> {
        let verdict = Verdict::new(self, position, answer);
        let mate = answer
            .mating_side(position.setup.to_move)
            .map(|side| json!({ "by": side.name(), "plies": answer.mate.dtm }));
        let by = verdict.by_mate.map(|by_mate| if by_mate { "mate" } else { "exhaustion" });
        [
            ("winner".to_owned(), json!(verdict.winner.name())),
            ("plies".to_owned(), json!(verdict.distance.map(|distance| distance.plies))),
            ("by".to_owned(), json!(by)),
            ("slack".to_owned(), json!(verdict.slack(position))),
            ("staircase".to_owned(), json!(answer.staircase.steps())),
            ("mate".to_owned(), json!(mate)),
        ]
        .into_iter()
        .collect()
    }

    fn columns(&self) -> Vec<Field> {
        vec![
            Field::new("winner", SIDES),
            Field::optional("plies", Kind::I32),
            Field::optional("by", Kind::Words(&["mate", "exhaustion"])),
            Field::optional("slack", Kind::I32),
            Field::new("staircase", Kind::List(self.vitality.points().into())),
            Field::optional("mate_by", SIDES),
            Field::optional("mate_plies", Kind::I32),
        ]
    }

    fn fill(&self, position: &HighPosition, answer: &HighAnswer, row: &mut Row<'_>) {
        let verdict = Verdict::new(self, position, answer);
        row.side(Some(verdict.winner));
        row.perhaps(verdict.distance.map(|distance| distance.plies.0));
        row.word(verdict.by_mate.map(|by_mate| usize::from(!by_mate)));
        row.perhaps(verdict.slack(position));
        row.list(answer.staircase.steps());
        let mating = answer.mating_side(position.setup.to_move);
        row.side(mating);
        row.perhaps(mating.and(answer.mate.dtm).map(|plies| plies.0));
    }

    fn in_passing(&self, position: &HighPosition) -> Vec<(Square, HighPosition)> {
        let setups = position.setup.passing_variants(&Laws::ORTHODOX).into_iter();
        let at = |setup: Setup| Some((setup.en_passant?, HighPosition { setup, ..*position }));
        setups.filter_map(at).collect()
    }

    fn words(&self, position: &HighPosition, answer: &HighAnswer) -> Vec<String> {
        if let Some(ending) = self.ending(position) {
            return vec![format!("{ending}.")];
        }
        let verdict = Verdict::new(self, position, answer);
        let winner = verdict.winner;
        let vitality = position.vitality[winner];
        let mut words = vec![match verdict.end() {
            Some(end) => format!("{winner} wins {end}."),
            None => format!("{winner} wins, {}.", verdict.way(position, answer)),
        }];
        let least = verdict.least.unwrap_or(vitality);
        words.push(match vitality - least {
            0 => format!("{winner} needs all of its vitality of {vitality}."),
            slack => format!(
                "{winner} has a vitality of {vitality} and needs {least}: a slack of {slack}."
            ),
        });
        let mate = answer.mate.dtm.map(moves).unwrap_or_default();
        match answer.mating_side(position.setup.to_move) {
            Some(side) if side != winner => {
                words.push(format!("If nobody could be exhausted, {side} would mate in {mate}."));
            }
            Some(_) if verdict.by_mate == Some(false) => {
                words.push(format!("{winner} can also force mate, in {mate} at most."));
            }
            _ => {}
        }
        words.push(ranges::winning(answer.staircase.steps()));
        words
    }

    fn value(&self, position: &HighPosition, answer: &HighAnswer) -> i64 {
        value_of(Some(Verdict::new(self, position, answer).winner))
    }

    fn plies_to_win(&self, position: &HighPosition, answer: &HighAnswer) -> Option<Plies> {
        Verdict::new(self, position, answer).distance.map(|distance| distance.plies)
    }

    fn result_words(&self, position: &HighPosition, answer: &HighAnswer) -> String {
        format!("{} wins", Verdict::new(self, position, answer).winner)
    }

    fn brief(&self, position: &HighPosition, answer: &HighAnswer) -> String {
        if let Some(ending) = self.ending(position) {
            return ending.to_string();
        }
        let verdict = Verdict::new(self, position, answer);
        let slack = verdict.slack(position).unwrap_or(0);
        let how = verdict.end().unwrap_or_else(|| verdict.way(position, answer));
        format!("{} wins, {how}, slack {slack}", verdict.winner)
    }

    /// The answer after the turn, and what the turn does to its mover's vitality.
    fn turn_words(
        &self,
        position: &HighPosition,
        turn: HighTurn,
        after: &HighPosition,
        answer: &HighAnswer,
    ) -> String {
        let brief = self.brief(after, answer);
        let mover = position.setup.to_move;
        if self.ending(after).is_some() {
            brief
        } else if after.vitality[mover] < position.vitality[mover] {
            format!("{brief}; costs a point")
        } else if High::is_vital(position, turn) {
            format!("{brief}; vital")
        } else {
            brief
        }
    }

    /// By the winner, and the vitality it needs.
    fn bin(&self, position: &HighPosition, answer: &HighAnswer) -> Option<Bin> {
        let winner = answer.staircase.winner(position.vitality);
        let least = answer.staircase.least(position.vitality);
        Some(Bin { group: winner.name(), number: least.into() })
    }

    fn scope(&self, material: &Material) -> Scope {
        let points = self.vitality.points();
        Scope { when: Some(format!("At {points}+{points}")), ..Scope::without_en_passant(material) }
    }

    fn remarks(&self, report: &Report) -> Vec<Remark> {
        story::remarks(report)
    }

    fn statistics(
        &self,
        tables: &Tablebase<High>,
        material: &Material,
        progress: &dyn Progress,
    ) -> Result<Report, ProbeError> {
        counts::report(tables, material, ByColor::both(self.vitality.points()), progress)
    }

    fn statistics_from(
        &self,
        tables: &Tablebase<High>,
        material: &Material,
        from: &str,
        progress: &dyn Progress,
    ) -> Result<Option<Report>, ProbeError> {
        let points =
            |text: &str| text.parse().ok().filter(|n| (1..=self.vitality.points()).contains(n));
        let vitality = from
            .split_once('+')
            .and_then(|(w, b)| Some(ByColor { white: points(w)?, black: points(b)? }));
        let report = |vitality| counts::report(tables, material, vitality, progress);
        vitality.map(report).transpose()
    }
}
