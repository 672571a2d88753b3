//! The quiet moves of a slice, found once: for solvers that look at each word many times.

use super::words::{Mover, Place, Slice, Stand};
use crate::{
    board::{Bitboard, Color, Movement, Square, Symmetry},
    solve::engine::lanes::Lanes,
};

/// What [`Slice::quiet`] reads for each word with one side to move.
pub struct Walks {
    /// The piece of that side whose squares are the lanes.
    runner: Option<Movement>,
    words: Vec<WordWalks>,
    all: Vec<Walk>,
}

/// The walks of a word, which begin where those of the word before end: all that are no more than a
/// step come first, then those past other squares, then those of leaders to another class that is
/// seen through a symmetry.
#[derive(Copy, Clone)]
struct WordWalks {
    /// The squares taken, but for the runner's.
    occupied: Bitboard,
    steps_end: usize,
    slides_end: usize,
    end: usize,
}

/// A move of a piece that does not run.
#[derive(Copy, Clone)]
struct Walk {
    word: u32,
    symmetry: Symmetry,
    /// The lanes in which the runner does not stand in its way.
    past: Bitboard,
}

impl Slice {
    /// The quiet moves of `side` in all words: some 600 bytes for each at most.
    pub fn walks(&self, side: Color) -> Walks {
        let movers = &self.movers[side.index()];
        let runs = |mover: &&Mover| matches!(mover.place, Place::Runner);
        let free = !self.only_capture[side.index()];
        let runner = movers.iter().find(runs).filter(|_| free).map(|mover| mover.movement);
        let mut walks = Walks { runner, words: Vec::with_capacity(self.words), all: Vec::new() };
        let (mut slides, mut turned) = (Vec::new(), Vec::new());
        for word in 0..self.words {
            let mut occupied = Bitboard::EMPTY;
            if let Some(stand) = self.stand(word) {
                occupied = stand.occupied;
                self.each_walk(&stand, side, |walk| {
                    let to = match () {
                        () if !walk.symmetry.is_identity() => &mut turned,
                        () if walk.past == Bitboard::ALL => &mut walks.all,
                        () => &mut slides,
                    };
                    to.push(walk);
                });
            }
            let steps_end = walks.all.len();
            walks.all.append(&mut slides);
            let slides_end = walks.all.len();
            walks.all.append(&mut turned);
            let end = walks.all.len();
            walks.words.push(WordWalks { occupied, steps_end, slides_end, end });
        }
        walks.all.shrink_to_fit();
        walks
    }

    /// How many bytes the [walks](Slice::walks) of both sides take at most, while they are found
    /// not counted.
    pub fn walks_size(&self) -> u64 {
        let most = |mover: &Mover| {
            let steps = |from| mover.movement.perhaps_steps(from, Bitboard::EMPTY).count();
            match mover.place {
                Place::Runner => 0,
                _ => Square::all().map(steps).max().unwrap_or(0) as u64,
            }
        };
        let walks: u64 = self.movers.iter().flatten().map(most).sum();
        let word = 2 * size_of::<WordWalks>() as u64 + walks * size_of::<Walk>() as u64;
        self.words as u64 * word
    }

    /// Calls `meet` with every move of a piece of `side` that does not run.
    fn each_walk(&self, stand: &Stand, side: Color, mut meet: impl FnMut(Walk)) {
        if self.only_capture[side.index()] {
            return;
        }
        for &Mover { man, movement, place } in &self.movers[side.index()] {
            let from = stand.squares[man];
            for to in movement.perhaps_steps(from, stand.occupied) {
                let after = match place {
                    Place::Runner => None,
                    Place::Other(digit) => Some((
                        digit.ways(stand.word, &stand.squares, man).word(to),
                        Symmetry::IDENTITY,
                    )),
                    Place::Lead(n) => self.word_after(stand, n, to),
                };
                if let Some((word, symmetry)) = after {
                    let word = u32::try_from(word).expect("no memory holds rows of more words");
                    let past = movement.steps_past(from, to, stand.occupied);
                    meet(Walk { word, symmetry, past });
                }
            }
        }
    }
}

impl Walks {
    /// What [`Slice::quiet`] says of a word.
    #[inline(always)]
    pub fn quiet<L: Lanes>(&self, word: usize, rows: &[L]) -> L {
        let begin = word.checked_sub(1).map_or(0, |before| self.words[before].end);
        let WordWalks { occupied, steps_end, slides_end, end } = self.words[word];
        let mut best = match self.runner {
            Some(movement) => rows[word].reached(movement, occupied),
            None => L::NONE,
        };
        for walk in &self.all[begin..steps_end] {
            best = best.join(rows[walk.word as usize]);
        }
        for walk in &self.all[steps_end..slides_end] {
            best = best.join(rows[walk.word as usize].only(walk.past));
        }
        for walk in &self.all[slides_end..end] {
            let option = rows[walk.word as usize].turned(walk.symmetry);
            best = best.join(option.only(walk.past));
        }
        best
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(12))]

        #[test]
        fn walks_are_the_quiet_moves(
            material in prop::sample::select(vec!["KQvKR", "KBvKN", "KvKQ", "KRvK", "KRvKRR"]),
            numbers in prop::collection::vec(any::<u64>(), 61),
        ) {
            let slice = Slice::of_pieces(material);
            let rows: Vec<u64> =
                (0..slice.words()).map(|word| numbers[word % 61].rotate_left(word as u32)).collect();
            let mut size = 0;
            for side in Color::ALL {
                let walks = slice.walks(side);
                size += size_of_val(&walks.words[..]) + size_of_val(&walks.all[..]);
                for word in (0..slice.words()).step_by(7) {
                    let Some(stand) = slice.stand(word) else { continue };
                    prop_assert_eq!(walks.quiet(word, &rows), slice.quiet(&stand, side, &rows));
                }
            }
            prop_assert!(size as u64 <= slice.walks_size());
        }
    }
}
