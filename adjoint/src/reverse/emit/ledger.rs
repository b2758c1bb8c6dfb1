//! Notes what the generated code holds in memory, and for how long.

use std::collections::BTreeSet;

use costate_analysis::loops::step_sign;
use costate_analysis::storage::{is_global, resolve};
use costate_grammar::intrinsics::Intrinsic;
use costate_grammar::ir::{Dim, Expr, ExprKind, LoopControl, StmtKind, SymId, map_expr};
use costate_grammar::print;

use super::around::Around;
use crate::interface::call_arguments;
use crate::memory::{Call, Entry, Part, Records, Slot};
use crate::reverse::Reverse;
use crate::reverse::tree::node::{Leaf, Loop};

impl Reverse<'_, '_> {
    /// Notes a saved value: `bounds` are those of its slot.
    pub(in crate::reverse) fn hold(&mut self, slot: SymId, e: &Expr, bounds: Vec<(Expr, Expr)>, chain: &[Around]) {
        if bounds.is_empty() {
            return;
        }
        let loops = chain.iter().filter_map(|a| a.var).map(|s| self.b.program[s].name.to_string());
        let loops: Vec<String> = loops.collect();
        let each = if loops.is_empty() { String::new() } else { format!(" for each {}", loops.join(", ")) };
        let name = self.b.program[slot].name.clone();
        let reference = print::expr(self.b.program, e);
        let what = format!("{name}: {reference}{each}");
        let bounds = bounds.into_iter().map(|(lo, hi)| (self.at_entry(&lo), self.at_entry(&hi))).collect();
        let value = self.path.last().copied().and_then(|at| self.value_of(at, e));
        self.ledger.push(Entry::Slot(Slot {
            symbol: slot,
            what,
            reference: Some(reference),
            path: self.path.clone(),
            value,
            ty: e.ty,
            bounds,
        }));
    }

    /// Notes the records of a split call: one for each iteration of the loops around it.
    pub(in crate::reverse) fn hold_record(
        &mut self,
        record: SymId,
        l: &Leaf,
        bounds: Vec<(Expr, Expr)>,
        chain: &[Around],
    ) {
        let Some(&context) = self.context.callees.get(&l.stmt.id) else { return };
        let args = call_arguments(&l.stmt).to_vec();
        let call = Call { path: self.path.clone(), context, part: Part::Halves, args };
        let loops = chain.iter().filter_map(|a| a.var).map(|s| self.b.program[s].name.to_string());
        let loops: Vec<String> = loops.collect();
        let each = if loops.is_empty() { String::new() } else { format!(" for each {}", loops.join(", ")) };
        let what = format!("{}: what a call keeps{each}", self.b.program[record].name);
        let bounds = bounds.into_iter().map(|(lo, hi)| (self.at_entry(&lo), self.at_entry(&hi))).collect();
        self.ledger.push(Entry::Record(Records { what, call, bounds }));
    }

    /// Notes a value that goes to the tape in every iteration of the loops around it, or with those of all iterations of the
    /// loops inside the first `around` of them.
    pub(in crate::reverse) fn hold_on_tape(&mut self, e: &Expr, chain: &[Around], around: usize) {
        let mut bounds = self.shape(e);
        bounds.extend(chain.iter().map(|a| match (a.var, step_sign(a.step.as_ref())) {
            (Some(_), Some(1)) => (a.lo.clone(), a.hi.clone()),
            (Some(_), Some(-1)) => (a.hi.clone(), a.lo.clone()),
            (Some(_), _) => (Expr::int(1), trips(a)),
            (None, _) => (a.lo.clone(), a.hi.clone()),
        }));
        if let Some(tape) = self.tape_for(&chain[..around]).as_var().map(|d| d.sym) {
            self.hold(tape, e, bounds, chain);
        }
    }

    /// Bounds of a variable or section, or of what is as large.
    pub(in crate::reverse) fn shape(&self, e: &Expr) -> Vec<(Expr, Expr)> {
        let declared = e.as_var().and_then(|d| resolve(self.b.program, d.sym, &d.path()));
        let dims = declared.map(|v| v.dims.clone()).unwrap_or_default();
        (0..usize::from(e.rank))
            .map(|k| match dims.get(k) {
                Some(Dim::Explicit(lo, hi)) => (lo.clone().unwrap_or_else(|| Expr::int(1)), hi.clone()),
                _ => (Expr::int(1), Expr::intrinsic(Intrinsic::Size, vec![e.clone(), Expr::int(k as i64 + 1)])),
            })
            .collect()
    }

    /// Notes arrays that hold adjoints: local ones, and those of module variables that the procedure of a head sets up.
    pub(in crate::reverse) fn hold_adjoints(&mut self) {
        let shadows: BTreeSet<(SymId, SymId)> =
            self.b.shadow.iter().chain(self.b.globals.iter()).map(|(p, s)| (*p, *s)).collect();
        let mut own = Vec::new();
        for (primal, shadow) in shadows {
            let Some(v) = self.b.program.var(primal).filter(|v| v.dummy.is_none() && !v.result && v.rank() > 0) else {
                continue;
            };
            if is_global(self.b.program, primal) && !self.lockstep(&(primal, Vec::new())) {
                continue;
            }
            let array = Expr::var(primal, v.ty, v.rank());
            let what = format!("{}: adjoint of {}", self.b.program[shadow].name, self.b.program[primal].name);
            own.push(Entry::Slot(Slot {
                symbol: shadow,
                what,
                reference: None,
                path: Vec::new(),
                value: None,
                ty: array.ty,
                bounds: self.shape(&array),
            }));
        }
        self.ledger.splice(0..0, own);
    }

    /// Takes back local arrays that are no longer used.
    pub(in crate::reverse) fn disown(&mut self, gone: &BTreeSet<SymId>) {
        let scope = self.b.scope;
        self.b.program[scope].names.retain(|_, s| !gone.contains(s));
        self.ledger.retain(|e| !matches!(e, Entry::Slot(s) if gone.contains(&s.symbol)));
    }

    /// What variables of loops around a region stand for in bounds: the values for which it is largest.
    pub(in crate::reverse) fn enter(&mut self, l: &Loop) {
        if let StmtKind::Do { control: LoopControl::Count { var, lo, hi, .. }, .. } = &l.stmt.kind {
            // The last block may be shorter than the others.
            let value = if l.blocks.is_some() { lo } else { hi };
            self.defined.insert(*var, value.clone());
        }
    }

    /// An expression in terms of what doesn't change in the procedure.
    pub(in crate::reverse) fn at_entry(&self, e: &Expr) -> Expr {
        let mut out = e.clone();
        for _ in 0..4 {
            out = map_expr(out, &mut |x| match &x.kind {
                ExprKind::Var(d) if d.parts.is_empty() => self.defined.get(&d.sym).cloned().unwrap_or(x),
                _ => x,
            });
        }
        out
    }
}

/// How often a loop runs whose step may have either sign.
fn trips(a: &Around) -> Expr {
    let step = a.step.clone().unwrap_or_else(|| Expr::int(1));
    a.hi.clone().sub(a.lo.clone()).add(step.clone()).div(step)
}
