//! Where actions come from.

use std::collections::VecDeque;
use std::iter;

use costate_checkpoint::action::{Action, Slot, Tier};
use costate_checkpoint::online::Online;
use costate_checkpoint::{multistage, revolve};

/// The names of the kinds of schedule.
pub const KINDS: [&str; 4] = ["store-all", "two-level", "revolve", "online"];

/// Snapshots of a schedule that is to choose, where it can't know the number of steps.
const CHOSEN: usize = 30;

/// The actions of a schedule, in order.
pub(super) enum Source {
    /// Of a loop whose number of steps is known.
    Known(Box<dyn Iterator<Item = Action> + Send>),
    /// Of a loop that goes on until its end is announced, and the actions of its next step.
    Open(Online, VecDeque<Action>),
}

impl Source {
    /// The schedule `kind` for `steps` steps with so many snapshots in memory and on disk; 0 in both means that the
    /// schedule chooses. `None` where there is no such kind.
    pub(super) fn new(kind: &str, steps: u64, memory: u64, disk: u64) -> Option<Self> {
        let chooses = memory == 0 && disk == 0;
        let root = steps.isqrt().max(1);
        Some(match kind {
            "store-all" => Self::Known(Box::new(block(0, steps))),
            "two-level" => {
                let memory = if chooses { root.saturating_sub(1) } else { memory };
                Self::Known(Box::new(two_level(steps, memory, disk)))
            }
            "revolve" => {
                let memory = if chooses { root } else { memory };
                match disk {
                    0 => Self::Known(Box::new(revolve::schedule(steps, memory)?)),
                    _ => Self::Known(Box::new(multistage::schedule(steps, memory, disk)?)),
                }
            }
            "online" => {
                let memory = if memory == 0 { CHOSEN } else { usize::try_from(memory).unwrap_or(usize::MAX) };
                Self::Open(Online::new(memory)?, VecDeque::new())
            }
            _ => return None,
        })
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
        *self = Self::Known(Box::new(online.clone().reverse()));
        Some(steps)
    }
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

#[cfg(test)]
mod tests {
    use costate_checkpoint::action::{Budget, Simulator};

    use super::*;

    fn all(mut source: Source) -> Vec<Action> {
        iter::from_fn(|| source.next()).collect()
    }

    #[test]
    fn every_schedule_is_legal() {
        for steps in 0..60 {
            for (memory, disk) in [(0, 0), (1, 0), (3, 2), (0, 4), (12, 0), (70, 3)] {
                for kind in ["store-all", "two-level", "revolve"] {
                    let actions = all(Source::new(kind, steps, memory, disk).expect("a schedule"));
                    let limit = if memory == 0 && disk == 0 { steps.isqrt().max(1) } else { memory };
                    let budget = Budget { snapshot: 1, tape: 0, memory: limit, disk };
                    let counts = Simulator::run(steps, budget, actions);
                    assert!(counts.is_ok(), "{kind} {steps} {memory} {disk}: {counts:?}");
                }
            }
        }
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
    fn a_loop_may_end_at_any_step() {
        for steps in 0..50 {
            let mut source = Source::new("online", 0, 4, 0).expect("a schedule");
            let mut actions = Vec::new();
            let mut run = 0;
            while run < steps {
                let action = source.next().expect("it goes on");
                run += u64::from(matches!(action, Action::Advance { .. }));
                actions.push(action);
            }
            assert_eq!(source.stop(), Some(steps));
            assert_eq!(source.stop(), None);
            actions.extend(all(source));
            let counts = Simulator::run(steps, Budget::snapshots(4, 0), actions);
            assert!(counts.is_ok(), "{steps}: {counts:?}");
        }
    }

    #[test]
    fn other_kinds_are_unknown() {
        assert!(Source::new("best", 10, 1, 0).is_none());
    }
}
