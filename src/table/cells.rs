//! Cells of an open table, read at random.

use std::{
    collections::hash_map::Entry,
    ops::Deref,
    sync::{Arc, OnceLock},
};

use rustc_hash::FxHashMap;

use super::{
    cache::BlockKey,
    digits::DigitMap,
    error::TableError,
    header::{Section, le_u32},
    quarters,
    shared::{Shared, with_room},
};

/// The blocks of a section that stay in memory, each from when it was read.
pub(super) type Held = Arc<[OnceLock<Arc<[u8]>>]>;

/// An unpacked block.
enum Block<'a> {
    /// One that stays in memory.
    Held(&'a [u8]),
    /// One that the cache may forget.
    Shared(Arc<[u8]>),
}

impl Deref for Block<'_> {
    type Target = [u8];

    #[inline]
    fn deref(&self) -> &[u8] {
        match self {
            Block::Held(bytes) => bytes,
            Block::Shared(bytes) => bytes,
        }
    }
}

/// The cells of a section. Clones are cheap; all methods may be called from many threads.
#[derive(Debug, Clone)]
pub struct Cells {
    shared: Arc<Shared>,
    held: Option<Held>,
    at: usize,
    id: u64,
    entries: u64,
    width: usize,
    /// Whether its blocks are in [`quarters`].
    in_quarters: bool,
    block: u64,
    palette: Option<Arc<[u32]>>,
    /// Where entries lie, if not in the order of their numbers.
    places: Option<Arc<DigitMap>>,
}

impl Cells {
    /// Those of the section at a place of an open file, with its blocks if they are held.
    pub(super) fn new(
        shared: &Arc<Shared>,
        at: usize,
        held: Option<Held>,
    ) -> Result<Cells, TableError> {
        let section = &shared.header.sections[at];
        Ok(Cells {
            palette: shared.palette(at)?,
            places: shared.places(at)?,
            id: shared.first_id + at as u64,
            entries: section.entries,
            width: section.width.bytes(),
            in_quarters: shared.in_quarters(at),
            block: section.block,
            at,
            shared: Arc::clone(shared),
            held,
        })
    }

    /// How many entries there are.
    pub fn entries(&self) -> u64 {
        self.entries
    }

    /// How the section is cut.
    pub fn section(&self) -> &Section {
        &self.shared.header.sections[self.at]
    }

    /// What the entries stand for, if not for themselves.
    pub fn palette(&self) -> Option<&[u32]> {
        self.palette.as_deref()
    }

    /// The value of an entry: what it stands for if there is a palette, else itself.
    ///
    /// # Errors
    /// There is no such entry, or its block is damaged.
    #[inline]
    pub fn get(&self, index: u64) -> Result<u32, TableError> {
        if index >= self.entries {
            return Err(self.out_of_range(index));
        }
        let place = self.place(index);
        let block = self.block(place / self.block)?;
        let entry = self.entry(&block, (place % self.block) as usize);
        match &self.palette {
            None => Ok(entry),
            Some(palette) => match palette.get(entry as usize) {
                Some(&value) => Ok(value),
                None => Err(self.not_in_palette(entry)),
            },
        }
    }

    /// An entry of an unpacked block.
    #[inline]
    fn entry(&self, block: &[u8], at: usize) -> u32 {
        match self.width {
            1 if self.in_quarters => u32::from(quarters::entry(block, at)),
            1 => u32::from(block[at]),
            2 => u32::from(u16::from_le_bytes([block[2 * at], block[2 * at + 1]])),
            _ => le_u32(&block[4 * at..4 * at + 4]),
        }
    }

    /// Where an entry lies.
    #[inline]
    fn place(&self, index: u64) -> u64 {
        match &self.places {
            None => index,
            Some(places) => places.place(index),
        }
    }

    /// The error for an entry that is in no palette.
    pub(crate) fn not_in_palette(&self, entry: u32) -> TableError {
        self.shared.not_in_palette(self.at, entry)
    }

    /// All entries in the order of their numbers, little-endian, without looking at the palette.
    ///
    /// # Errors
    /// A block is damaged, or memory is too small.
    pub fn read_all(&self) -> Result<Vec<u8>, TableError> {
        let stored = self.shared.read_all(self.at)?;
        if self.places.is_none() {
            return Ok(stored);
        }
        let mut entries = Vec::new();
        entries.try_reserve_exact(stored.len()).map_err(|_| self.shared.too_large(self.at))?;
        for index in 0..self.entries {
            let at = self.place(index) as usize * self.width;
            entries.extend_from_slice(&stored[at..at + self.width]);
        }
        Ok(entries)
    }

    /// Copies entries, little-endian and without looking at the palette, from number `first` on,
    /// until `out` is full.
    ///
    /// # Errors
    /// There are not so many entries, or a block is damaged.
    pub fn read_from(&self, first: u64, out: &mut [u8]) -> Result<(), TableError> {
        if self.places.is_some() {
            return self.gather(first, out);
        }
        let (mut index, mut out) = (first, out);
        while !out.is_empty() {
            if index >= self.entries {
                return Err(self.out_of_range(index));
            }
            let block = self.block(index / self.block)?;
            let within = index % self.block;
            let left = (self.block - within).min(self.entries - index) as usize * self.width;
            let (copied, rest) = out.split_at_mut(out.len().min(left));
            let (within, length) = (within as usize, copied.len());
            match self.in_quarters {
                true => quarters::apart(&block, within, copied),
                false => copied.copy_from_slice(&block[within * self.width..][..length]),
            }
            index += (length / self.width) as u64;
            out = rest;
        }
        Ok(())
    }

    /// Does what [`read_from`](Cells::read_from) does where entries that follow each other do not
    /// lie side by side.
    fn gather(&self, first: u64, out: &mut [u8]) -> Result<(), TableError> {
        // Entries of neighbouring numbers lie in few blocks.
        let mut blocks: FxHashMap<u64, Block<'_>> = FxHashMap::default();
        for (index, out) in (first..).zip(out.chunks_exact_mut(self.width)) {
            if index >= self.entries {
                return Err(self.out_of_range(index));
            }
            let place = self.place(index);
            let block = match blocks.entry(place / self.block) {
                Entry::Occupied(block) => block.into_mut(),
                Entry::Vacant(slot) => slot.insert(self.block(place / self.block)?),
            };
            let entry = self.entry(block, (place % self.block) as usize);
            out.copy_from_slice(&entry.to_le_bytes()[..self.width]);
        }
        Ok(())
    }

    #[inline]
    fn block(&self, block: u64) -> Result<Block<'_>, TableError> {
        let Some(held) = &self.held else {
            return self.cached(block).map(Block::Shared);
        };
        let slot = &held[block as usize];
        match slot.get() {
            Some(bytes) => Ok(Block::Held(bytes)),
            None => {
                let bytes = self.cached(block)?;
                Ok(Block::Held(slot.get_or_init(|| bytes)))
            }
        }
    }

    fn cached(&self, block: u64) -> Result<Arc<[u8]>, TableError> {
        let key = BlockKey { section: self.id, block };
        match self.shared.cache.get(key) {
            Some(unpacked) => Ok(unpacked),
            None => self.load(key),
        }
    }

    #[cold]
    fn load(&self, key: BlockKey) -> Result<Arc<[u8]>, TableError> {
        let len = self.section().block_len(key.block);
        let unpacked = with_room(quarters::whole(len), |room| {
            let (entries, behind) = room.split_at_mut(len);
            self.shared.unpack(self.at, key.block, entries)?;
            behind.fill(0);
            match self.in_quarters {
                true => quarters::together(room).ok_or_else(|| self.too_high(&room[..len])),
                false => Ok(Arc::from(&room[..len])),
            }
        })?;
        self.shared.cache.insert(key, Arc::clone(&unpacked));
        Ok(unpacked)
    }

    /// The error for entries of which some are in no palette.
    #[cold]
    fn too_high(&self, entries: &[u8]) -> TableError {
        self.not_in_palette(entries.iter().copied().max().unwrap_or(0).into())
    }

    #[cold]
    fn out_of_range(&self, index: u64) -> TableError {
        TableError::OutOfRange {
            path: self.shared.path.clone(),
            section: self.section().name.clone(),
            index,
            entries: self.entries,
        }
    }
}
