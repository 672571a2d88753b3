//! Counts over whole tables: made once, in the background, one after the other, while clients
//! come back to ask how far they are.

use std::{
    collections::VecDeque,
    sync::{
        Arc, Mutex,
        atomic::{AtomicU64, Ordering::Relaxed},
    },
    time::Duration,
};

use axum::body::Bytes;
use tokio::sync::{Semaphore, watch};

use super::error::Refusal;
use crate::{lock::lock, progress::Progress};

/// Counts that run at the same time. Each uses all cores.
pub const AT_ONCE: usize = 1;

/// Counts that may be under way or waiting.
const WAITING: usize = 8;

/// Counts that are kept, those under way included.
const KEPT: usize = 64;

/// How long a client waits before it is told how far a count is.
const WAIT: Duration = Duration::from_secs(2);

/// What a count came to.
type Outcome = Option<Result<Bytes, Refusal>>;

/// A count, under way or done.
struct Count {
    question: String,
    steps: AtomicU64,
    done: AtomicU64,
    outcome: watch::Sender<Outcome>,
}

impl Progress for Count {
    fn begin(&self, _: &str, steps: u64) {
        self.done.store(0, Relaxed);
        self.steps.store(steps, Relaxed);
    }

    fn advance(&self, steps: u64) {
        self.done.fetch_add(steps, Relaxed);
    }
}

/// What a client hears of a count.
pub enum News {
    /// It is done.
    Done(Bytes),
    /// It is under way: how much of it is done, 0 to 1.
    Counting(f64),
}

/// All counts, the oldest first.
pub struct Counts {
    counts: Mutex<VecDeque<Arc<Count>>>,
    running: Arc<Semaphore>,
}

impl Default for Counts {
    fn default() -> Counts {
        Counts { counts: Mutex::default(), running: Arc::new(Semaphore::new(AT_ONCE)) }
    }
}

impl Counts {
    /// The count that answers a question, begun if nobody has asked before.
    ///
    /// # Errors
    /// What the count fails with, or [`Refusal::Busy`] if too many are waiting.
    pub async fn ask(
        self: &Arc<Self>,
        question: &str,
        task: impl FnOnce(&dyn Progress) -> Result<Bytes, Refusal> + Send + 'static,
    ) -> Result<News, Refusal> {
        let count = self.find_or_begin(question, task)?;
        let mut outcome = count.outcome.subscribe();
        let waited = tokio::time::timeout(WAIT, outcome.wait_for(Option::is_some)).await;
        let outcome = match waited {
            Ok(Ok(outcome)) => outcome.clone(),
            _ => None,
        };
        match outcome {
            Some(Ok(bytes)) => Ok(News::Done(bytes)),
            Some(Err(refusal)) => {
                // It may go better next time: the table may have been built.
                lock(&self.counts).retain(|kept| !Arc::ptr_eq(kept, &count));
                Err(refusal)
            }
            None => {
                let steps = count.steps.load(Relaxed).max(1) as f64;
                Ok(News::Counting((count.done.load(Relaxed) as f64 / steps).min(1.0)))
            }
        }
    }

    fn find_or_begin(
        self: &Arc<Self>,
        question: &str,
        task: impl FnOnce(&dyn Progress) -> Result<Bytes, Refusal> + Send + 'static,
    ) -> Result<Arc<Count>, Refusal> {
        let mut counts = lock(&self.counts);
        if let Some(count) = counts.iter().find(|count| count.question == question) {
            return Ok(count.clone());
        }
        let is_done = |count: &Arc<Count>| count.outcome.borrow().is_some();
        if counts.iter().filter(|count| !is_done(count)).count() >= WAITING {
            return Err(Refusal::Busy("too many tables are being counted; ask again later"));
        }
        if counts.len() >= KEPT
            && let Some(oldest) = counts.iter().position(is_done)
        {
            counts.remove(oldest);
        }
        let count = Arc::new(Count {
            question: question.to_owned(),
            steps: AtomicU64::new(0),
            done: AtomicU64::new(0),
            outcome: watch::Sender::new(None),
        });
        counts.push_back(count.clone());
        let (begun, running) = (count.clone(), self.running.clone());
        tokio::spawn(async move {
            let _permit = running.acquire_owned().await;
            let counting = begun.clone();
            let outcome = tokio::task::spawn_blocking(move || task(&*counting)).await;
            let failed = |_| Err(Refusal::Broken("the count failed; this is a bug".to_owned()));
            begun.outcome.send_replace(Some(outcome.unwrap_or_else(failed)));
        });
        Ok(count)
    }
}
