//! Who hears how a long piece of work goes on.

/// Hears how a long piece of work goes on.
pub trait Progress: Sync {
    /// A part of the work begins, of about `steps` steps.
    fn begin(&self, what: &str, steps: u64);
    /// That many more steps of it are done.
    fn advance(&self, steps: u64);
}

/// A [`Progress`] that nobody listens to.
#[derive(Copy, Clone, Debug, Default)]
pub struct Silent;

impl Progress for Silent {
    fn begin(&self, _: &str, _: u64) {}
    fn advance(&self, _: u64) {}
}
