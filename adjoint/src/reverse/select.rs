//! A branch keeps a compiler from vectorising a loop. In an innermost loop of the backward sweep, a short branch whose
//! blocks only assign is written with `merge`: each element gets the value from the way that is taken. What is then
//! computed on the way that isn't taken can neither fail nor refer to elements that may not exist.

use std::collections::BTreeSet;

use costate_analysis::storage::symbols;
use costate_grammar::intrinsics::Intrinsic;
use costate_grammar::ir::{Expr, ExprKind, Origin, Role, Stmt, StmtKind, SymId, for_each_expr, map_expr};
use costate_grammar::operators::BinaryOp;

use super::Reverse;
use super::independence::simple;
use super::schedule::without_first;

/// Branches with more operations stay: both ways would be computed.
const MOST: usize = 16;

impl Reverse<'_, '_> {
    /// Writes the branches in the innermost loops of a block as selections.
    pub(super) fn select_in(&mut self, block: &mut [Stmt]) {
        for s in block {
            let backward = matches!(s.origin, Origin::Derived { role: Role::Adjoint, .. });
            match &mut s.kind {
                StmtKind::Do { body, .. } if backward && body.iter().any(|s| matches!(s.kind, StmtKind::If { .. })) => {
                    match self.selected(body) {
                        Some(straight) => *body = straight,
                        None => self.select_in(body),
                    }
                }
                _ => s.blocks_mut().into_iter().for_each(|b| self.select_in(b)),
            }
        }
    }

    /// The body without branches; `None` when one of them stays.
    fn selected(&mut self, body: &[Stmt]) -> Option<Vec<Stmt>> {
        let mut always = Vec::new();
        for s in body {
            s.exprs().into_iter().for_each(|e| for_each_expr(e, &mut |x| always.extend(x.as_var().map(|_| x.clone()))));
        }
        let mut out = Vec::new();
        for s in body {
            match &s.kind {
                StmtKind::Assign { .. } if simple(self.b.program, s) => out.push(s.clone()),
                StmtKind::If { .. } => out.extend(self.selection(s, &always)?),
                _ => return None,
            }
        }
        Some(out)
    }

    /// The assignments that a branch stands for; `always` is what the iteration refers to on every way.
    fn selection(&mut self, s: &Stmt, always: &[Expr]) -> Option<Vec<Stmt>> {
        let StmtKind::If { arms, otherwise, .. } = &s.kind else { return None };
        let [arm] = arms.as_slice() else { return None };
        let none = Vec::new();
        let blocks = [&arm.body, otherwise.as_ref().unwrap_or(&none)];
        if !blocks.iter().copied().flatten().all(|s| simple(self.b.program, s)) {
            return None;
        }
        let (first, second) = (values(blocks[0])?, values(blocks[1])?);
        let mut targets: Vec<Expr> = Vec::new();
        for (x, _) in first.iter().chain(&second) {
            if !targets.contains(x) {
                targets.push(x.clone());
            }
        }
        let assigned: BTreeSet<SymId> = targets.iter().filter_map(|x| x.as_var().map(|d| d.sym)).collect();
        let moved = |e: &Expr| !symbols(e).is_disjoint(&assigned);
        if moved(&arm.cond) || targets.iter().flat_map(Expr::children).any(moved) {
            return None;
        }
        if !exists_on_both(blocks, always) || !told_apart(blocks, &targets) {
            return None;
        }
        let mut left: Vec<(Expr, Expr)> = Vec::new();
        for x in targets {
            let of = |list: &[(Expr, Expr)]| list.iter().find(|(t, _)| *t == x).map_or(x.clone(), |(_, v)| v.clone());
            let value = merged(&x, of(&first), of(&second), &arm.cond);
            left.push((x, value));
        }
        let mut out = Vec::new();
        while !left.is_empty() {
            // What the values of others use is assigned after them.
            let free = |k: &usize| left.iter().enumerate().all(|(j, (_, v))| j == *k || !mentions(v, &left[*k].0));
            let next = (0..left.len()).find(free)?;
            let (x, value) = left.remove(next);
            out.push(self.b.assign(x, value, s, Role::Adjoint));
        }
        let comments = blocks.into_iter().flatten().flat_map(|s| s.leading.iter().cloned());
        if let Some(head) = out.first_mut() {
            head.leading = s.leading.iter().cloned().chain(comments).collect();
        }
        Some(out)
    }
}

/// What a block assigns, in terms of the values at its start; `None` when that isn't simple enough.
fn values(block: &[Stmt]) -> Option<Vec<(Expr, Expr)>> {
    let mut out: Vec<(Expr, Expr)> = Vec::new();
    for s in block {
        let StmtKind::Assign { lhs, rhs } = &s.kind else { return None };
        let now = |x: Expr| out.iter().find(|(t, _)| *t == x).map_or(x.clone(), |(_, v)| v.clone());
        let value = map_expr(rhs.clone(), &mut |x| now(x));
        if value.ty != lhs.ty || !harmless(&value) || operations(&value) > MOST {
            return None;
        }
        out.retain(|(t, _)| t != lhs);
        out.push((lhs.clone(), value));
    }
    Some(out)
}

/// True when evaluating the expression can't fail as long as its variables exist.
fn harmless(e: &Expr) -> bool {
    let mut fine = e.ty.is_continuous();
    for_each_expr(e, &mut |x| {
        fine &= match &x.kind {
            ExprKind::Binary(op, _, divisor) => match op {
                BinaryOp::Add | BinaryOp::Sub | BinaryOp::Mul => true,
                BinaryOp::Div => divisor.literal_value().is_some_and(|v| v != 0.0),
                _ => !x.ty.is_continuous(),
            },
            ExprKind::Call { .. } => false,
            _ => true,
        };
    });
    fine
}

fn operations(e: &Expr) -> usize {
    let mut count = 0;
    for_each_expr(e, &mut |x| count += usize::from(x.ty.is_continuous() && matches!(x.kind, ExprKind::Binary(..))));
    count
}

/// True when every element that one of the blocks refers to surely exists: the other one, or the iteration in any case,
/// refers to it as well.
fn exists_on_both(blocks: [&Vec<Stmt>; 2], always: &[Expr]) -> bool {
    let references = |block: &[Stmt]| {
        let mut out: Vec<Expr> = Vec::new();
        for e in block.iter().flat_map(Stmt::exprs) {
            for_each_expr(e, &mut |x| out.extend(x.as_var().filter(|d| !d.parts.is_empty()).map(|_| x.clone())));
        }
        out
    };
    let [a, b] = blocks.map(|b| references(b));
    let in_both = |x: &Expr| always.contains(x) || a.contains(x) && b.contains(x);
    a.iter().chain(&b).all(in_both)
}

/// True when all references to what is assigned are to the targets themselves.
fn told_apart(blocks: [&Vec<Stmt>; 2], targets: &[Expr]) -> bool {
    let mut fine = true;
    for e in blocks.into_iter().flatten().flat_map(Stmt::exprs) {
        for_each_expr(e, &mut |x| {
            let Some(d) = x.as_var() else { return };
            fine &= targets.iter().all(|t| t == x || t.as_var().is_none_or(|t| t.sym != d.sym));
        });
    }
    fine
}

fn mentions(e: &Expr, part: &Expr) -> bool {
    let mut found = false;
    for_each_expr(e, &mut |x| found |= x == part);
    found
}

/// The value that `x` gets: one of two, or an increment by one of two.
fn merged(x: &Expr, a: Expr, b: Expr, cond: &Expr) -> Expr {
    let choose = |a: Expr, b: Expr| match a == b {
        true => a,
        false => Expr::intrinsic(Intrinsic::Merge, vec![a, b, cond.clone()]),
    };
    let change = |v: &Expr| match v == x {
        true => Some(Expr::zero(x.ty)),
        false => without_first(v, x).filter(|e| !mentions(e, x)),
    };
    match (change(&a), change(&b)) {
        (Some(p), Some(q)) => x.clone().add(choose(p, q)),
        _ => choose(a, b),
    }
}
