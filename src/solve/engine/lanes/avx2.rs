//! Rows in the 256-bit registers of processors with AVX2: a row of bytes is two of them, a row of
//! words four.
//!
//! A set of lanes becomes a mask of bytes or words. Most instructions work on the two halves of a
//! register, of 128 bits, apart from each other; what has to cross over takes one more.

use std::arch::x86_64::__m256i;

use bytemuck::{Pod, Zeroable, cast};

use super::{
    rows::{BITS, Bytes, Direction, Lanes, NumberLanes, Shorts},
    witness::{instructions, registers},
};
use crate::board::{Bitboard, Symmetry};

// Processors with AVX2 have had the others from the first. No row uses them: iterating over
// bitboards compiles to them.
registers!(Bytes256, Shorts256 need "avx2" "bmi1" "bmi2" "lzcnt" "popcnt");

// All are of AVX2, or of AVX, which it includes.
instructions! {
    _mm256_add_epi16(a: __m256i, b: __m256i) -> __m256i;
    _mm256_add_epi8(a: __m256i, b: __m256i) -> __m256i;
    _mm256_adds_epu8(a: __m256i, b: __m256i) -> __m256i;
    _mm256_alignr_epi8<BYTES>(high: __m256i, low: __m256i) -> __m256i;
    _mm256_and_si256(a: __m256i, b: __m256i) -> __m256i;
    _mm256_blendv_epi8(unset: __m256i, set: __m256i, mask: __m256i) -> __m256i;
    _mm256_cmpeq_epi16(a: __m256i, b: __m256i) -> __m256i;
    _mm256_cmpeq_epi8(a: __m256i, b: __m256i) -> __m256i;
    _mm256_max_epi16(a: __m256i, b: __m256i) -> __m256i;
    _mm256_max_epu8(a: __m256i, b: __m256i) -> __m256i;
    _mm256_movemask_epi8(a: __m256i) -> i32;
    _mm256_or_si256(a: __m256i, b: __m256i) -> __m256i;
    _mm256_packs_epi16(a: __m256i, b: __m256i) -> __m256i;
    _mm256_packus_epi16(a: __m256i, b: __m256i) -> __m256i;
    _mm256_permute2x128_si256<HALVES>(a: __m256i, b: __m256i) -> __m256i;
    _mm256_permute4x64_epi64<QUARTERS>(a: __m256i) -> __m256i;
    _mm256_set1_epi16(value: i16) -> __m256i;
    _mm256_set1_epi32(value: i32) -> __m256i;
    _mm256_set1_epi64x(value: i64) -> __m256i;
    _mm256_set1_epi8(value: i8) -> __m256i;
    _mm256_setr_epi64x(a: i64, b: i64, c: i64, d: i64) -> __m256i;
    _mm256_shuffle_epi8(a: __m256i, from: __m256i) -> __m256i;
    _mm256_srli_epi16<COUNT>(a: __m256i) -> __m256i;
    _mm256_sub_epi16(a: __m256i, b: __m256i) -> __m256i;
    _mm256_sub_epi8(a: __m256i, b: __m256i) -> __m256i;
    _mm256_unpackhi_epi8(a: __m256i, b: __m256i) -> __m256i;
    _mm256_unpacklo_epi8(a: __m256i, b: __m256i) -> __m256i;
}

/// Zero in every lane, which is [`Lanes::NONE`].
// SAFETY: a register is as good with zeros as with any other bits. To have it in a constant takes
// no instruction of AVX2.
#[allow(unsafe_code, reason = "no safe function that makes a register is const")]
const EMPTY: __m256i = unsafe { std::mem::zeroed() };

/// Two neighbouring pieces of 16 bytes of a row, half a register each, of which `piece` is the
/// first; [`EMPTY`] where there are none.
#[inline(always)]
fn two_pieces<const N: usize>(row: [__m256i; N], piece: i32) -> __m256i {
    let register = |at: i32| if (0..N as i32).contains(&at) { row[at as usize] } else { EMPTY };
    let at = piece >> 1;
    if piece & 1 == 0 {
        return register(at);
    }
    _mm256_permute2x128_si256::<HIGH_OF_FIRST_LOW_OF_SECOND>(register(at), register(at + 1))
}

/// How `_mm256_permute2x128_si256` is told which half goes where: four bits for each half of the
/// result, the lower one's lowest. 0 and 1 are the first register's halves, 2 and 3 the second's.
const fn halves(low: i32, high: i32) -> i32 {
    low | high << 4
}

// Two neighbours of a row's four pieces, of which a pair of registers has the middle ones.
const HIGH_OF_FIRST_LOW_OF_SECOND: i32 = halves(1, 2);
// One piece for both halves of a shuffle.
const LOW_TWICE: i32 = halves(0, 0);
const HIGH_TWICE: i32 = halves(1, 1);
// What was unpacked half by half.
const LOW_OF_BOTH: i32 = halves(0, 2);
const HIGH_OF_BOTH: i32 = halves(1, 3);

/// Of each two pieces of 16 bytes, the second behind the first, the 16 from byte `bytes` on; for
/// 0 to 15.
///
/// The instruction has the number of bytes as an immediate operand. Callers' directions are
/// constants, so once all is inlined one arm remains.
#[inline(always)]
fn from_byte(bytes: i32, first: __m256i, second: __m256i) -> __m256i {
    macro_rules! by_number {
        ($($number:literal)*) => {
            match bytes {
                $($number => _mm256_alignr_epi8::<$number>(second, first),)*
                _ => first,
            }
        };
    }
    by_number!(1 2 3 4 5 6 7 8 9 10 11 12 13 14 15)
}

/// The row whose byte x is byte x + `bytes`; 0 where there is none.
///
/// Of the two pieces that a piece of the result comes from, the first is `bytes` / 16 further on.
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

/// The lanes of a row of bytes that have the highest bit.
#[inline(always)]
fn lanes_of_bytes([low, high]: [__m256i; 2]) -> Bitboard {
    let bits = |part| u64::from(_mm256_movemask_epi8(part) as u32);
    Bitboard(bits(low) | bits(high) << 32)
}

/// All bits in the bytes of the lanes of a set, none elsewhere: each byte gets the eight bits of
/// the set that its own bit is one of, and tests that.
#[inline(always)]
fn mask_of_bytes(lanes: Bitboard) -> [__m256i; 2] {
    let bytes = _mm256_setr_epi64x(0, ONE_IN_EACH, 2 * ONE_IN_EACH, 3 * ONE_IN_EACH);
    let bits = _mm256_set1_epi64x(BIT_OF_EACH);
    let mut mask = [_mm256_set1_epi32(lanes.0 as i32), _mm256_set1_epi32((lanes.0 >> 32) as i32)];
    for part in &mut mask {
        let spread = _mm256_shuffle_epi8(*part, bytes);
        *part = _mm256_cmpeq_epi8(_mm256_and_si256(spread, bits), bits);
    }
    mask
}

/// Eight bytes of one: times n, the number of a byte of the set for each of eight lanes.
const ONE_IN_EACH: i64 = i64::from_le_bytes([1; 8]);

/// Of eight lanes, the bit of each in its byte of the set.
const BIT_OF_EACH: i64 = i64::from_le_bytes([1, 2, 4, 8, 16, 32, 64, 128]);

/// Added to places, and saturating, sets the highest bit of those beyond a piece of 16 bytes, for
/// which a shuffle gives zero, and leaves the lowest four bits of those in it, which are all that a
/// shuffle looks at then.
const ELSEWHERE: u8 = 0x70;

const _: () = {
    let mut place = 0;
    while place <= u8::MAX as u32 {
        let shuffled = (place as u8).saturating_add(ELSEWHERE);
        if place < 16 {
            assert!(shuffled & 0x80 == 0 && (shuffled & 15) as u32 == place);
        } else {
            assert!(shuffled & 0x80 != 0);
        }
        place += 1;
    }
};

/// A row of bytes seen through a symmetry.
#[inline(always)]
fn turned_bytes([low, high]: [__m256i; 2], symmetry: Symmetry) -> [__m256i; 2] {
    let image: [__m256i; 2] = cast(*symmetry.images());
    let mut turned = [EMPTY; 2];
    // A shuffle takes from 16 bytes only, so each of the row's four pieces gives what it has,
    // and zeros for what the others have.
    let pieces = [
        _mm256_permute2x128_si256::<LOW_TWICE>(low, low),
        _mm256_permute2x128_si256::<HIGH_TWICE>(low, low),
        _mm256_permute2x128_si256::<LOW_TWICE>(high, high),
        _mm256_permute2x128_si256::<HIGH_TWICE>(high, high),
    ];
    for (to, image) in turned.iter_mut().zip(image) {
        let mut first = 0;
        for piece in pieces {
            let place = _mm256_sub_epi8(image, _mm256_set1_epi8(first));
            let place = _mm256_adds_epu8(place, _mm256_set1_epi8(ELSEWHERE as i8));
            *to = _mm256_or_si256(*to, _mm256_shuffle_epi8(piece, place));
            first += 16;
        }
    }
    turned
}

/// The lanes of a row of words that have the highest bit; for words that are all bits or none.
#[inline(always)]
fn lanes_of_words([a, b, c, d]: [__m256i; 4]) -> Bitboard {
    lanes_of_bytes([in_order(_mm256_packs_epi16(a, b)), in_order(_mm256_packs_epi16(c, d))])
}

/// Packing two registers gives the lower halves of both and then the upper halves; this has the
/// first register's halves first.
#[inline(always)]
fn in_order(packed: __m256i) -> __m256i {
    // Two bits for each quarter of the result, the lowest first: 0, 2, 1, 3.
    _mm256_permute4x64_epi64::<0b11_01_10_00>(packed)
}

/// All bits in the words of the lanes of a set, none elsewhere.
#[inline(always)]
fn mask_of_words(lanes: Bitboard) -> [__m256i; 4] {
    let bits = cast(BITS);
    let mut mask = [EMPTY; 4];
    let mut lanes = lanes.0;
    for to in &mut mask {
        let spread = _mm256_set1_epi16(lanes as i16);
        *to = _mm256_cmpeq_epi16(_mm256_and_si256(spread, bits), bits);
        lanes >>= 16;
    }
    mask
}

/// The same of words.
#[inline(always)]
fn turned_words([a, b, c, d]: [__m256i; 4], symmetry: Symmetry) -> [__m256i; 4] {
    // The lower bytes of all words and the upper ones are two rows of bytes, which can be
    // turned.
    let low_byte = _mm256_set1_epi16(0xFF);
    let lower = |a, b| {
        let [a, b] = [_mm256_and_si256(a, low_byte), _mm256_and_si256(b, low_byte)];
        in_order(_mm256_packus_epi16(a, b))
    };
    let upper = |a, b| {
        let [a, b] = [_mm256_srli_epi16::<8>(a), _mm256_srli_epi16::<8>(b)];
        in_order(_mm256_packus_epi16(a, b))
    };
    let lower = turned_bytes([lower(a, b), lower(c, d)], symmetry);
    let upper = turned_bytes([upper(a, b), upper(c, d)], symmetry);
    let words = |lower, upper| {
        let firsts = _mm256_unpacklo_epi8(lower, upper);
        let seconds = _mm256_unpackhi_epi8(lower, upper);
        [
            _mm256_permute2x128_si256::<LOW_OF_BOTH>(firsts, seconds),
            _mm256_permute2x128_si256::<HIGH_OF_BOTH>(firsts, seconds),
        ]
    };
    let [[a, b], [c, d]] = [words(lower[0], upper[0]), words(lower[1], upper[1])];
    [a, b, c, d]
}

/// Declares rows of some registers of numbers, given the instructions that take these numbers, how
/// a set of lanes becomes a mask of them and back, and how rows are seen through a symmetry.
macro_rules! rows {
    (
        $(#[$doc:meta])*
        $row:ident of $count:literal like $portable:ident of $value:ty as $signed:ty,
        all $all:ident, max $max:ident, add $add:ident, minus $minus:ident, equal $equal:ident,
        mask $mask:ident, lanes $lanes:ident, turned $turned:ident
    ) => {
        $(#[$doc])*
        #[derive(Copy, Clone, Debug, Pod, Zeroable)]
        #[repr(C, align(64))]
        struct $row([__m256i; $count]);

        // Memory has rows of any kind in the same place.
        const _: () = {
            assert!(size_of::<$row>() == size_of::<$portable>());
            assert!(align_of::<$row>() == align_of::<$portable>());
        };

        impl PartialEq for $row {
            #[inline(always)]
            fn eq(&self, other: &$row) -> bool {
                self.differs(other).is_empty()
            }
        }

        impl Lanes for $row {
            const NONE: $row = $row([EMPTY; $count]);

            #[inline(always)]
            fn with_registers<T>(work: impl FnOnce() -> T) -> T {
                compiled_for_registers(work)
            }

            #[inline(always)]
            fn join(mut self, other: $row) -> $row {
                for (part, other) in self.0.iter_mut().zip(other.0) {
                    *part = $max(*part, other);
                }
                self
            }

            #[inline(always)]
            fn only(mut self, lanes: Bitboard) -> $row {
                for (part, mask) in self.0.iter_mut().zip($mask(lanes)) {
                    *part = _mm256_and_si256(*part, mask);
                }
                self
            }

            #[inline(always)]
            fn turned(self, symmetry: Symmetry) -> $row {
                $row($turned(self.0, symmetry))
            }

            #[inline(always)]
            fn seen_along(self, direction: &Direction) -> $row {
                let moved = $row(moved(self.0, size_of::<$value>() as i32 * direction.step));
                if direction.inside == !0 { moved } else { moved.only(Bitboard(direction.inside)) }
            }
        }

        impl NumberLanes for $row {
            type Value = $value;

            #[inline(always)]
            fn all(value: $value) -> $row {
                $row([$all(value as $signed); $count])
            }

            #[inline(always)]
            fn or_else(mut self, lanes: Bitboard, other: $row) -> $row {
                let masks = $mask(lanes);
                for ((part, other), mask) in self.0.iter_mut().zip(other.0).zip(masks) {
                    *part = _mm256_blendv_epi8(other, *part, mask);
                }
                self
            }

            #[inline(always)]
            fn minus(mut self, other: $row) -> $row {
                for (part, other) in self.0.iter_mut().zip(other.0) {
                    *part = $minus(*part, other);
                }
                self
            }

            #[inline(always)]
            fn raised(mut self, from: $value, by: $value) -> $row {
                let ([least, ..], [by, ..]) = (Self::all(from).0, Self::all(by).0);
                for part in &mut self.0 {
                    let enough = $equal($max(*part, least), *part);
                    *part = $add(*part, _mm256_and_si256(enough, by));
                }
                self
            }

            #[inline(always)]
            fn at_least(mut self, value: $value) -> Bitboard {
                let [least, ..] = Self::all(value).0;
                for part in &mut self.0 {
                    *part = $equal($max(*part, least), *part);
                }
                $lanes(self.0)
            }

            #[inline(always)]
            fn differs(&self, other: &$row) -> Bitboard {
                let mut same = self.0;
                for (part, other) in same.iter_mut().zip(other.0) {
                    *part = $equal(*part, other);
                }
                !$lanes(same)
            }
        }
    };
}

rows! {
    /// A row of 64 bytes.
    Bytes256 of 2 like Bytes of u8 as i8,
    all _mm256_set1_epi8, max _mm256_max_epu8, add _mm256_add_epi8, minus _mm256_sub_epi8,
    equal _mm256_cmpeq_epi8, mask mask_of_bytes, lanes lanes_of_bytes, turned turned_bytes
}

rows! {
    /// A row of 64 words.
    Shorts256 of 4 like Shorts of i16 as i16,
    all _mm256_set1_epi16, max _mm256_max_epi16, add _mm256_add_epi16, minus _mm256_sub_epi16,
    equal _mm256_cmpeq_epi16, mask mask_of_words, lanes lanes_of_words, turned turned_words
}
