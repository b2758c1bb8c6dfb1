//! What keeps values and derivatives of a variable, or calls, from being followed: the reasons of refusals.

use std::collections::BTreeSet;

use costate_analysis::effects::{Effects, calls};
use costate_analysis::storage::layout::{Association, associations};
use costate_analysis::storage::{Loc, LocId, LocSet, Locs, all_components, extensions, resolve};
use costate_grammar::diag::{Code, Diagnostic};
use costate_grammar::ir::{
    Base, Callee, Designator, Expr, ExprKind, Intent, Part, ProcId, ProcKind, Program, Stmt, StmtKind, SymId,
    SymbolKind, Variable, for_each_expr, for_each_stmt,
};
use costate_grammar::source::Span;

use crate::common;

/// True for statements that are kept as text and may jump, or be jumped to.
pub(crate) fn jumps_unseen(body: &[Stmt]) -> bool {
    let mut found = false;
    for_each_stmt(body, &mut |s| {
        if let StmtKind::Unsupported { what, body, .. } = &s.kind {
            found |= body.is_empty() && !matches!(what.as_str(), "format" | "directive");
        }
    });
    found
}

/// True for an allocation that gives values too, which normal form makes assignments of where it knows the type.
pub(crate) fn takes_values(stmt: &Stmt) -> bool {
    matches!(&stmt.kind, StmtKind::Allocate { options, .. } if options.iter().any(|o| o.0.as_str() == "source"))
}

/// Why such an allocation of what carries derivatives is refused, and the way out.
pub(crate) const VALUES: (&str, &str) = (
    "it allocates an object of a class with the values of another one, and which components carry derivatives isn't known",
    "declare the object with type(...) instead of class(...)",
);

/// Refusals of calls through an object: which procedure they reach depends on its dynamic type, or on its component.
pub(crate) fn bound_calls(program: &Program, body: &[Stmt]) -> Vec<Diagnostic> {
    let mut calls = Vec::new();
    for_each_stmt(body, &mut |s| {
        if let StmtKind::Call { callee: callee @ Callee::Bound { .. }, .. } = &s.kind {
            calls.push((callee.clone(), s.origin.span()));
        }
        for e in s.exprs() {
            for_each_expr(e, &mut |x| {
                if let ExprKind::Call { callee: callee @ Callee::Bound { .. }, .. } = &x.kind {
                    calls.push((callee.clone(), s.origin.span()));
                }
            });
        }
    });
    let refuse = |(callee, span): (Callee, Span)| {
        let (what, why) = match is_procedure_component(program, &callee) {
            true => ("procedure pointer component", "which procedure runs depends on what the component points to"),
            false => ("type-bound procedure", "which procedure runs depends on the object's dynamic type"),
        };
        Diagnostic::error(Code::UnsupportedCall, span, format!("a {what} is called in differentiated code"))
            .reason(why)
            .help("call the procedure by its own name")
    };
    calls.into_iter().map(refuse).collect()
}

/// True for a call through a component that points to a procedure, which no binding of the object's type is.
pub(crate) fn is_procedure_component(program: &Program, callee: &Callee) -> bool {
    let Callee::Bound { object, binding, .. } = callee else { return false };
    object.ty.derived().is_some_and(|t| program.binding(t, &binding.name).is_none())
}

/// What keeps the values of a variable from being followed, active or not, and the way out.
pub(crate) fn untraceable(
    program: &Program,
    effects: &mut Effects,
    proc: ProcId,
    sym: SymId,
) -> Option<(&'static str, &'static str)> {
    let v = program.var(sym)?.clone();
    let mut leaves = effects.locs.leaves(program, sym, &[]);
    leaves.extend(effects.locs.association(program, sym, &[]));
    let own = program[sym].scope == program[proc].scope;
    if polymorphic(&v) {
        return Some(("it is polymorphic", "declare it with type(...) instead of class(...)"));
    }
    let body = effects.bodies.get(&proc).map_or(&[][..], |b| b.as_slice());
    if starts_with_target(program, body, sym, &v) {
        return Some((
            "it has a pointer component with a target by default, which its derivative would have too",
            "initialise the component with null(), and associate it by a statement",
        ));
    }
    if let Some(found) = unknown_storage(program, &v, sym) {
        return Some(found);
    }
    kept(program, effects, (proc, sym), &v, &leaves, own)
}

/// What isn't understood in the declaration of another module's variable, or in that of its type.
pub(crate) fn misread(program: &Program, sym: SymId) -> Vec<Diagnostic> {
    let (mut queue, mut seen, mut out) = (vec![sym], BTreeSet::new(), Vec::new());
    while let Some(s) = queue.pop().filter(|s| seen.insert(*s)) {
        out.extend(program.misread.get(&s).into_iter().flatten().cloned());
        queue.extend(program.var(s).and_then(|v| v.ty.derived()));
        if matches!(program[s].kind, SymbolKind::Type(_)) {
            queue.extend(all_components(program, s).iter().filter_map(|c| c.var.ty.derived()));
        }
    }
    out
}

/// The same refusal where the storage of a variable isn't known because modules are missing.
pub(crate) fn for_want_of_modules(program: &Program, sym: SymId, d: Diagnostic) -> Diagnostic {
    let unknown = program.var(sym).is_some_and(|v| unknown_storage(program, v, sym).is_some());
    let missing = if unknown { program.missing_modules(program[sym].scope) } else { Vec::new() };
    if missing.is_empty() {
        return d;
    }
    let names: Vec<String> = missing.into_iter().map(|m| format!("`{m}`")).collect();
    let (what, help) = match names.as_slice() {
        [one] => (format!("the module {one} isn't among the files"), "give the file that holds the module"),
        several => (format!("the modules {} aren't among the files", several.join(", ")), "give their files"),
    };
    d.reason(format!("{what}, and sizes or types in this declaration may come from there")).help(help)
}

/// What keeps the storage of a variable in `common` or `equivalence` from being followed, and the way out.
fn unknown_storage(program: &Program, v: &Variable, sym: SymId) -> Option<(&'static str, &'static str)> {
    if v.common.is_some() && common::block_of(program, sym).is_none() {
        return Some((
            "the layout of its common block isn't known or isn't the same in all procedures",
            "give the block variables of intrinsic type and constant shape, or make it a module variable",
        ));
    }
    let unknown = v.equivalenced && !association(program, sym).is_some_and(|a| a.exact);
    unknown.then_some((
        "it shares memory by equivalence, and where isn't known",
        "give the variables of the equivalence intrinsic types and constant shapes, or use separate variables",
    ))
}

fn association(program: &Program, sym: SymId) -> Option<Association> {
    let all = associations(program, program[sym].scope);
    all.into_iter().find(|a| a.members.iter().any(|m| m.sym == sym))
}

fn carries_derivatives(program: &Program, sym: SymId) -> bool {
    association(program, sym).is_some_and(|a| a.carries_derivatives(program, sym))
}

/// A saved local variable that is changed and seen again in a later call: an adjoint that runs the procedure again would
/// need its old value, which nothing outside can reach. What only steers messages may be a variable of the generated
/// procedure's own.
fn kept(
    program: &Program,
    effects: &Effects,
    (proc, sym): (ProcId, SymId),
    v: &Variable,
    leaves: &[LocId],
    own: bool,
) -> Option<(&'static str, &'static str)> {
    let saved = own && v.attrs.save && !v.attrs.parameter && v.dummy.is_none();
    let main = program[proc].kind == ProcKind::Program;
    let summary = effects.summaries.get(&proc)?;
    // What a recursive call leaves is seen behind it.
    let seen = |l: &LocId| summary.access.reads.contains(l) || is_recursive(program, effects, proc);
    let changed = saved && leaves.iter().any(|l| summary.access.writes.contains(l) && seen(l));
    let own_messages = || {
        effects
            .bodies
            .get(&proc)
            .is_some_and(|b| costate_analysis::effects::steers_messages_only(program, proc, b).contains(&sym))
    };
    (!main && changed && !own_messages()).then_some((
        "it keeps its value from call to call",
        "use `--layout extend`, which makes it a variable of a module where its declaration allows that, or make it a \
             module variable or an argument yourself",
    ))
}

/// True for a procedure that calls itself, directly or not.
fn is_recursive(program: &Program, effects: &Effects, proc: ProcId) -> bool {
    let body = effects.bodies.get(&proc).map_or(&[][..], |b| b.as_slice());
    calls(program, body).into_iter().any(|p| effects.reached(program, p).contains(&proc))
}

/// Whether a variable's type is found out at run time only. A dummy argument of a class has the components of its declared
/// type, and keeps the type that it comes with; an allocatable or a pointer takes the type of what it is given.
fn polymorphic(v: &Variable) -> bool {
    match v.ty.base {
        Base::Unlimited => true,
        Base::Class(_) => v.dummy.is_none() || v.attrs.allocatable || v.attrs.pointer,
        _ => false,
    }
}

/// What keeps the derivative of a variable from being followed, and the way out.
pub(crate) fn obstacle(program: &Program, v: &Variable, sym: SymId) -> Option<(&'static str, &'static str)> {
    if let Some(found) = unknown_storage(program, v, sym) {
        Some(found)
    } else if v.equivalenced && !carries_derivatives(program, sym) {
        Some(("it shares memory with a variable of another type", "use separate variables"))
    } else if polymorphic(v) {
        Some(("it is polymorphic", "declare it with type(...) instead of class(...)"))
    } else {
        None
    }
}

/// What keeps the derivative of a head's output from being reset as the output is, and the way out. An object of a class
/// comes with components that derivative code doesn't see: their memory can be freed, but default values aren't zero.
pub(crate) fn unseen_defaults(program: &Program, v: &Variable) -> Option<(&'static str, &'static str)> {
    let (Base::Class(ty), Some(Intent::Out)) = (v.ty.base, v.intent) else { return None };
    let known = all_components(program, ty).len();
    let given = |t: SymId| all_components(program, t).into_iter().skip(known).any(|c| has_default(program, &c.var, 0));
    extensions(program, ty).into_iter().any(given).then_some((
        "it is an output of a class, which a type extends whose components have default values",
        "make it intent(inout), or declare it with type(...) instead of class(...)",
    ))
}

/// True for a component that has a value or target by default that matters for derivatives.
fn has_default(program: &Program, v: &Variable, depth: u8) -> bool {
    let matters = v.ty.is_continuous() || v.ty.derived().is_some();
    let inside = |ty: SymId| all_components(program, ty).into_iter().any(|c| has_default(program, &c.var, depth + 1));
    match &v.init {
        Some(init) => matters && !init.is_null(),
        None => !v.attrs.pointer && !v.attrs.allocatable && depth < 8 && v.ty.derived().is_some_and(inside),
    }
}

/// The variables with derivatives in allocatable components; with `outputs`, those that come without memory, too.
pub(crate) fn with_memory(program: &Program, locs: &Locs, storage: &LocSet, outputs: bool) -> BTreeSet<SymId> {
    let fresh = |sym: SymId| program.var(sym).is_some_and(|v| v.intent == Some(Intent::Out));
    let allocated = |l: &&Loc| {
        (1..=l.path.len()).any(|n| resolve(program, l.sym, &l.path[..n]).is_some_and(|v| v.attrs.allocatable))
    };
    let found = storage.iter().map(|l| locs.get(*l)).filter(allocated).map(|l| l.sym);
    found.filter(|sym| outputs || !fresh(*sym)).collect()
}

/// Pointer components of a variable that real values are read through from the start, where its derivative would have the
/// same targets: neither are they associated by a statement of normal form, nor does an actual argument bring them.
fn starts_with_target(program: &Program, body: &[Stmt], sym: SymId, v: &Variable) -> bool {
    let whole = Designator { sym, parts: Vec::new() };
    let brought = v.dummy.is_some() && v.intent != Some(Intent::Out);
    has_target(program, v, &whole, &|at, init| {
        let states = |s: &Stmt| match &s.kind {
            StmtKind::PointerAssign { lhs, rhs } => lhs.as_var() == Some(at) && rhs == init,
            _ => false,
        };
        brought || body.iter().any(states)
    })
}

fn has_target(program: &Program, v: &Variable, whole: &Designator, known: &dyn Fn(&Designator, &Expr) -> bool) -> bool {
    let Some(ty) = v.ty.derived().filter(|_| whole.parts.len() < 8) else { return false };
    all_components(program, ty).iter().any(|c| {
        let mut part = whole.clone();
        part.parts.push(Part::Component(c.name.clone()));
        let values = c.var.ty.is_continuous() || c.var.ty.derived().is_some();
        match &c.var.init {
            _ if !c.var.attrs.pointer => {
                // Memory that comes later has its targets from its allocation.
                let later = c.var.attrs.allocatable;
                has_target(program, &c.var, &part, &|at, init| !later && known(at, init))
            }
            Some(init) => values && !init.is_null() && !known(&part, init),
            None => false,
        }
    })
}
