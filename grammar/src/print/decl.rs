//! Declarations, made anew from the symbols of a scope.

mod order;

pub(super) use order::{dependencies, needs_openmp, outer_dependencies};

use std::collections::BTreeSet;

use indexmap::IndexMap;

use super::heading;
use super::interface;
use super::layout::Lines;
use super::names::Cx;
use crate::ir::{
    Base, Binding, Component, DerivedType, Dim, Expr, GenericSpec, Intent, Name, ParentUnit, ProcId, ProcInfo,
    ProcKind, ScopeId, ScopeKind, SymId, Symbol, SymbolKind, Ty, Use, UseItem, Variable,
};

/// What a specification part belongs to: some attributes are implied in one place and written in another.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Place {
    Module,
    Procedure,
    Interface,
    Block,
}

/// The `use` statements of a scope.
pub(super) fn uses(cx: &Cx<'_>, lines: &mut Lines<'_>, scope: ScopeId) {
    for one in &cx.program[scope].uses {
        let outside = lines.set_conditional(one.conditional);
        lines.line(&use_text(cx, one));
        lines.set_conditional(outside);
    }
}

fn use_text(cx: &Cx<'_>, one: &Use) -> String {
    let mut text = cx.kw("use").into_owned();
    if one.intrinsic {
        text.push_str(&format!(", {} ::", cx.kw("intrinsic")));
    }
    text.push_str(&format!(" {}", one.module));
    if one.only {
        text.push_str(&format!(", {}:", cx.kw("only")));
    }
    let item =
        |i: &UseItem| if i.local == i.remote { i.local.to_string() } else { format!("{} => {}", i.local, i.remote) };
    let list = one.items.iter().map(item).collect::<Vec<_>>().join(", ");
    if !list.is_empty() {
        text.push_str(if one.only { " " } else { ", " });
        text.push_str(&list);
    }
    text
}

/// Everything a scope declares itself, each entity after what its declaration uses.
pub(super) fn declarations(cx: &Cx<'_>, lines: &mut Lines<'_>, scope: ScopeId, place: Place) {
    let mut open = None;
    for sym in order::symbols(cx.program, scope) {
        let symbol = &cx.program[sym];
        let wanted = interface_of(cx, symbol, place);
        let kind = wanted.map(|(_, is_abstract)| is_abstract);
        if open != kind {
            interface::close(cx, lines, open);
            interface::open(cx, lines, kind);
            open = kind;
        }
        match wanted {
            Some((body, _)) => interface_body(cx, lines, body),
            None => {
                let outside = lines.set_conditional(needs_openmp(cx.program, sym));
                entity(cx, lines, sym, place);
                lines.set_conditional(outside);
            }
        }
    }
    interface::close(cx, lines, open);
    commons(cx, lines, scope);
    equivalences(cx, lines, scope);
    cx.program[scope].texts.iter().for_each(|text| lines.text(text));
    statement_functions(cx, lines, scope);
}

/// The interface body that declares a procedure, and whether it is abstract.
fn interface_of(cx: &Cx<'_>, symbol: &Symbol, place: Place) -> Option<(ProcId, bool)> {
    let info = symbol.procedure()?;
    let body = info.interface?;
    let procedure = &cx.program[body];
    if procedure.name != symbol.name || info.pointer {
        return None;
    }
    // A separate module procedure has both: its interface stands in the module, its definition in a submodule.
    let own = info.definition.is_some_and(|d| matches!(cx.program[d].parent, ParentUnit::Module(_)));
    if own && place == Place::Module && !procedure.prefix.module {
        return None;
    }
    Some((body, info.is_abstract))
}

/// The declaration of one symbol, if it needs one.
fn entity(cx: &Cx<'_>, lines: &mut Lines<'_>, sym: SymId, place: Place) {
    let symbol = &cx.program[sym];
    match &symbol.kind {
        SymbolKind::Variable(v) => lines.line(&declare(cx, &symbol.name, v, place)),
        SymbolKind::Procedure(info) => procedure(cx, lines, symbol, info),
        SymbolKind::Generic(generic) => generic_interface(cx, lines, symbol, generic),
        SymbolKind::Type(derived) => derived_type(cx, lines, &symbol.name, derived),
        // Construct names and the like are declared by their use.
        SymbolKind::Other(_) => {}
    }
}

/// The declaration of a variable in a procedure: `real(8), intent(in) :: x(n)`.
pub(super) fn variable(cx: &Cx<'_>, name: &Name, v: &Variable) -> String {
    declare(cx, name, v, Place::Procedure)
}

fn declare(cx: &Cx<'_>, name: &Name, v: &Variable, place: Place) -> String {
    let mut text = type_spec(cx, v);
    for attribute in attributes(v, place) {
        text.push_str(", ");
        text.push_str(&cx.kw(attribute));
    }
    text.push_str(&format!(" :: {name}{}", shape(cx, &v.dims)));
    if let Some(init) = &v.init {
        let sign = if v.attrs.pointer { "=>" } else { "=" };
        text.push_str(&format!(" {sign} {}", cx.expr(init)));
    }
    text
}

/// Attributes in their fixed order.
fn attributes(v: &Variable, place: Place) -> Vec<&'static str> {
    let a = &v.attrs;
    // A module's variables and a component are saved, or not, by what they are.
    let save =
        a.save && !a.parameter && place == Place::Procedure && v.common.is_none() && v.dummy.is_none() && !v.result;
    let flags = [
        (a.parameter, "parameter"),
        (a.allocatable, "allocatable"),
        (a.pointer, "pointer"),
        (a.target, "target"),
        (a.optional, "optional"),
        (a.value, "value"),
        (a.contiguous, "contiguous"),
        (save, "save"),
        (a.volatile, "volatile"),
        (a.asynchronous, "asynchronous"),
        (a.protected && place == Place::Module, "protected"),
        (a.bind_c && place == Place::Module, "bind(c)"),
    ];
    let intent = v.intent.map(|i| match i {
        Intent::In => "intent(in)",
        Intent::Out => "intent(out)",
        Intent::InOut => "intent(inout)",
    });
    flags.into_iter().filter(|(on, _)| *on).map(|(_, word)| word).chain(intent).collect()
}

/// The dimensions in parentheses; nothing for a scalar.
fn shape(cx: &Cx<'_>, dims: &[Dim]) -> String {
    if dims.is_empty() {
        return String::new();
    }
    let lower = |lo: &Option<Expr>| lo.as_ref().map_or_else(String::new, |e| format!("{}:", cx.tight(e)));
    let one = |d: &Dim| match d {
        Dim::Explicit(lo, hi) => format!("{}{}", lower(lo), cx.tight(hi)),
        Dim::Assumed(None) | Dim::Deferred => ":".to_string(),
        Dim::Assumed(lo) => lower(lo),
        Dim::AssumedSize(lo) => format!("{}*", lower(lo)),
        Dim::AssumedRank => "..".to_string(),
    };
    format!("({})", dims.iter().map(one).collect::<Vec<_>>().join(", "))
}

/// The type as the user spelt it; extensions that no standard knows (`real*8`) in their standard form.
fn type_spec(cx: &Cx<'_>, v: &Variable) -> String {
    let spelt = v.spelling.trim();
    if spelt.is_empty() {
        return type_text(cx, v.ty);
    }
    let Some((word, length)) = spelt.split_once('*') else {
        return if spelt.eq_ignore_ascii_case("double complex") { "complex(8)".into() } else { spelt.into() };
    };
    let (word, length) = (word.trim_end(), length.trim());
    let bytes = length.parse::<u32>().ok();
    match (word.to_ascii_lowercase().as_str(), bytes) {
        ("real" | "integer" | "logical", Some(n)) => format!("{word}({n})"),
        ("complex", Some(n)) => format!("{word}({})", n / 2),
        ("character", Some(n)) => format!("{word}(len={n})"),
        ("character", None) if length.starts_with('(') && length.ends_with(')') => {
            format!("{word}(len={})", length[1..length.len() - 1].trim())
        }
        _ => spelt.into(),
    }
}

/// A type by its resolved kind, for want of a spelling.
pub(super) fn type_text(cx: &Cx<'_>, ty: Ty) -> String {
    let intrinsic = |word: &'static str| {
        let default = if matches!(ty.base, Base::Real | Base::Complex) { cx.program.default_real().kind } else { 4 };
        let word = cx.kw(word);
        if ty.kind == default || ty.kind == 0 { word.into_owned() } else { format!("{word}({})", ty.kind) }
    };
    match ty.base {
        Base::Integer => intrinsic("integer"),
        Base::Real => intrinsic("real"),
        Base::Complex => intrinsic("complex"),
        Base::Logical => intrinsic("logical"),
        Base::Character => format!("{}(len=*)", cx.kw("character")),
        Base::Derived(t) => format!("{}({})", cx.kw("type"), cx.name(t)),
        Base::Class(t) => format!("{}({})", cx.kw("class"), cx.name(t)),
        Base::Unlimited => format!("{}(*)", cx.kw("class")),
        Base::None => String::new(),
    }
}

/// A procedure without an interface body of its own here: external, dummy, pointer or intrinsic.
fn procedure(cx: &Cx<'_>, lines: &mut Lines<'_>, symbol: &Symbol, info: &ProcInfo) {
    let name = &symbol.name;
    if let Some((_, expr)) = &info.statement_function {
        // Its statement follows all declarations; here stands its type.
        return lines.line(&format!("{} :: {name}", type_text(cx, info.ty.unwrap_or(expr.ty))));
    }
    if info.intrinsic.is_some() {
        return lines.line(&format!("{} :: {name}", cx.kw("intrinsic")));
    }
    let pointer = if info.pointer { format!(", {}", cx.kw("pointer")) } else { String::new() };
    if let Some(body) = info.interface {
        return lines.line(&format!("{}({}){pointer} :: {name}", cx.kw("procedure"), cx.program[body].name));
    }
    let ty = info.ty.or_else(|| result_type(cx, info)).map(|t| type_text(cx, t)).unwrap_or_default();
    if info.pointer {
        return lines.line(&format!("{}({ty}){pointer} :: {name}", cx.kw("procedure")));
    }
    let elsewhere = info.definition.is_none_or(|d| matches!(cx.program[d].parent, ParentUnit::File(_)));
    let itself = info.definition.is_some_and(|d| Some(cx.program[d].scope) == cx.scope);
    if !elsewhere || itself {
        return;
    }
    let external = cx.kw("external");
    if ty.is_empty() {
        lines.line(&format!("{external} :: {name}"))
    } else {
        lines.line(&format!("{ty}, {external} :: {name}"))
    }
}

fn result_type(cx: &Cx<'_>, info: &ProcInfo) -> Option<Ty> {
    match cx.program[info.definition?].kind {
        ProcKind::Function(result) => cx.program.var(result).map(|v| v.ty),
        ProcKind::Subroutine | ProcKind::Program => None,
    }
}

/// `interface g`, `interface operator(+)`, ... with its specifics.
fn generic_interface(cx: &Cx<'_>, lines: &mut Lines<'_>, symbol: &Symbol, generic: &GenericSpec) {
    let specifics: Vec<SymId> =
        generic.specifics.iter().copied().filter(|&s| !from_used_generic(cx, symbol, s)).collect();
    if specifics.is_empty() {
        return;
    }
    // A specific that bears its generic's name has no name of its own in the scope: its interface stands in here.
    let (nameless, specifics): (Vec<SymId>, Vec<SymId>) = specifics.into_iter().partition(|&s| {
        cx.program[s].scope == symbol.scope && cx.program[s].name == symbol.name && own_body(cx, s).is_some()
    });
    let bodies: Vec<ProcId> = nameless.iter().filter_map(|&s| own_body(cx, s)).collect();
    let name = generic_name(&symbol.name, generic);
    let in_module = |s: &SymId| {
        let definition = cx.program[*s].procedure().and_then(|p| p.definition);
        definition.is_some_and(|d| matches!(cx.program[d].parent, ParentUnit::Module(_)))
    };
    let word = if specifics.iter().all(in_module) { "module procedure" } else { "procedure" };
    let gap = if word == "procedure" { " ::" } else { "" };
    let list = specifics.iter().map(|&s| cx.name(s).to_string()).collect::<Vec<_>>().join(", ");
    lines.line(&format!("{} {name}", cx.kw("interface")));
    lines.indent();
    bodies.iter().for_each(|&body| interface_body(cx, lines, body));
    if !list.is_empty() {
        lines.line(&format!("{}{gap} {list}", cx.kw(word)));
    }
    lines.dedent();
    lines.line(&format!("{} {name}", cx.end_unit("interface")));
}

/// An interface body: a procedure's first statement and the declarations of its dummies. What it takes from its host is imported by name.
fn interface_body(cx: &Cx<'_>, lines: &mut Lines<'_>, id: ProcId) {
    let procedure = &cx.program[id];
    let inner = cx.within(procedure.scope);
    lines.line(&heading::heading(&inner, id));
    lines.indent();
    uses(&inner, lines, procedure.scope);
    let imports = imports(cx, id);
    // A separate module procedure's interface sees its host by itself.
    if !imports.is_empty() && !procedure.prefix.module {
        let list = imports.iter().map(|&s| cx.name(s).to_string()).collect::<Vec<_>>().join(", ");
        lines.line(&format!("{} :: {list}", cx.kw("import")));
    }
    if !procedure.prefix.module {
        lines.line(&cx.kw("implicit none"));
    }
    declarations(&inner, lines, procedure.scope, Place::Interface);
    lines.dedent();
    lines.line(&heading::ending(cx, id));
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

/// The interface body of an external procedure.
fn own_body(cx: &Cx<'_>, sym: SymId) -> Option<ProcId> {
    let info = cx.program[sym].procedure()?;
    info.interface.filter(|&body| cx.program[body].name == cx.program[sym].name && !cx.program[body].prefix.module)
}

/// The generic as it is written after `interface`.
pub(super) fn generic_name(name: &Name, generic: &GenericSpec) -> String {
    match generic.operator.as_deref().map(str::trim) {
        None => name.to_string(),
        Some("=") => "assignment(=)".to_string(),
        Some(op) if op.contains('(') => op.to_string(),
        Some(op) => format!("operator({op})"),
    }
}

/// True for a specific that the generic has from a module that is used here: it isn't to be named again.
fn from_used_generic(cx: &Cx<'_>, symbol: &Symbol, specific: SymId) -> bool {
    cx.program[symbol.scope].uses.iter().any(|u| {
        let module = cx.program.module_names.get(&u.module).map(|&m| cx.program[m].scope);
        let other = module.and_then(|scope| cx.program[scope].names.get(&symbol.name));
        other.is_some_and(|&o| match &cx.program[o].kind {
            SymbolKind::Generic(g) => g.specifics.contains(&specific),
            SymbolKind::Variable(_) | SymbolKind::Procedure(_) | SymbolKind::Type(_) | SymbolKind::Other(_) => false,
        })
    })
}

pub(super) fn derived_type(cx: &Cx<'_>, lines: &mut Lines<'_>, name: &Name, derived: &DerivedType) {
    let mut head = cx.kw("type").into_owned();
    if derived.bindings.iter().any(|b| b.deferred) {
        head.push_str(&format!(", {}", cx.kw("abstract")));
    }
    if let Some(parent) = derived.extends {
        head.push_str(&format!(", {}({})", cx.kw("extends"), cx.name(parent)));
    }
    lines.line(&format!("{head} :: {name}"));
    lines.indent();
    if derived.sequence {
        lines.line(&cx.kw("sequence"));
    }
    if derived.private_components {
        lines.line(&cx.kw("private"));
    }
    for Component { name, var, procedure } in &derived.components {
        let line = declare(cx, name, var, Place::Block);
        lines.line(&match procedure.as_deref().map(|b| passing(cx, b)) {
            Some(words) => line.replacen(" ::", &format!("{words} ::"), 1),
            None => line,
        });
    }
    lines.dedent();
    if !derived.bindings.is_empty() {
        lines.line(&cx.kw("contains"));
        lines.indent();
        derived.bindings.iter().for_each(|b| lines.line(&binding(cx, b)));
        lines.dedent();
    }
    lines.line(&format!("{} {name}", cx.end_unit("type")));
}

/// How a procedure takes the object that it is called through, where that isn't the rule.
fn passing(cx: &Cx<'_>, b: &Binding) -> String {
    match &b.pass {
        _ if b.nopass => format!(", {}", cx.kw("nopass")),
        Some(dummy) => format!(", {}({dummy})", cx.kw("pass")),
        None => String::new(),
    }
}

fn binding(cx: &Cx<'_>, b: &Binding) -> String {
    let targets = b.targets.iter().map(|t| t.to_string()).collect::<Vec<_>>().join(", ");
    if b.generic {
        return format!("{} :: {} => {targets}", cx.kw("generic"), b.name);
    }
    let mut head = cx.kw("procedure").into_owned();
    if b.deferred {
        head.push_str(&format!("({targets})"));
    }
    head.push_str(&passing(cx, b));
    if b.deferred {
        head.push_str(&format!(", {}", cx.kw("deferred")));
    }
    let renamed = !b.deferred && b.targets.iter().any(|t| *t != b.name);
    if renamed { format!("{head} :: {} => {targets}", b.name) } else { format!("{head} :: {}", b.name) }
}

/// `common` statements in the order of storage that the scope keeps; variables that it doesn't list follow in their order.
fn commons(cx: &Cx<'_>, lines: &mut Lines<'_>, scope: ScopeId) {
    let mut blocks: IndexMap<Name, Vec<SymId>> = IndexMap::new();
    for (name, members) in &cx.program[scope].commons {
        blocks.entry(name.clone()).or_default().extend(members);
    }
    for &sym in cx.program[scope].names.values().filter(|&&sym| cx.program[sym].scope == scope) {
        if let Some(name) = cx.program.var(sym).and_then(|v| v.common.clone()) {
            let members = blocks.entry(name).or_default();
            if !members.contains(&sym) {
                members.push(sym);
            }
        }
    }
    for (name, members) in blocks {
        let list = members.iter().map(|&s| cx.program[s].name.to_string()).collect::<Vec<_>>().join(", ");
        let block = if name.is_empty() { String::new() } else { format!("/{name}/ ") };
        lines.line(&format!("{} {block}{list}", cx.kw("common")));
        if cx.program.thread_blocks.contains(&name) {
            lines.text(&format!("!$omp threadprivate(/{name}/)"));
        }
    }
}

/// `equivalence` statements, one for each set.
pub(super) fn equivalences(cx: &Cx<'_>, lines: &mut Lines<'_>, scope: ScopeId) {
    for set in &cx.program[scope].equivalences {
        let list = set.iter().map(|e| cx.expr(e)).collect::<Vec<_>>().join(", ");
        lines.line(&format!("{} ({list})", cx.kw("equivalence")));
    }
}

/// Statement functions, which follow all other declarations.
fn statement_functions(cx: &Cx<'_>, lines: &mut Lines<'_>, scope: ScopeId) {
    let mut declared = BTreeSet::new();
    for &sym in cx.program[scope].names.values().filter(|&&s| cx.program[s].scope == scope) {
        if let Some((dummies, value)) = cx.program[sym].procedure().and_then(|p| p.statement_function.as_ref()) {
            let list = dummies.iter().map(|&d| cx.program[d].name.to_string()).collect::<Vec<_>>().join(", ");
            // Their types come from the host, which may have left them to its implicit rules.
            for &d in dummies.iter().filter(|&&d| !cx.program[scope].names.contains_key(&cx.program[d].name)) {
                if declared.insert(cx.program[d].name.clone()) {
                    entity(cx, lines, d, Place::Procedure);
                }
            }
            let inner = dummies.first().map_or(*cx, |&d| cx.within(cx.program[d].scope));
            lines.line(&format!("{}({list}) = {}", cx.program[sym].name, inner.expr(value)));
        }
    }
}
