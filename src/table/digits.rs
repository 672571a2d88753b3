//! Entries in another order than that of their numbers.
//!
//! The numbers of positions are made of digits, such as the square of a man, or the squares of two
//! men, counted without gaps. Which of them comes last decides how often neighbours are equal, and
//! so how well a section packs; and squares that follow each other at even steps, with gaps, pack
//! better than pairs counted without.

use std::{ops::Range, sync::Arc};

use serde::{Deserialize, Serialize};

/// The most combinations of digits of which only some are counted.
const MOST_COMBINATIONS: u64 = 1 << 16;

/// The bytes of that many bits.
pub(super) const MOST_COMBINATION_BYTES: u64 = MOST_COMBINATIONS / 8;

/// More digits than any number has.
const MOST_DIGITS: usize = 32;

/// A digit of a number, made of one or several digits of the place where its entry lies.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Digit {
    /// How many values each of those has, the most significant first.
    sizes: Vec<u64>,
    /// Of their combinations, those that are counted; all where there are none of these.
    counted: Option<Arc<Combinations>>,
}

/// The combinations of some digits that are counted.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Combinations {
    /// The name of the blob that has them.
    pub(super) name: String,
    /// A bit for each combination, the lowest of a byte first.
    pub(super) bits: Vec<u8>,
}

impl Combinations {
    fn has(&self, combination: u64) -> bool {
        self.bits[(combination / 8) as usize] >> (combination % 8) & 1 == 1
    }
}

impl Digit {
    /// A digit as it is, of so many values.
    pub fn plain(size: u64) -> Digit {
        Digit { sizes: vec![size], counted: None }
    }

    /// A digit that counts some combinations of several, in their order. The file remembers which
    /// under a name.
    ///
    /// # Panics
    /// If there are more than 65,536 combinations.
    pub fn counting(name: &str, sizes: Vec<u64>, is_counted: impl Fn(u64) -> bool) -> Digit {
        let all = sizes.iter().product();
        assert!(all <= MOST_COMBINATIONS);
        let mut bits = vec![0; (all as usize).div_ceil(8)];
        for combination in (0..all).filter(|&combination| is_counted(combination)) {
            bits[(combination / 8) as usize] |= 1 << (combination % 8);
        }
        Digit { sizes, counted: Some(Arc::new(Combinations { name: name.to_owned(), bits })) }
    }

    /// How many digits of a place it is made of.
    pub fn len(&self) -> usize {
        self.sizes.len()
    }

    /// Whether it is made of none; never true.
    pub fn is_empty(&self) -> bool {
        self.sizes.is_empty()
    }

    /// How many values it has.
    pub fn values(&self) -> u64 {
        match &self.counted {
            None => self.sizes.iter().product(),
            Some(counted) => counted.bits.iter().map(|bits| u64::from(bits.count_ones())).sum(),
        }
    }

    pub(super) fn counted(&self) -> Option<&Combinations> {
        self.counted.as_deref()
    }
}

/// The order in which a section has its entries, if it is not that of their numbers, as the header
/// tells it.
///
/// A number is made of digits, the first the most significant; those of as many numbers as there
/// are ways to combine them are a *slice*. Slices follow each other as numbers do. Within each, an
/// entry lies where the digits of its place say, which come in an order of their own.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct DigitOrder {
    /// The digits of numbers.
    digits: Vec<DigitHeader>,
    /// The digits of places, all of the first digit, then all of the second, and so on, in the
    /// order in which they matter there, the most significant first.
    order: Vec<usize>,
}

/// A digit of numbers.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
struct DigitHeader {
    /// How many values each digit of a place has that it is made of.
    sizes: Vec<u64>,
    /// How many combinations of them are counted, and the blob with a bit for each that is; all
    /// without these.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    counted: Option<(u64, String)>,
}

impl DigitHeader {
    fn combinations(&self) -> Option<u64> {
        self.sizes.iter().try_fold(1_u64, |all, &size| all.checked_mul(size))
    }
}

impl DigitOrder {
    /// How many numbers a slice has, and how many places; `None` if there are too many.
    fn slice(&self) -> Option<(u64, u64)> {
        self.digits.iter().try_fold((1_u64, 1_u64), |(numbers, places), digit| {
            let all = digit.combinations()?;
            let values = digit.counted.as_ref().map_or(all, |(values, _)| *values);
            Some((numbers.checked_mul(values)?, places.checked_mul(all)?))
        })
    }

    /// How many places so many entries have.
    ///
    /// # Panics
    /// If they have no order like this, which [`defect`](DigitOrder::defect) tells.
    pub(super) fn places(&self, entries: u64) -> u64 {
        let (numbers, places) = self.slice().expect("the order has been checked");
        entries / numbers * places
    }

    /// What is wrong with it for a section of so many entries, if anything.
    pub(super) fn defect(&self, entries: u64) -> Option<String> {
        let mut order = self.order.clone();
        order.sort_unstable();
        let digits = self.digits.iter().map(|digit| digit.sizes.len()).sum::<usize>();
        if digits > MOST_DIGITS || !order.into_iter().eq(0..digits) {
            return Some("the order of its digits does not name each of them once".to_owned());
        }
        let is_fine = |digit: &DigitHeader| match digit.counted {
            None => digit.sizes.len() == 1,
            Some(_) => digit.combinations().is_some_and(|all| all <= MOST_COMBINATIONS),
        };
        if !self.digits.iter().all(is_fine) {
            return Some("its digits have too many combinations".to_owned());
        }
        match self.slice() {
            Some((numbers, places))
                if numbers > 0
                    && places >= numbers
                    && entries.is_multiple_of(numbers)
                    && (entries / numbers).checked_mul(places).is_some() =>
            {
                None
            }
            _ => Some(format!("its digits do not make {entries} entries")),
        }
    }

    /// Where entries lie; `blob` reads one.
    ///
    /// # Errors
    /// What `blob` fails with, or what is wrong with the one it read.
    pub(super) fn map<E>(
        &self,
        blob: impl Fn(&str) -> Result<Vec<u8>, E>,
        wrong: impl Fn(&str) -> E,
    ) -> Result<DigitMap, E> {
        let mut digits = Vec::with_capacity(self.digits.len());
        for DigitHeader { sizes, counted } in &self.digits {
            let sizes = sizes.clone();
            let Some((values, name)) = counted else {
                digits.push(Digit { sizes, counted: None });
                continue;
            };
            let bits = blob(name)?;
            let all: u64 = sizes.iter().product();
            // Bits behind the last combination would be counted, too.
            let behind =
                bits.last().is_some_and(|&last| u64::from(last) >> ((all + 7) % 8 + 1) > 0);
            let counted = Some(Arc::new(Combinations { name: name.clone(), bits }));
            let digit = Digit { sizes, counted };
            let length = digit.counted().map_or(0, |counted| counted.bits.len());
            if length as u64 != all.div_ceil(8) || behind || digit.values() != *values {
                return Err(wrong(name));
            }
            digits.push(digit);
        }
        Ok(DigitMap::new(&digits, &self.order))
    }
}

/// What writing asks of it.
#[cfg(feature = "build")]
impl DigitOrder {
    /// That of numbers of such digits, those of places in this order.
    pub(super) fn new(digits: &[Digit], order: &[usize]) -> DigitOrder {
        let header = |digit: &Digit| DigitHeader {
            sizes: digit.sizes.clone(),
            counted: digit.counted().map(|counted| (digit.values(), counted.name.clone())),
        };
        DigitOrder { digits: digits.iter().map(header).collect(), order: order.to_vec() }
    }

    /// The blobs it names.
    pub(super) fn blobs(&mut self) -> impl Iterator<Item = &mut String> {
        self.digits.iter_mut().filter_map(|digit| digit.counted.as_mut().map(|(_, name)| name))
    }
}

/// Where the entries of a section lie, and which lies where.
#[derive(Debug, Clone)]
pub struct DigitMap {
    /// How many numbers and places a slice has.
    slice: (u64, u64),
    /// The digits of numbers, the least significant first.
    digits: Box<[MappedDigit]>,
    /// The digits of places as they matter there, the least significant first: how many values each
    /// has, which digit of numbers it belongs to, and how much it counts in its combinations.
    places: Box<[(u64, usize, u64)]>,
}

/// What a digit of numbers does.
#[derive(Debug, Clone)]
struct MappedDigit {
    /// How many values it has.
    values: u64,
    /// How much each of them adds to the place.
    added: Added,
    /// How much it counts in a number.
    weight: u64,
    /// What each combination is as a value, if not all are counted.
    numbered: Option<Box<[Option<u16>]>>,
}

/// How much the values of a digit add to a place.
#[derive(Debug, Clone)]
enum Added {
    /// So much each.
    Each(u64),
    /// Whatever is listed.
    Listed(Box<[u64]>),
}

impl DigitMap {
    /// That of numbers that are made of some digits, if the digits of places matter in this order.
    ///
    /// # Panics
    /// If `order` does not name each of those once.
    pub fn new(digits: &[Digit], order: &[usize]) -> DigitMap {
        let sizes: Vec<(u64, usize, u64)> = digits
            .iter()
            .enumerate()
            .flat_map(|(digit, Digit { sizes, .. })| {
                let counts = |at: usize| sizes[at + 1..].iter().product();
                (0..sizes.len()).map(move |at| (sizes[at], digit, counts(at)))
            })
            .collect();
        let mut weights = vec![0; sizes.len()];
        let mut places = 1;
        for &at in order.iter().rev() {
            weights[at] = places;
            places *= sizes[at].0;
        }
        let mut weights = &weights[..];
        let mut mapped = Vec::with_capacity(digits.len());
        for digit in digits {
            let (own, rest) = weights.split_at(digit.len());
            weights = rest;
            mapped.push(MappedDigit::new(digit, own));
        }
        let mut numbers = 1;
        for digit in mapped.iter_mut().rev() {
            digit.weight = numbers;
            numbers *= digit.values;
        }
        mapped.reverse();
        let last = digits.len().saturating_sub(1);
        let places_digits =
            order.iter().rev().map(|&at| (sizes[at].0, last - sizes[at].1, sizes[at].2));
        DigitMap {
            slice: (numbers, places),
            digits: mapped.into(),
            places: places_digits.collect(),
        }
    }

    /// How many places a slice has.
    pub fn slice_places(&self) -> u64 {
        self.slice.1
    }

    /// Where the entry of a number lies.
    #[inline]
    pub fn place(&self, number: u64) -> u64 {
        let (numbers, places) = self.slice;
        let mut rest = number % numbers;
        let mut place = number / numbers * places;
        for MappedDigit { values, added, .. } in &self.digits {
            let value = rest % values;
            rest /= values;
            place += match added {
                Added::Each(weight) => value * weight,
                Added::Listed(all) => all[value as usize],
            };
        }
        place
    }

    /// Calls `meet` with the numbers of the entries at some places, one after the other; with none
    /// where there is none.
    pub fn each_number(&self, places: Range<u64>, mut meet: impl FnMut(Option<u64>)) {
        let Some(&(size, last, counts)) = self.places.first() else {
            return places.for_each(|place| meet(Some(place)));
        };
        let mut at = places.start;
        while at < places.end {
            // All that differs in a row is one digit.
            let (row, end) = (at / size * size, places.end.min(at / size * size + size));
            match self.all_but(last, row) {
                None => (at..end).for_each(|_| meet(None)),
                Some((rest, first)) => (at..end).for_each(|at| {
                    let part = self.digits[last].part(first + (at - row) * counts);
                    meet(part.map(|part| rest + part));
                }),
            }
            at = end;
        }
    }

    /// What all digits but one make of the number of the entry at a place, and which combination
    /// that one has; `None` if another has a combination that is not counted.
    fn all_but(&self, left_out: usize, place: u64) -> Option<(u64, u64)> {
        let (numbers, places) = self.slice;
        let mut rest = place % places;
        let mut combinations = [0; MOST_DIGITS];
        for &(size, digit, counts) in &self.places {
            combinations[digit] += rest % size * counts;
            rest /= size;
        }
        let mut number = place / places * numbers;
        for (at, digit) in self.digits.iter().enumerate().filter(|&(at, _)| at != left_out) {
            number += digit.part(combinations[at])?;
        }
        Some((number, combinations[left_out]))
    }
}

impl MappedDigit {
    /// What a combination adds to a number; `None` if it is not counted.
    #[inline]
    fn part(&self, combination: u64) -> Option<u64> {
        let value = match &self.numbered {
            None => combination,
            Some(numbered) => u64::from(numbered[combination as usize]?),
        };
        Some(value * self.weight)
    }

    /// A digit whose parts count so much in places.
    fn new(digit: &Digit, weights: &[u64]) -> MappedDigit {
        let values = digit.values();
        let added = |combination: u64| {
            let mut rest = combination;
            let parts = digit.sizes.iter().zip(weights).rev();
            parts.fold(0, |place, (size, weight)| {
                let part = rest % size;
                rest /= size;
                place + part * weight
            })
        };
        let Some(counted) = digit.counted() else {
            let added = Added::Each(weights[0]);
            return MappedDigit { values, added, weight: 0, numbered: None };
        };
        let all: u64 = digit.sizes.iter().product();
        let there: Vec<u64> = (0..all).filter(|&combination| counted.has(combination)).collect();
        let mut numbered = vec![None; all as usize];
        for (value, &combination) in (0..).zip(&there) {
            numbered[combination as usize] = Some(value);
        }
        MappedDigit {
            values,
            added: Added::Listed(there.into_iter().map(added).collect()),
            weight: 0,
            numbered: Some(numbered.into()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Pairs of two digits of which the first is less than the second.
    fn rising(size: u64) -> Digit {
        Digit::counting("pairs", vec![size, size], |pair| pair / size < pair % size)
    }

    /// Of which number the entry at a place is.
    fn number_at(map: &DigitMap, place: u64) -> Option<u64> {
        let mut found = None;
        map.each_number(place..place + 1, |number| found = number);
        found
    }

    fn each_number_is_that_of_its_place(map: &DigitMap, places: u64) {
        for range in [0..places, 5..places - 1, places / 2..places / 2 + 1] {
            let mut numbers = Vec::new();
            map.each_number(range.clone(), |number| numbers.push(number));
            assert!(range.map(|place| number_at(map, place)).eq(numbers));
        }
    }

    #[test]
    fn digits_change_places_and_come_back() {
        let digits = [3, 4, 5].map(Digit::plain);
        let map = DigitMap::new(&digits, &[2, 0, 1]);
        let number = |slice: u64, a: u64, b: u64, c: u64| ((slice * 3 + a) * 4 + b) * 5 + c;
        let place = |slice: u64, a: u64, b: u64, c: u64| ((slice * 5 + c) * 3 + a) * 4 + b;
        assert_eq!(map.place(number(2, 1, 3, 4)), place(2, 1, 3, 4));
        assert!((0..180).all(|number| number_at(&map, map.place(number)) == Some(number)));
        each_number_is_that_of_its_place(&map, 180);
        let order = DigitOrder::new(&digits, &[2, 0, 1]);
        assert_eq!((order.defect(180), order.places(180)), (None, 180));
        assert_eq!(order.defect(181).unwrap(), "its digits do not make 181 entries");
    }

    #[test]
    fn combinations_that_are_not_counted_are_gaps() {
        let digits = [Digit::plain(2), rising(4), Digit::plain(3)];
        for order in [[0, 1, 2, 3], [2, 3, 0, 1], [3, 2, 1, 0]] {
            let header = DigitOrder::new(&digits, &order);
            let entries = 2 * (2 * 6 * 3);
            assert_eq!((header.defect(entries), header.places(entries)), (None, 2 * 2 * 16 * 3));
            let map = DigitMap::new(&digits, &order);
            each_number_is_that_of_its_place(&map, 2 * 96);
            let mut numbers: Vec<u64> =
                (0..header.places(entries)).filter_map(|place| number_at(&map, place)).collect();
            numbers.sort_unstable();
            assert!(numbers.into_iter().eq(0..entries));
            assert!((0..entries).all(|number| number_at(&map, map.place(number)) == Some(number)));
        }
        // 2 and 3 are the last pair: the digits that lie second and first here.
        let map = DigitMap::new(&digits, &[2, 1, 0, 3]);
        assert_eq!(map.place((6 + 5) * 3 + 2), ((3 * 4 + 2) * 2 + 1) * 3 + 2);
    }

    #[test]
    fn what_a_file_tells_is_checked() {
        let digits = [rising(4), Digit::plain(3)];
        let order = DigitOrder::new(&digits, &[2, 0, 1]);
        let bits = digits[0].counted().unwrap().bits.clone();
        let read = |bits: Vec<u8>| {
            order.map(|_| Ok::<_, String>(bits.clone()), |name| format!("{name} is wrong"))
        };
        let map = read(bits.clone()).unwrap();
        assert!((0..18).all(|number| number_at(&map, map.place(number)) == Some(number)));
        for wrong in [vec![], bits[1..].to_vec(), vec![0xff; 2], [&bits[..], &[0]].concat()] {
            assert_eq!(read(wrong).unwrap_err(), "pairs is wrong");
        }
        let header = |sizes: &[&[u64]], counted: Option<u64>, order: &[usize]| DigitOrder {
            digits: sizes
                .iter()
                .map(|sizes| DigitHeader {
                    sizes: sizes.to_vec(),
                    counted: counted.map(|values| (values, "some".to_owned())),
                })
                .collect(),
            order: order.to_vec(),
        };
        for wrong in [
            header(&[&[3], &[4]], None, &[0]),
            header(&[&[3], &[4]], None, &[0, 0]),
            header(&[&[3], &[4]], None, &[1, 2]),
            header(&[&[0], &[4]], None, &[1, 0]),
            header(&[&[u64::MAX], &[2]], None, &[1, 0]),
            header(&[&[1; 33]], None, &[0; 33]),
            header(&[&[6, 4]], None, &[0, 1]),
            header(&[&[6, 4]], Some(0), &[0, 1]),
            header(&[&[6, 4]], Some(25), &[0, 1]),
            header(&[&[1 << 10, 1 << 10]], Some(24), &[0, 1]),
        ] {
            assert!(wrong.defect(24).is_some(), "{wrong:?}");
        }
    }
}
