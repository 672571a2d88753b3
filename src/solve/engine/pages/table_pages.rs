//! What a solver knows of a whole table: one cell per position, in the order of its index.

use std::{
    hash::Hash,
    sync::{Arc, OnceLock},
};

use crate::{
    answer::score::Store,
    board::{Color, Role, Square},
    index::{Index, Material},
};

use crate::solve::engine::spill::ScratchArray;

/// What a page has for a position.
pub trait PageCell: bytemuck::Pod + Ord + Hash + Send + Sync {
    /// What it has for a number that is no position.
    const GAP: Self;
}

impl PageCell for i16 {
    const GAP: i16 = Store::NONE;
}

impl PageCell for i32 {
    const GAP: i32 = Store::NONE;
}

/// Numbers of something kept once.
impl PageCell for u32 {
    const GAP: u32 = u32::MAX;
}

/// The cells of a table, a page for each pawn structure and side to move.
///
/// Structures are filled one after the other, so those filled can be read while others are being
/// solved. Without pawns there is one.
pub struct TablePages<C> {
    /// How positions are numbered.
    pub index: Arc<Index>,
    pages: Vec<[OnceLock<Page<C>>; 2]>,
}

/// The cells of a structure with one side to move, in the order of the index.
pub type Page<C> = Arc<ScratchArray<C>>;

/// A page of a table: a pawn structure, a mode and the side to move, as the table has it.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct PageId {
    /// Which table.
    pub material: Material,
    pub structure: usize,
    /// Which of the table's modes.
    pub mode: usize,
    /// The side to move.
    pub side: Color,
}

/// The positions of a page that are looked up.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Extent {
    /// All of them.
    Whole,
    /// Those after a promotion: the side that has moved has such a man on its last rank.
    Promoted(Role),
}

impl<C: bytemuck::Pod + Send + Sync> TablePages<C> {
    /// A table of which nothing is known yet.
    pub fn empty(index: Arc<Index>) -> TablePages<C> {
        let structures = index.structures().map_or(1, |s| s.len());
        let pages = (0..structures).map(|_| Default::default()).collect();
        TablePages { index, pages }
    }

    /// The cell of position `number`.
    ///
    /// # Panics
    /// If its structure has not been solved.
    #[inline]
    pub fn get(&self, side: Color, number: u64) -> C {
        self.find(side, number).expect("solved before it is needed")
    }

    /// The cell of position `number`; `None` if the page is not there.
    #[inline]
    pub fn find(&self, side: Color, number: u64) -> Option<C> {
        let size = self.index.structure_range(0).end;
        let page = self.page((number / size) as usize, side)?;
        Some(page[(number % size) as usize])
    }

    /// The cells of a structure, if they are there.
    #[inline]
    pub fn page(&self, structure: usize, side: Color) -> Option<&Page<C>> {
        self.pages[structure][side.index()].get()
    }

    /// The cell of the position with these squares; `None` if Kings stand side by side.
    #[inline]
    pub fn at(&self, side: Color, squares: &[Square]) -> Option<C> {
        self.index.encode(squares).map(|number| self.get(side, number))
    }

    /// Fills in one structure for a side to move.
    ///
    /// # Panics
    /// If it was filled before.
    pub fn put_page(&self, structure: usize, side: Color, page: Page<C>) {
        let put = self.pages[structure][side.index()].set(page);
        assert!(put.is_ok(), "a structure is solved once");
    }
}
