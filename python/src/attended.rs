//! Long work on all cores, without Python's lock, while a thread of Python waits for it: it shows
//! how the work goes on, and hears of Ctrl-C.

use std::{
    panic::resume_unwind,
    process,
    sync::{
        Arc, Mutex, OnceLock, PoisonError,
        atomic::{
            AtomicBool, AtomicU64,
            Ordering::{Acquire, Relaxed, Release},
        },
    },
    thread::{self, Thread},
    time::Duration,
};

use finale::progress::{Progress, Stop};
use pyo3::{exceptions::PyRuntimeError, prelude::*};
use rayon::{ThreadPool, ThreadPoolBuilder};

/// How often Python looks at work that goes on.
const PATIENCE: Duration = Duration::from_millis(50);

/// The process that imported this.
static PROCESS: OnceLock<u32> = OnceLock::new();

/// The threads of a process. A process that was forked has none of those its parent had, and makes
/// its own.
static THREADS: Mutex<Option<(u32, Arc<ThreadPool>)>> = Mutex::new(None);

/// Notes which process this is.
pub fn note_process() {
    PROCESS.get_or_init(process::id);
}

/// The threads of this process, one for each core.
fn threads() -> PyResult<Arc<ThreadPool>> {
    let mut threads = THREADS.lock().unwrap_or_else(PoisonError::into_inner);
    match &*threads {
        Some((process, pool)) if *process == process::id() => Ok(pool.clone()),
        _ => {
            let pool = ThreadPoolBuilder::new().build();
            let pool = pool.map_err(|error| PyRuntimeError::new_err(error.to_string()))?;
            let pool = Arc::new(pool);
            // That of a parent is not waited for: its threads are not here.
            std::mem::forget(threads.replace((process::id(), pool.clone())));
            Ok(pool)
        }
    }
}

/// Short work without Python's lock: in this thread, unless the process was forked.
///
/// # Errors
/// If there are no threads to be had.
pub fn unlocked<T: Send>(py: Python<'_>, work: impl FnOnce() -> T + Send) -> PyResult<T> {
    if PROCESS.get() == Some(&process::id()) {
        return Ok(py.detach(work));
    }
    let pool = threads()?;
    Ok(py.detach(|| pool.install(work)))
}

/// How far work is, as those who wait for it see it.
#[derive(Default)]
struct Shown {
    stop: Stop,
    /// What is done at the moment, and how many parts of the work have begun.
    what: Mutex<(String, u64)>,
    done: AtomicU64,
    steps: AtomicU64,
}

impl Progress for Shown {
    fn begin(&self, what: &str, steps: u64) {
        let mut shown = self.what.lock().unwrap_or_else(PoisonError::into_inner);
        *shown = (what.to_owned(), shown.1 + 1);
        self.done.store(0, Relaxed);
        self.steps.store(steps, Relaxed);
    }

    fn advance(&self, steps: u64) {
        self.done.fetch_add(steps, Relaxed);
    }

    fn stop(&self) -> Option<&Stop> {
        Some(&self.stop)
    }
}

impl Shown {
    /// Lets Python look: `watch(what, part, done, steps)`, if somebody watches.
    fn look(&self, py: Python<'_>, watch: Option<&Py<PyAny>>) -> PyResult<()> {
        py.check_signals()?;
        let Some(watch) = watch else { return Ok(()) };
        let (what, part) = self.what.lock().unwrap_or_else(PoisonError::into_inner).clone();
        watch.call1(py, (what, part, self.done.load(Relaxed), self.steps.load(Relaxed)))?;
        Ok(())
    }
}

/// Does long work on all cores. Once Python raises something meanwhile, be it for Ctrl-C or in
/// `watch`, the work is stopped, and that is raised when it has.
///
/// # Errors
/// What Python raises.
pub fn attended<T: Send>(
    py: Python<'_>,
    watch: Option<&Py<PyAny>>,
    work: impl FnOnce(&dyn Progress) -> T + Send,
) -> PyResult<T> {
    let (pool, shown, ended) = (threads()?, Shown::default(), AtomicBool::new(false));
    let here = thread::current();
    thread::scope(|scope| {
        let worker = scope.spawn(|| {
            let _end = End { ended: &ended, waiting: here };
            pool.install(|| work(&shown))
        });
        let mut raised = None;
        while !ended.load(Acquire) {
            py.detach(|| thread::park_timeout(PATIENCE));
            if raised.is_none() && !ended.load(Acquire) {
                raised = shown.look(py, watch).err();
                raised.iter().for_each(|_| shown.stop.ask());
            }
        }
        let done = py.detach(|| worker.join()).unwrap_or_else(|panic| resume_unwind(panic));
        raised.map_or(Ok(done), Err)
    })
}

/// Tells that work has ended, however it did.
struct End<'a> {
    ended: &'a AtomicBool,
    waiting: Thread,
}

impl Drop for End<'_> {
    fn drop(&mut self) {
        self.ended.store(true, Release);
        self.waiting.unpark();
    }
}
