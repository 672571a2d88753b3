//! What the program does when it is told to stop, by Ctrl-C or `kill`.

use std::{io::IsTerminal, sync::Mutex};

use super::{say::say, units::count};
use crate::{lock::lock, table};

/// The tables that this process has finished, if it builds any.
static FINISHED: Mutex<Option<Vec<String>>> = Mutex::new(None);

/// Notes that tables are being built: whoever stops the program is told which are finished.
pub fn building() {
    lock(&FINISHED).get_or_insert_default();
}

/// Notes that a table is finished.
pub fn finished(material: String) {
    let mut finished = lock(&FINISHED);
    finished.get_or_insert_default().push(material);
}

/// On SIGINT or SIGTERM, the temporary files of tables go away, a line on stderr says what is
/// finished, and the program exits with 130 or 143, as shells have it.
pub fn watch() {
    at_signal(|signal| {
        table::abandon(|| {
            if std::io::stderr().is_terminal() {
                // Below the bar and what the terminal shows for Ctrl-C.
                say("");
            }
            match &*lock(&FINISHED) {
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
    });
}

/// Waits for SIGINT and SIGTERM in a thread of its own, and acts at the first of them. Where
/// there are no such signals, `act` is dropped.
pub fn at_signal(act: impl FnOnce(i32) + Send + 'static) {
    #[cfg(not(unix))]
    drop(act);
    #[cfg(unix)]
    {
        use signal_hook::{
            consts::{SIGINT, SIGTERM},
            iterator::Signals,
        };
        let wait = move || {
            let Ok(mut signals) = Signals::new([SIGINT, SIGTERM]) else { return };
            if let Some(signal) = signals.forever().next() {
                act(signal);
            }
        };
        // Without the thread, a signal ends the process as it does without these lines.
        let _ = std::thread::Builder::new().name("signals".to_owned()).spawn(wait);
    }
}
