//! Who comes out ahead how often.

use std::cmp::Reverse;

use super::words::{Mover, Outcome};
use crate::{
    board::Color,
    find::{Kind, Query, profile},
    index::Material,
    probe::{ProbeError, Tablebase},
    progress::Progress,
    study::{Remark, Scope, Study, capital, grouped, list, part},
};

/// What is asked of each position: a bit each, in this order.
const WHITE_TO_MOVE: u64 = 1;
const WINS: u64 = 1 << 1;
const DRAWS: u64 = 1 << 2;
const OVER: u64 = 1 << 3;
const CHECK: u64 = 1 << 4;

/// What becomes of the positions with a side to move.
#[derive(Clone, Debug)]
pub struct OfSide {
    pub mover: Mover,
    /// Won, drawn and lost ones, each with the first.
    results: [(u64, Option<String>); 3],
    /// Those in which the side to move is mated, with the first.
    mated: (u64, Option<String>),
}

impl OfSide {
    /// How many positions there are.
    pub fn all(&self) -> u64 {
        self.results.iter().map(|(count, _)| count).sum()
    }

    /// How many come out so.
    pub fn count(&self, result: Outcome) -> u64 {
        self.results[result as usize].0
    }

    /// The results there are, the most frequent first, each with its number and the first position.
    fn by_frequency(&self) -> Vec<(Outcome, u64, &str)> {
        let one = |result: Outcome| {
            let (count, example) = &self.results[result as usize];
            Some((result, *count, example.as_deref()?))
        };
        let mut results: Vec<_> = Outcome::ALL.into_iter().filter_map(one).collect();
        results.sort_by_key(|&(_, count, _)| Reverse(count));
        results
    }
}

/// What becomes of the positions of a table.
#[derive(Clone, Debug)]
pub struct Outcomes {
    pub sides: Vec<OfSide>,
}

impl Outcomes {
    /// Counts them in one pass.
    ///
    /// # Errors
    /// If a table is missing or damaged, or the work is stopped.
    pub fn count<G: Study>(
        tables: &Tablebase<G>,
        named: &Material,
        progress: &dyn Progress,
    ) -> Result<Outcomes, ProbeError> {
        let game = tables.game();
        let read = |text: &str| Query::condition(game, named, text).ok();
        let mut asked = vec!["to_move = white", "wins", "draws"];
        // How far the end is, where a table tells: a game that is over is at its end.
        if read("dtm = 0").is_some() {
            asked.extend(["dtm = 0", "check"]);
        }
        let scope = game.scope(named).query.and_then(read);
        let conditions: Vec<Query> = asked.into_iter().filter_map(read).collect();
        let kinds = profile(tables, named, scope.as_ref(), &conditions, progress)?;
        let equal = *named == named.swap_colors();
        let side = |side: Color| {
            let of_side = |bits: u64| (bits & WHITE_TO_MOVE != 0) == (side == Color::White);
            let sum = |is_such: &dyn Fn(u64) -> bool| {
                let mut such =
                    kinds.iter().filter(|&(&bits, _)| of_side(bits) && is_such(bits)).peekable();
                let example = such.peek().map(|(_, Kind { example, .. })| example.clone());
                (such.map(|(_, kind)| kind.placements).sum::<u64>(), example)
            };
            let results =
                [WINS, DRAWS, 0].map(|result| sum(&|bits| bits & (WINS | DRAWS) == result));
            let mated = sum(&|bits| bits & (WINS | DRAWS | OVER | CHECK) == OVER | CHECK);
            OfSide { mover: Mover::Side(side), results, mated }
        };
        let mut sides: Vec<OfSide> =
            Color::ALL.into_iter().map(side).filter(|side| side.all() > 0).collect();
        if let ([only], true) = (&mut sides[..], equal) {
            only.mover = Mover::Either;
        }
        Ok(Outcomes { sides })
    }

    /// How many positions there are if all of them are drawn.
    pub fn all_drawn(&self) -> Option<u64> {
        let all = self.all();
        (self.sides.iter().map(|side| side.count(Outcome::Draw)).sum::<u64>() == all).then_some(all)
    }

    /// How many positions there are.
    pub fn all(&self) -> u64 {
        self.sides.iter().map(OfSide::all).sum()
    }

    /// A sentence for each side to move, and one for mates.
    pub fn remarks(&self, scope: &Scope) -> Vec<Remark> {
        let mut remarks: Vec<Remark> =
            self.sides.iter().map(|side| remark(side, scope.by_points)).collect();
        if let (Some(when), Some(first)) = (&scope.when, remarks.first_mut()) {
            first.text = format!("{when} {}", lower_whoever(&first.text));
        }
        remarks.extend(self.sides.iter().filter_map(mated));
        remarks
    }
}

fn lower_whoever(text: &str) -> String {
    text.strip_prefix("Whoever").map_or_else(|| text.to_owned(), |rest| format!("whoever{rest}"))
}

/// `White, to move, wins 300 of 500 positions (60.0%) and draws 200, such as this one.`
fn remark(side: &OfSide, by_points: bool) -> Remark {
    let (all, results) = (side.all(), side.by_frequency());
    let parts = results.iter().enumerate().map(|(place, &(result, count, _))| {
        let verb = result.verb(by_points);
        match place {
            0 => format!("{verb} {}", part(count, all, "position")),
            _ => format!("{verb} {}", grouped(count)),
        }
    });
    let text = format!("{} {}", side.mover.words(), list(&parts.collect::<Vec<_>>()));
    match &results[..] {
        [] | [_] => Remark::new(text + "."),
        [.., (_, _, example)] => Remark::new(text + ", such as this one.").at(*example),
    }
}

/// In how many positions a side is mated.
fn mated(side: &OfSide) -> Option<Remark> {
    let (count, example) = &side.mated;
    let who = capital(&side.mover.name());
    let lost = side.count(Outcome::Loss);
    let text = format!("{who} is mated in {}, such as this one.", of_losses(*count, lost));
    Some(Remark::new(text).at(example.as_deref()?))
}

fn of_losses(count: u64, lost: u64) -> String {
    match count == lost {
        true if count == 1 => "the only position it loses".to_owned(),
        true => format!("all {} positions it loses", grouped(count)),
        false => format!("{} of the {} positions it loses", grouped(count), grouped(lost)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn side(mover: Mover, counts: [u64; 3], mates: u64) -> OfSide {
        let with_example = |(count, fen): (u64, &str)| (count, (count > 0).then(|| fen.to_owned()));
        let [win, draw, loss] = counts;
        let results = [(win, "won"), (draw, "drawn"), (loss, "lost")].map(with_example);
        OfSide { mover, results, mated: with_example((mates, "mated")) }
    }

    #[test]
    fn results_are_told_with_the_rarest_as_the_example() {
        let (white, black) = (Mover::Side(Color::White), Mover::Side(Color::Black));
        for (side, by_points, text, fen) in [
            (side(white, [12, 0, 0], 0), false, "White, to move, wins all 12 positions.", None),
            (
                side(black, [0, 100, 900], 0),
                false,
                "Black, to move, loses 900 of 1,000 positions (90.0%) and draws 100, such as this one.",
                Some("drawn"),
            ),
            (
                side(white, [5, 3, 2], 0),
                true,
                "White, to move, comes out ahead in 5 of 10 positions (50.0%), comes out level in 3 and \
                 comes out behind in 2, such as this one.",
                Some("lost"),
            ),
            (
                side(Mover::Either, [1, 0, 0], 0),
                false,
                "Whoever is to move wins the only position.",
                None,
            ),
        ] {
            let remark = remark(&side, by_points);
            assert_eq!((&*remark.text, remark.fen.as_deref()), (text, fen));
        }
    }

    #[test]
    fn mates_are_told_of_those_who_are_mated() {
        let black = Mover::Side(Color::Black);
        let text = |counts, mates| mated(&side(black, counts, mates)).map(|remark| remark.text);
        assert_eq!(
            text([0, 5, 1_900], 360).as_deref(),
            Some("Black is mated in 360 of the 1,900 positions it loses, such as this one.")
        );
        assert_eq!(
            text([9, 0, 1], 1).as_deref(),
            Some("Black is mated in the only position it loses, such as this one.")
        );
        assert_eq!(text([5, 0, 0], 0), None);
    }
}
