//! The turns that leave a slice, found once and used by every stage.

use std::{io, ops::Range};

use super::around::Around;
use crate::{
    answer::place::plain_setup,
    board::{Bitboard, Color, Movements, Role, Square},
    index::MAX_MEN,
    parallel::{self, chunks},
    rules::{Laws, Setup},
    solve::engine::{
        slice::{Conversion, MIN_WORDS, Sets, Slice},
        spill::{Budget, ScratchArray},
    },
};

/// A turn that leaves the slice, in the lanes of a word that have it and reach the same position.
///
/// There are several for each position of a slice, so they are packed.
#[derive(Copy, Clone, bytemuck::Pod, bytemuck::Zeroable)]
#[repr(C)]
pub struct Exit {
    /// The lanes.
    pub lanes: u64,
    /// The number of the position it leads to, or of the one among its word's
    /// [`passing`](Exits::passing) ones, the place of its table, and the marks below.
    packed: u64,
}

// Enough for any six men on the board of chess, and for what one turn leads to; `exit` makes sure
// of both.
const NUMBER_BITS: u32 = 48;
const TABLE_BITS: u32 = 8;
const BLACK: u64 = 1 << 63;
const SWAPPED: u64 = 1 << 62;
const CONVERTS: u64 = 1 << 61;
const CAPTURES: u64 = 1 << 60;
const CHECKS: u64 = 1 << 59;
const BY_KING: u64 = 1 << 58;
const PASSING: u64 = 1 << 57;

const _: () = assert!(PASSING >> (NUMBER_BITS + TABLE_BITS) != 0, "marks are above the place");

/// The position a turn leads to.
#[derive(Copy, Clone)]
pub enum Target {
    /// One that a table shows.
    Cell {
        /// The place of the table among those around.
        table: usize,
        /// The side to move there.
        side: Color,
        /// Whether that table has the sides exchanged.
        swapped: bool,
        /// The number of the position.
        number: u64,
    },
    /// One in which a pawn can be taken in passing: which of those of its word.
    Passing(usize),
}

impl Exit {
    /// Where it leads.
    pub fn target(self) -> Target {
        let number = self.packed & ((1 << NUMBER_BITS) - 1);
        if self.is(PASSING) {
            return Target::Passing(number as usize);
        }
        Target::Cell {
            table: (self.packed >> NUMBER_BITS & ((1 << TABLE_BITS) - 1)) as usize,
            side: if self.is(BLACK) { Color::Black } else { Color::White },
            swapped: self.is(SWAPPED),
            number,
        }
    }

    fn is(self, mark: u64) -> bool {
        self.packed & mark != 0
    }

    /// Whether it changes the material; else it is a plain pawn move.
    pub fn converts(self) -> bool {
        self.is(CONVERTS)
    }

    /// Whether it captures.
    pub fn captures(self) -> bool {
        self.is(CAPTURES)
    }

    /// Whether it gives check.
    pub fn checks(self) -> bool {
        self.is(CHECKS)
    }

    /// Whether a King makes it, which a disk cannot.
    pub fn by_king(self) -> bool {
        self.is(BY_KING)
    }
}

/// The exits of every word for one side to move, and what goes with them.
pub struct Exits {
    /// In the order of the words, [`CHUNK`] words at a time.
    chunks: Vec<ExitChunk>,
    /// By word, the positions in which a pawn can be taken in passing; none at all where there are
    /// none in the slice.
    passing: Vec<Box<[Setup]>>,
    /// The lanes of every word in which a legal capture binds the mover, who is not in check: if
    /// the mover has a King, and if that is a disk.
    bound: [Vec<u64>; 2],
}

/// The exits of some words.
struct ExitChunk {
    exits: ScratchArray<Exit>,
    /// Where those of each word begin, and at last where they end.
    starts: Box<[u32]>,
}

/// Words whose exits lie in one array: a task's, so that threads need not wait to append theirs.
const CHUNK: usize = MIN_WORDS;

impl Exits {
    /// Finds the exits of `side`.
    ///
    /// # Errors
    /// If memory and scratch space are lacking.
    pub fn find(
        slice: &Slice,
        side: Color,
        legal: &Sets,
        checked: &Sets,
        around: &Around,
        budget: &Budget,
    ) -> io::Result<Exits> {
        let words = slice.words();
        let find = |words: Range<usize>| -> io::Result<(ExitChunk, Vec<Box<[Setup]>>)> {
            let mut exits = Vec::new();
            let (mut starts, mut passing) = (vec![0], Vec::new());
            for word in words {
                let lanes = Bitboard(legal[side.index()][word]);
                let mut passed = Vec::new();
                if !lanes.is_empty() {
                    let stand = slice.stand(word).expect("legal lanes stand somewhere");
                    slice.conversions(&stand, side, lanes, |turn, lanes, squares| {
                        exits.push(exit(slice, side, turn, lanes, squares, around, &mut passed));
                    });
                }
                starts.push(exits.len() as u32);
                passing.push(passed.into_boxed_slice());
            }
            let mut kept = budget.array(exits.len(), Exit { lanes: 0, packed: 0 })?;
            kept.copy_from_slice(&exits);
            Ok((ExitChunk { exits: kept, starts: starts.into_boxed_slice() }, passing))
        };
        let found = parallel::try_map(chunks(0..words, CHUNK), 1, |_, words| find(words))?;
        let (chunks, passing): (Vec<ExitChunk>, Vec<_>) = found.into_iter().unzip();
        let mut passing = passing.concat();
        if passing.iter().all(|passing| passing.is_empty()) {
            passing = Vec::new();
        }
        let mut exits = Exits { chunks, passing, bound: [Vec::new(), Vec::new()] };
        exits.bound = [true, false].map(|has_king| {
            let bound = |(word, checked): (usize, &u64)| {
                let captures = |exit: &&Exit| exit.captures() && (has_king || !exit.by_king());
                let captures = exits.of(word).iter().filter(captures);
                captures.fold(0, |lanes, exit| lanes | exit.lanes) & !checked
            };
            checked[side.index()].iter().enumerate().map(bound).collect()
        });
        Ok(exits)
    }

    /// The exits of a word.
    #[inline]
    pub fn of(&self, word: usize) -> &[Exit] {
        let ExitChunk { exits, starts } = &self.chunks[word / CHUNK];
        let at = word % CHUNK;
        &exits[starts[at] as usize..starts[at + 1] as usize]
    }

    /// A position in which a pawn can be taken in passing.
    pub fn passing(&self, word: usize, which: usize) -> &Setup {
        &self.passing[word][which]
    }

    /// The lanes of every word in which a legal capture binds the mover, who is not in check.
    pub fn bound(&self, has_king: bool) -> &[u64] {
        &self.bound[usize::from(!has_king)]
    }
}

fn exit(
    slice: &Slice,
    side: Color,
    turn: &Conversion,
    lanes: Bitboard,
    squares: &[Square; MAX_MEN],
    around: &Around,
    passing: &mut Vec<Setup>,
) -> Exit {
    let board = slice.board_after(turn, squares);
    let mut packed = 0;
    let mut mark = |mark: u64, whether: bool| packed |= if whether { mark } else { 0 };
    mark(CONVERTS, turn.changes_men());
    mark(CAPTURES, turn.captured.is_some());
    mark(
        CHECKS,
        board.king(!side).is_some_and(|king| board.is_attacked_by(Movements::USUAL, side, king)),
    );
    mark(BY_KING, slice.men()[turn.mover].role == Role::King);
    let setup = turn.en_passant.map(|passed| {
        let mut setup = plain_setup(board, !side, Some(passed));
        setup.drop_idle_en_passant(&Laws::ORTHODOX);
        setup
    });
    if let Some(setup) = setup.filter(|setup| setup.en_passant.is_some()) {
        mark(PASSING, true);
        packed |= passing.len() as u64;
        passing.push(setup);
    } else {
        let (link, table) = around.links.get(turn).expect("a table of every successor");
        let entry = link.entry(!side, squares);
        mark(BLACK, entry.side == Color::Black);
        mark(SWAPPED, entry.swapped);
        let number = around.indexes[*table].encode(&entry.squares).expect("Kings apart");
        assert!(number >> NUMBER_BITS == 0 && table >> TABLE_BITS == 0, "few and small tables");
        packed |= (*table as u64) << NUMBER_BITS | number;
    }
    Exit { lanes: lanes.0, packed }
}
