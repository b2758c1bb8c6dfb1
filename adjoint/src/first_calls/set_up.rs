//! Whether statements compute the same whenever they run.

use std::collections::BTreeSet;

use costate_grammar::ir::{
    Arg, Callee, CtorItem, DataKind, Expr, ExprKind, Intent, LoopControl, Name, ProcId, Program, ScopeKind, Stmt,
    StmtKind, SymId, for_each_expr, for_each_stmt,
};

use costate_analysis::storage::symbols;

use crate::kept::{changed, owner, written};
use crate::remap::mentioned;

/// How deep calls are followed.
const DEPTH: u8 = 8;

/// The statements of a set-up.
pub(super) struct SetUp<'p> {
    pub program: &'p Program,
    pub proc: ProcId,
    /// Variables that keep what it assigns.
    pub kept: &'p BTreeSet<SymId>,
    /// Other variables that it assigns.
    pub locals: &'p BTreeSet<SymId>,
    /// Variables for whose values it is made.
    pub keys: &'p BTreeSet<SymId>,
    /// Variables that nothing else mentions: they have no value before it.
    pub alone: BTreeSet<SymId>,
    /// Names of constructs inside it.
    pub names: BTreeSet<Name>,
}

type Known = BTreeSet<SymId>;

impl SetUp<'_> {
    /// True where nothing but constants and keys decides what the statements assign.
    pub(super) fn is_repeatable(&self, block: &[Stmt]) -> bool {
        self.block(block, &mut Known::new())
    }

    /// `known` are variables that have been assigned as a whole.
    fn block(&self, block: &[Stmt], known: &mut Known) -> bool {
        block.iter().all(|s| self.stmt(s, known))
    }

    fn stmt(&self, s: &Stmt, known: &mut Known) -> bool {
        match &s.kind {
            StmtKind::Assign { lhs, rhs } => self.assigned(lhs, known) && self.expr(rhs, known) && define(lhs, known),
            StmtKind::If { .. } | StmtKind::Where { .. } | StmtKind::Select { .. } => self.inner(s, known),
            StmtKind::Do { control: LoopControl::Count { var, lo, hi, step }, parallel: None, .. } => {
                let bounds = [lo, hi].into_iter().chain(step).all(|e| self.expr(e, known));
                known.insert(*var);
                bounds && self.is_own(*var) && self.inner(s, known)
            }
            StmtKind::Do { control: LoopControl::While(_) | LoopControl::Forever, parallel: None, .. } => {
                self.inner(s, known)
            }
            StmtKind::Call { callee: Callee::Proc { sym, .. }, args } => self.call(*sym, args, known),
            StmtKind::Allocate { items, options, .. } => {
                let shape = |(lo, hi): &(Option<Expr>, Expr)| lo.iter().chain([hi]).all(|e| self.expr(e, known));
                let fits = items.iter().all(|i| self.assigned(&i.object, known) && i.shape.iter().all(shape));
                fits && options.is_empty()
            }
            StmtKind::Deallocate { items, options } => {
                items.iter().all(|e| self.assigned(e, known)) && options.is_empty()
            }
            StmtKind::Io { kind: DataKind::Print | DataKind::Write, items, .. } => items.defines.is_empty(),
            StmtKind::Exit(name) | StmtKind::Cycle(name) => name.as_ref().is_none_or(|n| self.names.contains(n)),
            StmtKind::Stop { .. } | StmtKind::Continue | StmtKind::Comment(_) => true,
            StmtKind::Do { .. }
            | StmtKind::Call { .. }
            | StmtKind::PointerAssign { .. }
            | StmtKind::Forall { .. }
            | StmtKind::Associate { .. }
            | StmtKind::BlockScope { .. }
            | StmtKind::Return
            | StmtKind::Goto(_)
            | StmtKind::Nullify(_)
            | StmtKind::Io { .. }
            | StmtKind::Directive { .. }
            | StmtKind::Unsupported { .. } => false,
        }
    }

    /// A construct: what is assigned in it need not be assigned after it.
    fn inner(&self, s: &Stmt, known: &Known) -> bool {
        s.exprs().into_iter().all(|e| self.expr(e, known))
            && s.blocks().into_iter().all(|b| self.block(b, &mut known.clone()))
    }

    fn is_own(&self, sym: SymId) -> bool {
        self.kept.contains(&sym) || self.locals.contains(&sym)
    }

    fn assigned(&self, lhs: &Expr, known: &Known) -> bool {
        let Some(d) = lhs.as_var() else { return false };
        self.is_own(d.sym) && lhs.children().into_iter().all(|e| self.expr(e, known))
    }

    /// True for an expression of constants, keys and what the set-up has computed.
    fn expr(&self, e: &Expr, known: &Known) -> bool {
        let mut known = known.clone();
        for_each_expr(e, &mut |x| {
            if let ExprKind::ArrayCtor { items, .. } = &x.kind {
                indices(items, &mut known);
            }
        });
        let mut fits = true;
        for_each_expr(e, &mut |x| {
            fits &= match &x.kind {
                ExprKind::Var(d) => self.is_known(d.sym, &known),
                ExprKind::Call { callee: Callee::Intrinsic(_), .. } => true,
                ExprKind::Call { callee: Callee::Proc { sym, .. }, args } => {
                    let changes = |(at, a): (usize, &Arg)| {
                        a.value.as_var().is_some_and(|_| may_change(self.program, *sym, at, DEPTH))
                    };
                    is_stateless(self.program, *sym, DEPTH) && !args.iter().enumerate().any(changes)
                }
                ExprKind::Call { callee: Callee::Bound { .. }, .. } | ExprKind::ProcRef(_) | ExprKind::Opaque(_) => {
                    false
                }
                _ => true,
            };
        });
        fits
    }

    fn is_known(&self, sym: SymId, known: &Known) -> bool {
        let Some(v) = self.program.var(sym) else { return false };
        let before = self.keys.is_empty() && self.kept.contains(&sym);
        let found = v.attrs.parameter || known.contains(&sym) || self.keys.contains(&sym) || self.alone.contains(&sym);
        found || before || is_constant(self.program, self.proc, sym)
    }

    fn call(&self, callee: SymId, args: &[Arg], known: &mut Known) -> bool {
        let fits = args.iter().enumerate().all(|(at, a)| match a.value.as_var() {
            Some(d) if may_change(self.program, callee, at, DEPTH) => {
                let out = dummy(self.program, callee, at).and_then(|v| self.program.var(v)).and_then(|v| v.intent);
                let ready = out == Some(Intent::Out) && d.parts.is_empty() || self.is_known(d.sym, known);
                ready && self.assigned(&a.value, known)
            }
            _ => self.expr(&a.value, known),
        });
        let plain = args.iter().all(|a| a.keyword.is_none());
        plain && fits && is_stateless(self.program, callee, DEPTH) && args.iter().all(|a| define(&a.value, known))
    }
}

/// Notes that a variable has been assigned, if it was as a whole.
fn define(e: &Expr, known: &mut Known) -> bool {
    known.extend(e.as_var().filter(|d| d.parts.is_empty()).map(|d| d.sym));
    true
}

fn indices(items: &[CtorItem], known: &mut Known) {
    for i in items {
        if let CtorItem::ImpliedDo { items, var, .. } = i {
            known.insert(*var);
            indices(items, known);
        }
    }
}

/// True for a local variable that has its initial value always.
fn is_constant(program: &Program, proc: ProcId, sym: SymId) -> bool {
    let initial = program.var(sym).is_some_and(|v| v.init.is_some() && !v.has_other_names());
    initial && owner(program, sym) == Some(proc) && !changed(program, proc).contains(&sym)
}

fn definition(program: &Program, callee: SymId) -> Option<ProcId> {
    let found = program[callee].procedure()?.definition?;
    let p = &program[found];
    (!p.declared && p.problems.is_empty() && !program.told.contains(&found)).then_some(found)
}

fn dummy(program: &Program, callee: SymId, at: usize) -> Option<SymId> {
    program[definition(program, callee)?].dummies.get(at).copied()
}

/// True where a call may change its argument at a position.
fn may_change(program: &Program, callee: SymId, at: usize, depth: u8) -> bool {
    if statement_function(program, callee).is_some() {
        return false;
    }
    let (Some(proc), Some(dummy)) = (definition(program, callee), dummy(program, callee, at)) else { return true };
    if program.var(dummy).is_some_and(|v| v.intent == Some(Intent::In)) {
        return false;
    }
    let p = &program[proc];
    let mut found = depth == 0 || !p.internals.is_empty();
    for_each_stmt(&p.body, &mut |s| {
        let mut assigned = BTreeSet::new();
        written(s, &mut assigned);
        found |= assigned.contains(&dummy) && !(depth > 0 && passed_on(program, s, dummy, depth - 1));
        found |= matches!(s.kind, StmtKind::Associate { .. } | StmtKind::Unsupported { .. });
    });
    found
}

/// The variables that statements may assign, by themselves or in procedures.
pub(super) fn assigned(program: &Program, block: &[Stmt]) -> BTreeSet<SymId> {
    let mut out = BTreeSet::new();
    for_each_stmt(block, &mut |s| {
        let mut here = BTreeSet::new();
        written(s, &mut here);
        out.extend(here.into_iter().filter(|sym| !passed_on(program, s, *sym, DEPTH)));
    });
    out
}

/// True for a statement that only hands a variable to procedures that don't change it.
fn passed_on(program: &Program, s: &Stmt, sym: SymId, depth: u8) -> bool {
    let is = |e: &Expr| e.as_var().is_some_and(|d| d.sym == sym);
    let unchanged = |callee: &Callee, args: &[Arg]| match callee {
        Callee::Proc { sym: f, .. } => args
            .iter()
            .enumerate()
            .all(|(at, a)| !is(&a.value) || a.keyword.is_none() && !may_change(program, *f, at, depth)),
        Callee::Intrinsic(_) => !matches!(s.kind, StmtKind::Call { .. }),
        Callee::Bound { .. } => false,
    };
    let mut fits = match &s.kind {
        StmtKind::Call { callee, args } => unchanged(callee, args),
        StmtKind::Assign { lhs, .. } => !is(lhs),
        StmtKind::If { .. } | StmtKind::Select { .. } | StmtKind::Stop { .. } => true,
        StmtKind::Do { control, .. } => !matches!(control, LoopControl::Count { var, .. } if *var == sym),
        StmtKind::Io { items, .. } => !items.defines.iter().any(is),
        _ => false,
    };
    for e in s.exprs() {
        for_each_expr(e, &mut |x| {
            if let ExprKind::Call { callee, args } = &x.kind {
                fits &= unchanged(callee, args);
            }
        });
    }
    fits
}

fn statement_function(program: &Program, callee: SymId) -> Option<&(Vec<SymId>, Expr)> {
    program[callee].procedure()?.statement_function.as_ref()
}

/// True for a procedure with source, or a statement function, that keeps nothing and depends on nothing but its arguments.
fn is_stateless(program: &Program, callee: SymId, depth: u8) -> bool {
    if let Some((dummies, e)) = statement_function(program, callee).filter(|_| depth > 0) {
        let known = |s: SymId| dummies.contains(&s) || program.var(s).is_some_and(|v| v.attrs.parameter);
        return symbols(e).into_iter().all(known) && calls_stateless(program, e, depth);
    }
    let Some(proc) = definition(program, callee).filter(|_| depth > 0) else { return false };
    let p = &program[proc];
    let mut symbols = BTreeSet::new();
    mentioned(&p.body, &mut symbols);
    let own = |s: &SymId| {
        let Some(v) = program.var(*s) else { return true };
        let local = owner(program, *s) == Some(proc) && v.common.is_none() && !v.directive && !v.attrs.pointer;
        v.attrs.parameter || local && (!v.attrs.save || is_constant(program, proc, *s))
    };
    let mut fits = p.internals.is_empty() && symbols.iter().all(own);
    let follow = |callee: &Callee| callee_is_stateless(program, callee, depth);
    for_each_stmt(&p.body, &mut |s| {
        fits &= match &s.kind {
            StmtKind::Call { callee: Callee::Intrinsic(_), .. } | StmtKind::Unsupported { .. } => false,
            StmtKind::Call { callee, .. } => follow(callee),
            StmtKind::Io { kind, items, .. } => {
                matches!(kind, DataKind::Print | DataKind::Write) && items.defines.is_empty()
            }
            _ => true,
        };
        fits &= s.exprs().into_iter().all(|e| calls_stateless(program, e, depth));
    });
    fits && matches!(program[p.scope].kind, ScopeKind::Procedure(_))
}

fn callee_is_stateless(program: &Program, callee: &Callee, depth: u8) -> bool {
    match callee {
        Callee::Intrinsic(_) => true,
        Callee::Proc { sym, .. } => is_stateless(program, *sym, depth - 1),
        Callee::Bound { .. } => false,
    }
}

fn calls_stateless(program: &Program, e: &Expr, depth: u8) -> bool {
    let mut fits = true;
    for_each_expr(e, &mut |x| {
        fits &= match &x.kind {
            ExprKind::Call { callee, .. } => callee_is_stateless(program, callee, depth),
            ExprKind::ProcRef(_) | ExprKind::Opaque(_) => false,
            _ => true,
        };
    });
    fits
}

/// The names of the constructs in a block.
pub(super) fn names(block: &[Stmt]) -> BTreeSet<Name> {
    let mut out = BTreeSet::new();
    for_each_stmt(block, &mut |s| match &s.kind {
        StmtKind::If { name: Some(n), .. }
        | StmtKind::Select { name: Some(n), .. }
        | StmtKind::Do { name: Some(n), .. } => _ = out.insert(n.clone()),
        _ => {}
    });
    out
}
