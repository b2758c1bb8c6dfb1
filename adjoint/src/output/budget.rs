//! What there is to say of the memory that an adjoint takes beside what the user allows.

use std::collections::BTreeSet;

use costate_analysis::storage::holds_allocatables;
use costate_grammar::diag::{Code, Diagnostic, Severity};
use costate_grammar::ir::Program;

use super::memory_plan;
use crate::memory::{self, Entry, Part, Slot};
use crate::plan::ASSUMED;
use crate::session::Session;

/// Refuses adjoints of heads that take more memory than the user allows.
pub(crate) fn within_budget(session: &Session<'_>) -> Result<(), Vec<Diagnostic>> {
    let Some(budget) = session.options.memory else { return Ok(()) };
    let mut problems = Vec::new();
    for h in &session.heads {
        let plan = memory_plan(session, (h.context, Part::Whole));
        if plan.most > budget {
            let name = &session.program[h.head.proc].name;
            let place = session.program[h.head.proc].head;
            let what = format!("the adjoint of `{name}` takes {}{}", memory::amount(plan.most), plan.at());
            problems.push(
                Diagnostic::error(Code::MemoryBudget, place, what)
                    .reason(format!("`--memory` allows {}", memory::amount(budget)))
                    .help(format!(
                        "allow `--memory {}`; `costate plan` lists what is held; `--size` gives sizes",
                        plan.most
                    )),
            );
        }
    }
    if problems.is_empty() { Ok(()) } else { Err(problems) }
}

/// What a budget doesn't hold for: sizes that were assumed, and the memory that saved objects bring along.
pub(super) fn notes(session: &Session<'_>) -> Vec<Diagnostic> {
    if session.options.memory.is_none() {
        return Vec::new();
    }
    let mut out = Vec::new();
    let mut note = |what: String, reason: String, help: &str| {
        let place = session.heads.first().map_or_else(Default::default, |h| session.program[h.head.proc].head);
        let d = Diagnostic::error(Code::MemoryBudget, place, what).severity(Severity::Warning);
        out.push(d.reason(reason).help(help));
    };
    let plans = session.heads.iter().map(|h| memory_plan(session, (h.context, Part::Whole)));
    let assumed: BTreeSet<String> = plans.flat_map(|p| p.assumed).collect();
    if !assumed.is_empty() {
        let list: Vec<String> = assumed.iter().map(|n| format!("`{n}`")).collect();
        note(
            "the budget is kept at sizes that were assumed".to_string(),
            format!("nobody gives {}: {ASSUMED} stands for each", list.join(", ")),
            "give them with `--size name=value`; an array goes by the name of the array, a pointer of the pointer",
        );
    }
    let objects = session.ledgers.values().flatten().flat_map(|e| uncounted(session.program, e));
    let objects: BTreeSet<String> = objects.map(|s| s.what.clone()).collect();
    if !objects.is_empty() {
        let list: Vec<String> = objects.into_iter().collect();
        note(
            "the budget doesn't count what objects have allocated".to_string(),
            format!("the adjoint holds objects with allocatable components: {}", list.join("; ")),
            "leave room for them, or pass the components that a call changes in place of the objects",
        );
    }
    out
}

/// Variables for objects that bring memory along.
fn uncounted<'e>(program: &'e Program, entry: &'e Entry) -> Vec<&'e Slot> {
    match entry {
        Entry::Slot(s) if holds_allocatables(program, s.ty) => vec![s],
        Entry::Rerun(a) => a.entries.iter().flat_map(|e| uncounted(program, e)).collect(),
        Entry::Slot(_) | Entry::Call(_) | Entry::Record(_) => Vec::new(),
    }
}
