//! Derivatives of private variables are zero where an iteration begins.

use costate_analysis::storage::{all_components, component};
use costate_grammar::intrinsics::Intrinsic;
use costate_grammar::ir::{
    Block, Component, Designator, Expr, ExprKind, LoopControl, Origin, Part, Program, Role, ScopeId, Stmt, StmtKind,
    Subscript, SymId, Ty,
};

use super::nests::innermost_body;
use super::new_scalar;
use crate::names::Taken;

/// Sets variables to zero where an iteration of so many loops in each other begins.
pub(super) fn at_zero(
    program: &mut Program,
    s: &mut Stmt,
    (zeroed, depth): (&[SymId], usize),
    (scope, names): (ScopeId, &mut Taken),
) {
    let origin = Origin::Derived { from: s.id, span: s.origin.span(), role: Role::Adjoint };
    let mut zeros = Block::new();
    for sym in zeroed {
        let Some(v) = program.var(*sym) else { continue };
        let whole = Expr::var(*sym, v.ty, v.rank());
        zeros.extend(zero(program, whole, origin, (scope, names)));
    }
    if let Some(body) = innermost_body(s, depth) {
        body.splice(0..0, zeros);
    }
}

/// Statements that set a reference to zero: of an object its components, of an array of objects one after the other.
fn zero(program: &mut Program, e: Expr, origin: Origin, (scope, names): (ScopeId, &mut Taken)) -> Block {
    let Some(of) = e.ty.derived() else {
        if !e.ty.is_continuous() {
            return Block::new();
        }
        let kind = StmtKind::Assign { rhs: Expr::zero(e.ty), lhs: e };
        return vec![Stmt::new(program.fresh_stmt(), kind, origin)];
    };
    let Some(d) = e.as_var().filter(|_| e.rank > 0).cloned() else {
        let all: Vec<Component> = all_components(program, of).into_iter().cloned().collect();
        let mut out = Block::new();
        for c in all {
            let part = component(program, &e, &c.name, c.var.ty, c.var.rank());
            out.extend(zero(program, part, origin, (scope, names)));
        }
        return out;
    };
    let variables: Vec<SymId> =
        (0..e.rank).map(|_| new_scalar(program, (scope, names), "i", (Ty::INTEGER, None))).collect();
    let subscripts = variables.iter().map(|i| Subscript::Index(Expr::var(*i, Ty::INTEGER, 0))).collect();
    let parts = d.parts.into_iter().chain([Part::Subscripts(subscripts)]).collect();
    let element = Expr::new(ExprKind::Var(Designator { sym: d.sym, parts }), e.ty, 0);
    let mut out = zero(program, element, origin, (scope, names));
    for (k, var) in (1..).zip(variables) {
        let bound = |which| Expr::intrinsic(which, vec![e.clone(), Expr::int(k)]);
        let (lo, hi) = (bound(Intrinsic::Lbound), bound(Intrinsic::Ubound));
        let kind = StmtKind::repeat(LoopControl::Count { var, lo, hi, step: None }, out);
        out = vec![Stmt::new(program.fresh_stmt(), kind, origin)];
    }
    out
}
