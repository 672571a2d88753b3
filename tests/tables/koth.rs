//! King of the Hill against the rules, and against a solver over another program's moves.

use std::collections::BTreeMap;

use finale::{answer::Wdl, ordinary::Variant};

use crate::common::{built, rows, side};

/// The tables of the facts.
const SOLVED: [&str; 7] = ["KvK", "KQvK", "KRvK", "KBvK", "KNvK", "KPvK", "KRvKR"];

#[test]
fn tables_with_captures_both_ways_and_en_passant_follow_from_the_rules() {
    built(Variant::koth(), &["KRvKB"]).verify();
}

#[test]
fn counts_and_samples_are_those_of_another_solver() {
    let built = built(Variant::koth(), &SOLVED);
    built.compare(include_str!("../data/koth/samples.tsv"));
    for row in rows(include_str!("../data/koth/facts.tsv")).filter(|row| row[2] == "on") {
        // table, turn, game, placements, wins, draws, losses, plies of wins, plies of losses, …
        let turn = side(row[1]);
        let mut results = [0; 3];
        let mut plies = [BTreeMap::new(), BTreeMap::new(), BTreeMap::new()];
        for ((to_move, _, answer), count) in built.counts(row[0], |_| Vec::new()) {
            if to_move == turn {
                results[answer.wdl as usize] += count;
                if let Some(dtm) = answer.dtm {
                    *plies[answer.wdl as usize].entry(dtm).or_insert(0) += count;
                }
            }
        }
        let name = format!("{} {}", row[0], row[1]);
        let expected = [6, 5, 4].map(|column: usize| row[column].parse::<u64>().expect("a count"));
        assert_eq!(results, expected, "losses, draws and wins of {name}");
        let shown = |wdl: Wdl| match &plies[wdl as usize] {
            plies if plies.is_empty() => "-".to_owned(),
            plies => {
                let pairs = plies.iter().map(|(plies, count)| format!("{plies}:{count}"));
                pairs.collect::<Vec<_>>().join(" ")
            }
        };
        assert_eq!(shown(Wdl::Win), row[7], "plies of wins of {name}");
        assert_eq!(shown(Wdl::Loss), row[8], "plies of losses of {name}");
    }
}
