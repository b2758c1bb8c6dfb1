//! Indices that wrap around at the end of a loop, `ip = i + 1` and then `if (ip > n) ip = 1`: one assignment gives them their
//! value, `ip = merge(1, i + 1, i + 1 > n)`, which may stand in their place.

use costate_grammar::intrinsics::Intrinsic;
use costate_grammar::ir::{Base, Block, Expr, ExprKind, Stmt, StmtKind, SymId, for_each_expr, for_each_stmt};
use costate_grammar::operators::BinaryOp;

use crate::loops::{assigned, substitute};
use crate::sections::scene::calls;
use crate::storage::{has_symbol, symbols};

/// Gives private indices of a loop their value by one assignment.
pub(super) fn as_one(block: &mut Block, private: &[SymId]) {
    let mut k = 0;
    while k < block.len() {
        if let Some((first, made)) =
            chosen(&block[k], private).map(|v| (None, v)).or_else(|| wrapped(block, k, private))
        {
            let (sym, value) = made;
            let ty = value.ty;
            block[k].kind = StmtKind::Assign { lhs: Expr::var(sym, ty, 0), rhs: value };
            if let Some(first) = first {
                let before = block.remove(first);
                block[k - 1].leading.splice(0..0, before.leading);
                k -= 1;
            }
        } else if !block[k].is_region() {
            block[k].blocks_mut().into_iter().for_each(|b| as_one(b, private));
        }
        k += 1;
    }
}

/// `if (cond) then; ip = a; else; ip = b; end if`
fn chosen(s: &Stmt, private: &[SymId]) -> Option<(SymId, Expr)> {
    let StmtKind::If { arms, otherwise: Some(rest), .. } = &s.kind else { return None };
    let ([arm], [rest]) = (arms.as_slice(), rest.as_slice()) else { return None };
    let [only] = arm.body.as_slice() else { return None };
    let ((sym, a), (other, b)) = (index(only, private)?, index(rest, private)?);
    let uses = [a, b, &arm.cond].iter().any(|e| has_symbol(e, sym));
    (sym == other && !uses).then(|| (sym, either(a, b, &arm.cond)))
}

/// `if (cond) ip = a` behind `ip = b`, where nothing in between has to do with these. Also gives the place of that.
fn wrapped(block: &[Stmt], k: usize, private: &[SymId]) -> Option<(Option<usize>, (SymId, Expr))> {
    let StmtKind::If { arms, otherwise: None, .. } = &block[k].kind else { return None };
    let [arm] = arms.as_slice() else { return None };
    let [only] = arm.body.as_slice() else { return None };
    let (sym, a) = index(only, private)?;
    let first = block[..k].iter().rposition(|s| index(s, private).is_some_and(|i| i.0 == sym))?;
    let (_, b) = index(&block[first], private)?;
    let between = &block[first + 1..k];
    let changed = assigned(between);
    let stands = !has_symbol(b, sym) && !symbols(b).iter().any(|x| changed.contains(x));
    let mut apart = true;
    for_each_stmt(between, &mut |s| {
        apart &= matches!(s.kind, StmtKind::Assign { .. } | StmtKind::If { .. });
        apart &= !calls(s) && !s.exprs().into_iter().any(|e| has_symbol(e, sym));
    });
    if !stands || !apart {
        return None;
    }
    let known = |e: &Expr| substitute(e, sym, b);
    Some((Some(first), (sym, either(&known(a), b, &known(&arm.cond)))))
}

/// The private integer that a statement assigns a plain value, with this.
fn index<'s>(s: &'s Stmt, private: &[SymId]) -> Option<(SymId, &'s Expr)> {
    let StmtKind::Assign { lhs, rhs } = &s.kind else { return None };
    let d = lhs.as_var().filter(|d| d.parts.is_empty() && private.contains(&d.sym))?;
    let mut plain = s.label.is_none() && lhs.ty.base == Base::Integer && rhs.ty == lhs.ty && rhs.rank == 0;
    for_each_expr(rhs, &mut |e| {
        plain &= match &e.kind {
            ExprKind::Var(d) => d.parts.is_empty(),
            ExprKind::Int { .. } | ExprKind::Unary(..) | ExprKind::Paren(_) => true,
            // Both values are computed, whatever the condition guards against.
            ExprKind::Binary(op, ..) => matches!(op, BinaryOp::Add | BinaryOp::Sub | BinaryOp::Mul),
            _ => false,
        };
    });
    plain.then_some((d.sym, rhs))
}

fn either(a: &Expr, b: &Expr, cond: &Expr) -> Expr {
    Expr { ty: a.ty, ..Expr::intrinsic(Intrinsic::Merge, vec![a.clone(), b.clone(), cond.clone()]) }
}
