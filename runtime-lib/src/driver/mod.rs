//! Drives a time loop through the actions of a schedule.
//!
//! The caller asks for the next action, does it, and asks again. Snapshots, their tiers, statistics and progress are
//! the driver's business; what a step does is the caller's.

mod found;
mod progress;
mod source;

use std::collections::VecDeque;
use std::path::PathBuf;
use std::time::Instant;

use costate_schedules::action::{Action, Tier};

use crate::settings;
use crate::stats::{self, Counts, Phase};
use crate::store::buffer::User;
use crate::store::{Failure, Store};
use crate::verify::{Difference, Verify};
use progress::Progress;
pub use source::KINDS;
use source::{KEEP_TAPES, Source};

/// Actions that are looked at before they are due, so that a snapshot on disk is read in time.
const AHEAD: usize = 6;

/// What a loop asks for.
#[derive(Debug, Clone, Default)]
pub struct Request {
    /// Name of the loop in messages.
    pub name: String,
    /// Name of the kind of schedule, see [`KINDS`].
    pub kind: String,
    /// Number of the first step.
    pub first: i64,
    /// Number of the last step; below `first` when there is none. It doesn't matter where the end is announced.
    pub last: i64,
    /// Snapshots in memory, or slots for a snapshot or a step's tape each; 0 in both tiers means that the schedule chooses.
    pub snapshots: u64,
    /// Snapshots on disk.
    pub on_disk: u64,
    /// For the schedule that goes by bytes.
    pub bytes: Option<Sizes>,
    /// Folder of snapshots on disk; none means the system's folder for temporary files.
    pub folder: Option<PathBuf>,
}

/// Sizes in bytes.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Sizes {
    /// Of a snapshot.
    pub snapshot: u64,
    /// Of the tape of one step.
    pub tape: u64,
    /// Of the memory that all snapshots in memory and all tapes but one may take; that of [`Request::snapshots`] when
    /// it isn't given.
    pub memory: Option<u64>,
}

/// An action as the caller sees it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Order {
    /// What to do.
    pub what: What,
    /// The first step that it concerns.
    pub from: i64,
    /// The last one. Below `from` where it concerns none.
    pub to: i64,
}

/// What the caller is to do. The numbers are those of the Fortran interface.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(i32)]
pub enum What {
    /// All is done.
    Done = 0,
    /// Run steps forward.
    Advance = 1,
    /// Put the state into a snapshot.
    Snapshot = 2,
    /// Get the state from a snapshot.
    Restore = 3,
    /// Run steps forward and save what their adjoints need.
    Record = 4,
    /// Run the adjoints of steps, the last step first.
    Reverse = 5,
}

/// A loop that is being run through a schedule.
pub struct Schedule {
    name: String,
    first: i64,
    source: Source,
    ahead: VecDeque<Action>,
    store: Store,
    counts: Counts,
    doing: Option<(Phase, Instant)>,
    progress: Option<Progress>,
    verify: Verify,
    // Dropped last: when the snapshots are gone.
    _user: User,
}

impl Schedule {
    /// Starts a schedule.
    ///
    /// # Errors
    /// Where there is no such kind of schedule, none fits the budget, or no file can be made for snapshots on disk.
    pub fn start(request: Request) -> Result<Self, Failure> {
        let steps = request.last.checked_sub(request.first).and_then(|d| d.checked_add(1)).unwrap_or(i64::MAX);
        let steps = u64::try_from(steps).unwrap_or(0);
        let source = Source::new(&request, steps)?;
        let settings = settings::get();
        let folder = settings.disk.clone().or(request.folder).unwrap_or_else(std::env::temp_dir);
        let store = Store::new((request.on_disk > 0).then_some(&*folder), settings.compress)?;
        let store = if KEEP_TAPES.contains(&request.kind.as_str()) { store.giving_back() } else { store };
        Ok(Self {
            progress: settings.progress.then(|| Progress::new(&request.name, (!source.is_open()).then_some(steps))),
            name: request.name,
            first: request.first,
            source,
            ahead: VecDeque::new(),
            store,
            counts: Counts::default(),
            doing: None,
            verify: Verify::default(),
            _user: User::new(),
        })
    }

    /// Name of the loop.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The next action; what the one before asked for has been done.
    ///
    /// # Errors
    /// Where a snapshot can't be kept or read.
    #[allow(clippy::should_implement_trait)]
    pub fn next(&mut self) -> Result<Order, Failure> {
        self.finish()?;
        let order = loop {
            let Some(action) = self.pull() else { break self.order(What::Done, 0, 0) };
            if let Some(order) = self.begin(action)? {
                break order;
            }
        };
        self.prefetch();
        Ok(order)
    }

    /// What the caller is to do for an action, if anything.
    fn begin(&mut self, action: Action) -> Result<Option<Order>, Failure> {
        let now = Instant::now();
        let (phase, order) = match action {
            Action::Advance { from, to } => {
                self.counts.advanced += to - from;
                (Phase::Advance, self.order(What::Advance, from, to))
            }
            Action::Forward { from, to } => {
                self.counts.recorded += to - from;
                (Phase::Record, self.order(What::Record, from, to))
            }
            Action::Backward { from, to } => {
                self.counts.reversed += to - from;
                (Phase::Reverse, self.order(What::Reverse, from, to))
            }
            Action::Snapshot { slot, step } => {
                self.counts.snapshots += 1;
                self.store.write(slot)?;
                (Phase::Snapshot, self.order(What::Snapshot, step, step))
            }
            Action::Restore { slot, step } => {
                self.counts.restores += 1;
                self.store.read(slot)?;
                (Phase::Restore, self.order(What::Restore, step, step))
            }
            Action::Free { slot } => {
                self.store.free(slot);
                return Ok(None);
            }
        };
        self.doing = Some((phase, now));
        Ok(Some(order))
    }

    /// In the caller's numbers, with the last step for the one after it.
    fn order(&self, what: What, from: u64, to: u64) -> Order {
        let number = |step: u64| self.first.wrapping_add_unsigned(step);
        Order { what, from: number(from), to: number(to).wrapping_sub(1) }
    }

    /// The action before is done.
    fn finish(&mut self) -> Result<(), Failure> {
        self.store.finish()?;
        if let Some((phase, since)) = self.doing.take() {
            self.counts.spend(phase, since.elapsed());
        }
        if let Some(progress) = &mut self.progress {
            progress.show(&self.counts);
        }
        Ok(())
    }

    fn pull(&mut self) -> Option<Action> {
        // What follows the next step of an open loop isn't known.
        let ahead = if self.source.is_open() { 0 } else { AHEAD };
        while self.ahead.len() <= ahead {
            let Some(action) = self.source.next() else { break };
            self.ahead.push_back(action);
        }
        self.ahead.pop_front()
    }

    /// Has the snapshot on disk read that is restored next, unless it is yet to be taken.
    fn prefetch(&self) {
        for action in &self.ahead {
            match *action {
                Action::Snapshot { slot, .. } if slot.tier == Tier::Disk => return,
                Action::Restore { slot, .. } if slot.tier == Tier::Disk => return self.store.prefetch(slot),
                _ => {}
            }
        }
    }

    /// The loop has come to its end: the step that ran last was its last one.
    ///
    /// # Errors
    /// Where the schedule knew the number of steps.
    pub fn stop(&mut self) -> Result<(), Failure> {
        let known = || Failure::Misuse("the end of a loop was announced whose number of steps is known".into());
        let steps = self.source.stop().ok_or_else(known)?;
        if let Some(progress) = &mut self.progress {
            progress.steps = Some(steps);
        }
        Ok(())
    }

    /// Appends an array to the snapshot that is being taken.
    ///
    /// # Errors
    /// Where there is no memory for it, or no snapshot is being taken.
    pub fn put(&mut self, array: &[u8]) -> Result<(), Failure> {
        self.store.put(array)
    }

    /// Reads the next array of the snapshot that is being restored.
    ///
    /// # Errors
    /// Where that array was not put there.
    pub fn get(&mut self, array: &mut [u8]) -> Result<(), Failure> {
        self.store.get(array)
    }

    /// Compares a value with what it was when it was computed first.
    pub(crate) fn verify(&mut self, name: &str, step: i64, value: &[u8]) -> Result<(), Difference> {
        self.verify.see(name, step, value)
    }

    /// Ends the schedule, done or not.
    ///
    /// # Errors
    /// Where a snapshot could not be written.
    pub fn end(mut self) -> Result<(), Failure> {
        self.finish()?;
        self.counts.schedules = 1;
        stats::add(&self.counts);
        self.store.close()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn request(kind: &str, first: i64, last: i64, snapshots: u64, on_disk: u64) -> Request {
        Request { name: "loop".into(), kind: kind.into(), first, last, snapshots, on_disk, ..Request::default() }
    }

    /// The sum of the squares of a recurrence's values, and its derivative with respect to the start, by a schedule.
    fn derivative(request: Request) -> f64 {
        let step = |x: f64, k: i64| x + 0.01 * (x * x).sin() * f64::from(i32::try_from(k).expect("small"));
        let slope = |x: f64, k: i64| 1.0 + 0.02 * x * (x * x).cos() * f64::from(i32::try_from(k).expect("small"));
        let (steps, online) = (request.last - request.first + 1, request.kind == "online");
        let mut schedule = Schedule::start(request).expect("a schedule");
        let mut run = 0;
        if online && steps == 0 {
            schedule.stop().expect("an open loop");
        }
        let (mut x, mut adjoint, mut tape) = (0.7f64, 1.0, Vec::new());
        loop {
            let Order { what, from, to } = schedule.next().expect("an action");
            match what {
                What::Done => break,
                What::Advance => {
                    (from..=to).for_each(|k| x = step(x, k));
                    run += to - from + 1;
                    if online && run == steps {
                        schedule.stop().expect("an open loop");
                    }
                }
                What::Snapshot => schedule.put(&x.to_ne_bytes()).expect("memory"),
                What::Restore => {
                    let mut bytes = [0; 8];
                    schedule.get(&mut bytes).expect("the state");
                    x = f64::from_ne_bytes(bytes);
                }
                What::Record => (from..=to).for_each(|k| {
                    tape.push(x);
                    x = step(x, k);
                }),
                What::Reverse => (from..=to).rev().for_each(|k| {
                    adjoint *= slope(tape.pop().expect("recorded"), k);
                }),
            }
        }
        schedule.end().expect("no failure");
        adjoint
    }

    #[test]
    #[allow(clippy::float_cmp)]
    fn all_schedules_give_the_same_derivative() {
        for (first, last) in [(1, 0), (1, 1), (-5, 20), (3, 90)] {
            let expected = derivative(request("store-all", first, last, 0, 0));
            for kind in ["two-level", "revolve", "mixed", "online"] {
                for (snapshots, on_disk) in [(0, 0), (1, 0), (7, 0), (2, 5), (0, 3), (200, 0)] {
                    if on_disk > 0 && kind == "mixed" {
                        continue;
                    }
                    let found = derivative(request(kind, first, last, snapshots, on_disk));
                    assert_eq!(found, expected, "{kind}, {first}..{last}, {snapshots} + {on_disk} snapshots");
                }
            }
        }
    }

    #[test]
    fn an_unknown_schedule_is_refused() {
        let why = Schedule::start(request("best", 1, 9, 1, 0)).err().expect("a refusal").to_string();
        assert!(why.starts_with("there is no schedule `best`; there are store-all, "), "{why}");
    }
}
