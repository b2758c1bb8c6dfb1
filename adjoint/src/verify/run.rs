//! Running drivers.

use std::io::Read;
use std::os::unix::process::CommandExt as _;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::{Arc, Mutex, mpsc};
use std::time::{Duration, Instant};

use super::compiler::{Failure, absolute, cannot};
use super::mpi::{MpiRuns, own_words};
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

/// Runs a program, in the processes of MPI if so, at a point with a number of threads, and its derivatives so many times
/// further; it writes figures to a file.
pub(super) fn run(
    (program, mpi): (&Path, Option<&MpiRuns>),
    figures: &Path,
    (variant, point, threads, further): (Variant, Point, usize, usize),
    seconds: u64,
) -> Result<Run, Failure> {
    let unkept = |e| cannot("the driver's output can't be kept", e);
    let (reader, writer) = std::io::pipe().map_err(unkept)?;
    let copy = writer.try_clone().map_err(unkept)?;
    let program = absolute(program);
    let mut command = mpi.map_or_else(|| Command::new(&program), |m| m.command(&program));
    if mpi.is_some() {
        command.process_group(0);
    }
    if variant == Variant::Checked {
        // The C library of Linux fills what is allocated, and not set yet, with large numbers.
        command.env("MALLOC_PERTURB_", "128");
    }
    // Memory that was freed keeps no values out of the reach of what fills it.
    command.env("GLIBC_TUNABLES", tunables(std::env::var("GLIBC_TUNABLES").ok()));
    // There may be more threads than processors: those that wait leave these to others.
    command.env("OMP_NUM_THREADS", threads.to_string()).env("OMP_WAIT_POLICY", "passive");
    let mut child = command
        .arg(figures)
        .arg(variant.name())
        .arg(point.word())
        .args((further > 0).then(|| further.to_string()))
        .stdin(Stdio::null())
        .stdout(writer)
        .stderr(copy)
        .spawn()
        .map_err(|e| cant_start(mpi, e))?;
    // It holds the writing end: without this the output would never be at its end.
    drop(command);
    let output = Output::of(reader);
    let start = Instant::now();
    let limit = Duration::from_secs(seconds);
    let mut pause = Duration::from_millis(2);
    let ended = |how: String, late: bool| Run {
        seconds: start.elapsed().as_secs_f64(),
        figures: std::fs::read_to_string(figures).unwrap_or_default(),
        said: output.last_lines(mpi.is_some()),
        crash: Some(Crash { how, late }),
    };
    loop {
        match child.try_wait().map_err(|e| cannot("the driver can't be waited for", e))? {
            Some(status) if status.success() || status.code() == Some(3) || mpi.is_some() && told(figures) => {
                let figures = std::fs::read_to_string(figures).map_err(|e| cannot("the driver wrote no figures", e))?;
                let seconds = start.elapsed().as_secs_f64();
                return Ok(Run { figures, said: output.last_lines(mpi.is_some()), seconds, crash: None });
            }
            Some(status) => return Ok(ended(ending(status), false)),
            None if start.elapsed() > limit => {
                match mpi {
                    Some(_) => stop_job(&mut child),
                    None => drop(child.kill()),
                }
                let _ = child.wait();
                let waiting = match (mpi, variant) {
                    (Some(_), Variant::Checked) => ", maybe in blocking sends, which wait for their receives here",
                    _ => "",
                };
                return Ok(ended(format!("stopped after {} s{waiting}", limit.as_secs()), true));
            }
            None => std::thread::sleep(pause),
        }
        pause = (pause * 2).min(Duration::from_millis(50));
    }
}

/// The user's settings for the C library of GNU, and that small pieces of memory aren't kept apart when they are freed.
fn tunables(given: Option<String>) -> String {
    given
        .into_iter()
        .filter(|g| !g.is_empty())
        .chain(["glibc.malloc.tcache_count=0".to_string()])
        .collect::<Vec<_>>()
        .join(":")
}

fn cant_start(mpi: Option<&MpiRuns>, e: std::io::Error) -> Failure {
    let Some(mpi) = mpi else { return cannot("the driver can't be run", e) };
    let mut d = cannot(&format!("`{}` can't be run", mpi.launcher.join(" ")), e);
    d.help = Some("name another launcher with `--mpirun`".to_string());
    d
}

/// Whether a driver said why it ends. What status a launcher passes on isn't known then.
fn told(figures: &Path) -> bool {
    let text = std::fs::read_to_string(figures).unwrap_or_default();
    text.lines().any(|l| ["gave-up ", "broken "].iter().any(|word| l.starts_with(word)))
}

/// Stops a launcher, which gets a little time to stop its processes, and then whatever is left of them.
fn stop_job(child: &mut Child) {
    let signal = |name: &str, target: String| {
        let _ = Command::new("kill").args(["-s", name, "--", &target]).stderr(Stdio::null()).status();
    };
    signal("TERM", child.id().to_string());
    let start = Instant::now();
    while start.elapsed() < Duration::from_secs(3) && matches!(child.try_wait(), Ok(None)) {
        std::thread::sleep(Duration::from_millis(20));
    }
    signal("KILL", format!("-{}", child.id()));
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
    fn last_lines(&self, launched: bool) -> Vec<String> {
        let _ = self.closed.recv_timeout(Duration::from_millis(500));
        let text = self.tail.lock().map(|t| String::from_utf8_lossy(&t).into_owned()).unwrap_or_default();
        let lines: Vec<&str> = text.lines().filter(|l| !l.trim().is_empty()).collect();
        let mut lines = match launched {
            true => own_words(&lines),
            false => lines.iter().map(|l| (*l).to_string()).collect(),
        };
        // Several processes may say the same.
        let most = if launched { 75 } else { 25 };
        lines.drain(..lines.len().saturating_sub(most));
        lines
    }
}

/// How a driver ended. Above 128 it passes on the signal that ended a run.
fn ending(status: std::process::ExitStatus) -> String {
    match status.code() {
        Some(code @ 129..160) => format!("signal: {}", code - 128),
        _ => status.to_string(),
    }
}
