//! Allocatable variables that statements use for certain, so that they have memory: of others that has to be asked before they are
//! saved.

use std::collections::BTreeSet;

use costate_analysis::effects::target;
use costate_analysis::normal::as_plain_call;
use costate_grammar::intrinsics::{Class, Intrinsic};
use costate_grammar::ir::{Callee, Expr, ExprKind, Part, ProcId, Program, Stmt, StmtKind, SymId, for_each_stmt};

/// True where a block uses the values of an allocatable variable whatever branches it takes. Loops count as entered.
pub(crate) fn uses(program: &Program, block: &[Stmt], sym: SymId) -> bool {
    in_block(program, block, sym, &mut BTreeSet::new())
}

/// The same of a procedure.
pub(crate) fn uses_in(program: &Program, proc: ProcId, sym: SymId) -> bool {
    uses(program, &program[proc].body, sym)
}

fn in_block(program: &Program, block: &[Stmt], sym: SymId, known: &mut BTreeSet<ProcId>) -> bool {
    for s in block {
        if in_statement(program, s, sym, known) {
            return true;
        }
        if may_leave(s) {
            return false;
        }
    }
    false
}

fn in_statement(program: &Program, s: &Stmt, sym: SymId, known: &mut BTreeSet<ProcId>) -> bool {
    let own = match &s.kind {
        // An assignment of the whole gives it memory.
        StmtKind::Assign { lhs, rhs } => {
            let whole = lhs.as_var().is_some_and(|d| d.sym == sym && d.parts.is_empty());
            value(rhs, sym) || !whole && value(lhs, sym)
        }
        StmtKind::Call { callee, args } => {
            let plain = as_plain_call(program, callee, args).map(|(callee, _)| callee);
            let callee = target(program, plain.as_ref().unwrap_or(callee));
            let inside = callee.is_some_and(|p| known.insert(p) && in_block(program, &program[p].body, sym, known));
            let part = |e: &Expr| e.as_var().is_none_or(|d| d.sym != sym || !d.parts.is_empty());
            inside || args.iter().any(|a| part(&a.value) && value(&a.value, sym))
        }
        StmtKind::Allocate { .. } | StmtKind::Deallocate { .. } | StmtKind::If { .. } => false,
        _ => s.exprs().into_iter().any(|e| value(e, sym)),
    };
    own || match &s.kind {
        StmtKind::If { arms, otherwise: Some(otherwise), .. } => {
            arms.iter().map(|a| &a.body).chain([otherwise]).all(|b| in_block(program, b, sym, known))
        }
        StmtKind::If { .. } | StmtKind::Select { .. } | StmtKind::Where { .. } => false,
        _ => s.blocks().into_iter().any(|b| in_block(program, b, sym, known)),
    }
}

/// True for an expression that makes use of values of the variable.
fn value(e: &Expr, sym: SymId) -> bool {
    match &e.kind {
        ExprKind::Call { callee: Callee::Intrinsic(f), args } if f.class() == Class::Inquiry => {
            let asks = |x: &Expr| x.as_var().is_some_and(|d| d.sym == sym && d.parts.is_empty());
            *f != Intrinsic::Allocated && args.iter().any(|a| asks(&a.value))
        }
        // What is passed as a whole may be passed on.
        ExprKind::Call { callee: Callee::Proc { .. } | Callee::Bound { .. }, args } => args.iter().any(|a| {
            let whole = a.value.as_var().is_some_and(|d| d.parts.is_empty());
            !whole && value(&a.value, sym)
        }),
        _ => {
            let own = e.as_var().is_some_and(|d| d.sym == sym && !matches!(d.parts.first(), Some(Part::Component(_))));
            own || e.children().into_iter().any(|c| value(c, sym))
        }
    }
}

/// True for a statement after which the rest of its block may not run.
fn may_leave(s: &Stmt) -> bool {
    let mut found = false;
    for_each_stmt(std::slice::from_ref(s), &mut |x| {
        found |= matches!(x.kind, StmtKind::Return | StmtKind::Goto(_) | StmtKind::Exit(_) | StmtKind::Cycle(_));
    });
    found
}
