//! Checksums for bytes that are to pass for a table.

use std::ops::Range;

use finale::table::FORMAT_VERSION;
use serde_json::{Value, json};

/// Where the fixed part ends.
const PROLOGUE: usize = 32;
/// What the index has for a block: eight bytes for its end, four for its checksum.
const INDEX_ENTRY: usize = 12;

/// The header of a table, as far as it is one.
pub fn header(table: &[u8]) -> Option<Value> {
    let offset = u64::from_le_bytes(table.get(16..24)?.try_into().ok()?);
    serde_json::from_slice(table.get(usize::try_from(offset).ok()?..)?).ok()
}

/// The bytes with this header, and all checksums set right as far as the numbers in the header
/// and the block indexes make sense.
pub fn sealed(table: &[u8], mut header: Value) -> Vec<u8> {
    let offset = table
        .get(16..24)
        .map_or(0, |bytes| u64::from_le_bytes(bytes.try_into().expect("eight bytes")) as usize);
    let mut bytes = table[..offset.clamp(PROLOGUE, table.len())].to_vec();
    for section in header["sections"].as_array_mut().into_iter().flatten() {
        if let Some(crc) = seal_section(&mut bytes, section) {
            section["index_crc"] = json!(crc);
        }
    }
    let json = header.to_string();
    bytes[..8].copy_from_slice(b"\x89FTB\r\n\x1a\n");
    bytes[8..10].copy_from_slice(&FORMAT_VERSION.to_le_bytes());
    bytes[10..12].fill(0);
    let offset = bytes.len() as u64;
    bytes[16..24].copy_from_slice(&offset.to_le_bytes());
    bytes[24..32].copy_from_slice(&(json.len() as u64).to_le_bytes());
    let mut crc = crc32fast::Hasher::new();
    crc.update(&bytes[8..12]);
    crc.update(&bytes[16..32]);
    crc.update(json.as_bytes());
    bytes[12..16].copy_from_slice(&crc.finalize().to_le_bytes());
    bytes.extend(json.into_bytes());
    bytes
}

/// Sets the checksums of a section's blocks right; returns that of its index.
fn seal_section(bytes: &mut [u8], section: &Value) -> Option<u32> {
    let number = |name: &str| usize::try_from(section[name].as_u64()?).ok();
    let (offset, length) = (number("offset")?, number("length")?);
    let blocks = number("entries")?.div_ceil(number("block").filter(|&block| block > 0)?);
    let packed = length.checked_sub(blocks.checked_mul(INDEX_ENTRY)?)?;
    let section = bytes.get_mut(offset..offset.checked_add(length)?)?;
    let (blocks, index) = section.split_at_mut(packed);
    let mut start = 0;
    for entry in index.chunks_exact_mut(INDEX_ENTRY) {
        let end = u64::from_le_bytes(entry[..8].try_into().expect("eight bytes"));
        let block: Range<usize> = start..usize::try_from(end).ok()?;
        start = block.end;
        if let Some(block) = blocks.get(block) {
            entry[8..].copy_from_slice(&crc32fast::hash(block).to_le_bytes());
        }
    }
    Some(crc32fast::hash(index))
}
