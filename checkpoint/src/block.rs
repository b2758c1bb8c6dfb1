//! Call sites and loops as options of a decision: what each way to reverse them costs and holds.

use crate::problem::{Action, Choice};

/// A call to be reversed.
#[derive(Debug, Clone, PartialEq)]
pub struct Call {
    /// The point of the call in the forward sweep.
    pub forward: usize,
    /// The point of its adjoint in the backward sweep.
    pub backward: usize,
    /// Run time of the procedure.
    pub run: f64,
    /// Bytes of what it reads and what is overwritten later.
    pub inputs: u64,
    /// Run time to save and restore the inputs.
    pub inputs_cost: f64,
    /// Bytes that its backward half needs from its forward half.
    pub record: u64,
    /// Run time to store and restore the record.
    pub record_cost: f64,
}

impl Call {
    /// Joint (checkpointed) or split, see A. Griewank and A. Walther, "Evaluating Derivatives", 2nd ed., SIAM 2008,
    /// chapter 12.
    pub fn options(&self) -> Vec<Choice> {
        let joint = Choice::new(Action::Joint, self.run + self.inputs_cost + self.record_cost)
            .holding(self.forward, self.backward, self.inputs)
            .holding(self.backward, self.backward, self.record)
            .because(format!("{} bytes of inputs are held, and the procedure runs again", self.inputs));
        let split = Choice::new(Action::Split, self.record_cost)
            .holding(self.forward, self.backward, self.record)
            .because(format!("a record of {} bytes is held", self.record));
        vec![joint, split]
    }
}

/// A loop that carries a state from iteration to iteration, to be reversed.
#[derive(Debug, Clone, PartialEq)]
pub struct Loop {
    /// The first point of the loop in the forward sweep.
    pub forward: usize,
    /// The first and the last point of its reversal in the backward sweep.
    pub backward: (usize, usize),
    /// The trip count.
    pub iterations: u64,
    /// Run time of one iteration.
    pub step: f64,
    /// Bytes of the state.
    pub snapshot: u64,
    /// Run time to save and restore the state.
    pub snapshot_cost: f64,
    /// Bytes that the reversal of one iteration needs. Values that are items of their own ([`crate::item::Within`]) are
    /// left out.
    pub tape: u64,
    /// Run time to store and restore the tape of one iteration.
    pub tape_cost: f64,
}

impl Loop {
    /// Store all, come to each iteration from the beginning, or a snapshot every so many iterations, for each of the
    /// numbers given.
    pub fn options(&self, intervals: &[u64]) -> Vec<Choice> {
        let mut options = vec![self.store_all()];
        if self.iterations > 1 {
            options.push(self.recompute_each());
        }
        options.extend(intervals.iter().filter(|&&k| 0 < k && k < self.iterations).map(|&k| self.snapshot_every(k)));
        options
    }

    /// Intervals worth trying: powers of two, and the one that takes the least memory, which balances all snapshots
    /// against the tape between two of them.
    pub fn intervals(&self) -> Vec<u64> {
        let least = (self.iterations as f64 * self.snapshot as f64 / self.tape.max(1) as f64).sqrt().round() as u64;
        let powers = (0..63).map(|i| 1u64 << i).take_while(|&k| k < self.iterations);
        let mut intervals: Vec<u64> = powers.chain([least]).filter(|&k| 0 < k && k < self.iterations).collect();
        intervals.sort_unstable();
        intervals.dedup();
        intervals
    }

    fn store_all(&self) -> Choice {
        Choice::new(Action::StoreAll, self.iterations as f64 * self.tape_cost)
            .holding(self.forward, self.backward.1, self.iterations.saturating_mul(self.tape))
            .because(format!("{} iterations of {} bytes", self.iterations, self.tape))
    }

    fn recompute_each(&self) -> Choice {
        let n = self.iterations as f64;
        let advance = n * (n - 1.0) / 2.0;
        Choice::new(Action::RecomputeEach, self.snapshot_cost + (advance + n) * self.step + n * self.tape_cost)
            .holding(self.forward, self.backward.1, self.snapshot)
            .holding(self.backward.0, self.backward.1, self.tape)
            .because(format!("{:.0} iterations run again from one snapshot", advance + n))
    }

    fn snapshot_every(&self, k: u64) -> Choice {
        let snapshots = self.iterations.div_ceil(k);
        let n = self.iterations as f64;
        let cost = snapshots as f64 * self.snapshot_cost + n * (self.step + self.tape_cost);
        Choice::new(Action::SnapshotEvery(k), cost)
            .holding(self.forward, self.backward.1, snapshots.saturating_mul(self.snapshot))
            .holding(self.backward.0, self.backward.1, k.saturating_mul(self.tape))
            .because(format!("{snapshots} snapshots of {} bytes, and every iteration runs once more", self.snapshot))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn time_loop() -> Loop {
        Loop {
            forward: 0,
            backward: (1, 2),
            iterations: 100,
            step: 1.0,
            snapshot: 10,
            snapshot_cost: 0.1,
            tape: 40,
            tape_cost: 0.2,
        }
    }

    #[test]
    fn a_loop_trades_memory_for_run_time() {
        let time_loop = time_loop();
        let options = time_loop.options(&time_loop.intervals());
        let actions: Vec<Action> = options.iter().map(|option| option.action).collect();
        let every = Action::SnapshotEvery;
        let snapshots = [1, 2, 4, 5, 8, 16, 32, 64].map(every);
        assert_eq!(actions[..2], [Action::StoreAll, Action::RecomputeEach]);
        assert_eq!(actions[2..], snapshots);
        let bytes = |option: &Choice| option.holds.iter().map(|hold| hold.bytes).sum::<u64>();
        assert_eq!((options[0].cost, bytes(&options[0])), (20.0, 4000));
        assert_eq!((options[1].cost, bytes(&options[1])), (0.1 + 5050.0 + 20.0, 50));
        // Twenty snapshots and five tapes: the least of all intervals.
        assert_eq!((options[5].cost, bytes(&options[5])), (2.0 + 120.0, 400));
        assert!(options[2..].iter().all(|option| bytes(option) >= 400));
    }

    #[test]
    fn a_call_is_joint_or_split() {
        let call =
            Call { forward: 1, backward: 4, run: 5.0, inputs: 8, inputs_cost: 1.0, record: 80, record_cost: 2.0 };
        let options = call.options();
        assert_eq!(options[0].cost, 8.0);
        assert_eq!(options[1].cost, 2.0);
        assert_eq!(options[0].holds.iter().map(|hold| (hold.first, hold.bytes)).collect::<Vec<_>>(), [(1, 8), (4, 80)]);
    }
}
