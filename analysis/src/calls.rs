//! Calls: their procedures and their arguments.

use costate_grammar::ir::{Arg, Callee, Expr, ExprKind, ProcId, Procedure, Program, Stmt, StmtKind, for_each_expr};

/// The procedure a callee stands for, when its source is known.
pub fn target(program: &Program, callee: &Callee) -> Option<ProcId> {
    match callee {
        Callee::Proc { sym, .. } => program[*sym].procedure().and_then(|p| p.definition),
        // Normal form turns those that are known for certain into ordinary calls.
        Callee::Bound { .. } | Callee::Intrinsic(_) => None,
    }
}

/// What a statement calls, as a subroutine or for the whole of its right side, the arguments, and what takes a function's
/// result.
pub fn call_parts(stmt: &Stmt) -> Option<(&Callee, &[Arg], Option<&Expr>)> {
    match &stmt.kind {
        StmtKind::Call { callee, args } => Some((callee, args, None)),
        StmtKind::Assign { lhs, rhs } | StmtKind::PointerAssign { lhs, rhs } => match &rhs.kind {
            ExprKind::Call { callee, args } => Some((callee, args, Some(lhs))),
            _ => None,
        },
        _ => None,
    }
}

/// The procedure that a statement calls in this way, when its source is known, and the arguments.
pub fn called<'a>(program: &Program, stmt: &'a Stmt) -> Option<(ProcId, &'a [Arg])> {
    let (callee, args, _) = call_parts(stmt)?;
    target(program, callee).map(|p| (p, args))
}

/// Actual arguments by dummy position; `None` for an absent optional.
pub fn bind<'a>(program: &Program, callee: &Procedure, args: &'a [Arg]) -> Vec<Option<&'a Expr>> {
    let mut out = vec![None; callee.dummies.len()];
    for (i, arg) in args.iter().enumerate() {
        let at = match &arg.keyword {
            Some(k) => callee.dummies.iter().position(|d| &program[*d].name == k),
            None => Some(i),
        };
        if let Some(slot) = at.and_then(|i| out.get_mut(i)) {
            *slot = Some(&arg.value);
        }
    }
    out
}

/// The calls of user's procedures in a statement itself.
pub(crate) fn for_each_call(stmt: &Stmt, f: &mut impl FnMut(&Callee, &[Arg])) {
    if let StmtKind::Call { callee, args } = &stmt.kind
        && !matches!(callee, Callee::Intrinsic(_))
    {
        f(callee, args);
    }
    for e in stmt.exprs() {
        for_each_expr(e, &mut |e| {
            if let ExprKind::Call { callee, args } = &e.kind
                && !matches!(callee, Callee::Intrinsic(_))
            {
                f(callee, args);
            }
        });
    }
}
