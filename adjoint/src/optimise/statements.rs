//! What several passes ask of statements.

use costate_grammar::ir::{Origin, Role, Stmt, StmtKind};

/// True for a statement that isn't the user's.
pub(super) fn generated(s: &Stmt) -> bool {
    matches!(s.origin, Origin::Derived { role: Role::Adjoint | Role::Storage, .. })
}

/// True for constructs that aren't looked into.
pub(super) fn has_other_blocks(kind: &StmtKind) -> bool {
    matches!(
        kind,
        StmtKind::Where { .. }
            | StmtKind::Forall { .. }
            | StmtKind::Associate { .. }
            | StmtKind::BlockScope { .. }
            | StmtKind::Directive { .. }
            | StmtKind::Unsupported { .. }
    )
}
