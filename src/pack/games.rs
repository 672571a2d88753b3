//! What the tables of each game are made of.

use crate::{
    answer::{
        Outcome, StylishAnswer, Tabled, TiebrakerAnswer, WinDrawLoss,
        orphic::section_suffix,
        place::{chess_group, table_sides},
        sections::section_name,
        stylish::modes,
        tiebraker::{
            stage::{Cell, Stage},
            stage_name, stage_sides,
        },
        variant,
    },
    board::Color,
    index::{Index, Material},
    probe::TableDirectories,
    rules::{
        High, Noro, Orphic, PieceSet, Setup, Stylish, StylishPosition, Tiebraker,
        TiebrakerPosition, Variant,
    },
    solve::{Budget, BuildError, FinishedTable, Goal},
};

/// The sections of a table whose cells stand for outcomes by a palette.
#[derive(Clone, Debug)]
pub struct Sections {
    /// How the positions of each are numbered.
    pub index: Index,
    /// The name and the side to move of each, in the order of the table's cells.
    pub all: Vec<(String, Color)>,
}

impl Sections {
    fn new<T: AsRef<str>>(index: Index, sides: usize, suffixes: &[T]) -> Sections {
        let of = |suffix: &T| {
            let suffix = suffix.as_ref().to_owned();
            let sides = Color::ALL[..sides].iter();
            sides.map(move |&side| (section_name(side, &suffix), side))
        };
        Sections { index, all: suffixes.iter().flat_map(of).collect() }
    }

    /// Whether another section is the same but for the side to move.
    pub(super) fn has_twin(&self, (name, side): &(String, Color)) -> bool {
        let twin = name.replacen(side.name(), (!*side).name(), 1);
        self.all.iter().any(|(name, _)| *name == twin)
    }

    /// Whether positions of either side to move are stored.
    pub(super) fn has_both_sides(&self) -> bool {
        self.all.iter().any(|section| self.has_twin(section))
    }
}

/// A game whose tables can be written in other forms.
pub trait Pack: Tabled {
    /// The sections of a material's table, if each is of outcomes; `None` of games whose tables
    /// are made of something else.
    fn sections(&self, _named: &Material) -> Option<Sections> {
        None
    }

    /// What the cell of a position stands for in such a table, by the answer for the position as
    /// a cell has it.
    ///
    /// # Panics
    /// In games without such sections.
    fn outcome(&self, _position: &Self::Position, _answer: &Self::Answer) -> Outcome {
        unreachable!("{} has no sections of outcomes", self.name())
    }

    /// What a position with that side to move is answered with, if its cell stands for an outcome.
    ///
    /// # Panics
    /// In games whose tables are not told [slice by slice](Pack::finished).
    fn answer_of(&self, _to_move: Color, _outcome: Outcome) -> Self::Answer {
        unreachable!("{} has no slices", self.name())
    }

    /// What tells such a table slice by slice, with the memory that a budget has, where that is
    /// possible; see [`FinishedTable::open`].
    ///
    /// # Errors
    /// If a table is missing or damaged.
    fn finished<'a>(
        &self,
        _goal: &Goal,
        _directories: &'a TableDirectories,
        _budget: Budget,
    ) -> Result<Option<FinishedTable<'a>>, BuildError> {
        Ok(None)
    }
}

impl Pack for Variant {
    fn sections(&self, named: &Material) -> Option<Sections> {
        let sides = table_sides(named, variant::swaps_colors(*self));
        let suffixes: Vec<String> =
            (0..variant::modes(*self)).map(|mode| variant::suffix(*self, mode)).collect();
        Some(Sections::new(variant::index(*self, named), sides, &suffixes))
    }

    fn outcome(&self, setup: &Setup, answer: &WinDrawLoss) -> Outcome {
        answer.outcome(setup.to_move)
    }

    fn answer_of(&self, to_move: Color, outcome: Outcome) -> WinDrawLoss {
        WinDrawLoss::new(outcome, to_move)
    }

    fn finished<'a>(
        &self,
        goal: &Goal,
        directories: &'a TableDirectories,
        budget: Budget,
    ) -> Result<Option<FinishedTable<'a>>, BuildError> {
        FinishedTable::open(*self, goal, directories, budget)
    }
}

impl<S: PieceSet> Pack for Orphic<S> {
    fn sections(&self, named: &Material) -> Option<Sections> {
        let index = Index::new(named, self.symmetries(named));
        Some(Sections::new(index, table_sides(named, true), &[section_suffix::<S>(named)]))
    }

    fn outcome(&self, position: &Self::Position, answer: &WinDrawLoss) -> Outcome {
        answer.outcome(position.setup.to_move)
    }
}

impl Pack for Stylish {
    fn sections(&self, named: &Material) -> Option<Sections> {
        let index = Index::new(named, chess_group(named));
        Some(Sections::new(index, table_sides(named, true), modes(named)))
    }

    fn outcome(&self, position: &StylishPosition, answer: &StylishAnswer) -> Outcome {
        let value = (answer.margin - Stylish::margin_so_far(position)) as i32;
        Outcome { value, distance: answer.distance }
    }
}

impl Pack for Tiebraker {
    fn sections(&self, named: &Material) -> Option<Sections> {
        let of = |stage| stage_sides(named, stage).iter().map(move |&side| (stage, side));
        let all = Stage::all().flat_map(of);
        let all = all.map(|(stage, side)| (stage_name(stage, side), side)).collect();
        Some(Sections { index: Index::new(named, chess_group(named)), all })
    }

    fn outcome(&self, position: &TiebrakerPosition, answer: &TiebrakerAnswer) -> Outcome {
        Outcome::of::<Cell>(answer.score(Stage::of(position)))
    }
}

impl Pack for High {}
impl Pack for Noro {}
