//! Normal form of a procedure body: what derivatives are made from.
//!
//! Adjoint level: no `associate`, `block`, `where`, `forall`, `do concurrent` or statement function; user functions are
//! called in statements `v = f(...)` of their own; real arrays are assigned element by element in loops, or are products
//! `c = matmul(a, b)` of others; a loop's only jump is `if (flag) exit` at its end, and there is no `return`. Tangent level: only names are resolved and calls pulled out.
//! What a pass can't bring into this form stays as it was; whoever differentiates it refuses it.

mod absent;
mod allocate;
mod assumed_size;
mod bound;
mod callee;
mod calls;
mod component_bounds;
mod context;
mod copies;
mod defaults;
mod defined;
mod defined_assignment;
mod designator;
mod element;
mod expand;
mod extreme;
mod facts;
mod finals;
mod fold;
mod forall;
mod guards;
mod inline;
mod intrinsic;
mod jumps;
mod loop_bounds;
mod lower_bounds;
mod matmul;
mod memory;
mod overlap;
mod parts;
mod pointed;
mod reach;
mod rearranged;
mod reassociate;
mod reduce;
mod result;
mod result_copy;
mod scalarise;
mod shape;
mod status;
mod structures;
mod subst;
mod temporary;
mod transfer;
mod transform;
mod two_names;
mod value;
mod where_;

use std::collections::BTreeSet;

use costate_grammar::diag::Diagnostic;
use costate_grammar::ir::{
    Block, Dim, Expr, LoopControl, ProcId, Program, ScopeId, StmtKind, SymId, for_each_expr, for_each_stmt,
};

pub use bound::as_plain_call;
use context::Cx;
pub use defined_assignment::is_intrinsic;
pub use guards::Pair;

/// How much is brought into normal form.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Level {
    /// For tangent code: array statements and jumps stay.
    Tangent,
    /// For adjoint code.
    Adjoint,
}

/// A body in normal form.
#[derive(Clone, Debug)]
pub struct Normal {
    /// Its statements.
    pub body: Block,
    /// Variables that it uses beyond the user's; they are declared in the procedure's scope.
    pub temporaries: Vec<SymId>,
}

/// Brings a procedure's body into normal form. The procedure itself keeps its body.
pub fn normalise(program: &mut Program, proc: ProcId, level: Level) -> Result<Normal, Vec<Diagnostic>> {
    normalise_with(program, proc, level, &CallRewrites::default())
}

/// What is done to calls beside bringing them into normal form.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CallRewrites {
    /// Procedures whose statements stand in place of their calls.
    pub in_line: BTreeSet<ProcId>,
    /// Dummies that must be different elements: before calls whose subscripts decide that stands a statement that stops
    /// where they are the same.
    pub apart: BTreeSet<Pair>,
}

/// The same with calls rewritten.
pub fn normalise_with(
    program: &mut Program,
    proc: ProcId,
    level: Level,
    calls: &CallRewrites,
) -> Result<Normal, Vec<Diagnostic>> {
    if calls.in_line.is_empty() {
        return normal_form(program, proc, level, Vec::new(), calls);
    }
    let own = program[proc].body.clone();
    let mut cx = Cx::new(program, proc);
    let body = bound::run(&mut cx, own.clone());
    let body = expand::run(&mut cx, body, &calls.in_line);
    let made = std::mem::take(&mut cx.temporaries);
    // What is known of a body is found in what is brought into normal form.
    program[proc].body = body;
    let normal = normal_form(program, proc, level, made, calls);
    program[proc].body = own;
    normal
}

fn normal_form(
    program: &mut Program,
    proc: ProcId,
    level: Level,
    made: Vec<SymId>,
    calls: &CallRewrites,
) -> Result<Normal, Vec<Diagnostic>> {
    let body = program[proc].body.clone();
    let mut cx = Cx::new(program, proc);
    cx.temporaries = made;
    let body = bound::run(&mut cx, body);
    let body = pointed::run(&mut cx, body);
    let body = value::run(&mut cx, body);
    let body = result_copy::run(&mut cx, body);
    let body = finals::run(&mut cx, body);
    let body = defaults::run(&mut cx, body);
    let body = inline::run(&mut cx, body);
    let body = absent::run(&mut cx, body);
    let body = structures::call_defined(&mut cx, body);
    let body = parts::run(&mut cx, body);
    let body = allocate::run(&mut cx, body);
    let body = match level {
        Level::Tangent => calls::run(&mut cx, body),
        Level::Adjoint => {
            let body = calls::split_conditions(&mut cx, body);
            let body = loop_bounds::run(&mut cx, body);
            let body = structures::run(&mut cx, body);
            let body = scalarise::run(&mut cx, body);
            let body = calls::run(&mut cx, body);
            jumps::run(&mut cx, body)
        }
    };
    let body = status::run(&mut cx, body);
    let body = guards::run(&mut cx, body, &calls.apart);
    if !cx.problems.is_empty() {
        cx.purge(&BTreeSet::new());
        return Err(cx.problems);
    }
    let used = used(&body, cx.program, cx.scope);
    let temporaries = cx.purge(&used);
    Ok(Normal { body, temporaries })
}

/// The symbols that a body uses, and those that the declarations of its scope use.
fn used(body: &Block, program: &Program, scope: ScopeId) -> BTreeSet<SymId> {
    let mut seen = BTreeSet::new();
    let look = |e: &Expr, seen: &mut BTreeSet<SymId>| {
        for_each_expr(e, &mut |e| seen.extend(e.as_var().map(|d| d.sym)));
    };
    for_each_stmt(body, &mut |s| {
        if let StmtKind::Do { control: LoopControl::Count { var, .. }, .. } = &s.kind {
            seen.insert(*var);
        }
        s.exprs().into_iter().for_each(|e| look(e, &mut seen));
    });
    for &sym in program[scope].names.values() {
        let Some(v) = program.var(sym) else { continue };
        v.init.iter().for_each(|e| look(e, &mut seen));
        for d in &v.dims {
            match d {
                Dim::Explicit(lo, hi) => lo.iter().chain([hi]).for_each(|e| look(e, &mut seen)),
                Dim::Assumed(lo) | Dim::AssumedSize(lo) => lo.iter().for_each(|e| look(e, &mut seen)),
                Dim::Deferred | Dim::AssumedRank => {}
            }
        }
        seen.extend(&v.spelling_uses);
    }
    seen
}
