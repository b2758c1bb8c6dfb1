//! Contexts of a procedure that differ in nothing that shows in its derivative share one generated procedure.

use costate_analysis::activity::ContextId;
use costate_grammar::ir::{Name, ParentUnit, ProcId, ScopeId, SymId};
use costate_grammar::print::{self, Style};

use crate::interface::mentions::outer_mentions;
use crate::session::Session;

impl Session<'_> {
    /// Gives up a generated procedure that reads like an earlier one of the same primal, and returns true. One that stays
    /// takes the first of the primal's reserved names that is left.
    ///
    /// Callees are built before their callers, so nothing refers to the procedure yet. Recursion turns this round: there
    /// all procedures stay as they are.
    pub(crate) fn unite(&mut self, id: ContextId) -> bool {
        let rivals = self.rivals(id);
        if !self.is_built(id) || !rivals.contains(&id) {
            return false;
        }
        if rivals.len() < 2 || rivals.iter().any(|c| self.activity.calls.is_recursive(*c)) {
            return false;
        }
        let place = self.host_scope(id);
        let earlier = |c: &&ContextId| **c != id && self.is_built(**c) && self.host_scope(**c) == place;
        let built: Vec<ContextId> = rivals.iter().filter(earlier).copied().collect();
        let text = self.texts(id);
        let twin = built.iter().copied().find(|c| self.texts(*c) == text);
        match twin {
            Some(twin) => self.share(id, twin),
            None => self.rename(id, self.signatures[&rivals[built.len()]].reserved.clone()),
        }
        twin.is_some()
    }

    /// The contexts of the same primal in the order in which they are built. A head keeps its procedure for itself.
    fn rivals(&self, id: ContextId) -> Vec<ContextId> {
        let primal = self.activity.get(id).proc;
        let same = |c: &ContextId| self.activity.get(*c).proc == primal && !self.activity.get(*c).head;
        let all = (0..self.activity.contexts.len()).map(|i| ContextId(i as u32));
        // Most procedures have one context, which has no rivals to be ordered with.
        if all.filter(same).nth(1).is_none() {
            return if same(&id) { vec![id] } else { Vec::new() };
        }
        self.order().into_iter().filter(same).collect()
    }

    /// The scope that an internal procedure's derivative belongs to.
    fn host_scope(&self, id: ContextId) -> Option<ScopeId> {
        let signature = &self.signatures[&id];
        let internal = matches!(self.program[signature.primal].parent, ParentUnit::Procedure(_));
        internal.then(|| self.program[signature.sym].scope)
    }

    fn is_built(&self, id: ContextId) -> bool {
        self.procedures.contains_key(&id) || self.halves.contains_key(&id)
    }

    /// The texts of what is generated for a context, without names.
    fn texts(&mut self, id: ContextId) -> Vec<Option<(String, Vec<SymId>)>> {
        let whole = self.procedures.get(&id).copied();
        let mut out = vec![whole.map(|p| self.nameless(p))];
        if let (Some(halves), Some(of)) = (self.halves.get(&id).copied(), self.signatures[&id].halves.clone()) {
            let record = std::mem::replace(&mut self.program[of.record].name, Name::new(""));
            out.extend(halves.map(|p| Some(self.nameless(p))));
            self.program[of.record].name = record;
        }
        if let Some(backward) = self.backward.get(&id).copied() {
            out.push(Some(self.nameless(backward)));
        }
        out
    }

    /// The text of a procedure without its name, and the entities of elsewhere that it mentions: names aren't resolved yet.
    fn nameless(&mut self, id: ProcId) -> (String, Vec<SymId>) {
        let name = std::mem::replace(&mut self.program[id].name, Name::new(""));
        let text = print::procedure(self.program, id, &Style::default());
        self.program[id].name = name;
        (text, outer_mentions(self.program, id))
    }

    fn share(&mut self, id: ContextId, twin: ContextId) {
        self.give_up(id);
        let Some(other) = self.signatures.get(&twin).cloned() else { return };
        let Some(own) = self.signatures.get_mut(&id) else { return };
        let halves = std::mem::replace(&mut own.halves, other.halves);
        let mut symbols = vec![std::mem::replace(&mut own.sym, other.sym)];
        symbols.extend(halves.into_iter().flat_map(|h| [h.forward, h.backward, h.record]));
        symbols.extend(std::mem::replace(&mut own.backward, other.backward).map(|b| b.sym));
        (own.name, own.names) = (other.name, other.names);
        for sym in symbols {
            self.forget_symbol(sym);
        }
        self.plan.retain(|((c, _), _)| *c != id);
    }

    /// Leaves out what was generated for a context, and returns it.
    pub(crate) fn give_up(&mut self, id: ContextId) -> Vec<ProcId> {
        let given_up = self.procedures.remove(&id).into_iter().chain(self.halves.remove(&id).into_iter().flatten());
        let given_up: Vec<ProcId> = given_up.chain(self.backward.remove(&id)).collect();
        given_up.iter().for_each(|p| self.leave_out(*p));
        given_up
    }

    fn rename(&mut self, id: ContextId, name: Name) {
        let Some(&procedure) = self.procedures.get(&id) else { return };
        let Some(own) = self.signatures.get_mut(&id) else { return };
        let (sym, old) = (own.sym, std::mem::replace(&mut own.name, name.clone()));
        let scope = self.program[sym].scope;
        self.program[scope].names.shift_remove(&old);
        self.program[scope].names.insert(name.clone(), sym);
        self.program[sym].name = name.clone();
        self.program[procedure].name = name;
    }
}
