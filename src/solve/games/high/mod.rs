//! High Chess: how far the end is at every pair of vitalities, and who can force mate.
//!
//! A table has two parts. The *distances* tell for each pair of vitalities (vW, vB) who wins and
//! after how many plies. They are solved layer by layer, a layer being such a pair: turns that
//! cost a point lead to a layer that is done, and those that cost nothing never lead in circles.
//! Where they are left out, *staircases* tell who wins: for each vW, T(vW) is the largest vitality
//! of Black against which White still wins. Within a vW the moves that cost White nothing make a
//! short fixpoint. Captures and pawn moves are vital, so another slice is met only through a few
//! numbers a position. The *mates* are a ladder table of the same moves without vitalities.

mod ahead;
mod distance;
mod distance_landings;
mod functions;
mod keys;
mod landings;
mod layers;
mod mates;
mod numbered;
mod row_store;
mod stairs;

use crate::{
    answer::Contents,
    index::Material,
    rules::{High, Laws},
    solve::{
        engine::{
            builder::{SolveParts, Workbench, layout},
            pages::successors,
        },
        game::{Solve, TableSize},
        goal::Goal,
        parts::Layout,
    },
};
use functions::DistanceSolver;
use mates::Mates;
use stairs::StaircaseSolver;

impl Solve for High {
    fn needs(&self, material: &Material) -> Vec<Material> {
        successors(material, &Laws::ORTHODOX, false)
    }

    fn size(&self, goal: &Goal) -> TableSize {
        let material = &goal.material;
        if goal.contents == Contents::Result {
            return stairs::size(self, material);
        }
        functions::size(self, material)
    }

    fn layout(&self, goal: &Goal, part_size: u64) -> Layout {
        layout(&Mates(*self), &goal.material, part_size)
    }

    fn solver<'a>(&'a self, goal: &Goal, bench: &'a Workbench<'a>) -> Box<dyn SolveParts + 'a> {
        match goal.contents {
            Contents::Result => Box::new(StaircaseSolver::new(self, goal, bench)),
            _ => Box::new(DistanceSolver::new(self, goal, bench)),
        }
    }
}
