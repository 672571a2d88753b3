//! What the exceptions of a table have in common: where one result is the rule.

use std::collections::BTreeMap;

use super::{
    outcome::{OfSide, Outcomes},
    predicates::{Predicate, predicates},
    words::{Mover, Outcome, either},
};
use crate::{
    find::{Kind, Query, profile},
    index::Material,
    probe::{ProbeError, Tablebase},
    progress::Progress,
    study::{Remark, Study, grouped},
};

/// A result is the rule if no more than one position in so many has another.
const RULE: u64 = 10;

/// What all exceptions have is worth telling if at most half of the other positions have it, too.
const COMMON: u64 = 2;

/// What most exceptions have is worth telling if it is so many times as frequent among them as
/// elsewhere.
const MORE_FREQUENT: u64 = 5;

/// So many conditions, or pairs of them, are counted among the other positions.
const CANDIDATES: usize = 16;

/// A sentence for each side to move that has exceptions with something in common.
///
/// # Errors
/// If a table is missing or damaged, or the work is stopped.
pub fn remarks<G: Study>(
    tables: &Tablebase<G>,
    named: &Material,
    outcomes: &Outcomes,
    progress: &dyn Progress,
) -> Result<Vec<Remark>, ProbeError> {
    let mut remarks = Vec::new();
    for side in &outcomes.sides {
        if let Some(rule) = rule(side) {
            remarks.extend(common(tables, named, side, rule, progress)?);
        }
    }
    Ok(remarks)
}

/// The result that is the rule but for some exceptions.
fn rule(side: &OfSide) -> Option<Outcome> {
    let all = side.all();
    let is_rule = |&result: &Outcome| {
        let others = all - side.count(result);
        others > 0 && others * RULE <= all
    };
    Outcome::ALL.into_iter().find(is_rule)
}

/// Conditions of which one is true: one, or either of two.
#[derive(Clone, PartialEq, Eq, Debug)]
struct Candidate {
    places: Vec<usize>,
    /// How many exceptions fulfil it.
    exceptions: u64,
    example: String,
}

/// What the exceptions of a side have in common.
fn common<G: Study>(
    tables: &Tablebase<G>,
    named: &Material,
    side: &OfSide,
    rule: Outcome,
    progress: &dyn Progress,
) -> Result<Option<Remark>, ProbeError> {
    let game = tables.game();
    let scope = [game.scope(named).query.map(str::to_owned), side.mover.query()];
    let with = |last: &str| {
        let all = scope.iter().flatten().cloned().chain([last.to_owned()]);
        all.collect::<Vec<_>>().join(" and ")
    };
    let read = |text: &str| Query::condition(game, named, text).ok();
    let exceptions = with(&format!("not {}", rule.query()));
    let asked = predicates(game, named, side.mover);
    let conditions: Vec<Query> = asked.iter().filter_map(|one| read(&one.query)).collect();
    let (Some(among), Some(others)) = (read(&exceptions), read(&with(rule.query()))) else {
        return Ok(None);
    };
    let kinds = profile(tables, named, Some(&among), &conditions, progress)?;
    let all: u64 = kinds.values().map(|kind| kind.placements).sum();
    let candidates = candidates(&kinds, asked.len(), all);
    let query_of = |candidate: &Candidate| {
        either(candidate.places.iter().map(|&place| in_brackets(&asked[place].query)).collect())
    };
    let asked_of_others: Vec<Query> =
        candidates.iter().filter_map(|candidate| read(&query_of(candidate))).collect();
    if asked_of_others.is_empty() {
        return Ok(None);
    }
    let elsewhere = profile(tables, named, Some(&others), &asked_of_others, progress)?;
    let met = |place: usize| -> u64 {
        let with_it = elsewhere.iter().filter(|(bits, _)| *bits >> place & 1 == 1);
        with_it.map(|(_, kind)| kind.placements).sum()
    };
    let other_positions: u64 = elsewhere.values().map(|kind| kind.placements).sum();
    let counted: Vec<(&Candidate, u64)> =
        candidates.iter().enumerate().map(|(place, candidate)| (candidate, met(place))).collect();
    let Some((best, met)) = most_telling(&counted, all, other_positions) else { return Ok(None) };
    let words = words_of(best, &asked);
    let text = sentence(
        &Counted { all, having: best.exceptions, met, others: other_positions },
        side,
        rule,
        &words,
    );
    let query = format!("{exceptions} and {}", query_of(best));
    Ok(Some(Remark::new(text).at(&best.example).found_by(query)))
}

/// A condition by itself needs none.
fn in_brackets(query: &str) -> String {
    let is_one = !query.contains(" and ") && !query.contains(" or ");
    let is_bracketed = query.starts_with('(') && query.ends_with(')');
    if is_one || is_bracketed { query.to_owned() } else { format!("({query})") }
}

fn words_of(candidate: &Candidate, asked: &[Predicate]) -> String {
    let words: Vec<&str> = candidate.places.iter().map(|&place| &*asked[place].words).collect();
    words.join(", or ")
}

/// What may be told: all that every exception fulfils; else pairs of which each fulfils one, and
/// single conditions that most fulfil.
fn candidates(kinds: &BTreeMap<u64, Kind>, conditions: usize, all: u64) -> Vec<Candidate> {
    let candidate = |places: Vec<usize>| {
        let bits: u64 = places.iter().map(|&place| 1 << place).sum();
        let having = || kinds.iter().filter(move |(met, _)| *met & bits != 0);
        let exceptions = having().map(|(_, kind)| kind.placements).sum();
        let example = having().next().map(|(_, kind)| kind.example.clone());
        Some(Candidate { places, exceptions, example: example? })
    };
    let singles: Vec<Candidate> =
        (0..conditions).filter_map(|place| candidate(vec![place])).collect();
    let whole: Vec<Candidate> =
        singles.iter().filter(|one| one.exceptions == all).cloned().collect();
    if !whole.is_empty() {
        return whole.into_iter().take(CANDIDATES).collect();
    }
    let pairs = (0..conditions).flat_map(|a| (a + 1..conditions).map(move |b| vec![a, b]));
    let mut pairs: Vec<Candidate> =
        pairs.filter_map(candidate).filter(|pair| pair.exceptions == all).collect();
    // Those that say least beyond what is needed first: each exception has one of the two.
    let overlap = |pair: &Candidate| -> u64 {
        pair.places.iter().map(|&place| single_count(&singles, place)).sum()
    };
    pairs.sort_by_key(overlap);
    let mut most: Vec<Candidate> =
        singles.iter().filter(|one| one.exceptions * 2 >= all).cloned().collect();
    most.sort_by_key(|one| std::cmp::Reverse(one.exceptions));
    pairs.into_iter().take(CANDIDATES / 2).chain(most.into_iter().take(CANDIDATES / 2)).collect()
}

fn single_count(singles: &[Candidate], place: usize) -> u64 {
    singles.iter().find(|one| one.places == [place]).map_or(0, |one| one.exceptions)
}

/// What says most of the exceptions: true of all of them and seldom elsewhere; else true of most
/// and much more often than elsewhere.
fn most_telling<'c>(
    counted: &[(&'c Candidate, u64)],
    all: u64,
    others: u64,
) -> Option<(&'c Candidate, u64)> {
    let whole = counted.iter().filter(|(candidate, _)| candidate.exceptions == all);
    let best = whole.min_by_key(|(candidate, met)| (*met, candidate.places.len()));
    if let Some(&(candidate, met)) = best.filter(|(_, met)| *met * COMMON <= others) {
        return Some((candidate, met));
    }
    let frequent = |&&(candidate, met): &&(&Candidate, u64)| {
        let (here, there) = (
            u128::from(candidate.exceptions) * u128::from(others),
            u128::from(met) * u128::from(all),
        );
        here >= u128::from(MORE_FREQUENT) * there && candidate.exceptions < all
    };
    counted.iter().filter(frequent).max_by_key(|(candidate, _)| candidate.exceptions).copied()
}

/// The numbers of a sentence about exceptions.
struct Counted {
    /// Exceptions.
    all: u64,
    /// Those of them that have what is told.
    having: u64,
    /// Other positions that have it.
    met: u64,
    /// Other positions.
    others: u64,
}

/// `All 22,244 positions that Black, to move, does not lose have the Rook attacked, as have 300 of
/// the 201,700 others.`
fn sentence(counted: &Counted, side: &OfSide, rule: Outcome, words: &str) -> String {
    let Counted { all, having, met, others } = *counted;
    let verb = match rule {
        Outcome::Win => "win",
        Outcome::Draw => "draw",
        Outcome::Loss => "lose",
    };
    let who = match side.mover {
        Mover::Side(_) => side.mover.words(),
        Mover::Either => side.mover.name(),
    };
    let that = format!("that {who} does not {verb}");
    let (subject, have) = match (all, having) {
        (1, _) => (format!("The only position {that}"), "has"),
        (all, having) if all == having => {
            (format!("All {} positions {that}", grouped(all)), "have")
        }
        (_, 1) => (format!("Of the {} positions {that}, 1", grouped(all)), "has"),
        _ => (format!("Of the {} positions {that}, {}", grouped(all), grouped(having)), "have"),
    };
    let rest = match met {
        0 => format!("which none of the {} others has", grouped(others)),
        1 => format!("as has 1 of the {} others", grouped(others)),
        _ => format!("as have {} of the {} others", grouped(met), grouped(others)),
    };
    format!("{subject} {have} {words}, {rest}.")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kinds(all: &[(u64, u64)]) -> BTreeMap<u64, Kind> {
        let kind = |&(bits, placements): &(u64, u64)| {
            (bits, Kind { placements, example: format!("fen {bits}") })
        };
        all.iter().map(kind).collect()
    }

    #[test]
    fn what_all_have_comes_before_pairs_and_what_most_have() {
        let whole = candidates(&kinds(&[(0b011, 5), (0b001, 7)]), 3, 12);
        assert_eq!(whole.iter().map(|one| &one.places[..]).collect::<Vec<_>>(), [[0]]);
        let pairs = candidates(&kinds(&[(0b010, 5), (0b001, 7), (0b101, 1)]), 3, 13);
        let places: Vec<(&[usize], u64)> =
            pairs.iter().map(|one| (&one.places[..], one.exceptions)).collect();
        assert_eq!(places, [(&[0, 1][..], 13), (&[0][..], 8)]);
    }

    #[test]
    fn what_is_as_frequent_elsewhere_is_not_told() {
        let one = |exceptions| Candidate { places: vec![0], exceptions, example: String::new() };
        let (whole, most) = (one(10), one(8));
        assert_eq!(most_telling(&[(&whole, 50)], 10, 100), Some((&whole, 50)));
        assert_eq!(most_telling(&[(&whole, 51)], 10, 100), None);
        assert_eq!(most_telling(&[(&most, 16)], 10, 100), Some((&most, 16)));
        assert_eq!(most_telling(&[(&most, 17)], 10, 100), None);
        assert_eq!(most_telling(&[(&whole, 60), (&most, 0)], 10, 100), Some((&most, 0)));
    }
}
