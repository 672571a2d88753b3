//! What a table *is*, game by game: its name, how it is opened, what its cells mean, and how the
//! answer for a position follows from those of its successors.
//!
//! [`Tabled`] is all that probing and verifying need of a game. Nothing here knows how a table is
//! made: that is the room [`solve`](crate::solve).

mod chess;
mod contents;
pub(crate) mod high;
mod ladder;
mod materials;
pub(crate) mod noro;
pub(crate) mod orphic;
mod outcome;
pub(crate) mod place;
mod plies;
pub(crate) mod score;
pub(crate) mod sections;
pub(crate) mod stylish;
mod table_id;
pub(crate) mod tiebraker;
pub(crate) mod variant;
mod win_draw_loss;

use std::{
    cmp::{Ordering, Reverse},
    fmt::Debug,
};

pub use contents::{Contents, UnfitContents, UnknownContents};
pub use high::{Distance, Distances, HighAnswer, HighReader, Staircase};
pub use ladder::LadderReader;
pub use materials::materials_with;
pub use noro::{Bound, Finish, NoroAnswer, NoroReader, Thresholds};
pub use outcome::Outcome;
pub use plies::Plies;
pub(crate) use plies::prefer_distance;
pub use stylish::{StylishAnswer, StylishReader};
pub use table_id::{TableId, TableName};
pub use tiebraker::{TiebrakerAnswer, TiebrakerReader};
pub use variant::VariantReader;
pub use win_draw_loss::{Wdl, WinDrawLoss};

use crate::{
    board::{Color, Group},
    index::Material,
    rules::Game,
    table::{Table, TableError},
};

/// A game that has tables.
pub trait Tabled: Game {
    /// What a table says of a position.
    type Answer: Clone + Debug + PartialEq + Send + Sync;

    /// An open table, ready to answer.
    type Reader: Debug + Send + Sync;

    /// What its tables can hold, first what they hold unless something else is asked for.
    const CONTENTS: &'static [Contents] = &[Contents::Distance];

    /// Whether all positions with the same cell and side to move have the same answer. Elsewhere it
    /// may depend on points, a clock or vitalities that cells do not count.
    const CELLS_TELL_ALL: bool = false;

    /// Which of the ways the game has had to store its tables this program knows, from 1. A new
    /// one makes all tables of the game, and of no other, unreadable that were made before.
    const SCHEMA: u16 = 1;

    /// A material as its table is named: with the colours swapped where one table serves both.
    ///
    /// # Errors
    /// If the game has no tables of such men.
    fn named(&self, material: &Material) -> Result<Material, UnfitMaterial>;

    /// Whether a game from its initial position can come to such men; one that has tables of men
    /// that cannot arise says so.
    fn can_arise(&self, _named: &Material) -> bool {
        true
    }

    /// What identifies the table of a material, which must be [`named`](Tabled::named) already,
    /// that holds so much.
    fn table_id(&self, named: &Material, contents: Contents) -> TableId {
        own_table_id(self, named, contents)
    }

    /// The tables of a material that hold at least so much, the one that holds most first.
    fn table_ids(&self, named: &Material, least: Contents) -> Vec<TableId> {
        let enough = Self::CONTENTS.iter().copied().filter(|&contents| contents >= least);
        let mut ids: Vec<TableId> = enough.map(|contents| self.table_id(named, contents)).collect();
        ids.sort_by_key(|id| Reverse(id.contents));
        ids
    }

    /// Makes an opened table of this game ready to answer.
    ///
    /// # Errors
    /// If the file lacks a section or contradicts itself.
    fn open(&self, table: &Table) -> Result<Self::Reader, TableError>;

    /// The men of a position.
    ///
    /// # Errors
    /// If tables do not cover such positions, whatever the men.
    fn men_of(&self, position: &Self::Position) -> Result<Material, Unanswerable>;

    /// The material of a position's table, as it is [`named`](Tabled::named).
    ///
    /// # Errors
    /// If tables do not cover such positions.
    fn material_of(&self, position: &Self::Position) -> Result<Material, Unanswerable> {
        Ok(self.named(&self.men_of(position)?)?)
    }

    /// What the table of its material says of a position, but for what it
    /// [leaves out](Tabled::left_out); `None` if it does not store those of the side to move. They
    /// are answered from their successors.
    ///
    /// # Errors
    /// If the file turns out damaged.
    fn read(
        &self,
        reader: &Self::Reader,
        position: &Self::Position,
    ) -> Result<Option<Self::Answer>, TableError>;

    /// The same for the [position of a cell](Tabled::cell), whose number need not be found again.
    ///
    /// # Errors
    /// As [`read`](Tabled::read), which is what it does if it is not overridden.
    fn read_cell(
        &self,
        reader: &Self::Reader,
        _cell: u64,
        position: &Self::Position,
    ) -> Result<Option<Self::Answer>, TableError> {
        self.read(reader, position)
    }

    /// The answer of a position that has no table because the game is over there; such as one
    /// in which a side has no men left.
    fn without_table(&self, _: &Self::Position) -> Option<Self::Answer> {
        None
    }

    /// The turns whose worth the table leaves out since other tables know it: the answer is the
    /// better of what [`read`](Tabled::read) says and the best of these.
    fn left_out(&self, _: &Self::Position) -> Vec<Self::Turn> {
        Vec::new()
    }

    /// Whether the position after a turn surely has the material of the one before, and so the same
    /// table, which then need not be looked for.
    fn keeps_men(&self, position: &Self::Position, turn: Self::Turn) -> bool;

    /// Whether the position is not in its table and is to be answered from its successors: one in
    /// which a pawn can be taken in passing, say.
    fn is_looked_ahead(&self, position: &Self::Position) -> bool;

    /// The answer of a position from the answers after each of its turns, by the plain rules.
    ///
    /// Without turns the game is over, and the position alone decides.
    fn backup(
        &self,
        position: &Self::Position,
        options: &[(Self::Turn, Self::Answer)],
    ) -> Self::Answer;

    /// What the answers after some turns make of the position before: [`backup`](Tabled::backup)
    /// of them all. `answer` asks for the one after a turn; `own` is the open table of the
    /// position itself, if it is at hand.
    ///
    /// Games in which answers are long override it to ask for like ones only once.
    ///
    /// # Errors
    /// If an answer is not to be had.
    fn look_ahead<E: From<TableError>>(
        &self,
        position: &Self::Position,
        turns: Vec<Self::Turn>,
        _own: Option<&Self::Reader>,
        mut answer: impl FnMut(Self::Turn) -> Result<Self::Answer, E>,
    ) -> Result<Self::Answer, E> {
        let mut options = Vec::with_capacity(turns.len());
        for turn in turns {
            options.push((turn, answer(turn)?));
        }
        Ok(self.backup(position, &options))
    }

    /// Whether what a table that holds so much says of a position cannot be bettered by what it
    /// leaves out.
    fn is_best(&self, _contents: Contents, _stored: &Self::Answer) -> bool {
        false
    }

    /// An answer without what tables that hold the [result](Contents::Result) alone do not tell;
    /// in games without such tables it is the answer itself.
    fn without_distance(&self, answer: Self::Answer) -> Self::Answer {
        answer
    }

    /// Whether an answer tells something by which it is [preferred](Tabled::prefer) to another only
    /// if that tells it, too. Answers of which only some do are compared
    /// [without](Tabled::without_distance) it.
    fn is_detailed(&self, _answer: &Self::Answer) -> bool {
        false
    }

    /// Which of two answers for the same position the side to move likes better (greater is
    /// better), all else being equal.
    fn prefer(&self, position: &Self::Position, a: &Self::Answer, b: &Self::Answer) -> Ordering;

    /// How many cells a table has, counting every side to move and mode.
    fn cells(&self, reader: &Self::Reader) -> u64;

    /// How many placements of the men a cell with a [position](Tabled::cell) stands for, all
    /// symmetries of the game counted; 0 if they are counted with another cell.
    fn weight(&self, reader: &Self::Reader, cell: u64) -> u64;

    /// The symmetries that a table makes nothing of: positions that they make equal share a cell.
    fn group(&self, reader: &Self::Reader) -> Group;

    /// The position of a cell; `None` if it is none that can occur.
    fn cell(&self, reader: &Self::Reader, cell: u64) -> Option<Self::Position>;

    /// Who is to move in a cell.
    fn cell_side(&self, reader: &Self::Reader, cell: u64) -> Color;

    /// The cell of a position with the men of the table that is neither
    /// [without](Tabled::without_table) a table nor [looked ahead](Tabled::is_looked_ahead); `None`
    /// if the game is over there and no cell stands for it. Positions that the symmetries of the
    /// game make equal share a cell, whose [position](Tabled::cell) may be another of them.
    fn cell_of(&self, reader: &Self::Reader, position: &Self::Position) -> Option<u64>;

    /// What of a position comes again when a game repeats itself; the counters of the FEN do not.
    fn identity(&self, position: &Self::Position) -> Self::Position;
}

/// A material for which the game has no tables.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{game} has no tables for {material}: {reason}")]
pub struct UnfitMaterial {
    /// The game's name.
    pub game: &'static str,
    /// The material.
    pub material: Material,
    /// What is wrong with it.
    pub reason: String,
}

/// Why no table covers a position.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Unanswerable {
    /// Somebody may still castle.
    #[error("tables do not cover castling rights; write `-` in their place if they do not matter")]
    Castling,
    /// The men are none a table can have.
    #[error(transparent)]
    Material(#[from] UnfitMaterial),
}

/// What identifies a table that is the game's own.
pub(crate) fn own_table_id<G: Tabled>(game: &G, named: &Material, contents: Contents) -> TableId {
    TableId {
        game: game.name(),
        schema: G::SCHEMA,
        options: game.options(),
        material: *named,
        contents,
        is_usual: contents == G::CONTENTS[0],
    }
}
