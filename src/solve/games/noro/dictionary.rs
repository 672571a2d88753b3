//! What the numbers of a table stand for.

use std::{cmp::Ordering, ops::Range};

use crate::solve::engine::clock::Interner;

/// The histories of a table with a side to move, each known by its number.
///
/// A history is kept as the numbers of its rows: a row for each scale, the codes of all layers.
/// Positions share rows much more often than whole histories of margins.
pub struct Dictionary {
    scales: usize,
    layers: usize,
    rows: Interner<u8>,
    histories: Interner<u32>,
}

impl Dictionary {
    /// None yet, of histories with so many scales and layers.
    pub fn new(scales: usize, layers: usize) -> Dictionary {
        let (rows, histories) = (Interner::new(layers), Interner::new(scales));
        Dictionary { scales, layers, rows, histories }
    }

    /// The number of a history, the same every time.
    pub fn number(&mut self, codes: &[u8]) -> u32 {
        let rows = self.number_rows(codes);
        self.histories.number(&rows)
    }

    /// Adds histories, one behind the other, whether or not they are there already, and tells their
    /// numbers, which follow each other.
    pub fn append(&mut self, codes: &[u8]) -> Range<u32> {
        let rows = self.number_rows(codes);
        self.histories.append(&rows)
    }

    fn number_rows(&mut self, codes: &[u8]) -> Vec<u32> {
        codes.chunks_exact(self.layers).map(|row| self.rows.number(row)).collect()
    }

    /// The codes of a history in all layers, by the place of the scale among those it has.
    pub fn row(&self, history: u32, scale: usize) -> &[u8] {
        self.rows.get(self.histories.get(history)[scale])
    }

    /// Copies the codes of some histories, one behind the other, from the code with this number on.
    pub fn copy(&self, histories: &[u32], first: usize, mut codes: &mut [u8]) {
        let mut at = first;
        while !codes.is_empty() {
            let row = at / self.layers;
            let row =
                &self.row(histories[row / self.scales], row % self.scales)[at % self.layers..];
            let count = row.len().min(codes.len());
            let (now, rest) = codes.split_at_mut(count);
            now.copy_from_slice(&row[..count]);
            (at, codes) = (at + count, rest);
        }
    }

    /// Compares the codes of two histories.
    pub fn cmp(&self, a: u32, b: u32) -> Ordering {
        let mut rows = self.histories.get(a).iter().zip(self.histories.get(b));
        match rows.find(|(a, b)| a != b) {
            Some((&a, &b)) => self.rows.get(a).cmp(self.rows.get(b)),
            None => Ordering::Equal,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn histories_are_what_they_were() {
        let mut dictionary = Dictionary::new(2, 3);
        let all: [[u8; 6]; 4] =
            [[1, 2, 3, 1, 2, 3], [1, 2, 3, 1, 2, 2], [9, 2, 3, 1, 2, 3], [1, 2, 3, 1, 2, 3]];
        assert_eq!(all.map(|codes| dictionary.number(&codes)), [0, 1, 2, 0]);
        // Appended ones are not looked for.
        assert_eq!(dictionary.append(all[1..3].as_flattened()), 3..5);
        assert_eq!(dictionary.row(4, 0), [9, 2, 3]);
        let order = |a: u32, b| dictionary.cmp(a, b);
        assert_eq!(
            (order(0, 1), order(1, 3), order(1, 2)),
            (Ordering::Greater, Ordering::Equal, Ordering::Less)
        );
        let mut codes = [0; 9];
        dictionary.copy(&[2, 1], 2, &mut codes);
        assert_eq!(codes, [3, 1, 2, 3, 1, 2, 3, 1, 2]);
    }
}
