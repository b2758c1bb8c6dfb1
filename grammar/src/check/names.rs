//! Names: each one that is printed means, by the declarations and `use` statements of the scope where it stands and of the
//! scopes around that, the entity that is meant. The tables of names that scopes have aren't asked: they say what was
//! intended.

use std::collections::BTreeSet;

use super::{Extended, Finding};
use crate::intrinsics::Intrinsic;
use crate::ir::{
    Mention, ModuleKind, Name, ParentUnit, ProcId, Program, ScopeId, ScopeKind, SymId, SymbolKind, Use, Variable,
    for_each_stmt, mentions_of,
};
use crate::print;
use crate::source::Span;

/// Looks at the names of procedures.
pub(super) struct Names<'p, 'o> {
    program: &'p Program,
    extended: &'p Extended,
    out: &'o mut Vec<Finding>,
}

/// What a name may mean.
#[derive(Default)]
struct Meaning {
    entities: BTreeSet<SymId>,
    /// It may also come from a module that isn't among the files.
    unknown: bool,
}

impl Meaning {
    fn is_settled(&self) -> bool {
        self.unknown || !self.entities.is_empty()
    }

    fn add(&mut self, other: Meaning) {
        self.entities.extend(other.entities);
        self.unknown |= other.unknown;
    }
}

impl<'p, 'o> Names<'p, 'o> {
    pub(super) fn new(program: &'p Program, extended: &'p Extended, out: &'o mut Vec<Finding>) -> Self {
        Names { program, extended, out }
    }

    /// What statements and declarations of a procedure mention.
    pub(super) fn procedure(&mut self, p: ProcId) {
        let scope = self.program[p].scope;
        let mut seen = BTreeSet::new();
        for (mention, span) in mentions(self.program, p) {
            if seen.insert(mention) {
                match mention {
                    Mention::Entity(sym) => self.entity(scope, sym, span),
                    Mention::Intrinsic(f) => self.intrinsic(scope, f, span),
                }
            }
        }
        let own: Vec<SymId> = self.program[scope].names.values().copied().collect();
        for s in own.into_iter().filter(|s| self.program[*s].scope == scope) {
            self.single(scope, s);
            for used in print::dependencies(self.program, s) {
                // A copy of a type declared in a procedure stands for that type by the spelling alone.
                let spelt = |v: &Variable| v.ty.derived() != Some(used) || v.spelling_uses.contains(&used);
                if self.program.var(s).is_none_or(spelt) {
                    self.entity(scope, used, self.program[s].span);
                }
            }
        }
    }

    fn wrong(&mut self, span: Span, what: String) {
        let finding = Finding { span, what };
        if !self.out.contains(&finding) {
            self.out.push(finding);
        }
    }

    /// A name that is declared isn't brought in by a `use` statement as well.
    fn single(&mut self, scope: ScopeId, sym: SymId) {
        let name = &self.program[sym].name;
        let used = self.used(scope, name, &mut BTreeSet::new()).entities;
        if used.iter().any(|u| !self.may_share(*u, sym)) {
            self.wrong(self.program[sym].span, format!("`{name}` is declared, and a `use` statement brings it, too"));
        }
    }

    fn entity(&mut self, scope: ScopeId, sym: SymId, span: Span) {
        if matches!(self.program[sym].kind, SymbolKind::Other(_)) || self.is_within(self.program[sym].scope, scope) {
            return;
        }
        let name = print::name_in(self.program, scope, sym);
        let Meaning { entities, unknown } = self.resolve(scope, &name);
        if unknown || self.means(&entities, sym) {
            return;
        }
        self.wrong(
            span,
            match entities.len() {
                0 => format!("`{name}` isn't declared where it is used, in {}", self.shown(scope)),
                1 => format!("`{name}` means another entity where it is used, in {}", self.shown(scope)),
                _ => format!("`{name}` means several entities where it is used, in {}", self.shown(scope)),
            },
        );
    }

    fn intrinsic(&mut self, scope: ScopeId, f: Intrinsic, span: Span) {
        let hides = |s: &SymId| match &self.program[*s].kind {
            SymbolKind::Generic(_) => false,
            SymbolKind::Procedure(info) => info.intrinsic.is_none(),
            SymbolKind::Variable(_) | SymbolKind::Type(_) | SymbolKind::Other(_) => true,
        };
        if self.resolve(scope, &Name::new(f.name())).entities.iter().any(hides) {
            self.wrong(span, format!("the intrinsic `{}` is hidden in {}", f.name(), self.shown(scope)));
        }
    }

    /// True for a scope inside another one, where a `block` or `associate` construct has its names.
    fn is_within(&self, inner: ScopeId, outer: ScopeId) -> bool {
        let mut at = self.program[inner].parent;
        while let Some(s) = at {
            if s == outer {
                return true;
            }
            at = self.program[s].parent;
        }
        false
    }

    fn shown(&self, scope: ScopeId) -> String {
        let proc = self.program.procedures().find(|(_, p)| p.scope == scope);
        proc.map_or_else(|| "a module".to_string(), |(_, p)| format!("`{}`", p.name))
    }

    /// True when the entities that a name means are the one that is meant.
    fn means(&self, found: &BTreeSet<SymId>, sym: SymId) -> bool {
        if found.is_empty() {
            // External procedures need no declaration.
            return self.is_external(sym);
        }
        found.contains(&sym) && found.iter().all(|s| self.may_share(*s, sym))
            || found.iter().any(|s| self.reaches(*s, sym))
            || self.is_external(sym) && found.iter().all(|s| self.is_external(*s))
            || self.is_internal(sym) && found.iter().all(|s| self.is_internal(*s))
    }

    /// An internal procedure goes by one name in every copy of its host.
    fn is_internal(&self, sym: SymId) -> bool {
        let definition = self.program[sym].procedure().and_then(|info| info.definition);
        definition.is_some_and(|d| matches!(self.program[d].parent, ParentUnit::Procedure(_)))
    }

    /// A generic reaches its specific procedures, and the type whose objects it makes.
    fn reaches(&self, generic: SymId, sym: SymId) -> bool {
        match &self.program[generic].kind {
            SymbolKind::Generic(g) => g.specifics.contains(&sym) || g.derived == Some(sym),
            _ => false,
        }
    }

    /// Generics of one name are one, and a type may have the name of one.
    fn may_share(&self, a: SymId, b: SymId) -> bool {
        let generic = |s: SymId| matches!(self.program[s].kind, SymbolKind::Generic(_));
        a == b
            || generic(a) && generic(b)
            || self.reaches(a, b)
            || self.reaches(b, a)
            || generic(a) && self.program[b].derived().is_some()
            || generic(b) && self.program[a].derived().is_some()
    }

    fn is_external(&self, sym: SymId) -> bool {
        self.program[sym].procedure().is_some_and(|info| match info.definition {
            Some(d) => matches!(self.program[d].parent, ParentUnit::File(_)),
            None => info.dummy.is_none() && !info.pointer,
        })
    }

    /// What a name means in a scope.
    fn resolve(&self, scope: ScopeId, name: &Name) -> Meaning {
        let mut at = Some(scope);
        while let Some(s) = at {
            let found = self.here(s, name);
            if found.is_settled() {
                return found;
            }
            if let Some(&base) = self.extended.additions.get(&s) {
                let found = self.resolve(base, name);
                if found.is_settled() {
                    return found;
                }
            }
            at = self.program[s].parent;
        }
        Meaning::default()
    }

    /// What it means by a scope's own declarations and `use` statements.
    fn here(&self, scope: ScopeId, name: &Name) -> Meaning {
        match self.declared(scope, name) {
            Some(sym) => Meaning { entities: BTreeSet::from([sym]), unknown: false },
            None => self.used(scope, name, &mut BTreeSet::new()),
        }
    }

    fn declared(&self, scope: ScopeId, name: &Name) -> Option<SymId> {
        let known = self.program[scope].names.get(name).copied();
        let inside = || match self.program[scope].kind {
            ScopeKind::Procedure(p) => self.program[p].internals.as_slice(),
            ScopeKind::Module(_) | ScopeKind::Inner | ScopeKind::Global => &[],
        };
        let internal = || inside().iter().map(|i| &self.program[*i]).find(|i| i.name == *name).map(|i| i.sym);
        known.filter(|s| self.program[*s].scope == scope).or_else(internal)
    }

    fn used(&self, scope: ScopeId, name: &Name, seen: &mut BTreeSet<ScopeId>) -> Meaning {
        let uses = &self.program[scope].uses;
        let modules: BTreeSet<&Name> = uses.iter().map(|u| &u.module).collect();
        let mut out = Meaning::default();
        for module in modules {
            for remote in remote_names(uses, module, name) {
                out.add(self.exported(module, remote, seen));
            }
        }
        out
    }

    /// What a name of a module means to those that use it.
    fn exported(&self, module: &Name, name: &Name, seen: &mut BTreeSet<ScopeId>) -> Meaning {
        let Some(&m) = self.program.module_names.get(module) else {
            return Meaning { entities: BTreeSet::new(), unknown: true };
        };
        let (own, scope) = (&self.program[m], self.program[m].scope);
        if matches!(own.kind, ModuleKind::Intrinsic) {
            return Meaning { entities: own_name(self.program, scope, name), unknown: false };
        }
        if !seen.insert(scope) {
            return Meaning::default();
        }
        let mut out = Meaning::default();
        match self.declared(scope, name) {
            Some(sym) if self.program[sym].private => {}
            Some(sym) => out.entities.extend([sym]),
            None if own.default_private == own.passed_on.contains(name) => out.add(self.used(scope, name, seen)),
            None => {}
        }
        // What is added to the module is public.
        for (addition, _) in self.extended.additions.iter().filter(|(_, base)| **base == scope) {
            out.entities.extend(self.declared(*addition, name));
        }
        let opened = self.extended.opened.iter().filter(|(s, n)| *n == name && self.program[**s].scope == scope);
        out.entities.extend(opened.map(|(s, _)| *s));
        seen.remove(&scope);
        out
    }
}

fn own_name(program: &Program, scope: ScopeId, name: &Name) -> BTreeSet<SymId> {
    program[scope].names.get(name).copied().into_iter().collect()
}

/// The names by which the `use` statements of a module, which count as one (F2018 14.2.2), look up a local name in it.
fn remote_names<'a>(uses: &'a [Use], module: &Name, name: &'a Name) -> Vec<&'a Name> {
    let own = || uses.iter().filter(|u| u.module == *module);
    let items = || own().flat_map(|u| &u.items);
    let mut out: Vec<&Name> = items().filter(|i| i.local == *name).map(|i| &i.remote).collect();
    let renamed = items().any(|i| i.remote == *name && i.local != *name);
    if own().any(|u| !u.only) && !renamed && !out.contains(&name) {
        out.push(name);
    }
    out
}

/// What the statements of a procedure mention.
fn mentions(program: &Program, p: ProcId) -> Vec<(Mention, Span)> {
    let mut out = Vec::new();
    for_each_stmt(&program[p].body, &mut |s| {
        let span = s.origin.span();
        mentions_of(s, &mut |m| match m {
            // The functions that come with generated code stand beside it.
            Mention::Intrinsic(f) if f.name().starts_with("costate_") => {}
            m => out.push((m, span)),
        });
    });
    out
}
