//! Orthodox chess: win, draw or loss, and the plies to mate.
//!
//! Tables leave out what captures and promotions decide.

use std::cmp::Ordering;

use super::{
    LadderReader, Tabled, Unanswerable, UnfitMaterial, Wdl, WinDrawLoss,
    chess::{check_kings, chess_material},
    sections::table_material,
};
use crate::{
    index::Material,
    rules::{Game, Laws, Move, Orthodox, Setup},
    table::{Table, TableError},
};

/// What the names of sections have behind the side to move, since captures and promotions are left
/// out.
pub(crate) const QUIET: &str = " quiet";

impl Tabled for Orthodox {
    type Answer = WinDrawLoss;
    type Reader = LadderReader;

    fn named(&self, material: &Material) -> Result<Material, UnfitMaterial> {
        check_kings(Orthodox::NAME, material)?;
        Ok(material.stronger_first())
    }

    fn open(&self, table: &Table) -> Result<LadderReader, TableError> {
        LadderReader::open(table, &table_material(table)?, true, QUIET)
    }

    fn material_of(&self, setup: &Setup) -> Result<Material, Unanswerable> {
        Ok(self.named(&chess_material(setup)?)?)
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
        reader.cell(cell, &Laws::ORTHODOX)
    }
}
