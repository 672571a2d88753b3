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
mod functions;
mod keys;
mod landings;
mod layers;
mod mates;
mod numbered;
mod stairs;

use std::time::Duration;

use crate::{
    answer::{Contents, place::chess_group},
    index::{Index, Material},
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
use functions::{DistanceSolver, both_fight};
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
        let numbers = Index::count(material, chess_group(material));
        let v = u64::from(self.vitality.points());
        // While a slice is solved, a byte for each vitality of Black and a quarter
        // for what changed; four bytes for each of functions, rows and landings, in the order of
        // words or in that of the index too; the mates of two bytes; and three for quiet moves;
        // for each side to move.
        let mut rows = v + v / 4;
        let (mut work, mut file) = (5 * v * v / 4, 2);
        if both_fight(material) {
            // Longer distances take two bytes, and there are many functions. How many is hard to
            // tell: KQvKQ takes 42 s, KNvKR 39 s, KBvKQ 6 s, most others like them 12 to 30 s.
            (rows, work, file) = (2 * rows + 4 * v, work * 6 / 5, 4);
        }
        TableSize {
            positions: 2 * numbers,
            memory: 2 * numbers * (rows + 5 * 4 + 2 + 3),
            least: None,
            // Four bytes for where turns land, and two for mates.
            loaded: 2 * numbers * (4 + 2),
            file: 2 * numbers * file,
            time: Duration::from_nanos(2 * numbers * (400 + work)),
        }
    }

    fn layout(&self, goal: &Goal, part_size: u64) -> Layout {
        let in_parts = goal.contents == Contents::Result;
        layout(&Mates { game: *self, in_parts }, &goal.material, part_size)
    }

    fn solver<'a>(&'a self, goal: &Goal, bench: &'a Workbench<'a>) -> Box<dyn SolveParts + 'a> {
        match goal.contents {
            Contents::Result => Box::new(StaircaseSolver::new(self, goal, bench)),
            _ => Box::new(DistanceSolver { game: self, goal: *goal, bench }),
        }
    }
}
