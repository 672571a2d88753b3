//! Orthodox tables against the rules, published facts and samples of other programs.

use std::collections::BTreeMap;

use finale::{
    answer::{Plies, Wdl, WinDrawLoss},
    board::Color,
    progress::Silent,
    rules::Laws,
    rules::Variant,
};

use crate::common::{built, rows, side};

const THREE_MEN: [&str; 6] = ["KvK", "KQvK", "KRvK", "KBvK", "KNvK", "KPvK"];

#[test]
fn a_table_of_four_men_with_captures_both_ways_follows_from_the_rules() {
    built(Variant::orthodox(), &["KRvKB"]).verify();
}

/// `1:80 3:194`: how many placements, by plies.
fn histogram(text: &str) -> BTreeMap<Plies, u64> {
    let pair = |text: &str| {
        let (plies, count) = text.split_once(':').expect("plies, a colon and a count");
        (Plies(plies.parse().expect("plies")), count.parse().expect("a count"))
    };
    text.split(' ').filter(|&text| text != "-").map(pair).collect()
}

#[test]
fn counts_and_samples_are_those_of_another_solver() {
    let data = include_str!("../data/orthodox/facts.tsv");
    let mut materials = THREE_MEN.to_vec();
    materials.extend(["KBNvK", "KQvKR", "KPvKP"]);
    let built = built(Variant::orthodox(), &materials);
    built.compare(include_str!("../data/orthodox/samples.tsv"));
    let pawns = built.tables.verify(&"KPvKP".parse().expect("a material"), &Silent);
    assert_eq!(pawns.expect("the tables are whole").wrong, 0);

    for material in materials {
        let counts = built.counts(material, |setup| setup.passing_variants(&Laws::ORTHODOX));
        for row in rows(data).filter(|row| row[0] == material) {
            let (turn, passing) = (side(row[1]), row[2] == "ep");
            let mut wdl = BTreeMap::from([(Wdl::Win, 0), (Wdl::Draw, 0), (Wdl::Loss, 0)]);
            let mut plies =
                BTreeMap::from([(Wdl::Win, BTreeMap::new()), (Wdl::Loss, BTreeMap::new())]);
            for ((to_move, en_passant, answer), count) in &counts {
                if (*to_move, *en_passant) == (turn, passing) {
                    *wdl.get_mut(&answer.wdl).expect("all three") += count;
                    if let (Some(plies), Some(dtm)) = (plies.get_mut(&answer.wdl), answer.dtm) {
                        *plies.entry(dtm).or_default() += count;
                    }
                }
            }
            let name = format!("{material} {} {}", row[1], row[2]);
            let number = |column: usize| row[column].parse::<u64>().expect("a count");
            assert_eq!(wdl.values().sum::<u64>(), number(3), "placements of {name}");
            assert_eq!(wdl[&Wdl::Win], number(4), "wins of {name}");
            assert_eq!(wdl[&Wdl::Draw], number(5), "draws of {name}");
            assert_eq!(wdl[&Wdl::Loss], number(6), "losses of {name}");
            assert_eq!(plies[&Wdl::Win], histogram(row[7]), "plies of wins of {name}");
            assert_eq!(plies[&Wdl::Loss], histogram(row[8]), "plies of losses of {name}");
        }
    }
}

#[test]
fn longest_wins_are_the_published_ones() {
    let moves =
        [("KQvK", 10), ("KRvK", 16), ("KBBvK", 19), ("KBNvK", 33), ("KPvK", 28), ("KQvKR", 35)];
    let built = built(Variant::orthodox(), &moves.map(|(material, _)| material));
    for (material, moves) in moves {
        let counts = built.counts(material, |_| Vec::new());
        let wins = counts.keys().filter_map(|(to_move, _, answer)| match answer {
            WinDrawLoss { wdl: Wdl::Win, dtm } if *to_move == Color::White => *dtm,
            _ => None,
        });
        assert_eq!(wins.max().map(|plies| plies.moves()), Some(moves), "{material}");
    }
}
