//! Interfaces of generated procedures, before any of them is built: calls may need them before.

use std::collections::{BTreeMap, BTreeSet};

use costate_analysis::activity::ContextId;
use costate_analysis::effects::bind;
use costate_grammar::ir::{
    ExprKind, ModuleId, Name, ParentUnit, ProcId, ProcKind, ScopeKind, SymId, SymbolKind, for_each_stmt,
};
use costate_grammar::source::Span;

use crate::build::suffixed;
use crate::interface::{self, Signature, call_arguments};
use crate::mode::{Layout, Mode};
use crate::names::Taken;
use crate::passed::twin_of;
use crate::session::Session;

impl Session<'_> {
    /// Names all generated procedures and fixes their interfaces.
    pub(crate) fn sign(&mut self) {
        let mut taken: BTreeMap<Option<ModuleId>, Taken> = BTreeMap::new();
        let mut order = self.order();
        let given = self.given_names();
        // The user knows the heads by their names.
        order.sort_by_key(|c| !self.activity.get(*c).head);
        for id in order {
            let context = self.activity.get(id).clone();
            let primal = context.proc;
            let storage = self.storage[id.0 as usize].clone();
            let row = self.effects.externals.get(&primal).cloned();
            if let Some(row) = row.clone().filter(|row| !self.is_written(row)) {
                let signature = self.sign_external(id, primal, &row);
                self.signatures.insert(id, signature);
                continue;
            }
            let home = self.primal_home(primal);
            let module = home.map(|m| self.module_for(m));
            let scope = self.program[primal].scope;
            let mut visible = Taken::visible(self.program, scope);
            match home {
                Some(m) => visible.extend(&self.taken_by_users(m)),
                None => visible.extend(&Taken::global(self.program)),
            }
            // Several extended modules may be used in one scope.
            let used = taken.entry(home.filter(|_| self.options.layout == Layout::Separate)).or_default();
            visible.extend(used);
            given.iter().for_each(|n| visible.insert(n.clone()));
            let base = self.base_name(id, primal);
            let name = visible.fresh(&suffixed(&base, &self.naming.procedure));
            used.insert(name.clone());
            let sym = self.procedure_symbol(module, &name);
            let (derivative, result) = if context.head {
                self.head_dummies(id)
            } else {
                interface::derivative_dummies(self.program, &mut self.effects, primal, &storage)
            };
            let mut signature = Signature::new((id, primal), (name, sym), (derivative, result), storage);
            if let Some(row) = row {
                self.sign_written(&mut signature, &row);
            }
            self.signatures.insert(id, signature);
            let inner = matches!(self.program[primal].parent, ParentUnit::Procedure(_));
            if self.mode == Mode::Adjoint && !context.head && !inner && self.associates(primal, id) {
                let name = visible.fresh(&format!("{}{}a", self.program[primal].name, self.naming.procedure));
                taken.entry(home).or_default().insert(name.clone());
                let only = context.active.is_empty() && !self.changes_values(primal, id);
                let sym = self.procedure_symbol(module, &name);
                if let Some(s) = self.signatures.get_mut(&id) {
                    s.associates = Some(sym);
                    s.only_associates = only;
                }
            }
        }
        self.sign_twins();
    }

    /// What the name of a derivative is made from. What is written for a procedure without source stands in the file of a caller
    /// and is named after it, too: other files have their own.
    fn base_name(&self, id: ContextId, primal: ProcId) -> Name {
        let name = self.program[primal].name.clone();
        match self.caller_of_declared(id, primal) {
            Some(caller) => {
                let home = match self.program[caller].parent {
                    ParentUnit::Module(m) => self.program[self.program.top_module(m)].name.clone(),
                    _ => self.program[caller].name.clone(),
                };
                Name::new(&format!("{home}_{name}"))
            }
            None => name,
        }
    }

    /// Finds which procedures need derivatives of their dummy procedures: to call them, or to hand them on.
    fn sign_twins(&mut self) {
        loop {
            let mut found = Vec::new();
            for (i, context) in self.activity.contexts.iter().enumerate() {
                let Some(body) = self.effects.bodies.get(&context.proc) else { continue };
                for_each_stmt(body, &mut |s| {
                    let Some(callee) = context.callees.get(&s.id).and_then(|c| self.signatures.get(c)) else { return };
                    let called = self.effects.is_passed(callee.primal).then_some(self.program[callee.primal].sym);
                    let actuals = bind(self.program, &self.program[callee.primal], call_arguments(s));
                    let wanted = self.program[callee.primal].dummies.iter().zip(actuals);
                    let wanted = wanted.filter(|(d, _)| callee.twins.contains(d));
                    let handed = wanted.filter_map(|(_, e)| match e?.kind {
                        ExprKind::ProcRef(sym) => Some(sym),
                        _ => None,
                    });
                    found.extend(called.into_iter().chain(handed).map(|sym| (ContextId(i as u32), sym)));
                });
            }
            let mut changed = false;
            for (id, sym) in found {
                changed |= self.signatures.get_mut(&id).is_some_and(|s| s.twins.insert(sym));
            }
            if !changed {
                return;
            }
        }
    }

    /// The names of derivatives that are external procedures of the user's.
    fn given_names(&self) -> BTreeSet<Name> {
        let outside = self.effects.externals.values().filter(|row| row.module.is_none() && !row.passed);
        outside.flat_map(|row| row.derivatives.iter().flatten().cloned()).collect()
    }

    /// A symbol for a generated procedure of a module, or for one outside modules.
    fn procedure_symbol(&mut self, module: Option<ModuleId>, name: &Name) -> SymId {
        let scope = match module {
            Some(m) => self.program[m].scope,
            None => self.program.add_scope(None, ScopeKind::Inner),
        };
        let kind = SymbolKind::Procedure(Box::default());
        self.program.add_symbol(scope, name.clone(), Span::default(), kind)
    }

    /// Names the derivative dummies of all generated procedures. A call may need them before its callee is built.
    pub(crate) fn name_dummies(&mut self) {
        for id in self.order() {
            let signature = &self.signatures[&id];
            if signature.external.is_some() {
                continue;
            }
            let (primal, derivative, result) = (signature.primal, signature.derivative.clone(), signature.result);
            let home = self.home(id);
            let inner = self.inner_contexts(id);
            let mut taken = self.names_for(primal, home, None, &inner);
            let p = &self.program[primal];
            let own = match p.kind {
                ProcKind::Function(r) if result => Some(r),
                ProcKind::Function(_) | ProcKind::Subroutine | ProcKind::Program => None,
            };
            let carried = p.dummies.iter().copied().filter(|d| derivative.contains(d)).chain(own);
            let twins = self.signatures[&id].twins.iter().filter_map(|d| Some((*d, twin_of(self.program, *d)?)));
            let twins: Vec<_> = twins.map(|(d, twin)| (d, self.program[twin].name.clone())).collect();
            let names =
                carried.map(|d| (d, taken.fresh(&suffixed(&self.program[d].name, &self.naming.variable)))).collect();
            if let Some(s) = self.signatures.get_mut(&id) {
                s.names = names;
                s.names.extend(twins);
            }
        }
    }

    fn head_dummies(&self, context: ContextId) -> (BTreeSet<SymId>, bool) {
        let Some(facts) = self.heads.iter().find(|h| h.context == context) else { return Default::default() };
        let named: BTreeSet<SymId> =
            facts.head.dependents.iter().chain(&facts.head.independents).map(|t| t.sym).collect();
        let p = &self.program[facts.head.proc];
        let dummies = p.dummies.iter().copied().filter(|d| named.contains(d)).collect();
        let result = matches!(p.kind, ProcKind::Function(r) if named.contains(&r));
        (dummies, result)
    }

    /// True for a context whose procedure changes variables that have derivatives.
    fn changes_values(&self, proc: ProcId, id: ContextId) -> bool {
        let writes = self.effects.summaries.get(&proc).map(|s| &s.access.writes);
        let set = &self.storage[id.0 as usize];
        writes.is_some_and(|w| w.iter().any(|l| !self.effects.locs.get(*l).association && set.contains(l)))
    }
}
