//! Rows of numbers too large for a byte.

#[cfg(target_arch = "x86_64")]
use super::rows::CACHE_LINE;
use super::rows::{Direction, Lanes, NumberLanes, moved, through};
use crate::board::{Bitboard, Symmetry};

/// A number from 0 to 32,767 per lane; joining takes the greater one, and 0 is no option.
///
/// Signed, because the greater of two signed words is an instruction of every x86-64 processor;
/// that of unsigned words came with SSE4.1.
#[derive(Copy, Clone, PartialEq, Eq, Debug, bytemuck::Pod, bytemuck::Zeroable)]
#[repr(C, align(64))]
pub struct Shorts(pub [i16; 64]);

#[cfg(target_arch = "x86_64")]
const _: () = assert!(
    size_of::<Shorts>() == 2 * CACHE_LINE && align_of::<Shorts>() == CACHE_LINE,
    "a row of words is two lines of the cache"
);

/// A bit for each of sixteen lanes: as many as a word has bits.
pub(super) const BITS: [u16; 16] = {
    let mut bits = [0; 16];
    let mut lane = 0;
    while lane < 16 {
        bits[lane] = 1 << lane;
        lane += 1;
    }
    bits
};

impl Shorts {
    /// All bits in the lanes of the set, none elsewhere.
    #[inline(always)]
    fn mask(lanes: Bitboard) -> Shorts {
        let mut mask = [0; 64];
        // Sixteen lanes at a time, each testing its own bit: that compiles to a few vector
        // instructions.
        for (part, lanes16) in mask.chunks_exact_mut(16).zip(0..) {
            let bits = (lanes.0 >> (16 * lanes16)) as u16;
            for (lane, to) in part.iter_mut().enumerate() {
                *to = if bits & BITS[lane] != 0 { -1 } else { 0 };
            }
        }
        Shorts(mask)
    }
}

impl Lanes for Shorts {
    const NONE: Shorts = Shorts([0; 64]);

    #[inline(always)]
    fn join(self, other: Shorts) -> Shorts {
        Shorts(std::array::from_fn(|lane| self.0[lane].max(other.0[lane])))
    }

    #[inline(always)]
    fn only(self, lanes: Bitboard) -> Shorts {
        let mask = Shorts::mask(lanes);
        Shorts(std::array::from_fn(|lane| self.0[lane] & mask.0[lane]))
    }

    #[inline(always)]
    fn turned(self, symmetry: Symmetry) -> Shorts {
        Shorts(through(&self.0, symmetry))
    }

    #[inline(always)]
    fn seen_along(self, direction: &Direction) -> Shorts {
        let moved = Shorts(moved(&self.0, direction.step));
        if direction.inside == !0 { moved } else { moved.only(Bitboard(direction.inside)) }
    }
}

impl NumberLanes for Shorts {
    type Value = i16;

    #[inline(always)]
    fn all(value: i16) -> Shorts {
        Shorts([value; 64])
    }

    #[inline(always)]
    fn or_else(self, lanes: Bitboard, other: Shorts) -> Shorts {
        let mask = Shorts::mask(lanes);
        Shorts(std::array::from_fn(|i| self.0[i] & mask.0[i] | other.0[i] & !mask.0[i]))
    }

    #[inline(always)]
    fn minus(self, other: Shorts) -> Shorts {
        Shorts(std::array::from_fn(|lane| self.0[lane].wrapping_sub(other.0[lane])))
    }

    #[inline(always)]
    fn raised(self, from: i16, by: i16) -> Shorts {
        self.map(|value| value.wrapping_add(if value >= from { by } else { 0 }))
    }
}
