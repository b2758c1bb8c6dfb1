//! Drives a time loop through the actions of a schedule.
//!
//! The caller asks for the next action, does it, and asks again. Snapshots, their tiers, statistics and progress are
//! the driver's business; what a step does is the caller's.

mod progress;
pub mod source;

use std::collections::VecDeque;
use std::ops::Range;
use std::path::PathBuf;
use std::time::Instant;

use crate::settings;
use crate::stats::{self, Counts, Phase};
use crate::store::{Failure, Store, Tier};
use crate::verify::{Difference, Verify};
use progress::Progress;
use source::{Action, Actions};

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
    /// Number of the last step; below `first` when there is none.
    pub last: i64,
    /// Snapshots in memory; 0 in both tiers means that the schedule chooses.
    pub snapshots: u64,
    /// Snapshots on disk.
    pub on_disk: u64,
    /// Folder of snapshots on disk; none means the system's folder for temporary files.
    pub folder: Option<PathBuf>,
}

/// The kinds of schedule.
pub const KINDS: [&str; 2] = ["store-all", "two-level"];

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
    actions: Actions,
    ahead: VecDeque<Action>,
    /// The step at whose start the state is.
    at: u64,
    store: Store,
    counts: Counts,
    doing: Option<(Phase, Instant)>,
    progress: Option<Progress>,
    verify: Verify,
}

impl Schedule {
    /// Starts a schedule.
    ///
    /// # Errors
    /// Where there is no such kind of schedule, or no file can be made for snapshots on disk.
    pub fn start(request: Request) -> Result<Self, Failure> {
        let steps = request.last.checked_sub(request.first).and_then(|d| d.checked_add(1)).unwrap_or(i64::MAX);
        let steps = u64::try_from(steps).unwrap_or(0);
        let actions = actions(&request, steps)?;
        let settings = settings::get();
        let folder = settings.disk.clone().or(request.folder).unwrap_or_else(std::env::temp_dir);
        let store = Store::new((request.on_disk > 0).then_some(&*folder), settings.compress)?;
        Ok(Self {
            progress: settings.progress.then(|| Progress::new(&request.name, steps)),
            name: request.name,
            first: request.first,
            actions,
            ahead: VecDeque::new(),
            at: 0,
            store,
            counts: Counts::default(),
            doing: None,
            verify: Verify::default(),
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
        let order = match self.pull() {
            None => return Ok(self.order(What::Done, 0..0)),
            Some(Action::Advance(steps)) => {
                self.counts.advanced += steps.end - steps.start;
                self.forward(Phase::Advance, What::Advance, steps)
            }
            Some(Action::Record(steps)) => {
                self.counts.recorded += steps.end - steps.start;
                self.forward(Phase::Record, What::Record, steps)
            }
            Some(Action::Reverse(steps)) => {
                self.counts.reversed += steps.end - steps.start;
                self.begin(Phase::Reverse, What::Reverse, steps)
            }
            Some(Action::Snapshot { slot, tier, .. }) => {
                self.counts.snapshots += 1;
                let order = self.begin(Phase::Snapshot, What::Snapshot, self.at..self.at);
                self.store.write((slot, tier), self.at)?;
                order
            }
            Some(Action::Restore { slot, tier, last }) => {
                self.counts.restores += 1;
                // Before the snapshot is read, so that waiting for the disk counts.
                self.doing = Some((Phase::Restore, Instant::now()));
                self.at = self.store.read((slot, tier), last)?;
                self.order(What::Restore, self.at..self.at)
            }
        };
        self.prefetch();
        Ok(order)
    }

    fn forward(&mut self, phase: Phase, what: What, steps: Range<u64>) -> Order {
        self.at = steps.end;
        self.begin(phase, what, steps)
    }

    fn begin(&mut self, phase: Phase, what: What, steps: Range<u64>) -> Order {
        self.doing = Some((phase, Instant::now()));
        self.order(what, steps)
    }

    /// In the caller's numbers; no steps are `n..n`, from `n` to `n - 1`.
    fn order(&self, what: What, steps: Range<u64>) -> Order {
        let number = |step: u64| self.first.wrapping_add_unsigned(step);
        Order { what, from: number(steps.start), to: number(steps.end).wrapping_sub(1) }
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
        while self.ahead.len() <= AHEAD {
            let Some(action) = self.actions.next() else { break };
            self.ahead.push_back(action);
        }
        self.ahead.pop_front()
    }

    /// Has the snapshot on disk read that is restored next, unless it is yet to be taken.
    fn prefetch(&self) {
        let next = self.ahead.iter().find_map(|action| match *action {
            Action::Restore { slot, tier: Tier::Disk, .. } => Some(slot),
            _ => None,
        });
        let Some(slot) = next else { return };
        let taken = Action::Snapshot { slot, tier: Tier::Disk };
        if !self.ahead.contains(&taken) {
            self.store.prefetch((slot, Tier::Disk));
        }
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

/// The actions of the schedule that is asked for.
fn actions(request: &Request, steps: u64) -> Result<Actions, Failure> {
    let snapshots = request.snapshots.saturating_add(request.on_disk);
    match request.kind.as_str() {
        "store-all" => Ok(source::store_all(steps)),
        "two-level" => {
            let blocks = if snapshots == 0 { steps.isqrt() } else { snapshots.saturating_add(1) };
            Ok(source::two_level(steps, blocks, request.on_disk))
        }
        kind => Err(Failure::Misuse(format!("there is no schedule `{kind}`; there are {}", KINDS.join(", ")))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn request(kind: &str, first: i64, last: i64, snapshots: u64, on_disk: u64) -> Request {
        Request { name: "loop".into(), kind: kind.into(), first, last, snapshots, on_disk, folder: None }
    }

    /// The sum of the squares of a recurrence's values, and its derivative with respect to the start, by a schedule.
    fn derivative(request: Request) -> f64 {
        let step = |x: f64, k: i64| x + 0.01 * (x * x).sin() * f64::from(i32::try_from(k).expect("small"));
        let slope = |x: f64, k: i64| 1.0 + 0.02 * x * (x * x).cos() * f64::from(i32::try_from(k).expect("small"));
        let mut schedule = Schedule::start(request).expect("a schedule");
        let (mut x, mut adjoint, mut tape) = (0.7f64, 1.0, Vec::new());
        loop {
            let Order { what, from, to } = schedule.next().expect("an action");
            match what {
                What::Done => break,
                What::Advance => (from..=to).for_each(|k| x = step(x, k)),
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
            for (snapshots, on_disk) in [(0, 0), (1, 0), (7, 0), (2, 5), (0, 3), (200, 0)] {
                let found = derivative(request("two-level", first, last, snapshots, on_disk));
                assert_eq!(found, expected, "{first}..{last}, {snapshots} + {on_disk} snapshots");
            }
        }
    }

    #[test]
    fn an_unknown_schedule_is_refused() {
        let why = Schedule::start(request("best", 1, 9, 1, 0)).err().expect("a refusal").to_string();
        assert!(why.starts_with("there is no schedule `best`; there are store-all, "), "{why}");
    }
}
