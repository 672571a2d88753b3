//! In which positions of a slice those turns decide that tables leave out.

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use crate::board::Color;
use crate::solve::engine::slice::Sets;

/// Positions in which a turn that tables leave out is as good as any other: as any that leaves the
/// slice, until they settle; then as any at all.
///
/// Any thread may change it, but a word only one at a time.
pub struct Decided([Vec<AtomicU64>; 2]);

impl Decided {
    /// Every position of so many words, or none.
    pub fn filled(words: usize, all: bool) -> Decided {
        let lanes = if all { !0 } else { 0 };
        Decided([0, 1].map(|_| (0..words).map(|_| AtomicU64::new(lanes)).collect()))
    }

    /// Changes a word.
    #[inline]
    pub fn update(&self, side: Color, word: usize, change: impl FnOnce(u64) -> u64) {
        let lanes = &self.0[side.index()][word];
        let before = lanes.load(Relaxed);
        let after = change(before);
        if after != before {
            lanes.store(after, Relaxed);
        }
    }

    /// Positions have settled, by their best turn out of the slice in the lanes of `exits`.
    #[inline]
    pub fn settle(&self, side: Color, word: usize, lanes: u64, exits: u64) {
        self.update(side, word, |decided| decided & !(lanes & !exits));
    }

    pub fn into_sets(self) -> Sets {
        self.0.map(|words| words.into_iter().map(AtomicU64::into_inner).collect())
    }
}
