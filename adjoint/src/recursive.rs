//! Generated procedures that call each other and use a device: what one may leave there depends on what the others do, which aren't
//! there yet when it is built.

use costate_analysis::activity::ContextId;
use costate_grammar::ir::{ProcId, SymbolKind};

use crate::parallel::assumptions_hold;
use crate::session::Session;

impl Session<'_> {
    /// Builds contexts that call each other, until what was assumed of them on devices is what they do. Assumptions only grow, and
    /// there is an end to what can be assumed.
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
            for p in together.iter().flat_map(|c| self.give_up(*c)).collect::<Vec<_>>() {
                let sym = self.program[p].sym;
                if let SymbolKind::Procedure(info) = &mut self.program[sym].kind {
                    info.definition = None;
                }
                if !self.assumed.contains_key(&sym) {
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
}
