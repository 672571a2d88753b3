//! What students of orthodox chess ask: who wins, and how long it takes.

use serde_json::{Map, Value, json};

use super::{Cell, Listing, Report, Study};
use crate::{
    answer::{Wdl, WinDrawLoss},
    board::Color,
    index::Material,
    probe::{ProbeError, Tablebase},
    progress::Progress,
    rules::{Game, Setup, Variant},
};

/// `wdl` and `dtm`, as every game of win, draw and loss gives them.
pub(super) fn win_draw_loss_fields(answer: &WinDrawLoss) -> Map<String, Value> {
    let wdl = match answer.wdl {
        Wdl::Win => "win",
        Wdl::Draw => "draw",
        Wdl::Loss => "loss",
    };
    [("wdl".to_owned(), json!(wdl)), ("dtm".to_owned(), json!(answer.dtm))].into_iter().collect()
}

/// `White mates in 5 moves (9 plies)`, `drawn`.
pub(super) fn win_draw_loss_words(answer: &WinDrawLoss, to_move: Color) -> String {
    let winner = match answer.wdl {
        Wdl::Win => to_move,
        Wdl::Loss => !to_move,
        Wdl::Draw => return "drawn".to_owned(),
    };
    match answer.dtm {
        Some(0) | None => format!("{winner} has mated"),
        Some(plies) => format!("{winner} {}", mates_in(plies)),
    }
}

/// `mates in 5 moves (9 plies)`.
pub(super) fn mates_in(plies: u16) -> String {
    let moves = plies.div_ceil(2);
    let s = |n: u16| if n == 1 { "" } else { "s" };
    format!(
        "mates in {moves} move{} ({plies} pl{})",
        s(moves),
        if plies == 1 { "y" } else { "ies" }
    )
}

/// Counts of outcomes for one side to move, with the longest win and loss.
#[derive(Clone, Debug, Default)]
pub(super) struct OutcomeTally {
    counts: [u64; 3],
    longest: [Option<(u16, String)>; 3],
}

impl OutcomeTally {
    pub(super) fn add(&mut self, answer: &WinDrawLoss, weight: u64, fen: impl FnOnce() -> String) {
        let at = answer.wdl as usize;
        self.counts[at] += weight;
        if let Some(plies) = answer.dtm
            && self.longest[at].as_ref().is_none_or(|&(longest, _)| plies > longest)
        {
            self.longest[at] = Some((plies, fen()));
        }
    }

    pub(super) fn row(&self, name: &str) -> Vec<Cell> {
        let [losses, draws, wins] = self.counts;
        let [loss, _, win] = self.longest.clone().map(|longest| match longest {
            Some((plies, fen)) => (Cell::Count(plies.into()), Cell::Text(fen)),
            None => (Cell::Nothing, Cell::Nothing),
        });
        let total = losses + draws + wins;
        vec![
            Cell::text(name),
            total.into(),
            wins.into(),
            draws.into(),
            losses.into(),
            win.0,
            win.1,
            loss.0,
            loss.1,
        ]
    }

    pub(super) const COLUMNS: [&str; 9] = [
        "to move",
        "positions",
        "wins",
        "draws",
        "losses",
        "longest win (plies)",
        "example",
        "longest loss (plies)",
        "its example",
    ];
}

impl<V: Variant> Study for V {
    const TITLE: &'static str = V::TITLE;

    fn fields(&self, _: &Setup, answer: &WinDrawLoss) -> Map<String, Value> {
        win_draw_loss_fields(answer)
    }

    fn words(&self, setup: &Setup, answer: &WinDrawLoss) -> Vec<String> {
        vec![win_draw_loss_words(answer, setup.to_move)]
    }

    fn brief(&self, setup: &Setup, answer: &WinDrawLoss) -> String {
        win_draw_loss_words(answer, setup.to_move)
    }

    fn statistics(
        &self,
        tables: &Tablebase<V>,
        material: &Material,
        progress: &dyn Progress,
    ) -> Result<Report, ProbeError> {
        let tallies = tables.tally(
            material,
            progress,
            <[OutcomeTally; 2]>::default,
            |tallies, setup, answer, weight| {
                let tally = &mut tallies[setup.to_move.index()];
                tally.add(answer, weight, || self.fen(setup));
                for mut setup in setup.passing_variants() {
                    setup.drop_idle_en_passant(&V::LAWS);
                    if setup.en_passant.is_some() {
                        tally.add(&tables.answer(&setup)?, weight, || self.fen(&setup));
                    }
                }
                Ok(())
            },
            |tallies, other| {
                for (tally, other) in tallies.iter_mut().zip(other) {
                    tally.merge(other);
                }
            },
        )?;
        let mut section = Listing::new(
            format!("{material}: legal positions, no symmetry removed, en passant included"),
            &OutcomeTally::COLUMNS,
        );
        // Of two equal sides the table knows White to move only.
        let equal = *material == material.swap_colors();
        for (color, tally) in Color::ALL.into_iter().zip(tallies) {
            match color {
                Color::White if equal => section.row(tally.row("either side")),
                Color::Black if equal => {}
                _ => section.row(tally.row(&color.to_string())),
            }
        }
        Ok(Report { sections: vec![section] })
    }
}

impl OutcomeTally {
    pub(super) fn merge(&mut self, other: OutcomeTally) {
        for at in 0..3 {
            self.counts[at] += other.counts[at];
            if let Some((plies, fen)) = &other.longest[at]
                && self.longest[at].as_ref().is_none_or(|(longest, _)| plies > longest)
            {
                self.longest[at] = Some((*plies, fen.clone()));
            }
        }
    }
}
