//! Calls that give one variable to two dummies, of which the callee assigns one. Fortran forbids that (15.5.2.14 of the 2023
//! standard), and codes contain it all the same: `call step(state, state, work)`. In a copy of the procedure the two are one
//! dummy. Only what surely means the same is copied; other calls stay, and are refused.

use std::collections::BTreeMap;

use costate_analysis::normal::reads_before_writes;
use costate_analysis::storage::resolve;
use costate_grammar::ir::{
    Base, Dim, Expr, ExprKind, Given, Intent, Part, ProcId, Program, StmtKind, Subscript, SymId, for_each_expr,
    for_each_stmt,
};

use crate::remap;

/// The dummies that stand for the variable of an earlier one, given the actual arguments by position.
pub(super) fn given(program: &Program, proc: ProcId, actuals: &[Option<&Expr>]) -> Vec<(usize, Given)> {
    let mut out: Vec<(usize, Given)> = Vec::new();
    let mut groups: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
    for (at, actual) in actuals.iter().enumerate() {
        let Some(actual) = actual.filter(|a| is_fixed(a)) else { continue };
        let Some(first) = (0..at).find(|k| actuals[*k] == Some(actual)) else { continue };
        groups.entry(first).or_insert_with(|| vec![first]).push(at);
    }
    for (first, group) in groups {
        if group.iter().any(|at| changes(program, proc, *at)) && may_be_one(program, proc, &group, actuals[first]) {
            out.extend(group[1..].iter().map(|at| (*at, Given::Same(first))));
        }
    }
    out
}

/// True for a variable whose place is known without calls of functions.
fn is_fixed(actual: &Expr) -> bool {
    let mut called = false;
    for_each_expr(actual, &mut |e| called |= matches!(e.kind, ExprKind::Call { .. }));
    matches!(actual.kind, ExprKind::Var(_)) && !called
}

/// True for a dummy that its procedure may change.
fn changes(program: &Program, proc: ProcId, at: usize) -> bool {
    let dummy = program[proc].dummies[at];
    program.var(dummy).is_some_and(|v| v.intent != Some(Intent::In))
}

/// True where dummies can be one variable, and the order in which the procedure reads and assigns it is certain.
fn may_be_one(program: &Program, proc: ProcId, group: &[usize], actual: Option<&Expr>) -> bool {
    let dummies: Vec<SymId> = group.iter().map(|at| program[proc].dummies[*at]).collect();
    let alike = dummies[1..].iter().all(|d| are_alike(program, dummies[0], *d));
    let body = &program[proc].body;
    alike
        && actual.is_some_and(|a| passed_as_it_is(program, a, dummies[0]))
        && !named_together(program, proc, &dummies)
        && dummies.iter().all(|a| dummies.iter().all(|b| a == b || reads_before_writes(program, body, *a, *b)))
}

/// True for dummies that are declared alike, intents apart.
fn are_alike(program: &Program, a: SymId, b: SymId) -> bool {
    let (Some(v), Some(w)) = (program.var(a), program.var(b)) else { return false };
    let odd = v.attrs.pointer
        || v.attrs.allocatable
        || v.attrs.target
        || v.attrs.optional
        || v.attrs.value
        || v.attrs.changes_unseen();
    let cleared = v.ty.derived().is_some() && [v.intent, w.intent].contains(&Some(Intent::Out));
    let known = matches!(v.ty.base, Base::Integer | Base::Real | Base::Complex | Base::Logical | Base::Derived(_));
    let map = BTreeMap::from([(b, a)]);
    let dims = |of: &[Dim]| of.iter().map(|d| remap::dim(d, &map)).collect::<Vec<_>>();
    !odd && !cleared && known && v.attrs == w.attrs && v.ty == w.ty && dims(&v.dims) == dims(&w.dims)
}

/// True where compilers pass the memory itself and no copy of it, of which each dummy would have its own.
fn passed_as_it_is(program: &Program, actual: &Expr, dummy: SymId) -> bool {
    let (Some(d), Some(v)) = (actual.as_var(), program.var(dummy)) else { return false };
    let sections = d.subscripts().any(|s| !matches!(s, Subscript::Index(e) if e.rank == 0));
    let described = v.dims.iter().all(|d| matches!(d, Dim::Assumed(_)));
    let Some(declared) = resolve(program, d.sym, &d.path()) else { return false };
    let strided = declared.attrs.pointer || declared.dims.iter().any(|d| matches!(d, Dim::Assumed(_)));
    let vector = d.subscripts().any(|s| matches!(s, Subscript::Index(e) if e.rank > 0));
    let substring = d.parts.iter().any(|p| matches!(p, Part::Substring(..)));
    !vector && !substring && (described || !sections && (!strided || declared.attrs.contiguous))
}

/// True where a directive or the bounds of other variables name two of the dummies, or something that isn't understood does.
fn named_together(program: &Program, proc: ProcId, dummies: &[SymId]) -> bool {
    let mut found = false;
    let several = |names: &[SymId]| names.iter().filter(|s| dummies.contains(s)).count() > 1;
    for_each_stmt(&program[proc].body, &mut |s| match &s.kind {
        StmtKind::Directive { names, .. } => found |= several(names),
        StmtKind::Do { parallel: Some(p), .. } => found |= p.directives.iter().any(|d| several(&d.names)),
        StmtKind::Unsupported { names, .. } => found |= names.iter().any(|s| dummies.contains(s)),
        _ => {}
    });
    found
}
