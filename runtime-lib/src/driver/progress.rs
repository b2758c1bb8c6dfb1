//! The progress line of a long adjoint run.

use std::time::{Duration, Instant};

use crate::stats::Counts;

/// Least time between two lines.
const PAUSE: Duration = Duration::from_secs(1);

/// Progress of one schedule.
pub(super) struct Progress {
    name: String,
    steps: u64,
    start: Instant,
    shown: Option<Instant>,
}

impl Progress {
    pub(super) fn new(name: &str, steps: u64) -> Self {
        Self { name: name.into(), steps, start: Instant::now(), shown: None }
    }

    /// Writes a line to standard error, unless the last one was just before.
    pub(super) fn show(&mut self, counts: &Counts) {
        let now = Instant::now();
        let done = counts.reversed == self.steps;
        if !done && now - self.shown.unwrap_or(self.start) < PAUSE {
            return;
        }
        self.shown = Some(now);
        eprintln!("costate: {}", line(&self.name, self.steps, counts, now - self.start));
    }
}

fn line(name: &str, steps: u64, counts: &Counts, time: Duration) -> String {
    let (forward, backward) = (counts.forward(), counts.reversed);
    format!("`{name}`: {forward} forward steps, {backward} of {steps} backward, {:.1} s", time.as_secs_f64())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_line() {
        let counts = Counts { advanced: 90, recorded: 10, reversed: 5, ..Counts::default() };
        let text = line("burgers", 100, &counts, Duration::from_millis(2340));
        assert_eq!(text, "`burgers`: 100 forward steps, 5 of 100 backward, 2.3 s");
    }
}
