//! Checks the forms between the stages, so that a bug of the generator becomes a message and never wrong code: emitted IR
//! by the rules of the language ([`costate_grammar::check`]) and by what Costate promises of its own variables.
//!
//! What isn't decidable is let pass: each finding is a bug.

mod defined;
mod memory;
mod paired;
#[cfg(test)]
mod tests;
mod uses;

use std::collections::BTreeSet;

use costate_grammar::check::{self, Extended};
use costate_grammar::diag::Diagnostic;
use costate_grammar::ir::{Name, ParentUnit, ProcId};

use crate::mode::Layout;
use crate::session::Session;

/// Checks all generated procedures of a run when its names are settled.
pub(crate) fn units(session: &Session<'_>) -> Vec<Diagnostic> {
    let program = &*session.program;
    let scopes = session.modules.iter().map(|(primal, made)| (program[*made].scope, program[*primal].scope));
    let extended = match session.options.layout {
        Layout::Separate => Extended::default(),
        Layout::Extend => Extended { additions: scopes.collect(), opened: session.opened.clone() },
    };
    let mut procedures = session.generated();
    for m in session.modules.values() {
        procedures.extend(&program[*m].procedures);
    }
    procedures.retain(|p| !matches!(program[*p].parent, ParentUnit::Procedure(_)));
    let mut out = Vec::new();
    for p in procedures {
        let mut found = check::procedure(program, p, &extended);
        let excused = primals(session, p).into_iter().flat_map(|primal| carelessness(session, primal)).collect();
        found.extend(defined::undefined(program, p, &excused));
        found.extend(memory::misused(program, p));
        found.extend(paired::unpaired(program, p));
        let name = &program[p].name;
        out.extend(found.into_iter().map(|f| f.into_bug(&format!("the generated procedure `{name}`"))));
    }
    out
}

/// The primals of a generated procedure.
fn primals(session: &Session<'_>, p: ProcId) -> BTreeSet<ProcId> {
    let single = session.procedures.iter().chain(&session.associations).chain(&session.backward);
    let whole = single.filter(|(_, made)| **made == p);
    let halves = session.halves.iter().filter(|(_, made)| made.contains(&p));
    let contexts = whole.map(|(id, _)| *id).chain(halves.map(|(id, _)| *id));
    contexts.map(|id| session.activity.get(id).proc).collect()
}

/// Names of the variables that a procedure of the user's uses without a value, and of its arrays: they may have no
/// elements.
fn carelessness(session: &Session<'_>, primal: ProcId) -> BTreeSet<Name> {
    let program = &*session.program;
    let names = program[program[primal].scope].names.iter();
    let empty = names.filter(|(_, s)| program.var(**s).is_some_and(|v| v.attrs.allocatable || v.rank() > 0));
    empty.map(|(n, _)| n.clone()).chain(defined::names(program, primal)).collect()
}
