//! Loops as `do concurrent`.

use costate_grammar::ir::{LoopControl, Stmt, StmtKind};

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
