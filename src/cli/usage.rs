//! Usage errors.

/// A usage error that the argument parser cannot find.
#[derive(Debug, thiserror::Error)]
#[error("{0}; `--help` behind the command tells its options")]
pub struct Usage(pub String);
