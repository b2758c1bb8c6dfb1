//! The mixed schedule: a slot holds the state that a step starts from or the tape of one step (J. R. Maddison, Step-based
//! checkpointing with high-level algorithmic differentiation, Journal of Computational Science 82 (2024) 102405).
//!
//! It is the schedule of [`crate::dynamic`] where a tape is as large as a snapshot.

use crate::action::Budget;
use crate::dynamic::{self, Dynamic, TooSmall, Transfer};
use crate::reversal::Reversal;

/// The mixed schedule for `steps` steps with so many slots.
pub fn schedule(steps: u64, slots: u64) -> Result<Reversal<Dynamic>, TooSmall> {
    dynamic::schedule(steps, Budget::slots(slots), Transfer { write: 0.0, read: 0.0 })
}

#[cfg(test)]
mod tests {
    use super::schedule;
    use crate::action::{Budget, Simulator};
    use crate::revolve;
    use proptest::prelude::*;

    fn forward_steps(steps: u64, slots: u64) -> u64 {
        let actions = schedule(steps, slots).expect("slots enough");
        Simulator::run(steps, Budget::slots(slots), actions).expect("a legal schedule").forward_steps
    }

    /// The optimum where each step's tape may be kept by itself.
    fn optimum(steps: usize, slots: usize) -> u64 {
        let mut best = vec![vec![u64::MAX / 4; steps + 1]; slots + 1];
        for free in 0..=slots {
            best[free][0] = 0;
            best[free][1] = 1;
            for n in 2..=steps {
                if free > 0 {
                    let tape = 1 + best[free - 1][n - 1];
                    let state = (1..n).map(|i| i as u64 + best[free - 1][n - i] + best[free][i]);
                    best[free][n] = state.fold(tape, u64::min);
                }
            }
        }
        best[slots][steps]
    }

    /// The counts of `checkpoint_schedules` 1.0.4.
    #[test]
    fn published_counts() {
        let counts = [
            (10, 3, 19),
            (20, 2, 79),
            (1000, 100, 1909),
            (50, 5, 138),
            (200, 10, 553),
            (100, 3, 554),
            (400, 20, 978),
            (37, 4, 108),
        ];
        for (steps, slots, expected) in counts {
            assert_eq!(forward_steps(steps, slots), expected, "{steps} steps, {slots} slots");
        }
    }

    #[test]
    fn a_slot_is_needed_from_two_steps_on() {
        assert!(schedule(2, 0).is_err());
        assert_eq!(forward_steps(1, 0), 1);
        assert_eq!(forward_steps(0, 0), 0);
    }

    proptest! {
        #[test]
        fn the_optimum(steps in 1usize..90, slots in 1usize..20) {
            prop_assert_eq!(forward_steps(steps as u64, slots as u64), optimum(steps, slots));
        }

        #[test]
        fn a_slot_more_never_costs_a_step(steps in 1u64..600, slots in 1u64..40) {
            prop_assert!(forward_steps(steps, slots + 1) <= forward_steps(steps, slots));
            prop_assert!(Some(forward_steps(steps, slots)) <= revolve::forward_steps(steps, slots));
        }
    }
}
