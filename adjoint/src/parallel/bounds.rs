//! Bounds of loops that get directives. GNU Fortran 12 stops with an error of its own (`gfc_trans_omp_do`) where a bound calls
//! a function twice with the same arguments: such a bound gets a name first. And loops without iterations.

use costate_analysis::loops::{has_iteration, step_sign};
use costate_grammar::ir::{
    Block, Expr, ExprKind, IfArm, LoopControl, Origin, Program, Role, ScopeId, Stmt, StmtKind, for_each_expr,
};
use costate_grammar::operators::BinaryOp;

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

/// The loop where it has an iteration. Without one, OpenMP leaves variables undefined that keep the value of the last one.
pub(super) fn where_it_runs(program: &mut Program, mut s: Stmt, depth: usize) -> Stmt {
    let mut runs: Option<Expr> = None;
    let mut at = &s;
    for _ in 0..depth {
        let StmtKind::Do { control, body, .. } = &at.kind else { break };
        if let (LoopControl::Count { lo, hi, step, .. }, None | Some(false)) = (control, has_iteration(control)) {
            let (lo, hi) = (lo.clone(), hi.clone());
            let one = match (step_sign(step.as_ref()), step) {
                (Some(sign), _) if sign > 0 => Expr::binary(BinaryOp::Le, lo, hi),
                (Some(_), _) | (None, None) => Expr::binary(BinaryOp::Ge, lo, hi),
                (None, Some(step)) => {
                    let count = hi.sub(lo).add(step.clone()).div(step.clone());
                    Expr::binary(BinaryOp::Gt, count, Expr::int(0))
                }
            };
            runs = Some(runs.map_or(one.clone(), |r| r.and(one)));
        }
        let Some(inner) = body.first() else { break };
        at = inner;
    }
    let Some(cond) = runs else { return s };
    let origin = Origin::Derived { from: s.id, span: s.origin.span(), role: Role::Layout };
    let leading = std::mem::take(&mut s.leading);
    let arms = vec![IfArm { cond, body: vec![s] }];
    let kind = StmtKind::If { name: None, arms, otherwise: None, one_line: false };
    Stmt { leading, ..Stmt::new(program.fresh_stmt(), kind, origin) }
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
