//! What the statistics of Tiebraker Chess tell in a story, in the mode in which games begin.

use crate::{
    answer::Plies,
    study::{
        Remark, Report, grouped,
        remark::{Entry, list, part, positions},
        variant::moves,
    },
};

pub(super) fn remarks(report: &Report) -> Vec<Remark> {
    [points(report), longest(report), declaring(report), perpetuals(report)]
        .into_iter()
        .flatten()
        .collect()
}

/// The rows of a listing in the mode in which games begin.
fn normal<'r>(report: &'r Report, key: &str) -> impl Iterator<Item = Entry<'r>> + Clone + use<'r> {
    report
        .entries(key)
        .filter(|entry| entry.kind("mode") == "normal")
        .collect::<Vec<_>>()
        .into_iter()
}

/// What White gets.
fn points(report: &Report) -> Option<Remark> {
    let mut counts = std::collections::BTreeMap::<u64, u64>::new();
    for entry in normal(report, "points") {
        *counts.entry(entry.count("points")).or_default() += entry.count("placements");
    }
    let mut counts: Vec<(u64, u64)> = counts.into_iter().collect();
    counts.sort_by_key(|&(points, count)| (std::cmp::Reverse(count), points));
    let &(first, most) = counts.first()?;
    let mut parts = vec![format!("{first} points in {}", positions(most))];
    parts.extend(
        counts[1..].iter().map(|&(points, count)| format!("{points} in {}", grouped(count))),
    );
    Some(Remark::new(format!("White gets {}.", list(&parts))))
}

/// The longest way to a conversion.
fn longest(report: &Report) -> Option<Remark> {
    let longest = normal(report, "longest").max_by_key(|entry| entry.count("plies"))?;
    let plies = longest.count("plies");
    let text = format!(
        "The next conversion, or the end, is {} away at most, as here, where White gets {} points.",
        moves(Plies(plies as u16)),
        longest.count("points")
    );
    (plies > 0).then_some(Remark::new(text).at(longest.text("example")?))
}

/// How often it is good to declare.
fn declaring(report: &Report) -> Option<Remark> {
    let sum = |key: &str| report.entries("declaring").map(|entry| entry.count(key)).sum::<u64>();
    let (may, best, alone) = (sum("may_declare"), sum("best"), sum("only_best"));
    (may > 0).then_some(())?;
    let example = |key: &str| report.entries("declaring").find_map(|entry| entry.text(key));
    if best == 0 {
        return Some(Remark::new(format!(
            "Declaring is allowed in {} and never a best turn.",
            positions(may)
        )));
    }
    let text = format!(
        "Declaring is among the best turns in {} in which it is allowed, and",
        part(best, may, "position")
    );
    Some(match example("only_best_example") {
        Some(fen) => {
            let alone = grouped(alone);
            Remark::new(format!("{text} the only best turn in {alone}, such as this one.")).at(fen)
        }
        None => Remark::new(text + " never the only one."),
    })
}

/// How often perpetual check decides.
fn perpetuals(report: &Report) -> Option<Remark> {
    let entries = normal(report, "perpetual_check");
    let count: u64 = entries.clone().map(|entry| entry.count("placements")).sum();
    let longest = entries.max_by_key(|entry| entry.count("most_quiet_moves"))?;
    let text = format!("Perpetual check decides {}", positions(count));
    Some(match longest.text("example") {
        Some(fen) => Remark::new(text + ", such as this one.").at(fen),
        None => Remark::new(text + "."),
    })
}
