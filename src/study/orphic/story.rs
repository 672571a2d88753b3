//! What the statistics of Orphic Chess tell in a story: what a man in reserve is worth.

use crate::study::{
    Remark, Report, grouped,
    ply::plies,
    remark::{Entry, capital, counted, list, part},
    variant::{WonBy, longest},
};

pub(super) fn remarks(report: &Report) -> Vec<Remark> {
    let mut remarks = longest(report, WonBy::Mate);
    let men: Vec<Entry<'_>> =
        report.entries("drops").filter(|entry| !entry.words("man").is_empty()).collect();
    for man in men {
        let is_same = |entry: &Entry<'_>| {
            ["owner", "man"].iter().all(|key| entry.words(key) == man.words(key))
        };
        let name = format!("{}'s {}", man.words("owner"), capital(&man.words("man")));
        remarks.extend(changes(report, &is_same, &name));
        remarks.extend(pace(report, &is_same, &name));
        remarks.extend(drops(&man, &name));
    }
    remarks
}

/// How a man in reserve changes results.
fn changes(report: &Report, is_same: &dyn Fn(&Entry<'_>) -> bool, name: &str) -> Option<Remark> {
    let rows: Vec<Entry<'_>> = report.entries("in_reserve").filter(|row| is_same(row)).collect();
    let sum = |key: &str| rows.iter().map(|row| row.count(key)).sum::<u64>();
    let all = sum("placements");
    let changes = [
        ("draw_to_win", "a draw into a win"),
        ("loss_to_win", "a loss into a win"),
        ("loss_to_draw", "a loss into a draw"),
        ("win_to_draw", "a win into a draw"),
        ("win_to_loss", "a win into a loss"),
        ("draw_to_loss", "a draw into a loss"),
    ];
    let told = changes.iter().map(|(key, words)| (sum(key), words)).filter(|&(count, _)| count > 0);
    let told: Vec<String> =
        told.map(|(count, words)| format!("{words} in {}", grouped(count))).collect();
    if all == 0 || told.is_empty() {
        return None;
    }
    let text = format!(
        "Taking {name} from the board into reserve turns {} of {}.",
        list(&told),
        counted(all, "position")
    );
    Some(Remark::new(text))
}

/// How a man in reserve changes how long wins take.
fn pace(report: &Report, is_same: &dyn Fn(&Entry<'_>) -> bool, name: &str) -> Option<Remark> {
    let rows: Vec<Entry<'_>> =
        report.entries("in_reserve_pace").filter(|row| is_same(row)).collect();
    let sum = |key: &str| rows.iter().map(|row| row.count(key)).sum::<u64>();
    let won = sum("won_both_ways");
    let most =
        rows.iter().filter_map(|row| Some((row.count("most_plies_saved"), row.text("example")?)));
    let (most, fen) = most.max_by_key(|&(most, _)| most)?;
    let text = format!(
        "Of {} with {name} on the board or in reserve, the reserve is quicker in {} and slower in \
         {}; it saves {} at most, as here.",
        counted(won, "position") + " won both",
        grouped(sum("sooner")),
        grouped(sum("later")),
        plies(most),
    );
    Some(Remark::new(text).at(fen))
}

/// How often a drop is best.
fn drops(man: &Entry<'_>, name: &str) -> Option<Remark> {
    let (won, dropped, only) =
        (man.count("won"), man.count("dropped_at_once"), man.count("nothing_else_as_quick"));
    (dropped > 0).then(|| {
        let owner = man.words("owner");
        Remark::new(format!(
            "Dropping {name} at once is among the quickest turns in {} that {owner}, to move, wins, \
             and the only quickest in {}.",
            part(dropped, won, "position"),
            grouped(only)
        ))
    })
}
