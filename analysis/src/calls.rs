//! Calls: their procedures, their arguments, and what is reached through them.

use costate_grammar::ir::{
    Arg, Callee, Expr, ExprKind, ProcId, Procedure, Program, Stmt, StmtKind, for_each_expr, for_each_stmt,
};

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

/// All calls of known procedures in a block, in order.
pub fn calls(program: &Program, block: &[Stmt]) -> Vec<ProcId> {
    let mut out = Vec::new();
    for_each_stmt(block, &mut |s| {
        if let StmtKind::Call { callee, .. } = &s.kind {
            out.extend(target(program, callee));
        }
        out.extend(functions(program, s));
    });
    out
}

/// The functions that a statement itself calls, without those in its blocks.
pub(crate) fn functions(program: &Program, s: &Stmt) -> Vec<ProcId> {
    let mut out = Vec::new();
    for e in s.exprs() {
        for_each_expr(e, &mut |x| {
            if let ExprKind::Call { callee, .. } = &x.kind {
                out.extend(target(program, callee));
            }
        });
    }
    out
}

/// The procedures that some call, directly or not, and these themselves.
pub fn reached(program: &Program, from: &[ProcId]) -> Vec<ProcId> {
    reached_in(program, from, |p| Some(program[p].body.as_slice()))
}

/// The same with the bodies that are given.
pub(crate) fn reached_in<'a>(
    program: &Program,
    from: &[ProcId],
    body: impl Fn(ProcId) -> Option<&'a [Stmt]>,
) -> Vec<ProcId> {
    let mut out: Vec<ProcId> = from.to_vec();
    let mut next = 0;
    while let Some(&proc) = out.get(next) {
        next += 1;
        for callee in calls(program, body(proc).unwrap_or_default()) {
            if !out.contains(&callee) {
                out.push(callee);
            }
        }
    }
    out
}
