//! Loops as `do concurrent`.

use costate_grammar::ir::{Callee, LoopControl, ProcId, Program, Stmt, StmtKind, for_each_stmt};

use super::references::Increments;

/// Turns loops in each other into one `do concurrent`.
pub(super) fn concurrent(s: &mut Stmt, depth: usize) {
    let mut indices = Vec::new();
    let mut at = &mut *s;
    for _ in 1..=depth {
        let StmtKind::Do { control: LoopControl::Count { var, lo, hi, step }, .. } = &at.kind else { return };
        indices.push((*var, lo.clone(), hi.clone(), step.clone()));
        if indices.len() == depth {
            break;
        }
        let StmtKind::Do { body, .. } = &mut at.kind else { return };
        let Some(inner) = body.first_mut() else { return };
        at = inner;
    }
    let StmtKind::Do { body, .. } = &mut at.kind else { return };
    let inner = std::mem::take(body);
    // The first index of `do concurrent` is the innermost loop.
    indices.reverse();
    let control = LoopControl::Concurrent { indices, mask: None, locality: String::new() };
    s.kind = StmtKind::repeat(control, inner);
}

/// True where iterations of `do concurrent` may call procedures with some increments: these have to stay pure.
pub(super) fn may_call(program: &Program, increments: &Increments) -> bool {
    let concurrent = |s: &Stmt| match &s.kind {
        StmtKind::Do { control: LoopControl::Concurrent { .. }, .. } => true,
        _ => s.followed().is_some_and(|p| p.directives.is_empty()),
    };
    increments.iter().any(|(p, _)| program[*p].prefix.is_pure()) && {
        let mut found = false;
        program.procedures().for_each(|(_, p)| for_each_stmt(&p.body, &mut |s| found |= concurrent(s)));
        found
    }
}

/// True where a procedure is called of which nothing says that it is pure: the adjoint of a pure one may add to variables of
/// a module.
pub(super) fn calls_impure(program: &Program, s: &Stmt) -> bool {
    let pure_one = |p: ProcId| program[p].prefix.is_pure();
    let mut found = false;
    for_each_stmt(std::slice::from_ref(s), &mut |x| {
        if let StmtKind::Call { callee: Callee::Proc { sym, .. }, .. } = &x.kind {
            let called = program[*sym].procedure();
            found |= !called.and_then(|c| c.definition.or(c.interface)).is_some_and(pure_one);
        }
    });
    found
}
