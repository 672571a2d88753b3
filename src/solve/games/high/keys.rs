//! Results with their distances as numbers to be compared: *keys*.
//!
//! A key is what a result is worth to the side to move: losing in 0, 1, 2, … plies, then winning
//! in …, 2, 1, 0. So both sides take the greatest key, which makes winners hurry and losers delay.
//! Rows of keys come in bytes, for distances up to 125 plies, and in words for longer ones.

use crate::{
    answer::high::Signed,
    board::{Bitboard, Color},
    solve::engine::lanes::{NumberLanes, by_lane},
};

/// A result as one side counts: the plies to a loss plus one; 32,767 less the plies to a win; 0 if
/// there is none.
pub type Key = i16;

/// The key of having won.
const WON: Key = i16::MAX;
/// Keys from here on are wins.
pub const WINS: Key = 1 << 14;
/// The key of having lost.
pub const LOST: Key = 1;

/// What a result is worth to `side`.
pub const fn key(side: Color, result: Signed) -> Key {
    let mine = if side as usize == Color::White as usize { result } else { -result };
    if mine > 0 { WON - (mine - 1) } else { -mine }
}

/// The result that is worth so much to `side`.
pub const fn signed(side: Color, key: Key) -> Signed {
    let mine = if key >= WINS { WON - (key - 1) } else { -key };
    if side as usize == Color::White as usize { mine } else { -mine }
}

/// The worth of a turn that leads to a position of this key, which is the other side's.
pub const fn seen(key: Key) -> Key {
    WON - key + (key >> 14 << 1)
}

/// A key as rows keep it; 0 is "no option".
pub trait NarrowKey: Copy + Send + Sync + Eq {
    /// Having lost.
    const LOST: Self;
    /// The least key that is a win.
    const WINS: Self;
    /// Having won.
    const WON: Self;
    /// What is added to a win, modulo the range of the rows, before it is turned into a loss: -2.
    const LESS: Self;

    /// The guard band, from the first of these up to the second: a key that arithmetic has carried
    /// there may be wrong.
    const GUARD_BAND: [Self; 2];

    /// Keeps a key; `None` if it does not fit, or keys next to it would not.
    fn keep(key: Key) -> Option<Self>;

    /// The key that was kept.
    fn restore(self) -> Key;
}

impl NarrowKey for i16 {
    const LOST: i16 = LOST;
    const WINS: i16 = WINS;
    const WON: i16 = WON;
    const LESS: i16 = -2;
    const GUARD_BAND: [i16; 2] = [WINS; 2];

    #[inline(always)]
    fn keep(key: Key) -> Option<i16> {
        Some(key)
    }

    #[inline(always)]
    fn restore(self) -> Key {
        self
    }
}

/// In bytes, having won is 255, and wins begin at 128.
impl NarrowKey for u8 {
    const LOST: u8 = LOST as u8;
    const WINS: u8 = 128;
    const WON: u8 = u8::MAX;
    const LESS: u8 = 254;
    const GUARD_BAND: [u8; 2] = [126, 131];

    #[inline(always)]
    fn keep(key: Key) -> Option<u8> {
        // The guard band is wide enough for the ply before and the ply after: a result that no
        // longer fits is seen there before it is taken for one of the other kind.
        if key < WINS {
            u8::try_from(key).ok().filter(|&key| key < 126)
        } else {
            u8::try_from(WON - key).ok().filter(|&plies| plies < 125).map(|plies| u8::MAX - plies)
        }
    }

    #[inline(always)]
    fn restore(self) -> Key {
        if self < 128 { Key::from(self) } else { WON - Key::from(u8::MAX - self) }
    }
}

/// A row of keys, one a lane.
pub trait Keys: NumberLanes<Value: NarrowKey> {
    /// The worth of the turns that lead here; that of no option means nothing.
    #[inline(always)]
    fn seen(self) -> Self {
        Self::all(Self::Value::WON).minus(self.raised(Self::Value::WINS, Self::Value::LESS))
    }

    /// The lanes that are lost.
    #[inline(always)]
    fn losses(self) -> Bitboard {
        self.at_least(Self::Value::LOST) & !self.at_least(Self::Value::WINS)
    }

    /// The lanes in the guard band, where a distance may not have fitted.
    #[inline(always)]
    fn doubtful(self) -> Bitboard {
        let [from, to] = Self::Value::GUARD_BAND;
        self.at_least(from) & !self.at_least(to)
    }

    /// What the keys of `side` mean.
    #[inline(always)]
    fn signed(self, side: Color) -> [Signed; 64] {
        let keys = self.values();
        by_lane(|lane| signed(side, keys[lane].restore()))
    }

    /// The lanes without an option.
    #[inline(always)]
    fn none(self) -> Bitboard {
        !self.at_least(Self::Value::LOST)
    }
}

impl<R: NumberLanes<Value: NarrowKey>> Keys for R {}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        board::Square,
        solve::engine::lanes::{Bytes, Shorts},
    };

    #[test]
    fn winners_hurry_and_losers_delay() {
        // From the worst to the best of White.
        let order: [Signed; 8] = [-1, -2, -3, -400, 400, 3, 2, 1];
        for color in Color::ALL {
            let mut keys = order.map(|result| key(color, result));
            for (result, key) in order.iter().zip(keys) {
                assert_eq!(signed(color, key), *result);
            }
            if color == Color::Black {
                keys.reverse();
            }
            assert!(keys.is_sorted() && keys[0] == LOST && keys[7] == WON, "{keys:?}");
        }
    }

    #[test]
    fn a_turn_takes_a_ply() {
        for plies in 0..300 {
            for winner in [1, -1] {
                let (before, after) = ((plies + 2) * winner, (plies + 1) * winner);
                assert_eq!(seen(key(Color::Black, after)), key(Color::White, before));
                assert_eq!(seen(key(Color::White, after)), key(Color::Black, before));
            }
        }
    }

    #[test]
    fn bytes_say_what_words_say_or_that_they_cannot() {
        let mut kept = 0;
        for plies in 0..300 {
            for result in [plies + 1, -plies - 1] {
                let key = key(Color::White, result);
                let Some(narrow) = <u8 as NarrowKey>::keep(key) else { continue };
                kept += 1;
                assert_eq!(narrow.restore(), key);
                let (lane, narrow) = (Square::new(5), Bytes::all(narrow).seen());
                let wide = <Shorts as NumberLanes>::all(key).seen();
                let doubtful = narrow.doubtful().contains(lane);
                assert!(doubtful || narrow.value(lane).restore() == wide.value(lane));
            }
        }
        assert_eq!(kept, 2 * 125);
    }
}
