//! Rows in the registers of processors with AVX2: a row of bytes is two of them, a row of words
//! four.

#![allow(unsafe_code, reason = "instructions that not all processors have; see `is_available`")]

use std::arch::x86_64::*;

use bytemuck::{Pod, Zeroable, cast};

use super::{Direction, Lanes, NumberLanes};
use crate::board::{Bitboard, Symmetry};

/// Whether this processor has the instructions for these rows. All operations on them take that
/// for granted, so who makes any must have asked.
pub fn is_available() -> bool {
    is_x86_feature_detected!("avx2")
        && is_x86_feature_detected!("bmi1")
        && is_x86_feature_detected!("bmi2")
        && is_x86_feature_detected!("lzcnt")
        && is_x86_feature_detected!("popcnt")
}

/// Work compiled for processors that have what [`is_available`] asks for.
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
fn widely<T>(work: impl FnOnce() -> T) -> T {
    work()
}

/// A row of 64 bytes.
#[derive(Copy, Clone, Debug, Pod, Zeroable)]
#[repr(C, align(64))]
pub struct Bytes256([__m256i; 2]);

/// A row of 64 words.
#[derive(Copy, Clone, Debug, Pod, Zeroable)]
#[repr(C, align(64))]
pub struct Shorts256([__m256i; 4]);

// SAFETY of all that follows: rows are only made where the processor has the instructions.

/// Nothing in any lane.
const EMPTY: __m256i = unsafe { std::mem::zeroed() };

/// Two neighbouring pieces of 16 bytes of a row, of which `piece` is the first; empty where there
/// are none.
#[inline(always)]
fn two_pieces<const N: usize>(row: [__m256i; N], piece: i32) -> __m256i {
    let register = |at: i32| if (0..N as i32).contains(&at) { row[at as usize] } else { EMPTY };
    let at = piece >> 1;
    if piece & 1 == 0 {
        return register(at);
    }
    unsafe { _mm256_permute2x128_si256::<0x21>(register(at), register(at + 1)) }
}

/// Of each two pieces of 16 bytes, the second behind the first, the 16 from some byte on.
///
/// The instruction has the number of bytes built in; it is one that is known when this is compiled.
#[inline(always)]
fn from_byte(bytes: i32, first: __m256i, second: __m256i) -> __m256i {
    macro_rules! by_number {
        ($($number:literal)*) => {
            match bytes {
                $($number => unsafe { _mm256_alignr_epi8::<$number>(second, first) },)*
                _ => first,
            }
        };
    }
    by_number!(1 2 3 4 5 6 7 8 9 10 11 12 13 14 15)
}

/// The row whose byte x is byte x + `bytes`; 0 where there is none.
#[inline(always)]
fn moved<const N: usize>(row: [__m256i; N], bytes: i32) -> [__m256i; N] {
    let mut moved = row;
    let mut piece = bytes >> 4;
    for to in &mut moved {
        *to = from_byte(bytes & 15, two_pieces(row, piece), two_pieces(row, piece + 1));
        piece += 2;
    }
    moved
}

/// The bits of all bytes that are negative, of two registers one after the other.
#[inline(always)]
fn lanes_of_bytes([low, high]: [__m256i; 2]) -> Bitboard {
    let bits = |part| u64::from(unsafe { _mm256_movemask_epi8(part) } as u32);
    Bitboard(bits(low) | bits(high) << 32)
}

/// All bits of the bytes of 32 lanes that are in a set.
#[inline(always)]
fn mask_of_bytes(lanes: u32) -> __m256i {
    unsafe {
        let bytes = _mm256_setr_epi64x(0, ONE_IN_EACH, 2 * ONE_IN_EACH, 3 * ONE_IN_EACH);
        let spread = _mm256_shuffle_epi8(_mm256_set1_epi32(lanes as i32), bytes);
        let bits = _mm256_set1_epi64x(i64::from_le_bytes([1, 2, 4, 8, 16, 32, 64, 128]));
        _mm256_cmpeq_epi8(_mm256_and_si256(spread, bits), bits)
    }
}

/// Eight bytes of one.
const ONE_IN_EACH: i64 = 0x0101_0101_0101_0101;

impl Bytes256 {
    #[inline(always)]
    fn mask(lanes: Bitboard) -> [__m256i; 2] {
        [mask_of_bytes(lanes.0 as u32), mask_of_bytes((lanes.0 >> 32) as u32)]
    }
}

impl PartialEq for Bytes256 {
    #[inline(always)]
    fn eq(&self, other: &Bytes256) -> bool {
        self.differs(other).is_empty()
    }
}

impl Lanes for Bytes256 {
    const NONE: Bytes256 = Bytes256([EMPTY; 2]);

    #[inline(always)]
    fn with_registers<T>(work: impl FnOnce() -> T) -> T {
        unsafe { widely(work) }
    }

    #[inline(always)]
    fn join(self, other: Bytes256) -> Bytes256 {
        let [[a, b], [c, d]] = [self.0, other.0];
        Bytes256(unsafe { [_mm256_max_epu8(a, c), _mm256_max_epu8(b, d)] })
    }

    #[inline(always)]
    fn only(self, lanes: Bitboard) -> Bytes256 {
        let ([a, b], [c, d]) = (self.0, Bytes256::mask(lanes));
        Bytes256(unsafe { [_mm256_and_si256(a, c), _mm256_and_si256(b, d)] })
    }

    #[inline(always)]
    fn turned(self, symmetry: Symmetry) -> Bytes256 {
        let [low, high] = self.0;
        let image: [__m256i; 2] = cast(*symmetry.images());
        let mut turned = [EMPTY; 2];
        unsafe {
            // Each piece of 16 bytes gives what it has; where it has not, its place has the highest
            // bit, and gives nothing.
            let pieces = [
                _mm256_permute2x128_si256::<0x00>(low, low),
                _mm256_permute2x128_si256::<0x11>(low, low),
                _mm256_permute2x128_si256::<0x00>(high, high),
                _mm256_permute2x128_si256::<0x11>(high, high),
            ];
            for (to, image) in turned.iter_mut().zip(image) {
                let mut first = 0;
                for piece in pieces {
                    let place = _mm256_sub_epi8(image, _mm256_set1_epi8(first));
                    let place = _mm256_adds_epu8(place, _mm256_set1_epi8(0x70));
                    *to = _mm256_or_si256(*to, _mm256_shuffle_epi8(piece, place));
                    first += 16;
                }
            }
        }
        Bytes256(turned)
    }

    #[inline(always)]
    fn seen_along(self, direction: &Direction) -> Bytes256 {
        let moved = Bytes256(moved(self.0, direction.step));
        if direction.inside == !0 { moved } else { moved.only(Bitboard(direction.inside)) }
    }
}

impl NumberLanes for Bytes256 {
    type Value = u8;

    #[inline(always)]
    fn all(value: u8) -> Bytes256 {
        Bytes256([unsafe { _mm256_set1_epi8(value as i8) }; 2])
    }

    #[inline(always)]
    fn or_else(self, lanes: Bitboard, other: Bytes256) -> Bytes256 {
        let ([[a, b], [c, d]], [low, high]) = ([self.0, other.0], Bytes256::mask(lanes));
        Bytes256(unsafe { [_mm256_blendv_epi8(c, a, low), _mm256_blendv_epi8(d, b, high)] })
    }

    #[inline(always)]
    fn minus(self, other: Bytes256) -> Bytes256 {
        let [[a, b], [c, d]] = [self.0, other.0];
        Bytes256(unsafe { [_mm256_sub_epi8(a, c), _mm256_sub_epi8(b, d)] })
    }

    #[inline(always)]
    fn raised(self, from: u8, by: u8) -> Bytes256 {
        let ([[least, _], [by, _]], mut raised) = ([Self::all(from).0, Self::all(by).0], self.0);
        for part in &mut raised {
            unsafe {
                let enough = _mm256_cmpeq_epi8(_mm256_max_epu8(*part, least), *part);
                *part = _mm256_add_epi8(*part, _mm256_and_si256(enough, by));
            }
        }
        Bytes256(raised)
    }

    #[inline(always)]
    fn at_least(self, value: u8) -> Bitboard {
        let ([a, b], [least, _]) = (self.0, Self::all(value).0);
        lanes_of_bytes(unsafe {
            [
                _mm256_cmpeq_epi8(_mm256_max_epu8(a, least), a),
                _mm256_cmpeq_epi8(_mm256_max_epu8(b, least), b),
            ]
        })
    }

    #[inline(always)]
    fn differs(&self, other: &Bytes256) -> Bitboard {
        let [[a, b], [c, d]] = [self.0, other.0];
        !lanes_of_bytes(unsafe { [_mm256_cmpeq_epi8(a, c), _mm256_cmpeq_epi8(b, d)] })
    }
}

/// The bits of all words that are negative, of four registers one after the other.
#[inline(always)]
fn lanes_of_words([a, b, c, d]: [__m256i; 4]) -> Bitboard {
    lanes_of_bytes(unsafe {
        [in_order(_mm256_packs_epi16(a, b)), in_order(_mm256_packs_epi16(c, d))]
    })
}

/// What was packed from two registers, half by half, in their order.
#[inline(always)]
fn in_order(packed: __m256i) -> __m256i {
    unsafe { _mm256_permute4x64_epi64::<0b11_01_10_00>(packed) }
}

impl Shorts256 {
    #[inline(always)]
    fn mask(lanes: Bitboard) -> [__m256i; 4] {
        let mut mask = [EMPTY; 4];
        let mut lanes = lanes.0;
        for to in &mut mask {
            unsafe {
                let bits = _mm256_setr_epi16(
                    1,
                    2,
                    4,
                    8,
                    16,
                    32,
                    64,
                    128,
                    256,
                    512,
                    1024,
                    2048,
                    4096,
                    8192,
                    16384,
                    i16::MIN,
                );
                let spread = _mm256_set1_epi16(lanes as i16);
                *to = _mm256_cmpeq_epi16(_mm256_and_si256(spread, bits), bits);
            }
            lanes >>= 16;
        }
        mask
    }
}

impl PartialEq for Shorts256 {
    #[inline(always)]
    fn eq(&self, other: &Shorts256) -> bool {
        self.differs(other).is_empty()
    }
}

impl Lanes for Shorts256 {
    const NONE: Shorts256 = Shorts256([EMPTY; 4]);

    #[inline(always)]
    fn with_registers<T>(work: impl FnOnce() -> T) -> T {
        unsafe { widely(work) }
    }

    #[inline(always)]
    fn join(mut self, other: Shorts256) -> Shorts256 {
        for (part, other) in self.0.iter_mut().zip(other.0) {
            *part = unsafe { _mm256_max_epi16(*part, other) };
        }
        self
    }

    #[inline(always)]
    fn only(mut self, lanes: Bitboard) -> Shorts256 {
        for (part, mask) in self.0.iter_mut().zip(Shorts256::mask(lanes)) {
            *part = unsafe { _mm256_and_si256(*part, mask) };
        }
        self
    }

    #[inline(always)]
    fn turned(self, symmetry: Symmetry) -> Shorts256 {
        let [a, b, c, d] = self.0;
        unsafe {
            // The lower bytes of all words and the upper ones are rows that can be turned.
            let byte = _mm256_set1_epi16(0xFF);
            let lower = |a, b| {
                let [a, b] = [_mm256_and_si256(a, byte), _mm256_and_si256(b, byte)];
                in_order(_mm256_packus_epi16(a, b))
            };
            let upper = |a, b| {
                let [a, b] = [_mm256_srli_epi16::<8>(a), _mm256_srli_epi16::<8>(b)];
                in_order(_mm256_packus_epi16(a, b))
            };
            let lower = Bytes256([lower(a, b), lower(c, d)]).turned(symmetry).0;
            let upper = Bytes256([upper(a, b), upper(c, d)]).turned(symmetry).0;
            let words = |lower, upper| {
                let firsts = _mm256_unpacklo_epi8(lower, upper);
                let seconds = _mm256_unpackhi_epi8(lower, upper);
                [
                    _mm256_permute2x128_si256::<0x20>(firsts, seconds),
                    _mm256_permute2x128_si256::<0x31>(firsts, seconds),
                ]
            };
            let [[a, b], [c, d]] = [words(lower[0], upper[0]), words(lower[1], upper[1])];
            Shorts256([a, b, c, d])
        }
    }

    #[inline(always)]
    fn seen_along(self, direction: &Direction) -> Shorts256 {
        let moved = Shorts256(moved(self.0, 2 * direction.step));
        if direction.inside == !0 { moved } else { moved.only(Bitboard(direction.inside)) }
    }
}

impl NumberLanes for Shorts256 {
    type Value = i16;

    #[inline(always)]
    fn all(value: i16) -> Shorts256 {
        Shorts256([unsafe { _mm256_set1_epi16(value) }; 4])
    }

    #[inline(always)]
    fn or_else(mut self, lanes: Bitboard, other: Shorts256) -> Shorts256 {
        let masks = Shorts256::mask(lanes);
        for ((part, other), mask) in self.0.iter_mut().zip(other.0).zip(masks) {
            *part = unsafe { _mm256_blendv_epi8(other, *part, mask) };
        }
        self
    }

    #[inline(always)]
    fn minus(mut self, other: Shorts256) -> Shorts256 {
        for (part, other) in self.0.iter_mut().zip(other.0) {
            *part = unsafe { _mm256_sub_epi16(*part, other) };
        }
        self
    }

    #[inline(always)]
    fn raised(mut self, from: i16, by: i16) -> Shorts256 {
        let ([least, ..], [by, ..]) = (Self::all(from).0, Self::all(by).0);
        for part in &mut self.0 {
            unsafe {
                let enough = _mm256_cmpeq_epi16(_mm256_max_epi16(*part, least), *part);
                *part = _mm256_add_epi16(*part, _mm256_and_si256(enough, by));
            }
        }
        self
    }

    #[inline(always)]
    fn at_least(mut self, value: i16) -> Bitboard {
        let [least, ..] = Self::all(value).0;
        for part in &mut self.0 {
            *part = unsafe { _mm256_cmpeq_epi16(_mm256_max_epi16(*part, least), *part) };
        }
        lanes_of_words(self.0)
    }

    #[inline(always)]
    fn differs(&self, other: &Shorts256) -> Bitboard {
        let mut same = self.0;
        for (part, other) in same.iter_mut().zip(other.0) {
            *part = unsafe { _mm256_cmpeq_epi16(*part, other) };
        }
        !lanes_of_words(same)
    }
}
