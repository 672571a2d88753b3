//! Thresholds, or what becomes of a score difference, as one byte.
//!
//! With W the least score difference at which White wins and D the least at which White at least
//! draws, W is D or D + 1. So the pairs form one line, numbered by W + D, on which White walks down
//! and Black up, and a captured man moves a position by twice its worth. A *code* is that number
//! plus 128; 255 stands for +∞, 1 for −∞, and 0 for "no option".
//!
//! With a score difference there is a result, and a margin at the end. Black wins with codes above
//! 128, White with those below, and 128 is a draw. A code is so far above the middle of its half,
//! 192 or 64, as Black still gains more points than White.
//!
//! A turn that gains points changes the score difference; what stands for the thresholds or the
//! margin after it is changed into what stands for them before it.
//!
//! A *key* is what a player maximises: a code for Black, its negative for White.

use crate::board::Color;

/// The code of a game that the score decides: W = 1, D = 0.
pub const EVEN: u8 = 129;
/// The key of a sure win.
pub const SURE: u8 = 255;
/// The key of a sure loss.
pub const LOST: u8 = 1;
/// The key of a win, with a score difference, without further points.
pub const WINS: u8 = 192;
/// The key of a draw with a score difference.
pub const DRAWN: u8 = 128;
/// The key of a loss, with a score difference, without further points.
pub const LOSES: u8 = 64;

/// Changes a code into the key of `side`, and back.
#[inline]
pub const fn key(side: Color, code: u8) -> u8 {
    match side {
        // 0 stays 0, and 255 and 1 change places.
        Color::White => code.wrapping_neg(),
        Color::Black => code,
    }
}

/// The code of thresholds before so many points, in White's view, are added to the score difference.
#[inline]
pub const fn thresholds_before(code: u8, gain: i32) -> u8 {
    match code {
        SURE | LOST => code,
        // Both are as much lower, or higher.
        _ => code.wrapping_sub((2 * gain) as u8),
    }
}

/// The code of a margin before so many points, in White's view, are added to the score difference,
/// which are then gained as well; of margins that no men can make the nearest.
#[inline]
pub fn margin_before(code: u8, gain: i32) -> u8 {
    let (least, most) = match code {
        DRAWN => return code,
        ..DRAWN => (LOST, DRAWN - 1),
        _ => (DRAWN + 1, SURE),
    };
    (i32::from(code) - gain).clamp(least.into(), most.into()) as u8
}

/// The code of thresholds where the game is decided unless the score is even.
#[inline]
pub fn decided(code: u8) -> u8 {
    // White wins from 0 or from 1 on, and draws from 0 or from 1 on.
    code.clamp(EVEN - 1, EVEN + 1)
}

/// Puts what `side` likes better of two codes in the place of the first, one after the other.
#[inline]
pub fn choose(side: Color, best: &mut [u8], codes: &[u8]) {
    // The higher a code, the higher what it stands for, which is better for Black.
    let both = best.iter_mut().zip(codes);
    match side {
        Color::White => both.for_each(|(best, code)| *best = (*code).min(*best)),
        Color::Black => both.for_each(|(best, code)| *best = (*code).max(*best)),
    }
}
