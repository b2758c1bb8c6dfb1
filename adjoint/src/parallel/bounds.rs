//! Bounds of loops that get directives. GNU Fortran 12 stops with an error of its own (`gfc_trans_omp_do`) where a bound calls
//! a function twice with the same arguments: such a bound gets a name first.

use costate_grammar::ir::{
    Block, Expr, ExprKind, LoopControl, Origin, Program, Role, ScopeId, Stmt, StmtKind, for_each_expr,
};

use super::new_scalar;
use crate::names::Taken;

/// Gives names to such bounds of loops in each other, `depth` of them. Returns the assignments.
pub(super) fn named(program: &mut Program, s: &mut Stmt, depth: usize, (scope, names): (ScopeId, &mut Taken)) -> Block {
    let origin = Origin::Derived { from: s.id, span: s.origin.span(), role: Role::Layout };
    let mut out = Block::new();
    let mut at = s;
    for _ in 0..depth {
        let StmtKind::Do { control: LoopControl::Count { var, lo, hi, .. }, body, .. } = &mut at.kind else { break };
        for (bound, what) in [(lo, "first"), (hi, "last")] {
            if !calls_twice(bound) {
                continue;
            }
            let base = format!("{what}_{}", program[*var].name);
            let sym = new_scalar(program, (scope, names), &base, (bound.ty, None));
            let value = Expr::var(sym, bound.ty, 0);
            let rhs = std::mem::replace(bound, value.clone());
            out.push(Stmt::new(program.fresh_stmt(), StmtKind::Assign { lhs: value, rhs }, origin));
        }
        let Some(inner) = body.first_mut() else { break };
        at = inner;
    }
    out
}

fn calls_twice(e: &Expr) -> bool {
    let (mut seen, mut twice) = (Vec::new(), false);
    for_each_expr(e, &mut |x| {
        if let ExprKind::Call { .. } = &x.kind {
            twice |= seen.contains(&x);
            seen.push(x);
        }
    });
    twice
}
