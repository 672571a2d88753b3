//! A number for each lane.

use crate::board::{Bitboard, Square};

/// How many binary digits the numbers have: no side has more turns than 7 men with 63 each.
const DIGITS: usize = 9;

/// A number for each lane, at first 0. To add one in many lanes takes a few instructions, for it is
/// done digit by digit for all of them.
#[derive(Clone, Default, Debug)]
pub struct LaneCounts {
    /// The lanes whose number has this digit, the lowest first.
    digits: [u64; DIGITS],
}

impl LaneCounts {
    /// Adds one in some lanes.
    #[inline]
    pub fn add(&mut self, lanes: Bitboard) {
        self.add_at(0, lanes.0);
    }

    /// Adds a number in one lane.
    #[inline]
    pub fn add_in(&mut self, lane: Square, number: usize) {
        for digit in (0..DIGITS).filter(|digit| number >> digit & 1 == 1) {
            self.add_at(digit, lane.bit().0);
        }
    }

    /// Adds what a digit stands for in some lanes.
    #[inline]
    fn add_at(&mut self, digit: usize, lanes: u64) {
        let mut carry = lanes;
        for digit in &mut self.digits[digit..] {
            if carry == 0 {
                return;
            }
            (*digit, carry) = (*digit ^ carry, *digit & carry);
        }
        debug_assert_eq!(carry, 0, "numbers fit");
    }

    /// The number of a lane.
    #[inline]
    pub fn get(&self, lane: Square) -> u16 {
        let digits = self.digits.iter().enumerate();
        digits.fold(0, |number, (digit, lanes)| {
            number | ((lanes >> lane.number() & 1) as u16) << digit
        })
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn lanes_are_counted_one_by_one(
            sets in prop::collection::vec(any::<u64>(), 0..200),
            more in prop::collection::vec((0u8..64, 0usize..64), 0..20),
        ) {
            let (mut counts, mut expected) = (LaneCounts::default(), [0; 64]);
            for set in sets {
                counts.add(Bitboard(set));
                Bitboard(set).for_each(|lane| expected[lane.number()] += 1);
            }
            for (lane, number) in more {
                let lane = Square::new(lane);
                if usize::from(expected[lane.number()]) + number < 1 << DIGITS {
                    counts.add_in(lane, number);
                    expected[lane.number()] += number as u16;
                }
            }
            let found = Bitboard::ALL.map(|lane| counts.get(lane));
            prop_assert!(found.eq(expected));
        }
    }
}
