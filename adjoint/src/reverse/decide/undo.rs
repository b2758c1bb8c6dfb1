//! Assignments that the backward sweep undoes instead of putting back a saved value: `x = x + e` by `x = x - e`, and
//! `x = x/s` by `x = x*s`.
//!
//! What comes back differs from the value that was overwritten by rounding errors, which are large where `e` is much
//! larger than `x`. That is why this has to be asked for. Where a factor might be zero nothing is undone; a divisor that is
//! zero has made the primal's value useless already.

use costate_grammar::ir::{Base, Expr, ExprKind, Role, Stmt, StmtKind, for_each_expr};
use costate_grammar::operators::{BinaryOp, UnaryOp};

use crate::reverse::Reverse;
use costate_analysis::sections::scene::calls;

impl Reverse<'_, '_> {
    /// The statement that brings back what `stmt` overwrites, from its result and values that it leaves as they are.
    pub(in crate::reverse) fn opposite(&mut self, stmt: &Stmt) -> Option<Stmt> {
        let StmtKind::Assign { lhs, rhs } = &stmt.kind else { return None };
        let d = lhs.as_var()?;
        let plain = lhs.rank == 0 && lhs.ty.base == rhs.ty.base && !calls(stmt);
        let before = inverse(rhs, lhs).filter(|_| plain)?;
        let mut others = Vec::new();
        let mut own = 0;
        for_each_expr(&before, &mut |x| match x.as_var() {
            Some(o) if o == d => own += 1,
            Some(o) => others.push(o.clone()),
            None => {}
        });
        let in_target = lhs.children().into_iter().any(|e| costate_analysis::storage::symbols(e).contains(&d.sym));
        let met = others.iter().any(|o| self.may_alias(o, d));
        let at_hand = others.iter().all(|o| self.has_memory(o.sym));
        (own == 1 && !met && !in_target && at_hand).then(|| self.b.assign(lhs.clone(), before, stmt, Role::Restore))
    }

    /// True for a variable that the backward sweep can refer to wherever the primal does.
    fn has_memory(&self, sym: costate_grammar::ir::SymId) -> bool {
        let managed =
            self.b.program.var(sym).is_none_or(|v| v.attrs.allocatable || v.attrs.pointer || v.ty.derived().is_some());
        !managed || self.storage.iter().any(|l| self.effects.locs.get(*l).sym == sym) || self.outliving(sym)
    }
}

/// True when a statement that is undone multiplies or divides.
pub(in crate::reverse) fn scales(stmt: &Stmt) -> bool {
    match &stmt.kind {
        StmtKind::Assign { lhs, rhs } => terms(rhs).len() == 1 && factors(rhs).iter().any(|(_, e)| *e == lhs),
        _ => false,
    }
}

/// The value of `x` before `x = e`, by its value after; `None` when `e` is neither an increment nor a scaling of `x`.
fn inverse(e: &Expr, x: &Expr) -> Option<Expr> {
    if !matches!(x.ty.base, Base::Real | Base::Complex | Base::Integer) {
        return None;
    }
    let parts = terms(e);
    let Some(own) = parts.iter().position(|(_, t)| *t == x) else {
        return unscaled(e, x);
    };
    if parts[own].0 {
        // `x = e - x` undoes itself.
        return Some(e.clone());
    }
    let others = parts.into_iter().enumerate().filter(|(k, _)| *k != own).map(|(_, part)| part);
    Some(others.fold(x.clone(), |sum, (negative, t)| if negative { sum.add(t.clone()) } else { sum.sub(t.clone()) }))
}

/// The same for a product: divisors are multiplied with, and only literals are divided by.
fn unscaled(e: &Expr, x: &Expr) -> Option<Expr> {
    let parts = factors(e);
    let own = parts.iter().position(|part| *part == (false, x)).filter(|_| x.ty.is_continuous())?;
    let mut others = parts.into_iter().enumerate().filter(|(k, _)| *k != own).map(|(_, part)| part);
    others.try_fold(x.clone(), |product, (divides, f)| match divides {
        true => Some(product.mul(f.clone())),
        false => f.literal_value().filter(|v| *v != 0.0).map(|_| product.div(f.clone())),
    })
}

/// The terms of a sum, with a flag for those that are subtracted.
fn terms(e: &Expr) -> Vec<(bool, &Expr)> {
    match &e.unparen().kind {
        ExprKind::Binary(BinaryOp::Add, a, b) => terms(a).into_iter().chain(terms(b)).collect(),
        ExprKind::Binary(BinaryOp::Sub, a, b) => {
            terms(a).into_iter().chain(terms(b).into_iter().map(|(n, t)| (!n, t))).collect()
        }
        ExprKind::Unary(UnaryOp::Minus, a) => terms(a).into_iter().map(|(n, t)| (!n, t)).collect(),
        _ => vec![(false, e.unparen())],
    }
}

/// The factors of a product, with a flag for divisors.
fn factors(e: &Expr) -> Vec<(bool, &Expr)> {
    match &e.unparen().kind {
        ExprKind::Binary(BinaryOp::Mul, a, b) => factors(a).into_iter().chain(factors(b)).collect(),
        ExprKind::Binary(BinaryOp::Div, a, b) => {
            factors(a).into_iter().chain(factors(b).into_iter().map(|(d, t)| (!d, t))).collect()
        }
        _ => vec![(false, e.unparen())],
    }
}
