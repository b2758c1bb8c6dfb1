//! Where actions come from.

use std::collections::VecDeque;
use std::iter;

use costate_schedules::action::{Action, Budget, Slot, Tier};
use costate_schedules::online::{CHOSEN, Online};
use costate_schedules::{multistage, revolve};

use super::{Request, Sizes, found};
use crate::store::Failure;

/// The names of the kinds of schedule.
pub const KINDS: [&str; 7] = ["store-all", "two-level", "revolve", "multistage", "mixed", "dynamic", "online"];

/// Those that keep tapes of steps in the memory of snapshots.
pub(super) const KEEP_TAPES: [&str; 2] = ["mixed", "dynamic"];

/// The actions of a schedule, in order.
pub(super) enum Source {
    /// Of a loop whose number of steps is known.
    Known(Box<dyn Iterator<Item = Action> + Send>),
    /// Of a loop that goes on until its end is announced, and the actions of its next step.
    Open(Online, VecDeque<Action>),
}

impl Source {
    /// The schedule that is asked for, for so many steps.
    pub(super) fn new(request: &Request, steps: u64) -> Result<Self, Failure> {
        let &Request { snapshots, on_disk: disk, .. } = request;
        let chooses = snapshots == 0 && disk == 0;
        let root = steps.isqrt().max(1);
        let memory = if chooses { root } else { snapshots };
        let source = match request.kind.as_str() {
            "store-all" => known(block(0, steps)),
            // One block more than snapshots.
            "two-level" => known(two_level(steps, if chooses { root - 1 } else { memory }, disk)),
            "revolve" if disk == 0 => revolve::schedule(steps, memory).and_then(known),
            "revolve" if memory > 0 => known(disk_and_revolve(steps, memory, disk)),
            "revolve" | "multistage" => multistage::schedule(steps, memory, disk).and_then(known),
            "mixed" if disk > 0 => {
                return Err(Failure::Misuse("the schedule `mixed` has no snapshots on disk".into()));
            }
            "mixed" => Some(Self::Known(found::actions(steps, Budget::slots(memory))?)),
            "dynamic" => Some(Self::Known(found::actions(steps, budget(request, memory)?)?)),
            "online" => {
                let number = |n: u64| usize::try_from(n).unwrap_or(usize::MAX);
                let memory = if snapshots == 0 { CHOSEN } else { number(snapshots) };
                Online::new(memory, number(disk)).map(open)
            }
            kind => {
                let text = format!("there is no schedule `{kind}`; there are {}", KINDS.join(", "));
                return Err(Failure::Misuse(text));
            }
        };
        source.ok_or_else(|| Failure::Misuse("a schedule needs a snapshot".into()))
    }

    /// Whether what comes depends on whether the loop goes on.
    pub(super) fn is_open(&self) -> bool {
        matches!(self, Self::Open(..))
    }

    /// The next action.
    pub(super) fn next(&mut self) -> Option<Action> {
        match self {
            Self::Known(actions) => actions.next(),
            Self::Open(online, queue) => {
                if queue.is_empty() {
                    queue.extend(online.advance());
                }
                queue.pop_front()
            }
        }
    }

    /// The loop has come to its end; returns its number of steps. `None` where that was known.
    pub(super) fn stop(&mut self) -> Option<u64> {
        let Self::Open(online, _) = self else { return None };
        let steps = online.steps();
        *self = Self::Known(online.clone().reverse());
        Some(steps)
    }
}

fn known(actions: impl Iterator<Item = Action> + Send + 'static) -> Option<Source> {
    Some(Source::Known(Box::new(actions)))
}

fn open(online: Online) -> Source {
    Source::Open(online, VecDeque::new())
}

/// The budget of the schedule that goes by sizes; `snapshots` tell the memory where it isn't given in bytes.
fn budget(request: &Request, snapshots: u64) -> Result<Budget, Failure> {
    let missing = "the schedule `dynamic` needs the sizes of a snapshot and of a step's tape";
    let Sizes { snapshot, tape, memory } = request.bytes.ok_or_else(|| Failure::Misuse(missing.into()))?;
    let memory = memory.unwrap_or_else(|| snapshots.saturating_mul(snapshot));
    Ok(Budget { snapshot, tape, memory, disk: request.on_disk.saturating_mul(snapshot) })
}

/// Records and reverses the steps `from..to`.
fn block(from: u64, to: u64) -> impl Iterator<Item = Action> + Send {
    let actions = [Action::Forward { from, to }, Action::Backward { from, to }];
    actions.into_iter().filter(move |_| from < to)
}

/// Two-level checkpointing: one block of steps more than snapshots, with a snapshot at the start of each but the last.
/// Each block is recorded as a whole. The first snapshots, which are read last, are on disk.
fn two_level(steps: u64, memory: u64, disk: u64) -> impl Iterator<Item = Action> + Send {
    let blocks = memory.saturating_add(disk).saturating_add(1);
    let length = steps.div_ceil(blocks).max(1);
    let last = steps.div_ceil(length).saturating_sub(1);
    let slot = move |index: u64| {
        let (tier, index) = if index < disk { (Tier::Disk, index) } else { (Tier::Memory, index - disk) };
        Slot { tier, index: usize::try_from(index).unwrap_or(usize::MAX) }
    };
    let forward = (0..last).flat_map(move |index| {
        let (from, to) = (index * length, (index + 1) * length);
        [Action::Snapshot { slot: slot(index), step: from }, Action::Advance { from, to }]
    });
    let backward = (0..last).rev().flat_map(move |index| {
        let (from, to) = (index * length, (index + 1) * length);
        let slot = slot(index);
        iter::chain([Action::Restore { slot, step: from }, Action::Free { slot }], block(from, to))
    });
    forward.chain(block(last * length, steps)).chain(backward)
}

/// Blocks of steps with a snapshot on disk at the start of each but the last, and the binomial schedule in memory within
/// each. That takes more steps than the binomial schedule with all snapshots, but only one transfer each way for a snapshot
/// on disk, long before it is waited for.
fn disk_and_revolve(steps: u64, memory: u64, disk: u64) -> impl Iterator<Item = Action> + Send {
    let length = steps.div_ceil(disk.saturating_add(1)).max(1);
    let last = steps.div_ceil(length).saturating_sub(1);
    let slot = |block: u64| Slot { tier: Tier::Disk, index: usize::try_from(block).unwrap_or(usize::MAX) };
    let within = move |block: u64| {
        let from = block * length;
        revolve::schedule(length.min(steps - from), memory).into_iter().flatten().map(move |a| a.later(from))
    };
    let forward = (0..last).flat_map(move |block| {
        let (from, to) = (block * length, (block + 1) * length);
        [Action::Snapshot { slot: slot(block), step: from }, Action::Advance { from, to }]
    });
    let backward = (0..last).rev().flat_map(move |block| {
        let slot = slot(block);
        iter::chain([Action::Restore { slot, step: block * length }, Action::Free { slot }], within(block))
    });
    forward.chain(within(last)).chain(backward)
}

#[cfg(test)]
mod tests {
    use costate_schedules::action::{Budget, Simulator};

    use super::*;

    fn all(mut source: Source) -> Vec<Action> {
        iter::from_fn(|| source.next()).collect()
    }

    fn source(kind: &str, steps: u64, snapshots: u64, on_disk: u64, bytes: Option<Sizes>) -> Result<Source, Failure> {
        Source::new(&Request { kind: kind.into(), snapshots, on_disk, bytes, ..Request::default() }, steps)
    }

    #[test]
    fn every_schedule_is_legal() {
        for steps in 0..60u64 {
            for (memory, disk) in [(0, 0), (1, 0), (3, 2), (0, 4), (12, 0), (70, 3)] {
                let limit = if memory == 0 && disk == 0 { steps.isqrt().max(1) } else { memory };
                let budget = Budget { snapshot: 1, tape: 0, memory: limit, disk };
                for kind in ["store-all", "two-level", "revolve", "multistage"] {
                    let actions = all(source(kind, steps, memory, disk, None).expect("a schedule"));
                    let counts = Simulator::run(steps, budget, actions);
                    assert!(counts.is_ok(), "{kind} {steps} {memory} {disk}: {counts:?}");
                }
                let budget = Budget { snapshot: 3, tape: 2, memory: 3 * limit.max(1), disk: 3 * disk };
                for (snapshots, memory) in [(limit.max(1), None), (0, Some(budget.memory))] {
                    let bytes = Some(Sizes { snapshot: 3, tape: 2, memory });
                    let actions = all(source("dynamic", steps, snapshots, disk, bytes).expect("a schedule"));
                    let counts = Simulator::run(steps, budget, actions);
                    assert!(counts.is_ok(), "dynamic {steps} {bytes:?} {disk}: {counts:?}");
                }
            }
        }
    }

    #[test]
    fn a_budget_may_be_too_small() {
        let why = |bytes| source("dynamic", 100, 0, 0, bytes).err().expect("a refusal").to_string();
        let text = why(Some(Sizes { snapshot: 800, tape: 900, memory: Some(700) }));
        assert_eq!(text, "reversing 100 steps takes at least 800 bytes of memory");
        assert!(why(None).contains("needs the sizes"));
        let text = source("mixed", 100, 0, 2, None).err().expect("a refusal").to_string();
        assert_eq!(text, "the schedule `mixed` has no snapshots on disk");
    }

    #[test]
    fn two_levels_run_all_but_the_last_block_twice() {
        let counts = |memory, disk| {
            let budget = Budget { snapshot: 1, tape: 0, memory, disk };
            Simulator::run(100, budget, two_level(100, memory, disk)).expect("legal").forward_steps
        };
        assert_eq!(counts(9, 0), 190);
        assert_eq!(counts(4, 5), 190);
        assert_eq!(counts(0, 0), 100);
        // Blocks of 15 steps; the last one has 10.
        assert_eq!(counts(6, 0), 190);
    }

    #[test]
    fn a_snapshot_on_disk_is_written_and_read_once() {
        let counts = |memory, disk| {
            let actions = disk_and_revolve(10_000, memory, disk);
            Simulator::run(10_000, Budget::snapshots(memory, disk), actions).expect("legal")
        };
        let on_disk = counts(30, 120);
        assert_eq!((on_disk.writes.disk, on_disk.reads.disk), (120, 120));
        let within = |steps, memory| revolve::forward_steps(steps, memory).expect("a snapshot");
        assert_eq!(on_disk.forward_steps, 120 * 83 + 120 * within(83, 30) + within(40, 30));
        assert_eq!(counts(30, 0).forward_steps, within(10_000, 30));
    }

    #[test]
    fn a_loop_may_end_at_any_step() {
        for steps in 0..50 {
            let mut open = source("online", 0, 4, 0, None).expect("a schedule");
            let mut actions = Vec::new();
            let mut run = 0;
            while run < steps {
                let action = open.next().expect("it goes on");
                run += u64::from(matches!(action, Action::Advance { .. }));
                actions.push(action);
            }
            assert_eq!(open.stop(), Some(steps));
            assert_eq!(open.stop(), None);
            actions.extend(all(open));
            let counts = Simulator::run(steps, Budget::snapshots(4, 0), actions);
            assert!(counts.is_ok(), "{steps}: {counts:?}");
        }
    }
}
