//! `forall` becomes loops, one nest for each statement; `do concurrent` becomes ordinary loops.

use std::collections::BTreeSet;

use costate_grammar::ir::{
    Block, Designator, Expr, ExprKind, Intent, LoopControl, Name, Program, Stmt, StmtKind, SymId, Ty, Variable,
    for_each_expr,
};

use super::array_assignment::{Guarded, assign, attempt, fill, loop_or_copy};
use super::callee;
use super::calls;
use super::context::Cx;
use super::designator::Dimension;
use super::element::Axis;
use super::matmul;
use super::overlap::{may_alias, reads_of};
use super::reduce::{self, prepare};
use super::regions;
use super::subst::{self, Map};
use super::temporary::{self, Around};
use crate::dataflow::variables::{Call, used_after, used_and_assigned};
use crate::effects::{bind, target};

type Indices = [(SymId, Expr, Expr, Option<Expr>)];

/// Opens a `forall`; `None` leaves it as it is.
pub(super) fn open(cx: &mut Cx, stmt: &Stmt) -> Option<Block> {
    let StmtKind::Forall { indices, mask, body, .. } = &stmt.kind else {
        return None;
    };
    attempt(cx, |cx| {
        let mut out = Vec::new();
        construct(cx, &[], indices, mask.as_ref(), None, body, &mut out)?;
        Some(out)
    })
}

/// Opens a `forall` that assigns objects.
pub(super) fn open_objects(cx: &mut Cx, stmt: &Stmt) -> Option<Block> {
    let StmtKind::Forall { body, .. } = &stmt.kind else {
        return None;
    };
    let mut objects = false;
    costate_grammar::ir::for_each_stmt(body, &mut |s| {
        objects |= matches!(&s.kind, StmtKind::Assign { lhs, .. } if lhs.ty.derived().is_some());
    });
    if objects { open(cx, stmt) } else { None }
}

fn construct(
    cx: &mut Cx,
    outer: &[Axis],
    indices: &Indices,
    mask: Option<&Expr>,
    outer_mask: Option<&Expr>,
    body: &Block,
    out: &mut Block,
) -> Option<()> {
    let changed = changed(body);
    let mut indices = indices.to_vec();
    for (_, lo, hi, step) in &mut indices {
        for e in [lo, hi].into_iter().chain(step) {
            // Bounds are taken before anything changes; a loop takes them again for every statement.
            let reads = reads_of(&[e], &Vec::new());
            if reads.iter().any(|r| changed.contains(&r.sym)) || callee::has_user_call(e) {
                if !outer.is_empty() {
                    return None;
                }
                let held = cx.scalar("bound", e.ty, e);
                let set = cx.assign(held.clone(), e.clone());
                out.extend(reduce::statement(cx, &set).unwrap_or_else(|| vec![set]));
                *e = held;
            }
        }
    }
    let mut map = Map::new();
    let mut axes = Vec::new();
    for (sym, lo, hi, step) in &indices {
        let mut axis = cx.axis(lo.clone(), hi.clone());
        axis.step = step.clone().filter(|s| s.as_int() != Some(1));
        map.insert(*sym, cx.index_expr(&axis));
        axes.push(axis);
    }
    axes.extend(outer.iter().cloned());
    let mask = mask.map(|m| subst::expr(cx.program, &map, m));
    let mask = match (outer_mask, mask) {
        (Some(a), Some(b)) => Some(a.clone().and(b)),
        (a, b) => b.or_else(|| a.cloned()),
    };
    let mut body = body.clone();
    subst::block(cx, &map, &mut body);
    if let Some(m) = &mask {
        let reads = reads_of(&[m], &Vec::new());
        if body.len() > 1 && reads.iter().any(|r| changed.iter().any(|c| may_alias(cx.program, *c, r))) {
            return None;
        }
    }
    for s in &body {
        cx.at(s);
        match &s.kind {
            StmtKind::Assign { lhs, rhs } => {
                // A variable that every index assigns would have one value where the next statement reads it.
                if !mentions(lhs, &axes) {
                    return None;
                }
                let mut done = one(cx, &axes, mask.as_ref(), lhs, rhs)?;
                cx.inherit(s, &mut done);
                out.extend(done);
            }
            StmtKind::Forall { indices, mask: inner, body, .. } => {
                construct(cx, &axes, indices, inner.as_ref(), mask.as_ref(), body, out)?;
            }
            StmtKind::Comment(_) | StmtKind::Continue => out.push(s.clone()),
            _ => return None,
        }
    }
    cx.release_axes(&axes[..indices.len()]);
    Some(())
}

/// Whether an index occurs in what is assigned.
fn mentions(lhs: &Expr, axes: &[Axis]) -> bool {
    let mut found = false;
    for_each_expr(lhs, &mut |e| found |= e.as_var().is_some_and(|d| axes.iter().any(|a| a.var == d.sym)));
    found
}

fn changed(body: &Block) -> Vec<SymId> {
    let mut out = Vec::new();
    costate_grammar::ir::for_each_stmt(body, &mut |s| {
        if let StmtKind::Assign { lhs, .. } = &s.kind {
            out.extend(lhs.as_var().map(|d| d.sym));
        }
    });
    out
}

/// One assignment within loops over indices.
fn one(cx: &mut Cx, outer: &[Axis], mask: Option<&Expr>, lhs: &Expr, rhs: &Expr) -> Option<Block> {
    let target: Designator = lhs.as_var()?.clone();
    if lhs.rank > 0 && matmul::has_product(rhs) && apart(cx, &target, mask, lhs, rhs) {
        return by_iteration(cx, outer, mask, lhs, rhs);
    }
    let mut axes: Vec<Axis> = Vec::new();
    if lhs.rank > 0 {
        for dim in cx.dimensions(&target)? {
            let Dimension::Triplet { lo, hi, step: None } = dim else {
                return None;
            };
            axes.push(cx.axis(lo, hi));
        }
    }
    let inner = axes.len();
    let offs: Vec<Expr> = axes.iter().map(|a| cx.offset(a)).collect();
    axes.extend(outer.iter().map(|a| Axis { own: false, ..a.clone() }));
    let mut pre = Vec::new();
    let element = cx.element(lhs, &offs, &mut pre)?;
    let mut around = Around::default();
    let rhs = if lhs.rank > 0 {
        let mut own = Around::default();
        let rhs = cx.with_products_by_element(|cx| prepare(cx, rhs, None, &mut own))?;
        if !own.before.is_empty() {
            return None;
        }
        rhs
    } else {
        rhs.clone()
    };
    let value = |cx: &mut Cx, to: &Expr| {
        if !offs.is_empty() {
            return fill(cx, to, &rhs, &offs);
        }
        let set = cx.assign(to.clone(), rhs.clone());
        Some(reduce::statement(cx, &set).unwrap_or_else(|| vec![set]))
    };
    let guarded = Guarded { pre, guard: mask.cloned(), fill: &value };
    let body = loop_or_copy(cx, &element, guarded, &mut axes, &mut around)?;
    cx.release_axes(&axes[..inner]);
    let mut out = around.before;
    out.extend(body);
    out.extend(around.after);
    Some(out)
}

/// True when nothing that an assignment reads may share memory with what it changes.
fn apart(cx: &Cx, target: &Designator, mask: Option<&Expr>, lhs: &Expr, rhs: &Expr) -> bool {
    let mut read: Vec<&Expr> = lhs.children();
    read.extend(mask);
    read.push(rhs);
    let reads = reads_of(&read, &Vec::new());
    let called = read.iter().any(|e| callee::has_user_call(e));
    !called && !reads.iter().any(|r| may_alias(cx.program, target.sym, r))
}

/// An assignment to an array in each iteration of the loops over indices.
fn by_iteration(cx: &mut Cx, outer: &[Axis], mask: Option<&Expr>, lhs: &Expr, rhs: &Expr) -> Option<Block> {
    let mut body = assign(cx, lhs, rhs, None)?;
    if let Some(mask) = mask {
        body = vec![cx.if_else(mask.clone(), body, Vec::new())];
    }
    Some(cx.nest(outer, body))
}

/// Turns `do concurrent` into nested loops and opens what is in them.
pub(super) fn concurrent(cx: &mut Cx, stmt: &Stmt) -> Option<Block> {
    let StmtKind::Do { name, control: LoopControl::Concurrent { indices, mask, locality }, body, parallel: None } =
        &stmt.kind
    else {
        return None;
    };
    let mut map = Map::new();
    let mut start = Vec::new();
    let mut bounds = Vec::new();
    let mut vars = Vec::new();
    let mut held = Vec::new();
    let many = indices.len() > 1;
    for (sym, lo, hi, step) in indices {
        let var = index_variable(cx, *sym, &mut held);
        if var != *sym {
            let ty = cx.program.var(var).map_or(lo.ty, |v| v.ty);
            map.insert(*sym, Expr::var(var, ty, 0));
        }
        vars.push(var);
        // All bounds are taken before the first iteration.
        let constant = |e: &Expr| e.as_int().is_some() || cx_constant(cx, e);
        let (c_lo, c_hi) = (constant(lo), constant(hi));
        let mut take = |cx: &mut Cx, e: &Expr, fixed: bool| {
            if fixed || !many {
                return e.clone();
            }
            let tmp = cx.scalar("n", e.ty, e);
            let set = cx.assign(tmp.clone(), e.clone());
            start.push(set);
            tmp
        };
        let lo = take(cx, lo, c_lo);
        let hi = take(cx, hi, c_hi);
        bounds.push((lo, hi, step.clone().filter(|s| s.as_int() != Some(1))));
    }
    let mut inner = body.clone();
    let mut first = locals(cx, locality, &mut map);
    unlisted(cx, stmt, &mut map);
    subst::block(cx, &map, &mut inner);
    cx.at(stmt);
    first.extend(inner);
    let loops: Vec<Count> = vars.iter().copied().zip(bounds).collect();
    let mut around = Around::default();
    let block = match mask.as_ref().map(|m| subst::expr(cx.program, &map, m)) {
        Some(m) if changes(cx, &first, &m) => {
            let held = held_mask(cx, m, &loops, &mut around)?;
            vec![cx.if_else(held, first, Vec::new())]
        }
        Some(m) => vec![cx.if_else(m, first, Vec::new())],
        None => first,
    };
    start.extend(around.before);
    // What is proved of the loops speaks of the variables of those inside.
    let block = if holds_concurrent(&block) { (cx.openers.arrays)(cx, block) } else { block };
    let mut nest = counted(cx, &loops, name.as_ref(), block);
    // To what is reduced several iterations may add.
    let vouched = !locality.to_ascii_lowercase().contains("reduce");
    nest.iter_mut().for_each(|s| regions::concurrent(cx.program, (cx.proc, vouched), s, loops.len()));
    for s in nest {
        match loops.len() {
            1 => start.extend(regions::of_concurrent(cx, s, locality)),
            _ => start.push(s),
        }
    }
    start.extend(around.after);
    let start = calls::split_conditions(cx, start);
    let out = (cx.openers.arrays)(cx, start);
    held.into_iter().for_each(|v| cx.release(v));
    Some(out)
}

/// True for a block with such a loop in it.
fn holds_concurrent(block: &Block) -> bool {
    let mut found = false;
    costate_grammar::ir::for_each_stmt(block, &mut |s| {
        found |= matches!(s.kind, StmtKind::Do { control: LoopControl::Concurrent { .. }, .. });
    });
    found
}

/// A counted loop: its variable, bounds and step.
type Count = (SymId, (Expr, Expr, Option<Expr>));

/// Loops around a block, the first innermost, which has the name.
fn counted(cx: &mut Cx, loops: &[Count], name: Option<&Name>, mut block: Block) -> Block {
    for (k, (var, (lo, hi, step))) in loops.iter().cloned().enumerate() {
        let control = LoopControl::Count { var, lo, hi, step };
        let name = name.filter(|_| k == 0).cloned();
        block = vec![cx.stmt(StmtKind::Do { name, control, body: block, parallel: None })];
    }
    block
}

/// Whether a block may change what a mask reads. Procedures that it calls may change anything.
fn changes(cx: &Cx, block: &Block, mask: &Expr) -> bool {
    let (changed, reads) = (changed(block), reads_of(&[mask], &Vec::new()));
    let mut calls = false;
    costate_grammar::ir::for_each_stmt(block, &mut |s| calls |= matches!(s.kind, StmtKind::Call { .. }));
    calls || reads.iter().any(|r| changed.iter().any(|c| may_alias(cx.program, *c, r)))
}

/// The mask's value for each index, which is found before the first iteration (Fortran 2018, 11.1.7.4.2).
fn held_mask(cx: &mut Cx, mask: Expr, loops: &[Count], around: &mut Around) -> Option<Expr> {
    let mut bounds = Vec::new();
    for (_, (lo, hi, step)) in loops {
        let up = match step {
            None => true,
            Some(s) => s.as_int()? > 0,
        };
        bounds.push(if up { (lo.clone(), hi.clone()) } else { (hi.clone(), lo.clone()) });
    }
    let whole = temporary::room(cx, "mask", Ty::LOGICAL, &Expr::logical(true), bounds, around);
    let at = loops.iter().map(|(var, (lo, ..))| Expr::var(*var, lo.ty, 0)).collect();
    let held = Expr::element(whole.as_var()?.sym, Ty::LOGICAL, at);
    let set = vec![cx.assign(held.clone(), mask)];
    let nest = counted(cx, loops, None, set);
    around.before.extend(nest);
    Some(held)
}

fn cx_constant(cx: &Cx, e: &Expr) -> bool {
    cx.declarable(e)
}

/// The variable of the loop: the user's own where nothing else happens to it.
fn index_variable(cx: &mut Cx, sym: SymId, held: &mut Vec<SymId>) -> SymId {
    if cx.facts.only_index(cx.program, cx.scope, sym) {
        return sym;
    }
    let kind = cx.program.var(sym).map_or(4, |v| v.ty.kind);
    if cx.program[sym].scope != cx.scope {
        let name = cx.program[sym].name.clone();
        if let Some(v) = cx.program.var(sym).cloned() {
            let name = cx.import_name(&name);
            return cx.add_variable(name, v);
        }
    }
    let var = cx.index(kind);
    held.push(var);
    var
}

/// Variables that no clause lists, that each iteration assigns before it uses them, and that are of no use behind the loop:
/// what stands elsewhere, too, gets a variable of its own, so that it belongs to the loop alone.
fn unlisted(cx: &mut Cx, stmt: &Stmt, map: &mut Map) {
    let StmtKind::Do { control: LoopControl::Concurrent { indices, .. }, body, .. } = &stmt.kind else { return };
    let all = regions::mentions(cx.program, &cx.program[cx.proc].body);
    let inside = regions::mentions(cx.program, std::slice::from_ref(stmt));
    let given: BTreeSet<SymId> = given_by_calls(cx.program, body);
    let elsewhere = |s: &SymId| all.get(s) > inside.get(s) && !map.contains_key(s) && is_own(cx, *s);
    let listed = |s: &SymId| indices.iter().any(|i| i.0 == *s);
    let changed = crate::loops::assigned(body);
    let mut found: BTreeSet<SymId> = changed.union(&given).filter(|s| elsewhere(s) && !listed(s)).copied().collect();
    if found.is_empty() {
        return;
    }
    let outputs = |s: &Stmt| Call { sets: outputs(cx.program, s), ..Call::default() };
    let exposed = used_and_assigned(cx.program, body, &outputs).0;
    let outlives = |s| crate::effects::outlives(cx.program, cx.proc, s);
    let after = used_after(cx.program, &cx.program[cx.proc].body, &outlives, &outputs);
    let Some(after) = after.get(&stmt.id) else { return };
    found.retain(|s| !exposed.contains(s) && !after.contains(s));
    for sym in found {
        let Some(v) = cx.program.var(sym).cloned() else { continue };
        let (ty, rank) = (v.ty, v.rank());
        let name = cx.program[sym].name.clone();
        let name = cx.fresh_name(name.as_str());
        let own = cx.add_variable(name, v);
        map.insert(sym, Expr::var(own, ty, rank));
    }
}

/// True for a variable of the procedure's own that holds nothing between its calls.
fn is_own(cx: &Cx, sym: SymId) -> bool {
    let own = |v: &Variable| v.is_working() && v.dummy.is_none() && !v.result && v.ty.derived().is_none();
    cx.program[sym].scope == cx.scope && cx.program.var(sym).is_some_and(own)
}

/// The scalars that the calls in a block assign.
fn given_by_calls(program: &Program, block: &Block) -> BTreeSet<SymId> {
    let mut out = BTreeSet::new();
    costate_grammar::ir::for_each_stmt(block, &mut |s| out.extend(outputs(program, s)));
    out
}

/// The scalars that a call surely assigns, by the intents of the procedure's dummies.
fn outputs(program: &Program, s: &Stmt) -> BTreeSet<SymId> {
    let StmtKind::Call { callee, args } = &s.kind else { return BTreeSet::new() };
    let Some(proc) = target(program, callee) else { return BTreeSet::new() };
    let bound = program[proc].dummies.iter().zip(bind(program, &program[proc], args));
    let given = bound.filter(|(d, _)| program.var(**d).is_some_and(|v| v.intent == Some(Intent::Out) && v.rank() == 0));
    given.filter_map(|(_, e)| e?.as_var()).filter(|d| d.parts.is_empty()).map(|d| d.sym).collect()
}

/// Variables that every iteration has for itself get a variable of their own; returns what sets them up.
fn locals(cx: &mut Cx, locality: &str, map: &mut Map) -> Block {
    let mut out = Vec::new();
    let text = locality.to_ascii_lowercase();
    for (clause, init) in [("local_init", true), ("local", false)] {
        let mut rest = text.as_str();
        while let Some(at) = rest.find(clause) {
            let after = rest[at + clause.len()..].trim_start();
            rest = &rest[at + clause.len()..];
            let Some(list) = after.strip_prefix('(').and_then(|a| a.split_once(')')) else {
                continue;
            };
            for name in list.0.split(',') {
                let Some(sym) = cx.program.lookup(cx.scope, name.trim()) else {
                    continue;
                };
                let Some(v) = cx.program.var(sym).cloned() else {
                    continue;
                };
                let (ty, rank) = (v.ty, v.rank());
                let mut copy = Variable { intent: None, dummy: None, result: false, common: None, init: None, ..v };
                copy.attrs.save = false;
                let new_name = cx.fresh_name(name.trim());
                let new = cx.add_variable(new_name, copy);
                map.insert(sym, Expr::var(new, ty, rank));
                if init {
                    let from = Expr { kind: ExprKind::Var(Designator::whole(sym)), ..Expr::var(sym, ty, rank) };
                    out.push(cx.assign(Expr::var(new, ty, rank), from));
                }
            }
        }
    }
    out
}
