//! Increments that only one thread at a time makes.

use std::collections::{BTreeMap, BTreeSet};

use costate_analysis::dependence::independence::increments;
use costate_analysis::effects::target;
use costate_grammar::directives::parse;
use costate_grammar::ir::{Expr, Origin, ProcId, Procedure, Program, Stmt, StmtId, StmtKind, for_each_stmt};
use costate_grammar::lines::Sentinel;
use costate_grammar::operators::BinaryOp;

use super::elements::named_amounts;
use super::references::{Increments, all_added};
use crate::names::Taken;

/// Lets only one thread at a time make increments in procedures that a loop calls. None of these is pure then, nor is what
/// calls them: compilers let no `atomic` of OpenMP stand in a pure procedure.
pub(super) fn in_procedures(program: &mut Program, all: &Increments, sentinel: Sentinel) {
    let mut by: BTreeMap<ProcId, BTreeSet<StmtId>> = BTreeMap::new();
    all.iter().for_each(|(proc, s)| _ = by.entry(*proc).or_default().insert(*s));
    for (proc, wanted) in by {
        let scope = program[proc].scope;
        let mut names = Taken::visible(program, scope);
        let body = std::mem::take(&mut program[proc].body);
        // The procedure's statements as one: it may be one of these that is meant.
        let span = program[proc].head;
        let kind = StmtKind::BlockScope { name: None, scope, body };
        let mut whole = Stmt::new(program.fresh_stmt(), kind, Origin::Source(span));
        named_amounts(program, &mut whole, &wanted, (scope, &mut names));
        make_atomic(program, &mut whole, &wanted, (sentinel, "atomic"));
        let body = whole.blocks_mut().into_iter().next().map(std::mem::take);
        program[proc].body = body.unwrap_or_default();
        make_impure(program, proc);
    }
}

fn make_impure(program: &mut Program, proc: ProcId) {
    if !program[proc].prefix.is_pure() {
        return;
    }
    program[proc].prefix.give_up_purity();
    let calls = |p: &Procedure| {
        let mut found = false;
        for_each_stmt(&p.body, &mut |s| found |= target_of(program, s) == Some(proc));
        found
    };
    let callers: Vec<ProcId> =
        program.procedures().filter(|(_, p)| p.prefix.is_pure() && calls(p)).map(|p| p.0).collect();
    callers.into_iter().for_each(|p| make_impure(program, p));
}

/// True where a block calls a procedure whose increments are atomic, or that calls such a one: of pure procedures all others
/// that it may call are pure.
pub(crate) fn calls_impure_one(program: &Program, body: &[Stmt]) -> bool {
    let mut found = false;
    for_each_stmt(body, &mut |s| {
        found |= target_of(program, s).is_some_and(|p| !program.is_declared_only(p) && !program[p].prefix.is_pure());
    });
    found
}

/// The procedure that a statement calls.
fn target_of(program: &Program, s: &Stmt) -> Option<ProcId> {
    if let StmtKind::Call { callee, .. } = &s.kind { target(program, callee) } else { None }
}

/// Lets only one thread at a time make some increments, or whatever else the directive tells.
pub(super) fn make_atomic(
    program: &mut Program,
    s: &mut Stmt,
    atomic: &BTreeSet<StmtId>,
    (sentinel, text): (Sentinel, &str),
) {
    let own = |b: &&mut Vec<Stmt>| b.iter().any(|x| atomic.contains(&x.id));
    let directives = s.blocks_mut().iter().any(own);
    if let StmtKind::If { one_line, .. } = &mut s.kind {
        *one_line &= !directives;
    }
    for block in s.blocks_mut() {
        for inner in block.iter_mut() {
            // What stands in a loop inside may be atomic already.
            if matches!(inner.kind, StmtKind::Directive { .. }) {
                continue;
            }
            if !atomic.contains(&inner.id) {
                make_atomic(program, inner, atomic, (sentinel, text));
                continue;
            }
            let id = program.fresh_stmt();
            wrap(inner, id, (sentinel, text));
        }
    }
}

/// Puts the directive around a statement, which is then number `id`.
pub(super) fn wrap(s: &mut Stmt, id: StmtId, (sentinel, text): (Sentinel, &str)) {
    let Ok(directive) = parse(sentinel, text, s.origin.span()) else { return };
    let mut own = s.clone();
    if let StmtKind::Assign { lhs, rhs } = &mut own.kind {
        *rhs = in_one_term(lhs, rhs);
    }
    let leading = std::mem::take(&mut own.leading);
    let kind = StmtKind::Directive { directive, names: Vec::new(), body: Some(vec![own]) };
    *s = Stmt { leading, ..Stmt::new(id, kind, s.origin) };
}

/// `x - a + b` as `x + (-a + b)`: an atomic update has one operator.
fn in_one_term(lhs: &Expr, rhs: &Expr) -> Expr {
    if increments(lhs, rhs).is_none_or(|list| list.len() < 2) {
        return rhs.clone();
    }
    match all_added(rhs) {
        Some(sum) => Expr::binary(BinaryOp::Add, lhs.clone(), sum),
        None => rhs.clone(),
    }
}
