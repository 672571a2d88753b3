//! Win, draw or loss, and the plies to mate.

use std::cmp::Ordering;

use super::{Outcome, Plies, prefer_distance};
use crate::board::Color;
pub use crate::rules::Wdl;

/// What a table of orthodox chess says of a position, for the side to move.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug)]
pub struct WinDrawLoss {
    /// Who wins.
    pub wdl: Wdl,
    /// Plies to mate under best play, the winner hurrying and the loser holding out; 0 for a side
    /// that is mated, none for a draw, nor where the tables leave them out.
    pub dtm: Option<Plies>,
}

impl WinDrawLoss {
    /// From an outcome with the values 1, 0 and −1 in White's view.
    pub fn new(outcome: Outcome, to_move: Color) -> WinDrawLoss {
        let value = if to_move == Color::White { outcome.value } else { -outcome.value };
        let wdl = match value {
            1.. => Wdl::Win,
            0 => Wdl::Draw,
            _ => Wdl::Loss,
        };
        WinDrawLoss { wdl, dtm: outcome.distance }
    }

    /// The outcome it is [made of](WinDrawLoss::new).
    pub fn outcome(self, to_move: Color) -> Outcome {
        let value = match self.wdl {
            Wdl::Win => 1,
            Wdl::Draw => 0,
            Wdl::Loss => -1,
        };
        Outcome { value: if to_move == Color::White { value } else { -value }, distance: self.dtm }
    }

    /// The best of the results after each turn, seen before it; `None` without turns. Where the
    /// plies of one that is as good are not known, those of the best are not.
    #[inline]
    pub fn best(after: impl IntoIterator<Item = WinDrawLoss>) -> Option<WinDrawLoss> {
        after.into_iter().map(WinDrawLoss::before).reduce(|a, b| {
            let unknown = a.wdl == b.wdl && (a.dtm.is_none() || b.dtm.is_none());
            let best = if b.prefer(&a).is_gt() { b } else { a };
            if unknown { best.without_distance() } else { best }
        })
    }

    /// Whether another option, worth no more than this, could change what the [best](Self::best)
    /// of some is: by being better, or as good in a number of plies that is not known.
    #[inline]
    pub(crate) fn may_change(&self, best: &WinDrawLoss) -> bool {
        let hides_plies = self.wdl == best.wdl && self.dtm.is_none() && best.dtm.is_some();
        hides_plies || self.prefer(best).is_gt()
    }

    /// The same without the plies.
    pub fn without_distance(self) -> WinDrawLoss {
        WinDrawLoss { dtm: None, ..self }
    }

    /// The result one ply earlier, for the side that made the turn.
    #[inline]
    pub fn before(self) -> WinDrawLoss {
        let wdl = match self.wdl {
            Wdl::Win => Wdl::Loss,
            Wdl::Draw => Wdl::Draw,
            Wdl::Loss => Wdl::Win,
        };
        WinDrawLoss { wdl, dtm: self.dtm.map(Plies::later) }
    }

    /// Which one the side to move likes better: a win, a quick one; else a draw; else a slow loss.
    /// One whose plies are not known comes after the others.
    #[inline]
    pub fn prefer(&self, other: &WinDrawLoss) -> Ordering {
        let distance = prefer_distance(self.wdl == Wdl::Win, self.dtm, other.dtm);
        self.wdl.cmp(&other.wdl).then(distance)
    }
}
