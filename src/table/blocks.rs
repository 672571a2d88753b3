//! The block index of a section: where each packed block lies, and its checksum.

use std::{io, ops::Range};

use super::{
    checksum::Hasher,
    header::{INDEX_ENTRY_LEN, Section, le_u32, le_u64},
    source::Source,
};

/// Entries of an index read at a time.
const ENTRIES_AT_ONCE: u64 = 1 << 16;

/// The block index of a section, checked: the blocks lie one behind the other, none is empty or
/// longer than packing can make it, and they fill the section up to the index.
#[derive(Debug)]
pub(super) struct BlockIndex(Box<[u8]>);

/// Why a section has no usable block index.
pub(super) enum IndexError {
    /// The index contradicts itself or the section.
    Damaged(&'static str),
    /// It cannot be read, or memory is too small for it.
    Io(io::Error),
}

impl BlockIndex {
    /// Reads and checks the block index of a section whose header has been checked.
    pub(super) fn read(source: &Source, section: &Section) -> Result<BlockIndex, IndexError> {
        use IndexError::{Damaged, Io};
        let range = section.index_range().ok_or(Damaged("it is missing"))?;
        let (mut bytes, mut buffer) = (Vec::new(), Vec::new());
        let mut crc = Hasher::new();
        let mut end = 0;
        let mut defect = None;
        for first in (0..section.blocks()).step_by(ENTRIES_AT_ONCE as usize) {
            let last = section.blocks().min(first + ENTRIES_AT_ONCE);
            // The header has been checked: the index lies in the file, so this fits 64 bits.
            let part = |block| section.offset + range.start + block * INDEX_ENTRY_LEN as u64;
            let read = source.read(part(first)..part(last), &mut buffer).map_err(Io)?;
            crc.update(read);
            for (block, entry) in (first..last).zip(read.chunks_exact(INDEX_ENTRY_LEN)) {
                let start = std::mem::replace(&mut end, le_u64(&entry[..8]));
                let found = match end.checked_sub(start) {
                    None | Some(0) => Some("a block ends before it begins"),
                    Some(len) if len > section.max_packed_len(block) => {
                        Some("a block is longer than packing makes it")
                    }
                    Some(_) => None,
                };
                defect = defect.or(found);
            }
            // Only what makes sense so far is kept, however much there is.
            if defect.is_none() {
                bytes.try_reserve(read.len()).map_err(|_| Io(io::ErrorKind::OutOfMemory.into()))?;
                bytes.extend_from_slice(read);
            }
        }
        // Of two defects the one that tells damage from malice.
        if crc.finalize() != section.index_crc {
            return Err(Damaged("checksum does not match"));
        }
        if end != range.start {
            defect = defect.or(Some("the blocks do not fill the section"));
        }
        if let Some(defect) = defect {
            return Err(Damaged(defect));
        }
        Ok(BlockIndex(bytes.into_boxed_slice()))
    }

    /// Where a packed block lies, in bytes from the start of the section, and its checksum; `None`
    /// if there is no such block.
    pub(super) fn block(&self, block: u64) -> Option<(Range<u64>, u32)> {
        let block = usize::try_from(block).ok()?;
        let entry = |block: usize| self.0.chunks_exact(INDEX_ENTRY_LEN).nth(block);
        let start = match block.checked_sub(1) {
            None => 0,
            Some(before) => le_u64(&entry(before)?[..8]),
        };
        let entry = entry(block)?;
        Some((start..le_u64(&entry[..8]), le_u32(&entry[8..])))
    }
}
