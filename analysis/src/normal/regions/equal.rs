//! Branches that are taken where the index of a loop has a known value, `if (i == 1)`: elements at this value, `y(1)`, are
//! those at the index there. So boundaries that stand in branches of a stencil refer to elements near an iteration's own.

use std::collections::{BTreeMap, BTreeSet};

use costate_grammar::ir::{
    Block, Designator, Expr, ExprKind, Intent, LoopControl, Part, Program, Stmt, StmtKind, Subscript, SymId,
    for_each_expr, for_each_stmt, map_expr,
};
use costate_grammar::operators::BinaryOp;

use super::{for_each_mut, may_change_by_calls};
use crate::affine::{difference, plus};
use crate::sections::scene::calls;
use crate::storage::{has_symbol, symbols};

/// The greatest distance from the known value at which elements are named by the index.
const NEAR: i64 = 4;

/// Names elements by the indices of so many loops in each other in branches inside them.
pub(super) fn replace(program: &Program, stmt: &mut Stmt, indices: usize) {
    let StmtKind::Do { control: LoopControl::Count { var, .. }, body, .. } = &mut stmt.kind else { return };
    let var = *var;
    let moving = moving(body, var);
    if !moving.is_empty() {
        in_block(program, body, var, &moving);
    }
    if let ([inner], true) = (body.as_mut_slice(), indices > 1) {
        replace(program, inner, indices - 1);
    }
}

/// The arrays that move with a loop in one dimension, with the number of this.
fn moving(body: &[Stmt], var: SymId) -> BTreeMap<SymId, usize> {
    let mut found: BTreeMap<SymId, BTreeSet<usize>> = BTreeMap::new();
    let mut note = |d: &Designator| {
        for (k, s) in d.subscripts().enumerate() {
            if matches!(s, Subscript::Index(e) if has_symbol(e, var)) {
                found.entry(d.sym).or_default().insert(k);
            }
        }
    };
    for_each_stmt(body, &mut |s| {
        for e in s.exprs() {
            for_each_expr(e, &mut |x| x.as_var().into_iter().for_each(&mut note));
        }
    });
    found.into_iter().filter_map(|(s, dims)| Some((s, *dims.first().filter(|_| dims.len() == 1)?))).collect()
}

fn in_block(program: &Program, block: &mut Block, var: SymId, moving: &BTreeMap<SymId, usize>) {
    for s in block {
        if let StmtKind::If { arms, otherwise, .. } = &mut s.kind {
            // Behind all branches none of their conditions holds.
            let excluded = arms.iter().find_map(|arm| compared(&arm.cond, (BinaryOp::Ne, BinaryOp::Or), var));
            if let (Some(value), Some(rest)) = (excluded, otherwise) {
                at_value(program, rest, (var, &value), moving);
            }
            for arm in arms {
                if let Some(value) = compared(&arm.cond, (BinaryOp::Eq, BinaryOp::And), var) {
                    at_value(program, &mut arm.body, (var, &value), moving);
                }
            }
        }
        s.blocks_mut().into_iter().for_each(|b| in_block(program, b, var, moving));
    }
}

/// What a condition compares a variable with; `joined` by another operator such comparisons count, too.
fn compared(cond: &Expr, (by, joined): (BinaryOp, BinaryOp), var: SymId) -> Option<Expr> {
    match &cond.kind {
        ExprKind::Paren(inner) => compared(inner, (by, joined), var),
        ExprKind::Binary(op, a, b) if *op == joined => {
            compared(a, (by, joined), var).or_else(|| compared(b, (by, joined), var))
        }
        ExprKind::Binary(op, a, b) if *op == by => {
            let is_index = |e: &Expr| e.as_var().is_some_and(|d| *d == Designator::whole(var));
            let (_, value) = [(a, b), (b, a)].into_iter().find(|(x, y)| is_index(x) && !has_symbol(y, var))?;
            Some((**value).clone())
        }
        _ => None,
    }
}

/// Elements near a value that the index has in the block.
fn at_value(program: &Program, block: &mut Block, (var, value): (SymId, &Expr), moving: &BTreeMap<SymId, usize>) {
    let changed = may_change_by_calls(program, block);
    let mut called = false;
    for_each_stmt(block, &mut |s| called |= calls(s));
    // A procedure may change what it has by another name than an argument's.
    let fixed = |s: &SymId| program.var(*s).is_some_and(|v| v.attrs.parameter || v.intent == Some(Intent::In));
    let kept = |s: &SymId| !changed.contains(s) && (!called || fixed(s));
    if changed.contains(&var) || !symbols(value).iter().all(kept) {
        return;
    }
    let near = |e: &Expr| (!has_symbol(e, var)).then(|| difference(e, value)).flatten().filter(|k| k.abs() <= NEAR);
    let index = |e: &Expr, by: i64| Expr { ty: e.ty, ..plus(&Expr::var(var, value.ty, 0), &Expr::int(by)) };
    let mut renamed = |x: Expr| match x.kind {
        ExprKind::Var(mut d) => {
            let dim = moving.get(&d.sym).copied();
            if let (Some(k), [Part::Subscripts(list)]) = (dim, d.parts.as_mut_slice())
                && let Some(Subscript::Index(e)) = list.get_mut(k)
                && let Some(by) = near(e)
            {
                *e = index(e, by);
            }
            Expr { kind: ExprKind::Var(d), ..x }
        }
        kind => Expr { kind, ..x },
    };
    for_each_mut(block, &mut |s| s.kind.map_exprs(&mut |e| map_expr(e.clone(), &mut renamed)));
}
