//! Orthodox chess: win, draw or loss, and the plies to mate.
//!
//! Tables leave out what captures and promotions decide.

use std::{cmp::Ordering, sync::Arc, time::Duration};

use super::{
    BuildError, Solve, TableId, TableSize, Unanswerable, UnfitMaterial, Workbench,
    ladder::{Moves, Score},
    ladder_file::{self, LadderReader, Outcome},
    ladder_table::{self, Conversions, LadderGame, Library, chess_group},
    links,
    sections::table_material,
};
use crate::{
    board::{Board, Color, Role},
    index::{Index, MAX_MEN, Material},
    rules::{Castling, Game, Laws, Move, Orthodox, Setup},
    table::{Table, TableError},
};

/// Win, draw or loss, for the side to move.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Wdl {
    /// The side to move loses.
    Loss,
    /// Nobody wins.
    Draw,
    /// The side to move wins.
    Win,
}

/// What a table of orthodox chess says of a position, for the side to move.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug)]
pub struct WinDrawLoss {
    /// Who wins.
    pub wdl: Wdl,
    /// Plies to mate under best play, the winner hurrying and the loser holding out; 0 for a side
    /// that is mated, none for a draw.
    pub dtm: Option<u16>,
}

impl WinDrawLoss {
    /// From an outcome with the values 1, 0 and −1 in White's view.
    pub fn new(outcome: Outcome, to_move: Color) -> WinDrawLoss {
        let value = if to_move == Color::White { outcome.value } else { -outcome.value };
        let wdl = match value {
            1.. => Wdl::Win,
            0 => Wdl::Draw,
            _ => Wdl::Loss,
        };
        WinDrawLoss { wdl, dtm: outcome.distance }
    }

    /// The best of the results after each turn, seen before it; `None` without turns.
    pub fn best(after: impl IntoIterator<Item = WinDrawLoss>) -> Option<WinDrawLoss> {
        after.into_iter().map(WinDrawLoss::before).max_by(|a, b| a.prefer(b))
    }

    /// The result one ply earlier, for the side that made the turn.
    pub fn before(self) -> WinDrawLoss {
        let wdl = match self.wdl {
            Wdl::Win => Wdl::Loss,
            Wdl::Draw => Wdl::Draw,
            Wdl::Loss => Wdl::Win,
        };
        WinDrawLoss { wdl, dtm: self.dtm.map(|plies| plies.saturating_add(1)) }
    }

    /// Which one the side to move likes better: a win, a quick one; else a draw; else a slow loss.
    pub fn prefer(&self, other: &WinDrawLoss) -> Ordering {
        let distance = match self.wdl {
            Wdl::Win => other.dtm.cmp(&self.dtm),
            _ => self.dtm.cmp(&other.dtm),
        };
        self.wdl.cmp(&other.wdl).then(distance)
    }
}

impl LadderGame for Orthodox {
    type Store = i16;
    type Quiet = Moves;

    fn quiet(&self) -> Moves {
        Moves
    }

    fn laws(&self) -> Laws {
        Laws::ORTHODOX
    }

    fn swaps_colors(&self) -> bool {
        true
    }

    fn infinite(&self, _: &Material) -> i32 {
        0
    }

    fn terminal(&self, _: &Board, to_move: Color, in_check: bool) -> Score {
        match to_move {
            _ if !in_check => Score::new::<i16>(0, None, 0),
            Color::White => Score::new::<i16>(-1, Some(0), 0),
            Color::Black => Score::new::<i16>(1, Some(0), 0),
        }
    }

    fn look_ahead(&self, setup: &Setup, known: &dyn Fn(&Setup) -> Score) -> Score {
        let turns = self.turns(setup);
        let scores = turns.into_iter().map(|turn| known(&self.play(setup, turn)).later::<i16>());
        Score::best(setup.to_move, scores).unwrap_or_else(|| {
            self.terminal(&setup.board, setup.to_move, setup.in_check(setup.to_move))
        })
    }
}

/// What the names of sections have behind the side to move, since captures and promotions are left
/// out.
pub(super) const QUIET: &str = " quiet";

impl Orthodox {
    /// Puts the table of a material, and all it needs, into a library that lacks them.
    ///
    /// # Errors
    /// If one is missing or damaged, or memory is lacking.
    pub(super) fn load(
        &self,
        library: &mut Library<i16>,
        material: &Material,
        bench: &Workbench<'_>,
    ) -> Result<(), BuildError> {
        let id = self.table_id(material)?;
        if library.get(&id.material).is_some() {
            return Ok(());
        }
        for needed in self.needs(&id.material) {
            self.load(library, &needed, bench)?;
        }
        let group = chess_group(&id.material);
        let conversions = Conversions::new(self, &id.material, library);
        let left_out = conversions.left_out();
        let values = ladder_file::load(&id, group, true, QUIET, 0, left_out, bench)?;
        library.add(id.material, Arc::new(values));
        Ok(())
    }
}

/// Checks that each side has exactly one King, nothing is in reserve, and the men fit a table.
pub(super) fn check_kings(game: &'static str, material: &Material) -> Result<(), UnfitMaterial> {
    check_men(game, material, |color| match material.count(color, Role::King) {
        1 => None,
        0 => Some(format!("{color} has no King")),
        n => Some(format!("{color} has {n} Kings")),
    })
}

/// Checks that nothing is in reserve, there are no Elks, and the men fit a table; `problem` tells
/// what else is wrong with a side.
pub(super) fn check_men(
    game: &'static str,
    material: &Material,
    problem: impl Fn(Color) -> Option<String>,
) -> Result<(), UnfitMaterial> {
    let unfit = |reason: String| Err(UnfitMaterial { game, material: *material, reason });
    for color in Color::ALL {
        if let Some(reason) = problem(color) {
            return unfit(reason);
        }
        if material.count(color, Role::Elk) > 0 {
            return unfit("there are no Elks in this game".to_owned());
        }
        if material.reserve_of(color) > 0 {
            return unfit("there are no men in reserve in this game".to_owned());
        }
    }
    if material.len() > MAX_MEN {
        return unfit(format!("tables have at most {MAX_MEN} men"));
    }
    Ok(())
}

/// The material of a position of chess without castling rights.
pub(super) fn chess_material(setup: &Setup) -> Result<Material, Unanswerable> {
    if setup.castling != Castling::NONE {
        return Err(Unanswerable::Castling);
    }
    Ok(Material::of(&setup.board))
}

impl Solve for Orthodox {
    type Answer = WinDrawLoss;
    type Reader = LadderReader;

    fn table_id(&self, material: &Material) -> Result<TableId, UnfitMaterial> {
        check_kings(Orthodox::NAME, material)?;
        Ok(TableId::new(self, material.stronger_first()))
    }

    fn needs(&self, material: &Material) -> Vec<Material> {
        links::successors(material, &self.laws(), true)
    }

    fn size(&self, material: &Material) -> TableSize {
        let numbers = Index::new(material, chess_group(material)).len();
        let positions = numbers * ladder_table::table_sides(material, true) as u64;
        // Two bytes a cell in the order of words and in the order of the index, and ten sets.
        TableSize {
            positions,
            memory: numbers * 2 * (4 + 2),
            loaded: positions * 2,
            time: Duration::from_nanos(numbers * 2 * 180),
        }
    }

    fn solve(&self, material: &Material, bench: &Workbench<'_>) -> Result<(), BuildError> {
        let id = self.table_id(material).expect("planned tables are fit");
        let mut library = Library::new(true);
        self.needs(material).iter().try_for_each(|m| self.load(&mut library, m, bench))?;
        let values = ladder_table::solve(self, material, &mut library, bench)?;
        let mut writer = bench.writer(&id)?;
        bench.progress.begin(&format!("writing {material}"), self.size(material).positions);
        let conversions = Conversions::new(self, material, &library);
        ladder_file::write_sections(&mut writer, QUIET, &values, conversions.left_out(), bench)?;
        writer.finish()?;
        Ok(())
    }

    fn open(&self, table: &Table) -> Result<LadderReader, TableError> {
        LadderReader::open(table, &table_material(table)?, true, QUIET)
    }

    fn material_of(&self, setup: &Setup) -> Result<Material, Unanswerable> {
        Ok(self.table_id(&chess_material(setup)?)?.material)
    }

    fn read(&self, reader: &LadderReader, setup: &Setup) -> Result<WinDrawLoss, TableError> {
        let outcome = reader.read(&setup.board, setup.to_move)?;
        Ok(WinDrawLoss::new(outcome, setup.to_move))
    }

    fn left_out(&self, setup: &Setup) -> Vec<Move> {
        setup.conversions(&Laws::ORTHODOX)
    }

    fn is_looked_ahead(&self, setup: &Setup) -> bool {
        setup.en_passant.is_some()
    }

    fn backup(&self, setup: &Setup, options: &[(Move, WinDrawLoss)]) -> WinDrawLoss {
        WinDrawLoss::best(options.iter().map(|&(_, after)| after)).unwrap_or_else(|| {
            if setup.in_check(setup.to_move) {
                WinDrawLoss { wdl: Wdl::Loss, dtm: Some(0) }
            } else {
                WinDrawLoss { wdl: Wdl::Draw, dtm: None }
            }
        })
    }

    fn prefer(&self, _: &Setup, a: &WinDrawLoss, b: &WinDrawLoss) -> Ordering {
        a.prefer(b)
    }

    fn cells(&self, reader: &LadderReader) -> u64 {
        reader.cells()
    }

    fn weight(&self, reader: &LadderReader, cell: u64) -> u64 {
        reader.weight(cell)
    }

    fn identity(&self, setup: &Setup) -> Setup {
        Setup { halfmove: 0, fullmove: 1, ..setup.clone() }
    }

    fn cell(&self, reader: &LadderReader, cell: u64) -> Option<Setup> {
        reader.cell(cell, &self.laws())
    }
}
