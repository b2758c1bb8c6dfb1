//! Interface blocks for generated external procedures that can't be called without one (15.4.2.2 of the 2023 standard).

use std::collections::{BTreeMap, BTreeSet};

use costate_grammar::ir::{
    Base, Callee, Dim, Name, ParentUnit, ProcId, Program, StmtKind, SymId, SymbolKind, Variable, for_each_stmt,
};

use super::body::body_of;
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
            let source = program[callee].clone();
            let body = body_of(program, &source);
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
