//! Tables for who goes through all their cells.

use super::{OpenTable, ProbeError, Tablebase};
use crate::{
    answer::{Contents, Tabled},
    index::Material,
    progress::{Progress, is_stopped},
    table::{BlockCache, Table},
};

impl<G: Tabled> Tablebase<G> {
    /// What best play makes of the position of a cell of an open table.
    ///
    /// # Errors
    /// As [`answer`](Tablebase::answer).
    pub(crate) fn answer_of_cell(
        &self,
        table: &OpenTable<G>,
        cell: u64,
        position: &G::Position,
    ) -> Result<G::Answer, ProbeError> {
        if let Some(answer) = self.game.without_table(position) {
            return Ok(answer);
        }
        self.patiently(|| match self.game.read_cell(&table.reader, cell, position)? {
            Some(stored) => self.with_left_out(table.id.contents, position, stored, None),
            None => self.not_stored(table, position),
        })
    }

    /// The same as a table would tell it that holds so much, and whether the turns which such a
    /// table leaves out reach that.
    ///
    /// # Errors
    /// As [`answer`](Tablebase::answer).
    pub(crate) fn known_cell(
        &self,
        table: &OpenTable<G>,
        cell: u64,
        position: &G::Position,
        contents: Contents,
    ) -> Result<(G::Answer, bool), ProbeError> {
        let own = match self.game.without_table(position) {
            Some(answer) => answer,
            None => match self.game.read_cell(&table.reader, cell, position)? {
                Some(stored) => stored,
                None => self.not_stored(table, position)?,
            },
        };
        let own = match contents {
            Contents::Result => self.game.without_distance(own),
            Contents::Distance | Contents::Points => own,
        };
        Ok(match self.left_out(contents, position, Some(table))? {
            Some(reached) if self.game.prefer(position, &reached, &own).is_ge() => (reached, true),
            _ => (own, false),
        })
    }

    /// The cell of a position in an open table; `None` if it has none there: it is of other men, a
    /// pawn can be taken in passing, or the game is over.
    pub(crate) fn cell_of(&self, table: &OpenTable<G>, position: &G::Position) -> Option<u64> {
        let game = &self.game;
        if !self.serves(table, position) || game.is_looked_ahead(position) {
            return None;
        }
        let cell = game.cell_of(&table.reader, position)?;
        // Where the rules answer, cells may stand for no position.
        let is_there =
            game.without_table(position).is_none() || game.cell(&table.reader, cell).is_some();
        is_there.then_some(cell)
    }

    /// The table of a material for who looks at all of it: [held](Table::held) if it is small.
    pub(crate) fn open_held(&self, material: &Material) -> Result<OpenTable<G>, ProbeError> {
        self.patiently(|| self.opened(material, |table| table.held(BlockCache::DEFAULT_CAPACITY)))
    }

    /// The same for who does so in another order than the table's, and would have each block
    /// unpacked over and over: held whatever it takes. With its file.
    pub(crate) fn open_whole(
        &self,
        material: &Material,
    ) -> Result<(OpenTable<G>, Table), ProbeError> {
        self.patiently(|| {
            let (id, table) =
                self.directories.open_preferring(&self.game, material, self.contents)?;
            let reader = self.game.open(&table.clone().held(u64::MAX))?;
            Ok((OpenTable::new(id, &table, reader), table))
        })
    }
}

/// Looks whether work that is watched so goes on.
///
/// # Errors
/// [`ProbeError::Stopped`] if it is to stop.
pub(crate) fn go_on(progress: &dyn Progress) -> Result<(), ProbeError> {
    if is_stopped(progress) { Err(ProbeError::Stopped) } else { Ok(()) }
}
