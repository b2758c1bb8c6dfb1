//! Whether a function gets at the variable that takes its result: then the result may not be stored before the function has
//! come to its end.

use costate_grammar::ir::{Arg, Callee, Designator, Expr, ExprKind, Program, SymId, for_each_expr, for_each_stmt};

use super::allocate::allocatable;
use super::calls::{Around, store};
use super::context::Cx;
use super::copies::holds_memory;
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

/// Arguments whose memory a call may replace keep their places: what a subscript reads is held where the call may change it.
pub(super) fn hold_places(cx: &mut Cx<'_>, callee: &Callee, args: &mut [Arg], around: &mut Around) {
    let passed: Vec<Option<Designator>> = args.iter().map(|a| a.value.as_var().cloned()).collect();
    for (at, arg) in args.iter_mut().enumerate() {
        let ExprKind::Var(d) = &arg.value.kind else { continue };
        if !holds_memory(cx, arg.value.ty) && !allocatable(cx.program, &arg.value) {
            continue;
        }
        let others: Vec<&Designator> =
            passed.iter().enumerate().filter(|(i, _)| *i != at).filter_map(|(_, d)| d.as_ref()).collect();
        let d = d.clone().map_subscripts(&mut |s| {
            let mut read = Vec::new();
            for_each_expr(&s, &mut |e| read.extend(e.as_var().cloned()));
            let changes = |v: &Designator| {
                others.iter().any(|o| same_memory(cx.program, o, v))
                    || !private(cx, v.sym) && inside(cx.program, v, callee)
            };
            if s.rank == 0 && read.iter().any(changes) { store(cx, "at", s, around) } else { s }
        });
        arg.value.kind = ExprKind::Var(d);
    }
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
fn same_memory(program: &Program, a: &Designator, b: &Designator) -> bool {
    let common = |d: &Designator| program.var(d.sym).and_then(|v| v.common.clone());
    a.sym == b.sym || may_alias(program, a, b) || common(a).is_some_and(|block| Some(block) == common(b))
}
