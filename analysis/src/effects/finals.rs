//! Final procedures: the compiler calls them where an object's life ends, without a statement. One that changes no more than
//! its object leaves no trace; any other counts as run by every procedure that may end the life of such an object.

use std::collections::BTreeSet;

use costate_grammar::ir::{Base, ProcId, Program, SymId, Variable};

use super::Effects;
use super::flow::Flow;
use crate::storage::LocSet;

/// The final procedures that may run because of a procedure's own variables, each with the variable.
pub fn finalisers(program: &Program, proc: ProcId) -> Vec<(ProcId, SymId)> {
    let mut out = Vec::new();
    for &sym in program[program[proc].scope].names.values() {
        // Variables of hosts and modules end with the program.
        let Some(v) = program.var(sym).filter(|_| program[sym].scope == program[proc].scope) else { continue };
        let mut found = BTreeSet::new();
        of_variable(program, v, 0, &mut found);
        out.extend(found.into_iter().map(|p| (p, sym)));
    }
    out
}

fn of_variable(program: &Program, v: &Variable, depth: u8, out: &mut BTreeSet<ProcId>) {
    let mut at = match v.ty.base {
        Base::Derived(t) | Base::Class(t) => Some(t),
        _ => None,
    };
    while let Some(t) = at.filter(|_| depth < 8) {
        let Some(derived) = program[t].derived() else { return };
        for name in &derived.finals {
            let procedure = program.lookup(program[t].scope, name).and_then(|s| program[s].procedure());
            out.extend(procedure.and_then(|p| p.definition));
        }
        for c in &derived.components {
            of_variable(program, &c.var, depth + 1, out);
        }
        at = derived.extends;
    }
}

impl Effects {
    /// What a final procedure reads and changes beside its object; `None` if it leaves no trace.
    pub fn trace(&self, program: &Program, finaliser: ProcId) -> Option<(LocSet, LocSet)> {
        let access = &self.summaries.get(&finaliser)?.access;
        let beside = |set: &LocSet| -> LocSet {
            let dummies = &program[finaliser].dummies;
            set.iter().copied().filter(|l| !dummies.contains(&self.locs.get(*l).sym)).collect()
        };
        let writes = beside(&access.writes);
        (!writes.is_empty()).then(|| (beside(&access.reads), writes))
    }

    /// Adds what final procedures do to what a procedure does.
    pub(super) fn finalise(&mut self, program: &Program, proc: ProcId, flow: &mut Flow) {
        for (finaliser, object) in finalisers(program, proc) {
            let Some((reads, writes)) = self.trace(program, finaliser) else { continue };
            let mut from = reads.clone();
            from.extend(self.locs.leaves(program, object, &[]));
            let earlier: LocSet = from.iter().flat_map(|l| flow.of(*l)).collect();
            from.extend(earlier);
            flow.access.reads.extend(reads);
            for w in writes {
                flow.access.writes.insert(w);
                if self.locs.is_continuous(program, w) {
                    let mut inputs = flow.of(w);
                    inputs.insert(w);
                    inputs.extend(self.continuous(program, &from));
                    flow.depends.insert(w, inputs);
                }
            }
        }
    }
}
