//! What statements assign and mention.

use std::collections::BTreeSet;

use crate::storage::symbols;
use costate_grammar::intrinsics::{Class, Intrinsic};
use costate_grammar::ir::{Callee, Expr, ExprKind, LoopControl, Stmt, StmtKind, SymId, for_each_stmt};

/// Shows the subexpressions whose value an expression uses: of what is only asked for its shape, say, the subscripts.
pub fn for_each_value<'a>(e: &'a Expr, f: &mut dyn FnMut(&'a Expr)) {
    f(e);
    let inquires = |f: &Intrinsic| f.class() == Class::Inquiry;
    for child in e.children() {
        match &e.kind {
            ExprKind::Call { callee: Callee::Intrinsic(i), .. } if inquires(i) => {
                child.children().into_iter().for_each(|x| for_each_value(x, f));
            }
            _ => for_each_value(child, f),
        }
    }
}

/// What the assignments of a block assign.
pub fn assigned_in(block: &[Stmt]) -> BTreeSet<SymId> {
    let mut out = BTreeSet::new();
    for_each_stmt(block, &mut |s| {
        if let StmtKind::Assign { lhs, .. } = &s.kind {
            out.extend(lhs.as_var().map(|d| d.sym));
        }
    });
    out
}

/// Everything that is mentioned in a block.
pub fn mentioned_in(block: &[Stmt]) -> BTreeSet<SymId> {
    let mut out = BTreeSet::new();
    for_each_stmt(block, &mut |s| {
        s.exprs().into_iter().for_each(|e| out.extend(symbols(e)));
        if let StmtKind::Do { control: LoopControl::Count { var, .. }, .. } = &s.kind {
            out.insert(*var);
        }
    });
    out
}

/// True when one of two statements assigns what the other one mentions.
pub fn touch(a: &Stmt, b: &Stmt) -> bool {
    let [a, b] = [a, b].map(std::slice::from_ref);
    !assigned_in(a).is_disjoint(&mentioned_in(b)) || !assigned_in(b).is_disjoint(&mentioned_in(a))
}
