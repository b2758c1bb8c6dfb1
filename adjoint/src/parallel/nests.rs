//! Loops in each other.

use std::collections::BTreeSet;

use costate_analysis::storage::symbols;
use costate_grammar::ir::{Block, Expr, LoopControl, Stmt, StmtKind, SymId};

/// A loop's variable and header.
pub(super) type Header<'s> = (SymId, &'s LoopControl);

/// What the headers of loops use.
pub(super) fn in_headers(nest: &[Header<'_>]) -> BTreeSet<SymId> {
    let mut out = BTreeSet::new();
    for (_, control) in nest {
        if let LoopControl::Count { lo, hi, step, .. } = control {
            out.extend([Some(lo), Some(hi), step.as_ref()].into_iter().flatten().flat_map(symbols));
        }
    }
    out
}

/// Loops in each other, with nothing between them and bounds that don't depend on the outer ones.
pub(super) fn nest_of(s: &Stmt, depth: usize) -> Option<(Vec<Header<'_>>, &[Stmt])> {
    let mut nest: Vec<Header<'_>> = Vec::new();
    let mut at = s;
    loop {
        let StmtKind::Do { control: control @ LoopControl::Count { var, .. }, body, .. } = &at.kind else {
            return None;
        };
        let moves = |e: &&Expr| {
            let used = symbols(e);
            nest.iter().any(|l| used.contains(&l.0))
        };
        if at.exprs().iter().any(moves) {
            return None;
        }
        nest.push((*var, control));
        if nest.len() == depth {
            return Some((nest, body));
        }
        let [inner] = body.as_slice() else { return None };
        at = inner;
    }
}

/// The innermost of so many loops in each other.
pub(super) fn innermost(s: &Stmt, depth: usize) -> &Stmt {
    let mut at = s;
    for _ in 1..depth {
        let StmtKind::Do { body, .. } = &at.kind else { break };
        let Some(inner) = body.first() else { break };
        at = inner;
    }
    at
}

/// The statements of the innermost of so many loops in each other.
pub(super) fn innermost_body(s: &mut Stmt, depth: usize) -> Option<&mut Block> {
    let StmtKind::Do { body, .. } = &mut s.kind else { return None };
    if depth <= 1 { Some(body) } else { innermost_body(body.first_mut()?, depth - 1) }
}
