//! Variables of modules that get memory once, behind a flag, and keep it.

use costate_grammar::ir::{Arg, Base, Expr, ExprKind, Program, Stmt, StmtKind, SymId, for_each_expr, for_each_stmt};

use costate_analysis::loops::assigned;
use costate_analysis::storage::{is_global, symbols};

/// True for a variable that nothing in the program frees, or hands over as something that may be freed, and that gets memory
/// in procedures which ask a variable that keeps its value, and change it.
pub(in crate::reverse) fn is_got_once(program: &Program, sym: SymId) -> bool {
    let mut freed = false;
    let mut flagged = true;
    for p in &program.procedures {
        let mut allocates = false;
        for_each_stmt(&p.body, &mut |s| match &s.kind {
            StmtKind::Deallocate { items, .. } => freed |= items.iter().any(|e| is(e, sym)),
            StmtKind::Allocate { items, .. } => allocates |= items.iter().any(|i| is(&i.object, sym)),
            _ => freed |= is_passed(s, sym),
        });
        flagged &= !allocates || has_flag(program, &p.body);
    }
    flagged && !freed
}

fn is(e: &Expr, sym: SymId) -> bool {
    e.as_var().is_some_and(|d| d.sym == sym)
}

/// True where the variable is passed as a whole, and so may be an allocatable argument.
fn is_passed(s: &Stmt, sym: SymId) -> bool {
    let whole = |args: &[Arg]| args.iter().filter_map(|a| a.value.as_var()).any(|d| d.sym == sym && d.parts.is_empty());
    let mut found = matches!(&s.kind, StmtKind::Call { args, .. } if whole(args));
    for e in s.exprs() {
        for_each_expr(e, &mut |x| {
            found |= matches!(&x.kind, ExprKind::Call { callee: costate_grammar::ir::Callee::Proc { .. }, args } if whole(args));
        });
    }
    found
}

/// True where a branch asks for a number or truth value that keeps its value from call to call and is assigned.
fn has_flag(program: &Program, body: &[Stmt]) -> bool {
    let changed = assigned(body);
    let keeps = |s: SymId| {
        let flag = program.var(s).is_some_and(|v| {
            v.rank() == 0 && matches!(v.ty.base, Base::Logical | Base::Integer) && (v.attrs.save || v.init.is_some())
        });
        changed.contains(&s) && (flag || is_global(program, s))
    };
    let mut found = false;
    for_each_stmt(body, &mut |s| {
        if let StmtKind::If { arms, .. } = &s.kind {
            found |= arms.iter().flat_map(|a| symbols(&a.cond)).any(keeps);
        }
    });
    found
}
