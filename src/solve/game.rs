//! What a game adds to have its tables built.

use std::time::Duration;

use super::{
    engine::builder::{SolveParts, Workbench},
    goal::Goal,
    parts::Layout,
};
use crate::{answer::Tabled, index::Material, probe::Catalogue};

/// A game whose tables can be built.
pub trait Solve: Tabled {
    /// The materials one turn away whose tables must be there before this one is solved, as they
    /// are [`named`](Tabled::named).
    fn needs(&self, material: &Material) -> Vec<Material>;

    /// How many positions a table numbers, both sides to move counted, and what it takes.
    fn size(&self, goal: &Goal) -> TableSize;

    /// How a table is cut into parts of at most `part_size` numbers for each side to move; into one
    /// part where the game cannot solve parts by themselves.
    fn layout(&self, goal: &Goal, part_size: u64) -> Layout;

    /// What solves the parts of a table's [layout](Solve::layout).
    fn solver<'a>(&'a self, goal: &Goal, bench: &'a Workbench<'a>) -> Box<dyn SolveParts + 'a>;
}

/// Every game that can [`Solve`], as one type whatever its positions are: plans are made and
/// followed by code that is compiled once, and not for each game.
pub trait Maker: Catalogue {
    /// The materials whose tables must be there before; see [`Solve::needs`].
    fn needs(&self, material: &Material) -> Vec<Material>;

    /// What a table takes; see [`Solve::size`].
    fn size(&self, goal: &Goal) -> TableSize;

    /// How a table is cut into parts; see [`Solve::layout`].
    fn layout(&self, goal: &Goal, part_size: u64) -> Layout;

    /// What solves the parts of a table; see [`Solve::solver`].
    fn solver<'a>(&'a self, goal: &Goal, bench: &'a Workbench<'a>) -> Box<dyn SolveParts + 'a>;
}

impl<G: Solve> Maker for G {
    fn needs(&self, material: &Material) -> Vec<Material> {
        self.needs(material)
    }

    fn size(&self, goal: &Goal) -> TableSize {
        self.size(goal)
    }

    fn layout(&self, goal: &Goal, part_size: u64) -> Layout {
        self.layout(goal, part_size)
    }

    fn solver<'a>(&'a self, goal: &Goal, bench: &'a Workbench<'a>) -> Box<dyn SolveParts + 'a> {
        self.solver(goal, bench)
    }
}

/// How big a table is.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct TableSize {
    /// How many positions it numbers.
    pub positions: u64,
    /// How many bytes of memory solving it takes, about, besides the tables it looks into.
    pub memory: u64,
    /// How many bytes of memory solving it takes, about, at least, with the tables it looks into,
    /// of which it unpacks some pages at a time; none where it unpacks whole tables.
    pub least: Option<u64>,
    /// How many bytes of memory it takes, about, while others are solved that look into it.
    pub loaded: u64,
    /// How many bytes its file has, about, at the default level of compression.
    pub file: u64,
    /// How many bytes of scratch files solving it takes, about, where its [memory](TableSize::memory)
    /// is not to be had; none where nobody has found out.
    pub scratch: Option<u64>,
    /// How long solving and writing it takes on two cores of a common machine, about.
    pub time: Duration,
}
