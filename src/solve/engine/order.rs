//! From the order of a slice's words and lanes to that of an index.

use rayon::prelude::*;

use super::slice::Slice;
use crate::{board::Bitboard, index::Index};

/// Rows worth a task of their own.
const MIN_ROWS: usize = 256;

/// Numbers of an index, 64 a row, and where a slice has their positions.
#[derive(Copy, Clone)]
pub struct Order<'a> {
    index: &'a Index,
    slice: &'a Slice,
    /// The first number.
    first: u64,
    /// The man whose square alone tells the numbers of a row apart.
    last_man: Option<usize>,
}

impl<'a> Order<'a> {
    /// Numbers from `first` on, which belong to a structure whose slice is `slice`.
    pub fn new(index: &'a Index, first: u64, slice: &'a Slice) -> Order<'a> {
        let last_man = index.last_man().filter(|&man| !slice.leads(man));
        Order { index, slice, first, last_man }
    }

    /// Calls `meet` with every position among the first `len` numbers from `start` on, counted
    /// from the first: how far behind `start` its number is, and 64 times its word plus its lane.
    #[inline]
    pub fn each(&self, start: usize, len: usize, mut meet: impl FnMut(usize, usize)) {
        let mut done = 0;
        while done < len {
            let ahead = (start + done) % 64;
            let count = (len - done).min(64 - ahead);
            self.row(start + done, count, |number, place| meet(done + number, place));
            done += count;
        }
    }

    /// The same for numbers of one row.
    #[inline]
    fn row(&self, start: usize, len: usize, mut meet: impl FnMut(usize, usize)) {
        let &Order { index, slice, first, last_man } = self;
        let start = first + start as u64;
        if let Some(man) = last_man {
            let Some(squares) = index.decode_row(start / 64) else { return };
            let others = (0..index.men().len()).filter(|&other| other != man);
            let taken: Bitboard = others.map(|other| squares[other]).collect();
            let Some(line) = slice.line(&squares, man) else { return };
            let ahead = (start % 64) as usize;
            let wanted = !0 >> (64 - len) << ahead;
            for square in Bitboard(wanted) & !taken {
                meet(square.number() - ahead, line.at(square));
            }
        } else {
            for number in 0..len {
                let squares = index.decode(start + number as u64);
                if let Some((word, lane)) = squares.and_then(|squares| slice.locate(&squares)) {
                    meet(number, word * 64 + lane.number());
                }
            }
        }
    }

    /// Brings the cells that `from` has for places into the order of the numbers. Numbers that are no
    /// positions are left as they are.
    pub fn sort<C: Send>(&self, from: impl Fn(usize) -> C + Sync, to: &mut [C]) {
        to.par_chunks_mut(64).with_min_len(MIN_ROWS).enumerate().for_each(|(row, to)| {
            self.row(row * 64, to.len(), |number, place| to[number] = from(place));
        });
    }

    /// The same for sets of lanes, of which each number gets its bit; there are `len` numbers.
    pub fn sort_lanes(&self, from: &[u64], len: usize) -> Box<[u64]> {
        let rows = (0..len.div_ceil(64)).into_par_iter().with_min_len(MIN_ROWS);
        let sorted = rows.map(|row| {
            let mut bits = 0;
            self.row(row * 64, 64.min(len - row * 64), |number, place| {
                bits |= (from[place / 64] >> (place % 64) & 1) << number;
            });
            bits
        });
        sorted.collect::<Vec<u64>>().into()
    }
}
