//! Checks IR before it is printed. Where nothing is found, the text that is printed is Fortran as far as types, kinds,
//! ranks, names and the nesting of constructs are concerned.
//!
//! What isn't known (an expression without a type, a procedure without an interface, a module without source) agrees with
//! everything: what is found is certainly wrong.

mod calls;
mod exprs;
mod names;
mod reference;
mod stmts;

use std::collections::BTreeMap;

use crate::diag::{Code, Diagnostic};
use crate::ir::{Name, ProcId, Program, ScopeId, Stmt, SymId};
use crate::source::Span;

/// Something that is wrong with IR.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Finding {
    /// The user's statement from which the wrong one comes.
    pub span: Span,
    /// What is wrong, as a sentence without a full stop.
    pub what: String,
}

impl Finding {
    /// What is said of it: nobody but Costate is to blame.
    pub fn into_bug(self, place: &str) -> Diagnostic {
        Diagnostic::error(Code::Internal, self.span, format!("{place} doesn't hold what is made of this line"))
            .reason(self.what)
            .help("this is a bug in Costate, not in your code: please report it with the lines above; nothing was written")
    }
}

/// What is wrong with statements by themselves: types and ranks, what is assigned, loops and exits.
pub fn statements(program: &Program, block: &[Stmt]) -> Vec<Finding> {
    let mut out = Vec::new();
    stmts::Stmts::new(program, &mut out).block(block);
    out
}

/// Modules that are extended: an addition knows all that its module knows, and its own names are the module's.
#[derive(Clone, Debug, Default)]
pub struct Extended {
    /// From the scope of each addition to that of the module.
    pub additions: BTreeMap<ScopeId, ScopeId>,
    /// Private entities that a module makes accessible under another name.
    pub opened: BTreeMap<SymId, Name>,
}

/// What is wrong with a procedure and those inside it, names included.
pub fn procedure(program: &Program, proc: ProcId, extended: &Extended) -> Vec<Finding> {
    let mut out = statements(program, &program[proc].body);
    names::Names::new(program, extended, &mut out).procedure(proc);
    for inner in &program[proc].internals {
        out.extend(procedure(program, *inner, extended));
    }
    out
}
