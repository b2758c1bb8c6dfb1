//! Sums of what iterations add to one element.

use std::collections::BTreeSet;

use costate_grammar::ir::{
    Designator, Expr, ExprKind, Origin, Program, Role, ScopeId, Stmt, StmtId, StmtKind, SymId, SymbolKind, Variable,
    map_expr,
};
use costate_grammar::source::Span;

use crate::names::Taken;

/// A sum that stands for increments of an element.
pub(super) struct Sum {
    /// The variable of the sum.
    pub(super) variable: SymId,
    /// It starts at zero.
    pub(super) before: Stmt,
    /// The element gets all of it.
    pub(super) after: Stmt,
}

/// Lets the statements of a loop that add to an element add to a variable of the given scope instead.
pub(super) fn sum_up(
    program: &mut Program,
    s: &mut Stmt,
    (element, stmts): (&Expr, &BTreeSet<StmtId>),
    (scope, names): (ScopeId, &mut Taken),
) -> Sum {
    let of = element.as_var().map(|d| d.sym);
    let base = of.map_or("sum".to_string(), |x| format!("{}_sum", program[x].name));
    let like = of.and_then(|x| program.var(x)).cloned();
    let spelling = like.as_ref().map_or_else(|| program.spell(element.ty), |v| v.spelling.clone());
    let mut var = Variable::scalar(element.ty, spelling);
    var.spelling_uses = like.map(|v| v.spelling_uses).unwrap_or_default();
    let variable = program.add_symbol(scope, names.fresh(&base), Span::default(), SymbolKind::Variable(Box::new(var)));
    let sum = Expr::new(ExprKind::Var(Designator::whole(variable)), element.ty, 0);
    replace(s, element, stmts, &sum);
    let origin = Origin::Derived { from: s.id, span: s.origin.span(), role: Role::Adjoint };
    let mut stmt = |lhs, rhs| Stmt::new(program.fresh_stmt(), StmtKind::Assign { lhs, rhs }, origin);
    let before = stmt(sum.clone(), Expr::zero(element.ty));
    let after = stmt(element.clone(), element.clone().add(sum));
    Sum { variable, before, after }
}

fn replace(s: &mut Stmt, element: &Expr, stmts: &BTreeSet<StmtId>, sum: &Expr) {
    for block in s.blocks_mut() {
        for inner in block.iter_mut() {
            match &mut inner.kind {
                StmtKind::Assign { lhs, rhs } if stmts.contains(&inner.id) && lhs == element => {
                    let before = std::mem::replace(rhs, sum.clone());
                    *rhs = map_expr(before, &mut |x| if x == *element { sum.clone() } else { x });
                    *lhs = sum.clone();
                }
                _ => replace(inner, element, stmts, sum),
            }
        }
    }
}
