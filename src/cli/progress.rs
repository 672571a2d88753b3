//! Progress on a terminal.

use std::{io::IsTerminal, sync::Mutex, time::Duration};

use indicatif::{ProgressBar, ProgressStyle};

use super::say::say;
use crate::progress::Progress;

/// A bar on stderr, if that is a terminal.
pub struct Bar(Mutex<ProgressBar>);

impl Bar {
    /// No bar yet; one appears when work begins.
    pub fn new() -> Bar {
        Bar(Mutex::new(ProgressBar::hidden()))
    }

    /// Takes the bar away and prints a line to stderr.
    pub fn say(&self, line: &str) {
        self.clear();
        say(line);
    }

    /// Takes the bar away.
    pub fn clear(&self) {
        self.bar().finish_and_clear();
    }

    fn bar(&self) -> std::sync::MutexGuard<'_, ProgressBar> {
        self.0.lock().expect("no holder panics")
    }
}

impl Progress for Bar {
    fn begin(&self, what: &str, steps: u64) {
        let mut bar = self.bar();
        bar.finish_and_clear();
        if !std::io::stderr().is_terminal() {
            return;
        }
        let style = ProgressStyle::with_template("{msg:32!} {bar:30} {percent:>3}%  {eta} left")
            .expect("a template that is tried in every build");
        *bar = ProgressBar::new(steps).with_style(style).with_message(what.to_owned());
        bar.enable_steady_tick(Duration::from_millis(200));
    }

    fn advance(&self, steps: u64) {
        self.bar().inc(steps);
    }
}
