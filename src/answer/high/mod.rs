//! High Chess: who wins at which vitalities, how far the end is, and who can force mate.

mod answer;
mod backup;
mod dictionaries;
mod distance;
mod file;
#[cfg(feature = "build")]
mod packing;
mod staircase;
mod unpacking;
#[cfg(feature = "build")]
mod writing;

use std::{cmp::Ordering, path::PathBuf};

pub use answer::HighAnswer;
use dictionaries::Dictionaries;
pub use distance::{Distance, Distances};
pub use staircase::Staircase;

use super::{
    Contents, LadderReader, Plies, Tabled, Unanswerable, UnfitMaterial, Wdl, WinDrawLoss,
    chess::{check_kings, chess_material},
    place::{cell_side, chess_group, entry_number, indexed_setup, known_entry, setup_cell},
    sections::{only_side, section_name, sized_stretches, stores, table_material},
};
use crate::{
    board::{ByColor, Color, Group},
    index::{Index, Material},
    rules::{High, HighPosition, HighTurn, Laws, Setup},
    table::{Stretches, Table, TableError},
};

/// What a section of mates is called after the side to move, in tables without distances.
pub(crate) const MATE: &str = " mate";

#[cfg(feature = "build")]
pub(crate) use distance::Signed;
#[cfg(feature = "build")]
pub(crate) use file::{
    STAIRCASES, has_distances, map_functions, most_rows, read_mates, read_staircases,
};
#[cfg(feature = "build")]
pub(crate) use writing::write_functions;

impl Tabled for High {
    type Answer = HighAnswer;
    type Reader = HighReader;

    const CONTENTS: &'static [Contents] = &[Contents::Distance, Contents::Result];

    fn named(&self, material: &Material) -> Result<Material, UnfitMaterial> {
        check_kings(self, material)?;
        Ok(*material)
    }

    fn open(&self, table: &Table) -> Result<HighReader, TableError> {
        let material = table_material(table)?;
        let index = Index::new(&material, chess_group(&material));
        let only = only_side(table)?;
        let mut numbers = ByColor::new(|_| None);
        for side in Color::ALL.into_iter().filter(|&side| stores(only, side)) {
            numbers[side] = Some(sized_stretches(table, &section_name(side, ""), index.len())?);
        }
        // The same number of either side.
        let stretches = numbers[only.unwrap_or(Color::White)].iter().flat_map(Stretches::iter);
        let meaning = if file::has_distances(table) {
            Meaning::Functions(Dictionaries::open(
                table,
                stretches.map(|(_, cells)| cells.entries()),
            )?)
        } else {
            let stretches = stretches.enumerate();
            let staircases = stretches.map(|(stretch, (_, cells))| {
                file::read_staircases(table, stretch, cells.entries())
            });
            let staircases = staircases.collect::<Result<_, _>>()?;
            let mates = LadderReader::open(table, index.clone(), &material, false, MATE)?;
            Meaning::Staircases { staircases, mates: Box::new(mates) }
        };
        Ok(HighReader { path: table.path().to_owned(), index, numbers, meaning })
    }

    fn without_distance(&self, answer: HighAnswer) -> HighAnswer {
        HighAnswer { distances: None, ..answer }
    }

    fn men_of(&self, position: &HighPosition) -> Result<Material, Unanswerable> {
        chess_material(&position.setup)
    }

    fn read(
        &self,
        reader: &HighReader,
        position: &HighPosition,
    ) -> Result<Option<HighAnswer>, TableError> {
        let HighPosition { setup: Setup { board, to_move, .. }, .. } = position;
        let entry = known_entry(reader.index.men(), board, *to_move, false);
        let number = entry_number(&reader.index, &entry);
        let Some(numbers) = &reader.numbers[*to_move] else { return Ok(None) };
        let (stretch, meant) = numbers.get_of_stretch(number)?;
        let found = match &reader.meaning {
            Meaning::Staircases { staircases, mates } => {
                let staircases = staircases.get(stretch);
                let staircase = staircases.and_then(|s| s.get(meant as usize)).cloned();
                let mate = mates.read_number(*to_move, number)?;
                staircase.zip(mate).map(|(staircase, mate)| (staircase, None, mate))
            }
            Meaning::Functions(dictionaries) => match dictionaries.get(stretch)? {
                Some(functions) => {
                    let distances = Distances::stored(functions, meant);
                    let mate = || functions.mate(meant as usize);
                    distances.map(|found| (found.staircase(), Some(found), mate()))
                }
                None => None,
            },
        };
        let (staircase, distances, mate) = found.ok_or_else(|| TableError::Damaged {
            path: reader.path.clone(),
            place: format!("section `{}`", section_name(*to_move, "")),
            problem: format!("there is nothing with the number {meant}"),
        })?;
        let mate = WinDrawLoss::new(mate, *to_move);
        // Who is mated has lost, whatever a table leaves out.
        let mated = mate.dtm == Some(Plies::ZERO);
        let distances =
            distances.or_else(|| mated.then(|| Distances::mated(*to_move, self.vitality.points())));
        Ok(Some(HighAnswer { staircase, distances, mate }))
    }

    fn keeps_men(&self, position: &HighPosition, turn: HighTurn) -> bool {
        match turn {
            HighTurn::Pass => true,
            HighTurn::Move(mv) => position.setup.keeps_men(mv),
        }
    }

    fn is_looked_ahead(&self, position: &HighPosition) -> bool {
        position.setup.en_passant.is_some()
    }

    fn backup(&self, position: &HighPosition, options: &[(HighTurn, HighAnswer)]) -> HighAnswer {
        let mate = WinDrawLoss::best(options.iter().map(|(_, after)| after.mate));
        let mate = mate.unwrap_or(WinDrawLoss { wdl: Wdl::Loss, dtm: Some(Plies::ZERO) });
        match backup::distances(self, position, options) {
            Some(distances) => {
                HighAnswer { staircase: distances.staircase(), distances: Some(distances), mate }
            }
            None => {
                let staircase = backup::staircase(self, position, options);
                HighAnswer { staircase, distances: None, mate }
            }
        }
    }

    fn prefer(&self, position: &HighPosition, a: &HighAnswer, b: &HighAnswer) -> Ordering {
        let HighPosition { setup: Setup { to_move: mover, .. }, vitality } = *position;
        // A winner hurries, a loser delays.
        if let (Some(a), Some(b)) = (&a.distances, &b.distances) {
            return a.at(vitality).worth(mover).cmp(&b.at(vitality).worth(mover));
        }
        let wins = |answer: &HighAnswer| answer.staircase.winner(vitality) == mover;
        // Without distances, a winner keeps as much vitality to spare as it can, and of equal turns
        // mates soonest; a loser makes the winner need as much as it can.
        let margin = |answer: &HighAnswer| {
            let least = answer.staircase.least(vitality);
            if wins(answer) { -i16::from(least) } else { i16::from(least) }
        };
        (wins(a).cmp(&wins(b)))
            .then_with(|| margin(a).cmp(&margin(b)))
            .then_with(|| a.mate.prefer(&b.mate))
    }

    fn cells(&self, reader: &HighReader) -> u64 {
        2 * reader.index.len()
    }

    fn weight(&self, reader: &HighReader, cell: u64) -> u64 {
        reader.index.weight(cell % reader.index.len())
    }

    fn group(&self, reader: &HighReader) -> Group {
        reader.index.group()
    }

    fn identity(&self, position: &HighPosition) -> HighPosition {
        let setup = Setup { halfmove: 0, fullmove: 1, ..position.setup.clone() };
        HighPosition { setup, vitality: position.vitality }
    }

    fn cell(&self, reader: &HighReader, cell: u64) -> Option<HighPosition> {
        let setup = indexed_setup(&reader.index, cell, &Laws::ORTHODOX)?;
        Some(HighPosition { setup, vitality: ByColor::both(self.vitality.points()) })
    }

    fn cell_side(&self, reader: &HighReader, cell: u64) -> Color {
        cell_side(&reader.index, cell)
    }

    fn cell_of(&self, reader: &HighReader, position: &HighPosition) -> Option<u64> {
        Some(setup_cell(&reader.index, &position.setup))
    }
}

/// An open table of High Chess.
#[derive(Debug)]
pub struct HighReader {
    path: PathBuf,
    index: Index,
    /// By side to move; none of a side that is not stored.
    numbers: ByColor<Option<Stretches>>,
    meaning: Meaning,
}

/// What the number of a position stands for.
#[derive(Debug)]
enum Meaning {
    /// A staircase of its stretch, in a table without distances, which has the mates beside them.
    Staircases { staircases: Vec<Vec<Staircase>>, mates: Box<LadderReader> },
    /// A function of its stretch, which knows the mate, too.
    Functions(Dictionaries),
}
