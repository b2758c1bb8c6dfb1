//! Comments of generated code, and statements that would be there twice.

use std::collections::BTreeSet;

use costate_grammar::ir::{Block, Origin, Role, Stmt, StmtKind};

/// Removes the comments that quote the same statement of the primal as what stands right before.
pub(in crate::reverse) fn quote_once(block: &mut Block) {
    let quoted = |s: &Stmt| match s.origin {
        Origin::Derived { span, role, .. } if role != Role::Forward => Some(span),
        _ => None,
    };
    for k in 1..block.len() {
        if !block[k].leading.is_empty() && quoted(&block[k]).is_some() && quoted(&block[k]) == quoted(&block[k - 1]) {
            block[k].leading.clear();
        }
    }
    block.iter_mut().flat_map(Stmt::blocks_mut).for_each(quote_once);
}

/// True when an assignment of a constant has been made already: often the backward sweep has set the adjoint of an output
/// to zero.
pub(in crate::reverse) fn is_said(text: &[Stmt], stmt: &Stmt) -> bool {
    let StmtKind::Assign { lhs, rhs } = &stmt.kind else { return false };
    let Some(d) = lhs.as_var().filter(|_| rhs.literal_value().is_some()) else { return false };
    let mentions = |s: &&Stmt| {
        let mut symbols = BTreeSet::new();
        crate::remap::mentioned(std::slice::from_ref(*s), &mut symbols);
        symbols.contains(&d.sym)
    };
    text.iter().rev().find(mentions).is_some_and(|last| last.kind == stmt.kind)
}
