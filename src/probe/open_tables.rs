//! The tables that are open.

use std::{
    hash::{BuildHasher, BuildHasherDefault},
    sync::{Arc, OnceLock},
};

use rustc_hash::FxHasher;

use super::derived::Derived;
use crate::{
    answer::{TableId, Tabled},
    index::Material,
    table::Table,
};

/// An open table.
pub(crate) struct OpenTable<G: Tabled> {
    /// Which.
    pub(crate) id: TableId,
    /// What tells it from others of its name.
    pub(super) checksum: u32,
    /// What answers from it.
    pub(crate) reader: Arc<G::Reader>,
    /// What was found for positions that it does not store, if somebody asks for them again.
    pub(super) derived: Option<Derived<G::Answer>>,
}

impl<G: Tabled> OpenTable<G> {
    pub(super) fn new(id: TableId, table: &Table, reader: G::Reader) -> OpenTable<G> {
        OpenTable { id, checksum: table.checksum(), reader: Arc::new(reader), derived: None }
    }

    /// The same for who asks for the positions after the turns of each of its positions. One that
    /// the table does not store is then looked ahead once, and not once for each way to come to it,
    /// where its [cell tells all](Tabled::CELLS_TELL_ALL).
    #[cfg(feature = "build")]
    pub(crate) fn keeping_derived(self) -> OpenTable<G> {
        OpenTable { derived: G::CELLS_TELL_ALL.then(Derived::new), ..self }
    }
}

/// Open tables by the men they serve, which are those of their material or, where one table serves
/// both, the same with colours swapped: a hash map from which nothing is ever removed.
///
/// So a look-up needs no lock and counts no users. On two cores those cost a fifth of the time of
/// threads that do nothing but probe, as each had to fetch the counters that the other had changed.
pub(super) struct OpenTables<G: Tabled>(Box<[Link<G>]>);

/// The first of a list of tables, or the next.
type Link<G> = OnceLock<Box<Entry<G>>>;

struct Entry<G: Tabled> {
    men: Material,
    table: Arc<OpenTable<G>>,
    next: Link<G>,
}

impl<G: Tabled> Default for OpenTables<G> {
    fn default() -> Self {
        OpenTables((0..Self::LISTS).map(|_| Link::new()).collect())
    }
}

impl<G: Tabled> OpenTables<G> {
    /// As many as a game has tables of up to five men, about.
    const LISTS: u64 = 256;

    /// The list on which the table of some men is.
    fn list(&self, men: &Material) -> &Link<G> {
        let hash = BuildHasherDefault::<FxHasher>::default().hash_one(men);
        &self.0[(hash % Self::LISTS) as usize]
    }

    /// The table of some men, if it is open.
    #[inline]
    pub(super) fn get(&self, men: &Material) -> Option<&Arc<OpenTable<G>>> {
        let mut link = self.list(men);
        while let Some(entry) = link.get() {
            if entry.men == *men {
                return Some(&entry.table);
            }
            link = &entry.next;
        }
        None
    }

    /// Adds the table of some men, unless they have one, and gives the one that is there.
    pub(super) fn add(&self, men: Material, table: Arc<OpenTable<G>>) -> &Arc<OpenTable<G>> {
        let mut link = self.list(&men);
        let mut new = Box::new(Entry { men, table, next: Link::new() });
        loop {
            let set = link.set(new);
            let entry = link.get().expect("it has been set, if not now then before");
            match set {
                Err(back) if entry.men != men => new = back,
                _ => return &entry.table,
            }
            link = &entry.next;
        }
    }
}
