//! Interface blocks: an interface body repeats a procedure's first statement and the declarations of its dummies.

use std::collections::BTreeSet;

use super::decl::{self, Place, outer_dependencies};
use super::layout::Lines;
use super::names::Cx;
use super::unit;
use crate::ir::{ProcId, ScopeId, ScopeKind, SymId};

/// Opens an interface block: `None` for nothing to open, else whether it is abstract.
pub(super) fn open(cx: &Cx<'_>, lines: &mut Lines<'_>, kind: Option<bool>) {
    if let Some(is_abstract) = kind {
        lines.line(&cx.kw(if is_abstract { "abstract interface" } else { "interface" }));
        lines.indent();
    }
}

/// Closes what [`open`] opened.
pub(super) fn close(cx: &Cx<'_>, lines: &mut Lines<'_>, kind: Option<bool>) {
    if kind.is_some() {
        lines.dedent();
        lines.line(&cx.end_unit("interface"));
    }
}

/// An interface body. What it takes from its host is imported by name.
pub(super) fn body(cx: &Cx<'_>, lines: &mut Lines<'_>, id: ProcId) {
    let procedure = &cx.program[id];
    let inner = cx.within(procedure.scope);
    lines.line(&unit::heading(&inner, id));
    lines.indent();
    decl::uses(&inner, lines, procedure.scope);
    let imports = imports(cx, id);
    // A separate module procedure's interface sees its host by itself.
    if !imports.is_empty() && !procedure.prefix.module {
        let list = imports.iter().map(|&s| cx.name(s).to_string()).collect::<Vec<_>>().join(", ");
        lines.line(&format!("{} :: {list}", cx.kw("import")));
    }
    if !procedure.prefix.module {
        lines.line(&cx.kw("implicit none"));
    }
    decl::declarations(&inner, lines, procedure.scope, Place::Interface);
    lines.dedent();
    lines.line(&unit::ending(cx, id));
}

/// Symbols of the host that the declarations of an interface body use.
fn imports(cx: &Cx<'_>, id: ProcId) -> Vec<SymId> {
    let scope = cx.program[id].scope;
    let mut seen = BTreeSet::new();
    let mut out = Vec::new();
    for &inner in cx.program[scope].names.values() {
        for sym in outer_dependencies(cx.program, scope, inner) {
            let global = cx.program[cx.program[sym].scope].kind == ScopeKind::Global;
            if !global && !from_use(cx, scope, sym) && seen.insert(sym) {
                out.push(sym);
            }
        }
    }
    out
}

/// True when a scope's own `use` statements bring a symbol.
fn from_use(cx: &Cx<'_>, scope: ScopeId, sym: SymId) -> bool {
    cx.program[scope].uses.iter().any(|u| {
        let Some(&module) = cx.program.module_names.get(&u.module) else { return false };
        let names = &cx.program[cx.program[module].scope].names;
        let listed = u.items.iter().any(|i| names.get(&i.remote) == Some(&sym));
        listed || (!u.only && names.values().any(|&s| s == sym))
    })
}
