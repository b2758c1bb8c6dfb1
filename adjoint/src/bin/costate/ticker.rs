//! A line on a terminal that says what a long run is doing.

use std::io::{IsTerminal, Write};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use costate_adjoint::progress;

/// Before this time nothing is said.
const PATIENCE: Duration = Duration::from_secs(2);
/// How often the line is written again.
const PAUSE: Duration = Duration::from_millis(200);
/// Erases the line that the cursor stands in.
const ERASE: &str = "\r\x1b[K";
/// A line that is longer would be broken, and not be erased whole.
const WIDTH: usize = 76;

#[derive(Default)]
struct State {
    /// A line stands on the terminal.
    shown: bool,
    /// Nothing more is said.
    over: bool,
}

/// Writes and erases the line.
#[derive(Clone, Default)]
pub(crate) struct Ticker(Arc<Mutex<State>>);

impl Ticker {
    /// Starts it where standard error is a terminal.
    pub(crate) fn start() -> Ticker {
        let ticker = Ticker::default();
        if !std::io::stderr().is_terminal() {
            return ticker;
        }
        let state = Arc::clone(&ticker.0);
        let start = Instant::now();
        // Without a thread there is nothing to see, and no harm done.
        let _ = thread::Builder::new().spawn(move || {
            loop {
                thread::sleep(PAUSE);
                let mut state = state.lock().unwrap_or_else(PoisonError::into_inner);
                if state.over {
                    return;
                }
                if start.elapsed() >= PATIENCE {
                    let text = line(&progress::current(), start.elapsed());
                    let _ = write!(std::io::stderr(), "{ERASE}{text}");
                    state.shown = true;
                }
            }
        });
        ticker
    }

    /// Makes room for messages.
    pub(crate) fn clear(&self) {
        let mut state = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if std::mem::take(&mut state.shown) {
            let _ = write!(std::io::stderr(), "{ERASE}");
        }
    }

    /// Says nothing more.
    pub(crate) fn stop(&self) {
        self.clear();
        self.0.lock().unwrap_or_else(PoisonError::into_inner).over = true;
    }
}

/// `compiling m_b.f90 (12 s)`
fn line(stage: &str, elapsed: Duration) -> String {
    let stage = if stage.is_empty() { "working" } else { stage };
    let seconds = format!(" ({} s)", elapsed.as_secs());
    let room = WIDTH - seconds.len().min(WIDTH);
    let plain = |c: char| if c.is_control() { ' ' } else { c };
    let mut text: String = stage.chars().map(plain).take(room).collect();
    text.push_str(&seconds);
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_fits_a_terminal() {
        assert_eq!(line("compiling m.f90", Duration::from_millis(12_300)), "compiling m.f90 (12 s)");
        assert_eq!(line("", Duration::from_secs(3)), "working (3 s)");
        assert_eq!(line(&"a\n".repeat(200), Duration::from_secs(3)).chars().count(), WIDTH);
        assert!(!line("a\x1b[2J", Duration::from_secs(3)).contains('\x1b'));
    }
}
