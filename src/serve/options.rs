//! What a server is told when it starts.

use std::{net::SocketAddr, time::Duration};

use crate::{explore::Advice, probe::TableDirectories, rules::RuleOptions};

/// What a server may use, and where it listens.
#[derive(Clone, Debug)]
pub struct ServeOptions {
    /// The address and port to listen at.
    pub listen: SocketAddr,
    /// The tables, with a cache for their unpacked blocks.
    pub directories: TableDirectories,
    /// The rule options; each game takes those it knows.
    pub rules: RuleOptions,
    /// Look-ups at the same time.
    pub threads: usize,
    /// Bytes of answers to keep.
    pub answers: u64,
    /// Whether pages from anywhere may read the answers.
    pub cors: bool,
    /// What people can do about tables.
    pub advice: Advice,
}

/// How long a request may take before it is answered with 503.
pub(super) const PATIENCE: Duration = Duration::from_secs(20);
