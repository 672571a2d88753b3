//! What the server has done, for Prometheus.

use std::{
    collections::BTreeMap,
    fmt::Write,
    sync::{
        Mutex,
        atomic::{AtomicU64, Ordering::Relaxed},
    },
    time::{Duration, Instant},
};

use axum::http::StatusCode;

use crate::{explore::Missing, lock::lock};

/// Upper bounds of how long answers took, in seconds.
const BOUNDS: [f64; 8] = [0.0005, 0.001, 0.005, 0.01, 0.05, 0.1, 1.0, 10.0];

/// How many missing tables are counted one by one, or visitors could fill the memory.
const MISSING: usize = 1000;

/// Counters that only grow, and gauges.
#[derive(Debug, Default)]
pub struct Metrics {
    /// Responses by the first digit of their status, 1 to 5.
    responses: [AtomicU64; 5],
    /// Responses that took at most as long as each bound, and longer than the one before.
    times: [AtomicU64; BOUNDS.len() + 1],
    nanoseconds: AtomicU64,
    /// Answers found in the cache.
    pub cached: AtomicU64,
    /// Answers looked up.
    pub looked_up: AtomicU64,
    /// Requests refused since too much was asked at once.
    pub refused: AtomicU64,
    /// Connections that are open.
    pub connections: AtomicU64,
    /// Requests that failed for want of a table, by its game and material; none for those beyond
    /// [`MISSING`].
    missing: Mutex<BTreeMap<Option<(&'static str, String)>, u64>>,
}

impl Metrics {
    /// Counts a response that took so long.
    pub fn respond(&self, status: StatusCode, took: Duration) {
        let class = usize::from(status.as_u16() / 100).clamp(1, 5);
        self.responses[class - 1].fetch_add(1, Relaxed);
        let seconds = took.as_secs_f64();
        let at = BOUNDS.iter().position(|&bound| seconds <= bound).unwrap_or(BOUNDS.len());
        self.times[at].fetch_add(1, Relaxed);
        let nanoseconds = u64::try_from(took.as_nanos()).unwrap_or(u64::MAX);
        self.nanoseconds.fetch_add(nanoseconds, Relaxed);
    }

    /// Counts a request that failed for want of a table.
    pub fn miss(&self, table: &Missing) {
        let mut missing = lock(&self.missing);
        let key = Some((table.game, table.material.clone()));
        let is_known = missing.len() < MISSING || missing.contains_key(&key);
        *missing.entry(key.filter(|_| is_known)).or_default() += 1;
    }

    /// The text that Prometheus reads; `blocks` and `answers` are the bytes that both caches hold.
    pub fn text(&self, started: Instant, blocks: u64, answers: u64) -> String {
        let mut text = String::new();
        let mut metric = |name: &str, kind: &str, help: &str, samples: &[(String, f64)]| {
            let _ = writeln!(text, "# HELP finale_{name} {help}\n# TYPE finale_{name} {kind}");
            for (labels, value) in samples {
                let _ = writeln!(text, "finale_{name}{labels} {value}");
            }
        };
        let plain = |count: &AtomicU64| vec![(String::new(), count.load(Relaxed) as f64)];
        let classes = (1..).zip(&self.responses).map(|(class, count)| {
            (format!("{{status=\"{class}xx\"}}"), count.load(Relaxed) as f64)
        });
        metric(
            "responses_total",
            "counter",
            "Responses sent, by status.",
            &classes.collect::<Vec<_>>(),
        );
        let mut times = Vec::new();
        let mut sum = 0;
        let ends = BOUNDS.iter().map(f64::to_string).chain(["+Inf".to_owned()]);
        for (end, count) in ends.zip(&self.times) {
            sum += count.load(Relaxed);
            times.push((format!("_bucket{{le=\"{end}\"}}"), sum as f64));
        }
        times.push(("_sum".to_owned(), self.nanoseconds.load(Relaxed) as f64 / 1e9));
        times.push(("_count".to_owned(), sum as f64));
        metric("response_seconds", "histogram", "How long responses took.", &times);
        let help = "Answers that were found in the cache.";
        metric("answers_cached_total", "counter", help, &plain(&self.cached));
        let help = "Answers that were looked up in tables.";
        metric("answers_looked_up_total", "counter", help, &plain(&self.looked_up));
        let help = "Requests refused since too much was asked at once.";
        metric("refused_total", "counter", help, &plain(&self.refused));
        let missing = lock(&self.missing);
        let missing = missing.iter().map(|(table, &count)| {
            let labels = match table {
                Some((game, material)) => format!("{{game=\"{game}\",material=\"{material}\"}}"),
                None => "{game=\"\",material=\"others\"}".to_owned(),
            };
            (labels, count as f64)
        });
        let help = "Requests that failed for want of a table.";
        metric("missing_total", "counter", help, &missing.collect::<Vec<_>>());
        metric("connections", "gauge", "Open connections.", &plain(&self.connections));
        let gauge = |value: f64| [(String::new(), value)];
        let help = "Bytes of unpacked table blocks in memory.";
        metric("block_cache_bytes", "gauge", help, &gauge(blocks as f64));
        let help = "Bytes of answers in memory.";
        metric("answer_cache_bytes", "gauge", help, &gauge(answers as f64));
        let help = "Seconds since the server started.";
        metric("uptime_seconds", "gauge", help, &gauge(started.elapsed().as_secs_f64()));
        text
    }
}
