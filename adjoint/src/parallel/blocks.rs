//! Loops whose iterations add to elements of their neighbours': they run in blocks, every other one in a first round and
//! the rest in a second, so that what the blocks of a round add to is apart.

use costate_analysis::affine;
use costate_grammar::intrinsics::Intrinsic;
use costate_grammar::ir::{Expr, LoopControl, Origin, Program, Role, ScopeId, Stmt, StmtKind, SymId, Ty};

use super::new_scalar;
use crate::expressions::in_kind;
use crate::names::Taken;

/// Iterations that are more than so many apart are no neighbours: blocks would be long, and few.
pub(super) const FARTHEST: i64 = 8;

/// Blocks in which the iterations of one of several loops in each other run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Blocks {
    /// Which of the loops, from the outermost one.
    pub(super) nth: usize,
    /// Iterations of a block: those that share an element are at most so many apart.
    pub(super) length: i64,
}

/// Lets one of `depth` loops in each other run over every other block of iterations, in the round whose number is the value
/// of the variable that is returned.
pub(super) fn every_other(
    program: &mut Program,
    s: &mut Stmt,
    (blocks, depth): (Blocks, usize),
    (scope, names): (ScopeId, &mut Taken),
) -> Option<SymId> {
    let LoopControl::Count { var, lo, hi, step } = loop_at(s, blocks.nth)?.0.clone() else { return None };
    let round = new_scalar(program, (scope, names), "round", (Ty::INTEGER, None));
    let by = step.as_ref().map_or(Some(1), Expr::as_int).unwrap_or(1);
    let origin = Origin::Derived { from: s.id, span: s.origin.span(), role: Role::Layout };
    let mut over = var;
    if blocks.length > 1 {
        let ty = program.var(var).map_or(lo.ty, |v| v.ty);
        let base = format!("{}_block", program[var].name);
        over = new_scalar(program, (scope, names), &base, (ty, Some(var)));
        let first = Expr::var(over, ty, 0);
        let last = affine::plus(&first, &Expr::int((blocks.length - 1) * by));
        let nearer = if by < 0 { Intrinsic::Max } else { Intrinsic::Min };
        let hi = Expr::intrinsic(nearer, vec![last, in_kind(hi.clone(), ty)]);
        let id = program.fresh_stmt();
        let (_, body) = loop_at(s, depth - 1)?;
        let own = std::mem::take(body);
        let within = LoopControl::Count { var, lo: first, hi, step };
        body.push(Stmt::new(id, StmtKind::repeat(within, own), origin));
    }
    let start = Expr::int(blocks.length * by.abs()).mul(Expr::var(round, Ty::INTEGER, 0));
    let lo = if by < 0 { lo.sub(start) } else { lo.add(start) };
    let (control, _) = loop_at(s, blocks.nth)?;
    *control = LoopControl::Count { var: over, lo, hi, step: Some(number(2 * blocks.length * by)) };
    Some(round)
}

/// A loop over every other block, in a first and a second round.
pub(super) fn in_rounds(program: &mut Program, s: Stmt, blocks: Blocks, round: SymId) -> Stmt {
    let origin = Origin::Derived { from: s.id, span: s.origin.span(), role: Role::Layout };
    let rounds = LoopControl::Count { var: round, lo: Expr::int(0), hi: Expr::int(1), step: None };
    let mut out = Stmt::new(program.fresh_stmt(), StmtKind::repeat(rounds, vec![s]), origin);
    out.leading.push(format!("! iterations add to elements of others that are up to {} away", blocks.length));
    out
}

/// The header and the body of a loop among those in each other.
fn loop_at(s: &mut Stmt, nth: usize) -> Option<(&mut LoopControl, &mut Vec<Stmt>)> {
    let StmtKind::Do { control, body, .. } = &mut s.kind else { return None };
    match nth {
        0 => Some((control, body)),
        _ => loop_at(body.first_mut()?, nth - 1),
    }
}

fn number(value: i64) -> Expr {
    if value < 0 { Expr::int(-value).neg() } else { Expr::int(value) }
}
