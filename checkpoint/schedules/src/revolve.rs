//! The binomial schedule ("Revolve": A. Griewank and A. Walther, Algorithm 799: Revolve, ACM Transactions on
//! Mathematical Software 26 (2000) 19-45): the fewest forward steps that a number of snapshots allows, where a slot holds
//! a state.

use crate::action::Tier;
use crate::reversal::{Decision, Policy, Reversal, Segment};

/// Forward steps that reversing `steps` time steps takes with `snapshots` states in memory (the initial state among
/// them), counting the step that is run again right before each adjoint step. `None` without a snapshot, or where the
/// count doesn't fit.
///
/// With `r` the least number for which `binomial(snapshots + r, snapshots) >= steps`, the schedule advances
/// `r*steps - binomial(snapshots + r, r - 1)` times between snapshots (Griewank and Walther 2000, theorem 1), and once
/// more for every step.
pub fn forward_steps(steps: u64, snapshots: u64) -> Option<u64> {
    if steps == 0 {
        return Some(0);
    }
    if snapshots == 0 {
        return None;
    }
    let advance = match repetitions(steps, snapshots) {
        0 => 0,
        r => (u128::from(r) * u128::from(steps)).checked_sub(capacity(snapshots.saturating_add(1), r - 1))?,
    };
    u64::try_from(advance + u128::from(steps)).ok()
}

/// The binomial schedule for `steps` steps with `snapshots` states in memory, the initial state among them. `None` where
/// there is something to reverse and no snapshot.
///
/// Its state is the list of snapshots held: nothing is computed ahead.
pub fn schedule(steps: u64, snapshots: u64) -> Option<Reversal<Revolve>> {
    (steps == 0 || snapshots > 0).then(|| Reversal::new(steps, Revolve { snapshots }))
}

/// The policy of the binomial schedule.
#[derive(Debug, Clone, Copy)]
pub struct Revolve {
    pub(crate) snapshots: u64,
}

impl Policy for Revolve {
    fn decide(&self, segment: Segment) -> Decision {
        match advance(segment.to - segment.from, self.snapshots.saturating_sub(segment.below.memory)) {
            None => Decision::Tape,
            Some(advance) => Decision::Split { tier: Tier::Memory, advance },
        }
    }
}

/// How far to advance before the next snapshot, in a segment of `steps` steps with `snapshots` slots, the one of its first
/// state among them. `None` for one step.
///
/// With `c(s, r)` the steps that `s` snapshots reverse by running each at most `r` times more, and `r` least with
/// `steps <= c(s, r)`, the count is optimal where both parts keep within their own `r`: the first part between
/// `c(s, r-2)` and `c(s, r-1)`, the rest between `c(s-1, r-1)` and `c(s-1, r)`. Of these the one nearest to a rest of
/// `c(s-1, r-1) + c(s-2, r-1)` writes the fewest snapshots.
pub(crate) fn advance(steps: u64, snapshots: u64) -> Option<u64> {
    if steps <= 1 {
        return None;
    }
    if snapshots <= 1 {
        return Some(steps - 1);
    }
    let r = repetitions(steps, snapshots);
    let rest = capacity(snapshots - 1, r - 1).saturating_add(capacity(snapshots - 2, r - 1));
    let least = if r < 2 { 1 } else { capacity(snapshots, r - 2) };
    let most = capacity(snapshots, r - 1);
    u64::try_from(u128::from(steps).saturating_sub(rest).clamp(least, most)).ok()
}

/// The least `r` for which `capacity(snapshots, r) >= steps`.
fn repetitions(steps: u64, snapshots: u64) -> u64 {
    let enough = |r: u64| capacity(snapshots, r) >= u128::from(steps);
    let mut high = 1;
    while !enough(high) {
        high = high.saturating_mul(2);
    }
    let mut low = high / 2;
    // Below `low` it is not enough, at `high` it is.
    while low < high {
        let middle = low.midpoint(high);
        if enough(middle) { high = middle } else { low = middle + 1 }
    }
    high
}

/// The steps that can be reversed with `snapshots` states while none is advanced over more than `repetitions` times:
/// `binomial(snapshots + repetitions, snapshots)`, or a number above every `u64`.
pub(crate) fn capacity(snapshots: u64, repetitions: u64) -> u128 {
    let (large, small) = (snapshots.max(repetitions), snapshots.min(repetitions));
    let mut value: u128 = 1;
    for i in 1..=u128::from(small) {
        value = value * (u128::from(large) + i) / i;
        if value > u128::from(u64::MAX) {
            return u128::MAX;
        }
    }
    value
}

#[cfg(test)]
mod tests {
    use super::{forward_steps, schedule};
    use crate::action::{Action, Budget, Simulator};
    use proptest::prelude::*;

    /// The optimum by dynamic programming: a snapshot after `m` steps splits the rest from the first `m`.
    fn optimum(steps: u64, snapshots: u64) -> u64 {
        let (n, s) = (steps as usize, snapshots as usize);
        let mut best = vec![vec![0u64; s + 1]; n + 1];
        for k in 1..=s {
            for l in 2..=n {
                let all_from_start = (l as u64) * (l as u64 - 1) / 2;
                let split = (1..l).filter(|_| k > 1).map(|m| m as u64 + best[m][k] + best[l - m][k - 1]).min();
                best[l][k] = split.unwrap_or(all_from_start).min(all_from_start);
            }
        }
        best[n][s] + steps
    }

    #[test]
    fn published_counts() {
        assert_eq!(forward_steps(10, 3), Some(25));
        assert_eq!(forward_steps(20, 2), Some(85));
    }

    #[test]
    fn the_formula_is_the_optimum() {
        for steps in 0..40 {
            for snapshots in 1..8 {
                let expected = if steps == 0 { 0 } else { optimum(steps, snapshots) };
                assert_eq!(forward_steps(steps, snapshots), Some(expected), "{steps} steps, {snapshots} snapshots");
            }
        }
    }

    /// The fewest snapshots written by any schedule with the fewest forward steps: by number of steps, both counted for
    /// a segment whose first state is held already.
    fn fewest_writes(steps: usize, snapshots: usize) -> u64 {
        let mut best = vec![vec![(u64::MAX / 4, 0); steps + 1]; snapshots + 1];
        for s in 0..=snapshots {
            best[s][1] = (1, 0);
            for n in (2..=steps).filter(|_| s > 0) {
                let split = |i: usize| {
                    let (first, rest) = (best[s][i], best[s - 1][n - i]);
                    (i as u64 + first.0 + rest.0, first.1 + rest.1 + u64::from(n - i > 1))
                };
                best[s][n] = (1..n).map(split).min().expect("two steps");
            }
        }
        best[snapshots][steps].1 + u64::from(steps > 1)
    }

    #[test]
    fn as_few_snapshots_are_written_as_can_be() {
        for (steps, snapshots) in [(2, 1), (10, 3), (40, 4), (57, 5), (100, 5), (90, 7), (120, 3), (64, 30)] {
            let actions = schedule(steps, snapshots).into_iter().flatten();
            let counts = Simulator::run(steps, Budget::snapshots(snapshots, 0), actions).expect("a legal schedule");
            let expected = fewest_writes(steps as usize, snapshots as usize);
            assert_eq!(counts.writes.memory, expected, "{steps} steps, {snapshots} snapshots");
        }
    }

    #[test]
    fn edges() {
        assert_eq!(forward_steps(5, 0), None);
        assert_eq!(forward_steps(1, 1), Some(1));
        assert_eq!(forward_steps(1000, 1000), Some(2000 - 1));
        assert_eq!(forward_steps(u64::MAX, 1), None);
        assert_eq!(forward_steps(u64::MAX, u64::MAX), None);
        assert!(schedule(5, 0).is_none());
        assert_eq!(schedule(0, 0).map(Iterator::count), Some(0));
    }

    #[test]
    fn two_steps_in_full() {
        let actions: Vec<Action> = schedule(2, 1).into_iter().flatten().collect();
        assert_eq!(actions.len(), 8, "{actions:?}");
        assert_eq!(actions[1], Action::Advance { from: 0, to: 1 });
    }

    /// Ten million steps: the count is the formula's, and the stream is no list.
    #[test]
    fn ten_million_steps() {
        let steps = 10_000_000;
        let forward: u64 = schedule(steps, 100)
            .into_iter()
            .flatten()
            .map(|action| match action {
                Action::Advance { from, to } | Action::Forward { from, to } => to - from,
                _ => 0,
            })
            .sum();
        assert_eq!(Some(forward), forward_steps(steps, 100));
    }

    proptest! {
        #[test]
        fn the_schedule_takes_what_the_formula_says(steps in 0u64..2000, snapshots in 1u64..60) {
            let actions = schedule(steps, snapshots).into_iter().flatten();
            let counts = Simulator::run(steps, Budget::snapshots(snapshots, 0), actions);
            let counts = counts.map_err(|illegal| TestCaseError::fail(illegal.to_string()))?;
            prop_assert_eq!(Some(counts.forward_steps), forward_steps(steps, snapshots));
            prop_assert!(counts.peak_tapes <= 1);
        }

        #[test]
        fn a_snapshot_more_never_costs_a_step(steps in 0u64..1_000_000_000, snapshots in 1u64..300) {
            prop_assert!(forward_steps(steps, snapshots + 1) <= forward_steps(steps, snapshots));
        }
    }
}
