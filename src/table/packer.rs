//! How blocks are packed.

use std::{borrow::Cow, io};

use zstd::bulk::Compressor;

use super::{
    header::{Width, le_u32},
    latitude::Latitude,
    narrow,
    search::Search,
    sequences::Sequencer,
};

/// From this effort on repeats are searched for here, with all the latitude that entries have.
const SEARCH_FROM: i32 = 10;

/// From this effort on zstd searches again in what was chosen, which may find more in many times
/// the time.
const SEARCH_AGAIN_FROM: i32 = 18;

/// So do blocks of fewer bytes with any search: there are few of them, and the less there is to repeat the
/// more it pays.
const SHORT: usize = 1 << 18;

/// Packs blocks, one after the other.
pub(super) struct Packer {
    zstd: Compressor<'static>,
    /// What entries became, if nothing was searched for.
    plain: Vec<u8>,
    search: Option<(Search, Sequencer)>,
    again: bool,
}

/// Why a block cannot be packed.
pub(super) enum Unpackable {
    /// An entry is not in the palette.
    Entry(u32),
    /// Memory is lacking.
    Io(io::Error),
}

impl From<io::Error> for Unpackable {
    fn from(error: io::Error) -> Unpackable {
        Unpackable::Io(error)
    }
}

impl Packer {
    /// With an effort of 1 to 22.
    ///
    /// # Errors
    /// Memory is lacking.
    pub fn new(level: i32) -> io::Result<Packer> {
        let search = match level >= SEARCH_FROM {
            true => Some((Search::default(), Sequencer::new()?)),
            false => None,
        };
        let again = level >= SEARCH_AGAIN_FROM;
        Ok(Packer { zstd: Compressor::new(level)?, plain: Vec::new(), search, again })
    }

    /// Packs a block that must be what it is.
    ///
    /// # Errors
    /// Memory is lacking.
    pub fn pack(&mut self, width: Width, bytes: &[u8]) -> io::Result<Vec<u8>> {
        match Latitude::of(width, bytes).narrowed() {
            None => self.zstd.compress(bytes),
            Some((values, places)) => {
                let [places, _] = places.bounds();
                self.zstd.compress(&[&narrow::head(&values, width), places].concat())
            }
        }
    }

    /// Packs a block whose entries have some latitude. Returns the largest of them, too.
    ///
    /// # Errors
    /// Memory is lacking.
    pub fn choose_and_pack(&mut self, latitude: &Latitude) -> io::Result<(Vec<u8>, u32)> {
        let width = latitude.width();
        match latitude.narrowed() {
            None => {
                let (entries, packed) = self.pack_behind(&[], latitude)?;
                let most = match width {
                    // Many at a time.
                    Width::One => entries.iter().max().map(|&entry| entry.into()),
                    _ => entries.chunks_exact(width.bytes()).map(le_u32).max(),
                };
                Ok((packed, most.unwrap_or(0)))
            }
            Some((values, places)) => {
                let (_, packed) = self.pack_behind(&narrow::head(&values, width), &places)?;
                Ok((packed, values.last().copied().unwrap_or(0)))
            }
        }
    }

    /// Packs a head and entries, and returns the entries, too.
    fn pack_behind(&mut self, head: &[u8], latitude: &Latitude) -> io::Result<(&[u8], Vec<u8>)> {
        let behind = |entries| match head {
            [] => Cow::Borrowed(entries),
            _ => Cow::Owned([head, entries].concat()),
        };
        match &mut self.search {
            None => {
                latitude.like_neighbours(&mut self.plain);
                let packed = self.zstd.compress(&behind(&self.plain))?;
                Ok((&self.plain, packed))
            }
            Some((search, sequencer)) => {
                let (entries, repeats) = search.choose(latitude);
                let block = behind(entries);
                let mut packed = sequencer.pack(&block, head.len(), repeats)?;
                if self.again || block.len() < SHORT {
                    let other = self.zstd.compress(&block)?;
                    packed = if other.len() < packed.len() { other } else { packed };
                }
                Ok((entries, packed))
            }
        }
    }
}
