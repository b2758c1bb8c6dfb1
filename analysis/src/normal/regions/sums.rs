//! Sums of a loop's directive: `s = x + s` and `s = (s + x) + y` are `s = s + x` and `s = s + x + y`, to the last bit, and are
//! seen to add to what stands in front.

use costate_grammar::ir::{Block, Expr, ExprKind, Stmt, StmtKind, SymId, for_each_expr};
use costate_grammar::operators::BinaryOp;

/// Brings the variables that are summed up to the front of what is assigned to them.
pub(super) fn in_front(block: &mut Block, sums: &[SymId]) {
    for s in block {
        of_statement(s, sums);
        s.blocks_mut().into_iter().for_each(|b| in_front(b, sums));
    }
}

fn of_statement(s: &mut Stmt, sums: &[SymId]) {
    let StmtKind::Assign { lhs, rhs } = &mut s.kind else { return };
    if lhs.as_var().is_none_or(|d| !sums.contains(&d.sym)) {
        return;
    }
    let mut times = 0;
    for_each_expr(rhs, &mut |e| times += usize::from(e == lhs));
    if let Some(sum) = first(rhs, lhs).filter(|_| times == 1) {
        *rhs = sum;
    }
}

/// The same value with one of its terms first. Sums of two are the same either way.
fn first(e: &Expr, term: &Expr) -> Option<Expr> {
    if e == term {
        return Some(e.clone());
    }
    match &e.kind {
        ExprKind::Paren(inner) => first(inner, term),
        ExprKind::Binary(BinaryOp::Add, a, b) => match first(a, term) {
            Some(a) => Some(a.add((**b).clone())),
            None => Some(first(b, term)?.add((**a).clone())),
        },
        ExprKind::Binary(BinaryOp::Sub, a, b) => Some(first(a, term)?.sub((**b).clone())),
        _ => None,
    }
}
