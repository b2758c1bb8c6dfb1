//! Local variables that keep their value from call to call, and how statements use them.

use std::collections::BTreeSet;

use costate_analysis::storage::symbols;
use costate_grammar::ir::{
    Expr, ExprKind, LoopControl, ProcId, ProcKind, Program, ScopeKind, Stmt, StmtKind, SymId, for_each_expr,
    for_each_stmt,
};

use crate::remap::mentioned;

/// The saved local variables that a procedure changes.
pub(crate) fn changed(program: &Program, proc: ProcId) -> BTreeSet<SymId> {
    let mut out = BTreeSet::new();
    let mut bodies = vec![&program[proc].body];
    bodies.extend(program[proc].internals.iter().map(|p| &program[*p].body));
    for body in bodies {
        for_each_stmt(body, &mut |s| written(s, &mut out));
    }
    let saved = |s: &SymId| {
        owner(program, *s) == Some(proc)
            && program.var(*s).is_some_and(|v| v.attrs.save && !v.attrs.parameter && v.dummy.is_none())
    };
    out.retain(saved);
    if program[proc].kind == ProcKind::Program { BTreeSet::new() } else { out }
}

/// The procedure that declares a variable, in one of its blocks perhaps.
pub(crate) fn owner(program: &Program, sym: SymId) -> Option<ProcId> {
    let mut scope = &program[program[sym].scope];
    while let (ScopeKind::Inner, Some(parent)) = (&scope.kind, scope.parent) {
        scope = &program[parent];
    }
    match scope.kind {
        ScopeKind::Procedure(p) => Some(p),
        ScopeKind::Module(_) | ScopeKind::Inner | ScopeKind::Global => None,
    }
}

/// The variables that a statement by itself may assign, or passes to procedures.
pub(crate) fn written(stmt: &Stmt, out: &mut BTreeSet<SymId>) {
    match &stmt.kind {
        StmtKind::Assign { lhs, .. } | StmtKind::PointerAssign { lhs, .. } => {
            out.extend(lhs.as_var().map(|d| d.sym));
        }
        StmtKind::Nullify(items) => out.extend(items.iter().filter_map(|e| e.as_var()).map(|d| d.sym)),
        StmtKind::Do { control: LoopControl::Count { var, .. }, .. } => {
            out.insert(*var);
        }
        StmtKind::Call { args, .. } => out.extend(args.iter().filter_map(|a| a.value.as_var()).map(|d| d.sym)),
        StmtKind::Allocate { items, .. } => out.extend(items.iter().filter_map(|i| i.object.as_var()).map(|d| d.sym)),
        StmtKind::Deallocate { items, .. } => out.extend(items.iter().filter_map(|e| e.as_var()).map(|d| d.sym)),
        StmtKind::Io { items, .. } => out.extend(items.defines.iter().filter_map(|e| e.as_var()).map(|d| d.sym)),
        StmtKind::Where { .. } | StmtKind::Forall { .. } => {}
        _ => {}
    }
    for e in stmt.exprs() {
        for_each_expr(e, &mut |x| {
            if let ExprKind::Call { args, .. } = &x.kind {
                out.extend(args.iter().filter_map(|a| a.value.as_var()).map(|d| d.sym));
            }
        });
    }
}

/// True for a variable that is nothing but the index of loops in a procedure, wherever it is mentioned outside of statements
/// that are `skipped`.
pub(crate) fn is_index(program: &Program, proc: ProcId, sym: SymId, skipped: &dyn Fn(&Stmt) -> bool) -> bool {
    let p = &program[proc];
    let mut inside = BTreeSet::new();
    p.internals.iter().for_each(|i| mentioned(&program[*i].body, &mut inside));
    !inside.contains(&sym) && only_index(&p.body, sym, skipped)
}

fn only_index(block: &[Stmt], sym: SymId, skipped: &dyn Fn(&Stmt) -> bool) -> bool {
    block.iter().filter(|s| !skipped(s)).all(|s| {
        let free = s.exprs().into_iter().all(|e| !mentions(e, sym));
        let own = matches!(&s.kind, StmtKind::Do { control: LoopControl::Count { var, .. }, .. } if *var == sym);
        let mut bare = s.clone();
        bare.blocks_mut().into_iter().for_each(Vec::clear);
        let mut all = BTreeSet::new();
        mentioned(&[bare], &mut all);
        free && (own || !all.contains(&sym) && s.blocks().into_iter().all(|b| only_index(b, sym, skipped)))
    })
}

/// True where an expression refers to a variable.
pub(crate) fn mentions(e: &Expr, sym: SymId) -> bool {
    symbols(e).contains(&sym)
}
