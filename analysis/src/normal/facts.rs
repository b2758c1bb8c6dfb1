//! Which variables a body may change: what may stand in the bounds of a temporary's declaration, and in those of a loop.

use std::collections::BTreeSet;

use costate_grammar::intrinsics::Intrinsic;
use costate_grammar::ir::{
    Arg, Base, Block, Callee, Designator, Dim, Expr, ExprKind, Intent, LoopControl, ParentUnit, ProcId, Program,
    ScopeId, Stmt, StmtKind, SymId, Variable, for_each_expr, for_each_stmt,
};

use super::callee;
use crate::externals::messages;

/// What a body may change, conservatively.
#[derive(Debug, Default)]
pub(super) struct Facts {
    changed: BTreeSet<SymId>,
    calls: bool,
    from_one: BTreeSet<SymId>,
    /// Used where no loop over them is around.
    free: BTreeSet<SymId>,
    /// The internal procedures that were looked through: they change what their host declares.
    internals: BTreeSet<ProcId>,
}

impl Facts {
    /// Looks through a procedure and its internal procedures.
    pub(super) fn new(program: &Program, proc: ProcId) -> Facts {
        let mut facts = Facts::default();
        let mut todo = vec![proc];
        while let Some(p) = todo.pop() {
            let procedure = &program[p];
            for_each_stmt(&procedure.body, &mut |s| facts.look(program, s));
            todo.extend(&procedure.internals);
        }
        facts.from_one = super::lower_bounds::starting_at_one(program, proc);
        free_uses(&program[proc].body, &mut Vec::new(), &mut facts.free);
        facts
    }

    /// Looks through some statements.
    pub(super) fn of_block(program: &Program, block: &Block) -> Facts {
        let mut facts = Facts::default();
        for_each_stmt(block, &mut |s| facts.look(program, s));
        facts
    }

    /// True for a variable that the statements looked through may change.
    pub(super) fn changes(&self, program: &Program, sym: SymId) -> bool {
        let Some(v) = program.var(sym) else {
            return true;
        };
        if v.attrs.parameter {
            return false;
        }
        // A call may change what isn't the procedure's own, and what a pointer leads to.
        let hidden = v.common.is_some() || v.attrs.target || v.attrs.pointer || v.dummy.is_none() && v.attrs.save;
        self.changed.contains(&sym) || v.equivalenced || self.calls && hidden
    }

    /// True for a variable that the statements looked through may change by its own name, as far as they show it.
    pub(super) fn assigns(&self, sym: SymId) -> bool {
        self.changed.contains(&sym)
    }

    /// True for a local that is nothing but a loop index.
    pub(super) fn only_index(&self, program: &Program, scope: ScopeId, sym: SymId) -> bool {
        let local =
            program.var(sym).is_some_and(|v| v.dummy.is_none() && !v.result && !v.attrs.save && v.common.is_none());
        local && program[sym].scope == scope && !self.free.contains(&sym)
    }

    fn look(&mut self, program: &Program, stmt: &Stmt) {
        for e in stmt.exprs() {
            for_each_expr(e, &mut |e| {
                if let ExprKind::Call { callee, args } = &e.kind
                    && !matches!(callee, Callee::Intrinsic(_))
                {
                    self.call(program, callee, args);
                }
            });
        }
        // What it keeps private changes unseen.
        self.calls |= stmt.is_region();
        match &stmt.kind {
            StmtKind::Assign { lhs, .. } | StmtKind::PointerAssign { lhs, .. } => self.change(lhs),
            StmtKind::Call { callee: Callee::Intrinsic(_), args } => args.iter().for_each(|a| self.change(&a.value)),
            StmtKind::Call { callee, args } => self.call(program, callee, args),
            StmtKind::Do { control, .. } => match control {
                LoopControl::Count { var, .. } => drop(self.changed.insert(*var)),
                LoopControl::Concurrent { indices, .. } => self.changed.extend(indices.iter().map(|i| i.0)),
                LoopControl::While(_) | LoopControl::Forever => {}
            },
            StmtKind::Forall { indices, .. } => self.changed.extend(indices.iter().map(|i| i.0)),
            StmtKind::Associate { bindings, .. } => {
                // What is changed through the name is changed.
                bindings.iter().for_each(|(_, e)| self.change(e));
            }
            StmtKind::Allocate { items, options, .. } => {
                items.iter().for_each(|i| self.change(&i.object));
                options.iter().for_each(|(_, e)| self.change(e));
            }
            StmtKind::Deallocate { items, options } => {
                items.iter().for_each(|e| self.change(e));
                options.iter().for_each(|(_, e)| self.change(e));
            }
            StmtKind::Nullify(items) => items.iter().for_each(|e| self.change(e)),
            StmtKind::Io { items, .. } => items.defines.iter().for_each(|e| self.change(e)),
            StmtKind::Unsupported { names, .. } => {
                self.calls = true;
                self.changed.extend(names);
            }
            StmtKind::Directive { .. } => self.calls = true,
            StmtKind::If { .. }
            | StmtKind::Select { .. }
            | StmtKind::Where { .. }
            | StmtKind::BlockScope { .. }
            | StmtKind::Exit(_)
            | StmtKind::Cycle(_)
            | StmtKind::Return
            | StmtKind::Stop { .. }
            | StmtKind::Goto(_)
            | StmtKind::Continue
            | StmtKind::Comment(_) => {}
        }
    }

    /// A call may change its arguments, and what an internal procedure that it calls or is given does by name.
    fn call(&mut self, program: &Program, callee: &Callee, args: &[Arg]) {
        self.calls = true;
        self.change_args(program, callee, args);
        if let Callee::Bound { object, .. } = callee {
            self.change(object);
        }
        let given = args.iter().filter_map(|a| match &a.value.kind {
            ExprKind::ProcRef(sym) => program[*sym].procedure().and_then(|p| p.definition),
            _ => None,
        });
        for p in given.chain(callee::interface(program, callee)) {
            if matches!(program[p].parent, ParentUnit::Procedure(_)) && self.internals.insert(p) {
                for_each_stmt(&program[p].body, &mut |s| self.look(program, s));
            }
        }
    }

    /// Arguments of a call may change unless their dummy is `intent(in)`, or it is known what MPI does with them.
    fn change_args(&mut self, program: &Program, callee: &Callee, args: &[Arg]) {
        let procedure = callee::interface(program, callee);
        for (i, arg) in args.iter().enumerate() {
            let dummy = procedure.and_then(|p| callee::dummy_of(program, p, callee, i, arg));
            let used = || messages::only_uses(program, callee, i, arg.keyword.as_ref());
            if dummy.and_then(|d| program.var(d)).is_none_or(|v| v.intent != Some(Intent::In)) && !used() {
                self.change(&arg.value);
            }
        }
    }

    fn change(&mut self, e: &Expr) {
        if let ExprKind::Var(d) = &e.kind {
            self.changed.insert(d.sym);
        }
    }

    /// True for a variable that has the same value at every point of the body.
    pub(super) fn constant(&self, program: &Program, scope: ScopeId, sym: SymId) -> bool {
        let Some(v) = program.var(sym) else {
            return false;
        };
        if v.attrs.parameter {
            return true;
        }
        if self.changed.contains(&sym) || v.attrs.pointer || v.attrs.changes_unseen() || v.equivalenced {
            return false;
        }
        // A local that is never changed has no value; a variable of another scope or a block may change in a call.
        if v.dummy.is_some() && program[sym].scope == scope {
            return v.intent != Some(Intent::Out) && !(v.attrs.target && self.calls);
        }
        !self.calls && (program[sym].scope != scope || v.common.is_some())
    }

    /// True for an allocatable whose lower bounds are always 1.
    pub(super) fn starts_at_one(&self, base: &Designator) -> bool {
        base.parts.is_empty() && self.from_one.contains(&base.sym)
    }

    /// Such an allocatable is made.
    pub(super) fn keep_at_one(&mut self, sym: SymId) {
        self.from_one.insert(sym);
    }

    /// True for one node of an expression that may stand in a declaration and has the value there that it has in the body.
    pub(super) fn declarable(&self, program: &Program, scope: ScopeId, e: &Expr) -> bool {
        match &e.kind {
            ExprKind::Var(d) => {
                let Some(v) = program.var(d.sym) else {
                    return false;
                };
                if v.attrs.optional || v.result {
                    return false;
                }
                // An array here is the argument of an inquiry.
                let fixed_shape = v.rank() > 0 && v.dummy.is_some() && fixed(v);
                fixed_shape && d.parts.is_empty()
                    || e.rank == 0 && v.rank() == 0 && d.parts.is_empty() && self.constant(program, scope, d.sym)
            }
            ExprKind::Int { .. } | ExprKind::Unary(..) | ExprKind::Binary(..) | ExprKind::Paren(_) => {
                matches!(e.ty.base, Base::Integer)
            }
            ExprKind::Call { callee: Callee::Intrinsic(f), .. } => {
                matches!(f, Intrinsic::Size | Intrinsic::Lbound | Intrinsic::Ubound | Intrinsic::Max | Intrinsic::Min)
                    && e.rank == 0
            }
            ExprKind::Call { .. }
            | ExprKind::Real { .. }
            | ExprKind::ComplexLit(..)
            | ExprKind::Logical { .. }
            | ExprKind::Str(_)
            | ExprKind::Boz(_)
            | ExprKind::ArrayCtor { .. }
            | ExprKind::StructCtor { .. }
            | ExprKind::ProcRef(_)
            | ExprKind::Opaque(_) => false,
        }
    }
}

/// True for an array whose shape can't change.
pub(super) fn fixed(v: &Variable) -> bool {
    !v.attrs.allocatable && !v.attrs.pointer && v.dims.iter().all(|d| matches!(d, Dim::Explicit(..) | Dim::Assumed(_)))
}

/// Variables that are used outside of loops over them.
fn free_uses(block: &Block, active: &mut Vec<SymId>, out: &mut BTreeSet<SymId>) {
    for s in block {
        let before = active.len();
        match &s.kind {
            StmtKind::Do { control: LoopControl::Count { var, .. }, .. } => active.push(*var),
            StmtKind::Do { control: LoopControl::Concurrent { indices, .. }, .. }
            | StmtKind::Forall { indices, .. } => {
                active.extend(indices.iter().map(|i| i.0));
            }
            _ => {}
        }
        for e in s.exprs() {
            for_each_expr(e, &mut |e| {
                if let ExprKind::Var(d) = &e.kind
                    && !active.contains(&d.sym)
                {
                    out.insert(d.sym);
                }
            });
        }
        for inner in s.blocks() {
            free_uses(inner, active, out);
        }
        active.truncate(before);
    }
}
