//! Counters of loops, `linear(j:2)`: what an iteration adds to one is the same for all, so each iteration computes its own
//! from its index, and threads need not run one after the other.

use costate_grammar::directives::{Clause, ClauseKind};
use costate_grammar::intrinsics::Intrinsic;
use costate_grammar::ir::{
    Base, Block, Expr, ExprKind, Governing, LoopControl, LoopDirective, Program, Stmt, StmtKind, SymId, Variable,
};
use costate_grammar::operators::BinaryOp;

use super::super::context::Cx;
use super::super::subst::{self, Map};
use super::distribution::jumps;
use super::may_change;
use crate::affine::{combine, minus, plus};
use crate::storage::symbols;

/// Gives each iteration of a loop counters of its own; returns what leaves those outside as the last iteration does, to stand
/// behind the loop.
pub(super) fn run(cx: &mut Cx, stmt: &mut Stmt, own: &mut [LoopDirective]) -> Block {
    let mut behind = Block::new();
    let collapsed = own.iter().any(|d| d.governing().collapse() > 1);
    for d in own.iter_mut().filter(|_| !collapsed) {
        let clauses = std::mem::take(&mut d.directive.clauses);
        for clause in clauses {
            let found = counters(cx.program, stmt, &clause, d.governing());
            if found.is_empty() {
                d.directive.clauses.push(clause);
                continue;
            }
            for (sym, by) in found {
                let Some((own, last)) = apart(cx, stmt, sym, by) else { continue };
                let list = vec![cx.program[own].name.to_string()];
                let text = format!("private({})", list[0]);
                d.directive.clauses.push(Clause { kind: ClauseKind::Private(list), text });
                d.names.push(own);
                behind.push(last);
            }
        }
    }
    behind
}

/// The variables of a clause and what each iteration adds to them. None, where one isn't such a counter.
fn counters(program: &Program, stmt: &Stmt, clause: &Clause, d: Governing<'_>) -> Vec<(SymId, i64)> {
    let ClauseKind::Other { name, text: Some(text) } = &clause.kind else { return Vec::new() };
    if name != "linear" {
        return Vec::new();
    }
    let (list, by) = text.split_once(':').unwrap_or((text, "1"));
    let of = |item: &str| {
        let (sym, by) = (d.named(program, item.trim())?, by.trim().parse().ok()?);
        (by != 0 && adds_once(program, stmt, sym, by)).then_some((sym, by))
    };
    list.split(',').map(of).collect::<Option<_>>().unwrap_or_default()
}

/// True for a loop of which each iteration adds a number to a variable once, and does nothing else to it.
fn adds_once(program: &Program, stmt: &Stmt, sym: SymId, by: i64) -> bool {
    let StmtKind::Do { body, control: LoopControl::Count { var, lo, hi, step }, .. } = &stmt.kind else { return false };
    let counts = |v: &Variable| v.ty.base == Base::Integer && v.rank() == 0 && !v.has_other_names();
    let (adding, rest): (Block, Block) = body.iter().cloned().partition(|s| adds(s, sym, by));
    let mut moved: Vec<&Expr> = vec![lo, hi];
    moved.extend(step);
    let changed = may_change(body);
    program.var(sym).is_some_and(counts)
        && *var != sym
        && adding.len() == 1
        && !may_change(&rest).contains(&sym)
        && !jumps(body)
        && moved.iter().all(|e| symbols(e).is_disjoint(&changed))
        && step.as_ref().is_none_or(|s| s.as_int().is_some_and(|n| n != 0))
}

/// True for `j = j + 2`.
fn adds(s: &Stmt, sym: SymId, by: i64) -> bool {
    let StmtKind::Assign { lhs, rhs } = &s.kind else { return false };
    let is = |e: &Expr| e.as_var().is_some_and(|d| d.sym == sym && d.parts.is_empty());
    let sum = |a: &Expr, b: &Expr| is(a) && b.as_int() == Some(by);
    let parts = match &rhs.kind {
        ExprKind::Binary(BinaryOp::Add, a, b) => sum(a, b) || sum(b, a),
        ExprKind::Binary(BinaryOp::Sub, a, b) => is(a) && b.as_int() == Some(-by),
        _ => false,
    };
    is(lhs) && parts
}

/// Lets another variable stand for a counter in the loop. Returns it, and what the counter is behind.
fn apart(cx: &mut Cx, stmt: &mut Stmt, sym: SymId, by: i64) -> Option<(SymId, Stmt)> {
    cx.at(stmt);
    let StmtKind::Do { body, control: LoopControl::Count { var, lo, hi, step }, .. } = &mut stmt.kind else {
        return None;
    };
    let of = |program: &Program, s: SymId| program.var(s).map(|v| Expr::var(s, v.ty, 0));
    let (whole, index) = (of(cx.program, sym)?, of(cx.program, *var)?);
    let name = cx.program[sym].name.as_str().to_string();
    let own = cx.scalar(&name, whole.ty, &whole);
    let step = step.as_ref().and_then(Expr::as_int).unwrap_or(1);
    let iterations = |way: Expr| if step == 1 { way } else { Expr::binary(BinaryOp::Div, way, Expr::int(step)) };
    let behind = |n: &Expr| combine(&whole, by, n);
    // Before and behind the statement that adds to it.
    let values = [lo.clone(), plus(lo, &Expr::int(-step))].map(|from| behind(&iterations(minus(&index, &from))));
    let at = body.iter().position(|s| adds(s, sym, by))?;
    subst::block(cx, &Map::from([(sym, own.clone())]), body);
    let [first, then] = values.map(|v| cx.assign(own.clone(), v));
    body[at] = then;
    body.insert(0, first);
    let all = iterations(plus(&minus(hi, lo), &Expr::int(step)));
    let all = Expr { ty: all.ty, rank: 0, ..Expr::intrinsic(Intrinsic::Max, vec![all, Expr::int(0)]) };
    let last = cx.assign(whole.clone(), behind(&all));
    Some((own.as_var()?.sym, last))
}
