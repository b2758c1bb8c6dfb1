//! Internal procedures: their derivatives are internal to the derivative of their host, where the host's variables and
//! their derivatives are at hand. The primal ones that are still called come along, since only their host sees them.

use std::collections::{BTreeMap, BTreeSet};

use costate_analysis::activity::ContextId;
use costate_analysis::effects::{calls, within};
use costate_analysis::storage::LocId;
use costate_grammar::ir::{Block, Handle, ParentUnit, ProcId, ScopeId, ScopeKind, SymId, SymbolKind};
use costate_grammar::source::Span;

use crate::build::Builder;
use crate::interface::mentions::mentions;
use crate::mode::Mode;
use crate::names::Taken;
use crate::remap::{self, SymMap};
use crate::session::Session;

/// What a generated host hands to the procedures inside it.
#[derive(Clone)]
pub struct Host {
    /// The host's new scope.
    pub scope: ScopeId,
    /// Names taken there.
    pub taken: Taken,
    /// Derivatives of its variables.
    pub shadow: BTreeMap<SymId, SymId>,
}

/// The generated procedures inside a host, and what they mention.
#[derive(Default)]
pub struct Inside {
    /// Generated procedures.
    pub procedures: Vec<ProcId>,
    /// Symbols that they use.
    pub mentions: BTreeSet<SymId>,
}

impl Session<'_> {
    /// Contexts of internal procedures that a host's context reaches, callees first.
    pub(crate) fn inner_contexts(&self, host: ContextId) -> Vec<ContextId> {
        let primal = self.activity.get(host).proc;
        if self.program[primal].internals.is_empty() {
            return Vec::new();
        }
        let reached = self.activity.calls.below(host);
        let inside = |c: &ContextId| self.program[self.activity.get(*c).proc].parent == ParentUnit::Procedure(primal);
        self.order().into_iter().filter(|c| reached.contains(c) && inside(c)).collect()
    }

    /// True for an adjoint that increments derivatives of variables of a module, or of the host of an internal procedure,
    /// or calls one that does: none of them is pure.
    pub(crate) fn is_impure(&self, id: ContextId) -> bool {
        let outer = |c: ContextId| {
            let own = self.program[self.activity.get(c).proc].scope;
            let home = |l: &LocId| self.program[self.effects.locs.get(*l).sym].scope;
            self.storage[c.0 as usize].iter().map(home).any(|s| s != own && !within(self.program, s, own))
        };
        outer(id) || self.activity.calls.below(id).into_iter().any(outer)
    }

    /// True where a context calls derivatives that aren't generated, directly or not: nothing says that they are pure.
    pub(crate) fn calls_given(&self, id: ContextId) -> bool {
        let given = |c: ContextId| self.effects.externals.contains_key(&self.activity.get(c).proc);
        self.activity.calls.below(id).into_iter().any(given)
    }

    /// Builds the derivatives of a host's internal procedures.
    pub(crate) fn build_inside(&mut self, contexts: &[ContextId], host: &Host) -> Inside {
        let mut inside = Inside::default();
        for &c in contexts {
            // Two hosts may share a context: what was built, named or given up in the first one is no matter of the second.
            self.procedures.remove(&c);
            let name = self.signatures[&c].reserved.clone();
            if let Some(s) = self.signatures.get_mut(&c) {
                s.name = name.clone();
            }
            let kind = SymbolKind::Procedure(Box::default());
            let sym = self.program.add_symbol(host.scope, name, Span::default(), kind);
            if let Some(s) = self.signatures.get_mut(&c) {
                s.sym = sym;
            }
        }
        for &c in contexts {
            if self.refused.contains(&self.activity.get(c).proc) {
                continue;
            }
            match self.mode {
                Mode::Adjoint => {
                    self.build_adjoint(c, Some(host));
                }
                Mode::Tangent => self.build_tangent(c, Some(host)),
            }
            if !self.unite(c)
                && let Some(&p) = self.procedures.get(&c)
            {
                inside.procedures.push(p);
                inside.mentions.extend(mentions(self.program, p));
            }
        }
        inside
    }

    /// Primal internal procedures that a generated host, or what is generated inside it, calls.
    pub(crate) fn called_inside(&self, body: &Block, primal_host: ProcId, inside: &Inside) -> Vec<ProcId> {
        let mut called: Vec<ProcId> = Vec::new();
        let mut found = calls(self.program, body);
        for p in &inside.procedures {
            found.extend(calls(self.program, &self.program[*p].body));
        }
        while let Some(callee) = found.pop() {
            let inner = self.program[callee].parent == ParentUnit::Procedure(primal_host);
            if inner && !inside.procedures.contains(&callee) && !called.contains(&callee) {
                called.push(callee);
                found.extend(calls(self.program, &self.program[callee].body));
            }
        }
        called.sort();
        called
    }

    /// Adds the procedures inside a finished host: primal ones that are called, then generated ones.
    pub(crate) fn nest(&mut self, host: ProcId, called: &[ProcId], inside: &Inside, map: &SymMap) {
        let scope = self.program[host].scope;
        for &p in called {
            let (name, sym) = (self.program[p].name.clone(), self.program[p].sym);
            self.program[scope].names.entry(name).or_insert(sym);
            let copy = self.copy_inside(p, host, map);
            self.program[host].internals.push(copy);
        }
        for &p in &inside.procedures {
            self.program[p].parent = ParentUnit::Procedure(host);
            let own = self.program[p].scope;
            self.program[own].parent = Some(scope);
            self.program[p].body = remap::block(&self.program[p].body.clone(), map);
            remap::declarations(self.program, own, map);
            self.program[host].internals.push(p);
        }
    }

    /// A primal internal procedure as the user wrote it, without the variables of its normal form.
    fn copy_inside(&mut self, p: ProcId, host: ProcId, of_host: &SymMap) -> ProcId {
        let mut copy = self.program[p].clone();
        let parent = self.program[host].scope;
        let id = Handle::new(self.program.procedures.len());
        let scope = self.program.add_scope(Some(parent), ScopeKind::Procedure(id));
        let names = self.program[copy.scope].names.clone();
        let mut map = of_host.clone();
        for (name, s) in names {
            if self.temporaries.contains(&s) {
                continue;
            }
            if self.program[s].scope == copy.scope {
                let symbol = self.program[s].clone();
                let new = self.program.add_symbol(scope, name, symbol.span, symbol.kind);
                map.insert(s, new);
            } else {
                self.program[scope].names.insert(name, s);
            }
        }
        remap::declarations(self.program, scope, &map);
        remap::storage(self.program, copy.scope, scope, &map);
        self.program[scope].texts = self.program[copy.scope].texts.clone();
        self.program[scope].uses = self.program[copy.scope].uses.clone();
        copy.scope = scope;
        copy.body = remap::block(&copy.body, &map);
        copy.dummies = copy.dummies.iter().map(|d| map.get(d).copied().unwrap_or(*d)).collect();
        if let costate_grammar::ir::ProcKind::Function(r) = copy.kind {
            copy.kind = costate_grammar::ir::ProcKind::Function(map.get(&r).copied().unwrap_or(r));
        }
        copy.parent = ParentUnit::Procedure(host);
        self.program.procedures.push(copy);
        id
    }
}

impl Builder<'_> {
    /// What the procedures inside this one need to know.
    pub fn host(&self) -> Host {
        Host { scope: self.scope, taken: self.taken.clone(), shadow: self.shadow.clone() }
    }
}
