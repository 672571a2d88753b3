//! Where a half of the ladder finds what exits are worth, and keeps what settles.

use std::ops::Range;

use crate::{
    answer::score::{Score, Store},
    board::Color,
};

/// The scores of a slice that is being settled.
///
/// An exit is *pending* until positions settle with the score that it is worth; then it takes
/// effect.
pub trait ScoreStore {
    /// How scores are kept.
    type Store: Store;

    /// Why one cannot be read or kept.
    type Error: Send;

    /// Some words, one after the other.
    type Stretch<'s>: StoreStretch<Error = Self::Error> + Send
    where
        Self: 's;

    /// Begins a half, in which only scores that the hero prefers to the floor settle.
    fn begin(&mut self, hero: Color, floor: Score);

    /// The best score for the hero that a pending exit is worth.
    fn next_pending(&self) -> Option<Score>;

    /// Whether pending exits are worth this.
    fn is_due(&self, side: Color, score: Score) -> bool;

    /// The [stretches](crate::solve::engine::slice::Slice::words_a_stretch) of words with `side` to
    /// move, of which some positions are about to settle with this score. Exits worth it are no
    /// longer pending then.
    fn stretches(&mut self, side: Color, score: Score) -> Vec<Self::Stretch<'_>>;
}

/// Some words while positions settle in them, one word after the other.
pub trait StoreStretch {
    /// As [`ScoreStore::Error`].
    type Error: Send;

    /// Before the first word.
    fn begin(&mut self) -> Result<(), Self::Error>;

    /// Whether exits take effect in one of the words of a block.
    fn is_due(&self, block: Range<usize>) -> bool;

    /// The `open` lanes of a word in which the best exit takes effect now.
    fn take_due(&mut self, word: usize, open: u64) -> u64;

    /// The lanes of a word with an exit that is still pending.
    fn pending(&self, word: usize) -> u64;

    /// Some lanes of a word settle.
    fn settle(&mut self, word: usize, lanes: u64);

    /// After the last word.
    fn finish(&mut self) -> Result<(), Self::Error>;
}
