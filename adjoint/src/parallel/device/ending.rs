//! Local arrays that have memory where a procedure ends: it is freed there, and so have to be the copies on the device.

use std::collections::BTreeSet;

use costate_grammar::intrinsics::Intrinsic;
use costate_grammar::ir::{
    Block, Callee, Expr, ExprKind, IfArm, Program, Role, Stmt, StmtKind, SymId, Variable, for_each_stmt,
};
use costate_grammar::operators::UnaryOp;

use super::place::{Place, statement};
use super::{Left, callees, fits, memory};

/// Local arrays that may have memory where the procedure ends.
pub(super) fn left_to_the_end(program: &Program, left: Left<'_>, body: &[Stmt]) -> BTreeSet<SymId> {
    let mut given = BTreeSet::new();
    for_each_stmt(body, &mut |s| {
        if matches!(s.kind, StmtKind::Allocate { .. }) {
            given.extend(callees::given_memory(s));
        }
    });
    let local = |x: &SymId| {
        let own = |v: &Variable| v.attrs.allocatable && v.dummy.is_none() && !v.attrs.save;
        !left(program, *x) && program.var(*x).is_some_and(own)
    };
    given.retain(|x| local(x) && fits(program, *x) && holds(body, *x, false));
    given
}

/// True where an array may have memory behind a block, given whether it may before.
fn holds(block: &[Stmt], sym: SymId, before: bool) -> bool {
    block.iter().fold(before, |has, s| match &s.kind {
        StmtKind::Allocate { .. } if callees::given_memory(s).contains(&sym) => true,
        StmtKind::Deallocate { .. } if callees::given_memory(s).contains(&sym) => false,
        StmtKind::If { arms, otherwise, .. } => {
            let known = |arm: &IfArm| asked(&arm.cond, sym);
            let inside = |arm: &IfArm| holds(&arm.body, sym, has && known(arm) != Some(false));
            // Where all conditions are false, those that ask for memory tell.
            let rest = has && arms.iter().all(|arm| known(arm) != Some(true));
            arms.iter().any(inside) || otherwise.as_ref().map_or(rest, |b| holds(b, sym, rest))
        }
        // It may run any number of times, and be left before the memory is freed.
        _ => s.blocks().into_iter().fold(has, |has, b| has || holds(b, sym, has) || left_between(b, sym)),
    })
}

/// True for a block that gives an array memory and has statements that leave it, or a construct around it.
fn left_between(block: &[Stmt], sym: SymId) -> bool {
    let (mut given, mut left) = (false, false);
    for_each_stmt(block, &mut |s| {
        given |= matches!(s.kind, StmtKind::Allocate { .. }) && callees::given_memory(s).contains(&sym);
        left |= matches!(s.kind, StmtKind::Exit(_) | StmtKind::Cycle(_));
    });
    given && left
}

/// Whether an array has memory where a condition is true, if that tells.
fn asked(cond: &Expr, sym: SymId) -> Option<bool> {
    match &cond.kind {
        ExprKind::Unary(UnaryOp::Not, inner) => asked(inner, sym).map(|has| !has),
        ExprKind::Call { callee: Callee::Intrinsic(Intrinsic::Allocated), args } => {
            let of = args.first().and_then(|a| a.value.as_var()).is_some_and(|d| d.sym == sym && d.parts.is_empty());
            of.then_some(true)
        }
        _ => None,
    }
}

/// Frees copies at the end.
pub(super) fn freed(place: &mut Place<'_>, mut body: Block, copies: &BTreeSet<SymId>) -> Block {
    let Some(from) = body.last().cloned() else { return body };
    for copy in copies {
        let list = [*copy];
        let names = place.list(&list);
        let texts = [format!("exit data delete({names})"), format!("target exit data map(delete: {names})")];
        let mut inner: Block = place.directive([&texts[0], &texts[1]], &from, &list, None).into_iter().collect();
        let items = vec![memory::variable(place.program, *copy)];
        inner.push(statement(place, &from, StmtKind::Deallocate { items, options: Vec::new() }, Role::Storage));
        body.extend(memory::branch(place, *copy, true, inner));
    }
    body
}
