//! The explorer: a page for browsers and an interface for programs, over HTTP.
//!
//! A request takes one way: `connection` bounds it, `router` finds what is asked, and an
//! `explorer::Explorer` answers for its game, on a thread that may wait for a disk
//! (`work`). Answers are remembered in a bounded cache; long counts over whole tables are
//! made once, in the background (`counts`).
//!
//! Nothing is read but the page, which is part of the program, and the tables of the folder.

mod api;
mod connection;
mod counts;
mod error;
mod explorer;
mod metrics;
mod page;
mod query;
mod standard;
mod what_if;
mod work;

use std::{
    error::Error,
    net::SocketAddr,
    path::{Path, PathBuf},
    sync::Arc,
    time::{Duration, Instant},
};

use anyhow::{Context, Result};
use tokio::net::TcpListener;

use crate::{
    answer::TableId,
    rules::{OptionError, RuleOptions},
    table::BlockCache,
};

use self::{
    counts::Counts,
    explorer::{Explorer, explorers},
    metrics::Metrics,
    standard::Standard,
    work::{Answers, Crew},
};

/// What a server may use, and where it listens.
#[derive(Clone, Debug)]
pub struct ServeOptions {
    /// The address and port to listen at.
    pub listen: SocketAddr,
    /// The folder of tables.
    pub tables: PathBuf,
    /// The rule options; each game takes those it knows.
    pub rules: RuleOptions,
    /// Look-ups at the same time.
    pub threads: usize,
    /// Bytes of unpacked blocks of tables to keep.
    pub blocks: u64,
    /// Bytes of answers to keep.
    pub answers: u64,
    /// Whether pages from anywhere may read the answers.
    pub cors: bool,
    /// What people can do about tables.
    pub advice: Advice,
}

/// What whoever runs the server tells people to do about tables.
#[derive(Copy, Clone, Debug)]
pub struct Advice {
    /// An error with its causes in a sentence, and what would help.
    pub sentence: fn(&(dyn Error + 'static)) -> String,
    /// The command that builds a table into a folder of tables.
    pub build: fn(&TableId, &Path) -> String,
}

/// How long a request may take before it is answered with 503.
const PATIENCE: Duration = Duration::from_secs(20);

/// What all requests share.
struct Site {
    explorers: Vec<Arc<dyn Explorer>>,
    standard: Standard,
    crew: Crew,
    answers: Answers,
    counts: Arc<Counts>,
    metrics: Arc<Metrics>,
    blocks: BlockCache,
    started: Instant,
}

impl Site {
    fn new(options: &ServeOptions) -> Result<Site, OptionError> {
        let blocks = BlockCache::new(options.blocks);
        let metrics = Arc::new(Metrics::default());
        Ok(Site {
            explorers: explorers(options, &blocks)?,
            standard: Standard::new(options, &blocks),
            crew: Crew::new(options.threads),
            answers: Answers::new(options.answers),
            counts: Arc::new(Counts::default()),
            metrics,
            blocks,
            started: Instant::now(),
        })
    }

    fn explorer(&self, game: &str) -> Option<&Arc<dyn Explorer>> {
        self.explorers.iter().find(|explorer| explorer.name() == game)
    }
}

/// Serves until `stop` is ready, and a little longer for requests under way; `ready` hears the
/// address once it listens.
///
/// # Errors
/// If a rule option is wrong or fits no game, or the address cannot be listened at.
pub fn serve(
    options: &ServeOptions,
    stop: impl Future<Output = ()>,
    ready: impl FnOnce(SocketAddr),
) -> Result<()> {
    let site = Arc::new(Site::new(options)?);
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .enable_all()
        .max_blocking_threads(options.threads + counts::AT_ONCE)
        .build()
        .context("cannot start the threads of the server")?;
    let result = runtime.block_on(async {
        let listener = TcpListener::bind(options.listen)
            .await
            .with_context(|| format!("cannot listen at {}", options.listen))?;
        ready(listener.local_addr().context("cannot tell the address")?);
        let router = api::router(site.clone(), options.cors);
        connection::serve(listener, router, site.metrics.clone(), stop).await;
        Ok(())
    });
    // A count over a big table may be under way; nobody waits for it any more.
    runtime.shutdown_background();
    result
}
