//! Results with their distances as numbers to be compared: *keys*.
//!
//! A key is what a result is worth to the side to move: losing in 0, 1, 2, … plies, then winning
//! in …, 2, 1, 0. So both sides take the greatest key, which makes winners hurry and losers delay.
//! Rows of keys come in bytes, for distances up to 125 plies, and in words for longer ones.

use crate::{
    answer::high::Signed,
    board::{Bitboard, Color},
    solve::engine::lanes::{Bytes, Lanes, Shorts},
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

/// A row of keys, one a lane; 0 is "no option".
pub trait Keys: Lanes + bytemuck::Pod {
    /// One key as it is kept in the row.
    type Kept: Copy + Send + Sync;

    /// Having lost, in every lane.
    const LOST: Self;

    /// Having won, in every lane.
    const WON: Self;

    /// A key as it is kept; `None` if it does not fit, or keys next to it would not.
    fn keep(key: Key) -> Option<Self::Kept>;

    /// A key that was kept.
    fn restore(kept: Self::Kept) -> Key;

    /// The key of a lane; `None` if rows of this kind may have been wrong about it.
    fn key(&self, lane: usize) -> Option<Key>;

    /// Sets a lane.
    fn set(&mut self, lane: usize, kept: Self::Kept);

    /// The worth of the turns that lead here.
    fn seen(self) -> Self;

    /// These lanes from `self`, all others from `other`.
    fn or_else(self, lanes: Bitboard, other: Self) -> Self;

    /// The lanes that are different in `other`.
    fn differs(&self, other: &Self) -> Bitboard;

    /// Whether any lane is a loss.
    fn has_losses(&self) -> bool;

    /// Whether this lane is a loss.
    fn is_loss(&self, lane: usize) -> bool;

    /// The lanes without an option.
    fn none(&self) -> Bitboard {
        !self.differs(&Self::NONE)
    }
}

impl Keys for Shorts {
    type Kept = i16;
    const LOST: Shorts = Shorts([LOST; 64]);
    const WON: Shorts = Shorts([WON; 64]);

    #[inline]
    fn keep(key: Key) -> Option<i16> {
        Some(key)
    }

    #[inline]
    fn restore(kept: i16) -> Key {
        kept
    }

    #[inline]
    fn key(&self, lane: usize) -> Option<Key> {
        Some(self.0[lane])
    }

    #[inline]
    fn set(&mut self, lane: usize, kept: i16) {
        self.0[lane] = kept;
    }

    #[inline]
    fn seen(self) -> Shorts {
        self.map(seen)
    }

    #[inline]
    fn or_else(self, lanes: Bitboard, other: Shorts) -> Shorts {
        Shorts::or_else(self, lanes, other)
    }

    #[inline]
    fn has_losses(&self) -> bool {
        self.0.iter().fold(false, |found, &key| found | (0 < key && key < WINS))
    }

    #[inline]
    fn is_loss(&self, lane: usize) -> bool {
        (1..WINS).contains(&self.0[lane])
    }

    #[inline]
    fn differs(&self, other: &Shorts) -> Bitboard {
        differing(&self.0, &other.0)
    }
}

/// In bytes, having won is 255, and wins begin at 128.
impl Keys for Bytes {
    type Kept = u8;
    const LOST: Bytes = Bytes::all(LOST as u8);
    const WON: Bytes = Bytes::all(u8::MAX);

    #[inline]
    fn keep(key: Key) -> Option<u8> {
        // Two steps are left between losses and wins: a result that is no longer right is seen
        // before it has been taken for one of the other kind.
        if key < WINS {
            u8::try_from(key).ok().filter(|&key| key < 126)
        } else {
            u8::try_from(WON - key).ok().filter(|&plies| plies < 125).map(|plies| u8::MAX - plies)
        }
    }

    #[inline]
    fn restore(kept: u8) -> Key {
        if kept < 128 { Key::from(kept) } else { WON - Key::from(u8::MAX - kept) }
    }

    #[inline]
    fn key(&self, lane: usize) -> Option<Key> {
        let kept = self.0[lane];
        (!(126..131).contains(&kept)).then(|| Bytes::restore(kept))
    }

    #[inline]
    fn set(&mut self, lane: usize, kept: u8) {
        self.0[lane] = kept;
    }

    #[inline]
    fn seen(self) -> Bytes {
        self.map(|key| (u8::MAX - key).wrapping_add(key >> 7 << 1))
    }

    #[inline]
    fn or_else(self, lanes: Bitboard, other: Bytes) -> Bytes {
        Bytes::or_else(self, lanes, other)
    }

    #[inline]
    fn has_losses(&self) -> bool {
        self.0.iter().fold(false, |found, &key| found | (0 < key && key < 128))
    }

    #[inline]
    fn is_loss(&self, lane: usize) -> bool {
        (1..128).contains(&self.0[lane])
    }

    #[inline]
    fn differs(&self, other: &Bytes) -> Bitboard {
        differing(&self.0, &other.0)
    }
}

#[inline]
fn differing<T: PartialEq>(a: &[T; 64], b: &[T; 64]) -> Bitboard {
    if a == b {
        return Bitboard::EMPTY;
    }
    let bits = (0..64).fold(0, |bits, lane| bits | u64::from(a[lane] != b[lane]) << lane);
    Bitboard(bits)
}

#[cfg(test)]
mod tests {
    use super::*;

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
                let wide = Shorts::keep(key).map(|key| Shorts([key; 64]).seen()).unwrap();
                let Some(narrow) = Bytes::keep(key) else { continue };
                kept += 1;
                let narrow = Bytes::all(narrow);
                assert_eq!(narrow.key(5), Some(key));
                assert!(narrow.seen().key(5).is_none_or(|seen| Some(seen) == wide.key(5)));
            }
        }
        assert_eq!(kept, 2 * 125);
    }
}
