//! Facts about counted loops.

use std::collections::BTreeSet;

use costate_grammar::ir::{Expr, ExprKind, LoopControl, Program, Stmt, StmtKind, SymId, Variable};
use costate_grammar::operators::{BinaryOp, UnaryOp};

use crate::storage::{has_symbol, symbols};

/// Direction in which an expression grows with a variable, if it is affine in it with a constant coefficient.
pub fn slope(e: &Expr, var: SymId) -> Option<i64> {
    if !has_symbol(e, var) {
        return Some(0);
    }
    match &e.kind {
        ExprKind::Var(d) if d.sym == var && d.parts.is_empty() => Some(1),
        ExprKind::Paren(a) => slope(a, var),
        ExprKind::Unary(UnaryOp::Minus, a) => slope(a, var).map(|s| -s),
        ExprKind::Unary(UnaryOp::Plus, a) => slope(a, var),
        ExprKind::Binary(BinaryOp::Add, a, b) => Some(slope(a, var)? + slope(b, var)?),
        ExprKind::Binary(BinaryOp::Sub, a, b) => Some(slope(a, var)? - slope(b, var)?),
        ExprKind::Binary(BinaryOp::Mul, a, b) => match (a.as_int(), b.as_int()) {
            (Some(c), _) => Some(c * slope(b, var)?),
            (_, Some(c)) => Some(c * slope(a, var)?),
            _ => None,
        },
        _ => None,
    }
}

/// The first and the last iteration by their indices, the lower one first; `None` where a step leaves some out.
pub fn ends(control: &LoopControl) -> Option<(SymId, (Expr, Expr))> {
    let LoopControl::Count { var, lo, hi, step } = control else { return None };
    match step.as_ref().map(Expr::as_int) {
        None | Some(Some(1)) => Some((*var, (lo.clone(), hi.clone()))),
        Some(Some(-1)) => Some((*var, (hi.clone(), lo.clone()))),
        Some(_) => None,
    }
}

/// Replaces a variable by an expression.
pub fn substitute(e: &Expr, var: SymId, by: &Expr) -> Expr {
    costate_grammar::ir::map_expr(e.clone(), &mut |x| match &x.kind {
        ExprKind::Var(d) if d.sym == var && d.parts.is_empty() => {
            // Parentheses only where the replacement isn't atomic are the printer's work.
            by.clone()
        }
        _ => x,
    })
}

/// The flag of a loop that can be left early: normal form puts `if (flag) exit` last in its body.
pub fn exit_flag(body: &[Stmt]) -> Option<&Expr> {
    let last = body.last()?;
    match &last.kind {
        StmtKind::If { arms, otherwise: None, .. } if arms.len() == 1 => match arms[0].body.as_slice() {
            [Stmt { kind: StmtKind::Exit(None), .. }] => Some(&arms[0].cond),
            _ => None,
        },
        _ => None,
    }
}

/// True when trip count and index values follow from the header alone.
pub fn is_counted(control: &LoopControl) -> bool {
    matches!(control, LoopControl::Count { .. })
}

/// Whether a loop has an iteration at all, where its header tells.
pub fn has_iteration(control: &LoopControl) -> Option<bool> {
    let any = |lo: &Expr, hi: &Expr, step: Option<&Expr>| match (lo.as_int()?, hi.as_int()?, step_sign(step)?) {
        (lo, hi, 1) => Some(lo <= hi),
        (lo, hi, -1) => Some(lo >= hi),
        _ => None,
    };
    match control {
        LoopControl::Count { lo, hi, step, .. } => any(lo, hi, step.as_ref()),
        // A mask may leave iterations out.
        LoopControl::Concurrent { indices, .. } => {
            let empty = indices.iter().any(|(_, lo, hi, step)| any(lo, hi, step.as_ref()) == Some(false));
            empty.then_some(false)
        }
        LoopControl::While(_) | LoopControl::Forever => None,
    }
}

/// The sign of a step, when it is known.
pub fn step_sign(step: Option<&Expr>) -> Option<i64> {
    match step {
        None => Some(1),
        Some(s) => s.as_int().map(i64::signum),
    }
}

/// Symbols assigned as scalars or arrays anywhere in a block (loop variables included), by name of the root variable.
pub fn assigned(block: &[Stmt]) -> BTreeSet<SymId> {
    let mut out = BTreeSet::new();
    costate_grammar::ir::for_each_stmt(block, &mut |s| match &s.kind {
        StmtKind::Assign { lhs, .. } | StmtKind::PointerAssign { lhs, .. } => {
            out.extend(lhs.as_var().map(|d| d.sym));
        }
        StmtKind::Do { control: LoopControl::Count { var, .. }, .. } => {
            out.insert(*var);
        }
        _ => {}
    });
    out
}

/// Symbols whose values may be others after a block of assignments, branches and loops: those that it assigns, and where
/// one of them is memory that may have other names (pointers, targets, `equivalence`, `common`), all such that it mentions.
pub fn changing(program: &Program, block: &[Stmt]) -> BTreeSet<SymId> {
    let mut out = assigned(block);
    let shared = |s: &SymId| program.var(*s).is_some_and(Variable::has_other_names);
    if out.iter().any(shared) {
        costate_grammar::ir::for_each_stmt(block, &mut |s| {
            out.extend(s.exprs().into_iter().flat_map(symbols).filter(shared));
        });
    }
    out
}
