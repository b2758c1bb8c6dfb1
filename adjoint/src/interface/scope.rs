//! Names: everything that generated code mentions is made to mean, in the scope where it stands, what it meant in the
//! primal's scope. This runs once over the finished code, so that no stage before it needs to think of names.
//!
//! What isn't accessible where it is mentioned is brought in by a `use` statement. What is hidden there, because
//! something nearer has its name, is brought in under another name; where no `use` statement can do that (the module is
//! the procedure's own, or the entity belongs to the host), the local entity that hides it is renamed in the generated
//! procedure.

use std::collections::{BTreeMap, BTreeSet};

use costate_analysis::externals::messages::takes_any_type;
use costate_grammar::diag::Diagnostic;
use costate_grammar::intrinsics::Intrinsic;
use costate_grammar::ir::{
    ModuleId, Name, ParentUnit, ProcId, ProcInfo, Program, ScopeId, ScopeKind, SymId, SymbolKind, Use, UseItem,
};
use costate_grammar::print;
use costate_grammar::source::Span;

use super::bindings;
use super::mentions::{defined, intrinsics, mentions, private_components};
use super::refusal;
use super::rename;
use super::rename::Keyword;
use crate::mode::Layout;
use crate::names::Taken;
use crate::remap::{self, SymMap};
use crate::session::Session;

/// Resolves the names of all generated units; returns what can't be brought in.
pub(crate) fn resolve(session: &mut Session<'_>) -> Vec<Diagnostic> {
    let mut procedures = session.generated();
    for m in session.modules.values() {
        procedures.extend(&session.program[*m].procedures);
    }
    let modules: Vec<(ModuleId, ModuleId)> = session.modules.iter().map(|(p, g)| (*p, *g)).collect();
    let mut scopes = Scopes {
        program: session.program,
        layout: session.options.layout,
        primal: modules.iter().map(|(p, g)| (*g, *p)).collect(),
        repeated: BTreeMap::new(),
        opened: BTreeMap::new(),
        widened: BTreeSet::new(),
        keywords: Vec::new(),
        problems: Vec::new(),
    };
    for (_, generated) in &modules {
        scopes.module(*generated);
    }
    for p in &procedures {
        // Internal procedures are resolved with their hosts.
        if !matches!(scopes.program[*p].parent, ParentUnit::Procedure(_)) {
            scopes.procedure(*p);
        }
    }
    for (_, generated) in &modules {
        let scope = scopes.program[*generated].scope;
        scopes.settle(scope, scope);
    }
    for p in &procedures {
        let scope = scopes.program[*p].scope;
        if !matches!(scopes.program[*p].parent, ParentUnit::Procedure(_)) {
            scopes.settle(scope, scopes.constants(scope));
        }
    }
    let Scopes { opened, widened, keywords, problems, .. } = scopes;
    rename::keywords(session.program, &procedures, &keywords);
    (session.opened, session.widened) = (opened, widened);
    problems
}

struct Scopes<'p> {
    program: &'p mut Program,
    layout: Layout,
    /// The primal of every generated module.
    primal: BTreeMap<ModuleId, ModuleId>,
    /// Private constants that a generated unit has a copy of.
    repeated: BTreeMap<ScopeId, SymMap>,
    /// Private procedures of extended modules that have got a public name.
    opened: BTreeMap<SymId, Name>,
    /// Types of extended modules whose private components have become public.
    widened: BTreeSet<SymId>,
    keywords: Vec<Keyword>,
    problems: Vec<Diagnostic>,
}

impl Scopes<'_> {
    /// What the declarations of a generated module mention.
    fn module(&mut self, generated: ModuleId) {
        let scope = self.program[generated].scope;
        let own: Vec<SymId> = self.own(scope);
        for s in own {
            for m in print::dependencies(self.program, s) {
                self.ensure(scope, m);
            }
        }
    }

    /// A generated procedure and those inside it.
    fn procedure(&mut self, p: ProcId) {
        let scope = self.program[p].scope;
        for (f, span) in intrinsics(self.program, p) {
            self.intrinsic(scope, f, span);
        }
        for m in mentions(self.program, p) {
            self.ensure(scope, m);
        }
        for (s, span) in defined(self.program, p) {
            self.protected(scope, s, span);
        }
        for ((ty, component), span) in private_components(self.program, p) {
            let home = self.program.module_of(self.program[ty].scope);
            if home.is_some_and(|m| !self.is_own(scope, m)) && !self.widen(ty) {
                let problem = refusal::private_component(self.program, ty, component.as_str(), span, self.layout);
                // One place is enough for each.
                if !self.problems.iter().any(|d| d.message == problem.message) {
                    self.problems.push(problem);
                }
            }
        }
        for inner in self.program[p].internals.clone() {
            self.procedure(inner);
        }
    }

    /// Symbols that a scope declares.
    fn own(&self, scope: ScopeId) -> Vec<SymId> {
        self.program[scope].names.values().copied().filter(|s| self.program[*s].scope == scope).collect()
    }

    /// Makes a symbol accessible in a scope.
    fn ensure(&mut self, scope: ScopeId, sym: SymId) {
        if self.accessible(scope, sym) {
            return;
        }
        let home = self.program[sym].scope;
        match self.program[home].kind {
            ScopeKind::Module(m) if self.is_own(scope, m) => self.uncover(scope, sym),
            ScopeKind::Module(m) => self.bring(scope, sym, m),
            ScopeKind::Procedure(_) | ScopeKind::Inner | ScopeKind::Global => {
                let external = self.program[sym].procedure().is_some_and(|p| !self.is_internal(p));
                if external { self.external(scope, sym) } else { self.uncover(scope, sym) }
            }
        }
    }

    fn is_internal(&self, info: &ProcInfo) -> bool {
        info.dummy.is_some()
            || info.pointer
            || info.definition.is_some_and(|d| matches!(self.program[d].parent, ParentUnit::Procedure(_)))
    }

    /// True when some name means the symbol in the scope, and nothing else.
    fn accessible(&self, scope: ScopeId, sym: SymId) -> bool {
        let name = &self.program[sym].name;
        let mut at = Some(scope);
        let found = match self.program.lookup(scope, name) {
            Some(s) if s == sym => Some(name.clone()),
            // A generic of the same name reaches it.
            Some(s) if matches!(&self.program[s].kind, SymbolKind::Generic(g) if g.specifics.contains(&sym)) => {
                return true;
            }
            // A type and a generic function that constructs its objects share a name.
            Some(s) if self.constructs(s, sym) || self.constructs(sym, s) => return true,
            _ => loop {
                let Some(s) = at else { break None };
                let known = self.program[s]
                    .names
                    .iter()
                    .find(|(n, x)| **x == sym && **n != *name && self.program.lookup(scope, n) == Some(sym));
                if let Some((n, _)) = known {
                    break Some(n.clone());
                }
                at = self.program[s].parent;
            },
        };
        found.is_some_and(|n| !self.ambiguous(scope, &n, sym))
    }

    /// True for a generic name of the module that has a type of the same name.
    fn constructs(&self, generic: SymId, ty: SymId) -> bool {
        let (generic, ty) = (&self.program[generic], &self.program[ty]);
        matches!(generic.kind, SymbolKind::Generic(_)) && ty.derived().is_some() && generic.scope == ty.scope
    }

    /// True when the `use` statements that bring a name bring two entities by it.
    fn ambiguous(&self, scope: ScopeId, name: &Name, sym: SymId) -> bool {
        let mut at = Some(scope);
        while let Some(s) = at {
            if self.program[s].names.contains_key(name) {
                let used = self.program[sym].scope != s;
                return used && self.program[s].uses.iter().any(|u| self.brings_another(u, name, sym));
            }
            at = self.program[s].parent;
        }
        false
    }

    fn brings_another(&self, u: &Use, name: &Name, sym: SymId) -> bool {
        let Some(&m) = self.program.module_names.get(&u.module) else { return false };
        let names = &self.program[self.program[m].scope].names;
        let listed = u.items.iter().find(|i| i.local == *name).map(|i| &i.remote);
        let plain = !u.only && !u.items.iter().any(|i| i.remote == *name);
        let Some(&other) = listed.or(plain.then_some(name)).and_then(|n| names.get(n)) else { return false };
        let generic = |s: SymId| matches!(self.program[s].kind, SymbolKind::Generic(_));
        other != sym && !self.program[other].private && !generic(sym) && !generic(other)
    }

    /// True for a scope of the module, or of the one that its code was generated from when that is extended.
    fn is_own(&self, scope: ScopeId, m: ModuleId) -> bool {
        let Some(own) = self.program.module_of(scope) else { return false };
        own == m || (self.layout == Layout::Extend && self.primal.get(&own) == Some(&m))
    }

    /// Brings in an entity of another module, under its own name where that is free.
    fn bring(&mut self, scope: ScopeId, sym: SymId, m: ModuleId) {
        let name = match self.opened.get(&sym) {
            Some(name) => name.clone(),
            None if self.program[sym].private => return self.private(scope, sym),
            None => self.program[sym].name.clone(),
        };
        let module = self.program[m].name.clone();
        let mut taken = self.taken(scope);
        let local = match self.program.lookup(scope, &name) {
            None if !taken.contains(&name) || self.is_used_inside(scope, &name, sym) => name.clone(),
            _ => taken.fresh(&format!("{name}_{module}")),
        };
        let hidden = self.program.lookup(scope, &name) == Some(sym);
        self.add_use(scope, &module, &local, &name, sym);
        if hidden {
            // The name means two things by the `use` statements that there are: it must not be printed.
            self.poison(scope, name);
        }
    }

    /// True for a module whose procedures use the entity by this name themselves, if they have a meaning for it at all.
    fn is_used_inside(&self, scope: ScopeId, name: &Name, sym: SymId) -> bool {
        let ScopeKind::Module(m) = self.program[scope].kind else { return false };
        let own = self.program[m].procedures.iter();
        let mut all = own.flat_map(|p| std::iter::once(p).chain(&self.program[*p].internals));
        all.all(|p| self.program.lookup(self.program[*p].scope, name).is_none_or(|s| s == sym))
    }

    fn add_use(&mut self, scope: ScopeId, module: &Name, local: &Name, remote: &Name, sym: SymId) {
        let item = UseItem { local: local.clone(), remote: remote.clone() };
        let renamed = local != remote;
        let home = self.program.module_names.get(module);
        let conditional = home.is_some_and(|m| self.program.conditional_modules.contains(m));
        // What isn't in the module of every MPI can't be asked for by its name.
        let all = module.as_str() == "mpi" && takes_any_type(remote);
        let uses = &mut self.program[scope].uses;
        match uses.iter_mut().find(|u| u.module == *module && u.span == Span::default()) {
            Some(u) => {
                u.only &= !all;
                u.items.extend((u.only || renamed).then_some(item));
                let only = u.only;
                u.items.retain(|i| only || i.local != i.remote);
            }
            None => uses.push(Use {
                module: module.clone(),
                intrinsic: false,
                only: !all,
                items: if all && !renamed { Vec::new() } else { vec![item] },
                conditional,
                header: false,
                span: Span::default(),
            }),
        }
        self.program[scope].names.insert(local.clone(), sym);
        // Nothing local can have the name of a module that is used beside it, and the name hides what the host has.
        let Some(namesake) = self.program.lookup(scope, module) else { return };
        let local = self.program[scope].names.contains_key(module);
        let mut meant = self.repeated.values().flatten().filter(|(_, copy)| **copy == namesake);
        let original = meant.next().map_or(namesake, |(of, _)| *of);
        let hidden = |p: ProcId| mentions(self.program, p).iter().any(|s| [namesake, original].contains(s));
        if local || matches!(self.program[scope].kind, ScopeKind::Procedure(p) if hidden(p)) {
            self.give_way(scope, namesake, module);
        }
    }

    /// Lets a name mean nothing in a scope.
    fn poison(&mut self, scope: ScopeId, name: Name) {
        let nowhere = self.program.add_scope(None, ScopeKind::Global);
        let nothing = SymbolKind::Other(String::new());
        let sym = self.program.add_symbol(nowhere, name.clone(), Span::default(), nothing);
        self.program[scope].names.insert(name, sym);
    }

    /// Names that are taken in a scope and those inside it.
    fn taken(&self, scope: ScopeId) -> Taken {
        let mut taken = Taken::visible(self.program, scope);
        if let ScopeKind::Procedure(p) = self.program[scope].kind {
            for inner in &self.program[p].internals {
                taken.extend(&Taken::visible(self.program, self.program[*inner].scope));
            }
            for (f, _) in intrinsics(self.program, p) {
                taken.insert(Name::new(f.name()));
            }
        }
        if let ScopeKind::Module(m) = self.program[scope].kind {
            for p in &self.program[m].procedures {
                taken.extend(&Taken::visible(self.program, self.program[*p].scope));
            }
        }
        taken
    }

    /// Renames what hides an entity of the own module or the host.
    fn uncover(&mut self, scope: ScopeId, sym: SymId) {
        let name = self.program[sym].name.clone();
        // Each round takes away one of the scopes between the two.
        for _ in 0..4 {
            match self.program.lookup(scope, &name) {
                Some(hiding) if hiding != sym => self.give_way(scope, hiding, &name),
                _ => return,
            }
        }
    }

    /// Gives another name to what a name means in a scope.
    fn give_way(&mut self, scope: ScopeId, hiding: SymId, name: &Name) {
        let mut at = scope;
        while !self.program[at].names.contains_key(name) {
            let Some(parent) = self.program[at].parent else { return };
            at = parent;
        }
        let mut taken = self.taken(at);
        if self.program[hiding].scope == at {
            let new = taken.fresh(&format!("{name}1"));
            self.keywords.extend(rename::rename(self.program, at, hiding, &new));
        } else {
            let home = self.program.module_of(self.program[hiding].scope);
            let module = home.map_or_else(|| Name::new("1"), |m| self.program[m].name.clone());
            let new = taken.fresh(&format!("{name}_{module}"));
            rename::used(self.program, at, hiding, name, &new);
        }
    }

    /// An external procedure has one name everywhere.
    fn external(&mut self, scope: ScopeId, sym: SymId) {
        let name = self.program[sym].name.clone();
        match self.program.lookup(scope, &name) {
            Some(s) if self.program[s].procedure().is_some_and(|p| !self.is_internal(p)) => {}
            Some(hiding) => self.give_way(scope, hiding, &name),
            None => {}
        }
    }

    /// An intrinsic procedure that is called: what hides it gives way, or is overruled where nothing mentions it.
    fn intrinsic(&mut self, scope: ScopeId, f: Intrinsic, span: Span) {
        let name = Name::new(f.name());
        let Some(hiding) = self.program.lookup(scope, &name) else { return };
        let extends = match &self.program[hiding].kind {
            SymbolKind::Generic(_) => true,
            SymbolKind::Procedure(info) => info.intrinsic.is_some(),
            SymbolKind::Variable(_) | SymbolKind::Type(_) | SymbolKind::Other(_) => false,
        };
        if extends {
            return;
        }
        if self.program[scope].names.contains_key(&name) {
            self.give_way(scope, hiding, &name);
        }
        let Some(hiding) = self.program.lookup(scope, &name) else { return };
        let ScopeKind::Procedure(p) = self.program[scope].kind else { return };
        if mentions(self.program, p).contains(&hiding) {
            let home = self.program.module_of(self.program[hiding].scope);
            let global = home.filter(|m| self.program[*m].scope == self.program[hiding].scope);
            match global {
                Some(m) if !self.is_own(scope, m) => {
                    let module = self.program[m].name.clone();
                    let local = self.taken(scope).fresh(&format!("{name}_{module}"));
                    let remote = self.program[hiding].name.clone();
                    self.add_use(scope, &module, &local, &remote, hiding);
                }
                Some(_) => return self.problems.push(refusal::hidden_intrinsic(self.program, hiding, f.name(), span)),
                None => return self.give_way(scope, hiding, &name),
            }
        }
        let info = ProcInfo { intrinsic: Some(f), ..ProcInfo::default() };
        self.program.add_symbol(scope, name, Span::default(), SymbolKind::Procedure(Box::new(info)));
    }

    /// Only its own module can define what is protected.
    fn protected(&mut self, scope: ScopeId, sym: SymId, span: Span) {
        let ScopeKind::Module(m) = self.program[self.program[sym].scope].kind else { return };
        if self.program.var(sym).is_some_and(|v| v.attrs.protected) && !self.is_own(scope, m) {
            let problem = refusal::protected(self.program, sym, span, self.layout);
            if !self.problems.contains(&problem) {
                self.problems.push(problem);
            }
        }
    }

    /// A private procedure is called through a binding, or made public under another name in an extended module; a private
    /// constant is repeated. Anything else that is private is refused.
    fn private(&mut self, scope: ScopeId, sym: SymId) {
        if let ScopeKind::Procedure(p) = self.program[scope].kind
            && bindings::call_bound(self.program, p, sym)
        {
            return;
        }
        if self.layout == Layout::Extend && self.open(sym) {
            return self.ensure(scope, sym);
        }
        let place = self.constants(scope);
        if let Some(&copy) = self.repeated.get(&place).and_then(|map| map.get(&sym)) {
            return self.ensure(scope, copy);
        }
        let Some(mut v) = self.program.var(sym).filter(|v| v.attrs.parameter).cloned() else {
            let problem = refusal::private(self.program, sym, self.layout);
            if !self.problems.contains(&problem) {
                self.problems.push(problem);
            }
            return;
        };
        for used in print::dependencies(self.program, sym) {
            self.ensure(place, used);
        }
        let name = self.program[sym].name.clone();
        let mut taken = self.taken(place);
        let name = if taken.contains(&name) { taken.fresh(&name) } else { name };
        remap::variable(&mut v, self.repeated.get(&place).unwrap_or(&SymMap::new()));
        let copy = self.program.add_symbol(place, name, Span::default(), SymbolKind::Variable(Box::new(v)));
        self.program[copy].private = place != scope;
        self.repeated.entry(place).or_default().insert(sym, copy);
        rename::respell(self.program, place, copy);
        self.ensure(scope, copy);
    }

    /// Makes the components of a type public in an extended module.
    fn widen(&mut self, ty: SymId) -> bool {
        let written = self.program[ty].derived().is_some_and(|t| !t.private_words.is_empty());
        let possible = written && self.layout == Layout::Extend;
        if possible {
            self.widened.insert(ty);
        }
        possible
    }

    /// Gives a module procedure a public name.
    fn open(&mut self, sym: SymId) -> bool {
        let home = self.program[sym].scope;
        let ScopeKind::Module(m) = self.program[home].kind else { return false };
        let defined = self.program[sym].procedure().is_some_and(|p| p.definition.is_some());
        if !defined || self.program.top_module(m) != m {
            return false;
        }
        let mut taken = Taken::by_users(self.program, m);
        taken.extend(&Taken::visible(self.program, home));
        self.opened.values().for_each(|n| taken.insert(n.clone()));
        let name = taken.fresh(&format!("{}_primal", self.program[sym].name));
        self.opened.insert(sym, name);
        true
    }

    /// Where a scope's copies of constants stand: in the generated module, if there is one.
    fn constants(&self, scope: ScopeId) -> ScopeId {
        match self.program.module_of(scope) {
            Some(m) if self.layout == Layout::Separate => self.program[m].scope,
            _ => scope,
        }
    }

    /// Puts copies of constants in the place of the constants, and spells types anew that mean something else where they
    /// stand now.
    fn settle(&mut self, scope: ScopeId, place: ScopeId) {
        let map = self.repeated.get(&place).cloned().unwrap_or_default();
        remap::declarations(self.program, scope, &map);
        for s in self.own(scope) {
            rename::respell(self.program, scope, s);
        }
        if let ScopeKind::Procedure(p) = self.program[scope].kind {
            self.program[p].body = remap::block(&self.program[p].body.clone(), &map);
            for inner in self.program[p].internals.clone() {
                self.settle(self.program[inner].scope, place);
            }
        }
    }
}
