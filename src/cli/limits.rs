//! What the program asks of the system before it works.

use anyhow::{Context, Result};

/// Starts the threads, and allows as many open files as the system does.
pub fn prepare() -> Result<()> {
    allow_open_files();
    let pool = rayon::ThreadPoolBuilder::new();
    pool.build_global().context("cannot start the threads that do the work")
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
