//! Sums of what iterations add to one element, and sums over iterations where directives know none.

use std::collections::BTreeSet;

use costate_analysis::loops::step_sign;
use costate_grammar::intrinsics::Intrinsic;
use costate_grammar::ir::{
    AllocItem, Block, Designator, Dim, Expr, ExprKind, LoopControl, Origin, Program, Role, ScopeId, Stmt, StmtId,
    StmtKind, SymId, SymbolKind, map_expr,
};
use costate_grammar::source::Span;

use super::new_scalar;
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
    let variable = new_scalar(program, (scope, names), &base, (element.ty, of));
    let sum = Expr::new(ExprKind::Var(Designator::whole(variable)), element.ty, 0);
    replace(s, element, &|id| stmts.contains(&id), &sum);
    let origin = Origin::Derived { from: s.id, span: s.origin.span(), role: Role::Adjoint };
    let mut stmt = |lhs, rhs| Stmt::new(program.fresh_stmt(), StmtKind::Assign { lhs, rhs }, origin);
    let before = stmt(sum.clone(), Expr::zero(element.ty));
    let after = stmt(element.clone(), element.clone().add(sum));
    Sum { variable, before, after }
}

/// Lets the iterations of loops in each other, `depth` of them, add to elements of their own of an array instead of to a
/// scalar; the array is added up behind the loops. Returns what comes before and behind.
pub(super) fn by_iteration(
    program: &mut Program,
    s: &mut Stmt,
    (scalar, depth): (SymId, usize),
    (scope, names): (ScopeId, &mut Taken),
) -> [Block; 2] {
    let Some(mut var) = program.var(scalar).cloned() else { return Default::default() };
    let (mut shape, mut at) = (Vec::new(), Vec::new());
    // The innermost loop runs along the first dimension.
    for (index, lo, hi) in limits(s, depth).into_iter().rev() {
        shape.push((Some(lo.clone()), hi));
        at.push(Expr::var(index, lo.ty, 0));
    }
    (var.dummy, var.intent, var.init) = Default::default();
    var.attrs = Default::default();
    var.attrs.allocatable = true;
    var.dims = vec![Dim::Deferred; shape.len()];
    let (ty, rank) = (var.ty, shape.len() as u8);
    let name = names.fresh(&format!("{}_sums", program[scalar].name));
    let array = program.add_symbol(scope, name, Span::default(), SymbolKind::Variable(Box::new(var)));
    replace(s, &Expr::var(scalar, ty, 0), &|_| true, &Expr::element(array, ty, at));
    let origin = Origin::Derived { from: s.id, span: s.origin.span(), role: Role::Adjoint };
    let mut stmt = |kind| Stmt::new(program.fresh_stmt(), kind, origin);
    let whole = Expr::var(array, ty, rank);
    let item = |shape| vec![AllocItem { object: whole.clone(), shape }];
    let sum = Expr::var(scalar, ty, 0).add(Expr::intrinsic(Intrinsic::Sum, vec![whole.clone()]));
    let before = vec![
        stmt(StmtKind::Allocate { items: item(shape), type_spec: None, options: Vec::new() }),
        stmt(StmtKind::Assign { lhs: whole.clone(), rhs: Expr::zero(ty) }),
    ];
    let after = vec![
        stmt(StmtKind::Assign { lhs: Expr::var(scalar, ty, 0), rhs: sum }),
        stmt(StmtKind::Deallocate { items: vec![whole], options: Vec::new() }),
    ];
    [before, after]
}

/// The variables of loops in each other, with their least and greatest values.
fn limits(s: &Stmt, depth: usize) -> Vec<(SymId, Expr, Expr)> {
    let mut out = Vec::new();
    let mut at = s;
    while out.len() < depth {
        let StmtKind::Do { control: LoopControl::Count { var, lo, hi, step }, body, .. } = &at.kind else { break };
        let (lo, hi) = if step_sign(step.as_ref()) == Some(-1) { (hi, lo) } else { (lo, hi) };
        out.push((*var, lo.clone(), hi.clone()));
        let Some(inner) = body.first() else { break };
        at = inner;
    }
    out
}

/// Lets assignments to an element, those that are wanted, add to a sum instead.
fn replace(s: &mut Stmt, element: &Expr, wanted: &dyn Fn(StmtId) -> bool, sum: &Expr) {
    for block in s.blocks_mut() {
        for inner in block.iter_mut() {
            match &mut inner.kind {
                StmtKind::Assign { lhs, rhs } if wanted(inner.id) && lhs == element => {
                    let before = std::mem::replace(rhs, sum.clone());
                    *rhs = map_expr(before, &mut |x| if x == *element { sum.clone() } else { x });
                    *lhs = sum.clone();
                }
                _ => replace(inner, element, wanted, sum),
            }
        }
    }
}
