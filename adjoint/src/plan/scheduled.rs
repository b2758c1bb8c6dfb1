//! Predicted run time of loops that follow a schedule of the run-time library: how often it asks for what.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use costate_analysis::storage::symbols;
use costate_grammar::ir::{
    Arg, Callee, CaseRange, Expr, ExprKind, IfArm, LoopControl, Program, SelectArm, Stmt, StmtKind, SymId,
};
use costate_schedules::action::{Action, Budget};
use costate_schedules::dynamic::{self, Transfer};
use costate_schedules::online::{self, Online};
use costate_schedules::{mixed, multistage};

use super::Schedule;
use super::cost::Costs;

/// Schedules of more steps are taken to be like one of so many.
const MOST_STEPS: u64 = 20_000;
/// Per byte that goes to a snapshot or comes from there, in memory and on disk.
const TRANSFER: [f64; 2] = [0.1, 0.5];
/// A value or array that goes to a tape or comes from there, beside its bytes.
const TAPE: f64 = 0.5;

/// How often a schedule asks for what.
#[derive(Clone, Debug, Default)]
pub(super) struct Counts {
    /// Steps of the loop.
    steps: f64,
    /// Steps that run forward without being recorded, in the backward sweep.
    advanced: f64,
    /// Snapshots that are taken in the forward sweep.
    first: f64,
    /// Snapshots that are taken later.
    later: f64,
    /// Snapshots that are restored.
    restored: f64,
    /// Steps that are recorded at a time, in the mean.
    range: i64,
    /// The share of snapshots that are on disk.
    disk: f64,
}

/// What is known of schedules: to find one takes long, and many plans for a program have the same.
static KNOWN: Mutex<BTreeMap<Asked, Arc<OnceLock<Counts>>>> = Mutex::new(BTreeMap::new());

impl Counts {
    fn of(asked: Asked) -> Counts {
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
struct Asked {
    kind: String,
    steps: u64,
    /// Snapshots in memory and on disk.
    memory: u64,
    disk: u64,
    /// For one that goes by bytes.
    bytes: Option<Budget>,
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

impl Costs<'_> {
    /// Notes what a call of the run-time library starts; the run time of one that moves values.
    pub(super) fn runtime_call(&mut self, stmt: &Stmt, callee: &Callee, args: &[Arg]) -> Option<f64> {
        let Callee::Proc { sym, .. } = callee else { return None };
        match self.program[*sym].name.as_str() {
            "costate_start" => {
                let schedule = args.first()?.value.as_var()?.sym;
                let counts = self.started(stmt, args)?;
                self.schedules.insert(schedule, counts);
                Some(0.0)
            }
            "costate_put" | "costate_get" => {
                let schedule = args.first()?.value.as_var()?.sym;
                let disk = self.schedules.get(&schedule).map_or(0.0, |c| c.disk);
                let bytes = self.bytes(&args.get(1)?.value);
                Some(bytes * (TRANSFER[0] * (1.0 - disk) + TRANSFER[1] * disk))
            }
            "costate_push" | "costate_pop" => Some(TAPE + self.bytes(&args.get(1)?.value) * TRANSFER[0]),
            _ => None,
        }
    }

    fn bytes(&mut self, e: &Expr) -> f64 {
        self.sizes.elements(e) * super::sizes::element(self.program, e.ty) as f64
    }

    fn started(&mut self, stmt: &Stmt, args: &[Arg]) -> Option<Counts> {
        let kind = match &args.get(1)?.value.kind {
            ExprKind::Str(text) => text.trim_matches(['\'', '"']).to_string(),
            _ => return None,
        };
        let [first, last] = [&args.get(2)?.value, &args.get(3)?.value].map(|e| self.sizes.value(e));
        let steps = last.saturating_sub(first).saturating_add(1).max(0).unsigned_abs();
        let open = kind == Schedule::ONLINE && steps == 0;
        let steps = if open { self.sizes.open_trips_at(stmt.origin.span()).unsigned_abs() } else { steps };
        let mut given = |name: &str| {
            let found = args.iter().find(|a| a.keyword.as_ref().is_some_and(|k| k.as_str() == name));
            found.map(|a| self.sizes.value(&a.value).max(0).unsigned_abs())
        };
        let bytes = match (given("snapshot_bytes"), given("tape_bytes")) {
            (Some(snapshot), Some(tape)) => {
                Some(Budget { snapshot, tape, memory: given("memory_bytes").unwrap_or(0), disk: 0 })
            }
            _ => None,
        };
        let [memory, disk] = ["snapshots", "on_disk"].map(|name| given(name).unwrap_or(0));
        Some(Counts::of(Asked { kind, steps, memory, disk, bytes }))
    }

    /// The run time of a loop that asks a schedule what to do.
    pub(super) fn following(&mut self, control: &LoopControl, body: &[Stmt]) -> Option<f64> {
        let [schedule, action, from, to] = body.iter().find_map(|s| asks(self.program, s))?;
        let counts = self.schedules.get(&schedule)?.clone();
        self.sizes.set(from, 1);
        self.sizes.set(to, 1);
        if let LoopControl::Count { var, lo, .. } = control {
            let first = self.sizes.value(lo);
            self.sizes.set(*var, first + counts.steps as i64 / 2);
        }
        let mut cost = 0.0;
        let follows = |arms: &[IfArm]| symbols(&arms[0].cond).contains(&action);
        for stmt in body {
            match &stmt.kind {
                StmtKind::If { arms, otherwise, .. } if follows(arms) => {
                    cost += counts.first * arms.iter().map(|a| self.block(&a.body)).sum::<f64>();
                    cost += counts.steps * otherwise.iter().map(|b| self.block(b)).sum::<f64>();
                }
                StmtKind::Select { arms, .. } => {
                    cost += arms.iter().map(|a| self.arm(a, &counts, to)).sum::<f64>();
                }
                _ if asks(self.program, stmt).is_some() => {}
                // The user's loop, which asks before each step.
                _ => cost += counts.steps * self.block(std::slice::from_ref(stmt)),
            }
        }
        Some(cost)
    }

    fn arm(&mut self, arm: &SelectArm, counts: &Counts, to: SymId) -> f64 {
        let Some(CaseRange::Value(Expr { kind: ExprKind::Var(d), .. })) = arm.ranges.first() else { return 0.0 };
        let times = match self.program[d.sym].name.as_str() {
            "costate_advance" => counts.advanced,
            "costate_snapshot" => counts.later,
            "costate_restore" => counts.restored,
            _ => {
                self.sizes.set(to, counts.range);
                counts.steps / counts.range.max(1) as f64
            }
        };
        let cost = times * self.block(&arm.body);
        self.sizes.set(to, 1);
        cost
    }
}

/// The schedule that a statement asks for the next action, and the variables that take it and its steps.
fn asks(program: &Program, stmt: &Stmt) -> Option<[SymId; 4]> {
    let StmtKind::Call { callee: Callee::Proc { sym, .. }, args } = &stmt.kind else { return None };
    let [schedule, action, from, to] = args.as_slice() else { return None };
    let named = program[*sym].name.as_str() == "costate_next";
    let place = |a: &Arg| a.value.as_var().map(|d| d.sym);
    named.then_some([place(schedule)?, place(action)?, place(from)?, place(to)?])
}
