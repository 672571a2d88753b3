//! What all requests share.

use std::{sync::Arc, time::Instant};

use super::{
    counts::Counts,
    explorer::{Explorer, explorers},
    lichess::{LichessGame, lichess_games},
    metrics::Metrics,
    options::ServeOptions,
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
        })
    }

    /// The explorer of a game.
    pub fn explorer(&self, game: &str) -> Option<&Arc<dyn Explorer>> {
        self.explorers.iter().find(|explorer| explorer.name() == game)
    }
}
