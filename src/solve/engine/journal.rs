//! What becomes known of a slice while it is solved, written down in the order in which it does.
//!
//! A solver of a ladder asks of a position whether it has settled, but not with which score. So the
//! scores need not lie in memory: what settles in a step is a note behind those of the steps before,
//! and what turns out of the slice are worth is noted by score, for each is asked for once, when it
//! has its turn. Notes go to a file, to which they are added and from which they are read in long
//! pieces. In memory are the few bits of each position that a step looks at.
//!
//! A slice is cut into stretches of words, each with notes of its own, so that threads need not wait
//! for each other, and the scores of a stretch can be put together by themselves.

use std::{io, ops::Range};

use rayon::prelude::*;
use rustc_hash::{FxHashMap, FxHashSet};

use super::{
    ladder::Sets,
    lanes::lanes_with,
    ledger::{Ledger, Stretch},
    log::Log,
    notes::{Notes, Reader},
    scratch::Budget,
    slice::Slice,
    spool::{Spool, Stored},
};
use crate::{
    answer::score::{Score, Store, better},
    board::{Bitboard, Color},
};

/// The scores of a slice, as they become known.
pub struct Journal<S> {
    spool: Spool,
    words: usize,
    together: usize,
    /// Per side to move, the stretches.
    books: [Vec<Book<S>>; 2],
    /// The positions with a turn out of the slice that has not had its turn.
    waiting: Sets,
    hero: Color,
    /// Per side to move, what turns are worth that the hero prefers than the floor and that have
    /// not had their turn; the best last.
    pending: [Vec<S>; 2],
    /// Positions that were given a score at once.
    filled: Vec<(Sets, S)>,
}

/// What is known of a stretch with one side to move.
struct Book<S> {
    /// The scores that turns out of the slice are worth, less ones first, and where their notes are
    /// among all these.
    worths: Vec<(S, Range<usize>)>,
    noted: Stored,
    /// What has settled, step by step, with which score.
    settled: Log<S>,
    /// The scores of the steps.
    scores: Vec<S>,
}

impl<S: Store> Book<S> {
    fn empty() -> Book<S> {
        let noted = Stored::Here(Vec::new());
        Book { worths: Vec::new(), noted, settled: Log::default(), scores: Vec::new() }
    }

    /// The words and lanes whose best turn out of the slice is worth a score.
    fn worth(&self, score: S, spool: &Spool) -> io::Result<Vec<(usize, u64)>> {
        match self.worths.binary_search_by_key(&score, |&(worth, _)| worth) {
            Ok(at) => {
                let notes = spool.read(&self.noted, self.worths[at].1.clone())?;
                Ok(Reader::new(&notes).collect())
            }
            Err(_) => Ok(Vec::new()),
        }
    }

    /// What turns out of the slice are worth, in rows of so many words; none if there are none.
    fn rows(&self, words: usize, spool: &Spool) -> io::Result<Vec<S>> {
        if self.worths.is_empty() {
            return Ok(Vec::new());
        }
        let mut rows = vec![S::NONE; words * 64];
        for &(score, _) in &self.worths {
            for (word, lanes) in self.worth(score, spool)? {
                put(&mut rows, word, lanes, score);
            }
        }
        Ok(rows)
    }

    /// Takes down what turns out of the slice are worth.
    fn note(&mut self, notes: FxHashMap<S, Notes>, spool: &Spool) -> io::Result<()> {
        let mut notes: Vec<(S, Notes)> = notes.into_iter().collect();
        notes.sort_unstable_by_key(|&(score, _)| score);
        let mut all = Vec::new();
        self.worths.clear();
        for (score, notes) in notes {
            let start = all.len();
            all.extend(notes.into_bytes());
            self.worths.push((score, start..all.len()));
        }
        self.noted = spool.keep(all)?;
        Ok(())
    }
}

/// Puts the same score into some lanes of rows.
#[inline]
fn put<S: Store>(rows: &mut [S], word: usize, lanes: u64, score: S) {
    let row = &mut rows[word * 64..(word + 1) * 64];
    Bitboard(lanes).for_each(|lane| row[lane.number()] = score);
}

impl<S: Store> Journal<S> {
    /// A slice of which nothing is known.
    pub fn new(slice: &Slice, budget: &Budget) -> Journal<S> {
        let words = slice.words();
        let books = || (0..slice.stretches()).map(|_| Book::empty()).collect();
        Journal {
            spool: budget.spool(),
            words,
            together: slice.words_a_stretch(),
            books: [books(), books()],
            waiting: [vec![0; words], vec![0; words]],
            hero: Color::White,
            pending: Default::default(),
            filled: Vec::new(),
        }
    }

    /// Lets `meet` better what turns out of the slice are worth, in each word with some of these
    /// positions: it gets a row with the best that is known of each, or [`Store::NONE`].
    ///
    /// # Errors
    /// If notes cannot be put away or looked up.
    pub fn meet(
        &mut self,
        side: Color,
        positions: &[u64],
        meet: impl Fn(usize, &mut [S; 64]) + Sync,
    ) -> io::Result<()> {
        let Journal { spool, together, books, waiting, .. } = self;
        let (spool, together) = (&*spool, *together);
        let books = books[side.index()].par_iter_mut();
        let waiting = waiting[side.index()].par_chunks_mut(together);
        let stretches = books.zip(waiting).zip(positions.par_chunks(together)).enumerate();
        stretches.try_for_each(|(stretch, ((book, waiting), positions))| {
            let before = book.rows(positions.len(), spool)?;
            let mut notes = FxHashMap::<S, Notes>::default();
            for (word, _) in positions.iter().enumerate().filter(|&(_, &lanes)| lanes != 0) {
                let mut row = [S::NONE; 64];
                if let Some(before) = before.get(word * 64..(word + 1) * 64) {
                    row.copy_from_slice(before);
                }
                meet(stretch * together + word, &mut row);
                let mut left = !lanes_with(&row, S::NONE);
                waiting[word] = left;
                while left != 0 {
                    let score = row[left.trailing_zeros() as usize];
                    let lanes = lanes_with(&row, score);
                    notes.entry(score).or_default().add(word, lanes);
                    left &= !lanes;
                }
            }
            book.note(notes, spool)
        })
    }

    /// Calls `meet` with every word, and the lanes in it whose best turn out of the slice is worth a
    /// score.
    ///
    /// # Errors
    /// If notes cannot be looked up.
    pub fn worth(
        &self,
        side: Color,
        score: Score,
        meet: impl Fn(usize, u64) + Sync,
    ) -> io::Result<()> {
        self.books[side.index()].par_iter().enumerate().try_for_each(|(stretch, book)| {
            let first = stretch * self.together;
            let mut next = 0;
            for (word, lanes) in book.worth(S::keep(score), &self.spool)? {
                (next..word).for_each(|word| meet(first + word, 0));
                meet(first + word, lanes);
                next = word + 1;
            }
            let words = self.together.min(self.words - first);
            (next..words).for_each(|word| meet(first + word, 0));
            Ok(())
        })
    }

    /// Gives positions a score; none of them has settled.
    pub fn fill(&mut self, positions: Sets, score: Score) {
        self.filled.push((positions, S::keep(score)));
    }

    /// Every score of a position with this side to move.
    pub fn scores(&self, side: Color) -> FxHashSet<S> {
        let settled = self.books[side.index()].iter().flat_map(|book| &book.scores).copied();
        let is_there = |sets: &Sets| sets[side.index()].iter().any(|&lanes| lanes != 0);
        let filled = self.filled.iter().filter(|(sets, _)| is_there(sets));
        settled.chain(filled.map(|&(_, score)| score)).collect()
    }

    /// The scores of a stretch, word by word and lane by lane; [`Store::NONE`] where there is no
    /// position.
    ///
    /// # Errors
    /// If notes cannot be looked up.
    pub fn stretch(&self, side: Color, stretch: usize) -> io::Result<Vec<S>> {
        let words = self.together.min(self.words - stretch * self.together);
        let mut rows = vec![S::NONE; words * 64];
        self.books[side.index()][stretch].settled.each(&self.spool, |score, notes| {
            notes.for_each(|(word, lanes)| put(&mut rows, word, lanes, score));
        })?;
        for (sets, score) in &self.filled {
            let sets = sets[side.index()][stretch * self.together..].iter().take(words);
            sets.enumerate().for_each(|(word, &lanes)| put(&mut rows, word, lanes, *score));
        }
        Ok(rows)
    }
}

impl<S: Store> Ledger for Journal<S> {
    type Store = S;
    type Lack = io::Error;
    type Stretch<'s>
        = Entries<'s, S>
    where
        Self: 's;

    fn begin(&mut self, hero: Color, floor: Score) {
        self.hero = hero;
        self.pending = self.books.each_ref().map(|books| {
            let worths = books.iter().flat_map(|book| &book.worths).map(|&(worth, _)| worth);
            let better = worths.filter(|&worth| better(hero, worth, S::keep(floor)));
            let mut pending: Vec<S> = better.collect::<FxHashSet<S>>().into_iter().collect();
            pending.sort_unstable_by_key(|worth| worth.score().seen_by(hero));
            pending
        });
    }

    fn soonest(&self) -> Option<Score> {
        let sides = self.pending.iter().filter_map(|pending| pending.last());
        Score::best(self.hero, sides.map(|worth| worth.score()))
    }

    fn is_due(&self, side: Color, score: Score) -> bool {
        self.pending[side.index()].last() == Some(&S::keep(score))
    }

    fn stretches(&mut self, side: Color, score: Score) -> Vec<Entries<'_, S>> {
        let (me, now) = (side.index(), S::keep(score));
        let has_turn = self.is_due(side, score);
        if has_turn {
            self.pending[me].pop();
        }
        let Journal { spool, together, books, waiting, .. } = self;
        let stretches = books[me].iter_mut().zip(waiting[me].chunks_mut(*together));
        stretches
            .map(|(book, waiting)| Entries {
                spool,
                book,
                waiting,
                now,
                has_turn,
                due: Vec::new(),
                next: 0,
                settled: Notes::default(),
            })
            .collect()
    }
}

/// What becomes known of a stretch in one step.
pub struct Entries<'s, S> {
    spool: &'s Spool,
    book: &'s mut Book<S>,
    waiting: &'s mut [u64],
    now: S,
    /// Whether turns out of the slice have their turn somewhere.
    has_turn: bool,
    /// Where they have, and which is the next.
    due: Vec<(usize, u64)>,
    next: usize,
    settled: Notes,
}

impl<S: Store> Stretch for Entries<'_, S> {
    type Lack = io::Error;

    fn open(&mut self) -> io::Result<()> {
        if self.has_turn {
            self.due = self.book.worth(self.now, self.spool)?;
        }
        Ok(())
    }

    #[inline]
    fn is_due(&self, block: Range<usize>) -> bool {
        self.due.get(self.next).is_some_and(|(word, _)| block.contains(word))
    }

    #[inline]
    fn due(&mut self, word: usize, open: u64) -> u64 {
        match self.due.get(self.next) {
            Some(&(next, lanes)) if next == word => {
                self.next += 1;
                self.waiting[word] &= !lanes;
                lanes & open
            }
            _ => 0,
        }
    }

    #[inline]
    fn waiting(&self, word: usize) -> u64 {
        self.waiting[word]
    }

    #[inline]
    fn settle(&mut self, word: usize, lanes: u64) {
        self.settled.add(word, lanes);
    }

    fn close(&mut self) -> io::Result<()> {
        let notes = std::mem::take(&mut self.settled);
        if notes.is_empty() {
            return Ok(());
        }
        self.book.scores.push(self.now);
        self.book.settled.add(self.now, notes, self.spool)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        board::{Group, Square},
        index::{MAX_MEN, Material},
        rules::Laws,
    };

    fn slice(material: &str) -> Slice {
        let material: Material = material.parse().unwrap();
        Slice::new(material.men(), [Square::new(0); MAX_MEN], Group::Full, Laws::ORTHODOX)
    }

    /// A score that a position with White to move may have after some plies, or none.
    fn score(number: u64) -> Option<Score> {
        match number % 7 {
            0 => None,
            1 => Some(Score::new::<i16>(0, None, 0)),
            2 => Some(Score::new::<i16>(-1, Some((number / 7 % 20) as u16 * 2), 0)),
            _ => Some(Score::new::<i16>(1, Some((number / 7 % 20) as u16 * 2 + 1), 0)),
        }
    }

    /// Some number for each word and lane.
    fn noise(word: usize, lane: usize, seed: u64) -> u64 {
        let mixed = ((word * 64 + lane) as u64 ^ seed << 40).wrapping_mul(0x9E37_79B9_7F4A_7C15);
        mixed >> 31 ^ mixed >> 17
    }

    #[test]
    fn turns_have_their_turn_and_what_settles_is_put_together() {
        let slice = slice("KRvKN");
        let (words, folder) = (slice.words(), tempfile::tempdir().unwrap());
        let budget = Budget::new(1 << 30, folder.path());
        let mut journal = Journal::<i16>::new(&slice, &budget);
        let positions: Vec<u64> =
            (0..words).map(|word| if word % 5 == 3 { 0 } else { noise(word, 0, 9) }).collect();
        let lanes_in = |word: usize| Bitboard(positions[word]).map(Square::number);
        let kept = |score: Option<Score>| score.map_or(i16::NONE, i16::keep);
        // Turns are met twice; the better ones stay.
        for seed in [1, 2] {
            let meet = |word: usize, row: &mut [i16; 64]| {
                for lane in lanes_in(word) {
                    row[lane] = row[lane].max(kept(score(noise(word, lane, seed))));
                }
            };
            journal.meet(Color::White, &positions, meet).unwrap();
        }
        let best = |word: usize, lane: usize| {
            let both = [1, 2].map(|seed| kept(score(noise(word, lane, seed))));
            both[0].max(both[1])
        };
        let draw = Score::new::<i16>(0, None, 0);
        let met = std::sync::Mutex::new(vec![0; words]);
        journal.worth(Color::White, draw, |word, lanes| met.lock().unwrap()[word] = lanes).unwrap();
        for (word, met) in met.into_inner().unwrap().into_iter().enumerate() {
            let lanes = lanes_in(word).filter(|&lane| best(word, lane) == i16::keep(draw));
            assert_eq!(met, lanes.fold(0, |lanes, lane| lanes | 1 << lane), "{word}");
        }
        // Whatever has its turn settles, where lanes are even, and what has none where they are odd.
        let even = 0x5555_5555_5555_5555;
        journal.begin(Color::White, draw);
        let mut turns = Vec::new();
        while let Some(score) = journal.soonest() {
            assert!(journal.is_due(Color::White, score) && !journal.is_due(Color::Black, score));
            turns.push(score);
            for (n, mut stretch) in journal.stretches(Color::White, score).into_iter().enumerate() {
                stretch.open().unwrap();
                let first = n * slice.words_a_stretch();
                for word in first..words.min(first + slice.words_a_stretch()) {
                    let due = stretch.due(word - first, even);
                    let expected = lanes_in(word).filter(|lane| lane % 2 == 0);
                    let expected = expected.filter(|&lane| best(word, lane) == i16::keep(score));
                    assert_eq!(due, expected.fold(0, |lanes, lane| lanes | 1 << lane));
                    if due != 0 {
                        stretch.settle(word - first, due);
                        assert_eq!(stretch.waiting(word - first) & due, 0);
                    }
                }
                stretch.close().unwrap();
            }
        }
        assert!(turns.is_sorted_by(|a, b| a > b) && turns.len() == 20);
        let odd: Vec<u64> = positions.iter().map(|lanes| lanes & !even).collect();
        journal.fill([odd, vec![0; words]], draw);
        let all = (0..slice.stretches()).flat_map(|n| journal.stretch(Color::White, n).unwrap());
        let all: Vec<i16> = all.collect();
        let expected = |word: usize, lane: usize| match positions[word] >> lane & 1 {
            0 => i16::NONE,
            _ if lane % 2 == 1 => i16::keep(draw),
            _ => Some(best(word, lane)).filter(|&best| best > i16::keep(draw)).unwrap_or(i16::NONE),
        };
        for (word, row) in all.chunks(64).enumerate() {
            assert!(row.iter().enumerate().all(|(lane, &s)| s == expected(word, lane)), "{word}");
        }
        let mut scores: Vec<i16> = journal.scores(Color::White).into_iter().collect();
        scores.sort_unstable();
        let mut expected: Vec<i16> = all.iter().copied().filter(|&s| s != i16::NONE).collect();
        expected.sort_unstable();
        expected.dedup();
        assert_eq!(scores, expected);
        assert!(journal.scores(Color::Black).is_empty());
    }

    #[test]
    fn a_journal_without_a_place_is_an_error() {
        let slice = slice("KRvKN");
        let mut journal = Journal::<i16>::new(&slice, &Budget::new(0, "nowhere/at/all"));
        let positions = vec![!0; slice.words()];
        let met = journal.meet(Color::Black, &positions, |word, row| {
            row.iter_mut().enumerate().for_each(|(lane, s)| *s = noise(word, lane, 3) as i16 >> 4);
        });
        assert_eq!(met.unwrap_err().kind(), io::ErrorKind::NotFound);
    }
}
