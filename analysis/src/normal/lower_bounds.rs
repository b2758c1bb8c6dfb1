//! Allocatable arrays whose lower bounds are always 1: what every statement that may give them memory says.

use std::collections::BTreeSet;

use costate_grammar::ir::{
    Arg, Block, Callee, Dim, Expr, ExprKind, Intent, ProcId, Program, Stmt, StmtKind, SymId, Variable, for_each_expr,
    for_each_stmt,
};

use super::callee::{dummy_of, interface};
use super::designator::{array_part, declared};
use crate::effects::target;

/// How deep calls are followed.
const DEPTH: u8 = 4;

/// The allocatable arrays of a procedure (local variables, outputs, the result) whose bounds start at 1 throughout.
pub(super) fn starting_at_one(program: &Program, proc: ProcId) -> BTreeSet<SymId> {
    let procedure = &program[proc];
    let fresh = |v: &Variable| v.dummy.is_none() || v.intent == Some(Intent::Out);
    let candidates = program[procedure.scope].names.values().copied().filter(|sym| {
        program[*sym].scope == procedure.scope
            && program
                .var(*sym)
                .is_some_and(|v| v.attrs.allocatable && fresh(v) && !v.attrs.save && !v.attrs.target && v.rank() > 0)
    });
    kept(program, proc, candidates.collect(), DEPTH)
}

/// Those of some arrays that start at 1 throughout a procedure, where they do when it begins.
fn kept(program: &Program, proc: ProcId, mut arrays: BTreeSet<SymId>, depth: u8) -> BTreeSet<SymId> {
    let procedure = &program[proc];
    let bodies: Vec<&Block> =
        std::iter::once(proc).chain(procedure.internals.iter().copied()).map(|p| &program[p].body).collect();
    // An array that leaves the set may have handed its bounds on to others.
    loop {
        let before = arrays.len();
        for body in &bodies {
            for_each_stmt(body, &mut |s| statement(program, s, &mut arrays, depth));
        }
        if arrays.is_empty() || arrays.len() == before {
            return arrays;
        }
    }
}

/// Drops the arrays that a statement may give other bounds.
fn statement(program: &Program, s: &Stmt, arrays: &mut BTreeSet<SymId>, depth: u8) {
    let drop_whole = |e: &Expr, arrays: &mut BTreeSet<SymId>| {
        if let Some(d) = e.as_var().filter(|d| d.parts.is_empty()) {
            arrays.remove(&d.sym);
        }
    };
    match &s.kind {
        StmtKind::Allocate { items, options, .. } => {
            let like = options.iter().find(|(n, _)| matches!(n.as_str(), "source" | "mold"));
            for i in items {
                let one = match i.shape.as_slice() {
                    [] => like.is_none_or(|(_, e)| gives_one(program, e, arrays)),
                    shape => shape.iter().all(|(lo, _)| lo.as_ref().is_none_or(|lo| lo.as_int() == Some(1))),
                };
                if !one {
                    drop_whole(&i.object, arrays);
                }
            }
        }
        StmtKind::Assign { lhs, rhs } if rhs.rank > 0 && !gives_one(program, rhs, arrays) => drop_whole(lhs, arrays),
        StmtKind::Unsupported { names, .. } => arrays.retain(|a| !names.contains(a)),
        StmtKind::Directive { .. } | StmtKind::Associate { .. } => {
            s.exprs().into_iter().for_each(|e| drop_whole(e, arrays));
        }
        _ => {}
    }
    let mut lost = Vec::new();
    let mut call = |callee: &Callee, args: &[Arg], arrays: &BTreeSet<SymId>| {
        for (i, a) in args.iter().enumerate() {
            let held = a.value.as_var().is_some_and(|d| d.parts.is_empty() && arrays.contains(&d.sym));
            if held && !kept_by_call(program, callee, args, i, depth) {
                lost.push(a.value.clone());
            }
        }
    };
    if let StmtKind::Call { callee, args } = &s.kind {
        call(callee, args, arrays);
    }
    for e in s.exprs() {
        for_each_expr(e, &mut |e| {
            if let ExprKind::Call { callee, args } = &e.kind
                && !matches!(callee, Callee::Intrinsic(_))
            {
                call(callee, args, arrays);
            }
        });
    }
    lost.iter().for_each(|e| drop_whole(e, arrays));
}

/// True for an expression whose value an allocatable takes with lower bounds 1. Only whole arrays hand others on.
fn gives_one(program: &Program, e: &Expr, arrays: &BTreeSet<SymId>) -> bool {
    let Some(d) = e.as_var() else { return true };
    if array_part(program, d).is_none_or(|p| p.subscripts.is_some() || p.at < d.parts.len()) {
        return true;
    }
    let one = |lo: &Option<Expr>| lo.as_ref().is_none_or(|lo| lo.as_int() == Some(1));
    d.parts.is_empty() && arrays.contains(&d.sym)
        || declared(program, d).is_some_and(|v| {
            v.dims.iter().all(|d| match d {
                Dim::Explicit(lo, _) | Dim::Assumed(lo) => one(lo),
                Dim::AssumedSize(_) | Dim::Deferred | Dim::AssumedRank => false,
            })
        })
}

/// True when an array that starts at 1 still does after the call that it is argument `i` of.
fn kept_by_call(program: &Program, callee: &Callee, args: &[Arg], i: usize, depth: u8) -> bool {
    let known = interface(program, callee);
    let dummy = known.and_then(|p| dummy_of(program, p, callee, i, &args[i]));
    let Some(v) = dummy.and_then(|d| program.var(d)) else {
        // Without an interface nothing can be allocated.
        return known.is_none() && matches!(callee, Callee::Proc { .. });
    };
    if !v.attrs.allocatable || v.intent == Some(Intent::In) {
        return true;
    }
    let Some((proc, dummy)) = target(program, callee).zip(dummy).filter(|_| depth > 0) else { return false };
    kept(program, proc, BTreeSet::from([dummy]), depth - 1).contains(&dummy)
}
