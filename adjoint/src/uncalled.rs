//! Of an adjoint as a whole and its backward half alone, only what some call has chosen is generated.

use std::collections::{BTreeMap, BTreeSet};

use costate_grammar::ir::{ParentUnit, ProcId, SymId};

use crate::interface::mentions::mentions;
use crate::memory::Part;
use crate::session::Session;

impl Session<'_> {
    /// Gives up the one of both that no generated procedure mentions.
    pub(crate) fn give_up_uncalled(&mut self) {
        if self.backward.is_empty() {
            return;
        }
        let all = self.generated().into_iter();
        let mut mentioned: BTreeMap<ProcId, BTreeSet<SymId>> = all.map(|p| (p, self.mentioned_inside(p))).collect();
        // Callers come before what they call, so that what is given up calls nothing any more.
        for id in self.order().into_iter().rev() {
            let (Some(whole), Some(backward)) = (self.procedures.get(&id).copied(), self.backward.get(&id).copied())
            else {
                continue;
            };
            let is_wanted = |p: ProcId| {
                let sym = self.program[p].sym;
                mentioned.iter().any(|(q, all)| ![whole, backward].contains(q) && all.contains(&sym))
            };
            let (procedure, part) = match (is_wanted(whole), is_wanted(backward)) {
                (true, true) => continue,
                (false, true) => {
                    self.procedures.remove(&id);
                    (whole, Part::Whole)
                }
                (_, false) => {
                    self.backward.remove(&id);
                    (backward, Part::Backward)
                }
            };
            mentioned.remove(&procedure);
            self.leave_out(procedure);
            self.forget_symbol(self.program[procedure].sym);
            self.plan.retain(|(of, _)| *of != (id, part));
        }
    }

    /// Takes a procedure out of its module.
    pub(crate) fn leave_out(&mut self, procedure: ProcId) {
        if let ParentUnit::Module(m) = self.program[procedure].parent {
            self.program[m].procedures.retain(|q| *q != procedure);
        }
    }

    /// What a procedure and those inside it mention.
    fn mentioned_inside(&self, p: ProcId) -> BTreeSet<SymId> {
        let inside = self.program[p].internals.clone();
        let mut out = mentions(self.program, p);
        inside.into_iter().for_each(|q| out.extend(self.mentioned_inside(q)));
        out
    }
}
