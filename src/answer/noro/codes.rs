//! Thresholds as one byte.
//!
//! With W the least score difference at which White wins and D the least at which White at least
//! draws, W is D or D + 1. So the pairs form one line, numbered by W + D, on which White walks down
//! and Black up, and a captured man moves a position by twice its worth. A *code* is that number
//! plus 128; 255 stands for +∞, 1 for −∞, and 0 for "no option".
//!
//! A *key* is what a player maximises: a code for Black, its negative for White.

use super::Layers;
use crate::board::Color;

/// No option.
pub const NONE: u8 = 0;
/// The code of a game that the score decides: W = 1, D = 0.
pub const EVEN: u8 = 129;
/// The key of a sure win.
pub const SURE: u8 = 255;
/// The key of a sure loss.
pub const LOST: u8 = 1;

/// Changes a code into the key of `side`, and back.
#[inline]
pub const fn key(side: Color, code: u8) -> u8 {
    match side {
        // 0 stays 0, and 255 and 1 change places.
        Color::White => code.wrapping_neg(),
        Color::Black => code,
    }
}

/// The key, before a capture worth `gain` points, of a position that has `key` after it.
///
/// Six men can be worth 45 points to a side at most, so keys keep away from the ends; those from a
/// forged file stop there.
#[inline]
pub const fn gaining(key: u8, gain: u32) -> u8 {
    match key {
        NONE | LOST | SURE => key,
        _ => key.saturating_add(2 * gain as u8),
    }
}

/// Joins an option into the best keys of `side`, layer by layer: a turn worth `gain` points to
/// positions with these codes of the other side.
pub fn join(side: Color, keys: &mut [u8], codes: &[u8], gain: u32) {
    // White's first layer has no turn; each other one follows the Black layer before it.
    let first = usize::from(side == Color::White);
    for (best, &code) in keys[first..].iter_mut().zip(codes) {
        *best = gaining(key(side, code), gain).max(*best);
    }
}

/// What becomes of the best option of `side` in a layer: blocked sides, and what the clock does.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct Closing {
    /// The key where the score decides.
    even: u8,
    least: u8,
    most: u8,
}

impl Closing {
    /// How a layer closes.
    pub fn new(layers: Layers, side: Color, layer: usize) -> Closing {
        let even = key(side, EVEN);
        let (least, most) = match layer {
            0 if side == Color::White => (even, even),
            // The game goes on at equal scores only: W and D are 0 or 1, W + D is 0 to 2.
            _ if layers.decides(side, layer) => (126, 128),
            _ => (LOST, SURE),
        };
        Closing { even, least, most }
    }

    /// The key of a position from that of its best option.
    #[inline]
    pub fn close(self, best: u8) -> u8 {
        let best = if best == NONE { self.even } else { best };
        best.max(self.least).min(self.most)
    }
}
