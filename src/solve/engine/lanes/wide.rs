//! Rows in the registers of processors with AVX-512: a row of bytes is one of them, a row of words
//! two, and a set of lanes is a mask that any operation takes along for nothing.
//!
//! They are laid out like [`Bytes`] and [`Shorts`](super::Shorts) and mean the same; what they are
//! worth is told in `docs/design.md`.

#![allow(unsafe_code, reason = "instructions that not all processors have; see `is_available`")]

use std::arch::x86_64::*;

use bytemuck::{Pod, Zeroable, cast};

use super::{Bytes, Direction, Lanes, Numbers, shifted};
use crate::board::{Bitboard, Symmetry};

/// Whether this processor has the instructions for wide rows. All operations on them take that
/// for granted, so who makes any must have asked.
pub fn is_available() -> bool {
    is_x86_feature_detected!("avx512f")
        && is_x86_feature_detected!("avx512bw")
        && is_x86_feature_detected!("avx512vbmi")
        && is_x86_feature_detected!("bmi1")
        && is_x86_feature_detected!("bmi2")
        && is_x86_feature_detected!("lzcnt")
        && is_x86_feature_detected!("popcnt")
}

/// Work compiled for processors that have what [`is_available`] asks for.
#[target_feature(enable = "avx512f,avx512bw,avx512vbmi,bmi1,bmi2,lzcnt,popcnt")]
fn widely<T>(work: impl FnOnce() -> T) -> T {
    work()
}

/// The number of each lane.
const NUMBERS: Bytes = {
    let mut numbers = [0; 64];
    let mut lane = 0;
    while lane < 64 {
        numbers[lane] = lane as u8;
        lane += 1;
    }
    Bytes(numbers)
};

/// A row of 64 bytes.
#[derive(Copy, Clone, Debug, Pod, Zeroable)]
#[repr(transparent)]
pub struct WideBytes(__m512i);

/// A row of 64 words.
#[derive(Copy, Clone, Debug, Pod, Zeroable)]
#[repr(transparent)]
pub struct WideShorts([__m512i; 2]);

/// The masks of both halves of a row.
#[inline(always)]
fn halves(lanes: Bitboard) -> [u32; 2] {
    [lanes.0 as u32, (lanes.0 >> 32) as u32]
}

/// The lanes of two masks.
#[inline(always)]
fn joined([low, high]: [u32; 2]) -> Bitboard {
    Bitboard(u64::from(low) | u64::from(high) << 32)
}

// SAFETY of all that follows: rows are only made where the processor has the instructions.

impl PartialEq for WideBytes {
    #[inline(always)]
    fn eq(&self, other: &WideBytes) -> bool {
        self.differs(other).is_empty()
    }
}

impl Lanes for WideBytes {
    const NONE: WideBytes = WideBytes(unsafe { std::mem::zeroed() });

    #[inline(always)]
    fn with_registers<T>(work: impl FnOnce() -> T) -> T {
        unsafe { widely(work) }
    }

    #[inline(always)]
    fn join(self, other: WideBytes) -> WideBytes {
        WideBytes(unsafe { _mm512_max_epu8(self.0, other.0) })
    }

    #[inline(always)]
    fn only(self, lanes: Bitboard) -> WideBytes {
        WideBytes(unsafe { _mm512_maskz_mov_epi8(lanes.0, self.0) })
    }

    #[inline(always)]
    fn turned(self, symmetry: Symmetry) -> WideBytes {
        let image = cast(*symmetry.images());
        WideBytes(unsafe { _mm512_permutexvar_epi8(image, self.0) })
    }

    #[inline(always)]
    fn seen_along(self, direction: &Direction) -> WideBytes {
        let there = shifted(!0, direction);
        WideBytes(unsafe {
            let from = _mm512_add_epi8(cast(NUMBERS), _mm512_set1_epi8(direction.step as i8));
            _mm512_maskz_permutexvar_epi8(there, from, self.0)
        })
    }
}

impl Numbers for WideBytes {
    type Value = u8;

    #[inline(always)]
    fn all(value: u8) -> WideBytes {
        WideBytes(unsafe { _mm512_set1_epi8(value as i8) })
    }

    #[inline(always)]
    fn or_else(self, lanes: Bitboard, other: WideBytes) -> WideBytes {
        WideBytes(unsafe { _mm512_mask_mov_epi8(other.0, lanes.0, self.0) })
    }

    #[inline(always)]
    fn minus(self, other: WideBytes) -> WideBytes {
        WideBytes(unsafe { _mm512_sub_epi8(self.0, other.0) })
    }

    #[inline(always)]
    fn raised(self, from: u8, by: u8) -> WideBytes {
        let lanes = self.at_least(from).0;
        WideBytes(unsafe { _mm512_mask_add_epi8(self.0, lanes, self.0, Self::all(by).0) })
    }

    #[inline(always)]
    fn at_least(self, value: u8) -> Bitboard {
        Bitboard(unsafe { _mm512_cmpge_epu8_mask(self.0, Self::all(value).0) })
    }

    #[inline(always)]
    fn differs(&self, other: &WideBytes) -> Bitboard {
        Bitboard(unsafe { _mm512_cmpneq_epi8_mask(self.0, other.0) })
    }
}

impl PartialEq for WideShorts {
    #[inline(always)]
    fn eq(&self, other: &WideShorts) -> bool {
        self.differs(other).is_empty()
    }
}

impl WideShorts {
    /// Lane x of the result is the lane that `from` has for it, or 0 outside `lanes`.
    #[inline(always)]
    fn permuted(self, from: Bytes, lanes: Bitboard) -> WideShorts {
        let [low, high] = halves(lanes);
        let [first, second] = self.0;
        unsafe {
            let from: __m512i = cast(from);
            let from_low = _mm512_cvtepu8_epi16(_mm512_castsi512_si256(from));
            let from_high = _mm512_cvtepu8_epi16(_mm512_extracti64x4_epi64::<1>(from));
            WideShorts([
                _mm512_maskz_permutex2var_epi16(low, first, from_low, second),
                _mm512_maskz_permutex2var_epi16(high, first, from_high, second),
            ])
        }
    }
}

impl Lanes for WideShorts {
    const NONE: WideShorts = WideShorts(unsafe { std::mem::zeroed() });

    #[inline(always)]
    fn with_registers<T>(work: impl FnOnce() -> T) -> T {
        unsafe { widely(work) }
    }

    #[inline(always)]
    fn join(self, other: WideShorts) -> WideShorts {
        let [[a, b], [c, d]] = [self.0, other.0];
        WideShorts(unsafe { [_mm512_max_epi16(a, c), _mm512_max_epi16(b, d)] })
    }

    #[inline(always)]
    fn only(self, lanes: Bitboard) -> WideShorts {
        let ([a, b], [low, high]) = (self.0, halves(lanes));
        WideShorts(unsafe { [_mm512_maskz_mov_epi16(low, a), _mm512_maskz_mov_epi16(high, b)] })
    }

    #[inline(always)]
    fn turned(self, symmetry: Symmetry) -> WideShorts {
        self.permuted(Bytes(*symmetry.images()), Bitboard::ALL)
    }

    #[inline(always)]
    fn seen_along(self, direction: &Direction) -> WideShorts {
        let there = shifted(!0, direction);
        let mut from = NUMBERS;
        for lane in &mut from.0 {
            *lane = lane.wrapping_add(direction.step as u8) & 63;
        }
        self.permuted(from, Bitboard(there))
    }
}

impl Numbers for WideShorts {
    type Value = i16;

    #[inline(always)]
    fn all(value: i16) -> WideShorts {
        WideShorts([unsafe { _mm512_set1_epi16(value) }; 2])
    }

    #[inline(always)]
    fn or_else(self, lanes: Bitboard, other: WideShorts) -> WideShorts {
        let ([[a, b], [c, d]], [low, high]) = ([self.0, other.0], halves(lanes));
        WideShorts(unsafe { [_mm512_mask_mov_epi16(c, low, a), _mm512_mask_mov_epi16(d, high, b)] })
    }

    #[inline(always)]
    fn minus(self, other: WideShorts) -> WideShorts {
        let [[a, b], [c, d]] = [self.0, other.0];
        WideShorts(unsafe { [_mm512_sub_epi16(a, c), _mm512_sub_epi16(b, d)] })
    }

    #[inline(always)]
    fn raised(self, from: i16, by: i16) -> WideShorts {
        let ([a, b], [low, high]) = (self.0, halves(self.at_least(from)));
        let [by, _] = Self::all(by).0;
        WideShorts(unsafe {
            [_mm512_mask_add_epi16(a, low, a, by), _mm512_mask_add_epi16(b, high, b, by)]
        })
    }

    #[inline(always)]
    fn at_least(self, value: i16) -> Bitboard {
        let ([a, b], [least, _]) = (self.0, Self::all(value).0);
        joined(unsafe { [_mm512_cmpge_epi16_mask(a, least), _mm512_cmpge_epi16_mask(b, least)] })
    }

    #[inline(always)]
    fn differs(&self, other: &WideShorts) -> Bitboard {
        let [[a, b], [c, d]] = [self.0, other.0];
        joined(unsafe { [_mm512_cmpneq_epi16_mask(a, c), _mm512_cmpneq_epi16_mask(b, d)] })
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::solve::engine::lanes::{Shorts, tests::MOVERS};

    /// Holds what is done to wide rows against the same done to rows that need nothing special.
    fn agree<W, R>(
        [a, b]: [[R::Value; 64]; 2],
        [from, by]: [R::Value; 2],
        lanes: Bitboard,
        occupied: Bitboard,
    ) where
        W: Numbers<Value = R::Value>,
        R: Numbers,
        R::Value: PartialEq + std::fmt::Debug,
    {
        let rows = |numbers: &[R::Value; 64]| -> (W, R) {
            (bytemuck::cast(*numbers), bytemuck::cast(*numbers))
        };
        let ((wide, row), (other_wide, other)) = (rows(&a), rows(&b));
        let same = |what: &str, wide: W, row: R| assert_eq!(wide.values(), row.values(), "{what}");
        same("join", wide.join(other_wide), row.join(other));
        same("only", wide.only(lanes), row.only(lanes));
        same("or_else", wide.or_else(lanes, other_wide), row.or_else(lanes, other));
        same("minus", wide.minus(other_wide), row.minus(other));
        same("raised", wide.raised(from, by), row.raised(from, by));
        same("all", W::all(from), R::all(from));
        same("none", W::NONE, R::NONE);
        assert_eq!(wide.at_least(from), row.at_least(from));
        assert_eq!(wide.differs(&other_wide), row.differs(&other));
        assert_eq!(wide == other_wide, row == other);
        assert!(wide == rows(&a).0);
        for symmetry in Symmetry::all() {
            same("turned", wide.turned(symmetry), row.turned(symmetry));
        }
        for role in MOVERS {
            same("reached", wide.reached(role, occupied), row.reached(role, occupied));
        }
    }

    proptest! {
        #[test]
        fn wide_rows_are_rows(
            numbers: [[u8; 32]; 4], of: [u8; 2], lanes: u64, occupied: u64, sparse: u64,
        ) {
            if !is_available() {
                return Ok(());
            }
            let [lanes, occupied] = [lanes, occupied & sparse].map(Bitboard);
            let [a, b, c, d] = numbers;
            let bytes = [[a, b].concat(), [c, d].concat()].map(|row| row.try_into().unwrap());
            agree::<WideBytes, Bytes>(bytes, of, lanes, occupied);
            // As large as distances get, and larger.
            let large = |byte: u8| i16::from(byte) << 7;
            agree::<WideShorts, Shorts>(bytes.map(|row| row.map(large)), of.map(large), lanes, occupied);
        }
    }
}
