//! Whether a function gets at the variable that takes its result: then the result may not be stored before the function has
//! come to its end.

use costate_grammar::ir::{Callee, Designator, Expr, ExprKind, Program, SymId, for_each_expr, for_each_stmt};

use super::context::Cx;
use crate::effects;
use crate::storage::may_alias;

/// True when a function reads or changes what its result is assigned to: as an argument, by association with a host or a
/// module, through a pointer, or in a common block.
pub(super) fn reaches(cx: &Cx<'_>, target: &Designator, call: &Expr) -> bool {
    let ExprKind::Call { callee, .. } = &call.kind else { return true };
    let mut found = false;
    for_each_expr(call, &mut |e| found |= e.as_var().is_some_and(|d| same_memory(cx.program, target, d)));
    found || !private(cx, target.sym) && !cx.temporaries.contains(&target.sym) && inside(cx.program, target, callee)
}

/// True for a variable that nothing but the procedure's own statements can refer to.
pub(super) fn private(cx: &Cx<'_>, sym: SymId) -> bool {
    cx.program.var(sym).is_some_and(|v| {
        cx.program[sym].scope == cx.scope
            && v.common.is_none()
            && !v.attrs.target
            && !v.attrs.pointer
            && cx.program[cx.proc].internals.is_empty()
    })
}

/// True when a procedure, or one that it calls, mentions memory.
pub(super) fn inside(program: &Program, target: &Designator, callee: &Callee) -> bool {
    let Some(first) = effects::target(program, callee) else { return true };
    let mut found = false;
    for p in effects::reached(program, &[first]) {
        for_each_stmt(&program[p].body, &mut |s| {
            s.exprs().into_iter().for_each(|e| {
                for_each_expr(e, &mut |x| found |= x.as_var().is_some_and(|d| same_memory(program, target, d)));
            });
        });
    }
    found
}

/// True when two designators may lead to one variable, wherever they stand.
pub(super) fn same_memory(program: &Program, a: &Designator, b: &Designator) -> bool {
    let common = |d: &Designator| program.var(d.sym).and_then(|v| v.common.clone());
    a.sym == b.sym || may_alias(program, a, b) || common(a).is_some_and(|block| Some(block) == common(b))
}
