//! Many questions over many connections.

use std::{
    fmt,
    sync::atomic::{AtomicUsize, Ordering::Relaxed},
    thread,
    time::{Duration, Instant},
};

use anyhow::{Result, ensure};

use super::{client::Client, server::Server};

/// How soon answers came.
pub struct Times {
    /// How long each took, the shortest first.
    each: Vec<Duration>,
    all: Duration,
    /// How long the threads of the server had a core.
    busy: Duration,
}

impl Times {
    /// What so many of a hundred answers took at most.
    fn percentile(&self, percent: usize) -> Duration {
        self.each[(self.each.len() * percent / 100).min(self.each.len() - 1)]
    }
}

impl fmt::Display for Times {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let rate = self.each.len() as f64 / self.all.as_secs_f64();
        let milliseconds = |time: Duration| time.as_secs_f64() * 1000.0;
        write!(
            f,
            "{rate:.0} answers a second; half under {:.1} ms, 99 % under {:.1} ms, all under {:.1} ms; \
             {:.0} µs of a core each",
            milliseconds(self.percentile(50)),
            milliseconds(self.percentile(99)),
            milliseconds(self.percentile(100)),
            self.busy.as_secs_f64() * 1e6 / self.each.len() as f64,
        )
    }
}

/// Asks all questions, each connection one after the other.
pub fn load(server: &Server, questions: &[String], connections: usize) -> Result<Times> {
    let next = AtomicUsize::new(0);
    let client = || -> Result<Vec<Duration>> {
        let mut client = Client::connect(server.address)?;
        let (mut body, mut times) = (Vec::new(), Vec::new());
        while let Some(question) = questions.get(next.fetch_add(1, Relaxed)) {
            let start = Instant::now();
            let status = client.get(question, &mut body)?;
            times.push(start.elapsed());
            let said = String::from_utf8_lossy(&body);
            ensure!(status == 200, "{question}: {status} {said}");
            ensure!(said.contains("\"turns\":["), "{question} has no turns: {said}");
        }
        Ok(times)
    };
    let idle = server.busy()?;
    let start = Instant::now();
    let times: Vec<Result<Vec<Duration>>> = thread::scope(|scope| {
        let clients: Vec<_> = (0..connections).map(|_| scope.spawn(client)).collect();
        clients.into_iter().map(|client| client.join().expect("clients do not panic")).collect()
    });
    let all = start.elapsed();
    let mut each = Vec::new();
    for times in times {
        each.extend(times?);
    }
    each.sort_unstable();
    Ok(Times { each, all, busy: server.busy()? - idle })
}
