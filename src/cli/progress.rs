//! Progress on a terminal.

use std::{
    fmt::Write,
    io::IsTerminal,
    sync::{Arc, Mutex},
    time::{Duration, Instant},
};

use indicatif::{ProgressBar, ProgressState, ProgressStyle};

use super::{say::say, units::seconds};
use crate::{lock::lock, progress::Progress, solve::Plan};

/// A bar on stderr, if that is a terminal.
pub struct Bar {
    bar: Mutex<ProgressBar>,
    /// Which table of how many is worked on: `table 5 of 12: `.
    place: Mutex<String>,
    clock: Option<Arc<Mutex<Clock>>>,
}

impl Bar {
    /// No bar yet; one appears when work begins.
    pub fn new() -> Bar {
        Bar { bar: Mutex::new(ProgressBar::hidden()), place: Mutex::default(), clock: None }
    }

    /// The same for a build, which says how long all of it will take.
    pub fn for_build(plan: &Plan) -> Bar {
        let estimates = plan.missing().map(|table| table.size.time.as_secs_f64()).collect();
        Bar { clock: Some(Arc::new(Mutex::new(Clock::new(estimates)))), ..Bar::new() }
    }

    /// The next table of the build begins.
    pub fn begin_table(&self) {
        let Some(clock) = &self.clock else { return };
        let mut clock = lock(clock);
        clock.next(Instant::now());
        self.table(clock.begun, clock.estimates.len());
    }

    /// Table `number` of `all` is worked on now.
    pub fn table(&self, number: usize, all: usize) {
        *lock(&self.place) =
            if all > 1 { format!("table {number} of {all}: ") } else { String::new() };
    }

    /// Takes the bar away and prints a line to stderr.
    pub fn say(&self, line: &str) {
        self.clear();
        say(line);
    }

    /// Takes the bar away.
    pub fn clear(&self) {
        lock(&self.bar).finish_and_clear();
    }

    fn style(&self) -> ProgressStyle {
        let clock = self.clock.clone();
        let left = move |state: &ProgressState, out: &mut dyn Write| {
            let left = match &clock {
                Some(clock) => Some(lock(clock).left(Instant::now())),
                // Who has just begun knows nothing.
                None => (state.pos() > 0 && state.elapsed() > Duration::from_secs(1))
                    .then(|| state.eta().as_secs_f64()),
            };
            let words = match left {
                Some(left) if left >= 1.0 => format!("about {} left", seconds(left)),
                _ => String::new(),
            };
            // The bar is drawn into memory.
            let _ = out.write_str(&words);
        };
        ProgressStyle::with_template("{msg:44!} {bar:24} {left}")
            .expect("a template that is tried in every build")
            .with_key("left", left)
    }
}

impl Progress for Bar {
    fn begin(&self, what: &str, steps: u64) {
        let mut bar = lock(&self.bar);
        bar.finish_and_clear();
        if !std::io::stderr().is_terminal() {
            return;
        }
        let message = format!("{}{what}", lock(&self.place));
        *bar = ProgressBar::new(steps).with_style(self.style()).with_message(message);
        bar.enable_steady_tick(Duration::from_millis(200));
    }

    fn advance(&self, steps: u64) {
        lock(&self.bar).inc(steps);
    }
}

/// How long a build has taken, and how long it will.
struct Clock {
    /// How long each table was thought to take, in seconds.
    estimates: Vec<f64>,
    start: Instant,
    /// How many tables have been begun, and when the last of them was.
    begun: usize,
    last: Instant,
}

impl Clock {
    fn new(estimates: Vec<f64>) -> Clock {
        let now = Instant::now();
        Clock { estimates, start: now, begun: 0, last: now }
    }

    fn next(&mut self, now: Instant) {
        self.begun += 1;
        self.last = now;
    }

    /// About how many seconds are left: as estimated, but slower or faster as the tables finished
    /// so far were.
    fn left(&self, now: Instant) -> f64 {
        let (begun, ahead) = self.estimates.split_at(self.begun);
        let Some((current, finished)) = begun.split_last() else { return ahead.iter().sum() };
        let estimated: f64 = finished.iter().sum();
        let took = (self.last - self.start).as_secs_f64();
        // The first tables are small and say little about the others.
        let pace = if estimated > 1.0 { took / estimated } else { 1.0 };
        let current = (current * pace - (now - self.last).as_secs_f64()).max(0.0);
        current + ahead.iter().sum::<f64>() * pace
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_time_left_follows_the_pace() {
        let mut clock = Clock::new(vec![10.0, 20.0, 40.0]);
        let after = |s| clock.start + Duration::from_secs(s);
        let times = [after(0), after(4), after(20), after(30), after(100)];
        assert!((clock.left(times[0]) - 70.0).abs() < 1e-9);
        clock.next(times[0]);
        assert!((clock.left(times[1]) - 66.0).abs() < 1e-9);
        // Twice as long as estimated.
        clock.next(times[2]);
        assert!((clock.left(times[2]) - 120.0).abs() < 1e-9);
        assert!((clock.left(times[3]) - 110.0).abs() < 1e-9);
        assert!((clock.left(times[4]) - 80.0).abs() < 1e-9);
    }
}
