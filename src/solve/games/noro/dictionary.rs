//! Histories by number.

use std::{hash::BuildHasher, ops::Range, sync::RwLock};

use rustc_hash::{FxBuildHasher, FxHashMap};

/// Different histories of a table with one side to move, each a code per layer.
#[derive(Debug, Default)]
pub struct HistoryDictionary {
    /// End to end.
    codes: Vec<u8>,
    /// By hash, or the next free number above it.
    numbers: FxHashMap<u64, u32>,
}

impl HistoryDictionary {
    /// Adds histories of so many layers, laid end to end, whether or not they are new, and tells their
    /// numbers.
    pub fn append(&mut self, codes: &[u8], length: usize) -> Range<u32> {
        let first = self.count(length);
        self.codes.extend_from_slice(codes);
        first..self.count(length)
    }

    /// The number of a history, which is added if it is new.
    pub fn number(&mut self, history: &[u8]) -> u32 {
        let length = history.len();
        let mut hash = FxBuildHasher.hash_one(history);
        while let Some(&number) = self.numbers.get(&hash) {
            if self.get(number, length) == history {
                return number;
            }
            hash = hash.wrapping_add(1);
        }
        let number = self.count(length);
        self.codes.extend_from_slice(history);
        self.numbers.insert(hash, number);
        number
    }

    /// Copies a history.
    pub fn copy(&self, number: u32, history: &mut [u8]) {
        history.copy_from_slice(self.get(number, history.len()));
    }

    /// How many there are of so many layers.
    fn count(&self, length: usize) -> u32 {
        u32::try_from(self.codes.len() / length).expect("fewer histories than positions")
    }

    /// The history with this number.
    pub fn get(&self, number: u32, length: usize) -> &[u8] {
        &self.codes[number as usize * length..][..length]
    }
}

/// What the numbers of a table stand for, by side to move.
pub type Dictionaries = [RwLock<HistoryDictionary>; 2];
