//! Statistics of the whole process: what was held at most, how many steps were run, where the time went.
//!
//! Counted are tapes and snapshots that this library holds. Saves in local arrays of the generated code are not seen here.

use std::fmt::{self, Write as _};
use std::fs;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use crate::settings::{self, Report};
use crate::tell::tell;

/// A number of bytes and its largest value so far. All accesses are relaxed: nothing is ordered by them.
#[derive(Debug, Default)]
pub(crate) struct Gauge {
    now: AtomicUsize,
    peak: AtomicUsize,
}

impl Gauge {
    const fn new() -> Self {
        Self { now: AtomicUsize::new(0), peak: AtomicUsize::new(0) }
    }

    pub(crate) fn add(&self, bytes: usize) {
        let now = self.now.fetch_add(bytes, Ordering::Relaxed) + bytes;
        self.peak.fetch_max(now, Ordering::Relaxed);
    }

    pub(crate) fn sub(&self, bytes: usize) {
        self.now.fetch_sub(bytes, Ordering::Relaxed);
    }

    pub(crate) fn now(&self) -> usize {
        self.now.load(Ordering::Relaxed)
    }

    fn peak(&self) -> usize {
        self.peak.load(Ordering::Relaxed)
    }
}

/// Bytes of blocks on tapes.
pub(crate) static TAPES: Gauge = Gauge::new();
/// Bytes of snapshots in memory, those on their way to the disk and back included.
pub(crate) static MEMORY: Gauge = Gauge::new();
/// Bytes of snapshots on disk, compressed where they are.
pub(crate) static DISK: Gauge = Gauge::new();

/// What a schedule has its caller do, as far as time is concerned.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Phase {
    Advance,
    Snapshot,
    Restore,
    Record,
    Reverse,
}

impl Phase {
    pub(crate) const ALL: [(Self, &str); 5] = [
        (Self::Advance, "advance"),
        (Self::Snapshot, "snapshot"),
        (Self::Restore, "restore"),
        (Self::Record, "record"),
        (Self::Reverse, "reverse"),
    ];
}

/// What schedules did.
#[derive(Debug, Clone, Default)]
pub(crate) struct Counts {
    /// Schedules that came to their end.
    pub(crate) schedules: u64,
    /// Steps run forward without saving.
    pub(crate) advanced: u64,
    /// Steps run forward with saving.
    pub(crate) recorded: u64,
    /// Steps run backward.
    pub(crate) reversed: u64,
    /// Snapshots taken.
    pub(crate) snapshots: u64,
    /// Snapshots read.
    pub(crate) restores: u64,
    /// By phase.
    pub(crate) time: [Duration; Phase::ALL.len()],
}

impl Counts {
    const ZERO: Self = Self {
        schedules: 0,
        advanced: 0,
        recorded: 0,
        reversed: 0,
        snapshots: 0,
        restores: 0,
        time: [Duration::ZERO; Phase::ALL.len()],
    };

    pub(crate) fn spend(&mut self, phase: Phase, time: Duration) {
        self.time[phase as usize] += time;
    }

    /// All steps run forward, with and without saving.
    pub(crate) fn forward(&self) -> u64 {
        self.advanced + self.recorded
    }

    fn add(&mut self, other: &Self) {
        self.schedules += other.schedules;
        self.advanced += other.advanced;
        self.recorded += other.recorded;
        self.reversed += other.reversed;
        self.snapshots += other.snapshots;
        self.restores += other.restores;
        self.time.iter_mut().zip(other.time).for_each(|(sum, time)| *sum += time);
    }
}

static COUNTS: Mutex<Counts> = Mutex::new(Counts::ZERO);

/// Adds what a schedule did to the figures of the process.
pub(crate) fn add(counts: &Counts) {
    COUNTS.lock().unwrap_or_else(|poisoned| poisoned.into_inner()).add(counts);
}

/// Writes the statistics where the user wants them.
pub(crate) fn report() {
    let counts = COUNTS.lock().unwrap_or_else(|poisoned| poisoned.into_inner()).clone();
    match &settings::get().stats {
        None => {}
        Some(Report::Text) => tell(&text(&counts).trim_end()),
        Some(Report::Json) => tell(&json(&counts)),
        Some(Report::File(path)) => {
            if let Err(why) = fs::write(path, json(&counts) + "\n") {
                tell(&format_args!("costate: the statistics can't be written to {}: {why}", path.display()));
            }
        }
    }
}

fn text(counts: &Counts) -> String {
    let mut text = String::from("costate: statistics\n");
    let mut line = |name: &str, value: &dyn fmt::Display| {
        let _ = writeln!(text, "costate:   {name:<24} {value}");
    };
    line("peak of tapes", &Bytes(TAPES.peak()));
    line("peak of snapshots", &format_args!("{} in memory, {} on disk", Bytes(MEMORY.peak()), Bytes(DISK.peak())));
    line("schedules", &counts.schedules);
    let (forward, recorded) = (counts.forward(), counts.recorded);
    line("forward steps", &format_args!("{forward}, of these {recorded} with saving"));
    line("backward steps", &counts.reversed);
    line("snapshots", &format_args!("{} taken, {} restored", counts.snapshots, counts.restores));
    for (phase, name) in Phase::ALL {
        line(&format!("time in {name}"), &format_args!("{:.3} s", counts.time[phase as usize].as_secs_f64()));
    }
    text
}

/// One line. Times are in seconds, sizes in bytes.
fn json(counts: &Counts) -> String {
    let times: Vec<_> = Phase::ALL
        .iter()
        .map(|&(phase, name)| format!("\"{name}\": {:.6}", counts.time[phase as usize].as_secs_f64()))
        .collect();
    format!(
        "{{\"peak_tape_bytes\": {}, \"peak_snapshot_bytes\": {{\"memory\": {}, \"disk\": {}}}, \"schedules\": {}, \
         \"forward_steps\": {}, \"recorded_steps\": {}, \"backward_steps\": {}, \"snapshots_taken\": {}, \
         \"snapshots_restored\": {}, \"seconds\": {{{}}}}}",
        TAPES.peak(),
        MEMORY.peak(),
        DISK.peak(),
        counts.schedules,
        counts.forward(),
        counts.recorded,
        counts.reversed,
        counts.snapshots,
        counts.restores,
        times.join(", ")
    )
}

/// A number of bytes as people read it.
pub(crate) struct Bytes(pub(crate) usize);

impl fmt::Display for Bytes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        const UNITS: [&str; 5] = ["bytes", "KiB", "MiB", "GiB", "TiB"];
        #[allow(clippy::cast_precision_loss)]
        let mut value = self.0 as f64;
        let mut unit = 0;
        while value >= 1024.0 && unit + 1 < UNITS.len() {
            value /= 1024.0;
            unit += 1;
        }
        if unit == 0 { write!(f, "{value} bytes") } else { write!(f, "{value:.1} {}", UNITS[unit]) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_gauge_keeps_its_peak() {
        let gauge = Gauge::new();
        gauge.add(5);
        gauge.add(7);
        gauge.sub(10);
        gauge.add(1);
        assert_eq!((gauge.now(), gauge.peak()), (3, 12));
    }

    #[test]
    fn figures_are_written_by_name() {
        let mut counts = Counts { advanced: 4, recorded: 3, reversed: 3, ..Counts::default() };
        counts.spend(Phase::Record, Duration::from_millis(1500));
        assert!(text(&counts).contains("forward steps            7, of these 3 with saving\n"), "{}", text(&counts));
        assert!(json(&counts).contains("\"forward_steps\": 7, \"recorded_steps\": 3"), "{}", json(&counts));
        assert!(json(&counts).contains("\"record\": 1.500000"), "{}", json(&counts));
    }

    #[test]
    fn sizes_are_readable() {
        assert_eq!(Bytes(1000).to_string(), "1000 bytes");
        assert_eq!(Bytes(65536).to_string(), "64.0 KiB");
    }
}
