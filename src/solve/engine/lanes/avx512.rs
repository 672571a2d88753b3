//! Rows in the 512-bit registers of processors with AVX-512: a row of bytes is one of them, a row
//! of words two, and a set of lanes is a mask register, which any instruction takes along for
//! nothing.

use std::arch::x86_64::{__m256i, __m512i, __mmask32, __mmask64};

use bytemuck::{Pod, Zeroable, cast};

use super::{
    rows::{Bytes, Direction, Lanes, NumberLanes, Shorts, shifted},
    witness::{instructions, registers},
};
use crate::board::{Bitboard, Symmetry};

// BW has masks for bytes and words, VBMI permutes bytes. Processors with VBMI have had the others
// from the first. No row uses the last four: iterating over bitboards compiles to them.
registers!(
    Bytes512, Shorts512 need "avx512f" "avx512bw" "avx512vbmi" "bmi1" "bmi2" "lzcnt" "popcnt"
);

// All are of AVX-512 F, BW or VBMI.
instructions! {
    _mm512_add_epi8(a: __m512i, b: __m512i) -> __m512i;
    _mm512_castsi512_si256(a: __m512i) -> __m256i;
    _mm512_cmpge_epi16_mask(a: __m512i, b: __m512i) -> __mmask32;
    _mm512_cmpge_epu8_mask(a: __m512i, b: __m512i) -> __mmask64;
    _mm512_cmpneq_epi16_mask(a: __m512i, b: __m512i) -> __mmask32;
    _mm512_cmpneq_epi8_mask(a: __m512i, b: __m512i) -> __mmask64;
    _mm512_cvtepu8_epi16(a: __m256i) -> __m512i;
    _mm512_extracti64x4_epi64<HALF>(a: __m512i) -> __m256i;
    _mm512_mask_add_epi16(unset: __m512i, mask: __mmask32, a: __m512i, b: __m512i) -> __m512i;
    _mm512_mask_add_epi8(unset: __m512i, mask: __mmask64, a: __m512i, b: __m512i) -> __m512i;
    _mm512_mask_mov_epi16(unset: __m512i, mask: __mmask32, set: __m512i) -> __m512i;
    _mm512_mask_mov_epi8(unset: __m512i, mask: __mmask64, set: __m512i) -> __m512i;
    _mm512_maskz_mov_epi16(mask: __mmask32, set: __m512i) -> __m512i;
    _mm512_maskz_mov_epi8(mask: __mmask64, set: __m512i) -> __m512i;
    _mm512_maskz_permutex2var_epi16(
        mask: __mmask32, a: __m512i, from: __m512i, b: __m512i
    ) -> __m512i;
    _mm512_maskz_permutexvar_epi8(mask: __mmask64, from: __m512i, a: __m512i) -> __m512i;
    _mm512_max_epi16(a: __m512i, b: __m512i) -> __m512i;
    _mm512_max_epu8(a: __m512i, b: __m512i) -> __m512i;
    _mm512_permutexvar_epi8(from: __m512i, a: __m512i) -> __m512i;
    _mm512_set1_epi16(value: i16) -> __m512i;
    _mm512_set1_epi8(value: i8) -> __m512i;
    _mm512_sub_epi16(a: __m512i, b: __m512i) -> __m512i;
    _mm512_sub_epi8(a: __m512i, b: __m512i) -> __m512i;
}

/// The number of each lane: what permutations are reckoned from.
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
struct Bytes512(__m512i);

/// A row of 64 words.
#[derive(Copy, Clone, Debug, Pod, Zeroable)]
#[repr(transparent)]
struct Shorts512([__m512i; 2]);

/// The masks of the two registers of a row of words.
#[inline(always)]
fn halves(lanes: Bitboard) -> [u32; 2] {
    [lanes.0 as u32, (lanes.0 >> 32) as u32]
}

/// The lanes of two masks.
#[inline(always)]
fn joined([low, high]: [u32; 2]) -> Bitboard {
    Bitboard(u64::from(low) | u64::from(high) << 32)
}

/// Zero in every lane, which is [`Lanes::NONE`].
// SAFETY: a register is as good with zeros as with any other bits. To have it in a constant takes
// no instruction of AVX-512.
#[allow(unsafe_code, reason = "no safe function that makes a register is const")]
const EMPTY: __m512i = unsafe { std::mem::zeroed() };

// Memory has rows of any kind in the same place.
const _: () = {
    assert!(size_of::<Bytes512>() == size_of::<Bytes>());
    assert!(align_of::<Bytes512>() == align_of::<Bytes>());
    assert!(size_of::<Shorts512>() == size_of::<Shorts>());
    assert!(align_of::<Shorts512>() == align_of::<Shorts>());
};

impl PartialEq for Bytes512 {
    #[inline(always)]
    fn eq(&self, other: &Bytes512) -> bool {
        self.differs(other).is_empty()
    }
}

impl Lanes for Bytes512 {
    const NONE: Bytes512 = Bytes512(EMPTY);

    #[inline(always)]
    fn with_registers<T>(work: impl FnOnce() -> T) -> T {
        compiled_for_registers(work)
    }

    #[inline(always)]
    fn join(self, other: Bytes512) -> Bytes512 {
        Bytes512(_mm512_max_epu8(self.0, other.0))
    }

    #[inline(always)]
    fn only(self, lanes: Bitboard) -> Bytes512 {
        Bytes512(_mm512_maskz_mov_epi8(lanes.0, self.0))
    }

    #[inline(always)]
    fn turned(self, symmetry: Symmetry) -> Bytes512 {
        let image = cast(*symmetry.images());
        Bytes512(_mm512_permutexvar_epi8(image, self.0))
    }

    #[inline(always)]
    fn seen_along(self, direction: &Direction) -> Bytes512 {
        let there = shifted(!0, direction);
        let from = _mm512_add_epi8(cast(NUMBERS), _mm512_set1_epi8(direction.step as i8));
        Bytes512(_mm512_maskz_permutexvar_epi8(there, from, self.0))
    }
}

impl NumberLanes for Bytes512 {
    type Value = u8;

    #[inline(always)]
    fn all(value: u8) -> Bytes512 {
        Bytes512(_mm512_set1_epi8(value as i8))
    }

    #[inline(always)]
    fn or_else(self, lanes: Bitboard, other: Bytes512) -> Bytes512 {
        Bytes512(_mm512_mask_mov_epi8(other.0, lanes.0, self.0))
    }

    #[inline(always)]
    fn minus(self, other: Bytes512) -> Bytes512 {
        Bytes512(_mm512_sub_epi8(self.0, other.0))
    }

    #[inline(always)]
    fn raised(self, from: u8, by: u8) -> Bytes512 {
        let lanes = self.at_least(from).0;
        Bytes512(_mm512_mask_add_epi8(self.0, lanes, self.0, Self::all(by).0))
    }

    #[inline(always)]
    fn at_least(self, value: u8) -> Bitboard {
        Bitboard(_mm512_cmpge_epu8_mask(self.0, Self::all(value).0))
    }

    #[inline(always)]
    fn differs(&self, other: &Bytes512) -> Bitboard {
        Bitboard(_mm512_cmpneq_epi8_mask(self.0, other.0))
    }
}

impl PartialEq for Shorts512 {
    #[inline(always)]
    fn eq(&self, other: &Shorts512) -> bool {
        self.differs(other).is_empty()
    }
}

impl Shorts512 {
    /// Lane x of the result is the lane that `from` has for it, or 0 outside `lanes`.
    #[inline(always)]
    fn permuted(self, from: Bytes, lanes: Bitboard) -> Shorts512 {
        let [low, high] = halves(lanes);
        let [first, second] = self.0;
        let from: __m512i = cast(from);
        let from_low = _mm512_cvtepu8_epi16(_mm512_castsi512_si256(from));
        let from_high = _mm512_cvtepu8_epi16(_mm512_extracti64x4_epi64::<1>(from));
        Shorts512([
            _mm512_maskz_permutex2var_epi16(low, first, from_low, second),
            _mm512_maskz_permutex2var_epi16(high, first, from_high, second),
        ])
    }
}

impl Lanes for Shorts512 {
    const NONE: Shorts512 = Shorts512([EMPTY; 2]);

    #[inline(always)]
    fn with_registers<T>(work: impl FnOnce() -> T) -> T {
        compiled_for_registers(work)
    }

    #[inline(always)]
    fn join(self, other: Shorts512) -> Shorts512 {
        let [[a, b], [c, d]] = [self.0, other.0];
        Shorts512([_mm512_max_epi16(a, c), _mm512_max_epi16(b, d)])
    }

    #[inline(always)]
    fn only(self, lanes: Bitboard) -> Shorts512 {
        let ([a, b], [low, high]) = (self.0, halves(lanes));
        Shorts512([_mm512_maskz_mov_epi16(low, a), _mm512_maskz_mov_epi16(high, b)])
    }

    #[inline(always)]
    fn turned(self, symmetry: Symmetry) -> Shorts512 {
        self.permuted(Bytes(*symmetry.images()), Bitboard::ALL)
    }

    #[inline(always)]
    fn seen_along(self, direction: &Direction) -> Shorts512 {
        let there = shifted(!0, direction);
        let mut from = NUMBERS;
        for lane in &mut from.0 {
            // Where the board ends another lane is named, and left out.
            *lane = lane.wrapping_add(direction.step as u8) & 63;
        }
        self.permuted(from, Bitboard(there))
    }
}

impl NumberLanes for Shorts512 {
    type Value = i16;

    #[inline(always)]
    fn all(value: i16) -> Shorts512 {
        Shorts512([_mm512_set1_epi16(value); 2])
    }

    #[inline(always)]
    fn or_else(self, lanes: Bitboard, other: Shorts512) -> Shorts512 {
        let ([[a, b], [c, d]], [low, high]) = ([self.0, other.0], halves(lanes));
        Shorts512([_mm512_mask_mov_epi16(c, low, a), _mm512_mask_mov_epi16(d, high, b)])
    }

    #[inline(always)]
    fn minus(self, other: Shorts512) -> Shorts512 {
        let [[a, b], [c, d]] = [self.0, other.0];
        Shorts512([_mm512_sub_epi16(a, c), _mm512_sub_epi16(b, d)])
    }

    #[inline(always)]
    fn raised(self, from: i16, by: i16) -> Shorts512 {
        let ([a, b], [low, high]) = (self.0, halves(self.at_least(from)));
        let [by, _] = Self::all(by).0;
        Shorts512([_mm512_mask_add_epi16(a, low, a, by), _mm512_mask_add_epi16(b, high, b, by)])
    }

    #[inline(always)]
    fn at_least(self, value: i16) -> Bitboard {
        let ([a, b], [least, _]) = (self.0, Self::all(value).0);
        joined([_mm512_cmpge_epi16_mask(a, least), _mm512_cmpge_epi16_mask(b, least)])
    }

    #[inline(always)]
    fn differs(&self, other: &Shorts512) -> Bitboard {
        let [[a, b], [c, d]] = [self.0, other.0];
        joined([_mm512_cmpneq_epi16_mask(a, c), _mm512_cmpneq_epi16_mask(b, d)])
    }
}
