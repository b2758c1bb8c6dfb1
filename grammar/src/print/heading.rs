//! First and last statements of procedures.

use super::names::Cx;
use crate::ir::{ProcId, ProcKind};

/// The first statement: `pure function f(x) result(y)`.
pub(super) fn heading(cx: &Cx<'_>, id: ProcId) -> String {
    let procedure = &cx.program[id];
    let p = procedure.prefix;
    let prefixes = [
        (p.module, "module "),
        (p.impure, "impure "),
        (p.pure_, "pure "),
        (p.elemental, "elemental "),
        (p.recursive, "recursive "),
    ];
    let mut text = String::new();
    prefixes.into_iter().filter(|(on, _)| *on).for_each(|(_, word)| text.push_str(&cx.kw(word)));
    text.push_str(&format!("{} {}", cx.kw(word(procedure.kind)), procedure.name));
    if procedure.kind != ProcKind::Program {
        let list = procedure.dummies.iter().map(|&d| cx.program[d].name.to_string()).collect::<Vec<_>>();
        text.push_str(&format!("({})", list.join(", ")));
    }
    if let Some(bind) = &procedure.bind {
        text.push_str(&format!(" {}({bind})", cx.kw("bind")));
    }
    if let ProcKind::Function(result) = procedure.kind {
        let name = &cx.program[result].name;
        if *name != procedure.name {
            text.push_str(&format!(" {}({name})", cx.kw("result")));
        }
    }
    text
}

/// The last statement: `end function f`.
pub(super) fn ending(cx: &Cx<'_>, id: ProcId) -> String {
    let procedure = &cx.program[id];
    format!("{} {}", cx.end_unit(word(procedure.kind)), procedure.name)
}

fn word(kind: ProcKind) -> &'static str {
    match kind {
        ProcKind::Subroutine => "subroutine",
        ProcKind::Function(_) => "function",
        ProcKind::Program => "program",
    }
}
