//! From decisions to actions: every schedule here snapshots the start of a stretch of steps, advances, reverses what lies
//! ahead, and comes back for the stretch it skipped. How far to advance is a [`Policy`]; the rest is the same for all.

use crate::action::{Action, PerTier, Slot, Tier};
use std::collections::{BTreeSet, VecDeque};

/// A stretch of steps to be reversed, its first state being the working state.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Segment {
    /// Its first step.
    pub from: u64,
    /// The step after its last.
    pub to: u64,
    /// Where a snapshot of its first state is held already, if one is.
    pub held: Option<Tier>,
    /// Snapshots held of states before it.
    pub below: PerTier<u64>,
}

/// What to do with a segment.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Decision {
    /// Record all of it on the tape and reverse it.
    Tape,
    /// Hold its first state in this tier, and advance over this many steps.
    Split {
        /// Where the first state is held from now on.
        tier: Tier,
        /// How far to advance; at least one step, and less than the segment.
        advance: u64,
    },
}

/// How a schedule divides its steps.
pub trait Policy {
    /// What to do with a segment.
    fn decide(&self, segment: Segment) -> Decision;
}

/// A snapshot that is held.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Held {
    pub(crate) step: u64,
    pub(crate) slot: Slot,
}

/// The slots of one tier: those free among the ones used so far, and how many were used.
#[derive(Debug, Clone, Default)]
struct Pool {
    free: Vec<usize>,
    used: usize,
}

/// The actions that reverse a number of steps, made one at a time. It holds no more than the list of snapshots held.
#[derive(Debug, Clone)]
pub struct Reversal<P> {
    policy: P,
    pools: PerTier<Pool>,
    held: Vec<Held>,
    /// The working state, where there is one.
    state: Option<u64>,
    remaining: u64,
    queue: VecDeque<Action>,
}

impl<P: Policy> Reversal<P> {
    /// All of `steps` steps, state 0 being the working state.
    pub(crate) fn new(steps: u64, policy: P) -> Self {
        Self {
            policy,
            pools: PerTier::default(),
            held: Vec::new(),
            state: Some(0),
            remaining: steps,
            queue: VecDeque::new(),
        }
    }

    /// Steps that have run already, with the snapshots `held` in memory, in order of their steps, state 0 first among them,
    /// and the snapshots `dropped`, which are freed before anything else.
    pub(crate) fn resume(steps: u64, held: Vec<Held>, dropped: &[Held], policy: P) -> Self {
        let mut reversal = Self { state: None, held, ..Self::new(steps, policy) };
        let taken: BTreeSet<usize> = reversal.held.iter().map(|held| held.slot.index).collect();
        let used = taken.last().map_or(0, |last| last + 1);
        let free = (0..used).rev().filter(|index| !taken.contains(index)).collect();
        reversal.pools.memory = Pool { free, used };
        reversal.queue.extend(dropped.iter().map(|dropped| Action::Free { slot: dropped.slot }));
        reversal
    }

    /// Puts the actions up to the next decision in the queue.
    fn plan(&mut self) {
        let Some(from) = self.state.or_else(|| self.restore()) else { return };
        let holder = self.held.last().copied().filter(|held| held.step == from);
        let below = self.below(holder.is_some());
        let segment = Segment { from, to: self.remaining, held: holder.map(|held| held.slot.tier), below };
        match self.policy.decide(segment) {
            Decision::Tape => {
                self.release(holder);
                self.queue.push_back(Action::Forward { from, to: self.remaining });
                self.queue.push_back(Action::Backward { from, to: self.remaining });
                self.remaining = from;
                self.state = None;
            }
            Decision::Split { tier, advance } => {
                if segment.held != Some(tier) {
                    self.release(holder);
                    self.snapshot(from, tier);
                }
                self.queue.push_back(Action::Advance { from, to: from + advance });
                self.state = Some(from + advance);
            }
        }
    }

    fn restore(&mut self) -> Option<u64> {
        let Held { step, slot } = *self.held.last()?;
        self.queue.push_back(Action::Restore { slot, step });
        self.state = Some(step);
        self.state
    }

    fn snapshot(&mut self, step: u64, tier: Tier) {
        let pool = self.pools.get_mut(tier);
        let index = pool.free.pop().unwrap_or_else(|| {
            pool.used += 1;
            pool.used - 1
        });
        let slot = Slot { tier, index };
        self.held.push(Held { step, slot });
        self.queue.push_back(Action::Snapshot { slot, step });
    }

    fn release(&mut self, holder: Option<Held>) {
        if let Some(Held { slot, .. }) = holder {
            self.held.pop();
            self.pools.get_mut(slot.tier).free.push(slot.index);
            self.queue.push_back(Action::Free { slot });
        }
    }

    /// Snapshots held of earlier states, by tier.
    fn below(&self, top_is_current: bool) -> PerTier<u64> {
        let in_use = |pool: &Pool| (pool.used - pool.free.len()) as u64;
        let mut below = PerTier { memory: in_use(&self.pools.memory), disk: in_use(&self.pools.disk) };
        if let Some(top) = self.held.last().filter(|_| top_is_current) {
            *below.get_mut(top.slot.tier) -= 1;
        }
        below
    }
}

impl<P: Policy> Iterator for Reversal<P> {
    type Item = Action;

    fn next(&mut self) -> Option<Action> {
        if self.queue.is_empty() && self.remaining > 0 {
            self.plan();
        }
        self.queue.pop_front()
    }
}
