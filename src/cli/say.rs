//! Messages on stderr.

use std::{
    fmt::Display,
    io::{self, Write},
};

/// Writes a line to stderr. If that fails there is nobody to tell, and the work goes on: a build of
/// hours must not end because a log is full or its reader has gone.
pub fn say(line: impl Display) {
    // In one piece: pieces would be a call of the system each.
    let _ = io::stderr().write_all(format!("{line}\n").as_bytes());
}
