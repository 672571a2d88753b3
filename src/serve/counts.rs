//! Counts and searches over whole tables: made once, in the background, one after the other, the
//! smallest table first, while clients come back to ask how far they are.

use std::{
    collections::VecDeque,
    sync::{
        Arc, Mutex,
        atomic::{AtomicU64, Ordering::Relaxed},
    },
    time::{Duration, Instant},
};

use axum::body::Bytes;
use tokio::sync::watch;

use crate::{
    explore::Refusal,
    lock::lock,
    progress::{Progress, Stop},
};

/// Counts that run at the same time. Each uses all cores.
pub const AT_ONCE: usize = 1;

/// Counts that may be under way or waiting. One that waits takes no more than its name.
const WAITING: usize = 64;

/// Counts that are kept, those under way included.
const KEPT: usize = 128;

/// How long a client waits before it is told how far a count is.
const WAIT: Duration = Duration::from_secs(2);

/// How long nobody asks for what is of no use to others before it stops.
const LEFT: Duration = Duration::from_secs(30);

/// What a client asks of a table.
pub struct Question {
    /// The same for those who ask the same.
    pub text: String,
    /// How large the table is.
    pub size: u64,
    /// Whether others may ask the same some day, so that it is worth while to finish for nobody.
    pub is_common: bool,
}

/// What a count came to.
type Outcome = Option<Result<Bytes, Refusal>>;

/// What counts.
type Task = Box<dyn FnOnce(&dyn Progress) -> Result<Bytes, Refusal> + Send>;

/// A count: it waits as long as it has its task, and is done once there is an outcome.
struct Count {
    question: Question,
    /// When somebody asked last.
    asked: Mutex<Instant>,
    stop: Stop,
    task: Mutex<Option<Task>>,
    steps: AtomicU64,
    done: AtomicU64,
    outcome: watch::Sender<Outcome>,
}

impl Count {
    /// One that somebody asks for now.
    fn new(question: Question, task: Task) -> Count {
        Count {
            question,
            asked: Mutex::new(Instant::now()),
            stop: Stop::default(),
            task: Mutex::new(Some(task)),
            steps: AtomicU64::new(0),
            done: AtomicU64::new(0),
            outcome: watch::Sender::new(None),
        }
    }

    fn waits(&self) -> bool {
        lock(&self.task).is_some()
    }

    fn is_done(&self) -> bool {
        self.outcome.borrow().is_some()
    }
}

impl Progress for Count {
    fn begin(&self, _: &str, steps: u64) {
        self.done.store(0, Relaxed);
        self.steps.store(steps, Relaxed);
    }

    fn advance(&self, steps: u64) {
        self.done.fetch_add(steps, Relaxed);
        if !self.question.is_common && lock(&self.asked).elapsed() > LEFT {
            self.stop.ask();
        }
    }

    fn stop(&self) -> Option<&Stop> {
        Some(&self.stop)
    }
}

/// What a client hears of a count.
pub enum News {
    /// It is done.
    Done(Bytes),
    /// How much of it is done, 0 to 1, and its place among those that wait; 0 if it is under way.
    Counting { done: f64, place: usize },
}

/// All counts, the oldest first.
#[derive(Default)]
pub struct Counts {
    counts: Mutex<VecDeque<Arc<Count>>>,
}

impl Counts {
    /// The count that answers a question, begun if nobody has asked before.
    ///
    /// # Errors
    /// What the count fails with, or [`Refusal::Busy`] if too many are waiting.
    pub async fn ask(
        self: &Arc<Self>,
        question: Question,
        task: impl FnOnce(&dyn Progress) -> Result<Bytes, Refusal> + Send + 'static,
    ) -> Result<News, Refusal> {
        let count = self.find_or_add(question, Box::new(task))?;
        self.go_on();
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
                let done = (count.done.load(Relaxed) as f64 / steps).min(1.0);
                Ok(News::Counting { done, place: self.place(&count) })
            }
        }
    }

    fn find_or_add(&self, question: Question, task: Task) -> Result<Arc<Count>, Refusal> {
        let mut counts = lock(&self.counts);
        // What is stopping is no more to be had.
        let asked =
            |count: &&Arc<Count>| count.question.text == question.text && !count.stop.is_asked();
        if let Some(count) = counts.iter().find(asked) {
            *lock(&count.asked) = Instant::now();
            return Ok(count.clone());
        }
        if counts.iter().filter(|count| !count.is_done()).count() >= WAITING {
            return Err(Refusal::Busy("too many tables are being counted; ask again later"));
        }
        if counts.len() >= KEPT
            && let Some(oldest) = counts.iter().position(|count| count.is_done())
        {
            counts.remove(oldest);
        }
        let count = Arc::new(Count::new(question, task));
        counts.push_back(count.clone());
        Ok(count)
    }

    /// Begins the smallest count that waits, the oldest of several, unless enough are under way.
    fn go_on(self: &Arc<Self>) {
        let counts = lock(&self.counts);
        let under_way = counts.iter().filter(|count| !count.waits() && !count.is_done()).count();
        let waiting = counts.iter().filter(|count| count.waits());
        let Some(next) =
            waiting.min_by_key(|count| count.question.size).filter(|_| under_way < AT_ONCE)
        else {
            return;
        };
        let Some(task) = lock(&next.task).take() else { return };
        let (all, count) = (self.clone(), next.clone());
        tokio::spawn(async move {
            let counting = count.clone();
            let outcome = tokio::task::spawn_blocking(move || task(&*counting)).await;
            let failed = |_| Err(Refusal::Broken("the count failed; this is a bug".to_owned()));
            count.outcome.send_replace(Some(outcome.unwrap_or_else(failed)));
            if count.stop.is_asked() {
                lock(&all.counts).retain(|kept| !Arc::ptr_eq(kept, &count));
            }
            all.go_on();
        });
    }

    /// The place of a count among those that wait, from 1; 0 if it waits no more.
    fn place(&self, count: &Arc<Count>) -> usize {
        if !count.waits() {
            return 0;
        }
        let counts = lock(&self.counts);
        let mut waiting: Vec<_> = counts.iter().filter(|count| count.waits()).collect();
        waiting.sort_by_key(|count| count.question.size);
        waiting.iter().position(|other| Arc::ptr_eq(other, count)).map_or(0, |at| at + 1)
    }
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc;

    use super::*;

    #[tokio::test]
    async fn small_tables_are_counted_first_and_the_others_know_their_place() {
        let counts = Arc::new(Counts::default());
        let (order, ended) = mpsc::channel();
        let (release, held) = mpsc::channel::<()>();
        let begin = |name: &'static str, size, task: Task| {
            let counts = counts.clone();
            let question = Question { text: name.to_owned(), size, is_common: true };
            tokio::spawn(async move { counts.ask(question, task).await })
        };
        let note = |name: &'static str| -> Task {
            let order = order.clone();
            Box::new(move |_| {
                order.send(name).expect("somebody listens");
                Ok(Bytes::from_static(name.as_bytes()))
            })
        };
        let first = begin(
            "first",
            9,
            Box::new(move |_| {
                let _ = held.recv();
                Ok(Bytes::new())
            }),
        );
        tokio::time::sleep(Duration::from_millis(50)).await;
        let large = begin("large", 8, note("large"));
        tokio::time::sleep(Duration::from_millis(50)).await;
        let small = begin("small", 2, note("small"));
        let places = [first, large, small].map(|asked| async {
            match asked.await.expect("it runs").map_err(|_| "refused") {
                Ok(News::Counting { place, .. }) => Some(place),
                _ => None,
            }
        });
        let [first, large, small] = places;
        assert_eq!((first.await, large.await, small.await), (Some(0), Some(2), Some(1)));
        release.send(()).expect("it waits");
        let ended = tokio::task::spawn_blocking(move || [ended.recv(), ended.recv()]);
        assert_eq!(ended.await.expect("both end"), [Ok("small"), Ok("large")]);
    }

    #[test]
    fn what_nobody_waits_for_stops_unless_others_may_ask_it() {
        for (is_common, ago, stops) in [(false, 40, true), (false, 1, false), (true, 40, false)] {
            let asked = Instant::now().checked_sub(Duration::from_secs(ago)).expect("it was on");
            let question = Question { text: String::new(), size: 1, is_common };
            let count = Count::new(question, Box::new(|_| Ok(Bytes::new())));
            *lock(&count.asked) = asked;
            count.advance(1);
            assert_eq!(count.stop.is_asked(), stops);
        }
    }
}
