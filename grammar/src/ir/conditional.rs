//! Conditional lines (`!$ `): what is compiled with OpenMP only is the body of a branch, so that all analyses and both sweeps
//! see it as such. No user can write the condition of this branch, and it stands nowhere else.

use super::{Block, Callee, Expr, ExprKind, IfArm, Stmt, StmtKind, for_each_expr};
use crate::intrinsics::Intrinsic;

impl Expr {
    /// True where the program is compiled with OpenMP.
    pub fn with_openmp() -> Expr {
        Expr::intrinsic(Intrinsic::WithOpenmp, Vec::new())
    }

    /// Is it [`Expr::with_openmp`]?
    pub fn is_with_openmp(&self) -> bool {
        matches!(&self.kind, ExprKind::Call { callee: Callee::Intrinsic(Intrinsic::WithOpenmp), .. })
    }

    /// Is [`Expr::with_openmp`] it or a part of it?
    pub fn depends_on_openmp(&self) -> bool {
        let mut found = false;
        for_each_expr(self, &mut |e| found |= e.is_with_openmp());
        found
    }
}

impl StmtKind {
    /// Statements on conditional lines.
    pub fn conditional(body: Block) -> StmtKind {
        let arms = vec![IfArm { cond: Expr::with_openmp(), body }];
        StmtKind::If { name: None, arms, otherwise: None, one_line: false }
    }

    /// The statements on conditional lines for which this one stands.
    pub fn conditional_body(&self) -> Option<&Block> {
        match self {
            StmtKind::If { arms, otherwise: None, .. } => match arms.as_slice() {
                [IfArm { cond, body }] if cond.is_with_openmp() => Some(body),
                _ => None,
            },
            _ => None,
        }
    }

    /// The same, to change them.
    pub fn conditional_body_mut(&mut self) -> Option<&mut Block> {
        match self {
            StmtKind::If { arms, otherwise: None, .. } => match arms.as_mut_slice() {
                [IfArm { cond, body }] if cond.is_with_openmp() => Some(body),
                _ => None,
            },
            _ => None,
        }
    }
}

impl Stmt {
    /// Adds a statement to a block. One on conditional lines joins those before it, and takes Costate's directives with it.
    pub fn join(mut self, block: &mut Block) {
        if let Some(body) = self.kind.conditional_body_mut() {
            let governs = |s: &Stmt| matches!(&s.kind, StmtKind::Directive { directive, body: None, .. } if directive.ad().is_some());
            let first = block.iter().rposition(|s| !governs(s)).map_or(0, |i| i + 1);
            body.splice(0..0, block.drain(first..));
            if let Some(before) = block.last_mut().and_then(|s| s.kind.conditional_body_mut()) {
                before.append(body);
                return;
            }
        }
        block.push(self);
    }
}
