//! Interface bodies.

use costate_grammar::ir::{Handle, ParentUnit, ProcId, ProcKind, Procedure, Program, ScopeKind, SymId};

use crate::remap::{self, SymMap};

/// The interface body of a procedure: its dummies, its result, and what their declarations mention.
pub(crate) fn body_of(program: &mut Program, source: &Procedure) -> ProcId {
    let scope = program.add_scope(None, ScopeKind::Inner);
    let dummies = source.dummies.iter().copied();
    let result = match source.kind {
        ProcKind::Function(r) => Some(r),
        ProcKind::Subroutine | ProcKind::Program => None,
    };
    let dummies = result.into_iter().chain(dummies).collect();
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
    let kind = result.map_or(source.kind, |r| ProcKind::Function(map.get(&r).copied().unwrap_or(r)));
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
        kind,
        ..source.clone()
    });
    body
}
