//! What all requests share.

use std::{sync::Arc, time::Instant};

use super::{
    counts::Counts,
    kept_counts::KeptCounts,
    lichess::{LichessGame, lichess_games},
    log::Log,
    metrics::Metrics,
    options::{Framer, ServeOptions},
    work::{Answers, Crew},
};
use crate::{
    explore::{Counter, Refusal, counters, explorer_of},
    rules::OptionError,
    table::BlockCache,
};

/// What all requests share.
pub struct Site {
    pub explorers: Vec<Arc<dyn Counter>>,
    pub lichess: Vec<LichessGame>,
    pub crew: Crew,
    pub answers: Answers,
    pub counts: Arc<Counts>,
    pub kept_counts: KeptCounts,
    pub metrics: Arc<Metrics>,
    pub blocks: BlockCache,
    pub started: Instant,
    /// Where visitors find the page, with a slash at the end, if that is known.
    pub address: Option<String>,
    pub log: Log,
    /// Whose pages may show positions.
    pub framers: Vec<Framer>,
}

impl Site {
    /// Opens the tables of every game.
    ///
    /// # Errors
    /// If a rule option is wrong or fits no game.
    pub fn new(options: &ServeOptions) -> Result<Site, OptionError> {
        let directories = options.directories.clone();
        let blocks = directories.cache().clone();
        let metrics = Arc::new(Metrics::default());
        Ok(Site {
            explorers: counters(&directories, &options.rules, options.advice)?,
            lichess: lichess_games(&directories, options.advice),
            crew: Crew::new(options.threads),
            answers: Answers::new(options.answers),
            counts: Arc::new(Counts::default()),
            kept_counts: KeptCounts::new(options.counts.clone()),
            metrics,
            blocks,
            started: Instant::now(),
            address: options.address.clone(),
            log: Log::new(options.log),
            framers: options.framers.clone(),
        })
    }

    /// The explorer of a game.
    ///
    /// # Errors
    /// If there is no such game.
    pub fn explorer(&self, game: &str) -> Result<Arc<dyn Counter>, Refusal> {
        explorer_of(&self.explorers, game).cloned()
    }
}
