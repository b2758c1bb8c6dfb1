//! Interface blocks for generated external procedures that can't be called without one (15.4.2.2 of the 2023 standard).

use std::collections::{BTreeMap, BTreeSet};

use costate_grammar::ir::{
    Base, Callee, Dim, Handle, Name, ParentUnit, ProcId, Procedure, Program, ScopeKind, StmtKind, SymId, SymbolKind,
    Variable, for_each_stmt,
};

use crate::remap::{self, SymMap};
use crate::session::Session;

/// Gives the generated procedures the interfaces of the generated external procedures that they call.
pub(crate) fn run(session: &mut Session<'_>) {
    let mut all: Vec<ProcId> = session.generated().into_iter().collect();
    let program = &mut *session.program;
    let mut next = 0;
    while let Some(&p) = all.get(next) {
        all.extend(program[p].internals.iter().copied());
        next += 1;
    }
    let demanded: BTreeSet<SymId> = all.iter().flat_map(|p| demanded_by(program, *p)).collect();
    let externals = all.iter().filter(|p| matches!(program[**p].parent, ParentUnit::File(_)));
    let external: BTreeMap<Name, ProcId> = externals.map(|p| (program[*p].name.clone(), *p)).collect();
    for scope in all.iter().map(|p| program[*p].scope).collect::<Vec<_>>() {
        for (name, sym) in program[scope].names.clone() {
            let Some(&callee) = external.get(&name) else { continue };
            if !is_needed(program, callee) && !demanded.contains(&program[callee].sym) {
                continue;
            }
            let own = program[sym].scope == scope;
            let bare = program[sym].procedure().is_some_and(|p| p.external && p.interface.is_none());
            if !own || !bare {
                continue;
            }
            let body = body_of(program, callee);
            if let SymbolKind::Procedure(info) = &mut program[sym].kind {
                info.interface = Some(body);
            }
        }
    }
}

/// The procedures that a procedure calls in a way that needs an explicit interface: with keywords, or as a pure procedure.
fn demanded_by(program: &Program, id: ProcId) -> BTreeSet<SymId> {
    let p = &program[id];
    let pure_ = p.prefix.is_pure();
    let mut out = BTreeSet::new();
    for_each_stmt(&p.body, &mut |s| {
        if let StmtKind::Call { callee: Callee::Proc { sym, .. }, args } = &s.kind
            && (pure_ || args.iter().any(|a| a.keyword.is_some()))
        {
            out.insert(*sym);
        }
    });
    out
}

/// True for a procedure that is called by an explicit interface only.
fn is_needed(program: &Program, id: ProcId) -> bool {
    let p = &program[id];
    let demanding = |v: &Variable| {
        let a = &v.attrs;
        let shape = v.dims.iter().any(|d| matches!(d, Dim::Assumed(_) | Dim::Deferred | Dim::AssumedRank));
        let dynamic = matches!(v.ty.base, Base::Class(_) | Base::Unlimited);
        shape || dynamic || a.allocatable || a.pointer || a.target || a.optional || a.value
    };
    let dummy = |s: &SymId| program.var(*s).is_some_and(demanding);
    p.prefix.elemental || p.bind.is_some() || p.dummies.iter().any(dummy)
}

/// The interface body of a procedure: its dummies, and what their declarations mention.
fn body_of(program: &mut Program, id: ProcId) -> ProcId {
    let source = program[id].clone();
    let scope = program.add_scope(None, ScopeKind::Inner);
    let dummies = source.dummies.iter().copied().collect();
    let wanted = remap::declared_with(program, dummies, |s| program[s].scope == source.scope);
    let order: Vec<SymId> = source.dummies.iter().chain(program[source.scope].names.values()).copied().collect();
    let mut map = SymMap::new();
    for s in order {
        let own = program[s].scope == source.scope;
        if wanted.contains(&s) && own && !map.contains_key(&s) {
            let symbol = program[s].clone();
            map.insert(s, program.add_symbol(scope, symbol.name, symbol.span, symbol.kind));
        }
    }
    // What comes from elsewhere is known by the names that the procedure itself has for it.
    for (name, s) in program[source.scope].names.clone() {
        if program[s].scope != source.scope && wanted.contains(&s) {
            program[scope].names.entry(name).or_insert(s);
        }
    }
    program[scope].uses = program[source.scope].uses.clone();
    remap::declarations(program, scope, &map);
    let body = Handle::new(program.procedures.len());
    program[scope].kind = ScopeKind::Procedure(body);
    let dummies = source.dummies.iter().map(|d| map.get(d).copied().unwrap_or(*d)).collect();
    program.procedures.push(Procedure {
        scope,
        dummies,
        parent: ParentUnit::Interface,
        internals: Vec::new(),
        body: Vec::new(),
        problems: Vec::new(),
        header: Vec::new(),
        copy_of: None,
        declared: false,
        ..source
    });
    body
}
