//! What the statistics of Norochess tell in a story: what a move of the clock is worth, and points.

use crate::{
    board::Color,
    study::{
        Remark, Report, grouped,
        remark::{Entry, part, positions},
    },
};

/// What of a row of the clock changes.
const RESULTS: [&str; 5] = ["white", "draws", "black", "white_at_any_score", "black_at_any_score"];

pub(super) fn remarks(report: &Report) -> Vec<Remark> {
    let sides = |remark: fn(&Report, Color) -> Option<Remark>| {
        Color::ALL.into_iter().filter_map(move |side| remark(report, side))
    };
    sides(any_score).chain(sides(clock)).chain(lead(report)).chain(margin(report)).collect()
}

/// The rows of the clock with a side to move.
fn clock_of(report: &Report, side: Color) -> Vec<Entry<'_>> {
    report.entries("clock").filter(|entry| entry.kind("to_move") == side.name()).collect()
}

/// How often a side takes the last man.
fn any_score(report: &Report, side: Color) -> Option<Remark> {
    let mut won = 0;
    for to_move in Color::ALL {
        let full = clock_of(report, to_move).last().copied();
        won += full.map_or(0, |full| full.count(&format!("{}_at_any_score", side.name())));
    }
    (won > 0).then(|| {
        Remark::new(format!(
            "{side} can take the last man in time, and wins at any score, in {}.",
            positions(won)
        ))
    })
}

/// When the clock stops to matter.
fn clock(report: &Report, side: Color) -> Option<Remark> {
    let rows = clock_of(report, side);
    let full = rows.last()?;
    let is_full = |row: &&Entry<'_>| RESULTS.iter().all(|key| row.count(key) == full.count(key));
    let first = rows.len() - rows.iter().rev().take_while(is_full).count();
    let (before, settled) =
        (rows.get(first.checked_sub(1)?)?, rows.get(first)?.count("plies_left"));
    let key =
        ["white", "black", "draws"].into_iter().find(|key| before.count(key) != full.count(key))?;
    let what = match key {
        "white" => "White wins",
        "black" => "Black wins",
        _ => "nobody wins",
    };
    let text = format!(
        "With {side} to move and {settled} plies or more to go {what} {}, with {} plies to go {}.",
        positions(full.count(key)),
        settled - 2,
        grouped(before.count(key)),
    );
    Some(Remark::new(text))
}

/// The largest lead that a side needs.
fn lead(report: &Report) -> Option<Remark> {
    let needs =
        |entry: &Entry<'_>| (entry.text("win_at").is_none()).then(|| entry.number("win_at"));
    let most = report.entries("lead_needed").filter_map(|entry| Some((needs(&entry)?, entry)));
    let (lead, entry) = most.max_by_key(|&(lead, _)| lead)?;
    (lead > 1).then_some(())?;
    let those = || report.entries("lead_needed").filter(|entry| needs(entry) == Some(lead));
    let count: u64 = those().map(|entry| entry.count("placements")).sum();
    let text = format!(
        "The largest lead with which White needs to start in order to win is {lead} points, in {}, \
         such as this one.",
        positions(count)
    );
    Some(Remark::new(text).at(entry.text("example")?))
}

/// By how many points games end most often.
fn margin(report: &Report) -> Option<Remark> {
    let all: u64 = report.entries("margins").map(|entry| entry.count("placements")).sum();
    let largest = report.entries("margins").max_by_key(|entry| entry.number("margin").abs())?;
    let margin = largest.number("margin");
    let same = report.entries("margins").filter(|entry| entry.number("margin") == margin);
    let count: u64 = same.map(|entry| entry.count("placements")).sum();
    let side = if margin > 0 { Color::White } else { Color::Black };
    let points = margin.unsigned_abs();
    let text = format!(
        "When both sides play for points, {side} comes out ahead by {} at most, in {}, such as this \
         one.",
        if points == 1 { "1 point".to_owned() } else { format!("{points} points") },
        part(count, all, "position")
    );
    (margin != 0).then_some(Remark::new(text).at(largest.text("example")?))
}
