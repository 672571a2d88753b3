//! How codes of one position follow from those of others.

use crate::{
    answer::noro::{
        Layers,
        codes::{DRAWN, EVEN, LOSES, LOST, SURE, WINS, key},
    },
    board::Color,
    rules::Noro,
};

/// No option.
pub const NONE: u8 = 0;

/// What codes tell.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Scale {
    /// Thresholds, for all score differences at once.
    Thresholds,
    /// Result and margin with this score difference now, White's points less Black's.
    Margins(i32),
}

impl Scale {
    /// The scale of the positions after a turn of `side` worth `gain` points.
    pub fn after(self, side: Color, gain: u32) -> Scale {
        match (self, side) {
            (Scale::Thresholds, _) => self,
            (Scale::Margins(difference), Color::White) => Scale::Margins(difference + gain as i32),
            (Scale::Margins(difference), Color::Black) => Scale::Margins(difference - gain as i32),
        }
    }

    /// The key, before a capture worth `gain` points, of a position that has `key` after it.
    ///
    /// Six men can be worth 45 points to a side at most, so keys keep away from the ends; those from
    /// a forged file stop there.
    #[inline]
    pub const fn gaining(self, key: u8, gain: u32) -> u8 {
        match (self, key) {
            (_, NONE) => key,
            (Scale::Thresholds, LOST | SURE) => key,
            (Scale::Thresholds, _) => key.saturating_add(2 * gain as u8),
            (Scale::Margins(_), DRAWN) => key,
            (Scale::Margins(_), ..DRAWN) => {
                let more = key + gain as u8;
                if more < DRAWN { more } else { DRAWN - 1 }
            }
            (Scale::Margins(_), _) => key.saturating_add(gain as u8),
        }
    }

    /// Joins an option into the best keys of `side`, layer by layer: a turn worth `gain` points to
    /// positions with these codes of the other side.
    pub fn join(self, side: Color, keys: &mut [u8], codes: &[u8], gain: u32) {
        // White's first layer has no turn; each other one follows the Black layer before it.
        let first = usize::from(side == Color::White);
        for (best, &code) in keys[first..].iter_mut().zip(codes) {
            *best = self.gaining(key(side, code), gain).max(*best);
        }
    }

    /// The key of `side` where the score decides as it is.
    fn even(self, side: Color) -> u8 {
        match (self, side) {
            (Scale::Thresholds, _) => key(side, EVEN),
            (Scale::Margins(0), _) => DRAWN,
            (Scale::Margins(1..), Color::White) | (Scale::Margins(..0), Color::Black) => WINS,
            (Scale::Margins(_), _) => LOSES,
        }
    }

    /// The code of a position in which `side` has no men, with so many plies to go.
    fn eliminated(self, noro: &Noro, side: Color, remaining: u32) -> u8 {
        let won = match self {
            Scale::Thresholds => SURE,
            Scale::Margins(_) => WINS,
        };
        match noro.elimination_loses(side, remaining) {
            true => key(!side, won),
            false => self.even(Color::Black),
        }
    }

    /// Sets the codes of positions in which `side` is to move and has no men, layer by layer.
    pub fn set_eliminated(self, noro: &Noro, side: Color, codes: &mut [u8]) {
        for (layer, code) in codes.iter_mut().enumerate() {
            *code = self.eliminated(noro, side, Layers::remaining(side, layer));
        }
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
    pub fn new(layers: Layers, scale: Scale, side: Color, layer: usize) -> Closing {
        let even = scale.even(side);
        let (least, most) = match scale {
            _ if layer == 0 && side == Color::White => (even, even),
            _ if !layers.decides(side, layer) => (LOST, SURE),
            // The game goes on at equal scores only: W and D are 0 or 1, W + D is 0 to 2.
            Scale::Thresholds => (126, 128),
            Scale::Margins(0) => (LOST, SURE),
            Scale::Margins(_) => (even, even),
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
