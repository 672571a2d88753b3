//! From rules to tables.
//!
//! [`Solve`] is what a game adds to its rules to have tables: how its positions are cut into
//! tables and slices, how a table is solved, what its cells mean, and, in plain code for checking,
//! how the answer of a position follows from those of its successors.
//!
//! Two solvers serve all games. The *ladder* solver ([`ladder`]) handles games in which play can
//! go in circles, the *clock* solvers those whose counters make every game finite.

mod clock;
mod high;
pub mod ladder;
pub mod lanes;
pub mod links;
mod noro;
pub mod perpetual;
pub mod scratch;
mod sections;
mod shelf;
pub mod slice;
pub mod values;

mod ladder_file;
mod ladder_table;
mod orphic;
mod orthodox;
mod pass;
mod plan;
mod stylish;
mod tiebraker;

use std::{cmp::Ordering, fmt::Debug, io, time::Duration};

pub use high::{HighAnswer, Staircase};
pub use ladder_file::{LadderReader, Outcome};
pub use noro::{Bound, NoroAnswer, NoroReader, Thresholds};
pub use orthodox::{Wdl, WinDrawLoss};
pub use plan::{Plan, PlannedTable};
pub use shelf::{Shelf, ShelfError, TableId, options_in_words};
pub use stylish::StylishAnswer;
pub use tiebraker::{TiebrakerAnswer, TiebrakerReader};

use crate::{
    index::Material,
    rules::Game,
    table::{Description, Table, TableError, TableWriter, WriterOptions},
};

/// A game that has tables.
pub trait Solve: Game {
    /// What a table says of a position.
    type Answer: Clone + Debug + PartialEq + Send + Sync;

    /// An open table, ready to answer.
    type Reader: Send + Sync;

    /// The table that serves a material: its name, colours swapped if the game allows it.
    ///
    /// # Errors
    /// If the game has no tables of such men.
    fn table_id(&self, material: &Material) -> Result<TableId, UnfitMaterial>;

    /// The materials one turn away whose tables must be there before this one is solved.
    fn needs(&self, material: &Material) -> Vec<Material>;

    /// How many positions a table numbers, both sides to move counted, and what it takes.
    fn size(&self, material: &Material) -> TableSize;

    /// Solves a table and writes it; what it [`needs`](Solve::needs) is there.
    ///
    /// # Errors
    /// If a table it needs cannot be read, or memory, disk space or permission is lacking.
    fn solve(&self, material: &Material, bench: &Workbench<'_>) -> Result<(), BuildError>;

    /// Makes an opened table of this game ready to answer.
    ///
    /// # Errors
    /// If the file lacks a section or contradicts itself.
    fn open(&self, table: &Table) -> Result<Self::Reader, TableError>;

    /// The material of a position's table, named as by [`table_id`](Solve::table_id).
    ///
    /// # Errors
    /// If tables do not cover such positions.
    fn material_of(&self, position: &Self::Position) -> Result<Material, Unanswerable>;

    /// What the table of its material says of a position, but for what it
    /// [leaves out](Solve::left_out).
    ///
    /// # Errors
    /// If the file turns out damaged.
    fn read(
        &self,
        reader: &Self::Reader,
        position: &Self::Position,
    ) -> Result<Self::Answer, TableError>;

    /// The answer of a position that has no table because the game is over there; such as one
    /// in which a side has no men left.
    fn without_table(&self, _: &Self::Position) -> Option<Self::Answer> {
        None
    }

    /// The turns whose worth the table leaves out since other tables tell it: the answer is the
    /// better of what [`read`](Solve::read) says and the best of these.
    fn left_out(&self, _: &Self::Position) -> Vec<Self::Turn> {
        Vec::new()
    }

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

    /// Which of two answers for the same position `mover` likes better (greater is better), all
    /// else being equal.
    fn prefer(&self, position: &Self::Position, a: &Self::Answer, b: &Self::Answer) -> Ordering;

    /// The positions of a table whose answers follow from those after each turn, but would need
    /// infinite play to be worth something else than it is; each with the answer it should have.
    /// `known` gives the answer of any position.
    ///
    /// Where infinite play is worth the same however it goes on, there can be none.
    ///
    /// # Errors
    /// What `known` fails with.
    fn endless_mismatches<E: Send>(
        &self,
        _: &Self::Reader,
        _: &(impl Fn(&Self::Position) -> Result<Self::Answer, E> + Sync),
    ) -> Result<Corrections<Self>, E> {
        Ok(Vec::new())
    }

    /// How many cells a table has, counting every side to move and mode.
    fn cells(&self, reader: &Self::Reader) -> u64;

    /// How many placements of the men a cell stands for, all symmetries of the game counted; 0 if
    /// they are counted with another cell or it is no position.
    fn weight(&self, reader: &Self::Reader, cell: u64) -> u64;

    /// What of a position comes again when a game repeats itself; the counters of the FEN do not.
    fn identity(&self, position: &Self::Position) -> Self::Position;

    /// The position of a cell; `None` if it is none that can occur.
    fn cell(&self, reader: &Self::Reader, cell: u64) -> Option<Self::Position>;
}

/// Positions with the answers they should have.
pub type Corrections<G> = Vec<(<G as Game>::Position, <G as Solve>::Answer)>;

/// How big a table is.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct TableSize {
    /// How many positions it numbers.
    pub positions: u64,
    /// How many bytes of memory solving it takes, about, besides the tables it looks into.
    pub memory: u64,
    /// How many bytes of memory it takes, about, while others are solved that look into it.
    pub loaded: u64,
    /// How long solving and writing it takes on two cores of a common machine, about.
    pub time: Duration,
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
pub enum Unanswerable {
    /// Somebody may still castle.
    #[error("tables do not cover castling rights; write `-` in their place if they do not matter")]
    Castling,
    /// The men are none a table can have.
    #[error(transparent)]
    Material(#[from] UnfitMaterial),
}

/// Why a table could not be built.
#[derive(Debug, thiserror::Error)]
pub enum BuildError {
    /// The game has no such table.
    #[error(transparent)]
    Unfit(#[from] UnfitMaterial),
    /// A table it needs is not at hand.
    #[error(transparent)]
    Shelf(#[from] ShelfError),
    /// A table could not be read or written.
    #[error(transparent)]
    Table(#[from] TableError),
    /// No memory or scratch space.
    #[error("no scratch space for the build; free some disk space, or allow more --memory")]
    Scratch(#[from] io::Error),
}

/// What a solver works with.
pub struct Workbench<'a> {
    /// The tables that exist, and where new ones go.
    pub shelf: &'a Shelf,
    /// Memory for big arrays.
    pub budget: &'a scratch::Budget,
    /// How tables are written.
    pub options: WriterOptions,
    /// Who hears of the progress.
    pub progress: &'a dyn Progress,
}

/// Hears how a long piece of work goes on.
pub trait Progress: Sync {
    /// A part of the work begins, of about `steps` steps.
    fn begin(&self, what: &str, steps: u64);
    /// That many steps of it are done.
    fn advance(&self, steps: u64);
}

/// Tells nobody.
pub struct Silent;

impl Progress for Silent {
    fn begin(&self, _: &str, _: u64) {}
    fn advance(&self, _: u64) {}
}

impl Workbench<'_> {
    /// Begins the file of a table.
    ///
    /// # Errors
    /// If it cannot be made where it belongs.
    pub fn writer(&self, id: &TableId) -> Result<TableWriter, TableError> {
        let description = Description {
            game: id.game.to_owned(),
            options: id.options.clone(),
            material: id.material.to_string(),
            ..Description::default()
        };
        TableWriter::create(self.shelf.path(id), description, self.options)
    }
}
