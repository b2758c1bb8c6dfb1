//! Generated procedures that call each other and use a device: what one may leave there depends on what the others do, which aren't
//! there yet when it is built.

use costate_analysis::activity::ContextId;
use costate_grammar::ir::{ProcId, SymbolKind};

use crate::parallel::assumptions_hold;
use crate::session::Session;

impl Session<'_> {
    /// Builds contexts that call each other, until what was assumed of them on devices is what they do. After some trials assumptions
    /// only grow, and there is an end to what can be assumed.
    pub(crate) fn build_until_settled(&mut self, together: &[ContextId]) {
        let symbols = together.iter().map(|c| self.signatures[c].sym);
        self.assumed = symbols.map(|s| (s, Default::default())).collect();
        let (signatures, known) = (self.signatures.clone(), (self.problems.len(), self.notes.len(), self.plan.len()));
        loop {
            self.build_all(together);
            let made: Vec<ProcId> = together.iter().filter_map(|c| self.procedures.get(c).copied()).collect();
            if assumptions_hold(self.program, &mut self.assumed, &made) {
                break;
            }
            for p in together.iter().flat_map(|c| self.taken_back(*c)).collect::<Vec<_>>() {
                let sym = self.program[p].sym;
                if let SymbolKind::Procedure(info) = &mut self.program[sym].kind {
                    info.definition = None;
                }
                let known = signatures.values().any(|s| s.sym == sym || s.associates == Some(sym));
                if !known {
                    self.forget_symbol(sym);
                }
            }
            self.signatures.clone_from(&signatures);
            self.problems.truncate(known.0);
            self.notes.truncate(known.1);
            self.plan.truncate(known.2);
        }
        self.assumed.clear();
    }

    /// Leaves out all that was generated for a context, and returns it.
    fn taken_back(&mut self, id: ContextId) -> Vec<ProcId> {
        let mut out = self.give_up(id);
        if let Some(p) = self.associations.remove(&id) {
            self.leave_out(p);
            out.push(p);
        }
        out
    }
}
