//! A schedule as a stream of actions, and the simulator that says whether a stream is legal and what it costs.
//!
//! Time steps are numbered from 0; *state `k`* is the state that step `k` starts from. There is one working state, which
//! steps advance, and a tape that holds the steps recorded and not yet reversed. Everything else a schedule keeps, it
//! keeps in slots.

use std::collections::BTreeMap;
use thiserror::Error;

/// Where a snapshot is kept.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Tier {
    /// In memory.
    Memory,
    /// In a file.
    Disk,
}

/// A value for each tier.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct PerTier<T> {
    /// The one of memory.
    pub memory: T,
    /// The one of the disk.
    pub disk: T,
}

impl<T> PerTier<T> {
    /// The value of `tier`.
    pub fn get(&self, tier: Tier) -> &T {
        match tier {
            Tier::Memory => &self.memory,
            Tier::Disk => &self.disk,
        }
    }

    /// The value of `tier`, to change.
    pub fn get_mut(&mut self, tier: Tier) -> &mut T {
        match tier {
            Tier::Memory => &mut self.memory,
            Tier::Disk => &mut self.disk,
        }
    }
}

/// A place for one snapshot.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Slot {
    /// Where it is.
    pub tier: Tier,
    /// Its number there, from 0.
    pub index: usize,
}

/// One action of a schedule.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Action {
    /// Run the steps `from..to` from the working state, recording nothing.
    Advance {
        /// The first step.
        from: u64,
        /// The step after the last.
        to: u64,
    },
    /// Copy the working state, state `step`, to a free slot.
    Snapshot {
        /// Where to.
        slot: Slot,
        /// Which state it is.
        step: u64,
    },
    /// Make the snapshot of state `step` the working state. The slot keeps it.
    Restore {
        /// Where from.
        slot: Slot,
        /// Which state it is.
        step: u64,
    },
    /// The snapshot in this slot is not needed any more.
    Free {
        /// The slot.
        slot: Slot,
    },
    /// Run the steps `from..to` from the working state, each recorded on the tape.
    Forward {
        /// The first step.
        from: u64,
        /// The step after the last.
        to: u64,
    },
    /// Reverse the steps `from..to`, the last one first, using up their tape. It leaves no working state.
    Backward {
        /// The first step, reversed last.
        from: u64,
        /// The step after the last.
        to: u64,
    },
}

impl Action {
    /// The same for steps that come `by` steps later.
    #[must_use]
    pub fn later(self, by: u64) -> Self {
        match self {
            Self::Advance { from, to } => Self::Advance { from: from + by, to: to + by },
            Self::Snapshot { slot, step } => Self::Snapshot { slot, step: step + by },
            Self::Restore { slot, step } => Self::Restore { slot, step: step + by },
            Self::Free { slot } => Self::Free { slot },
            Self::Forward { from, to } => Self::Forward { from: from + by, to: to + by },
            Self::Backward { from, to } => Self::Backward { from: from + by, to: to + by },
        }
    }
}

/// What a schedule may use. The working state and the tape of the one step that is being reversed are not counted: every
/// schedule needs them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Budget {
    /// Bytes of one snapshot.
    pub snapshot: u64,
    /// Bytes of the tape of one step.
    pub tape: u64,
    /// Bytes of memory for snapshots and for the tapes of all steps recorded but one.
    pub memory: u64,
    /// Bytes of disk for snapshots.
    pub disk: u64,
}

impl Budget {
    /// A number of slots in memory, each for one snapshot or the tape of one step (the mixed schedule's notion).
    pub const fn slots(memory: u64) -> Self {
        Self { snapshot: 1, tape: 1, memory, disk: 0 }
    }

    /// A number of slots in each tier, for snapshots only (Revolve's notion).
    pub const fn snapshots(memory: u64, disk: u64) -> Self {
        Self { snapshot: 1, tape: memory.saturating_add(1), memory, disk }
    }
}

/// What a schedule did.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Counts {
    /// Steps run, recorded or not.
    pub forward_steps: u64,
    /// Snapshots written.
    pub writes: PerTier<u64>,
    /// Snapshots read.
    pub reads: PerTier<u64>,
    /// Most snapshots held at a time.
    pub peak_snapshots: PerTier<u64>,
    /// Most steps on the tape at a time.
    pub peak_tapes: u64,
    /// Most bytes of the memory budget in use at a time.
    pub peak_memory: u64,
}

/// Why a stream is not a legal schedule.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum Illegal {
    /// A step is run, or a snapshot taken, from a state that the working state isn't.
    #[error("{action:?} where the working state is {state:?}")]
    State {
        /// The action.
        action: Action,
        /// The working state.
        state: Option<u64>,
    },
    /// An empty range, or one that reaches into steps that don't exist or are reversed already.
    #[error("{action:?} where the steps from {remaining} on are reversed")]
    Range {
        /// The action.
        action: Action,
        /// Steps not reversed yet.
        remaining: u64,
    },
    /// A snapshot is read or freed that isn't there, or written over one that is.
    #[error("{action:?} where the slot holds {holds:?}")]
    Slot {
        /// The action.
        action: Action,
        /// The state the slot holds.
        holds: Option<u64>,
    },
    /// More is kept than the budget allows.
    #[error("{action:?} needs {needed} bytes of {tier:?}")]
    Budget {
        /// The action.
        action: Action,
        /// The tier.
        tier: Tier,
        /// Bytes in use with this action.
        needed: u64,
    },
    /// A step is reversed that isn't on the tape, or recorded out of order.
    #[error("{action:?} where the tape holds the steps {from} to {to}")]
    Tape {
        /// The action.
        action: Action,
        /// The first step on the tape.
        from: u64,
        /// The step after the last.
        to: u64,
    },
    /// The stream ends before every step is reversed and every slot free.
    #[error("the end with {remaining} steps left and {snapshots} snapshots held")]
    Unfinished {
        /// Steps not reversed.
        remaining: u64,
        /// Snapshots held.
        snapshots: usize,
    },
}

/// Runs a stream of actions on step numbers instead of states.
#[derive(Debug)]
pub struct Simulator {
    budget: Budget,
    state: Option<u64>,
    /// The steps on the tape, `tape.0..tape.1`.
    tape: (u64, u64),
    remaining: u64,
    held: BTreeMap<Slot, u64>,
    snapshots: PerTier<u64>,
    counts: Counts,
}

impl Simulator {
    /// Before the first of `steps` steps, state 0 being the working state.
    pub fn new(steps: u64, budget: Budget) -> Self {
        Self {
            budget,
            state: Some(0),
            tape: (0, 0),
            remaining: steps,
            held: BTreeMap::new(),
            snapshots: PerTier::default(),
            counts: Counts::default(),
        }
    }

    /// Runs a whole schedule.
    pub fn run(steps: u64, budget: Budget, actions: impl IntoIterator<Item = Action>) -> Result<Counts, Illegal> {
        let mut simulator = Self::new(steps, budget);
        actions.into_iter().try_for_each(|action| simulator.act(action))?;
        simulator.finish()
    }

    /// Runs one action.
    pub fn act(&mut self, action: Action) -> Result<(), Illegal> {
        match action {
            Action::Advance { from, to } => self.step(action, from, to)?,
            Action::Forward { from, to } => self.record(action, from, to)?,
            Action::Backward { from, to } => self.reverse(action, from, to)?,
            Action::Snapshot { slot, step } => self.snapshot(action, slot, step)?,
            Action::Restore { slot, step } => {
                self.holds(action, slot, Some(step))?;
                self.state = Some(step);
                *self.counts.reads.get_mut(slot.tier) += 1;
            }
            Action::Free { slot } => {
                let holds = self.held.remove(&slot);
                holds.ok_or(Illegal::Slot { action, holds })?;
                *self.snapshots.get_mut(slot.tier) -= 1;
            }
        }
        self.within_budget(action)
    }

    /// What the schedule did, if it is complete.
    pub fn finish(self) -> Result<Counts, Illegal> {
        if self.remaining == 0 && self.held.is_empty() {
            Ok(self.counts)
        } else {
            Err(Illegal::Unfinished { remaining: self.remaining, snapshots: self.held.len() })
        }
    }

    fn step(&mut self, action: Action, from: u64, to: u64) -> Result<(), Illegal> {
        if self.state != Some(from) {
            return Err(Illegal::State { action, state: self.state });
        }
        if from >= to || to > self.remaining {
            return Err(Illegal::Range { action, remaining: self.remaining });
        }
        self.counts.forward_steps += to - from;
        self.state = Some(to);
        Ok(())
    }

    fn record(&mut self, action: Action, from: u64, to: u64) -> Result<(), Illegal> {
        let (first, end) = self.tape;
        if first < end && end != from {
            return Err(Illegal::Tape { action, from: first, to: end });
        }
        self.step(action, from, to)?;
        self.tape = (if first < end { first } else { from }, to);
        Ok(())
    }

    fn reverse(&mut self, action: Action, from: u64, to: u64) -> Result<(), Illegal> {
        let (first, end) = self.tape;
        if from >= to || to != self.remaining {
            return Err(Illegal::Range { action, remaining: self.remaining });
        }
        if first > from || end != to {
            return Err(Illegal::Tape { action, from: first, to: end });
        }
        self.tape.1 = from;
        self.remaining = from;
        self.state = None;
        Ok(())
    }

    fn snapshot(&mut self, action: Action, slot: Slot, step: u64) -> Result<(), Illegal> {
        if self.state != Some(step) {
            return Err(Illegal::State { action, state: self.state });
        }
        self.holds(action, slot, None)?;
        self.held.insert(slot, step);
        *self.snapshots.get_mut(slot.tier) += 1;
        *self.counts.writes.get_mut(slot.tier) += 1;
        Ok(())
    }

    fn holds(&self, action: Action, slot: Slot, expected: Option<u64>) -> Result<(), Illegal> {
        let holds = self.held.get(&slot).copied();
        if holds == expected { Ok(()) } else { Err(Illegal::Slot { action, holds }) }
    }

    /// Checks what is kept after an action, and notes the peaks.
    fn within_budget(&mut self, action: Action) -> Result<(), Illegal> {
        let Budget { snapshot, tape, memory, disk } = self.budget;
        let tapes = self.tape.1 - self.tape.0;
        let of_tapes = tapes.saturating_sub(1).saturating_mul(tape);
        let in_memory = self.snapshots.memory.saturating_mul(snapshot).saturating_add(of_tapes);
        let on_disk = self.snapshots.disk.saturating_mul(snapshot);
        for (tier, needed, limit) in [(Tier::Memory, in_memory, memory), (Tier::Disk, on_disk, disk)] {
            if needed > limit {
                return Err(Illegal::Budget { action, tier, needed });
            }
            let peak = self.counts.peak_snapshots.get_mut(tier);
            *peak = (*peak).max(*self.snapshots.get(tier));
        }
        self.counts.peak_tapes = self.counts.peak_tapes.max(tapes);
        self.counts.peak_memory = self.counts.peak_memory.max(in_memory);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::{Action, Budget, Counts, Illegal, PerTier, Simulator, Slot, Tier};

    const SLOT: Slot = Slot { tier: Tier::Memory, index: 0 };
    const OTHER: Slot = Slot { tier: Tier::Memory, index: 1 };

    fn run(actions: &[Action]) -> Result<Counts, Illegal> {
        Simulator::run(2, Budget::snapshots(1, 0), actions.iter().copied())
    }

    /// Two steps with one snapshot.
    const LEGAL: [Action; 8] = [
        Action::Snapshot { slot: SLOT, step: 0 },
        Action::Advance { from: 0, to: 1 },
        Action::Forward { from: 1, to: 2 },
        Action::Backward { from: 1, to: 2 },
        Action::Restore { slot: SLOT, step: 0 },
        Action::Free { slot: SLOT },
        Action::Forward { from: 0, to: 1 },
        Action::Backward { from: 0, to: 1 },
    ];

    fn with(index: usize, action: Action) -> Vec<Action> {
        let mut actions = LEGAL.to_vec();
        actions[index] = action;
        actions
    }

    #[test]
    fn a_legal_schedule_is_counted() {
        let one = PerTier { memory: 1, disk: 0 };
        let expected =
            Counts { forward_steps: 3, writes: one, reads: one, peak_snapshots: one, peak_tapes: 1, peak_memory: 1 };
        assert_eq!(run(&LEGAL), Ok(expected));
    }

    #[test]
    fn illegal_schedules_are_rejected() {
        let wrong_state = run(&with(1, Action::Advance { from: 1, to: 2 }));
        assert!(matches!(wrong_state, Err(Illegal::State { state: Some(0), .. })), "{wrong_state:?}");
        let past_the_end = run(&with(2, Action::Forward { from: 1, to: 3 }));
        assert!(matches!(past_the_end, Err(Illegal::Range { remaining: 2, .. })), "{past_the_end:?}");
        let no_tape = run(&with(2, Action::Advance { from: 1, to: 2 }));
        assert!(matches!(no_tape, Err(Illegal::Tape { .. })), "{no_tape:?}");
        let wrong_order = run(&with(3, Action::Backward { from: 0, to: 1 }));
        assert!(matches!(wrong_order, Err(Illegal::Range { .. })), "{wrong_order:?}");
        let not_there = run(&with(4, Action::Restore { slot: OTHER, step: 0 }));
        assert!(matches!(not_there, Err(Illegal::Slot { holds: None, .. })), "{not_there:?}");
        let another = run(&with(4, Action::Restore { slot: SLOT, step: 1 }));
        assert!(matches!(another, Err(Illegal::Slot { holds: Some(0), .. })), "{another:?}");
        let no_state_left = run(&with(4, Action::Snapshot { slot: OTHER, step: 2 }));
        assert!(matches!(no_state_left, Err(Illegal::State { state: None, .. })), "{no_state_left:?}");
        let twice = run(&with(1, LEGAL[0]));
        assert!(matches!(twice, Err(Illegal::Slot { holds: Some(0), .. })), "{twice:?}");
        let too_many = run(&with(1, Action::Snapshot { slot: OTHER, step: 0 }));
        assert!(matches!(too_many, Err(Illegal::Budget { tier: Tier::Memory, needed: 2, .. })), "{too_many:?}");
        let disk = Slot { tier: Tier::Disk, index: 0 };
        let no_disk = run(&with(0, Action::Snapshot { slot: disk, step: 0 }));
        assert!(matches!(no_disk, Err(Illegal::Budget { tier: Tier::Disk, .. })), "{no_disk:?}");
        let never_freed = run(&with(5, LEGAL[4]));
        assert!(matches!(never_freed, Err(Illegal::Unfinished { remaining: 0, snapshots: 1 })), "{never_freed:?}");
        let too_short = run(&LEGAL[..6]);
        assert!(matches!(too_short, Err(Illegal::Unfinished { remaining: 1, .. })), "{too_short:?}");
    }

    #[test]
    fn tapes_count_against_the_memory() {
        let all = [Action::Forward { from: 0, to: 3 }, Action::Backward { from: 0, to: 3 }];
        assert!(Simulator::run(3, Budget::slots(2), all).is_ok());
        assert!(matches!(Simulator::run(3, Budget::slots(1), all), Err(Illegal::Budget { needed: 2, .. })));
    }
}
