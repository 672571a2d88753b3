//! Where a half of the ladder finds what turns out of a slice are worth, and puts down what settles.

use std::ops::Range;

use crate::{
    answer::score::{Score, Store},
    board::Color,
};

/// The scores of a slice that is being settled.
pub trait Ledger {
    /// How scores are kept.
    type Store: Store;

    /// Why one cannot be looked up or put down.
    type Lack: Send;

    /// Some words, one after the other.
    type Stretch<'s>: Stretch<Lack = Self::Lack> + Send
    where
        Self: 's;

    /// Begins a half, in which only scores that the hero prefers than the floor settle.
    fn begin(&mut self, hero: Color, floor: Score);

    /// The best score for the hero that a turn out of the slice is worth, of those that have not had
    /// their turn.
    fn soonest(&self) -> Option<Score>;

    /// Whether turns out of the slice that have not had their turn are worth this.
    fn is_due(&self, side: Color, score: Score) -> bool;

    /// The [stretches](super::slice::Slice::words_a_stretch) of words with `side` to move, of which some
    /// positions are about to settle with this score. Turns worth it then have had their turn.
    fn stretches(&mut self, side: Color, score: Score) -> Vec<Self::Stretch<'_>>;
}

/// Some words while positions settle in them, one word after the other.
pub trait Stretch {
    /// As [`Ledger::Lack`].
    type Lack: Send;

    /// Before the first word.
    ///
    /// # Errors
    /// If it cannot be looked up what turns out of the slice are worth.
    fn open(&mut self) -> Result<(), Self::Lack>;

    /// Whether turns have their turn in one of the words of a block.
    fn is_due(&self, block: Range<usize>) -> bool;

    /// The `open` lanes of a word in which the best turn out of the slice has its turn now.
    fn due(&mut self, word: usize, open: u64) -> u64;

    /// The lanes of a word that have a turn out of the slice which has not had its turn.
    fn waiting(&self, word: usize) -> u64;

    /// Some lanes of a word settle.
    fn settle(&mut self, word: usize, lanes: u64);

    /// After the last word.
    ///
    /// # Errors
    /// If what has settled cannot be put down.
    fn close(&mut self) -> Result<(), Self::Lack>;
}
