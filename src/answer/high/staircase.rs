//! Who wins at which vitalities.

use std::sync::Arc;

use crate::board::{ByColor, Color};

/// For each vitality of White, 1 to V, the largest vitality of Black against which White wins: 0
/// if there is none, V if White wins against every one. Never falls.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Staircase(Arc<[u8]>);

impl Staircase {
    /// The staircase with these steps, T(1) to T(V).
    pub(super) fn new(steps: impl Into<Arc<[u8]>>) -> Staircase {
        Staircase(steps.into())
    }

    /// T(1) to T(V).
    pub fn steps(&self) -> &[u8] {
        &self.0
    }

    /// T(`white`), for a vitality of White from 1 to V.
    pub fn at(&self, white: u8) -> u8 {
        self.0[usize::from(white) - 1]
    }

    /// Who wins at these vitalities, White's first, both 1 to V.
    pub fn winner(&self, ByColor { white, black }: ByColor<u8>) -> Color {
        if black <= self.at(white) { Color::White } else { Color::Black }
    }

    /// The least vitality with which the winner at these vitalities would still win.
    pub fn least(&self, vitality: ByColor<u8>) -> u8 {
        match self.winner(vitality) {
            Color::White => {
                let enough = (1..).zip(self.steps()).find(|&(_, &step)| step >= vitality.black);
                enough.map_or(vitality.white, |(white, _)| white)
            }
            Color::Black => self.at(vitality.white) + 1,
        }
    }
}
