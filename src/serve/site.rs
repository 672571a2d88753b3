//! What all requests share.

use std::{sync::Arc, time::Instant};

use super::{
    counts::Counts,
    error::Refusal,
    explorer::{Explorer, explorers},
    lichess::{LichessGame, lichess_games},
    log::Log,
    metrics::Metrics,
    options::{Framer, ServeOptions},
    work::{Answers, Crew},
};
use crate::{rules::OptionError, table::BlockCache};

/// What all requests share.
pub struct Site {
    pub explorers: Vec<Arc<dyn Explorer>>,
    pub lichess: Vec<LichessGame>,
    pub crew: Crew,
    pub answers: Answers,
    pub counts: Arc<Counts>,
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
        let blocks = BlockCache::new(options.blocks);
        let metrics = Arc::new(Metrics::default());
        Ok(Site {
            explorers: explorers(options, &blocks)?,
            lichess: lichess_games(options, &blocks),
            crew: Crew::new(options.threads),
            answers: Answers::new(options.answers),
            counts: Arc::new(Counts::default()),
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
    pub fn game(&self, name: &str) -> Result<Arc<dyn Explorer>, Refusal> {
        let named = |explorer: &&Arc<dyn Explorer>| explorer.name() == name;
        self.explorers.iter().find(named).cloned().ok_or_else(|| {
            let names: Vec<_> = self.explorers.iter().map(|explorer| explorer.name()).collect();
            let shown: String = name.chars().take(32).collect();
            Refusal::Unknown(format!("`{shown}` is no game; there are {}", names.join(", ")))
        })
    }
}
