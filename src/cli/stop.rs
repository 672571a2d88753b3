//! What the program does when it is told to stop, by Ctrl-C or `kill`.

use std::sync::{Mutex, PoisonError};

/// The tables that this process has finished, if it builds any.
static FINISHED: Mutex<Option<Vec<String>>> = Mutex::new(None);

/// Notes that tables are being built: whoever stops the program is told which are finished.
pub fn building() {
    FINISHED.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert_default();
}

/// Notes that a table is finished.
pub fn finished(material: String) {
    let mut finished = FINISHED.lock().unwrap_or_else(PoisonError::into_inner);
    finished.get_or_insert_default().push(material);
}

/// Waits for SIGINT and SIGTERM in a thread of its own. On either, the temporary files of tables
/// go away, a line on stderr says what is finished, and the program exits with 130 or 143, as
/// shells have it.
pub fn watch() {
    // Without the thread, a signal ends the process as it does without these lines.
    #[cfg(unix)]
    let _ = std::thread::Builder::new().name("signals".to_owned()).spawn(unix::wait);
}

#[cfg(unix)]
mod unix {
    use std::{io::IsTerminal, sync::PoisonError};

    use signal_hook::{
        consts::{SIGINT, SIGTERM},
        iterator::Signals,
    };

    use super::FINISHED;
    use crate::{
        cli::{say::say, units::count},
        table,
    };

    pub fn wait() {
        let Ok(mut signals) = Signals::new([SIGINT, SIGTERM]) else { return };
        let Some(signal) = signals.forever().next() else { return };
        table::abandon(|| {
            if std::io::stderr().is_terminal() {
                // Below the bar and what the terminal shows for Ctrl-C.
                say("");
            }
            match &*FINISHED.lock().unwrap_or_else(PoisonError::into_inner) {
                None => say("stopped"),
                Some(tables) if tables.is_empty() => {
                    say("stopped; no table is finished; run the same command to begin again");
                }
                Some(tables) => {
                    let names = tables.join(" ");
                    say(format_args!(
                        "stopped; {} finished and kept: {names}; run the same command to go on",
                        count(tables.len(), "table")
                    ));
                }
            }
            std::process::exit(128 + signal)
        })
    }
}
