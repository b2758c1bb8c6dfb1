//! Where actions come from.

use std::ops::Range;

use crate::store::Tier;

/// What a time loop is to do next. Steps are counted from 0.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Action {
    /// Run these steps forward; nothing is kept of them.
    Advance(Range<u64>),
    /// Take a snapshot of the state.
    Snapshot {
        /// Number of the snapshot among those of its tier.
        slot: usize,
        /// Where it is kept.
        tier: Tier,
    },
    /// Go back to the state in a snapshot.
    Restore {
        /// Number of the snapshot among those of its tier.
        slot: usize,
        /// Where it is kept.
        tier: Tier,
        /// It is not restored again before it is taken anew.
        last: bool,
    },
    /// Run these steps forward and keep what their adjoints need.
    Record(Range<u64>),
    /// Run the adjoints of these steps, the last step first.
    Reverse(Range<u64>),
}

/// The actions of a schedule, in order. The state before the first action is that before step 0, and every step is
/// recorded before it is reversed.
pub type Actions = Box<dyn Iterator<Item = Action> + Send>;

/// Keeps what all steps need.
pub fn store_all(steps: u64) -> Actions {
    Box::new(
        Some(0..steps)
            .filter(|all| !all.is_empty())
            .into_iter()
            .flat_map(|all| [Action::Record(all.clone()), Action::Reverse(all)]),
    )
}

/// Two-level checkpointing: `blocks` blocks of steps with a snapshot at the start of each but the last, of which the
/// first `on_disk` are on disk. Each block is recorded as a whole.
pub fn two_level(steps: u64, blocks: u64, on_disk: u64) -> Actions {
    let length = steps.div_ceil(blocks.max(1)).max(1);
    let count = steps.div_ceil(length);
    let block = move |index: u64| index * length..((index + 1) * length).min(steps);
    let place = move |index: u64| {
        let (slot, tier) = if index < on_disk { (index, Tier::Disk) } else { (index - on_disk, Tier::Memory) };
        (usize::try_from(slot).unwrap_or(usize::MAX), tier)
    };
    let last = count.saturating_sub(1);
    let forward = (0..last).flat_map(move |index| {
        let (slot, tier) = place(index);
        [Action::Snapshot { slot, tier }, Action::Advance(block(index))]
    });
    let backward = (0..count).rev().flat_map(move |index| {
        let (slot, tier) = place(index);
        let restore = (index < last).then_some(Action::Restore { slot, tier, last: true });
        restore.into_iter().chain([Action::Record(block(index)), Action::Reverse(block(index))])
    });
    Box::new(forward.chain(backward))
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;

    /// Executes a schedule on a state that is the number of steps run so far. Returns the forward steps.
    fn run(steps: u64, actions: Actions) -> u64 {
        let (mut state, mut forward, mut reversed) = (0, 0, steps);
        let mut recorded = 0..0;
        let mut snapshots = BTreeMap::new();
        for action in actions {
            match action {
                Action::Advance(range) => {
                    assert_eq!(state, range.start);
                    forward += range.end - range.start;
                    state = range.end;
                }
                Action::Snapshot { slot, tier } => drop(snapshots.insert((slot, tier == Tier::Disk), state)),
                Action::Restore { slot, tier, .. } => state = snapshots[&(slot, tier == Tier::Disk)],
                Action::Record(range) => {
                    assert_eq!(state, range.start);
                    forward += range.end - range.start;
                    state = range.end;
                    recorded = range;
                }
                Action::Reverse(range) => {
                    assert_eq!((range.end, &range), (reversed, &recorded));
                    reversed = range.start;
                }
            }
        }
        assert_eq!(reversed, 0);
        forward
    }

    #[test]
    fn every_step_is_reversed_once() {
        for steps in 0..60 {
            assert_eq!(run(steps, store_all(steps)), steps);
            for blocks in 0..20 {
                for on_disk in 0..5 {
                    let forward = run(steps, two_level(steps, blocks, on_disk));
                    let length = steps.div_ceil(blocks.max(1)).max(1);
                    let last = steps - steps.saturating_sub(1) / length * length;
                    assert_eq!(forward, steps + (steps - last), "{steps} {blocks}");
                }
            }
        }
    }
}
