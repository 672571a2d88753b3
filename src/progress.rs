//! Who hears how a long piece of work goes on, and can stop it.

use std::{
    io,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering::Relaxed},
    },
};

/// Hears how a long piece of work goes on.
pub trait Progress: Sync {
    /// A part of the work begins, of about `steps` steps.
    fn begin(&self, what: &str, steps: u64);
    /// That many more steps of it are done.
    fn advance(&self, steps: u64);
    /// What stops the work, if something can.
    fn stop(&self) -> Option<&Stop> {
        None
    }
}

/// A [`Progress`] that nobody listens to.
#[derive(Copy, Clone, Debug, Default)]
pub struct Silent;

impl Progress for Silent {
    fn begin(&self, _: &str, _: u64) {}
    fn advance(&self, _: u64) {}
}

/// Stops long work: once one of its copies [asks](Stop::ask), the work fails soon, and leaves
/// nothing unfinished behind.
#[derive(Clone, Debug, Default)]
pub struct Stop(Arc<AtomicBool>);

impl Stop {
    /// Asks the work to stop.
    pub fn ask(&self) {
        self.0.store(true, Relaxed);
    }

    /// Whether it is to stop.
    pub fn is_asked(&self) -> bool {
        self.0.load(Relaxed)
    }

    /// Looks whether the work goes on.
    ///
    /// # Errors
    /// Of the kind `Interrupted` if it is to stop.
    pub(crate) fn go_on(&self) -> io::Result<()> {
        match self.is_asked() {
            true => Err(io::ErrorKind::Interrupted.into()),
            false => Ok(()),
        }
    }
}

/// Whether work that is watched so is to stop.
pub(crate) fn is_stopped(progress: &dyn Progress) -> bool {
    progress.stop().is_some_and(Stop::is_asked)
}
