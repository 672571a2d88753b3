//! What the statistics of stylish games tell in a story: margins, and where style pays.

use std::{cmp::Reverse, collections::BTreeMap};

use crate::{
    answer::Plies,
    study::{
        Remark, Report, grouped,
        remark::{Entry, list, part, positions},
        variant::moves,
    },
};

/// So many margins are told.
const MARGINS: usize = 4;

pub(super) fn remarks(report: &Report) -> Vec<Remark> {
    let mut remarks: Vec<Remark> =
        [margins(report), longest(report)].into_iter().flatten().collect();
    remarks.extend(report.entries("style").filter_map(|entry| style(&entry)));
    remarks.extend(mates(report));
    remarks
}

/// The rows of positions in which who captured last changes nothing.
fn margin_rows(report: &Report) -> impl Iterator<Item = Entry<'_>> {
    report.entries("margins").filter(|entry| ["", "nobody"].contains(&entry.kind("last_capture")))
}

/// Which margins there are.
fn margins(report: &Report) -> Option<Remark> {
    let mut counts = BTreeMap::<i64, u64>::new();
    for entry in margin_rows(report) {
        *counts.entry(entry.number("margin")).or_default() += entry.count("placements");
    }
    let all: u64 = counts.values().sum();
    let mut counts: Vec<(i64, u64)> = counts.into_iter().collect();
    counts.sort_by_key(|&(margin, count)| (Reverse(count), margin));
    let &(first, most) = counts.first()?;
    let mut parts = vec![format!("{first} in {}", part(most, all, "position"))];
    let others = counts.iter().skip(1).take(MARGINS - 1);
    parts.extend(others.map(|&(margin, count)| format!("{margin} in {}", grouped(count))));
    let more = if counts.len() > MARGINS {
        format!(", of {} margins", counts.len())
    } else {
        String::new()
    };
    Some(Remark::new(format!("White's margin is {}{more}.", list(&parts))))
}

/// The longest way to a conversion.
fn longest(report: &Report) -> Option<Remark> {
    let longest = margin_rows(report).max_by_key(|entry| entry.count("plies"))?;
    let plies = longest.count("plies");
    let text = format!(
        "The next conversion, or the end, is {} away at most, as here, where the margin is {}.",
        moves(Plies(plies as u16)),
        longest.number("margin")
    );
    (plies > 0).then_some(Remark::new(text).at(longest.text("example")?))
}

/// What a player who loves orthodox chess would not do.
fn style(entry: &Entry<'_>) -> Option<Remark> {
    let count = entry.count("placements");
    let text = format!(
        "In {} {}, to move, {}, such as this one.",
        positions(count),
        entry.words("to_move"),
        entry.words("what")
    );
    (count > 0).then_some(Remark::new(text).at(entry.text("example")?))
}

/// The mate that scores most.
fn mates(report: &Report) -> Option<Remark> {
    let best = report.entries("mates").max_by_key(|entry| entry.number("points"))?;
    let text = format!(
        "The mate that scores most brings {} {} points; it is there at once in {}, such as this one.",
        best.words("winner"),
        best.number("points"),
        positions(best.count("at_once"))
    );
    Some(Remark::new(text).at(best.text("example")?))
}
