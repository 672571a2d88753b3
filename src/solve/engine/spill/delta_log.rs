//! An append-only log of lane sets, spilled piece by piece.

use std::{io, marker::PhantomData};

use super::{
    lane_sets::{LaneSetReader, LaneSets},
    spill_file::{SpillFile, Spilled},
};

/// So many bytes are spilled at a time: enough that writing them takes longer than the call.
const PIECE: usize = 1 << 14;

/// Entries that are only appended: a head, and the words and lanes it is about.
pub struct DeltaLog<H> {
    /// What was spilled, and how long it is.
    pieces: Vec<(Spilled, usize)>,
    /// What was not spilled yet.
    last: Vec<u8>,
    heads: PhantomData<H>,
}

impl<H> Default for DeltaLog<H> {
    fn default() -> DeltaLog<H> {
        DeltaLog { pieces: Vec::new(), last: Vec::new(), heads: PhantomData }
    }
}

impl<H: bytemuck::Pod> DeltaLog<H> {
    /// Adds an entry. Solvers do so all the time, so here is where they hear that they are to stop.
    pub fn add(&mut self, head: H, sets: LaneSets, file: &SpillFile) -> io::Result<()> {
        file.go_on()?;
        let sets = sets.into_bytes();
        self.last.extend(bytemuck::bytes_of(&head));
        self.last.extend(sets.len().to_ne_bytes());
        self.last.extend(sets);
        if self.last.len() >= PIECE {
            let piece = std::mem::take(&mut self.last);
            let len = piece.len();
            self.pieces.push((file.keep(piece)?, len));
        }
        Ok(())
    }

    /// Calls `meet` with the head of every entry and what it is about, in the order in which they
    /// were added.
    pub fn each(
        &self,
        file: &SpillFile,
        mut meet: impl FnMut(H, LaneSetReader<'_>),
    ) -> io::Result<()> {
        let mut all = |mut entries: &[u8]| {
            let mut take = |len| entries.split_off(..len);
            while let Some(head) = take(size_of::<H>()) {
                let len = take(size_of::<usize>()).expect("behind a head stands a length");
                let sets = take(bytemuck::pod_read_unaligned(len)).expect("as long as that");
                meet(bytemuck::pod_read_unaligned(head), LaneSetReader::new(sets));
            }
        };
        for (piece, len) in &self.pieces {
            all(&file.read(piece, 0..*len)?);
        }
        all(&self.last);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::progress::Stop;

    #[test]
    fn entries_come_back_in_their_order() {
        let folder = tempfile::tempdir().unwrap();
        let file = SpillFile::new(folder.path(), Stop::default());
        let lanes = |head: u64, word: usize| head.wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ word as u64;
        let words = |head: u64| (0..(head * head % 5000) as usize).map(|n| n * 3);
        let mut log = DeltaLog::default();
        for head in 0..900u64 {
            let mut sets = LaneSets::default();
            words(head).for_each(|word| sets.add(word, lanes(head, word) | 1));
            log.add(head, sets, &file).unwrap();
        }
        assert!(log.pieces.iter().any(|(piece, _)| matches!(piece, Spilled::InFile(_))));
        let mut next = 0;
        log.each(&file, |head, sets| {
            assert_eq!(head, next);
            assert!(sets.eq(words(head).map(|word| (word, lanes(head, word) | 1))));
            next += 1;
        })
        .unwrap();
        assert_eq!(next, 900);
    }
}
