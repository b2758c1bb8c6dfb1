//! Recursion into objects that hold objects of their own type. What such a procedure reads and changes are components of
//! components without end; nothing that follows memory by its components comes to an end there.

use std::collections::BTreeSet;

use costate_analysis::effects::{Effects, calls, reached};
use costate_grammar::diag::{Code, Diagnostic};
use costate_grammar::ir::{ProcId, Program, SymId};

/// Refuses recursive procedures with dummies of such types.
pub(crate) fn check_nesting(program: &Program, effects: &Effects) -> Result<(), Vec<Diagnostic>> {
    let refused = effects.bodies.iter().filter(|(p, body)| calls_itself(program, **p, &calls(program, body)));
    let problems: Vec<Diagnostic> = refused.filter_map(|(p, _)| refusal(program, *p)).collect();
    if problems.is_empty() { Ok(()) } else { Err(problems) }
}

/// Refuses what the walk over the calls has found to have no end.
pub(crate) fn check_end(program: &Program, endless: Option<ProcId>) -> Result<(), Vec<Diagnostic>> {
    let Some(proc) = endless else { return Ok(()) };
    let what = format!("`{}` goes down in components of objects without end", program[proc].name);
    let d = Diagnostic::error(Code::UnsupportedDeclaration, program[proc].head, what).reason(UNKNOWN).help(WAY_OUT);
    Err(vec![d])
}

const UNKNOWN: &str = "how deep the components go that it changes isn't known";
const WAY_OUT: &str =
    "keep the objects in an array, with the numbers of their children in place of allocatable components";

fn calls_itself(program: &Program, proc: ProcId, called: &[ProcId]) -> bool {
    reached(program, called).contains(&proc)
}

fn refusal(program: &Program, proc: ProcId) -> Option<Diagnostic> {
    let holds = |d: &&SymId| {
        let ty = program.var(**d).and_then(|v| v.ty.derived());
        ty.is_some_and(|t| holds_itself(program, t))
    };
    let dummy = program[proc].dummies.iter().find(holds)?;
    let what =
        format!("`{}` calls itself, and `{}` holds objects of its own type", program[proc].name, program[*dummy].name);
    let d = Diagnostic::error(Code::UnsupportedDeclaration, program[*dummy].span, what).reason(UNKNOWN).help(WAY_OUT);
    Some(d)
}

/// True for a type that has allocatable components of itself, or components that have.
fn holds_itself(program: &Program, ty: SymId) -> bool {
    let (mut seen, mut queue) = (BTreeSet::new(), vec![ty]);
    while let Some(t) = queue.pop() {
        let Some(derived) = program[t].derived() else { continue };
        let held = derived.components.iter().filter(|c| !c.var.attrs.pointer).filter_map(|c| c.var.ty.derived());
        for inner in held.chain(derived.extends) {
            if inner == ty {
                return true;
            }
            if seen.insert(inner) {
                queue.push(inner);
            }
        }
    }
    false
}
