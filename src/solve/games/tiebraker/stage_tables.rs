//! The tables around a slice, as its exits are met.

use std::sync::Arc;

use super::{
    around::Around,
    exits::{Exit, Exits, Target},
};
use crate::{
    answer::{
        TiebrakerAnswer,
        place::board_entry,
        score::Score,
        tiebraker::{
            answer_from, backup, position_of,
            stage::{Cell, Stage, crowned},
        },
    },
    board::{Man, Role},
    index::Material,
    rules::{Game, Tiebraker, TiebrakerPosition},
    solve::engine::pages::{ResidentPages, TablePages, read},
};

/// The pages around some slices that are there at the moment.
pub struct StageTables<'a> {
    around: &'a Around,
    pages: &'a ResidentPages<Cell>,
    /// For each table around, its cells by the number of the stage.
    stages: Vec<&'a [Arc<TablePages<Cell>>]>,
    /// Whether pages tell distances.
    distances: bool,
}

impl<'a> StageTables<'a> {
    /// These pages, with distances or without.
    pub fn new(
        around: &'a Around,
        pages: &'a ResidentPages<Cell>,
        distances: bool,
    ) -> StageTables<'a> {
        let stages = around.materials.iter();
        let stages = stages.map(|m| pages.get(m).expect("a table of every successor")).collect();
        StageTables { around, pages, stages, distances }
    }

    /// The score of what an exit of a word leads to, in `stage`; `None` if it is met another time.
    #[inline]
    pub fn after(&self, stage: Stage, exits: &Exits, word: usize, exit: Exit) -> Option<Score> {
        match exit.target() {
            Target::Cell { .. } if !self.pages.plain => None,
            Target::Cell { table, side, swapped, number } => {
                let shown = if swapped { stage.swap_colors() } else { stage };
                let values = &self.stages[table][shown.number()];
                let material = &self.around.materials[table];
                let place = (side, number);
                let score = self.pages.score((material, shown.number()), values, place)?;
                Some(if swapped { score.swap_colors() } else { score })
            }
            Target::Passing(which) => self.pages.passing.then(|| {
                let mut setup = exits.passing(word, which).clone();
                let owner = stage.disk.and_then(|owner| Some((owner, setup.board.king(owner)?)));
                if let Some((owner, king)) = owner {
                    setup.board.put(king, Man::new(owner, Role::Disk));
                }
                self.known(&TiebrakerPosition { setup, mode: stage.mode }).score(stage)
            }),
        }
    }

    /// Whether an exit to a position of `stage` with this score, which somebody gets by mate,
    /// mates.
    pub fn ends(&self, stage: Stage, exit: Exit, score: Score) -> bool {
        match exit.target() {
            // Pages do not tell; few exits give check.
            Target::Cell { table, side, swapped, number } if !self.distances => {
                let shown = if swapped { stage.swap_colors() } else { stage };
                let after = || position_of(&self.around.indexes[table], shown, side, number);
                exit.checks() && after().is_some_and(|after| Tiebraker.ending(&after).is_some())
            }
            _ => score.distance::<Cell>() == Some(0),
        }
    }

    /// What the tables say of a position, looked ahead where a pawn can be taken in passing.
    fn known(&self, position: &TiebrakerPosition) -> TiebrakerAnswer {
        let turns = Tiebraker.turns(position);
        if !turns.is_empty() && position.setup.en_passant.is_none() {
            let setup = &position.setup;
            let board = crowned(&setup.board);
            let entry = board_entry(&board, setup.to_move, true);
            let material = Material::of(&board).stronger_first();
            let stages = self.pages.get(&material).expect("a table of every successor");
            return answer_from(Stage::of(position), |stage| {
                let shown = if entry.swapped { stage.swap_colors() } else { stage };
                read(&stages[shown.number()], &entry)
            });
        }
        let options: Vec<_> = turns
            .into_iter()
            .map(|turn| (turn, self.known(&Tiebraker.play(position, turn))))
            .collect();
        backup(position, &options)
    }
}
