//! finale for C and C++: tables are opened by the name of their game, and asked by FEN.
//!
//! Every function may be called from any number of threads at once, on the same tables too, but for
//! [`finale_close`]. What went wrong is told by a status, and in words by [`finale_last_error`] of the
//! same thread. No function unwinds into its caller.

mod asked;
mod text;

use std::{
    cell::RefCell,
    ffi::{CStr, CString, c_char},
    panic::{AssertUnwindSafe, catch_unwind},
};

use asked::{Asked, Failure, load_variants, open};
use text::put;

/// How a call went.
#[repr(C)]
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum FinaleStatus {
    /// All is well.
    Ok = 0,
    /// An argument is wrong, such as a FEN.
    Wrong = 1,
    /// No table covers such positions, or it is not in the folder.
    Missing = 2,
    /// A table is damaged, of other rules, or made by a newer finale.
    Damaged = 3,
    /// The game is over, so there is no turn.
    Over = 4,
    /// The text is longer than the room for it.
    TooLong = 5,
    /// A mistake of finale; please report it.
    Bug = 6,
}

/// What best play makes of a position.
#[repr(C)]
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct FinaleAnswer {
    /// By how much White comes out ahead: 1, 0 or -1 where games are won, drawn or lost, else the
    /// margin of points.
    pub value: i64,
    /// The same for the side to move, without points: 1, 0 or -1.
    pub wdl: i32,
    /// The plies to the end of a game that is won or lost; -1 where the table does not tell, or
    /// nobody wins.
    pub plies: i32,
}

/// The tables of a game in a folder.
pub struct FinaleTables(Box<dyn Asked>);

thread_local! {
    static ERROR: RefCell<CString> = RefCell::default();
}

/// Notes what went wrong, for [`finale_last_error`].
fn note(words: &str) {
    let words = CString::new(words.replace('\0', " ")).unwrap_or_default();
    ERROR.with(|error| *error.borrow_mut() = words);
}

/// Does something of which a caller in C hears by a status.
fn told(work: impl FnOnce() -> Result<(), Failure>) -> FinaleStatus {
    match catch_unwind(AssertUnwindSafe(work)) {
        Ok(Ok(())) => FinaleStatus::Ok,
        Ok(Err(Failure { status, words })) => {
            note(&words);
            status
        }
        Err(_) => {
            note("finale failed; this is a bug");
            FinaleStatus::Bug
        }
    }
}

/// A text of the caller.
///
/// # Safety
/// It is null, or ends with a zero and stays as it is during the call.
#[allow(unsafe_code)]
unsafe fn read<'a>(what: &str, text: *const c_char) -> Result<&'a str, Failure> {
    if text.is_null() {
        return Err(Failure::wrong(format!("{what} is a null pointer")));
    }
    // SAFETY: it is not null, and the caller promises the rest.
    let text = unsafe { CStr::from_ptr(text) };
    text.to_str().map_err(|_| Failure::wrong(format!("{what} is not UTF-8")))
}

/// The tables behind a pointer of the caller.
///
/// # Safety
/// It is null, or comes from [`finale_open`] and has not been closed.
#[allow(unsafe_code)]
unsafe fn opened<'a>(tables: *const FinaleTables) -> Result<&'a dyn Asked, Failure> {
    // SAFETY: the caller promises it.
    let tables = unsafe { tables.as_ref() };
    tables.map(|tables| &*tables.0).ok_or_else(|| Failure::wrong("no tables are open"))
}

/// Opens the tables of a game in a folder, which is looked into only when a position is asked for.
///
/// `game` is a name that `finale rules` knows, such as `orthodox` or `high`. `options` are those of
/// the rules as records have them, `vitality 20, revitalise both`, or null for the usual ones.
///
/// Returns null if there is no such game or option.
///
/// # Safety
/// The texts end with a zero; `options` may be null.
#[allow(unsafe_code)]
#[unsafe(no_mangle)]
pub unsafe extern "C" fn finale_open(
    game: *const c_char,
    folder: *const c_char,
    options: *const c_char,
) -> *mut FinaleTables {
    let mut tables = std::ptr::null_mut();
    told(|| {
        // SAFETY: the caller promises it of all three.
        let (game, folder) = unsafe { (read("the game", game)?, read("the folder", folder)?) };
        let options = match options.is_null() {
            true => "",
            // SAFETY: as above.
            false => unsafe { read("the text of options", options)? },
        };
        tables = Box::into_raw(Box::new(FinaleTables(open(game, folder, options)?)));
        Ok(())
    });
    tables
}

/// Makes the games of a file of variants known, given as text, to [`finale_open`] in all threads, for as
/// long as the process lives.
///
/// `FINALE_STATUS_WRONG` if the text is none of variants, or if one of its games cannot be built; then
/// [`finale_last_error`] says what stands in the way of the first, and the others are known all the same.
///
/// # Safety
/// The text ends with a zero.
#[allow(unsafe_code)]
#[unsafe(no_mangle)]
pub unsafe extern "C" fn finale_load_variants(text: *const c_char) -> FinaleStatus {
    // SAFETY: the caller promises it.
    told(|| load_variants(unsafe { read("the text of variants", text)? }))
}

/// Closes tables. Null is passed over.
///
/// # Safety
/// They come from `finale_open`, and nobody uses them any more.
#[allow(unsafe_code)]
#[unsafe(no_mangle)]
pub unsafe extern "C" fn finale_close(tables: *mut FinaleTables) {
    if !tables.is_null() {
        // SAFETY: the pointer is one that `finale_open` made of a box, closed once.
        let tables = unsafe { Box::from_raw(tables) };
        told(|| {
            drop(tables);
            Ok(())
        });
    }
}

/// What best play makes of a position.
///
/// # Safety
/// `tables` come from `finale_open`, `fen` ends with a zero, and there is room for `answer`.
#[allow(unsafe_code)]
#[unsafe(no_mangle)]
pub unsafe extern "C" fn finale_probe(
    tables: *const FinaleTables,
    fen: *const c_char,
    answer: *mut FinaleAnswer,
) -> FinaleStatus {
    told(|| {
        // SAFETY: the caller promises it of both.
        let (tables, fen) = unsafe { (opened(tables)?, read("the FEN", fen)?) };
        // SAFETY: the caller promises that there is room, if it is not null.
        let answer = unsafe { answer.as_mut() };
        let answer = answer.ok_or_else(|| Failure::wrong("there is no room for the answer"))?;
        *answer = tables.probe(fen)?;
        Ok(())
    })
}

/// The best turn of a position in UCI notation, into `room` of so many bytes, a zero at its end; 32
/// are enough in any game.
///
/// # Safety
/// `tables` come from `finale_open`, `fen` ends with a zero, and there is so much room.
#[allow(unsafe_code)]
#[unsafe(no_mangle)]
pub unsafe extern "C" fn finale_best_turn(
    tables: *const FinaleTables,
    fen: *const c_char,
    room: *mut c_char,
    size: usize,
) -> FinaleStatus {
    told(|| {
        // SAFETY: the caller promises it of both.
        let (tables, fen) = unsafe { (opened(tables)?, read("the FEN", fen)?) };
        let turn = tables.best_turn(fen)?;
        // SAFETY: the caller promises that there is so much room.
        unsafe { put(&turn, room, size) }
    })
}

/// All that `finale probe --json` prints of a position, its turns ranked among it, into `room` of so
/// many bytes, a zero at its end. `needed`, unless it is null, is how many it takes; with
/// `TOO_LONG` ask again with as many.
///
/// # Safety
/// `tables` come from `finale_open`, `fen` ends with a zero, there is so much room, and `needed` is
/// null or there is room for it.
#[allow(unsafe_code)]
#[unsafe(no_mangle)]
pub unsafe extern "C" fn finale_json(
    tables: *const FinaleTables,
    fen: *const c_char,
    room: *mut c_char,
    size: usize,
    needed: *mut usize,
) -> FinaleStatus {
    told(|| {
        // SAFETY: the caller promises it of both.
        let (tables, fen) = unsafe { (opened(tables)?, read("the FEN", fen)?) };
        let json = tables.json(fen)?;
        // SAFETY: the caller promises that it is null or a place.
        if let Some(needed) = unsafe { needed.as_mut() } {
            *needed = json.len() + 1;
        }
        // SAFETY: the caller promises that there is so much room.
        unsafe { put(&json, room, size) }
    })
}

/// The largest number of men that a table in the folder has; 0 without tables.
///
/// # Safety
/// `tables` come from `finale_open`.
#[allow(unsafe_code)]
#[unsafe(no_mangle)]
pub unsafe extern "C" fn finale_max_men(tables: *const FinaleTables) -> u32 {
    let mut men = 0;
    told(|| {
        // SAFETY: the caller promises it.
        men = unsafe { opened(tables)? }.max_men()?;
        Ok(())
    });
    men
}

/// What went wrong last in this thread, in words: they stay until its next call that fails.
#[unsafe(no_mangle)]
#[allow(unsafe_code)]
pub extern "C" fn finale_last_error() -> *const c_char {
    ERROR.with(|error| error.borrow().as_ptr())
}
