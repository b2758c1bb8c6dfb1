//! Schedules that keep the tapes of several steps in the memory for snapshots: what a snapshot and the tape of a step
//! take, and the most that all of them hold together.
//!
//! Such a schedule records a range of steps at once and reverses it before it records another, so that what a step saves
//! has the steps of the range as a further dimension. That lives from the record of the range to its adjoint: a range that
//! is short leaves its memory to snapshots.

use costate_analysis::affine::{self, difference, plus};
use costate_analysis::loops::substitute;
use costate_grammar::diag::{Code, Diagnostic};
use costate_grammar::intrinsics::Intrinsic;
use costate_grammar::ir::{
    AllocItem, Arg, Base, Callee, Designator, Dim, Expr, ExprKind, KindSuffix, Name, Part, Stmt, StmtKind, Subscript,
    Ty, for_each_stmt,
};
use costate_grammar::operators::BinaryOp;
use costate_grammar::print;
use costate_schedules::online::CHOSEN;

use super::state::{Memory, StatePart};
use crate::expressions::{BYTES, in_kind, root};
use crate::memory::{Entry, Rerun, Slot};
use crate::reverse::Reverse;
use crate::reverse::tree::decisions::Schedule;
use crate::reverse::tree::node::Loop;

/// Why the tape of a step has no size.
const GROWS: &str = "what a step saves goes to a tape, whose size isn't known before the step has run";
const SHAPE: &str = "arrays of its state may get another shape from step to step, or be components without memory";
const RECORD: &str = "what a call in a step keeps has a size that isn't known before the step has run";

impl Reverse<'_, '_> {
    /// The arguments that tell a schedule how many bytes a snapshot and the tape of a step take, for one that goes by them;
    /// `record` is what a range of steps runs to save. Without sizes another schedule runs, unless a directive asks for this.
    pub(in crate::reverse) fn sizes_told(&mut self, l: &Loop, schedule: &mut Schedule, record: &[Stmt]) -> Vec<Arg> {
        if !schedule.order.goes_by_bytes() {
            return Vec::new();
        }
        let parts = self.state_parts(l);
        let sized = match parts.iter().all(|p| p.memory == Memory::Fixed && !self.indirect(p.e.ty)) {
            true => self.tape_bytes(schedule, record),
            false => Err(SHAPE),
        };
        match sized {
            Ok(tape) => {
                let snapshot = total(parts.iter().map(|p| self.bytes_of(&p.e)));
                let mut told = vec![("snapshot_bytes", snapshot), ("tape_bytes", tape)];
                told.extend(schedule.order.memory.clone().map(|m| ("memory_bytes", m)));
                told.into_iter().map(|(name, value)| Arg { keyword: Some(Name::new(name)), value }).collect()
            }
            Err(reason) => {
                self.refuse_schedule(schedule, reason);
                let disk = schedule.order.on_disk.as_int() != Some(0);
                schedule.order.kind = if disk { "two-level" } else { "mixed" }.to_string();
                Vec::new()
            }
        }
    }

    fn refuse_schedule(&mut self, schedule: &Schedule, reason: &str) {
        let Some(span) = schedule.order.directive else { return };
        let message = format!("the loop that follows can't run under the schedule `{}`", schedule.order.kind);
        self.problems.push(
            Diagnostic::error(Code::UnsupportedDirective, span, message)
                .reason(reason)
                .help("ask for `schedule(mixed)`, which counts the tape of a step like a snapshot, or for another one"),
        );
    }

    /// Bytes of what one step saves, at most.
    fn tape_bytes(&mut self, schedule: &Schedule, record: &[Stmt]) -> Result<Expr, &'static str> {
        let (mut grows, mut records) = (false, false);
        for_each_stmt(record, &mut |s| {
            if let StmtKind::Allocate { items, .. } = &s.kind {
                records |= items.iter().any(|i| i.object.as_var().is_some_and(|d| self.records.contains(&d.sym)));
            }
            grows |= match &s.kind {
                StmtKind::Call { callee: Callee::Proc { sym, .. }, .. } => {
                    self.b.program[*sym].name.as_str() == "costate_push"
                }
                _ => false,
            };
        });
        if grows {
            return Err(GROWS);
        }
        if records {
            return Err(RECORD);
        }
        // Arrays of the same shape, and the bytes of an element of all of them.
        let mut shapes: Vec<(Vec<Expr>, Vec<Expr>)> = Vec::new();
        for stmt in record {
            let StmtKind::Allocate { items, .. } = &stmt.kind else { continue };
            for item in items {
                if self.indirect(item.object.ty) {
                    return Err(RECORD);
                }
                let (each, shape) = (self.element_bytes(&item.object), shape_of_step(schedule, item));
                match shapes.iter_mut().find(|s| s.0 == shape) {
                    Some((_, same)) => same.push(each),
                    None => shapes.push((shape, vec![each])),
                }
            }
        }
        Ok(total(shapes.into_iter().map(|(shape, each)| {
            let extents = shape.into_iter().map(|e| in_kind(e, BYTES));
            extents.fold(sum(each), Expr::mul)
        })))
    }

    /// Bytes of a variable or section.
    fn bytes_of(&self, e: &Expr) -> Expr {
        let each = self.element_bytes(e);
        if e.rank == 0 {
            return each;
        }
        let count = Expr::intrinsic(Intrinsic::Size, vec![e.clone()]).with_keyword("kind", Expr::int(8));
        each.mul(Expr { ty: BYTES, ..count })
    }

    /// Bytes of an element, a number where every compiler agrees on it.
    fn element_bytes(&self, e: &Expr) -> Expr {
        match (e.ty.base, e.ty.kind) {
            (Base::Real | Base::Integer | Base::Logical, kind @ (4 | 8)) => bytes(kind.into()),
            (Base::Complex, kind @ (4 | 8)) => bytes(2 * i64::from(kind)),
            _ => {
                let bits = Expr::intrinsic(Intrinsic::StorageSize, vec![e.clone()]).with_keyword("kind", Expr::int(8));
                Expr::binary(BinaryOp::Div, Expr { ty: BYTES, ..bits }, Expr::int(8))
            }
        }
    }

    /// Notes what snapshots and the recorded range hold: `held` is what the range holds, in terms of its last step.
    pub(in crate::reverse) fn hold_states(&mut self, l: &Loop, schedule: &Schedule, held: &[Entry]) {
        let order = &schedule.order;
        let held = &held.iter().cloned().chain(self.copied(l, schedule)).collect::<Vec<_>>();
        if order.kind == "mixed" {
            // All slots may hold tapes.
            self.hold_range(schedule, &plus(&in_memory(schedule), &Expr::int(1)), held);
        }
        match &order.memory {
            Some(memory) => {
                let bounds = vec![(Expr::int(1), self.at_entry(memory))];
                let what = "snapshots and tapes of steps, as much as the schedule may hold".to_string();
                let (symbol, path, ty) = (schedule.steps.from, self.path.clone(), Ty::new(Base::Integer, 1));
                self.ledger.push(Entry::Slot(Slot { symbol, what, reference: None, path, value: None, ty, bounds }));
            }
            None => {
                self.hold_snapshots(l, schedule);
                if order.kind == "dynamic" {
                    self.hold_table(schedule);
                }
            }
        }
        let steps = match order.kind.as_str() {
            "store-all" => trips(schedule),
            "two-level" if order.counts_are_open() => {
                Expr::binary(BinaryOp::Div, trips(schedule), root(trips(schedule)))
            }
            "two-level" => {
                let blocks = plus(&plus(&order.snapshots, &order.on_disk), &Expr::int(1));
                Expr::binary(BinaryOp::Div, trips(schedule), blocks)
            }
            // Tapes of more steps take the memory of snapshots.
            _ => Expr::int(1),
        };
        self.hold_range(schedule, &steps, held);
    }

    fn hold_range(&mut self, schedule: &Schedule, steps: &Expr, held: &[Entry]) {
        let to = self.at_entry(&plus(&plus(&schedule.steps.first, &Expr::int(-1)), steps));
        let entries = held.iter().map(|e| e.with(schedule.steps.to, &to)).collect();
        self.ledger.push(Entry::Rerun(Rerun { path: self.path.clone(), entries }));
    }

    /// Notes the table by which a schedule is found: for each number of snapshots and of steps, up to so many, a value and
    /// an advance.
    fn hold_table(&mut self, schedule: &Schedule) {
        const MOST: i64 = 10_240;
        let steps = Expr::intrinsic(Intrinsic::Min, vec![trips(schedule), Expr::int(MOST)]);
        let snapshots = plus(&in_memory(schedule), &Expr::int(1));
        let bounds = [Expr::int(2), steps, snapshots].map(|hi| (Expr::int(1), self.at_entry(&hi))).to_vec();
        let (symbol, path, ty) = (schedule.steps.from, self.path.clone(), Ty::new(Base::Integer, 8));
        let what = "table of the schedule".to_string();
        self.ledger.push(Entry::Slot(Slot { symbol, what, reference: None, path, value: None, ty, bounds }));
    }

    /// Notes the memory of the snapshots that are in memory.
    fn hold_snapshots(&mut self, l: &Loop, schedule: &Schedule) {
        for StatePart { e, .. } in &self.state_parts(l) {
            let text = print::expr(self.b.program, e);
            let mut bounds = self.shape(e);
            bounds.push((Expr::int(1), in_memory(schedule)));
            let bounds = bounds.into_iter().map(|(lo, hi)| (self.at_entry(&lo), self.at_entry(&hi))).collect();
            let reference = Some(text.clone());
            let what = format!("snapshots: {text}, as many as the schedule may hold");
            let (symbol, path) = (schedule.steps.from, self.path.clone());
            self.ledger.push(Entry::Slot(Slot { symbol, what, reference, path, value: None, ty: e.ty, bounds }));
        }
    }

    /// What is held while a snapshot is taken: compilers hand a section that isn't contiguous to the run-time library as a
    /// copy. There is one at a time; which of several is the largest isn't known here, and the one of most dimensions
    /// stands for it.
    fn copied(&mut self, l: &Loop, schedule: &Schedule) -> Option<Entry> {
        let parts = self.state_parts(l);
        let copied = parts.iter().map(|p| &p.e).filter(|e| self.is_scattered(e)).max_by_key(|e| e.rank);
        let e = copied?;
        let text = print::expr(self.b.program, e);
        let bounds = self.shape(e).into_iter().map(|(lo, hi)| (self.at_entry(&lo), self.at_entry(&hi))).collect();
        let what = format!("copy of {text} on its way to a snapshot");
        let (symbol, path) = (schedule.steps.from, self.path.clone());
        Some(Entry::Slot(Slot { symbol, what, reference: None, path, value: None, ty: e.ty, bounds }))
    }

    /// True for a section that surely leaves out elements of all but its last dimension.
    fn is_scattered(&self, e: &Expr) -> bool {
        let Some(Designator { sym, parts }) = e.as_var() else { return false };
        let ([Part::Subscripts(list)], Some(v)) = (parts.as_slice(), self.b.program.var(*sym)) else { return false };
        let one = Expr::int(1);
        let within = |(s, dim): (&Subscript, &Dim)| {
            let (Subscript::Range { lo: Some(lo), hi: Some(hi), .. }, Dim::Explicit(first, last)) = (s, dim) else {
                return false;
            };
            let moved = |a: &Expr, b: &Expr| difference(a, b).is_some_and(|d| d > 0);
            moved(lo, first.as_ref().unwrap_or(&one)) || moved(last, hi)
        };
        let leading = list.len().saturating_sub(1);
        list.iter().zip(&v.dims).take(leading).any(within)
    }
}

/// The number of steps.
fn trips(schedule: &Schedule) -> Expr {
    plus(&affine::minus(&schedule.steps.last, &schedule.steps.first), &Expr::int(1))
}

/// The number of snapshots in memory.
fn in_memory(schedule: &Schedule) -> Expr {
    let order = &schedule.order;
    match order.snapshots.as_int() {
        Some(0) if order.is_online() => Expr::int(CHOSEN as i64),
        Some(0) if order.counts_are_open() => root(trips(schedule)),
        _ => order.snapshots.clone(),
    }
}

/// The extents of what belongs to one step in an array for a range of them, at most. Its last dimension is the range.
fn shape_of_step(schedule: &Schedule, item: &AllocItem) -> Vec<Expr> {
    let one = Expr::int(1);
    let widest = |e: &Expr| {
        let e = substitute(e, schedule.steps.from, &schedule.steps.first);
        substitute(&e, schedule.steps.to, &schedule.steps.last)
    };
    let own = item.shape.split_last().map_or(&[][..], |(_, own)| own);
    let extent =
        |(lo, hi): &(Option<Expr>, Expr)| plus(&affine::minus(&widest(hi), &widest(lo.as_ref().unwrap_or(&one))), &one);
    own.iter().map(extent).collect()
}

/// The sum of numbers of bytes.
fn sum(list: Vec<Expr>) -> Expr {
    match list.iter().map(Expr::as_int).sum() {
        Some(number) => bytes(number),
        None => total(list.into_iter()),
    }
}

fn bytes(value: i64) -> Expr {
    Expr::new(ExprKind::Int { value, suffix: Some(KindSuffix::Number(8)) }, BYTES, 0)
}

fn total(parts: impl Iterator<Item = Expr>) -> Expr {
    parts.reduce(Expr::add).unwrap_or_else(|| bytes(0))
}
