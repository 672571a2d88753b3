//! The tables around a slice, as the exits out of it are met.

use std::sync::Arc;

use super::exits::{Exit, Exits, Target};
use crate::{
    answer::{
        TiebrakerAnswer,
        place::board_entry,
        score::Score,
        tiebraker::{
            answer_from, backup,
            stage::{Cell, Stage, crowned},
        },
    },
    board::{Man, Role},
    index::{Index, Material},
    rules::{Game, Laws, Tiebraker, TiebrakerPosition},
    solve::{
        BuildError,
        engine::{
            library::{Library, read},
            links::Links,
            stock::Stock,
            values::Values,
        },
    },
};

/// The tables one turn away from a material, and its own.
pub struct Around {
    /// Their materials.
    materials: Vec<Material>,
    /// How their positions are numbered.
    pub indexes: Vec<Arc<Index>>,
    /// From conversions to places among them.
    pub links: Links<usize>,
}

impl Around {
    /// Those around a material.
    ///
    /// # Errors
    /// If one is missing or damaged.
    pub fn new(
        material: &Material,
        mut materials: Vec<Material>,
        stock: &Stock<'_, Tiebraker>,
    ) -> Result<Around, BuildError> {
        materials.push(*material);
        let indexes = materials.iter().map(|m| stock.index(m)).collect::<Result<_, _>>()?;
        let links = Links::new(&material.men(), &Laws::ORTHODOX, true, |found| {
            materials.iter().position(|m| m == found)
        });
        Ok(Around { materials, indexes, links })
    }
}

/// The pages around some slices that are there at the moment.
pub struct Tables<'a> {
    around: &'a Around,
    library: &'a Library<Cell>,
    /// For each table around, its cells by the number of the stage.
    stages: Vec<&'a [Arc<Values<Cell>>]>,
}

impl<'a> Tables<'a> {
    /// The pages of a library.
    pub fn new(around: &'a Around, library: &'a Library<Cell>) -> Tables<'a> {
        let stages = around.materials.iter();
        let stages = stages.map(|m| library.get(m).expect("a table of every successor")).collect();
        Tables { around, library, stages }
    }

    /// The score of what an exit of a word leads to, in `stage`; `None` if it is met another time.
    #[inline]
    pub fn after(&self, stage: Stage, exits: &Exits, word: usize, exit: Exit) -> Option<Score> {
        match exit.target() {
            Target::Cell { .. } if !self.library.plain => None,
            Target::Cell { table, side, swapped, number } => {
                let shown = if swapped { stage.swap_colors() } else { stage };
                let values = &self.stages[table][shown.number()];
                let material = &self.around.materials[table];
                let place = (side, number);
                let score = self.library.score((material, shown.number()), values, place)?;
                Some(if swapped { score.swap_colors() } else { score })
            }
            Target::Passing(which) => self.library.passing.then(|| {
                let mut setup = exits.passing(word, which).clone();
                let owner = stage.disk.and_then(|owner| Some((owner, setup.board.king(owner)?)));
                if let Some((owner, king)) = owner {
                    setup.board.put(king, Man::new(owner, Role::Disk));
                }
                self.known(&TiebrakerPosition { setup, mode: stage.mode }).score(stage)
            }),
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
            let stages = self.library.get(&material).expect("a table of every successor");
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
