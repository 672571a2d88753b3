//! Entries in another order than that of their numbers.
//!
//! The numbers of positions are made of digits, one for each kind of men. Which of them comes last
//! decides how often neighbours are equal, and so how well a section packs.

use serde::{Deserialize, Serialize};

/// The order in which a section has its entries, if it is not that of their numbers.
///
/// A number is made of digits, the first the most significant; those of as many numbers as there
/// are ways to combine them are a *slice*. Slices follow each other as numbers do, and within each
/// the entries lie as if the digits came in another order.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct DigitOrder {
    /// How many values each digit has.
    sizes: Vec<u64>,
    /// The digits in the order in which they matter where entries are stored, the most significant
    /// first.
    order: Vec<usize>,
}

/// More digits than any number has.
const MOST_DIGITS: usize = 16;

impl DigitOrder {
    /// Digits of these sizes, stored in this order: `order[0]` is the digit that becomes the most
    /// significant one.
    ///
    /// # Panics
    /// If `order` does not name each digit once, or there are more than 16.
    pub fn new(sizes: Vec<u64>, order: Vec<usize>) -> DigitOrder {
        let order = DigitOrder { sizes, order };
        assert_eq!(order.defect(0), None);
        order
    }

    /// The digits as their numbers have them.
    pub fn sizes(&self) -> &[u64] {
        &self.sizes
    }

    /// The digits as they are stored, the most significant first.
    pub fn order(&self) -> &[usize] {
        &self.order
    }

    /// How many entries a slice has.
    fn slice(&self) -> Option<u64> {
        self.sizes.iter().try_fold(1_u64, |slice, &size| slice.checked_mul(size))
    }

    /// What is wrong with it for a section of so many entries, if anything.
    pub(super) fn defect(&self, entries: u64) -> Option<String> {
        let mut digits = self.order.clone();
        digits.sort_unstable();
        if self.sizes.len() > MOST_DIGITS || !digits.into_iter().eq(0..self.sizes.len()) {
            return Some("the order of its digits does not name each of them once".to_owned());
        }
        match self.slice() {
            Some(slice) if slice > 0 && entries.is_multiple_of(slice) => None,
            _ => Some(format!("its digits do not make {entries} entries")),
        }
    }

    /// Where entries lie by their numbers.
    pub fn places(&self) -> DigitMap {
        DigitMap::new(&self.sizes, &self.order)
    }

    /// The numbers of entries by where they lie.
    pub fn numbers(&self) -> DigitMap {
        let sizes = self.order.iter().map(|&digit| self.sizes[digit]).collect::<Vec<_>>();
        let mut order = vec![0; self.order.len()];
        self.order.iter().enumerate().for_each(|(place, &digit)| order[digit] = place);
        DigitMap::new(&sizes, &order)
    }
}

/// Numbers whose digits are put into another order.
#[derive(Debug, Clone)]
pub struct DigitMap {
    slice: u64,
    /// The least significant digit first: how many values it has, and by how much it counts
    /// afterwards.
    digits: Box<[(u64, u64)]>,
}

impl DigitMap {
    /// Digits of these sizes in a new order; the sizes of a slice have been multiplied before.
    fn new(sizes: &[u64], order: &[usize]) -> DigitMap {
        let mut weights = vec![0; sizes.len()];
        let mut slice = 1;
        for &digit in order.iter().rev() {
            weights[digit] = slice;
            slice *= sizes[digit];
        }
        DigitMap { slice, digits: sizes.iter().copied().zip(weights).rev().collect() }
    }

    /// What becomes of a number.
    #[inline]
    pub fn of(&self, number: u64) -> u64 {
        let mut rest = number % self.slice;
        let mut mapped = number - rest;
        for &(size, weight) in &self.digits {
            mapped += rest % size * weight;
            rest /= size;
        }
        mapped
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn digits_change_places_and_come_back() {
        let order = DigitOrder::new(vec![3, 4, 5], vec![2, 0, 1]);
        let (places, numbers) = (order.places(), order.numbers());
        let number = |slice: u64, a: u64, b: u64, c: u64| ((slice * 3 + a) * 4 + b) * 5 + c;
        let place = |slice: u64, a: u64, b: u64, c: u64| ((slice * 5 + c) * 3 + a) * 4 + b;
        assert_eq!(places.of(number(2, 1, 3, 4)), place(2, 1, 3, 4));
        assert!((0..180).all(|number| numbers.of(places.of(number)) == number));
        assert_eq!(order.defect(180), None);
        assert_eq!(order.defect(181).unwrap(), "its digits do not make 181 entries");
    }

    #[test]
    fn what_is_no_order_is_refused() {
        let order = |sizes: &[u64], order: &[usize]| DigitOrder {
            sizes: sizes.to_vec(),
            order: order.to_vec(),
        };
        for wrong in [
            order(&[3, 4], &[0]),
            order(&[3, 4], &[0, 0]),
            order(&[3, 4], &[1, 2]),
            order(&[0, 4], &[1, 0]),
            order(&[u64::MAX, 2], &[1, 0]),
            order(&[1; 17], &[0; 17]),
        ] {
            assert!(wrong.defect(24).is_some(), "{wrong:?}");
        }
    }
}
