//! The turns that leave a slice, found once and used by every stage.

use std::sync::Arc;

use rayon::prelude::*;

use super::stage_table::StageTable;
use crate::{
    answer::place::{board_of, plain_setup},
    board::{Bitboard, Board, Color, Man, Square},
    index::MAX_MEN,
    rules::Setup,
    solve::engine::{
        ladder::{MIN_WORDS, Sets},
        links::Links,
        slice::{Conversion, Slice},
    },
};

/// A turn that leaves the slice, in the lanes of a word that have it and reach the same position.
pub struct Exit {
    /// The lanes.
    pub lanes: u64,
    /// Where it leads.
    pub target: Target,
    /// Whether it changes the material; else it is a plain pawn move.
    pub converts: bool,
    /// Whether it captures.
    pub captures: bool,
    /// Whether it gives check.
    pub checks: bool,
}

/// The position a turn leads to.
pub enum Target {
    /// One that a table shows.
    Cell {
        /// The place of the table among the tables at hand.
        table: u16,
        /// The side to move there.
        side: Color,
        /// Whether that table has the sides exchanged.
        swapped: bool,
        /// The number of the position.
        number: u64,
    },
    /// One in which a pawn may be taken in passing.
    Passing(Box<Setup>),
}

/// The exits of every word for one side to move, and what goes with them.
pub struct Exits {
    /// By word.
    pub words: Vec<Box<[Exit]>>,
    /// The lanes of every word in which a legal capture binds the mover, who is not in check.
    pub bound: Vec<u64>,
}

impl Exits {
    /// Finds the exits of `side`; `links` give places among `tables`.
    pub fn find(
        slice: &Slice,
        side: Color,
        legal: &Sets,
        checked: &Sets,
        links: &Links<u16>,
        tables: &[Arc<StageTable>],
    ) -> Exits {
        let words: Vec<Box<[Exit]>> = (0..slice.words())
            .into_par_iter()
            .with_min_len(MIN_WORDS)
            .map(|word| {
                let lanes = Bitboard(legal[side.index()][word]);
                if lanes.is_empty() {
                    return Box::default();
                }
                let stand = slice.stand(word).expect("legal lanes stand somewhere");
                let mut exits = Vec::new();
                slice.conversions(&stand, side, lanes, |turn, lanes, squares| {
                    exits.push(exit(slice, side, turn, lanes, squares, links, tables));
                });
                exits.into_boxed_slice()
            })
            .collect();
        let bound = words
            .iter()
            .zip(&checked[side.index()])
            .map(|(exits, checked)| {
                let captures = exits.iter().filter(|exit| exit.captures);
                captures.fold(0, |lanes, exit| lanes | exit.lanes) & !checked
            })
            .collect();
        Exits { words, bound }
    }
}

fn exit(
    slice: &Slice,
    side: Color,
    turn: &Conversion,
    lanes: Bitboard,
    squares: &[Square; MAX_MEN],
    links: &Links<u16>,
    tables: &[Arc<StageTable>],
) -> Exit {
    let board = board_after(slice.men(), turn, squares);
    let target = if turn.en_passant {
        let behind = turn.to.offset(0, -side.forward()).expect("a pawn has walked two squares");
        Target::Passing(Box::new(plain_setup(board, !side, Some(behind))))
    } else {
        let (link, table) = links.get(turn).expect("a table of every successor");
        let entry = link.entry(!side, squares);
        let number = tables[usize::from(*table)].index().encode(&entry.squares);
        Target::Cell {
            table: *table,
            side: entry.side,
            swapped: entry.swapped,
            number: number.expect("Kings apart"),
        }
    };
    Exit {
        lanes: lanes.0,
        target,
        converts: turn.captured.is_some() || turn.promotion.is_some(),
        captures: turn.captured.is_some(),
        checks: board.king(!side).is_some_and(|king| board.is_attacked_by(side, king)),
    }
}

fn board_after(men: &[Man], turn: &Conversion, squares: &[Square; MAX_MEN]) -> Board {
    let mut board = board_of(men, squares, turn.captured);
    if let Some(role) = turn.promotion {
        board.put(turn.to, Man::new(men[turn.mover].color, role));
    }
    board
}
