//! Tables of High Chess against the rules, and against counts and samples of another solver.

mod common;

use std::collections::BTreeMap;

use common::{Built, built, rows, side};
use finale::{
    progress::Silent,
    rules::{Game, High, HighPosition, RuleOptions},
    study::{Cell, Study},
};
use serde_json::json;

const THREE_MEN: [&str; 11] =
    ["KvK", "KQvK", "KRvK", "KBvK", "KNvK", "KPvK", "KvKQ", "KvKR", "KvKB", "KvKN", "KvKP"];

fn game(vitality: &str, revitalise: &str) -> High {
    let mut options = RuleOptions::none();
    options.set("vitality", Some(vitality.to_owned()));
    options.set("revitalise", Some(revitalise.to_owned()));
    High::from_options(&mut options).expect("options that exist")
}

/// Verifies all tables of three men and compares them with what another solver found.
fn check(vitality: &str, revitalise: &str, samples: &str) {
    let built = built(game(vitality, revitalise), &THREE_MEN);
    assert_eq!(built.materials.len(), THREE_MEN.len());
    built.compare(samples);
    compare_counts(&built, &format!("vitality={vitality} revitalise={revitalise}"));
    built.verify();
}

fn compare_counts(built: &Built<High>, options: &str) {
    let full = built.tables.game().vitality.points();
    let facts = include_str!("data/high/facts.tsv");
    let mut compared = 0;
    for material in THREE_MEN {
        let counts = built.counts(material, |_| Vec::new());
        for row in rows(facts).filter(|row| row[0] == material && row[2] == options) {
            let (mut placements, mut white_wins) = (0, 0);
            let mut steps: BTreeMap<String, u64> = BTreeMap::new();
            let mut mates: BTreeMap<&str, BTreeMap<String, u64>> =
                ["white", "black"].map(|side| (side, BTreeMap::new())).into();
            for ((to_move, _, answer), count) in
                counts.iter().filter(|(key, _)| key.0 == side(row[1]))
            {
                placements += count;
                if answer.staircase.at(full) == full {
                    white_wins += count;
                }
                for step in answer.staircase.steps() {
                    *steps.entry(step.to_string()).or_default() += count;
                }
                if let (Some(side), Some(plies)) = (answer.mating_side(*to_move), answer.mate.dtm) {
                    let mates = mates.get_mut(side.name()).expect("both sides");
                    *mates.entry(plies.to_string()).or_default() += count;
                }
            }
            let name = format!("{material} {} {options}", row[1]);
            let expected = |column: usize| -> serde_json::Value {
                serde_json::from_str(row[column]).expect("JSON")
            };
            assert_eq!(json!(placements), expected(3), "placements of {name}");
            assert_eq!(json!(white_wins), expected(4), "wins of White in {name}");
            assert_eq!(json!(steps), expected(5), "steps of the staircases of {name}");
            assert_eq!(json!(mates), expected(6), "mates of {name}");
            compared += 1;
        }
    }
    assert_eq!(compared, 2 * THREE_MEN.len());
}

#[test]
fn tables_of_three_men_are_right() {
    check("50", "mover", include_str!("data/high/samples.tsv"));
}

#[test]
fn tables_of_three_men_are_right_when_vital_turns_restore_both() {
    check("50", "both", include_str!("data/high/samples_both.tsv"));
}

#[test]
fn tables_of_three_men_are_right_with_little_vitality() {
    check("10", "mover", include_str!("data/high/samples_v10.tsv"));
}

#[test]
fn students_of_a_lone_bishop_learn_that_only_high_must_pass() {
    let built = built(High::default(), &["KBvK"]);
    let material = "KBvK".parse().expect("a material");
    let game = built.tables.game();
    let report = game.statistics(&built.tables, &material, &Silent).expect("the table is there");
    let passes = report.sections.last().expect("passes come last");
    let counts = |row: &Vec<Cell>| match row[2] {
        Cell::Share(count, _) => count,
        _ => panic!("the third cell counts placements"),
    };
    assert_eq!(passes.rows.iter().map(counts).collect::<Vec<_>>(), [0, 0, 232, 0]);
    let Cell::Text(example) = &passes.rows[2][3] else { panic!("an example of a pass") };
    let position = game.parse_fen(example).expect("the example is a position");
    let best = built.tables.ranked(&position).expect("the tables are there");
    assert_eq!(game.san(&position, best[0].turn), "--");
}

#[test]
fn nobody_is_better_off_without_the_move_at_equal_vitalities() {
    let built = built(High::default(), &["KBvK", "KvKN", "KPvK"]);
    let game = built.tables.game();
    for material in &built.materials {
        let worse = built.tables.tally(
            material,
            &Silent,
            || 0,
            |worse, position, answer, _| {
                let other = HighPosition { setup: position.setup.pass(), ..position.clone() };
                if let Ok(other) = game.parse_fen(&game.fen(&other)) {
                    let winner =
                        |a: &finale::answer::HighAnswer| a.staircase.winner(position.vitality);
                    let mover = position.setup.to_move;
                    let theirs = built.tables.answer(&other)?;
                    *worse += u64::from(winner(&theirs) == mover && winner(answer) != mover);
                }
                Ok(())
            },
            |all, some| *all += some,
        );
        assert_eq!(worse.expect("the tables are there"), 0, "{material}");
    }
}
