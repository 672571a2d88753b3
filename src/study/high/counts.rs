//! What students of High Chess ask of a whole table, at one pair of vitalities.

use std::collections::BTreeMap;

use serde_json::json;

use crate::{
    answer::{Distance, Distances, HighAnswer, Plies},
    board::{ByColor, Color},
    index::Material,
    probe::{ProbeError, Tablebase},
    progress::Progress,
    rules::{Game, High, HighEnding, HighPosition, HighTurn},
    study::{
        Cell, Listing, Report, Study,
        tally::{Tally, merge_each},
    },
};

use super::verdict::Verdict;

/// Counts all positions of a table at these vitalities, White's first.
pub(super) fn report(
    tables: &Tablebase<High>,
    material: &Material,
    vitality: ByColor<u8>,
    progress: &dyn Progress,
) -> Result<Report, ProbeError> {
    let counts = tables.tally(
        material,
        progress,
        HighCounts::default,
        |counts, position, answer, weight| {
            let position = HighPosition { vitality, ..position.clone() };
            counts.add(tables, &position, answer, weight)?;
            for (_, position) in tables.game().in_passing(&position) {
                let answer = tables.answer(&position)?;
                counts.add_passing(&position, &answer, weight);
            }
            Ok(())
        },
        HighCounts::merge,
    )?;
    Ok(counts.report(material, vitality))
}

/// How a game is won by best play.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Way {
    /// By mate.
    Mate,
    /// By exhaustion, which is quicker than the mate that can be forced.
    QuickerExhaustion,
    /// By exhaustion, for no mate can be forced.
    Exhaustion,
    /// Without distances: a mate can be forced, and the winner's vitality is sure to last for it.
    SafeMate,
    /// Without distances: a mate can be forced, if it can be afforded.
    UnsafeMate,
}

impl Way {
    fn of(position: &HighPosition, answer: &HighAnswer, winner: Color) -> Way {
        let to_move = position.setup.to_move;
        let mate = answer.mate.dtm.filter(|_| answer.mating_side(to_move) == Some(winner));
        let distance = answer.distances.as_ref().map(|d| d.at(position.vitality));
        let lasts = |plies: Plies| u16::from(position.vitality[winner]) >= plies.moves();
        match (distance, mate) {
            (Some(distance), _) if is_mate(distance, to_move) => Way::Mate,
            (Some(_), Some(_)) => Way::QuickerExhaustion,
            (None, Some(plies)) if lasts(plies) => Way::SafeMate,
            (None, Some(_)) => Way::UnsafeMate,
            (_, None) => Way::Exhaustion,
        }
    }

    fn cell(self) -> Cell {
        let (key, words) = match self {
            Way::Mate => ("by_mate", "by mate"),
            Way::QuickerExhaustion => {
                ("quicker_exhaustion", "by exhaustion, though mate can be forced")
            }
            Way::Exhaustion => ("exhaustion", "by exhaustion only"),
            Way::SafeMate => ("safe_mate", "mate can be forced, and surely afforded"),
            Way::UnsafeMate => ("mate", "mate can be forced, if it can be afforded"),
        };
        Cell::Kind(key, words.to_owned())
    }
}

fn is_mate(distance: Distance, to_move: Color) -> bool {
    matches!(distance.ending(to_move), HighEnding::Checkmate { .. })
}

/// The largest number met, with how many placements have it.
#[derive(Clone, Debug, Default)]
struct Longest {
    plies: Plies,
    tally: Tally,
}

impl Longest {
    fn meet(&mut self, plies: Plies, weight: u64, fen: impl FnOnce() -> String) {
        if plies > self.plies {
            *self = Longest { plies, tally: Tally::default() };
        }
        if plies == self.plies {
            self.tally.add(weight, fen);
        }
    }

    fn merge(&mut self, other: Longest) {
        match self.plies.cmp(&other.plies) {
            std::cmp::Ordering::Less => *self = other,
            std::cmp::Ordering::Equal => self.tally.merge(other.tally),
            std::cmp::Ordering::Greater => {}
        }
    }

    fn cells(self, of: u64) -> [Cell; 3] {
        let [count, example] = self.tally.cells(of);
        [Cell::Plies(self.plies.0.into()), count, example]
    }
}

/// The side to move and the winner.
type Sides = (Color, Color);

#[derive(Clone, Debug, Default)]
struct HighCounts {
    positions: BTreeMap<Color, u64>,
    wins: BTreeMap<Sides, u64>,
    passing: BTreeMap<Color, u64>,
    passing_wins: BTreeMap<Sides, u64>,
    ways: BTreeMap<(Sides, Way), Tally>,
    /// By how the game ends, too.
    longest: BTreeMap<(Sides, bool), Longest>,
    /// By the least vitality of the loser at which the winner mates and does not exhaust.
    plans: BTreeMap<(Sides, u8), Tally>,
    mates: BTreeMap<Sides, Longest>,
    least: BTreeMap<(Sides, u8), Tally>,
    /// Whoever is to move would rather not be; by whether the winner changes.
    zugzwangs: BTreeMap<bool, Tally>,
    /// No turn is as good as a pass; by the side to move and whether it is High.
    best_pass: BTreeMap<(Color, bool), Tally>,
    /// No turn but a pass wins.
    only_pass: BTreeMap<(Color, bool), Tally>,
    with_distances: bool,
}

impl HighCounts {
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
        let winner = answer.staircase.winner(position.vitality);
        let key = (to_move, winner);
        *self.wins.entry(key).or_default() += weight;
        let least = answer.staircase.least(position.vitality);
        self.least.entry((key, least)).or_default().add(weight, fen);
        let way = Way::of(position, answer, winner);
        self.ways.entry((key, way)).or_default().add(weight, fen);
        if let (Some(side), Some(plies)) = (answer.mating_side(to_move), answer.mate.dtm) {
            self.mates.entry((to_move, side)).or_default().meet(plies, weight, fen);
        }
        let high = High::high(&position.setup.board) == to_move;
        if winner == to_move && passing_alone_wins(tables, position)? {
            self.only_pass.entry((to_move, high)).or_default().add(weight, fen);
        }
        let Some(distances) = &answer.distances else { return Ok(()) };
        let distance = distances.at(position.vitality);
        // That of mated positions is always known.
        self.with_distances |= distance.plies > Plies::ZERO;
        let ending = (key, is_mate(distance, to_move));
        self.longest.entry(ending).or_default().meet(distance.plies, weight, fen);
        if let Some(vitality) = plan_changes(distances, position, winner) {
            self.plans.entry((key, vitality)).or_default().add(weight, fen);
        }
        if position.setup.in_check(to_move) {
            return Ok(());
        }
        if pass_is_best(tables, position, distance)? {
            self.best_pass.entry((to_move, high)).or_default().add(weight, fen);
        }
        // Seen once, from White's side.
        if to_move == Color::White {
            let passed = HighPosition { setup: position.setup.pass(), ..position.clone() };
            let passed = tables.answer(&passed)?.distances.map(|d| d.at(position.vitality));
            if let Some(changes) = passed.and_then(|passed| zugzwang(distance, passed)) {
                self.zugzwangs.entry(changes).or_default().add(weight, fen);
            }
        }
        Ok(())
    }

    fn add_passing(&mut self, position: &HighPosition, answer: &HighAnswer, weight: u64) {
        let to_move = position.setup.to_move;
        *self.passing.entry(to_move).or_default() += weight;
        let winner = answer.staircase.winner(position.vitality);
        *self.passing_wins.entry((to_move, winner)).or_default() += weight;
    }

    fn merge(&mut self, other: HighCounts) {
        merge_each(&mut self.positions, other.positions, |sum, n| *sum += n);
        merge_each(&mut self.wins, other.wins, |sum, n| *sum += n);
        merge_each(&mut self.passing, other.passing, |sum, n| *sum += n);
        merge_each(&mut self.passing_wins, other.passing_wins, |sum, n| *sum += n);
        merge_each(&mut self.ways, other.ways, Tally::merge);
        merge_each(&mut self.longest, other.longest, Longest::merge);
        merge_each(&mut self.plans, other.plans, Tally::merge);
        merge_each(&mut self.mates, other.mates, Longest::merge);
        merge_each(&mut self.least, other.least, Tally::merge);
        merge_each(&mut self.zugzwangs, other.zugzwangs, Tally::merge);
        merge_each(&mut self.best_pass, other.best_pass, Tally::merge);
        merge_each(&mut self.only_pass, other.only_pass, Tally::merge);
        self.with_distances |= other.with_distances;
    }

    fn report(mut self, material: &Material, vitality: ByColor<u8>) -> Report {
        let mut sections = vec![self.wins(), self.ways()];
        if self.with_distances {
            sections.extend([self.longest(), self.plans(), self.zugzwangs()]);
        }
        sections.extend([self.mates(), self.least()]);
        if self.with_distances {
            let passes = std::mem::take(&mut self.best_pass);
            sections.push(self.passes("best_pass", "No turn is as good as a pass", passes));
        }
        let passes = std::mem::take(&mut self.only_pass);
        sections.push(self.passes("only_pass_wins", "A pass is the only turn that wins", passes));
        let ByColor { white, black } = vitality;
        let mut report = Report::new(format!("{material} at {white}+{black}"), sections);
        report.at.insert("vitality".to_owned(), json!(vitality));
        report
    }

    /// How many placements have this side to move.
    fn all(&self, to_move: Color) -> u64 {
        self.positions.get(&to_move).copied().unwrap_or(0)
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

    fn ways(&mut self) -> Listing {
        let columns = ["to_move", "winner", "way", "placements", "example"];
        let mut ways = Listing::new("how_won", "How it is won", columns);
        for ((key, way), tally) in std::mem::take(&mut self.ways) {
            ways.row(
                names(key).into_iter().chain([way.cell()]).chain(tally.cells(self.all(key.0))),
            );
        }
        ways
    }

    fn longest(&mut self) -> Listing {
        let columns = [
            ("to_move", "to move"),
            ("winner", "winner"),
            ("by", "by"),
            ("plies", "moves (plies)"),
            ("placements", "placements"),
            ("example", "example"),
        ];
        let mut longest = Listing::new("longest_wins", "Longest wins", columns);
        for ((key, by_mate), most) in std::mem::take(&mut self.longest) {
            let by = if by_mate { "mate" } else { "exhaustion" };
            let by = Cell::Kind(by, by.to_owned());
            longest.row(names(key).into_iter().chain([by]).chain(most.cells(self.all(key.0))));
        }
        longest
    }

    fn plans(&mut self) -> Listing {
        let mut plans = Listing::new(
            "plan_changes",
            "The loser's vitality from which on mate is quicker than exhaustion",
            ["to_move", "winner", "vitality", "placements", "example"],
        );
        for ((key, vitality), tally) in std::mem::take(&mut self.plans) {
            let vitality = Cell::Count(vitality.into());
            plans.row(names(key).into_iter().chain([vitality]).chain(tally.cells(self.all(key.0))));
        }
        plans
    }

    fn zugzwangs(&mut self) -> Listing {
        let mut zugzwangs = Listing::new(
            "mutual_zugzwangs",
            "Mutual zugzwangs (either side would gain more than a ply if the other moved)",
            ["at_stake", "placements", "example"],
        );
        for (changes, key, words) in [(true, "winner", "who wins"), (false, "plies", "how soon")] {
            let tally = self.zugzwangs.remove(&changes).unwrap_or_default();
            let stake = Cell::Kind(key, words.to_owned());
            zugzwangs.row([stake].into_iter().chain(tally.cells(self.all(Color::White))));
        }
        zugzwangs
    }

    fn mates(&mut self) -> Listing {
        let columns = [
            ("to_move", "to move"),
            ("mating_side", "mating side"),
            ("plies", "moves (plies)"),
            ("placements", "placements"),
            ("example", "example"),
        ];
        let title = "Longest forced mates, passing allowed and vitality aside";
        let mut mates = Listing::new("longest_mates", title, columns);
        for (key, longest) in std::mem::take(&mut self.mates) {
            mates.row(names(key).into_iter().chain(longest.cells(self.all(key.0))));
        }
        mates
    }

    fn least(&mut self) -> Listing {
        let mut least = Listing::new(
            "least_vitality",
            "Least vitality with which the winner still wins",
            ["to_move", "winner", "least_vitality", "placements", "example"],
        );
        for ((key, vitality), tally) in std::mem::take(&mut self.least) {
            let vitality = Cell::Count(vitality.into());
            least.row(names(key).into_iter().chain([vitality]).chain(tally.cells(self.all(key.0))));
        }
        least
    }

    fn passes(
        &self,
        key: &'static str,
        title: &str,
        mut counts: BTreeMap<(Color, bool), Tally>,
    ) -> Listing {
        let mut passes = Listing::new(key, title, ["to_move", "role", "placements", "example"]);
        for color in Color::ALL {
            for (high, key, name) in [(true, "high", "High"), (false, "low", "Low")] {
                let tally = counts.remove(&(color, high)).unwrap_or_default();
                let role = Cell::Kind(key, name.to_owned());
                passes.row([color.into(), role].into_iter().chain(tally.cells(self.all(color))));
            }
        }
        passes
    }
}

fn names((to_move, winner): Sides) -> [Cell; 2] {
    [to_move.into(), winner.into()]
}

/// The least vitality of the loser at which the winner mates, where it exhausts a loser with a
/// point less, all other things being equal.
fn plan_changes(distances: &Distances, position: &HighPosition, winner: Color) -> Option<u8> {
    let at = |points: u8| {
        let mut vitality = position.vitality;
        vitality[!winner] = points;
        let distance = distances.at(vitality);
        (distance.winner == winner).then(|| is_mate(distance, position.setup.to_move))
    };
    (2..=distances.full()).find(|&points| at(points) == Some(true) && at(points - 1) == Some(false))
}

/// Whether whoever is to move would be better off, by more than the ply it takes, if the other
/// were, White being to move now; and whether that decides who wins.
fn zugzwang(now: Distance, other: Distance) -> Option<bool> {
    if now.winner != other.winner {
        return (now.winner == Color::Black).then_some(true);
    }
    let worse = match now.winner {
        Color::White => now.plies > other.plies.later(),
        Color::Black => now.plies.later() < other.plies,
    };
    worse.then_some(false)
}

/// Whether a pass is better than all other turns of a position this far from the end.
fn pass_is_best(
    tables: &Tablebase<High>,
    position: &HighPosition,
    distance: Distance,
) -> Result<bool, ProbeError> {
    let reaches = |turn| -> Result<bool, ProbeError> {
        let after = tables.game().play(position, turn);
        let verdict = Verdict::new(tables.game(), &after, &tables.answer(&after)?);
        let before = verdict.distance.map(|d| Distance { plies: d.plies.later(), ..d });
        Ok(before == Some(distance))
    };
    passes_alone(tables, position, reaches)
}

/// Whether passing wins for the side to move and nothing else does.
fn passing_alone_wins(
    tables: &Tablebase<High>,
    position: &HighPosition,
) -> Result<bool, ProbeError> {
    let wins = |turn| -> Result<bool, ProbeError> {
        let after = tables.game().play(position, turn);
        let verdict = Verdict::new(tables.game(), &after, &tables.answer(&after)?);
        Ok(verdict.winner == position.setup.to_move)
    };
    passes_alone(tables, position, wins)
}

/// Whether a pass does something that no other turn does.
fn passes_alone(
    tables: &Tablebase<High>,
    position: &HighPosition,
    does: impl Fn(HighTurn) -> Result<bool, ProbeError>,
) -> Result<bool, ProbeError> {
    let (passes, moves): (Vec<_>, Vec<_>) =
        tables.game().turns(position).into_iter().partition(|&turn| turn == HighTurn::Pass);
    let [pass] = passes[..] else { return Ok(false) };
    if !does(pass)? {
        return Ok(false);
    }
    for turn in moves {
        if does(turn)? {
            return Ok(false);
        }
    }
    Ok(true)
}
