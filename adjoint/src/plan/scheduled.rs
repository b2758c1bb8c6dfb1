//! Predicted run time of loops that follow a schedule of the run-time library.

use costate_analysis::storage::symbols;
use costate_grammar::ir::{
    Arg, Callee, CaseRange, Expr, ExprKind, IfArm, LoopControl, Program, SelectArm, Stmt, StmtKind, SymId,
};
use costate_schedules::action::Budget;

use super::Schedule;
use super::cost::Costs;
use super::counts::{Asked, Counts};

/// Per byte that goes to a snapshot or comes from there, in memory and on disk.
const TRANSFER: [f64; 2] = [0.1, 0.5];
/// A value or array that goes to a tape or comes from there, beside its bytes.
const TAPE: f64 = 0.5;

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
                    cost += self.often(counts.first, |s| arms.iter().map(|a| s.block(&a.body)).sum());
                    cost += self.often(counts.steps, |s| otherwise.iter().map(|b| s.block(b)).sum());
                }
                StmtKind::Select { arms, .. } => {
                    cost += arms.iter().map(|a| self.arm(a, &counts, to)).sum::<f64>();
                }
                _ if asks(self.program, stmt).is_some() => {}
                // The user's loop, which asks before each step.
                _ => cost += self.often(counts.steps, |s| s.block(std::slice::from_ref(stmt))),
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
        let cost = self.often(times, |s| s.block(&arm.body));
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
