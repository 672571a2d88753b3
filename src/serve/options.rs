//! What a server is told when it starts.

use std::{fmt, net::SocketAddr, path::PathBuf, str::FromStr, time::Duration};

use crate::{explore::Advice, probe::TableDirectories, rules::RuleOptions};

/// What a server may use, and where it listens.
#[derive(Clone, Debug)]
pub struct ServeOptions {
    /// The address and port to listen at.
    pub listen: SocketAddr,
    /// Where `/metrics` is asked, if not at the same address.
    pub metrics: Option<SocketAddr>,
    /// Whether a line is written for each request.
    pub log: bool,
    /// The tables, with a cache for their unpacked blocks.
    pub directories: TableDirectories,
    /// The rule options; each game takes those it knows.
    pub rules: RuleOptions,
    /// Look-ups at the same time.
    pub threads: usize,
    /// Bytes of answers to keep.
    pub answers: u64,
    /// Where counts over tables are kept for later servers, if anywhere.
    pub counts: Option<PathBuf>,
    /// Whether pages from anywhere may read the answers.
    pub cors: bool,
    /// Where visitors find the page, with a slash at the end: `https://example.org/finale/`.
    pub address: Option<String>,
    /// Whose pages may show positions in a frame.
    pub framers: Vec<Framer>,
    /// What people can do about tables.
    pub advice: Advice,
}

/// A site whose pages may show positions, or `*` for all of them.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Framer(String);

impl FromStr for Framer {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Framer, Self::Err> {
        let rest = ["https://", "http://"].iter().find_map(|scheme| text.strip_prefix(scheme));
        let fits = |c: char| c.is_ascii_alphanumeric() || "-.:[]*".contains(c);
        let is_site = rest.is_some_and(|rest| !rest.is_empty() && rest.chars().all(fits));
        match is_site || text == "*" {
            true => Ok(Framer(text.to_owned())),
            false => Err("write a site like https://example.org, or * for all"),
        }
    }
}

impl fmt::Display for Framer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// How long a request may take before it is answered with 503.
pub(super) const PATIENCE: Duration = Duration::from_secs(20);
