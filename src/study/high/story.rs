//! What the statistics of High Chess tell in a story: how games are won, how long it takes, and what
//! a point of vitality is worth.

use std::cmp::Reverse;

use crate::{
    answer::Plies,
    board::Color,
    study::{
        Remark, Report, grouped,
        remark::{Entry, list, positions},
        variant::moves,
    },
};

pub(super) fn remarks(report: &Report) -> Vec<Remark> {
    let longest: Vec<Remark> = in_turn(report, "longest_wins", "plies", longest);
    let least: Vec<Remark> = in_turn(report, "least_vitality", "least_vitality", least);
    let (mut longest, mut least) = (longest.into_iter(), least.into_iter());
    let first = [ways(report), least.next(), longest.next()];
    let own = [zugzwangs(report), only_pass(report)];
    first.into_iter().chain(own).flatten().chain(longest).chain(least).collect()
}

/// A sentence for each winner, first of the one with the larger number in a column.
fn in_turn(
    report: &Report,
    key: &str,
    column: &str,
    remark: fn(&Report, Color) -> Option<Remark>,
) -> Vec<Remark> {
    let most = |&winner: &Color| of(report, key, winner).map(|entry| entry.count(column)).max();
    let mut winners = Color::ALL;
    winners.sort_by_key(|winner| Reverse(most(winner)));
    winners.into_iter().filter_map(|winner| remark(report, winner)).collect()
}

/// The rows of a listing with a winner.
fn of<'r>(report: &'r Report, key: &str, winner: Color) -> std::vec::IntoIter<Entry<'r>> {
    let is_won = |entry: &Entry<'_>| entry.kind("winner") == winner.name();
    report.entries(key).filter(is_won).collect::<Vec<_>>().into_iter()
}

/// What ways there are to win, in the order in which they are told.
const WAYS: [(&str, &str); 5] = [
    ("by_mate", "by mate"),
    ("quicker_exhaustion", "by exhaustion although mate can be forced"),
    ("exhaustion", "by exhaustion only"),
    ("safe_mate", "with a mate that can surely be afforded"),
    ("mate", "with a mate if it can be afforded"),
];

/// How each side wins; the position is one of the rarest way of the side that has most ways.
fn ways(report: &Report) -> Option<Remark> {
    let mut sides: Vec<(usize, String, &str)> =
        Color::ALL.into_iter().filter_map(|winner| ways_of(report, winner)).collect();
    sides.sort_by_key(|&(ways, ..)| ways);
    let &(most, _, example) = sides.last()?;
    let clauses: Vec<&str> = sides.iter().map(|(_, clause, _)| &**clause).collect();
    let text = clauses.join("; ");
    Some(match most {
        1 => Remark::new(text + "."),
        _ => Remark::new(text + ", such as this one.").at(example),
    })
}

/// In how many ways a side wins, those in words, and a position of the rarest.
fn ways_of(report: &Report, winner: Color) -> Option<(usize, String, &str)> {
    let mut told = Vec::new();
    for (way, words) in WAYS {
        let of_way = || of(report, "how_won", winner).filter(|entry| entry.kind("way") == way);
        let count: u64 = of_way().map(|entry| entry.count("placements")).sum();
        let example = of_way().find_map(|entry| entry.text("example"));
        told.extend(example.map(|example| (count, words, example)));
    }
    told.sort_by_key(|&(count, ..)| Reverse(count));
    let &(_, rarest, example) = told.last()?;
    let all = positions(told.iter().map(|&(count, ..)| count).sum());
    let clause = match told.len() {
        1 => format!("{winner} wins {all}, always {rarest}"),
        _ => {
            let parts = told.iter().map(|(count, words, _)| format!("{} {words}", grouped(*count)));
            format!("{winner} wins {all}: {}", list(&parts.collect::<Vec<_>>()))
        }
    };
    Some((told.len(), clause, example))
}

/// How long a side needs at most.
fn longest(report: &Report, winner: Color) -> Option<Remark> {
    let wins = of(report, "longest_wins", winner);
    let longest = wins.max_by_key(|entry| entry.count("plies"))?;
    let (plies, by) = (longest.count("plies"), longest.words("by"));
    let end = if by == "mate" { "to mate" } else { "to exhaust the other side" };
    let text = format!("{winner} needs {} at most, {end}, as here.", moves(Plies(plies as u16)));
    (plies > 0).then(|| Remark::new(text).at(longest.text("example").unwrap_or_default()))
}

/// What vitality a side needs.
fn least(report: &Report, winner: Color) -> Option<Remark> {
    let wins = || of(report, "least_vitality", winner);
    let needs = |entry: &Entry<'_>| entry.count("least_vitality");
    let sum = |entries: &mut dyn Iterator<Item = Entry<'_>>| {
        entries.map(|entry| entry.count("placements")).sum::<u64>()
    };
    let all = sum(&mut wins());
    let one = sum(&mut wins().filter(|entry| needs(entry) == 1));
    let most = wins().map(|entry| needs(&entry)).max()?;
    if one == all {
        let text =
            format!("{winner} would win {} with a single point of vitality, too.", these(all));
        return Some(Remark::new(text));
    }
    let those = || wins().filter(|entry| needs(entry) == most);
    let example = those().find_map(|entry| entry.text("example"))?;
    let text = format!(
        "With a single point of vitality {winner} would win {} of the {} it wins; {} {most} points and \
         would be lost with one less, such as this one.",
        grouped(one),
        positions(all),
        match sum(&mut those()) {
            1 => "1 needs".to_owned(),
            count => format!("{} need", grouped(count)),
        }
    );
    Some(Remark::new(text).at(example))
}

/// `the only position it wins`, `all 5 positions it wins`.
fn these(count: u64) -> String {
    match count {
        1 => "the only position it wins".to_owned(),
        _ => format!("all {} it wins", positions(count)),
    }
}

/// Positions in which nobody wants to move.
fn zugzwangs(report: &Report) -> Option<Remark> {
    let entry =
        report.entries("mutual_zugzwangs").find(|entry| entry.kind("at_stake") == "winner")?;
    let count = entry.count("placements");
    (count > 0).then(|| {
        let text = format!(
            "In {} with White to move whoever is to move loses, such as this one.",
            positions(count)
        );
        Remark::new(text).at(entry.text("example").unwrap_or_default())
    })
}

/// Positions in which a pass alone wins.
fn only_pass(report: &Report) -> Option<Remark> {
    let entries = || report.entries("only_pass_wins");
    let count: u64 = entries().map(|entry| entry.count("placements")).sum();
    let example = entries().find_map(|entry| entry.text("example"))?;
    (count > 0).then(|| {
        let text =
            format!("A pass is the only turn that wins in {}, such as this one.", positions(count));
        Remark::new(text).at(example)
    })
}
