//! Forms of calls that are reversed.

use std::collections::BTreeMap;

use costate_grammar::ir::StmtId;

/// How a call with an adjoint is reversed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CallForm {
    /// In one piece: the callee runs again.
    Joint,
    /// In two halves with a record.
    Split,
    /// In one piece, since it can't be split, for this reason.
    Whole(&'static str),
}

/// The forms of a procedure's calls in one context.
pub type CallForms = BTreeMap<StmtId, CallForm>;
