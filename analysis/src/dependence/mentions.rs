//! What statements assign and mention.

use std::collections::BTreeSet;

use crate::storage::symbols;
use costate_grammar::ir::{LoopControl, Stmt, StmtKind, SymId, for_each_stmt};

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
