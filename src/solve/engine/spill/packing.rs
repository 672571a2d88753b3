//! Bytes packed in haste: what is kept for a while, and then read once more and gone.

use std::{cell::RefCell, io};

use zstd::bulk::{Compressor, Decompressor};

/// The effort of zstd: the least.
const LEVEL: i32 = 1;

/// Packs bytes. Equal ones are packed into equal ones.
pub fn pack(bytes: &[u8]) -> io::Result<Vec<u8>> {
    // What a thread packs with is larger than what is packed, so each keeps one.
    thread_local! {
        static PACKER: RefCell<Option<Compressor<'static>>> = const { RefCell::new(None) };
    }
    PACKER.with_borrow_mut(|slot| {
        let packer = match slot {
            Some(packer) => packer,
            None => slot.insert(Compressor::new(LEVEL)?),
        };
        packer.compress(bytes)
    })
}

/// Unpacks what was packed here, of as many bytes as `out` has.
///
/// # Panics
/// If it was not.
pub fn unpack(packed: &[u8], out: &mut [u8]) {
    thread_local! {
        static UNPACKER: RefCell<Option<Decompressor<'static>>> = const { RefCell::new(None) };
    }
    let length = out.len();
    let unpacked = UNPACKER.with_borrow_mut(|slot| {
        let unpacker = match slot {
            Some(unpacker) => unpacker,
            None => slot.insert(Decompressor::new()?),
        };
        unpacker.decompress_to_buffer(packed, out)
    });
    assert_eq!(unpacked.ok(), Some(length), "it was packed here");
}
