//! The binomial schedule with snapshots in memory and on disk (P. Stumm and A. Walther, MultiStage approaches for optimal
//! offline checkpointing, SIAM Journal on Scientific Computing 31 (2009) 1946-1967): the same actions as with all
//! snapshots in memory, the most accessed of them there.

use crate::action::{Action, Tier};
use crate::reversal::{Decision, Policy, Reversal, Segment};
use crate::revolve::{self, Revolve};

/// The policy of the multistage schedule.
#[derive(Debug, Clone)]
pub struct Multistage {
    binomial: Revolve,
    /// The tier of the snapshot that is held above so many others.
    tiers: Vec<Tier>,
}

/// The binomial schedule for `steps` steps with so many states in memory and on disk, the initial state among them.
/// `None` where there is something to reverse and no snapshot.
///
/// The accesses are counted by going through the schedule once, which takes far less than the steps themselves.
pub fn schedule(steps: u64, memory: u64, disk: u64) -> Option<Reversal<Multistage>> {
    let snapshots = memory.saturating_add(disk);
    let binomial = Revolve { snapshots };
    let tiers = tiers(&accesses(steps, snapshots)?, memory);
    Some(Reversal::new(steps, Multistage { binomial, tiers }))
}

impl Policy for Multistage {
    fn decide(&self, segment: Segment) -> Decision {
        let below = segment.below.memory + segment.below.disk;
        let mut all_in_memory = segment;
        all_in_memory.below.memory = below;
        match self.binomial.decide(all_in_memory) {
            Decision::Tape => Decision::Tape,
            Decision::Split { advance, .. } => Decision::Split { tier: self.tiers[below as usize], advance },
        }
    }
}

/// How often a snapshot is written or read, by the number of snapshots held below it.
fn accesses(steps: u64, snapshots: u64) -> Option<Vec<u64>> {
    let mut accesses: Vec<u64> = Vec::new();
    for action in revolve::schedule(steps, snapshots)? {
        if let Action::Snapshot { slot, .. } | Action::Restore { slot, .. } = action {
            // Slots in one tier are taken and freed as a stack: the index is the number held below.
            if accesses.len() <= slot.index {
                accesses.resize(slot.index + 1, 0);
            }
            accesses[slot.index] += 1;
        }
    }
    Some(accesses)
}

/// The tier of each snapshot: memory for the `memory` most accessed ones, the later one of equals, which is held for a
/// shorter time.
fn tiers(accesses: &[u64], memory: u64) -> Vec<Tier> {
    let mut order: Vec<usize> = (0..accesses.len()).rev().collect();
    order.sort_by_key(|&index| std::cmp::Reverse(accesses[index]));
    let mut tiers = vec![Tier::Disk; accesses.len()];
    for &index in order.iter().take(usize::try_from(memory).unwrap_or(usize::MAX)) {
        tiers[index] = Tier::Memory;
    }
    tiers
}

#[cfg(test)]
mod tests {
    use super::{accesses, schedule};
    use crate::action::{Budget, Counts, Illegal, Simulator};
    use crate::revolve::forward_steps;
    use proptest::prelude::*;

    fn run(steps: u64, memory: u64, disk: u64) -> Result<Counts, Illegal> {
        let actions = schedule(steps, memory, disk).into_iter().flatten();
        Simulator::run(steps, Budget::snapshots(memory, disk), actions)
    }

    #[test]
    fn the_initial_state_goes_to_disk_first() {
        let counts = run(100, 3, 1).expect("a legal schedule");
        assert_eq!(counts.forward_steps, forward_steps(100, 4).expect("a snapshot"));
        assert_eq!((counts.writes.disk, counts.peak_snapshots.disk), (1, 1));
    }

    /// The counts of `checkpoint_schedules` 1.0.4: forward steps, then writes and reads in memory and on disk.
    #[test]
    fn published_counts() {
        let counts = [
            ((100, 3, 2), (416, 39, 5, 85, 14)),
            ((1000, 5, 20), (3622, 230, 419, 350, 649)),
            ((10_000, 30, 120), (29_848, 2889, 6960, 2919, 7080)),
        ];
        for ((steps, memory, disk), expected) in counts {
            let Counts { forward_steps, writes, reads, .. } = run(steps, memory, disk).expect("a legal schedule");
            assert_eq!(
                (forward_steps, writes.memory, writes.disk, reads.memory, reads.disk),
                expected,
                "{steps} steps"
            );
        }
    }

    #[test]
    fn without_a_snapshot_there_is_none() {
        assert!(schedule(3, 0, 0).is_none());
    }

    proptest! {
        #[test]
        fn the_tiers_change_no_count(steps in 0u64..1500, memory in 0u64..30, disk in 0u64..30) {
            prop_assume!(memory + disk > 0);
            let counts = run(steps, memory, disk).map_err(|illegal| TestCaseError::fail(illegal.to_string()))?;
            prop_assert_eq!(Some(counts.forward_steps), forward_steps(steps, memory + disk));
            let mut by_use = accesses(steps, memory + disk).unwrap_or_default();
            by_use.sort_unstable();
            let least: u64 = by_use.iter().rev().skip(memory as usize).sum();
            prop_assert_eq!(counts.writes.disk + counts.reads.disk, least);
        }

        #[test]
        fn memory_more_never_costs_a_transfer(steps in 0u64..800, memory in 0u64..20, disk in 1u64..20) {
            let transfers = |counts: Counts| counts.writes.disk + counts.reads.disk;
            let less = run(steps, memory, disk).map(transfers);
            let more = run(steps, memory + 1, disk - 1).map(transfers);
            prop_assert!(more.is_ok() && more.ok() <= less.ok());
        }
    }
}
