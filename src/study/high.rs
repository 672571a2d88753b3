//! What students of High Chess ask: who wins, at which vitality, by mate or by exhaustion, and
//! what passing is good for.

use std::collections::BTreeMap;

use serde_json::{Map, Value, json};

use super::{Cell, Listing, Report, Study, ranges, variant::mates_in};
use crate::{
    answer::{HighAnswer, Tabled},
    board::Color,
    index::Material,
    probe::{ProbeError, Tablebase},
    progress::Progress,
    rules::{Game, High, HighPosition, HighTurn},
};

/// How a winner can win.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Way {
    /// By a forced mate that its vitality is sure to last for.
    SafeMate,
    /// By a forced mate, but it may run out of vitality on the way.
    Mate,
    /// Only by exhausting the other side.
    Exhaustion,
}

/// The winner of a position and the least vitality it needs, or why the game is over.
struct Verdict {
    winner: Color,
    /// `None` if the game is over.
    least: Option<u8>,
}

impl Verdict {
    fn new(game: &High, position: &HighPosition, answer: &HighAnswer) -> Verdict {
        use crate::rules::HighEnding::{Checkmate, Exhaustion};
        match game.ending(position) {
            Some(Checkmate { winner } | Exhaustion { winner }) => Verdict { winner, least: None },
            None => Verdict {
                winner: answer.staircase.winner(position.vitality),
                least: Some(answer.staircase.least(position.vitality)),
            },
        }
    }

    fn slack(&self, position: &HighPosition) -> Option<u8> {
        Some(position.vitality[self.winner.index()] - self.least?)
    }

    /// How the winner can win; `vitality` is its own.
    fn way(&self, position: &HighPosition, answer: &HighAnswer) -> Way {
        let mating = answer.mating_side(position.setup.to_move) == Some(self.winner);
        let vitality = u16::from(position.vitality[self.winner.index()]);
        match answer.mate.dtm.filter(|_| mating) {
            Some(plies) if vitality >= plies.div_ceil(2) => Way::SafeMate,
            Some(_) => Way::Mate,
            None => Way::Exhaustion,
        }
    }
}

impl Study for High {
    const TITLE: &'static str = "High Chess";

    fn primer() -> String {
        include_str!("primers/high.txt").to_owned()
    }

    fn fields(&self, position: &HighPosition, answer: &HighAnswer) -> Map<String, Value> {
        let verdict = Verdict::new(self, position, answer);
        let mate = answer
            .mating_side(position.setup.to_move)
            .map(|side| json!({ "by": side.name(), "plies": answer.mate.dtm }));
        [
            ("winner".to_owned(), json!(verdict.winner.name())),
            ("slack".to_owned(), json!(verdict.slack(position))),
            ("staircase".to_owned(), json!(answer.staircase.steps())),
            ("mate".to_owned(), json!(mate)),
        ]
        .into_iter()
        .collect()
    }

    fn words(&self, position: &HighPosition, answer: &HighAnswer) -> Vec<String> {
        if let Some(ending) = self.ending(position) {
            return vec![format!("{ending}.")];
        }
        let verdict = Verdict::new(self, position, answer);
        let Verdict { winner, least } = verdict;
        let vitality = position.vitality[winner.index()];
        let mut words = Vec::new();
        words.push(match (verdict.way(position, answer), answer.mate.dtm) {
            (Way::SafeMate, Some(plies)) => format!("{winner} wins and {}.", mates_in(plies)),
            (Way::Mate, Some(plies)) => format!(
                "{winner} wins; with enough vitality it {}, with {vitality} it may have to \
                 exhaust {} instead.",
                mates_in(plies),
                !winner
            ),
            _ => format!("{winner} wins, by exhaustion only."),
        });
        let least = least.unwrap_or(vitality);
        words.push(match vitality - least {
            0 => format!("{winner} needs all of its vitality of {vitality}."),
            slack => format!(
                "{winner} has a vitality of {vitality} and needs {least}: a slack of {slack}."
            ),
        });
        if let Some(side) = answer.mating_side(position.setup.to_move).filter(|&s| s != winner)
            && let Some(plies) = answer.mate.dtm
        {
            words.push(format!("If nobody could be exhausted, {side} {}.", mates_in(plies)));
        }
        words.push(ranges::winning(answer.staircase.steps()));
        words
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
        let how = match (verdict.way(position, answer), answer.mate.dtm) {
            (Way::SafeMate, Some(plies)) => mates_in(plies),
            (Way::Mate, Some(plies)) => format!("{} if it can afford it", mates_in(plies)),
            _ => "by exhaustion".to_owned(),
        };
        format!("{} wins, {how}, slack {slack}", verdict.winner)
    }

    fn statistics(
        &self,
        tables: &Tablebase<High>,
        material: &Material,
        progress: &dyn Progress,
    ) -> Result<Report, ProbeError> {
        let counts = tables.tally(
            material,
            progress,
            Counts::default,
            |counts, position, answer, weight| {
                counts.add(tables, position, answer, weight)?;
                for setup in position.setup.passing_variants() {
                    let position = HighPosition { setup, ..position.clone() };
                    let answer = tables.answer(&position)?;
                    counts.add_passing(&position, &answer, weight);
                }
                Ok(())
            },
            Counts::merge,
        )?;
        Ok(counts.report(material, self.vitality.points()))
    }
}

/// One kind of extreme: the largest number met and a position for it.
#[derive(Clone, Debug, Default)]
struct Extreme(Option<(u16, String)>);

impl Extreme {
    fn meet(&mut self, number: u16, fen: impl FnOnce() -> String) {
        if self.0.as_ref().is_none_or(|&(most, _)| number > most) {
            self.0 = Some((number, fen()));
        }
    }

    fn merge(&mut self, other: Extreme) {
        if let Some((number, fen)) = other.0 {
            self.meet(number, || fen);
        }
    }
}

/// Positions with a side to move that a side wins at full vitality.
type Key = (Color, Color);

#[derive(Clone, Debug, Default)]
struct Counts {
    positions: BTreeMap<Color, u64>,
    wins: BTreeMap<Key, u64>,
    passing: BTreeMap<Color, u64>,
    passing_wins: BTreeMap<Key, u64>,
    least: BTreeMap<(Key, u8), (u64, String)>,
    ways: BTreeMap<(Key, Way), (u64, String)>,
    longest: BTreeMap<Key, Extreme>,
    /// By the side to move and whether it is High.
    only_pass: BTreeMap<(Color, bool), (u64, String)>,
}

impl Counts {
    fn add(
        &mut self,
        tables: &Tablebase<High>,
        position: &HighPosition,
        answer: &HighAnswer,
        weight: u64,
    ) -> Result<(), ProbeError> {
        let game = tables.game();
        let to_move = position.setup.to_move;
        let fen = || game.fen(position);
        *self.positions.entry(to_move).or_default() += weight;
        let verdict = Verdict {
            winner: answer.staircase.winner(position.vitality),
            least: Some(answer.staircase.least(position.vitality)),
        };
        let key = (to_move, verdict.winner);
        *self.wins.entry(key).or_default() += weight;
        let count = |entry: &mut (u64, String)| {
            entry.0 += weight;
            if entry.1.is_empty() {
                entry.1 = fen();
            }
        };
        count(self.least.entry((key, verdict.least.unwrap_or(0))).or_default());
        count(self.ways.entry((key, verdict.way(position, answer))).or_default());
        if let Some(side) = answer.mating_side(to_move) {
            let plies = answer.mate.dtm.unwrap_or(0);
            self.longest.entry((to_move, side)).or_default().meet(plies, fen);
        }
        if verdict.winner == to_move && passing_alone_wins(tables, position)? {
            let high = High::high(&position.setup.board) == to_move;
            count(self.only_pass.entry((to_move, high)).or_default());
        }
        Ok(())
    }

    fn add_passing(&mut self, position: &HighPosition, answer: &HighAnswer, weight: u64) {
        let to_move = position.setup.to_move;
        *self.passing.entry(to_move).or_default() += weight;
        let winner = answer.staircase.winner(position.vitality);
        *self.passing_wins.entry((to_move, winner)).or_default() += weight;
    }

    fn merge(&mut self, other: Counts) {
        fn sum<K: Ord>(into: &mut BTreeMap<K, u64>, from: BTreeMap<K, u64>) {
            from.into_iter().for_each(|(key, n)| *into.entry(key).or_default() += n);
        }
        fn join<K: Ord>(into: &mut BTreeMap<K, (u64, String)>, from: BTreeMap<K, (u64, String)>) {
            for (key, (n, fen)) in from {
                let entry = into.entry(key).or_default();
                entry.0 += n;
                if entry.1.is_empty() {
                    entry.1 = fen;
                }
            }
        }
        sum(&mut self.positions, other.positions);
        sum(&mut self.wins, other.wins);
        sum(&mut self.passing, other.passing);
        sum(&mut self.passing_wins, other.passing_wins);
        join(&mut self.least, other.least);
        join(&mut self.ways, other.ways);
        join(&mut self.only_pass, other.only_pass);
        for (key, extreme) in other.longest {
            self.longest.entry(key).or_default().merge(extreme);
        }
    }

    fn report(self, material: &Material, full: u8) -> Report {
        let sections =
            vec![self.wins(), self.ways(), self.longest(), self.least(), self.only_passes()];
        let mut report = Report::new(format!("{material} at {full}+{full}"), sections);
        report.at.insert("vitality".to_owned(), json!([full, full]));
        report
    }

    fn wins(&self) -> Listing {
        let mut wins = Listing::new(
            "who_wins",
            "Who wins (legal placements, no symmetry removed)",
            [
                ("to_move", "to move"),
                ("en_passant", "en passant"),
                ("placements", "placements"),
                ("white", "White wins"),
                ("black", "Black wins"),
            ],
        );
        let groups =
            [(&self.positions, &self.wins, false), (&self.passing, &self.passing_wins, true)];
        for (placements, won, passing) in groups {
            for (&color, &all) in placements {
                let share =
                    |winner| Cell::Share(won.get(&(color, winner)).copied().unwrap_or(0), all);
                let counts = Color::ALL.map(share);
                wins.row([color.into(), Cell::Flag(passing), all.into()].into_iter().chain(counts));
            }
        }
        wins
    }

    /// A number as a part of the placements with this side to move.
    fn share(&self, count: u64, to_move: Color) -> Cell {
        Cell::Share(count, self.positions.get(&to_move).copied().unwrap_or(0))
    }

    fn ways(&self) -> Listing {
        let mut ways = Listing::new(
            "how_won",
            "How it is won",
            ["to_move", "winner", "way", "placements", "example"],
        );
        for (((to_move, winner), way), (count, fen)) in &self.ways {
            let way = match way {
                Way::SafeMate => {
                    Cell::Kind("safe_mate", "mate can be forced, and surely afforded".to_owned())
                }
                Way::Mate => {
                    Cell::Kind("mate", "mate can be forced, if it can be afforded".to_owned())
                }
                Way::Exhaustion => Cell::Kind("exhaustion", "by exhaustion only".to_owned()),
            };
            let placements = self.share(*count, *to_move);
            ways.row([(*to_move).into(), (*winner).into(), way, placements, Cell::text(fen)]);
        }
        ways
    }

    fn longest(&self) -> Listing {
        let columns = [
            ("to_move", "to move"),
            ("mating_side", "mating side"),
            ("plies", "moves (plies)"),
            ("example", "example"),
        ];
        let mut longest =
            Listing::new("longest_mates", "Longest forced mates, passing allowed", columns);
        for ((to_move, side), extreme) in &self.longest {
            if let Some((plies, fen)) = &extreme.0 {
                let plies = Cell::Plies((*plies).into());
                longest.row([(*to_move).into(), (*side).into(), plies, Cell::text(fen)]);
            }
        }
        longest
    }

    fn least(&self) -> Listing {
        let mut least = Listing::new(
            "least_vitality",
            "Least vitality with which the winner still wins",
            ["to_move", "winner", "least_vitality", "placements", "example"],
        );
        for (((to_move, winner), vitality), (count, fen)) in &self.least {
            least.row([
                (*to_move).into(),
                (*winner).into(),
                Cell::Count((*vitality).into()),
                self.share(*count, *to_move),
                Cell::text(fen),
            ]);
        }
        least
    }

    fn only_passes(&self) -> Listing {
        let mut passes = Listing::new(
            "only_pass_wins",
            "A pass is the only turn that wins",
            ["to_move", "role", "placements", "example"],
        );
        for color in Color::ALL {
            for (high, key, name) in [(true, "high", "High"), (false, "low", "Low")] {
                let (count, fen) = self.only_pass.get(&(color, high)).cloned().unwrap_or_default();
                let role = Cell::Kind(key, name.to_owned());
                let example = Some(fen).filter(|fen| !fen.is_empty()).into();
                passes.row([color.into(), role, self.share(count, color), example]);
            }
        }
        passes
    }
}

/// Whether passing wins for the side to move and nothing else does.
fn passing_alone_wins(
    tables: &Tablebase<High>,
    position: &HighPosition,
) -> Result<bool, ProbeError> {
    let game = tables.game();
    let mover = position.setup.to_move;
    let mut pass_wins = false;
    // Passing first: if it does not win, there is no need to look at the rest.
    for turn in game.turns(position).into_iter().rev() {
        let after = game.play(position, turn);
        let answer = tables.answer(&after)?;
        let worth = game.backup(position, &[(turn, answer)]);
        let wins = worth.staircase.winner(position.vitality) == mover;
        match turn {
            HighTurn::Pass => pass_wins = wins,
            HighTurn::Move(_) if wins => return Ok(false),
            HighTurn::Move(_) => {}
        }
        if !pass_wins {
            return Ok(false);
        }
    }
    Ok(pass_wins)
}
