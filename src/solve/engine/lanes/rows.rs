//! What rows are, and those of bits and bytes for any processor.

use crate::board::{Betza, Bitboard, Movement, Square, Symmetry};

/// A row of 64 values that can be joined: one value per square of the man that runs.
///
/// Joining is "either of two options of the same player": union for sets, the greater one for
/// numbers. Its neutral value, [`Lanes::NONE`], stands for "no option".
pub trait Lanes: Copy + Send + Sync + PartialEq {
    /// No option in any lane: all bits zero.
    const NONE: Self;

    /// Runs work in a function that is compiled for the instruction sets of these rows
    /// (`#[target_feature]`).
    ///
    /// That covers what is inlined into it, and nothing that it calls. So everything from `work`
    /// down to the instructions is `#[inline(always)]`; what is not gets its rows through memory
    /// and calls a function for each instruction.
    #[inline(always)]
    fn with_registers<T>(work: impl FnOnce() -> T) -> T {
        work()
    }

    /// Prefetches the row, which is read soon, into all levels of the cache.
    #[inline(always)]
    fn prefetch(&self) {
        #[cfg(target_arch = "x86_64")]
        for line in (0..size_of::<Self>()).step_by(CACHE_LINE) {
            use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
            // SAFETY: a prefetch is a hint: it changes no memory and never faults, whatever the
            // address is. SSE, which it is of, is part of x86-64.
            #[allow(unsafe_code, reason = "takes a pointer; a twentieth of Norochess's KQRvKR")]
            unsafe {
                _mm_prefetch::<_MM_HINT_T0>(
                    std::ptr::from_ref(self).cast::<i8>().wrapping_add(line),
                );
            }
        }
    }

    /// The better of two options, lane by lane.
    fn join(self, other: Self) -> Self;

    /// Keeps these lanes and takes the options from all others.
    fn only(self, lanes: Bitboard) -> Self;

    /// Looks at the row through a symmetry: lane x of the result is lane `symmetry.image(x)`.
    fn turned(self, symmetry: Symmetry) -> Self;

    /// Lane x of the result is lane x + step along a direction, `NONE` where the board ends.
    fn seen_along(self, direction: &Direction) -> Self;

    /// The best lane within reach of a quiet move: lane x of the result joins the lanes of all
    /// empty squares where a man on x can go. Lanes in `occupied` mean nothing.
    #[inline(always)]
    fn reached(self, movement: Movement, occupied: Bitboard) -> Self {
        let empty = !occupied;
        let row = self.only(empty);
        match movement {
            Movement::King => king_steps(row),
            Movement::Knight => knight_steps(row),
            Movement::Rook => slides(row, empty, &ORTHOGONAL),
            Movement::Bishop => slides(row, empty, &DIAGONAL),
            Movement::Queen => queen_slides(row, empty),
            Movement::Elk => slides(row, empty, &ORTHOGONAL)
                .only(Bitboard::DARK)
                .join(knight_steps(row).only(Bitboard::LIGHT)),
            Movement::Disk | Movement::Still => Self::NONE,
            Movement::Betza(betza) => shifted_row(row, betza, occupied),
            Movement::Pawn(_) => unreachable!("pawns stand still within a slice"),
        }
    }
}

/// A row of numbers that can be reckoned with, whatever registers they are in.
///
/// In memory it is an array of 64 of them, lane 0 first.
pub trait NumberLanes: Lanes + bytemuck::Pod {
    /// The number of a lane.
    type Value: bytemuck::Pod + PartialOrd + Send + Sync;

    /// The same number in every lane.
    fn all(value: Self::Value) -> Self;

    /// A row of these numbers.
    #[inline(always)]
    fn from_values(values: [Self::Value; 64]) -> Self {
        bytemuck::cast(values)
    }

    /// Changes every lane alike.
    #[inline(always)]
    fn map(self, f: impl Fn(Self::Value) -> Self::Value) -> Self {
        let mut values = *self.values();
        for value in &mut values {
            *value = f(*value);
        }
        Self::from_values(values)
    }

    /// The numbers of all lanes.
    #[inline(always)]
    fn values(&self) -> &[Self::Value; 64] {
        bytemuck::cast_ref(self)
    }

    /// The number of a lane.
    #[inline(always)]
    fn value(&self, lane: Square) -> Self::Value {
        self.values()[lane.number()]
    }

    /// Sets the number of a lane.
    #[inline(always)]
    fn set(&mut self, lane: Square, value: Self::Value) {
        bytemuck::cast_mut::<Self, [Self::Value; 64]>(self)[lane.number()] = value;
    }

    /// These lanes from `self`, all others from `other`.
    fn or_else(self, lanes: Bitboard, other: Self) -> Self;

    /// The numbers of `self` less those of `other`, lane by lane; beyond the least the count goes
    /// on from the greatest.
    fn minus(self, other: Self) -> Self;

    /// `by` more in lanes that have at least `from`.
    fn raised(self, from: Self::Value, by: Self::Value) -> Self;

    /// The lanes that have at least this number.
    #[inline(always)]
    fn at_least(self, value: Self::Value) -> Bitboard {
        let values = self.values();
        lanes_where(|lane| values[lane] >= value)
    }

    /// Becomes another row; returns the lanes that are different then.
    #[inline(always)]
    fn replace(&mut self, new: Self) -> Bitboard {
        let changed = new.differs(self);
        *self = new;
        changed
    }

    /// The lanes that are different in `other`.
    #[inline(always)]
    fn differs(&self, other: &Self) -> Bitboard {
        if self == other {
            return Bitboard::EMPTY;
        }
        let (values, others) = (self.values(), other.values());
        lanes_where(|lane| values[lane] != others[lane])
    }
}

/// Bytes that a processor with x86-64 reads into its caches at a time. A row of bytes or words is
/// aligned to that.
#[cfg(target_arch = "x86_64")]
const CACHE_LINE: usize = 64;

#[cfg(target_arch = "x86_64")]
const _: () = {
    assert!(size_of::<Bytes>() == CACHE_LINE && align_of::<Bytes>() == CACHE_LINE);
    assert!(size_of::<Shorts>() == 2 * CACHE_LINE && align_of::<Shorts>() == CACHE_LINE);
};

/// A direction on the board: how far a square's number goes up, and which squares have a
/// neighbour there.
///
/// Squares whose neighbour would be beyond the first or last rank may count as having one: what is
/// shifted in from beyond the row is nothing anyway.
pub struct Direction {
    pub(super) step: i32,
    pub(super) inside: u64,
}

impl Direction {
    /// Twice as far.
    #[inline(always)]
    fn doubled(&self) -> Direction {
        Direction { step: 2 * self.step, inside: self.inside & shifted(self.inside, self) }
    }
}

/// All squares but file a: those with a neighbour to the left. Files are numbers modulo 8.
const NOT_A: u64 = !0x0101_0101_0101_0101;
/// All squares but file h: those with a neighbour to the right.
const NOT_H: u64 = !0x8080_8080_8080_8080;
/// All squares with two more to the left.
const NOT_AB: u64 = NOT_A & NOT_A << 1;
/// All squares with two more to the right.
const NOT_GH: u64 = NOT_H & NOT_H >> 1;

/// A Rook's directions.
const ORTHOGONAL: [Direction; 4] = [
    Direction { step: 8, inside: !0 },
    Direction { step: -8, inside: !0 },
    Direction { step: 1, inside: NOT_H },
    Direction { step: -1, inside: NOT_A },
];
/// A Bishop's directions.
const DIAGONAL: [Direction; 4] = [
    Direction { step: 9, inside: NOT_H },
    Direction { step: 7, inside: NOT_A },
    Direction { step: -7, inside: NOT_H },
    Direction { step: -9, inside: NOT_A },
];
/// A Knight's steps to higher ranks.
const KNIGHT_UP: [Direction; 4] = [
    Direction { step: 17, inside: NOT_H },
    Direction { step: 15, inside: NOT_A },
    Direction { step: 10, inside: NOT_GH },
    Direction { step: 6, inside: NOT_AB },
];
/// A Knight's steps to lower ranks.
const KNIGHT_DOWN: [Direction; 4] = [
    Direction { step: -17, inside: NOT_A },
    Direction { step: -15, inside: NOT_H },
    Direction { step: -10, inside: NOT_AB },
    Direction { step: -6, inside: NOT_GH },
];

// A step that leaves the board at one side comes back at the other, more than two files away; no
// move of one step goes that far.
const _: () = {
    let mut n = 0;
    while n < 16 {
        let direction = &[&ORTHOGONAL, &DIAGONAL, &KNIGHT_UP, &KNIGHT_DOWN][n / 4][n % 4];
        let mut square = 0;
        while square < 64 {
            let to = square + direction.step;
            let inside = direction.inside >> square & 1 != 0;
            if 0 <= to && to < 64 {
                assert!(inside == ((to % 8 - square % 8).abs() <= 2));
            }
            square += 1;
        }
        n += 1;
    }
};

// Directions are looked along one by one and not in loops, so that each is a constant once all is
// inlined: AVX2's byte shifts have the distance as an immediate operand, and a loop that is not
// unrolled jumps by table to find the instruction.

/// Joins the next lane of each direction.
#[inline(always)]
fn steps<L: Lanes>(row: L, [a, b, c, d]: &[Direction; 4]) -> L {
    let [a, b, c, d] = [row.seen_along(a), row.seen_along(b), row.seen_along(c), row.seen_along(d)];
    a.join(b).join(c.join(d))
}

/// Joins the lanes a King's step away.
#[inline(always)]
fn king_steps<L: Lanes>(row: L) -> L {
    steps(row, &ORTHOGONAL).join(steps(row, &DIAGONAL))
}

/// Joins all lanes up to the first man in the directions of a Queen.
#[inline(always)]
fn queen_slides<L: Lanes>(row: L, empty: Bitboard) -> L {
    slides(row, empty, &ORTHOGONAL).join(slides(row, empty, &DIAGONAL))
}

/// Joins the lanes that a man can go to by its notation.
///
/// In a function of its own: inlined with the others it would make every solver larger and, for the
/// registers it needs, slower.
#[inline(never)]
fn shifted_row<L: Lanes>(row: L, betza: &Betza, occupied: Bitboard) -> L {
    L::with_registers(
        #[inline(always)]
        || {
            let (empty, shifts) = (!occupied, betza.shifts());
            let mut best = L::NONE;
            for shift in &shifts.others {
                let inside = shift.open(occupied).0;
                if inside != 0 {
                    best = best.join(row.seen_along(&Direction { step: shift.step, inside }));
                }
            }
            if shifts.king {
                best = best.join(king_steps(row));
            }
            if shifts.knight {
                best = best.join(knight_steps(row));
            }
            if shifts.rook {
                best = best.join(slides(row, empty, &ORTHOGONAL));
            }
            if shifts.bishop {
                best = best.join(slides(row, empty, &DIAGONAL));
            }
            best
        },
    )
}

/// Joins the lanes a Knight's step away.
#[inline(always)]
fn knight_steps<L: Lanes>(row: L) -> L {
    steps(row, &KNIGHT_UP).join(steps(row, &KNIGHT_DOWN))
}

/// Joins along each direction all lanes up to the first man.
#[inline(always)]
fn slides<L: Lanes>(row: L, empty: Bitboard, [a, b, c, d]: &[Direction; 4]) -> L {
    let best = slide(row, empty, a).join(slide(row, empty, b));
    best.join(slide(row, empty, c)).join(slide(row, empty, d))
}

/// Joins along a direction all lanes up to the first man, by doubling the distance looked ahead: 1,
/// 2, 4 squares.
#[inline(always)]
fn slide<L: Lanes>(row: L, empty: Bitboard, one: &Direction) -> L {
    let two = one.doubled();
    let four = two.doubled();
    let open = empty.0;
    let seen = row.join(row.seen_along(one).only(Bitboard(open)));
    let open = open & shifted(open, one);
    let seen = seen.join(seen.seen_along(&two).only(Bitboard(open)));
    let open = open & shifted(open, &two);
    let seen = seen.join(seen.seen_along(&four).only(Bitboard(open)));
    seen.seen_along(one)
}

/// Bit x of the result is bit x + step.
#[inline(always)]
pub(super) const fn shifted(bits: u64, direction: &Direction) -> u64 {
    let moved = if direction.step > 0 { bits >> direction.step } else { bits << -direction.step };
    moved & direction.inside
}

impl Lanes for u64 {
    const NONE: u64 = 0;

    #[inline(always)]
    fn join(self, other: u64) -> u64 {
        self | other
    }

    #[inline(always)]
    fn only(self, lanes: Bitboard) -> u64 {
        self & lanes.0
    }

    #[inline(always)]
    fn turned(self, symmetry: Symmetry) -> u64 {
        symmetry.inverse().image_of_set(Bitboard(self)).0
    }

    #[inline(always)]
    fn seen_along(self, direction: &Direction) -> u64 {
        shifted(self, direction)
    }
}

/// Declares rows of numbers for any processor, given how a set of lanes becomes a mask of them.
macro_rules! rows {
    ($(#[$doc:meta])* $row:ident of $value:ty, mask $mask:ident) => {
        $(#[$doc])*
        #[derive(Copy, Clone, PartialEq, Eq, Debug, bytemuck::Pod, bytemuck::Zeroable)]
        #[repr(C, align(64))]
        pub struct $row(pub [$value; 64]);

        impl $row {
            /// All bits in the lanes of the set, none elsewhere.
            #[inline(always)]
            pub fn mask(lanes: Bitboard) -> $row {
                $row($mask(lanes))
            }

            /// Combines two rows lane by lane.
            #[inline(always)]
            fn zip(self, other: $row, f: impl Fn($value, $value) -> $value) -> $row {
                $row(by_lane(|lane| f(self.0[lane], other.0[lane])))
            }
        }

        impl Lanes for $row {
            const NONE: $row = $row([0; 64]);

            #[inline(always)]
            fn join(self, other: $row) -> $row {
                self.zip(other, <$value>::max)
            }

            #[inline(always)]
            fn only(self, lanes: Bitboard) -> $row {
                self.zip($row::mask(lanes), |value, mask| value & mask)
            }

            #[inline(always)]
            fn turned(self, symmetry: Symmetry) -> $row {
                let seen = |lane: usize| self.0[symmetry.image(Square::new(lane as u8)).number()];
                $row(by_lane(seen))
            }

            #[inline(always)]
            fn seen_along(self, direction: &Direction) -> $row {
                let moved = $row(moved(&self.0, direction.step));
                if direction.inside == !0 { moved } else { moved.only(Bitboard(direction.inside)) }
            }
        }

        impl NumberLanes for $row {
            type Value = $value;

            #[inline(always)]
            fn all(value: $value) -> $row {
                $row([value; 64])
            }

            #[inline(always)]
            fn or_else(self, lanes: Bitboard, other: $row) -> $row {
                let mask = $row::mask(lanes);
                $row(by_lane(|lane| self.0[lane] & mask.0[lane] | other.0[lane] & !mask.0[lane]))
            }

            #[inline(always)]
            fn minus(self, other: $row) -> $row {
                self.zip(other, <$value>::wrapping_sub)
            }

            #[inline(always)]
            fn raised(self, from: $value, by: $value) -> $row {
                self.map(|value| value.wrapping_add(if value >= from { by } else { 0 }))
            }
        }
    };
}

rows! {
    /// A byte per lane; joining takes the greater one, and 0 is no option.
    ///
    /// One cache line, so that reading any row reads one.
    Bytes of u8, mask mask_of_bytes
}

rows! {
    /// A number from 0 to 32,767 per lane; joining takes the greater one, and 0 is no option.
    ///
    /// Signed, because the greater of two signed words is an instruction of every x86-64 processor;
    /// that of unsigned words came with SSE4.1.
    Shorts of i16, mask mask_of_words
}

/// Eight bytes of ones or zeros per byte of bits: how a set becomes a mask of bytes, by eight reads
/// of a table of 2 KiB that stays in the cache, where there is no instruction for it.
static SPREAD: [[u8; 8]; 256] = {
    let mut spread = [[0; 8]; 256];
    let mut bits = 0;
    while bits < 256 {
        let mut lane = 0;
        while lane < 8 {
            spread[bits][lane] = if bits >> lane & 1 != 0 { 0xFF } else { 0 };
            lane += 1;
        }
        bits += 1;
    }
    spread
};

#[inline(always)]
fn mask_of_bytes(lanes: Bitboard) -> [u8; 64] {
    let mut mask = [0; 64];
    for (eight, bits) in mask.chunks_exact_mut(8).zip(lanes.0.to_le_bytes()) {
        eight.copy_from_slice(&SPREAD[bits as usize]);
    }
    mask
}

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

#[inline(always)]
fn mask_of_words(lanes: Bitboard) -> [i16; 64] {
    let mut mask = [0; 64];
    // Sixteen lanes at a time, each testing its own bit: that compiles to a few vector
    // instructions.
    for (part, lanes16) in mask.chunks_exact_mut(16).zip(0..) {
        let bits = (lanes.0 >> (16 * lanes16)) as u16;
        for (lane, to) in part.iter_mut().enumerate() {
            *to = if bits & BITS[lane] != 0 { -1 } else { 0 };
        }
    }
    mask
}

/// Lane x of the result is lane x + step; 0 where there is none.
#[inline(always)]
fn moved<T: Copy + Default>(row: &[T; 64], step: i32) -> [T; 64] {
    let mut moved = [T::default(); 64];
    let far = step.unsigned_abs() as usize;
    if step > 0 {
        moved[..64 - far].copy_from_slice(&row[far..]);
    } else {
        moved[far..].copy_from_slice(&row[..64 - far]);
    }
    moved
}

/// A row from the number of each lane.
///
/// A loop, and not the standard library's, so that it is compiled with what it is used in.
#[inline(always)]
pub fn by_lane<T: Copy + Default>(number: impl Fn(usize) -> T) -> [T; 64] {
    let mut row = [T::default(); 64];
    for (lane, to) in row.iter_mut().enumerate() {
        *to = number(lane);
    }
    row
}

/// The lanes of which something is true.
#[inline(always)]
pub fn lanes_where(is_so: impl Fn(usize) -> bool) -> Bitboard {
    Bitboard((0..64).fold(0, |bits, lane| bits | u64::from(is_so(lane)) << lane))
}

/// The lanes of a row of 64 that hold `value`.
#[inline]
pub fn lanes_with<S: Copy + PartialEq>(row: &[S], value: S) -> u64 {
    // A byte for each lane first: that loop compiles to vector instructions that compare and narrow
    // many numbers at once, and one that sets bits does not.
    let mut found = [0; 64];
    found.iter_mut().zip(row).for_each(|(found, &score)| *found = u8::from(score == value));
    found.chunks_exact(8).rev().fold(0, |lanes, eight| {
        lanes << 8 | gathered(u64::from_le_bytes(eight.try_into().expect("eight bytes")))
    })
}

/// The bits of eight bytes that are 0 or 1, the first byte's lowest.
#[inline]
const fn gathered(bits: u64) -> u64 {
    // Bit 8 n goes up by 56 - 7 n, to bit n of the top byte, for each n. All other products are
    // below that byte, no two in the same place, so that none carries, or beyond the highest bit.
    bits.wrapping_mul(0x0102_0408_1020_4080) >> 56
}

const _: () = {
    let mut bits = 0;
    while bits < 256 {
        let ones = u64::from_le_bytes(SPREAD[bits]) & 0x0101_0101_0101_0101;
        assert!(gathered(ones) == bits as u64);
        bits += 1;
    }
};
