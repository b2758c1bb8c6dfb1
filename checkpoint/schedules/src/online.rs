//! Loops whose number of steps is known only when they end: snapshots at a stride that doubles whenever the slots are
//! full, and the best reversal from the snapshots held at the end.
//!
//! Online schedules can be optimal in the number of times a step is run again (P. Stumm and A. Walther, New algorithms for
//! optimal online checkpointing, SIAM Journal on Scientific Computing 32 (2010) 836-854; Q. Wang, P. Moin and G. Iaccarino,
//! Minimal repetition dynamic checkpointing algorithm for unsteady adjoint calculation, SIAM Journal on Scientific
//! Computing 31 (2009) 2549-2567), but those write a snapshot at almost every step. The doubling stride writes few, a
//! number that grows with the logarithm of the steps, and the binomial schedule within the strides makes up for most of it:
//! the tests hold it to a quarter more steps than the best schedule that knows the end.
//!
//! With slots on disk, these take the snapshots of the forward sweep, each of which is written and read once, and the slots in
//! memory serve the binomial schedule between two of them.

use crate::action::{Action, Slot, Tier};
use crate::reversal::{Held, Reversal};
use crate::revolve::{self, Revolve, forward_steps};
use std::iter;

/// Snapshots of a schedule that is to choose how many it takes.
pub const CHOSEN: usize = 30;

/// How many of the last snapshots may be dropped before the reversal. The earlier ones have slots enough above them.
const DROPPABLE: usize = 64;

/// The forward sweep of a loop of unknown length.
#[derive(Debug, Clone)]
pub struct Online {
    /// Where the snapshots of the forward sweep are.
    tier: Tier,
    slots: usize,
    /// Slots in memory for the reversal.
    memory: u64,
    stride: u64,
    step: u64,
    /// The states 0, `stride`, `2*stride`, and so on.
    held: Vec<Held>,
    free: Vec<usize>,
}

impl Online {
    /// Before the first step, with so many slots in memory and on disk. `None` without a slot in memory.
    pub fn new(memory: usize, disk: usize) -> Option<Self> {
        let (tier, slots) = if disk > 0 { (Tier::Disk, disk) } else { (Tier::Memory, memory) };
        let free = (0..slots).rev().collect();
        let new = Self { tier, slots, memory: memory as u64, stride: 1, step: 0, held: Vec::new(), free };
        (memory > 0).then_some(new)
    }

    /// Steps run so far.
    pub fn steps(&self) -> u64 {
        self.step
    }

    /// The actions of one more step: its `Advance`, and what comes before it.
    pub fn advance(&mut self) -> Vec<Action> {
        let mut actions = Vec::new();
        if self.step.is_multiple_of(self.stride) && self.held.len() == self.slots {
            self.double(&mut actions);
        }
        if self.step.is_multiple_of(self.stride)
            && let Some(index) = self.free.pop()
        {
            let slot = Slot { tier: self.tier, index };
            self.held.push(Held { step: self.step, slot });
            actions.push(Action::Snapshot { slot, step: self.step });
        }
        actions.push(Action::Advance { from: self.step, to: self.step + 1 });
        self.step += 1;
        actions
    }

    /// The steps have come to an end: the actions that reverse them.
    pub fn reverse(self) -> Box<dyn Iterator<Item = Action> + Send> {
        if self.tier == Tier::Disk {
            return Box::new(self.reverse_from_disk());
        }
        let kept = self.worth_keeping();
        let (held, dropped): (Vec<_>, Vec<_>) = self.held.iter().partition(|held| kept.contains(&held.step));
        Box::new(Reversal::resume(self.step, held, &dropped, Revolve { snapshots: self.memory }))
    }

    /// The steps after each snapshot on disk, the last ones first, by the binomial schedule in memory.
    fn reverse_from_disk(self) -> impl Iterator<Item = Action> + Send {
        let (memory, mut end) = (self.memory, self.step);
        self.held.into_iter().rev().flat_map(move |Held { step, slot }| {
            let steps = end - step;
            end = step;
            let within = revolve::schedule(steps, memory).into_iter().flatten().map(move |a| a.later(step));
            iter::chain([Action::Restore { slot, step }, Action::Free { slot }], within)
        })
    }

    /// Drops every second snapshot.
    fn double(&mut self, actions: &mut Vec<Action>) {
        self.stride *= 2;
        let (kept, dropped): (Vec<_>, Vec<_>) =
            self.held.iter().partition(|held| held.step.is_multiple_of(self.stride));
        self.held = kept;
        for Held { slot, .. } in dropped {
            actions.push(Action::Free { slot });
            self.free.push(slot.index);
        }
    }

    /// The states to start the reversal with: a snapshot dropped is a slot for the segments above it. By dynamic
    /// programming from the end, over which snapshot is kept and how many are kept below it.
    fn worth_keeping(&self) -> Vec<u64> {
        let mut starts: Vec<u64> = self.held.iter().map(|held| held.step).collect();
        let count = starts.len();
        starts.push(self.step);
        let sure = count.saturating_sub(DROPPABLE);
        // best[i - sure][below - sure]: steps of reversing from start `i` to the end with `below` kept before it, and the
        // next one kept.
        let mut best = vec![vec![(0, count); count - sure + 1]; count - sure + 1];
        for i in (sure..count).rev() {
            for below in sure..=i {
                let slots = (self.slots - below) as u64;
                let choices = (i + 1..=count).map(|next| {
                    let segment = forward_steps(starts[next] - starts[i], slots).unwrap_or(u64::MAX);
                    (segment.saturating_add(best[next - sure][below + 1 - sure].0), next)
                });
                best[i - sure][below - sure] = choices.min().unwrap_or((0, count));
            }
        }
        let mut kept = starts[..sure].to_vec();
        let mut next = sure;
        while next < count {
            kept.push(starts[next]);
            next = best[next - sure][kept.len() - 1 - sure].1;
        }
        kept
    }
}

#[cfg(test)]
mod tests {
    use super::Online;
    use crate::action::{Action, Budget, Counts, Illegal, Simulator};
    use crate::revolve::forward_steps;
    use proptest::prelude::*;

    fn run(steps: u64, slots: usize) -> Result<Counts, Illegal> {
        run_with(steps, slots, 0)
    }

    fn run_with(steps: u64, slots: usize, disk: usize) -> Result<Counts, Illegal> {
        let mut online = Online::new(slots, disk).expect("a slot");
        let mut actions: Vec<Action> = (0..steps).flat_map(|_| online.advance()).collect();
        assert_eq!(online.steps(), steps);
        actions.extend(online.reverse());
        Simulator::run(steps, Budget::snapshots(slots as u64, disk as u64), actions)
    }

    fn ratio(steps: u64, slots: usize) -> f64 {
        let counts = run(steps, slots).expect("a legal schedule");
        // The online schedule runs the last step twice: it didn't know that it was the last.
        counts.forward_steps as f64 / (forward_steps(steps, slots as u64).expect("a slot") + 1) as f64
    }

    #[test]
    fn near_the_offline_optimum() {
        for slots in [1, 2, 3, 5, 8, 10, 20, 30, 75, 150] {
            for steps in (1..1500).step_by(7) {
                let ratio = ratio(steps, slots);
                assert!(ratio <= 1.25, "{ratio} with {steps} steps and {slots} slots");
            }
        }
    }

    #[test]
    fn few_snapshots_are_written() {
        let counts = run(10_000, 30).expect("a legal schedule");
        // 30 at the stride 1, and at most 15 at each of the 9 strides from 2 to 512; the reversal writes the rest.
        let mut online = Online::new(30, 0).expect("a slot");
        let sweep = (0..10_000).flat_map(|_| online.advance());
        let writes = sweep.filter(|action| matches!(action, Action::Snapshot { .. })).count();
        assert!(writes <= 30 + 9 * 15, "{writes}");
        assert!(counts.writes.memory as usize > writes);
    }

    #[test]
    fn no_slot_no_schedule() {
        assert!(Online::new(0, 0).is_none());
        assert!(Online::new(0, 5).is_none());
    }

    #[test]
    fn what_is_on_disk_at_the_end_is_read_once() {
        let counts = run_with(10_000, 30, 40).expect("a legal schedule");
        // Strides up to 256: the states 0, 256, and so on.
        assert_eq!(counts.reads.disk, 40);
        assert!(counts.writes.disk <= 40 + 8 * 20, "{}", counts.writes.disk);
        let best = forward_steps(10_000, 70).expect("a slot");
        assert!(counts.forward_steps < 2 * best, "{} and {best}", counts.forward_steps);
    }

    proptest! {
        #[test]
        fn every_length_is_reversed_from_disk(steps in 0u64..1500, slots in 1usize..20, disk in 1usize..30) {
            let counts = run_with(steps, slots, disk);
            prop_assert!(counts.is_ok(), "{:?}", counts);
        }

        #[test]
        fn every_length_is_reversed(steps in 0u64..1500, slots in 1usize..80) {
            let counts = run(steps, slots).map_err(|illegal| TestCaseError::fail(illegal.to_string()))?;
            prop_assert!(Some(counts.forward_steps) >= forward_steps(steps, slots as u64));
        }
    }
}
