//! Look-ups, off the threads that serve connections: bounded in number, with a bounded queue, and
//! a bounded memory of answers.

use std::sync::{Arc, atomic::Ordering::Relaxed};

use axum::body::Bytes;
use quick_cache::{Weighter, sync::Cache};
use tokio::sync::Semaphore;

use super::{metrics::Metrics, options::PATIENCE};
use crate::explore::Refusal;

/// How many look-ups may wait for each that runs.
const QUEUE: usize = 256;

/// What looks up. It is boxed so that waiting for it is compiled for each result alone.
pub type Task<T> = Box<dyn FnOnce() -> Result<T, Refusal> + Send>;

/// The threads that look up.
pub struct Crew {
    running: Arc<Semaphore>,
    waiting: Semaphore,
}

impl Crew {
    /// So many look-ups at the same time.
    pub fn new(threads: usize) -> Crew {
        Crew {
            running: Arc::new(Semaphore::new(threads)),
            waiting: Semaphore::new(threads * QUEUE),
        }
    }

    /// Does something that may wait for a disk.
    ///
    /// # Errors
    /// What it fails with, or [`Refusal::Busy`] if too many are waiting or it takes too long.
    pub async fn look_up<T: Send + 'static>(
        &self,
        metrics: &Metrics,
        task: Task<T>,
    ) -> Result<T, Refusal> {
        let busy = |why| {
            metrics.refused.fetch_add(1, Relaxed);
            Refusal::Busy(why)
        };
        let Ok(_place) = self.waiting.try_acquire() else {
            return Err(busy("too much is asked at once; ask again in a second"));
        };
        let work = async {
            let permit = self.running.clone().acquire_owned().await;
            metrics.looked_up.fetch_add(1, Relaxed);
            tokio::task::spawn_blocking(move || {
                // Kept until the work is done, even if nobody waits for it any more.
                let _permit = permit;
                task()
            })
            .await
        };
        match tokio::time::timeout(PATIENCE, work).await {
            Ok(Ok(result)) => {
                if let Err(Refusal::Missing(missing)) = &result {
                    metrics.miss(missing);
                }
                result
            }
            Ok(Err(_)) => Err(Refusal::Broken("the look-up failed; this is a bug".to_owned())),
            Err(_) => Err(busy("the answer takes too long; ask again later")),
        }
    }
}

/// Answers that were given lately, by path and query.
pub struct Answers(Cache<String, Bytes, ByBytes>);

#[derive(Clone)]
struct ByBytes;

impl Weighter<String, Bytes> for ByBytes {
    fn weight(&self, key: &String, answer: &Bytes) -> u64 {
        const OVERHEAD: usize = 128;
        (key.len() + answer.len() + OVERHEAD) as u64
    }
}

impl Answers {
    /// A memory of so many bytes.
    pub fn new(bytes: u64) -> Answers {
        const TYPICAL: u64 = 4096;
        let count = usize::try_from(bytes / TYPICAL).unwrap_or(usize::MAX).clamp(16, 1 << 20);
        Answers(Cache::with_weighter(count, bytes, ByBytes))
    }

    /// The answer to a question asked before.
    pub fn get(&self, question: &str) -> Option<Bytes> {
        self.0.get(question)
    }

    /// Keeps an answer.
    pub fn keep(&self, question: String, answer: Bytes) {
        self.0.insert(question, answer);
    }

    /// The bytes it holds.
    pub fn bytes(&self) -> u64 {
        self.0.weight()
    }
}
