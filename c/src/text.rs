//! Texts for callers in C.

use std::ffi::c_char;

use crate::{FinaleStatus, asked::Failure};

/// Puts a text and a zero into some room of the caller.
///
/// # Safety
/// The room is null, or has so many bytes that nobody else uses during the call.
#[allow(unsafe_code)]
pub unsafe fn put(text: &str, room: *mut c_char, size: usize) -> Result<(), Failure> {
    if room.is_null() && size > 0 {
        return Err(Failure::wrong("there is no room for the text"));
    }
    let needed = text.len() + 1;
    if size < needed {
        let words = format!("the text takes {needed} bytes, and there is room for {size}");
        return Err(Failure { status: FinaleStatus::TooLong, words });
    }
    // SAFETY: there are at least so many bytes, as has been looked at and the caller promises.
    let room = unsafe { std::slice::from_raw_parts_mut(room.cast::<u8>(), needed) };
    room[..text.len()].copy_from_slice(text.as_bytes());
    room[text.len()] = 0;
    Ok(())
}
