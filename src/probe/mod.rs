//! Answers from tables.
//!
//! A [`Tablebase`] opens the tables of one game in a folder as they are asked for, and answers any
//! position they cover, from any number of threads.

mod catalogue;
#[cfg(feature = "build")]
mod cells;
mod derived;
mod directories;
mod open_tables;
mod remote_folder;

use std::{cmp::Ordering, fmt, io, path::PathBuf, sync::Arc};

pub use catalogue::Catalogue;
#[cfg(feature = "build")]
pub(crate) use cells::go_on;
#[cfg(feature = "build")]
pub(crate) use directories::with_details;
pub use directories::{OpenTableError, TableDirectories, TableFile, options_in_words};
pub(crate) use open_tables::OpenTable;
use open_tables::OpenTables;
#[cfg(feature = "cli")]
pub(crate) use remote_folder::slashed;
pub use remote_folder::{Fetch, IndexError, ListedTable, RemoteFolder, address};

use crate::{
    answer::{Contents, TableId, Tabled, Unanswerable},
    index::Material,
    table::{BlockCache, Table, TableError},
};

/// Why a position could not be answered.
#[derive(Debug, thiserror::Error)]
pub enum ProbeError {
    /// No table covers such positions.
    #[error(transparent)]
    Unanswerable(#[from] Unanswerable),
    /// Its table is not at hand.
    #[error(transparent)]
    Open(#[from] OpenTableError),
    /// Its table is damaged.
    #[error(transparent)]
    Table(#[from] TableError),
    /// Bytes of a table that is somewhere else cannot be had.
    #[error("cannot fetch tables")]
    Fetch(#[source] io::Error),
    /// The work was stopped, which only work can be that somebody watches: none of the probing.
    #[error("stopped")]
    Stopped,
}

impl ProbeError {
    /// The table that is missing, if that is the reason.
    pub fn missing(&self) -> Option<&TableId> {
        match self {
            ProbeError::Open(OpenTableError::Missing { id, .. }) => Some(id),
            _ => None,
        }
    }

    /// Whether bytes of a table that is [somewhere else](RemoteFolder) are wanted first. Once they
    /// are here, the same question goes on.
    pub fn is_awaited(&self) -> bool {
        match self {
            ProbeError::Open(OpenTableError::Table(error)) | ProbeError::Table(error) => {
                error.is_awaited()
            }
            _ => false,
        }
    }
}

/// A turn with what it leads to.
#[derive(Clone, PartialEq, Debug)]
pub struct Ranked<G: Tabled> {
    /// The turn.
    pub turn: G::Turn,
    /// The position after it.
    pub after: G::Position,
    /// What the tables say of that position.
    pub answer: G::Answer,
    /// What the turn makes of the position before it.
    pub worth: G::Answer,
}

/// An open table, if there is one at hand that most positions need, which need not be among those
/// that the tablebase has open: one that is held in memory, say.
pub(crate) type AtHand<'a, G> = Option<&'a OpenTable<G>>;

/// The tables of one game in a folder.
pub struct Tablebase<G: Tabled> {
    game: G,
    directories: TableDirectories,
    /// How much the tables asked hold, where there are such; none for the most.
    contents: Option<Contents>,
    /// How many bytes of memory whoever goes through a whole table may take.
    #[cfg(feature = "build")]
    memory: u64,
    open: OpenTables<G>,
}

impl<G: Tabled> fmt::Debug for Tablebase<G> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut tables = f.debug_struct("Tablebase");
        tables
            .field("game", &self.game)
            .field("directories", &self.directories)
            .finish_non_exhaustive()
    }
}

impl<G: Tabled> Tablebase<G> {
    /// The tables of `game` in `folder`, with up to 64 MiB of unpacked blocks in memory.
    ///
    /// The folder is looked into only when a position is asked for.
    pub fn new(game: G, folder: impl Into<PathBuf>) -> Tablebase<G> {
        Tablebase::on(game, TableDirectories::new(folder, BlockCache::default()))
    }

    /// The tables of `game` in several folders, or with a cache of your own, which may
    /// serve other tablebases too. Where there are several tables of a material, the one that holds
    /// most is asked.
    pub fn on(game: G, directories: TableDirectories) -> Tablebase<G> {
        Tablebase {
            game,
            directories,
            contents: None,
            #[cfg(feature = "build")]
            memory: 256 << 20,
            open: OpenTables::default(),
        }
    }

    /// The same, but asking tables that hold so much where there are several of a material.
    #[must_use]
    pub fn preferring(self, contents: Contents) -> Tablebase<G> {
        Tablebase { contents: Some(contents), open: OpenTables::default(), ..self }
    }

    /// The same, with so many bytes of memory for what goes through a whole table: statistics and
    /// searches. What they keep beyond that goes to temporary files. Without this it is 256 MiB;
    /// tables of five men with pawns on both sides are read several times as fast with 2 GiB.
    #[cfg(feature = "build")]
    #[must_use]
    pub fn with_memory(self, bytes: u64) -> Tablebase<G> {
        Tablebase { memory: bytes, ..self }
    }

    /// How many bytes of memory going through a whole table may take.
    #[cfg(feature = "build")]
    pub(crate) fn memory(&self) -> u64 {
        self.memory
    }

    /// The game.
    pub fn game(&self) -> &G {
        &self.game
    }

    /// The folder of tables.
    pub fn directories(&self) -> &TableDirectories {
        &self.directories
    }

    /// The tables there are, by the names of their files.
    ///
    /// # Errors
    /// If a folder cannot be read.
    pub fn tables(&self) -> io::Result<Vec<TableId>> {
        self.directories.tables(&self.game)
    }

    /// The materials that have a table file, by its name.
    ///
    /// # Errors
    /// If a folder cannot be read.
    pub fn materials(&self) -> io::Result<Vec<Material>> {
        self.directories.materials(&self.game)
    }

    /// The largest number of men, those in reserve counted, that a table file here has; 0 without
    /// tables.
    ///
    /// # Errors
    /// If a folder cannot be read.
    pub fn max_men(&self) -> io::Result<usize> {
        Ok(self.materials()?.iter().map(Material::all_men).max().unwrap_or(0))
    }

    /// What best play makes of a position.
    ///
    /// # Errors
    /// If no table covers the position, or its table is missing, of other options, or damaged. The
    /// same goes for the tables that its turns lead to, as far as its own leaves them out, and for
    /// all of them if the position is looked ahead.
    pub fn answer(&self, position: &G::Position) -> Result<G::Answer, ProbeError> {
        self.patiently(|| self.answer_near(position, None))
    }

    /// Asks, and asks again while bytes are lacking that somebody brings.
    #[inline]
    fn patiently<T>(&self, ask: impl Fn() -> Result<T, ProbeError>) -> Result<T, ProbeError> {
        loop {
            match ask() {
                Err(error) if error.is_awaited() => {
                    if !self.directories.bring().map_err(ProbeError::Fetch)? {
                        return Err(error);
                    }
                }
                answer => return answer,
            }
        }
    }

    /// The same, unless it lacks bytes: then the positions after all these turns want theirs, too,
    /// so that one round brings them.
    fn or_want_all<T>(
        &self,
        found: Result<T, ProbeError>,
        position: &G::Position,
        turns: impl FnOnce(&G, &G::Position) -> Vec<G::Turn>,
    ) -> Result<T, ProbeError> {
        found.inspect_err(|error| {
            if error.is_awaited() {
                for turn in turns(&self.game, position) {
                    let _ = self.answer_near(&self.game.play(position, turn), None);
                }
            }
        })
    }

    /// The same with a table at hand that is likely to be the one.
    pub(crate) fn answer_near(
        &self,
        position: &G::Position,
        at_hand: AtHand<'_, G>,
    ) -> Result<G::Answer, ProbeError> {
        self.answer_from(position, None, at_hand)
    }

    /// The same where the table of the position may be known already.
    fn answer_from(
        &self,
        position: &G::Position,
        known: AtHand<'_, G>,
        at_hand: AtHand<'_, G>,
    ) -> Result<G::Answer, ProbeError> {
        if let Some(answer) = self.game.without_table(position) {
            return Ok(answer);
        }
        if self.game.is_looked_ahead(position) {
            return self.look_ahead_near(position, at_hand);
        }
        let table = match known {
            Some(table) => table,
            None => {
                let men = self.game.men_of(position)?;
                match at_hand {
                    Some(table) if table.id.material == men => table,
                    _ => self.open(&men)?,
                }
            }
        };
        match self.game.read(&table.reader, position)? {
            Some(stored) => self.with_left_out(table.id.contents, position, stored, at_hand),
            None => self.not_stored(table, position),
        }
    }

    /// The same for a position of which its table stores only those with the other side to move,
    /// which come after each turn.
    fn not_stored(
        &self,
        table: &OpenTable<G>,
        position: &G::Position,
    ) -> Result<G::Answer, ProbeError> {
        let derive = || {
            let answer = self.look_ahead_near(position, Some(table))?;
            Ok(match table.id.contents {
                // Other tables may tell more of some turns.
                Contents::Result => self.game.without_distance(answer),
                Contents::Distance | Contents::Points => answer,
            })
        };
        if let Some(derived) = &table.derived
            && let Some(cell) = self.game.cell_of(&table.reader, position)
        {
            return derived.get_or_derive((cell, self.game.to_move(position)), derive);
        }
        derive()
    }

    /// The better of what a table says of a position and what it leaves out.
    fn with_left_out(
        &self,
        contents: Contents,
        position: &G::Position,
        stored: G::Answer,
        at_hand: AtHand<'_, G>,
    ) -> Result<G::Answer, ProbeError> {
        if self.game.is_best(contents, &stored) {
            return Ok(stored);
        }
        Ok(match self.left_out(contents, position, at_hand)? {
            Some(reached) if self.game.prefer(position, &reached, &stored).is_gt() => reached,
            _ => stored,
        })
    }

    /// The best that the turns lead to which a table leaves out, if there are any.
    fn left_out(
        &self,
        contents: Contents,
        position: &G::Position,
        at_hand: AtHand<'_, G>,
    ) -> Result<Option<G::Answer>, ProbeError> {
        let turns = self.game.left_out(position);
        if turns.is_empty() {
            return Ok(None);
        }
        let reached = self.after(position, turns, at_hand);
        let reached = self.or_want_all(reached, position, G::left_out)?;
        Ok(Some(match contents {
            // What is left out may be nearer or farther than what the table does not tell.
            Contents::Result => self.game.without_distance(reached),
            Contents::Distance | Contents::Points => reached,
        }))
    }

    /// What best play makes of a position, from the positions after each turn.
    ///
    /// # Errors
    /// As [`answer`](Tablebase::answer), for any of those positions.
    pub fn look_ahead(&self, position: &G::Position) -> Result<G::Answer, ProbeError> {
        // Most turns change no material.
        self.patiently(|| {
            let own = self.game.men_of(position).ok().and_then(|men| self.open(&men).ok());
            self.look_ahead_near(position, own)
        })
    }

    /// The same with a table at hand that is likely to be the one of the positions after turns.
    pub(crate) fn look_ahead_near(
        &self,
        position: &G::Position,
        at_hand: AtHand<'_, G>,
    ) -> Result<G::Answer, ProbeError> {
        let found = self.after(position, self.game.turns(position), at_hand);
        self.or_want_all(found, position, G::turns)
    }

    /// What the positions after some turns make of the one before.
    fn after(
        &self,
        position: &G::Position,
        turns: Vec<G::Turn>,
        at_hand: AtHand<'_, G>,
    ) -> Result<G::Answer, ProbeError> {
        let own = at_hand.filter(|table| self.serves(table, position));
        self.game.look_ahead(position, turns, own.map(|table| &*table.reader), |turn| {
            let known = own.filter(|_| self.game.keeps_men(position, turn));
            self.answer_from(&self.game.play(position, turn), known, at_hand)
        })
    }

    /// Every turn with what it leads to, best first; like turns keep the order of the rules.
    ///
    /// # Errors
    /// As [`answer`](Tablebase::answer), for any of the positions after a turn.
    pub fn ranked(&self, position: &G::Position) -> Result<Vec<Ranked<G>>, ProbeError> {
        let mut ranked = Vec::new();
        for turn in self.game.turns(position) {
            let after = self.game.play(position, turn);
            let answer = self.patiently(|| {
                self.or_want_all(self.answer_near(&after, None), position, G::turns)
            })?;
            let worth = self.game.backup(position, &[(turn, answer.clone())]);
            ranked.push(Some(Ranked { turn, after, answer, worth }));
        }
        if let Some(level) = self.level(ranked.iter().flatten().map(|ranked| &ranked.worth)) {
            ranked.iter_mut().flatten().zip(level).for_each(|(ranked, worth)| ranked.worth = worth);
        }
        let worth = |at: usize| &ranked[at].as_ref().expect("none is taken yet").worth;
        let order = order_by(ranked.len(), &|a, b| self.game.prefer(position, worth(b), worth(a)));
        Ok(order.into_iter().filter_map(|at| ranked[at].take()).collect())
    }

    /// Answers for the same position without what only some of them tell and by which they would be
    /// compared; none if they can be compared as they are.
    fn level<'a>(
        &self,
        answers: impl Iterator<Item = &'a G::Answer> + Clone,
    ) -> Option<Vec<G::Answer>>
    where
        G: 'a,
    {
        let is_detailed = |answer: &G::Answer| self.game.is_detailed(answer);
        let [some, all] = [answers.clone().any(is_detailed), answers.clone().all(is_detailed)];
        let without = |answer: &G::Answer| self.game.without_distance(answer.clone());
        (some && !all).then(|| answers.map(without).collect())
    }

    /// The open table of a material, as [`Tabled::named`] names it.
    ///
    /// # Errors
    /// If it is missing, of other options, or damaged.
    pub fn reader(&self, material: &Material) -> Result<Arc<G::Reader>, ProbeError> {
        self.patiently(|| Ok(self.open(material)?.reader.clone()))
    }

    /// How much the open table of a material holds.
    ///
    /// # Errors
    /// As [`reader`](Tablebase::reader).
    pub fn contents(&self, material: &Material) -> Result<Contents, ProbeError> {
        self.patiently(|| Ok(self.open(material)?.id.contents))
    }

    /// What tells the table of a material from others of its name; see [`Table::checksum`].
    ///
    /// # Errors
    /// As [`reader`](Tablebase::reader).
    pub fn checksum(&self, material: &Material) -> Result<u32, ProbeError> {
        self.patiently(|| Ok(self.open(material)?.checksum))
    }

    /// Whether a table is the one of a position.
    fn serves(&self, table: &OpenTable<G>, position: &G::Position) -> bool {
        let own = table.id.material;
        self.game
            .men_of(position)
            .is_ok_and(|men| men == own || self.game.named(&men).is_ok_and(|named| named == own))
    }

    /// Opens the table of some men, unless it is open already.
    pub(crate) fn open(&self, men: &Material) -> Result<&OpenTable<G>, ProbeError> {
        if let Some(open) = self.open.get(men) {
            return Ok(open);
        }
        let named = self.game.named(men).map_err(Unanswerable::from)?;
        let table = match self.open.get(&named) {
            Some(open) => open,
            None => self.open.add(named, Arc::new(self.opened(&named, |table| table)?)),
        };
        Ok(self.open.add(*men, table.clone()))
    }

    /// Opens the table of a material.
    fn opened(
        &self,
        material: &Material,
        prepare: fn(Table) -> Table,
    ) -> Result<OpenTable<G>, ProbeError> {
        let (id, table) = self.directories.open_preferring(&self.game, material, self.contents)?;
        let table = prepare(table);
        let reader = self.game.open(&table)?;
        Ok(OpenTable::new(id, &table, reader))
    }
}

/// The numbers below `count` in order, those that are equal as they are: sorting is compiled once,
/// and not for the turns of each game.
fn order_by(count: usize, compare: &dyn Fn(usize, usize) -> Ordering) -> Vec<usize> {
    let mut order: Vec<usize> = (0..count).collect();
    order.sort_by(|&a, &b| compare(a, b));
    order
}
