//! The progress line of a long adjoint run.

use std::time::{Duration, Instant};

use crate::stats::Counts;
use crate::tell::tell;

/// Least time between two lines.
const PAUSE: Duration = Duration::from_secs(1);

/// Progress of one schedule.
pub(super) struct Progress {
    name: String,
    /// Steps of the loop, once they are known.
    pub(super) steps: Option<u64>,
    start: Instant,
    shown: Option<Instant>,
    done: bool,
}

impl Progress {
    pub(super) fn new(name: &str, steps: Option<u64>) -> Self {
        Self { name: name.into(), steps, start: Instant::now(), shown: None, done: false }
    }

    /// Writes a line to standard error, unless the last one was just before or said that all is done.
    pub(super) fn show(&mut self, counts: &Counts) {
        let now = Instant::now();
        let done = self.steps == Some(counts.reversed);
        if self.done || !done && now - self.shown.unwrap_or(self.start) < PAUSE {
            return;
        }
        self.done = done;
        self.shown = Some(now);
        tell(&format_args!("costate: {}", line(&self.name, self.steps, counts, now - self.start)));
    }
}

fn line(name: &str, steps: Option<u64>, counts: &Counts, time: Duration) -> String {
    let (forward, seconds) = (counts.forward(), time.as_secs_f64());
    let backward = steps.map_or(String::new(), |steps| format!(", {} of {steps} backward", counts.reversed));
    format!("`{name}`: {forward} forward steps{backward}, {seconds:.1} s")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_line() {
        let counts = Counts { advanced: 90, recorded: 10, reversed: 5, ..Counts::default() };
        let text = line("burgers", Some(100), &counts, Duration::from_millis(2340));
        assert_eq!(text, "`burgers`: 100 forward steps, 5 of 100 backward, 2.3 s");
        let text = line("burgers", None, &counts, Duration::from_millis(2340));
        assert_eq!(text, "`burgers`: 100 forward steps, 2.3 s");
    }
}
