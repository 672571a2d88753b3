//! Blocks packed by zstd with repeats that were found elsewhere.

#![allow(unsafe_code, reason = "no safe interface to zstd takes repeats; see `Sequencer`")]

use std::{ffi::c_int, io, ptr::NonNull};

use zstd::zstd_safe::{
    get_error_name,
    zstd_sys::{self, ZSTD_CCtx, ZSTD_Sequence, ZSTD_cParameter, ZSTD_strategy},
};

use super::search::Repeat;

/// Packs bytes whose repeats are known: zstd only writes them down, which takes a tenth of the time
/// that finding them does.
#[derive(Debug)]
pub(super) struct Sequencer {
    context: NonNull<ZSTD_CCtx>,
    sequences: Vec<ZSTD_Sequence>,
}

// SAFETY: a context belongs to whoever holds it, and to no thread.
unsafe impl Send for Sequencer {}

impl Sequencer {
    /// A packer.
    ///
    /// # Errors
    /// Memory is lacking.
    pub fn new() -> io::Result<Sequencer> {
        // SAFETY: it has no conditions.
        let context = NonNull::new(unsafe { zstd_sys::ZSTD_createCCtx() });
        let context = context.ok_or(io::ErrorKind::OutOfMemory)?;
        let sequencer = Sequencer { context, sequences: Vec::new() };
        for (parameter, value) in [
            // How hard it tries to tell repeats in few bits.
            (ZSTD_cParameter::ZSTD_c_strategy, ZSTD_strategy::ZSTD_btultra as c_int),
            (ZSTD_cParameter::ZSTD_c_minMatch, 3),
            // Nothing is searched for, so there is nothing to keep.
            (ZSTD_cParameter::ZSTD_c_hashLog, 6),
            (ZSTD_cParameter::ZSTD_c_chainLog, 6),
            // Look whether the last three distances come again, and whether all is as it must be.
            (ZSTD_cParameter::ZSTD_c_experimentalParam19, 1),
            (ZSTD_cParameter::ZSTD_c_experimentalParam12, 1),
        ] {
            // SAFETY: the context is one.
            let code = unsafe {
                zstd_sys::ZSTD_CCtx_setParameter(sequencer.context.as_ptr(), parameter, value)
            };
            checked(code)?;
        }
        Ok(sequencer)
    }

    /// Packs bytes that repeat themselves so; the first `head` of them come before the first of the
    /// repeats' literals.
    ///
    /// # Errors
    /// zstd refuses the repeats, or memory is lacking.
    pub fn pack(&mut self, bytes: &[u8], head: usize, repeats: &[Repeat]) -> io::Result<Vec<u8>> {
        self.sequences.clear();
        let mut before = head;
        self.sequences.extend(repeats.iter().map(|repeat| ZSTD_Sequence {
            offset: repeat.distance as u32,
            litLength: (std::mem::take(&mut before) + repeat.literals) as u32,
            matchLength: repeat.length as u32,
            rep: 0,
        }));
        let mut packed: Vec<u8> = Vec::with_capacity(zstd::zstd_safe::compress_bound(bytes.len()));
        // SAFETY: all three stretches of memory are as long as is said, and the context is one.
        // Repeats are checked by zstd; see `new`.
        let code = unsafe {
            zstd_sys::ZSTD_compressSequences(
                self.context.as_ptr(),
                packed.as_mut_ptr().cast(),
                packed.capacity(),
                self.sequences.as_ptr(),
                self.sequences.len(),
                bytes.as_ptr().cast(),
                bytes.len(),
            )
        };
        let len = checked(code)?;
        assert!(len <= packed.capacity(), "zstd keeps to the room it has");
        // SAFETY: so many bytes have been written.
        unsafe { packed.set_len(len) };
        Ok(packed)
    }
}

impl Drop for Sequencer {
    fn drop(&mut self) {
        // SAFETY: nobody else has the context.
        unsafe { zstd_sys::ZSTD_freeCCtx(self.context.as_ptr()) };
    }
}

fn checked(code: usize) -> io::Result<usize> {
    // SAFETY: any number may be asked about.
    match unsafe { zstd_sys::ZSTD_isError(code) } {
        0 => Ok(code),
        _ => Err(io::Error::other(get_error_name(code))),
    }
}
