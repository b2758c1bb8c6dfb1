//! Of an adjoint as a whole and its backward half alone, only what some call has chosen is generated.

use std::collections::BTreeSet;

use costate_analysis::activity::ContextId;
use costate_grammar::ir::{ParentUnit, ProcId, SymId};

use crate::interface::mentions::mentions;
use crate::memory::Part;
use crate::session::Session;

impl Session<'_> {
    /// Gives up the one of both that no generated procedure mentions.
    pub(crate) fn give_up_uncalled(&mut self) {
        let mut generated = self.generated();
        // Callers come before what they call, so that what is given up calls nothing any more.
        for id in self.order().into_iter().rev() {
            let (Some(whole), Some(backward)) = (self.procedures.get(&id).copied(), self.backward.get(&id).copied())
            else {
                continue;
            };
            let own = [whole, backward];
            let others = generated.iter().filter(|p| !own.contains(p));
            let wanted: BTreeSet<SymId> = others.flat_map(|p| self.mentioned_inside(*p)).collect();
            let is_wanted = |p: &ProcId| wanted.contains(&self.program[*p].sym);
            let given_up = match (is_wanted(&whole), is_wanted(&backward)) {
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
            generated.remove(&given_up.0);
            self.give_up(id, given_up);
        }
    }

    fn give_up(&mut self, id: ContextId, (procedure, part): (ProcId, Part)) {
        if let ParentUnit::Module(m) = self.program[procedure].parent {
            self.program[m].procedures.retain(|q| *q != procedure);
        }
        self.forget_symbol(self.program[procedure].sym);
        self.plan.retain(|(of, _)| *of != (id, part));
    }

    /// What a procedure and those inside it mention.
    fn mentioned_inside(&self, p: ProcId) -> BTreeSet<SymId> {
        let inside = self.program[p].internals.clone();
        let mut out = mentions(self.program, p);
        inside.into_iter().for_each(|q| out.extend(self.mentioned_inside(q)));
        out
    }
}
