//! From the order of a slice's words and lanes to that of an index.

use std::io;

use super::{lines::RowSteps, words::Slice};
use crate::{
    board::{Bitboard, BoardSize, Square},
    index::{Index, LastMen, subset},
    parallel::{self, chunks},
};

/// Numbers brought into order at a time: as many as a set of lanes has.
const TOGETHER: usize = 64;

/// So many times as many are worth a task of their own: 16,384 numbers.
const MIN_TASK: usize = 256;

/// Numbers of an index, and where a slice has their positions.
#[derive(Copy, Clone)]
pub struct IndexOrder<'a> {
    index: &'a Index,
    slice: &'a Slice,
    /// The men whose squares alone tell the numbers of a row apart, and how far that takes them.
    last: Option<(LastMen, RowSteps)>,
    /// The first number, counted from the first of the structure.
    first: u64,
}

impl<'a> IndexOrder<'a> {
    /// The numbers of the structure whose slice is `slice`.
    pub fn new(index: &'a Index, slice: &'a Slice) -> IndexOrder<'a> {
        let last = index.last_men().and_then(|last| Some((last, slice.row_steps(last)?)));
        IndexOrder { index, slice, last, first: 0 }
    }

    /// The same, where the first of the structure's numbers are left out.
    pub fn starting_at(self, first: u64) -> IndexOrder<'a> {
        IndexOrder { first, ..self }
    }

    /// Calls `meet` with every position among `len` numbers from `start` on, counted from the first
    /// of all: how far behind `start` its number is, and 64 times its word plus its lane.
    #[inline]
    pub fn each(&self, start: usize, len: usize, mut meet: impl FnMut(usize, usize)) {
        let &IndexOrder { index, slice, last, first } = self;
        let start = first + start as u64;
        let Some((last, steps)) = last else {
            for number in 0..len {
                let squares = index.decode_beside(&slice.squares, start + number as u64);
                if let Some((word, lane)) = squares.and_then(|squares| slice.locate(&squares)) {
                    meet(number, word * 64 + lane.number());
                }
            }
            return;
        };
        let mut done = 0;
        while done < len {
            let number = start + done as u64;
            let (row, ahead) = (number / last.row, (number % last.row) as usize);
            let count = (len - done).min(last.row as usize - ahead);
            self.part_of_row((last, steps), row, [ahead, count], |at, place| {
                meet(done + at - ahead, place);
            });
            done += count;
        }
    }

    /// The same for `count` numbers of a row, from the one `ahead` of it on.
    #[inline]
    fn part_of_row(
        &self,
        (last, steps): (LastMen, RowSteps),
        row: u64,
        part: [usize; 2],
        mut meet: impl FnMut(usize, usize),
    ) {
        let &IndexOrder { index, slice, .. } = self;
        let Some(squares) = index.decode_row(&slice.squares, row) else { return };
        let is_last = |man: usize| (last.first..last.first + last.men).contains(&man);
        let others = (0..index.men().len()).filter(|&man| !is_last(man));
        let within = (last.men, others.map(|man| squares[man]).collect(), part);
        match steps {
            RowSteps::Pieces(steps) => {
                let Some(line) = slice.line(&squares, last.first, steps) else { return };
                let meet = |number, pair| meet(number, line.at(pair));
                // The loops are the inmost, so they are compiled apart for the board that most are.
                match index.size() {
                    BoardSize::CHESS => meet_free(within, |n| Square::new(n as u8), meet),
                    size => meet_free(within, |n| size.square(n), meet),
                }
            }
            RowSteps::Leaders(steps) => {
                let mut line = slice.leader_line(squares, steps);
                let meet = |number, pair| {
                    if let Some(place) = line.at(pair) {
                        meet(number, place);
                    }
                };
                meet_free(within, |n| index.size().square(n), meet);
            }
        }
    }

    /// Calls `meet` with each of some cells, which are in the order of the numbers, that is a
    /// position, and its place.
    pub fn each_cell<C: Send>(&self, cells: &mut [C], meet: impl Fn(&mut C, usize) + Sync) {
        parallel::each(chunks(cells, TOGETHER), MIN_TASK, |n, cells| {
            self.each(n * TOGETHER, cells.len(), |number, place| meet(&mut cells[number], place));
        });
    }

    /// Brings the cells that `from` has for places into the order of the numbers. Numbers that are
    /// no positions are left as they are.
    pub fn sort<C: Send>(&self, from: impl Fn(usize) -> C + Sync, to: &mut [C]) {
        self.each_cell(to, |to, place| *to = from(place));
    }

    /// The same where `from` has the cells of a [stretch](Slice::words_a_stretch) of words, word by
    /// word and lane by lane.
    ///
    /// # Errors
    /// Those of `from`.
    pub fn sort_stretches<C: Copy + Send + Sync>(
        &self,
        from: impl Fn(usize) -> io::Result<Vec<C>> + Sync,
        to: &mut [C],
    ) -> io::Result<()> {
        let IndexOrder { index, slice, .. } = self;
        let places = slice.words_a_stretch() * 64;
        if let Some(numbers) = slice.numbers_a_stretch(index, to.len() as u64) {
            self.sort_some((0, numbers as usize), from, to)
        } else {
            let cells = parallel::try_map(0..slice.stretches(), 1, |_, stretch| from(stretch))?;
            self.sort(|place| cells[place / places][place % places], to);
            Ok(())
        }
    }

    /// The same for the numbers of some stretches alone, from the one with this number on, if
    /// [numbers follow words](Slice::numbers_a_stretch), so many a stretch.
    ///
    /// # Errors
    /// Those of `from`.
    pub fn sort_some<C: Copy + Send + Sync>(
        &self,
        (first, numbers): (usize, usize),
        from: impl Fn(usize) -> io::Result<Vec<C>> + Sync,
        to: &mut [C],
    ) -> io::Result<()> {
        let places = self.slice.words_a_stretch() * 64;
        parallel::try_each(chunks(to, numbers), 1, |n, to| {
            let stretch = first + n;
            let (cells, first) = (from(stretch)?, stretch * places);
            self.each(stretch * numbers, to.len(), |number, place| {
                to[number] = cells[place - first];
            });
            Ok(())
        })
    }

    /// The same for sets of lanes, of which each number gets its bit; there are `len` numbers.
    pub fn sort_lanes(&self, from: &[u64], len: usize) -> Box<[u64]> {
        let sorted = parallel::map(0..len.div_ceil(TOGETHER), MIN_TASK, |_, n| {
            let mut bits = 0;
            self.each(n * TOGETHER, TOGETHER.min(len - n * TOGETHER), |number, place| {
                bits |= (from[place / 64] >> (place % 64) & 1) << number;
            });
            bits
        });
        sorted.into()
    }
}

/// Calls `meet` with those of `count` numbers of a row of so many men, from the one `ahead` of it
/// on, who stand on no square that is taken: with the number in the row, and their squares. `square`
/// gives the square of an ordinal.
#[inline(always)]
fn meet_free(
    (men, taken, [ahead, count]): (usize, Bitboard, [usize; 2]),
    square: impl Fn(usize) -> Square,
    mut meet: impl FnMut(usize, [Square; 2]),
) {
    let numbers = ahead..ahead + count;
    if men == 1 {
        for (number, square) in numbers.map(|number| (number, square(number))) {
            if !taken.contains(square) {
                meet(number, [square; 2]);
            }
        }
    } else {
        for number in numbers {
            let pair = subset::two(number).expect("as many as a row has").map(&square);
            if !taken.contains(pair[0]) && !taken.contains(pair[1]) {
                meet(number, pair);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        board::Group,
        index::{MAX_MEN, Material},
        rules::Laws,
    };

    /// Compares the rows of some structures with where each position is located by itself.
    fn compare(index: &Index, slice_of: impl Fn([Square; MAX_MEN]) -> Slice, what: &str) {
        let men = index.men().len();
        let structures = index.structures().map_or(1, |structures| structures.len());
        for structure in (0..structures).step_by(structures.div_ceil(3)) {
            let slice = slice_of(index.structure_squares(structure));
            let range = index.structure_range(structure);
            let most = (range.end - range.start) as usize;
            for (start, len) in
                [(0, 5000.min(most)), (most / 3, (most / 2).min(4100)), (most - 77.min(most), 77)]
            {
                let mut met = vec![None; len.min(most - start)];
                let order = IndexOrder::new(index, &slice).starting_at(start as u64 / 2);
                let before = start - start / 2;
                order.each(before, met.len(), |number, place| met[number] = Some(place));
                for (number, met) in (range.start + start as u64..).zip(met) {
                    let squares = index.decode(number);
                    let located = squares.and_then(|squares| slice.locate(&squares[..men]));
                    let place = located.map(|(word, lane)| word * 64 + lane.number());
                    assert_eq!(met, place, "{what} {number}");
                }
            }
        }
    }

    #[test]
    fn rows_lie_where_positions_are_located() {
        let small =
            [(5, 5), (4, 4), (5, 6)].map(|(files, ranks)| BoardSize::new(files, ranks).unwrap());
        let sizes = || [BoardSize::CHESS].into_iter().chain(small);
        // The last digit is one man, two of whom one runs, two of whom none does, three, one; then a
        // man that leads, two that do, and two of whom one does.
        let followers = ["KRvK", "KQQvK", "KRvKBB", "KQQQvK", "KBBvKN"];
        let leaders = ["QRvB", "QvRNN", "KRvBNN"];
        for material in followers.into_iter().chain(leaders) {
            for size in sizes() {
                let group = Group::FULL.on(size);
                let index = Index::new(&material.parse().unwrap(), group);
                let slice = |_| Slice::of_pieces_on(material, size);
                compare(&index, slice, &format!("{size} {material}"));
            }
        }
        // Two pieces, both of whom lead; one that leads behind two that do not; three alike.
        for material in ["KPvKP", "QRPvB", "RPvNNN", "PPvP"] {
            let material: Material = material.parse().unwrap();
            let index = Index::new(&material, Group::MIRROR);
            let slice =
                |squares| Slice::new(material.men(), squares, Group::MIRROR, Laws::ORTHODOX);
            compare(&index, slice, &material.to_string());
        }
    }
}
