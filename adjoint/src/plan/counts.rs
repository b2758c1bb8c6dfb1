//! How often a schedule of the run-time library asks for what.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use costate_schedules::action::{Action, Budget};
use costate_schedules::dynamic::{self, Transfer};
use costate_schedules::online::{self, Online};
use costate_schedules::{mixed, multistage};

use super::Schedule;

/// Schedules of more steps are taken to be like one of so many.
const MOST_STEPS: u64 = 20_000;

/// How often a schedule asks for what.
#[derive(Clone, Debug, Default)]
pub(super) struct Counts {
    /// Steps of the loop.
    pub(super) steps: f64,
    /// Steps that run forward without being recorded, in the backward sweep.
    pub(super) advanced: f64,
    /// Snapshots that are taken in the forward sweep.
    pub(super) first: f64,
    /// Snapshots that are taken later.
    pub(super) later: f64,
    /// Snapshots that are restored.
    pub(super) restored: f64,
    /// Steps that are recorded at a time, in the mean.
    pub(super) range: i64,
    /// The share of snapshots that are on disk.
    pub(super) disk: f64,
}

/// What is known of schedules: to find one takes long, and many plans for a program have the same.
static KNOWN: Mutex<BTreeMap<Asked, Arc<OnceLock<Counts>>>> = Mutex::new(BTreeMap::new());

impl Counts {
    /// From what is known, or else worked out.
    pub(super) fn of(asked: Asked) -> Counts {
        let known = KNOWN.lock().unwrap_or_else(PoisonError::into_inner).entry(asked.clone()).or_default().clone();
        known.get_or_init(|| Counts::new(&asked)).clone()
    }

    fn new(asked: &Asked) -> Counts {
        let Asked { steps, disk, .. } = *asked;
        let chosen = asked.memory == 0 && disk == 0 && asked.bytes.is_none_or(|b| b.memory == 0);
        let memory = match asked.kind.as_str() {
            Schedule::ONLINE if asked.memory == 0 => online::CHOSEN as u64,
            _ if chosen => steps.isqrt().max(1),
            _ => asked.memory,
        };
        let held = memory + disk;
        let share = disk as f64 / held.max(1) as f64;
        let whole = Counts { steps: steps as f64, range: 1, disk: share, ..Counts::default() };
        match asked.kind.as_str() {
            "store-all" => Counts { range: steps as i64, ..whole },
            "two-level" => {
                let range = steps.div_ceil(if chosen { memory } else { held + 1 }).max(1);
                let blocks = (steps as f64 / range as f64).ceil();
                Counts { range: range as i64, first: blocks - 1.0, restored: blocks - 1.0, ..whole }
            }
            _ => {
                let looked_at = Asked { steps: steps.min(MOST_STEPS), memory, ..asked.clone() };
                match looked_at.actions() {
                    Some((way, actions)) => whole.with_actions(way, actions).scaled(steps, looked_at.steps),
                    None => whole,
                }
            }
        }
    }

    /// From what is done on the way to the end, and from the actions that follow; these may begin on the way.
    fn with_actions(mut self, way: Vec<Action>, actions: impl Iterator<Item = Action>) -> Counts {
        let mut backward = !way.is_empty();
        let mut ranges = 0u64;
        self.first = way.iter().filter(|a| matches!(a, Action::Snapshot { .. })).count() as f64;
        for action in actions {
            match action {
                Action::Advance { from, to } if backward => self.advanced += (to - from) as f64,
                Action::Snapshot { .. } if backward => self.later += 1.0,
                Action::Snapshot { .. } => self.first += 1.0,
                Action::Restore { .. } => self.restored += 1.0,
                Action::Forward { .. } => {
                    backward = true;
                    ranges += 1;
                }
                _ => {}
            }
        }
        self.range = ranges.max(1) as i64;
        self
    }

    /// Of all steps, from those for the first of them.
    fn scaled(mut self, steps: u64, looked_at: u64) -> Counts {
        self.range = (looked_at as i64 / self.range).max(1);
        let scale = steps as f64 / looked_at.max(1) as f64;
        self.advanced *= scale;
        self.later *= scale;
        self.restored *= scale;
        self
    }
}

/// What a schedule is asked for.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Asked {
    pub(super) kind: String,
    pub(super) steps: u64,
    /// Snapshots in memory and on disk.
    pub(super) memory: u64,
    pub(super) disk: u64,
    /// For one that goes by bytes.
    pub(super) bytes: Option<Budget>,
}

impl Asked {
    /// The actions of a schedule that isn't the binomial one, or of that, which others are no worse than. Those of one that
    /// doesn't know the end come in two parts: before the end, and when it is known.
    fn actions(&self) -> Option<(Vec<Action>, Box<dyn Iterator<Item = Action>>)> {
        let Asked { steps, memory, disk, .. } = *self;
        let known: Box<dyn Iterator<Item = Action>> = match (self.kind.as_str(), self.bytes) {
            (Schedule::ONLINE, _) => {
                let slots = |n: u64| usize::try_from(n).unwrap_or(usize::MAX);
                let mut online = Online::new(slots(memory), slots(disk))?;
                let way = (0..steps).flat_map(|_| online.advance()).collect();
                return Some((way, online.reverse()));
            }
            ("mixed", _) => Box::new(mixed::schedule(steps, memory).ok()?),
            ("dynamic", Some(budget)) => {
                let bytes = if budget.memory > 0 { budget.memory } else { memory.saturating_mul(budget.snapshot) };
                let budget = Budget { memory: bytes, disk: disk.saturating_mul(budget.snapshot), ..budget };
                let transfer = Transfer { write: 1.0, read: 1.0 };
                Box::new(dynamic::schedule(steps, budget, transfer).ok()?)
            }
            _ => Box::new(multistage::schedule(steps, memory, disk)?),
        };
        Some((Vec::new(), known))
    }
}
