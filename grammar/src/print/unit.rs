//! Modules and procedures.

use super::Style;
use super::decl::{self, Place};
use super::heading::{ending, heading};
use super::layout::Lines;
use super::names::Cx;
use crate::ir::{ModuleId, ModuleKind, Name, ParentUnit, ProcId, Program, SymId, SymbolKind};

/// A module with its procedures; every line ends in a newline.
pub fn module(program: &Program, id: ModuleId, style: &Style) -> String {
    let module = &program[id];
    let cx = Cx::new(program, Some(module.scope), style);
    let mut lines = Lines::new(style, 0);
    header(&mut lines, &module.header);
    let word = match &module.kind {
        ModuleKind::Module | ModuleKind::Intrinsic | ModuleKind::Common { .. } => {
            lines.line(&format!("{} {}", cx.kw("module"), module.name));
            "module"
        }
        ModuleKind::Submodule { ancestor, parent } => {
            let of = parent.as_ref().map_or_else(|| ancestor.to_string(), |p| format!("{ancestor}:{p}"));
            lines.line(&format!("{} ({of}) {}", cx.kw("submodule"), module.name));
            "submodule"
        }
    };
    lines.indent();
    decl::uses(&cx, &mut lines, module.scope);
    lines.line(&cx.kw("implicit none"));
    if module.kind == ModuleKind::Module {
        access(&cx, &mut lines, id);
    }
    decl::declarations(&cx, &mut lines, module.scope, Place::Module);
    lines.dedent();
    contained(&cx, &mut lines, &module.procedures);
    lines.line(&format!("{} {}", cx.end_unit(word), module.name));
    lines.finish()
}

/// A procedure or main program that stands alone; every line ends in a newline.
pub fn procedure(program: &Program, id: ProcId, style: &Style) -> String {
    procedure_at(program, id, style, 0)
}

/// A procedure at indentation level `level`, to be put into a user's module.
pub fn procedure_at(program: &Program, id: ProcId, style: &Style, level: usize) -> String {
    let cx = Cx::new(program, Some(program[id].scope), style);
    let mut lines = Lines::new(style, level);
    write(&cx, &mut lines, id);
    lines.finish()
}

/// `contains` and the procedures after it.
fn contained(cx: &Cx<'_>, lines: &mut Lines<'_>, procedures: &[ProcId]) {
    if procedures.is_empty() {
        return;
    }
    lines.blank();
    lines.line(&cx.kw("contains"));
    lines.indent();
    for &id in procedures {
        lines.blank();
        write(&cx.within(cx.program[id].scope), lines, id);
    }
    lines.dedent();
    lines.blank();
}

fn write(cx: &Cx<'_>, lines: &mut Lines<'_>, id: ProcId) {
    let procedure = &cx.program[id];
    lines.line(&heading(cx, id));
    lines.indent();
    header(lines, &procedure.header);
    decl::uses(cx, lines, procedure.scope);
    // Module and internal procedures have it from their host.
    if !matches!(procedure.parent, ParentUnit::Module(_) | ParentUnit::Procedure(_)) {
        lines.line(&cx.kw("implicit none"));
    }
    let before = lines.mark();
    decl::declarations(cx, lines, procedure.scope, Place::Procedure);
    if lines.mark() > before && !procedure.body.is_empty() {
        lines.blank();
    }
    super::stmt::block(cx, lines, &procedure.body);
    lines.dedent();
    contained(cx, lines, &procedure.internals);
    lines.line(&ending(cx, id));
}

fn header(lines: &mut Lines<'_>, header: &[String]) {
    header.iter().for_each(|text| lines.remark(text));
}

/// `private` and `public` statements of a module: the default, and a list of those that differ.
fn access(cx: &Cx<'_>, lines: &mut Lines<'_>, id: ModuleId) {
    let module = &cx.program[id];
    let (default, other) = if module.default_private { ("private", "public") } else { ("public", "private") };
    if module.default_private {
        lines.line(&cx.kw(default));
    }
    let differs =
        |sym: &SymId| cx.program[*sym].scope == module.scope && cx.program[*sym].private != module.default_private;
    let own = cx.program[module.scope].names.values().copied().filter(differs).filter_map(|s| shown(cx, s));
    let names: Vec<String> = own.chain(module.passed_on.iter().map(Name::to_string)).collect();
    if !names.is_empty() {
        lines.line(&format!("{} :: {}", cx.kw(other), names.join(", ")));
    }
}

/// A symbol as an access statement names it.
fn shown(cx: &Cx<'_>, sym: SymId) -> Option<String> {
    let symbol = &cx.program[sym];
    match &symbol.kind {
        SymbolKind::Generic(generic) => Some(decl::generic_name(&symbol.name, generic)),
        SymbolKind::Variable(_) | SymbolKind::Procedure(_) | SymbolKind::Type(_) => Some(symbol.name.to_string()),
        SymbolKind::Other(_) => None,
    }
}
