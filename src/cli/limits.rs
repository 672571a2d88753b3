//! What the program asks of the system before it works.

use std::{io, sync::mpsc, thread};

use anyhow::{Context, Result};
use memmap2::MmapMut;
use rayon::{ThreadBuilder, ThreadPoolBuilder};

/// Starts the threads, and allows as many open files as the system does.
pub fn prepare() -> Result<()> {
    allow_open_files();
    let pool = ThreadPoolBuilder::new().spawn_handler(start);
    pool.build_global().context("cannot start the threads that do the work")
}

/// More memory than a thread takes before it runs: its stack, and one for signals.
const ROOM: usize = 4 << 20;

/// Starts a thread and waits until it runs. One that has a stack but finds no memory for that of
/// its signals ends the program, so there must be room for both, which no thread before it may yet
/// take.
fn start(thread: ThreadBuilder) -> io::Result<()> {
    drop(MmapMut::map_anon(ROOM)?);
    let (runs, heard) = mpsc::channel();
    thread::Builder::new().spawn(move || {
        // Whoever waits for it is still there.
        let _ = runs.send(());
        thread.run();
    })?;
    heard.recv().map_err(io::Error::other)
}

/// Every table that is open holds a file. Where the limit cannot be raised, opening one too many
/// is an error like others.
fn allow_open_files() {
    #[cfg(unix)]
    {
        use rustix::process::{Resource, getrlimit, setrlimit};
        let mut limit = getrlimit(Resource::Nofile);
        limit.current = limit.maximum;
        let _ = setrlimit(Resource::Nofile, limit);
    }
}
