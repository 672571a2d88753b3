//! Notes behind each other, put away piece by piece.

use std::{io, marker::PhantomData};

use super::{
    notes::{Notes, Reader},
    spool::{Spool, Stored},
};

/// So many bytes are put away at a time.
const PIECE: usize = 1 << 14;

/// Entries that are only added to: a head, and the words and lanes it is about.
pub struct Log<H> {
    /// What was put away, and how long it is.
    pieces: Vec<(Stored, usize)>,
    /// What was not put away yet.
    last: Vec<u8>,
    heads: PhantomData<H>,
}

impl<H> Default for Log<H> {
    fn default() -> Log<H> {
        Log { pieces: Vec::new(), last: Vec::new(), heads: PhantomData }
    }
}

impl<H: bytemuck::Pod> Log<H> {
    /// Adds an entry.
    ///
    /// # Errors
    /// If what was added cannot be put away.
    pub fn add(&mut self, head: H, notes: Notes, spool: &Spool) -> io::Result<()> {
        let notes = notes.into_bytes();
        self.last.extend(bytemuck::bytes_of(&head));
        self.last.extend(notes.len().to_ne_bytes());
        self.last.extend(notes);
        if self.last.len() >= PIECE {
            let piece = std::mem::take(&mut self.last);
            let len = piece.len();
            self.pieces.push((spool.keep(piece)?, len));
        }
        Ok(())
    }

    /// Calls `meet` with the head of every entry and what it is about, in the order in which they were
    /// added.
    ///
    /// # Errors
    /// If they cannot be looked up.
    pub fn each(&self, spool: &Spool, mut meet: impl FnMut(H, Reader<'_>)) -> io::Result<()> {
        let mut all = |mut entries: &[u8]| {
            let mut take = |len| entries.split_off(..len);
            while let Some(head) = take(size_of::<H>()) {
                let len = take(size_of::<usize>()).expect("behind a head stands a length");
                let notes = take(bytemuck::pod_read_unaligned(len)).expect("as long as that");
                meet(bytemuck::pod_read_unaligned(head), Reader::new(notes));
            }
        };
        for (piece, len) in &self.pieces {
            all(&spool.read(piece, 0..*len)?);
        }
        all(&self.last);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn entries_come_back_in_their_order() {
        let folder = tempfile::tempdir().unwrap();
        let spool = Spool::new(folder.path());
        let lanes = |head: u64, word: usize| head.wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ word as u64;
        let words = |head: u64| (0..(head * head % 5000) as usize).map(|n| n * 3);
        let mut log = Log::default();
        for head in 0..900u64 {
            let mut notes = Notes::default();
            words(head).for_each(|word| notes.add(word, lanes(head, word) | 1));
            log.add(head, notes, &spool).unwrap();
        }
        assert!(log.pieces.iter().any(|(piece, _)| matches!(piece, Stored::InFile(_))));
        let mut next = 0;
        log.each(&spool, |head, notes| {
            assert_eq!(head, next);
            assert!(notes.eq(words(head).map(|word| (word, lanes(head, word) | 1))));
            next += 1;
        })
        .unwrap();
        assert_eq!(next, 900);
    }
}
