//! Final procedures: the compiler calls them where an object's life ends, without a statement. One that changes no more than
//! its object leaves no trace; normal form calls any other by a statement. Where a procedure has no normal form, it counts
//! as run by every procedure that may end the life of such an object.

use std::collections::BTreeSet;
use std::rc::Rc;

use costate_grammar::ir::{
    Base, Callee, Expr, ExprKind, LoopControl, ProcId, Program, Stmt, StmtKind, SymId, Ty, Variable, for_each_expr,
    for_each_stmt,
};

use super::flow::Flow;
use super::{Effects, reached, target};
use crate::storage::{LocBits, LocId, LocSet, resolve};

/// The final procedures that may run because of a procedure's own variables, each with the variable.
pub fn finalisers(program: &Program, proc: ProcId) -> Vec<(ProcId, SymId)> {
    let mut out = Vec::new();
    for &sym in program[program[proc].scope].names.values() {
        // Variables of hosts and modules end with the program.
        let Some(v) = program.var(sym).filter(|_| program[sym].scope == program[proc].scope) else { continue };
        out.extend(finals_of(program, v.ty).into_iter().map(|p| (p, sym)));
    }
    out
}

/// The final procedures of a type, of its components and of the types that it extends.
pub fn finals_of(program: &Program, ty: Ty) -> BTreeSet<ProcId> {
    let mut found = BTreeSet::new();
    of_type(program, ty, 0, &mut found);
    found
}

fn of_type(program: &Program, ty: Ty, depth: u8, out: &mut BTreeSet<ProcId>) {
    let mut at = match ty.base {
        Base::Derived(t) | Base::Class(t) => Some(t),
        _ => None,
    };
    while let Some(t) = at.filter(|_| depth < 8) {
        let Some(derived) = program[t].derived() else { return };
        for name in &derived.finals {
            let procedure = program.lookup(program[t].scope, name).and_then(|s| program[s].procedure());
            out.extend(procedure.and_then(|p| p.definition));
        }
        for c in derived.components.iter().filter(|c| !c.var.attrs.pointer) {
            of_type(program, c.var.ty, depth + 1, out);
        }
        at = derived.extends;
    }
}

/// True for a procedure that may change more than its own variables and its arguments, by what its statements show.
pub fn leaves_trace(program: &Program, proc: ProcId) -> bool {
    reached(program, &[proc]).into_iter().any(|p| {
        let scope = program[p].scope;
        let beside = |sym: SymId| {
            let kept = |v: &Variable| v.attrs.save && !v.attrs.parameter || v.common.is_some() || v.equivalenced;
            program[sym].scope != scope || program.var(sym).is_none_or(kept)
        };
        let mut found = false;
        for_each_stmt(&program[p].body, &mut |s| {
            found |= changes(program, s).is_none_or(|c| c.into_iter().any(beside));
        });
        found
    })
}

/// The variables that a statement may change without what the procedures change that it calls; `None` for everything, what
/// pointers point to included.
fn changes(program: &Program, s: &Stmt) -> Option<BTreeSet<SymId>> {
    let (mut out, mut known) = (BTreeSet::new(), !through_pointers(program, s));
    let mut change = |e: &Expr| out.extend(e.as_var().map(|d| d.sym));
    let mut called = |callee: &Callee| {
        known &= matches!(callee, Callee::Intrinsic(_)) || target(program, callee).is_some();
    };
    match &s.kind {
        StmtKind::Assign { lhs, .. } | StmtKind::PointerAssign { lhs, .. } => change(lhs),
        StmtKind::Call { callee, args } => {
            called(callee);
            args.iter().for_each(|a| change(&a.value));
        }
        StmtKind::Allocate { items, options, .. } => {
            items.iter().for_each(|i| change(&i.object));
            options.iter().for_each(|(_, e)| change(e));
        }
        StmtKind::Deallocate { items, options } => {
            items.iter().for_each(&mut change);
            options.iter().for_each(|(_, e)| change(e));
        }
        StmtKind::Nullify(items) => items.iter().for_each(&mut change),
        StmtKind::Io { items, .. } => items.defines.iter().for_each(&mut change),
        _ => {}
    }
    for e in s.exprs() {
        for_each_expr(e, &mut |x| {
            if let ExprKind::Call { callee, args } = &x.kind {
                called(callee);
                if !matches!(callee, Callee::Intrinsic(_)) {
                    args.iter().for_each(|a| change(&a.value));
                }
            }
        });
    }
    match &s.kind {
        StmtKind::Do { control: LoopControl::Count { var, .. }, .. } => drop(out.insert(*var)),
        StmtKind::Do { control: LoopControl::Concurrent { .. }, .. }
        | StmtKind::Forall { .. }
        | StmtKind::Associate { .. }
        | StmtKind::BlockScope { .. }
        | StmtKind::Unsupported { .. } => known = false,
        _ => {}
    }
    known.then_some(out)
}

/// True for a statement that may change what a pointer points to. Memory that it frees or allocates by a pointer is the
/// pointer's.
fn through_pointers(program: &Program, s: &Stmt) -> bool {
    let behind = |e: &Expr, whole: bool| {
        e.as_var().is_some_and(|d| {
            let path = d.path();
            let steps = path.len() + usize::from(whole);
            (0..steps).any(|k| resolve(program, d.sym, &path[..k]).is_none_or(|v| v.attrs.pointer))
        })
    };
    let mut found = match &s.kind {
        StmtKind::Assign { lhs, .. } => behind(lhs, true),
        StmtKind::PointerAssign { lhs, .. } => behind(lhs, false),
        StmtKind::Call { args, .. } => args.iter().any(|a| behind(&a.value, true)),
        StmtKind::Allocate { items, .. } => items.iter().any(|i| behind(&i.object, false)),
        StmtKind::Deallocate { items, .. } | StmtKind::Nullify(items) => items.iter().any(|i| behind(i, false)),
        StmtKind::Io { items, .. } => items.defines.iter().any(|e| behind(e, true)),
        _ => false,
    };
    for e in s.exprs() {
        for_each_expr(e, &mut |x| {
            if let ExprKind::Call { callee, args } = &x.kind
                && !matches!(callee, Callee::Intrinsic(_))
            {
                found |= args.iter().any(|a| behind(&a.value, true));
            }
        });
    }
    found
}

impl Effects {
    /// What a final procedure reads and changes beside its object; `None` if it leaves no trace.
    pub fn trace(&self, program: &Program, finaliser: ProcId) -> Option<(LocSet, LocSet)> {
        let summary = self.summary(finaliser)?;
        let access = &summary.access;
        let beside = |set: &LocSet| -> LocSet {
            let dummies = &program[finaliser].dummies;
            set.iter().copied().filter(|l| !dummies.contains(&self.locs.get(*l).sym)).collect()
        };
        let writes = beside(&access.writes);
        (!writes.is_empty()).then(|| (beside(&access.reads), writes))
    }

    /// Adds what final procedures do to what a procedure does, unless statements call them.
    pub(super) fn finalise(&mut self, program: &Program, proc: ProcId, flow: &mut Flow) {
        for (finaliser, object) in finalisers(program, proc) {
            if !self.unstructured.contains(&proc) && leaves_trace(program, finaliser) {
                continue;
            }
            let Some((reads, writes)) = self.trace(program, finaliser) else { continue };
            let mut from: LocBits = reads.iter().copied().collect();
            from.extend(self.locs.leaves(program, object, &[]));
            from.union_with(&flow.of_any(&from));
            let from: Vec<LocId> = from.iter().filter(|l| self.locs.is_continuous(program, *l)).collect();
            flow.access.reads.extend(reads);
            for w in writes {
                flow.access.writes.insert(w);
                if self.locs.is_continuous(program, w) {
                    let mut inputs = flow.of_any(&LocBits::from_iter([w]));
                    inputs.extend(from.iter().copied().chain([w]));
                    flow.set_depends(w, &Rc::new(inputs));
                }
            }
        }
    }
}
