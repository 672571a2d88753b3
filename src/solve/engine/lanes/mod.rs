//! Sixty-four positions at once.
//!
//! Solvers number the positions of a slice so that 64 of them, alike but for the square of one
//! man, lie side by side: its *lanes*, one per square. What a solver keeps per position is then a
//! word of 64 bits (a set of positions) or a row of 64 bytes (a small value per position), and one
//! operation handles 64 positions. The [`Lanes`] here are the kinds of row and what moves do
//! to them.
//!
//! Rows of numbers come in three implementations with the same layout and semantics: arrays, which
//! the compiler vectorises for any processor, and the registers of AVX2 and of AVX-512. [`RowWork`]
//! is generic over them, and [`with_widest_rows`] picks one when the program runs.

#![deny(clippy::undocumented_unsafe_blocks)]

#[cfg(target_arch = "x86_64")]
mod avx2;
#[cfg(target_arch = "x86_64")]
mod avx512;
mod registers;
mod rows;
mod witness;

pub use registers::with_widest_rows;
#[cfg(all(test, target_arch = "x86_64"))]
pub use registers::{AVX2, AVX512};
#[cfg(test)]
pub use registers::{PORTABLE, with_all_rows};
#[cfg(test)]
pub use rows::Shorts;
pub use rows::{Bytes, Lanes, NumberLanes, by_lane, lanes_where, lanes_with};
pub use witness::RowWork;

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::{rows::*, *};
    use crate::board::{Bitboard, ByColor, Limits, Movement, Square, Symmetry};

    /// Every usual man that moves within a slice, and men by notations that have all there is:
    /// leaps, rides, limits, hurdles, squares that block, halves, moves that only capture, regions,
    /// initial moves.
    fn movers() -> Vec<Movement> {
        use Movement::{Bishop, Disk, Elk, King, Knight, Queen, Rook, Still};
        let notations = [
            "NN", "fRbBsW", "mRcpR", "gQ", "nNnAnZ", "WfF", "BN", "QN", "KCZ", "W3F2", "HGD",
            "frNhlC", "KifmnD",
        ];
        let by_notation = notations.into_iter().flat_map(|n| Movement::by_notation(n).unwrap());
        let limits = ByColor {
            white: Limits { region: !Bitboard::rank(4), home: Bitboard::rank(2) },
            black: Limits { region: Bitboard::file(3), home: Bitboard::rank(5) },
        };
        let within = ["Q", "NB", "WiR3inAinH"];
        let within = within.map(|notation| Movement::within(notation, limits).unwrap());
        [King, Queen, Rook, Elk, Bishop, Knight, Disk, Still]
            .into_iter()
            .chain(by_notation)
            .chain(within.concat())
            .collect()
    }

    proptest! {
        #[test]
        fn lanes_with_a_value_are_found(row: [u8; 32], value: u8, shift in 0..8) {
            let row: Vec<i32> = row.iter().chain(&row).map(|b| i32::from(b >> shift)).collect();
            let value = i32::from(value >> shift);
            let found = lanes_where(|lane| row[lane] == value);
            prop_assert_eq!(lanes_with(&row, value), found.0);
            let narrow: Vec<i16> = row.iter().map(|&value| value as i16).collect();
            prop_assert_eq!(lanes_with(&narrow, value as i16), found.0);
        }

        #[test]
        fn rows_agree_with_moves_one_by_one(set: u64, occupied: u64, sparse: u64, bytes: [u8; 32]) {
            let occupied = Bitboard(occupied & sparse);
            let row = Bytes(std::array::from_fn(|i| bytes[i % 32] ^ (i as u8)));
            let wide = Shorts(row.0.map(|byte| i16::from(byte) << 7));
            for movement in movers() {
                let word = set.reached(movement, occupied);
                let best = row.reached(movement, occupied);
                let widest = wide.reached(movement, occupied);
                for from in !occupied {
                    let to = movement.steps(from, occupied);
                    prop_assert_eq!(
                        Bitboard(word).contains(from),
                        to.intersects(Bitboard(set)),
                        "{:?} {:?}", movement.notation(), from
                    );
                    let expected = to.map(|s| row.value(s)).max().unwrap_or(0);
                    prop_assert_eq!(best.value(from), expected, "{:?} {:?}", movement.notation(), from);
                    let widest = widest.0[from.number()];
                    prop_assert_eq!(widest, i16::from(expected) << 7, "{:?} {:?}", movement.notation(), from);
                }
            }
        }

        #[test]
        fn rows_turn_like_squares(set: u64) {
            for symmetry in Symmetry::all() {
                let mask = Bytes::mask(Bitboard(set));
                for square in Square::all() {
                    let seen = Bitboard(set).contains(symmetry.image(square));
                    prop_assert_eq!(Bitboard(set.turned(symmetry)).contains(square), seen);
                    prop_assert_eq!(mask.turned(symmetry).value(square) != 0, seen);
                    let wide = Shorts([1; 64]).only(Bitboard(set)).turned(symmetry);
                    prop_assert_eq!(wide.0[square.number()] != 0, seen);
                }
            }
        }
    }

    /// What every operation makes of two rows, one after the other.
    fn outcomes<R: NumberLanes>(
        [a, b]: [[R::Value; 64]; 2],
        [from, by]: [R::Value; 2],
        lanes: Bitboard,
        occupied: Bitboard,
    ) -> (Vec<Vec<R::Value>>, [Bitboard; 2], [bool; 2]) {
        R::with_registers(|| {
            let (row, other) = (R::from_values(a), R::from_values(b));
            let mut rows = vec![
                row.join(other),
                row.only(lanes),
                row.or_else(lanes, other),
                row.minus(other),
                row.raised(from, by),
                R::all(from),
                R::NONE,
            ];
            rows.extend(Symmetry::all().map(|symmetry| row.turned(symmetry)));
            rows.extend(movers().into_iter().map(|movement| row.reached(movement, occupied)));
            let rows = rows.iter().map(|row| row.values().to_vec()).collect();
            (
                rows,
                [row.at_least(from), row.differs(&other)],
                [row == other, row == R::from_values(a)],
            )
        })
    }

    /// Does the same with bytes and with words.
    #[derive(Copy, Clone)]
    struct Everything {
        numbers: [[u8; 64]; 2],
        of: [u8; 2],
        lanes: Bitboard,
        occupied: Bitboard,
    }

    impl RowWork for Everything {
        type Done =
            ((Vec<Vec<u8>>, [Bitboard; 2], [bool; 2]), (Vec<Vec<i16>>, [Bitboard; 2], [bool; 2]));

        fn with<B: NumberLanes<Value = u8>, S: NumberLanes<Value = i16>>(self) -> Self::Done {
            let Everything { numbers, of, lanes, occupied } = self;
            // As large as distances get, and larger.
            let large = |byte: u8| i16::from(byte) << 7;
            let words = numbers.map(|row| row.map(large));
            (
                outcomes::<B>(numbers, of, lanes, occupied),
                outcomes::<S>(words, of.map(large), lanes, occupied),
            )
        }
    }

    proptest! {
        #[test]
        fn all_registers_come_to_the_same(
            numbers: [[u8; 32]; 4], alike: bool, of: [u8; 2], lanes: u64, occupied: u64, sparse: u64,
        ) {
            let [a, b, c, d] = numbers;
            let mut numbers = [[a, b].concat(), [c, d].concat()].map(|row| row.try_into().unwrap());
            if alike {
                numbers[1] = numbers[0];
            }
            let [lanes, occupied] = [lanes, occupied & sparse].map(Bitboard);
            let all = with_all_rows(Everything { numbers, of, lanes, occupied });
            let (_, portable) = &all[0];
            for (rows, done) in &all {
                prop_assert!(done == portable, "{} rows", rows);
            }
        }
    }

    /// Tells what type of rows there are.
    #[derive(Copy, Clone)]
    struct Types;

    impl RowWork for Types {
        type Done = [&'static str; 2];

        fn with<B: NumberLanes<Value = u8>, S: NumberLanes<Value = i16>>(self) -> Self::Done {
            [std::any::type_name::<B>(), std::any::type_name::<S>()]
        }
    }

    /// What the processor has must be compared, lest tests pass because nothing was.
    #[test]
    fn all_rows_of_this_processor_are_run() {
        let all = with_all_rows(Types);
        println!("rows here: {all:?}");
        let run: Vec<_> = all.iter().map(|&(rows, _)| rows).collect();
        #[allow(unused_mut, reason = "x86-64 alone has more")]
        let mut expected = vec![PORTABLE];
        #[cfg(target_arch = "x86_64")]
        {
            if is_x86_feature_detected!("avx2") {
                expected.push(AVX2);
            }
            if is_x86_feature_detected!("avx512vbmi") {
                expected.push(AVX512);
            }
        }
        assert_eq!(run, expected);
        // Each under a name of its own, and the widest are those that solvers get.
        for (n, (_, types)) in all.iter().enumerate() {
            assert!(all[..n].iter().all(|(_, others)| others != types), "{types:?}");
        }
        assert_eq!(with_widest_rows(Types), all.last().unwrap().1);
    }
}
