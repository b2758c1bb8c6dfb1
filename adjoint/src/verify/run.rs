//! Running drivers.

use std::io::Read;
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::{Arc, Mutex, mpsc};
use std::time::{Duration, Instant};

use super::compiler::{Failure, absolute, cannot};
use super::point::Point;
use super::variant::Variant;

/// What came of a driver.
#[derive(Clone, Debug, Default)]
pub(super) struct Run {
    /// What it wrote to its file.
    pub(super) figures: String,
    /// The end of what it said.
    pub(super) said: Vec<String>,
    /// How long it took, in seconds.
    pub(super) seconds: f64,
    /// How it ended before its time.
    pub(super) crash: Option<Crash>,
}

/// An end before its time.
#[derive(Clone, Debug, Default)]
pub(super) struct Crash {
    /// How.
    pub(super) how: String,
    /// It was stopped, for it ran too long.
    pub(super) late: bool,
}

/// Runs a program at a point with a number of threads, which writes figures to a file.
pub(super) fn run(
    program: &Path,
    figures: &Path,
    (variant, point, threads): (Variant, Point, usize),
    seconds: u64,
) -> Result<Run, Failure> {
    let unkept = |e| cannot("the driver's output can't be kept", e);
    let (reader, writer) = std::io::pipe().map_err(unkept)?;
    let copy = writer.try_clone().map_err(unkept)?;
    let mut command = Command::new(absolute(program));
    if variant == Variant::Checked {
        // The C library of Linux fills what is allocated, and not set yet, with large numbers.
        command.env("MALLOC_PERTURB_", "128");
    }
    // There may be more threads than processors: those that wait leave these to others.
    command.env("OMP_NUM_THREADS", threads.to_string()).env("OMP_WAIT_POLICY", "passive");
    let mut child = command
        .arg(figures)
        .arg(variant.name())
        .arg(point.word())
        .stdin(Stdio::null())
        .stdout(writer)
        .stderr(copy)
        .spawn()
        .map_err(|e| cannot("the driver can't be run", e))?;
    // It holds the writing end: without this the output would never be at its end.
    drop(command);
    let output = Output::of(reader);
    let start = Instant::now();
    let limit = Duration::from_secs(seconds);
    let mut pause = Duration::from_millis(2);
    let ended = |how: String, late: bool| Run {
        seconds: start.elapsed().as_secs_f64(),
        figures: std::fs::read_to_string(figures).unwrap_or_default(),
        said: output.last_lines(),
        crash: Some(Crash { how, late }),
    };
    loop {
        match child.try_wait().map_err(|e| cannot("the driver can't be waited for", e))? {
            Some(status) if status.success() || status.code() == Some(3) => {
                let figures = std::fs::read_to_string(figures).map_err(|e| cannot("the driver wrote no figures", e))?;
                let seconds = start.elapsed().as_secs_f64();
                return Ok(Run { figures, said: output.last_lines(), seconds, crash: None });
            }
            Some(status) => return Ok(ended(ending(status), false)),
            None if start.elapsed() > limit => {
                let _ = child.kill();
                let _ = child.wait();
                return Ok(ended(format!("stopped after {} s", limit.as_secs()), true));
            }
            None => std::thread::sleep(pause),
        }
        pause = (pause * 2).min(Duration::from_millis(50));
    }
}

/// Lets a script be run by its name.
pub(super) fn make_executable(path: &Path) -> std::io::Result<()> {
    use std::os::unix::fs::PermissionsExt as _;
    std::fs::set_permissions(path, std::fs::Permissions::from_mode(0o755))
}

/// The end of what a driver writes: a model may write more than anyone wants to keep.
struct Output {
    tail: Arc<Mutex<Vec<u8>>>,
    closed: mpsc::Receiver<()>,
}

/// So many bytes of it are kept.
const TAIL: usize = 1 << 15;

impl Output {
    fn of(mut reader: std::io::PipeReader) -> Output {
        let tail = Arc::new(Mutex::new(Vec::new()));
        let (close, closed) = mpsc::channel();
        let kept = Arc::clone(&tail);
        std::thread::spawn(move || {
            let mut chunk = [0; 1 << 14];
            while let Ok(n @ 1..) = reader.read(&mut chunk) {
                let Ok(mut kept) = kept.lock() else { break };
                kept.extend_from_slice(&chunk[..n]);
                let extra = kept.len().saturating_sub(TAIL);
                kept.drain(..extra);
            }
            let _ = close.send(());
        });
        Output { tail, closed }
    }

    /// The last lines; waits a little for those on the way, but not for a process that was left behind.
    fn last_lines(&self) -> Vec<String> {
        let _ = self.closed.recv_timeout(Duration::from_millis(500));
        let text = self.tail.lock().map(|t| String::from_utf8_lossy(&t).into_owned()).unwrap_or_default();
        let lines: Vec<&str> = text.lines().filter(|l| !l.trim().is_empty()).collect();
        lines[lines.len().saturating_sub(25)..].iter().map(|l| (*l).to_string()).collect()
    }
}

/// How a driver ended. Above 128 it passes on the signal that ended a run.
fn ending(status: std::process::ExitStatus) -> String {
    match status.code() {
        Some(code @ 129..160) => format!("signal: {}", code - 128),
        _ => status.to_string(),
    }
}
