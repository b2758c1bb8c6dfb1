//! What a statement of emitted IR does with local variables, as far as its text says.

use std::collections::BTreeSet;

use costate_grammar::intrinsics::{Class, Intrinsic};
use costate_grammar::ir::{
    Arg, Callee, CaseRange, CtorItem, Expr, ExprKind, Intent, LoopControl, Name, ProcId, Program, Stmt, StmtKind,
    SymId, for_each_expr,
};

use crate::remap::mentioned;
use crate::runtime::without_unused;

/// The variables whose values the header of a statement uses, and those that it may define.
#[derive(Debug, Default)]
pub(super) struct Uses {
    pub(super) reads: BTreeSet<SymId>,
    pub(super) defines: BTreeSet<SymId>,
    /// Variables that callees may use, too.
    pub(super) passed: BTreeSet<SymId>,
    /// Variables whose memory a callee may allocate or free.
    pub(super) handed: BTreeSet<SymId>,
}

/// What a statement does, inner statements aside.
pub(super) fn of(program: &Program, s: &Stmt) -> Uses {
    let mut out = Uses::default();
    match &s.kind {
        StmtKind::Assign { lhs, rhs } | StmtKind::PointerAssign { lhs, rhs } => {
            out.read(rhs);
            out.define(lhs);
        }
        StmtKind::Call { callee, args } => out.call(program, callee, args),
        StmtKind::Select { arms, .. } => {
            s.exprs().into_iter().for_each(|e| out.read(e));
            for range in arms.iter().flat_map(|a| &a.ranges) {
                match range {
                    CaseRange::Value(e) => out.read(e),
                    CaseRange::Range(lo, hi) => lo.iter().chain(hi).for_each(|e| out.read(e)),
                }
            }
        }
        StmtKind::Do { control, .. } => {
            s.exprs().into_iter().for_each(|e| out.read(e));
            match control {
                LoopControl::Count { var, .. } => {
                    out.defines.insert(*var);
                }
                LoopControl::Concurrent { indices, .. } => {
                    // The mask is asked for each of their values.
                    indices.iter().for_each(|i| _ = out.reads.remove(&i.0));
                    out.defines.extend(indices.iter().map(|i| i.0));
                }
                LoopControl::While(_) | LoopControl::Forever => {}
            }
        }
        StmtKind::Allocate { items, options, .. } => {
            for item in items {
                out.within(&item.object);
                item.shape.iter().flat_map(|(lo, hi)| lo.iter().chain([hi])).for_each(|e| out.read(e));
            }
            out.options(options);
            if options.iter().any(|(n, _)| n.as_str() == "source") {
                items.iter().for_each(|i| out.define(&i.object));
            }
        }
        StmtKind::Deallocate { items, options } => {
            items.iter().for_each(|e| out.within(e));
            out.options(options);
        }
        StmtKind::Nullify(items) => items.iter().for_each(|e| out.define(e)),
        StmtKind::Io { items, .. } => {
            items.uses.iter().filter(|e| !items.defines.contains(e)).for_each(|e| out.read(e));
            items.defines.iter().for_each(|e| out.define(e));
        }
        StmtKind::Unsupported { names, .. } => out.defines.extend(names),
        StmtKind::If { .. }
        | StmtKind::Where { .. }
        | StmtKind::Forall { .. }
        | StmtKind::Associate { .. }
        | StmtKind::BlockScope { .. }
        | StmtKind::Exit(_)
        | StmtKind::Cycle(_)
        | StmtKind::Return
        | StmtKind::Stop { .. }
        | StmtKind::Goto(_)
        | StmtKind::Continue
        | StmtKind::Directive { .. }
        | StmtKind::Comment(_) => s.exprs().into_iter().for_each(|e| out.read(e)),
    }
    for e in s.exprs() {
        for_each_expr(e, &mut |x| {
            if let ExprKind::Call { callee, args } = &x.kind
                && !matches!(callee, Callee::Intrinsic(_))
            {
                out.call(program, callee, args);
            }
        });
    }
    out
}

impl Uses {
    /// The value of an expression is used.
    fn read(&mut self, e: &Expr) {
        match &e.kind {
            // What is asked of an array isn't its value.
            ExprKind::Call { callee: Callee::Intrinsic(f), args } if asks(*f) => {
                args.iter().for_each(|a| match a.value.as_var() {
                    Some(_) => self.within(&a.value),
                    None => self.read(&a.value),
                });
            }
            // Arguments of the user's functions are looked at with their dummies.
            ExprKind::Call { callee: Callee::Proc { .. } | Callee::Bound { .. }, .. } => {}
            ExprKind::ArrayCtor { items, .. } => {
                let mut inner = Uses::default();
                e.children().into_iter().for_each(|c| inner.read(c));
                items.iter().for_each(|i| without_counter(i, &mut inner.reads));
                self.reads.extend(inner.reads);
            }
            kind => {
                if let ExprKind::Var(d) = kind {
                    self.reads.insert(d.sym);
                }
                e.children().into_iter().for_each(|c| self.read(c));
            }
        }
    }

    /// The subscripts of a reference are used.
    fn within(&mut self, e: &Expr) {
        e.children().into_iter().for_each(|c| self.read(c));
    }

    fn define(&mut self, e: &Expr) {
        self.within(e);
        self.defines.extend(e.as_var().map(|d| d.sym));
    }

    fn options(&mut self, options: &[(Name, Expr)]) {
        for (name, e) in options {
            if matches!(name.as_str(), "stat" | "errmsg") { self.define(e) } else { self.read(e) }
        }
    }

    fn call(&mut self, program: &Program, callee: &Callee, args: &[Arg]) {
        if let Callee::Bound { object, .. } = callee {
            self.define(object);
        }
        for (i, a) in args.iter().enumerate() {
            let Some(d) = a.value.as_var() else {
                self.read(&a.value);
                continue;
            };
            self.within(&a.value);
            self.passed.insert(d.sym);
            let at = dummy(program, callee, i, a.keyword.as_ref());
            let dummy = at.and_then(|s| program.var(s));
            match dummy.and_then(|v| v.intent) {
                Some(Intent::In) if dummy.is_some_and(|v| v.attrs.optional || v.attrs.pointer) => {}
                Some(Intent::In) => {
                    self.reads.extend(at.is_some_and(|at| mentions(program, callee, at)).then_some(d.sym));
                }
                Some(Intent::Out | Intent::InOut) | None => {
                    self.defines.insert(d.sym);
                }
            }
            if d.parts.is_empty() && dummy.is_none_or(|v| v.attrs.allocatable) {
                self.handed.insert(d.sym);
            }
        }
    }
}

fn dummy(program: &Program, callee: &Callee, at: usize, keyword: Option<&Name>) -> Option<SymId> {
    let dummies = &program[procedure(program, callee)?].dummies;
    match keyword {
        Some(k) => dummies.iter().find(|d| program[**d].name == *k).copied(),
        None => dummies.get(at).copied(),
    }
}

fn procedure(program: &Program, callee: &Callee) -> Option<ProcId> {
    let Callee::Proc { sym, .. } = callee else { return None };
    let info = program[*sym].procedure()?;
    info.definition.or(info.interface)
}

/// True when statements of a callee mention its dummy: the adjoint of a procedure need not use what the procedure uses, nor
/// derivatives of the run-time library all that they are passed.
fn mentions(program: &Program, callee: &Callee, dummy: SymId) -> bool {
    let mut used = BTreeSet::new();
    if let Some(p) = procedure(program, callee) {
        mentioned(&without_unused(program, &program[p].body), &mut used);
    }
    used.contains(&dummy)
}

/// True for functions that don't use the value of their argument.
fn asks(f: Intrinsic) -> bool {
    f.class() == Class::Inquiry
}

fn without_counter(item: &CtorItem, reads: &mut BTreeSet<SymId>) {
    if let CtorItem::ImpliedDo { items, var, .. } = item {
        reads.remove(var);
        items.iter().for_each(|i| without_counter(i, reads));
    }
}

/// The variables whose values an expression uses.
pub(super) fn values(e: &Expr) -> BTreeSet<SymId> {
    let mut out = Uses::default();
    out.read(e);
    out.reads
}

/// True for a loop that never runs, by the numbers that it counts with.
pub(super) fn is_idle(s: &Stmt) -> bool {
    let StmtKind::Do { control: LoopControl::Count { lo, hi, step, .. }, .. } = &s.kind else { return false };
    match (lo.as_int(), hi.as_int(), step.as_ref().map_or(Some(1), Expr::as_int)) {
        (Some(lo), Some(hi), Some(step)) => step > 0 && lo > hi || step < 0 && lo < hi,
        _ => false,
    }
}
