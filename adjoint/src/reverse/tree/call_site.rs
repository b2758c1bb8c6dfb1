//! Calls, and what their adjoints are.

use costate_analysis::storage::LocSet;
use costate_grammar::ir::{Arg, Callee, Expr, Stmt};

/// A call and what is known of it.
pub(in crate::reverse) struct CallSite<'s> {
    /// The statement.
    pub stmt: &'s Stmt,
    /// What it calls.
    pub callee: &'s Callee,
    /// The arguments.
    pub args: &'s [Arg],
    /// What takes the result of a function.
    pub result: Option<&'s Expr>,
}

/// The adjoint of a call and its effects.
#[derive(Clone, Debug, Default)]
pub(in crate::reverse) struct CallAdjoint {
    /// Its statements.
    pub stmts: Vec<Stmt>,
    /// Primal values that it uses.
    pub needs: LocSet,
    /// Primal values that it may change.
    pub clobbers: LocSet,
    /// Primal values that it uses as they are after the call.
    pub after: LocSet,
}
