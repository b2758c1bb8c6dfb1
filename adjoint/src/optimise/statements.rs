//! What several passes ask of statements.

use std::collections::BTreeSet;

use costate_analysis::storage::symbols;
use costate_grammar::ir::{Origin, Role, Stmt, StmtKind, SymId, for_each_stmt};

/// True for a statement that isn't the user's.
pub(super) fn generated(s: &Stmt) -> bool {
    matches!(s.origin, Origin::Derived { role: Role::Adjoint | Role::Storage, .. })
}

/// True for constructs that aren't looked into.
pub(super) fn has_other_blocks(s: &Stmt) -> bool {
    let other = matches!(
        s.kind,
        StmtKind::Where { .. }
            | StmtKind::Forall { .. }
            | StmtKind::Associate { .. }
            | StmtKind::BlockScope { .. }
            | StmtKind::Directive { .. }
            | StmtKind::Unsupported { .. }
    );
    other || s.is_region()
}

/// Passes over what is inside a statement where something is asked for each statement in the order of the text.
pub(super) fn skip<T>(s: &Stmt, next: &mut dyn FnMut() -> T) {
    for block in s.blocks() {
        for_each_stmt(block, &mut |_| {
            next();
        });
    }
}

/// What the expressions directly in a statement mention.
pub(super) fn mentioned(s: &Stmt) -> BTreeSet<SymId> {
    s.exprs().into_iter().flat_map(symbols).collect()
}
