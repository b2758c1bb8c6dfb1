//! Whose work predicted run time is: by the statement of the source that code was made from, and by what it does for it.

use std::collections::BTreeMap;

use costate_grammar::ir::{Origin, Role, Stmt};
use costate_grammar::source::Span;

/// What generated code does for a statement of the source.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Work {
    /// It runs in the forward sweep.
    Forward,
    /// It runs in the backward sweep.
    Rerun,
    /// Values are saved and restored.
    Saving,
}

/// Run times by statement of the source.
pub(crate) type Times = BTreeMap<(Span, Work), f64>;

/// Where attributed run time goes while a procedure is looked at.
#[derive(Debug)]
pub(super) struct Attribution {
    pub(super) times: Times,
    /// How often what is looked at runs.
    pub(super) weight: f64,
    /// It stands in a loop or a branch of the backward sweep.
    pub(super) backward: bool,
}

impl Attribution {
    /// Notes the run time of a statement without statements in it.
    pub(super) fn note(&mut self, stmt: &Stmt, cost: f64) {
        let Origin::Derived { span, role, .. } = stmt.origin else { return };
        let work = match role {
            Role::Forward if self.backward => Work::Rerun,
            Role::Forward => Work::Forward,
            Role::Recompute => Work::Rerun,
            Role::Save | Role::Restore => Work::Saving,
            Role::Normal | Role::Failure | Role::Tangent | Role::Adjoint | Role::Storage | Role::Layout => return,
        };
        *self.times.entry((span, work)).or_default() += self.weight * cost;
    }
}
