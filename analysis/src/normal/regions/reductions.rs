//! Loops over which products, maxima and minima are formed, and loops that leave the values of their last iteration: written
//! so that each iteration has values of its own, and what is made of these stands behind the loop, or in one iteration.

use std::collections::BTreeSet;

use costate_grammar::directives::ClauseKind;
use costate_grammar::intrinsics::Intrinsic;
use costate_grammar::ir::{Base, Block, Expr, Governing, LoopControl, Parallel, Stmt, StmtKind, SymId, Ty};
use costate_grammar::operators::BinaryOp;

use super::super::context::Cx;
use super::super::subst::{self, Map};
use super::kept::{Kept, ends};
use super::{for_each_mut, proved};
use crate::loops::assigned;

/// An operator by which the values of iterations are put together, other than a sum.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Operator {
    Product,
    Maximum,
    Minimum,
}

impl Operator {
    fn of(text: &str) -> Option<Operator> {
        match text {
            "*" => Some(Operator::Product),
            "max" => Some(Operator::Maximum),
            "min" => Some(Operator::Minimum),
            _ => None,
        }
    }

    /// What changes nothing.
    fn neutral(self, like: &Expr) -> Expr {
        let huge = Expr { rank: 0, ..Expr::intrinsic(Intrinsic::Huge, vec![like.clone()]) };
        let huge = Expr { ty: like.ty, ..huge };
        match self {
            Operator::Product => Expr::int(1),
            Operator::Maximum => huge.neg(),
            Operator::Minimum => huge,
        }
    }

    fn together(self, a: Expr, b: Expr) -> Expr {
        let ty = a.ty;
        match self {
            Operator::Product => a.mul(b),
            Operator::Maximum => Expr { ty, rank: 0, ..Expr::intrinsic(Intrinsic::Max, vec![a, b]) },
            Operator::Minimum => Expr { ty, rank: 0, ..Expr::intrinsic(Intrinsic::Min, vec![a, b]) },
        }
    }
}

/// Rewrites a loop that has directives; `used` are the variables that are used after it.
pub(super) fn run(cx: &mut Cx, stmt: Stmt, all: &[Governing<'_>], used: &BTreeSet<SymId>) -> Block {
    let StmtKind::Do { control, body, .. } = &stmt.kind else { return vec![stmt] };
    let (Some((var, ends)), LoopControl::Count { hi, .. }) = (ends(control), control) else { return vec![stmt] };
    let last = hi.clone();
    let changed = assigned(body);
    let scalar = |cx: &Cx, s: &SymId| cx.program.var(*s).is_some_and(|v| v.rank() == 0 && !v.attrs.allocatable);
    let real = |cx: &Cx, s: &SymId| cx.program.var(*s).is_some_and(|v| v.ty.base == Base::Real);
    let mut reduced: Vec<(SymId, Operator)> = Vec::new();
    let mut lasting: Vec<SymId> = Vec::new();
    for d in all {
        for c in &d.directive.clauses {
            if let ClauseKind::Reduction { op, list } = &c.kind
                && let Some(op) = Operator::of(op)
            {
                let named = list.iter().filter_map(|item| d.named(cx.program, item));
                reduced.extend(named.filter(|s| changed.contains(s) && real(cx, s)).map(|s| (s, op)));
            }
        }
        lasting.extend(d.last_private(cx.program).into_iter().filter(|s| changed.contains(s) && *s != var));
    }
    reduced.retain(|(s, _)| scalar(cx, s));
    lasting.retain(|s| scalar(cx, s) && used.contains(s));
    reduced.dedup();
    lasting.dedup();
    cx.at(&stmt);
    let mut made = Made { stmt, before: Block::new(), after: Block::new() };
    for (sym, op) in reduced {
        made.reduce(cx, (sym, op), var, &ends);
    }
    for sym in lasting {
        made.keep_last(cx, sym, var, &last);
    }
    let Made { stmt, mut before, after } = made;
    before.push(stmt);
    before.extend(after);
    before
}

struct Made {
    stmt: Stmt,
    before: Block,
    after: Block,
}

impl Made {
    fn parts(&mut self) -> Option<(&mut Block, &mut Option<Box<Parallel>>)> {
        match &mut self.stmt.kind {
            StmtKind::Do { body, parallel, .. } => Some((body, parallel)),
            _ => None,
        }
    }

    /// Lets another variable, of which each iteration has its own, stand for one in the body; returns it.
    fn own(&mut self, cx: &mut Cx, sym: SymId) -> Option<Expr> {
        let v = cx.program.var(sym)?;
        let like = Expr::var(sym, v.ty, 0);
        let name = cx.program[sym].name.as_str().to_string();
        let own = cx.scalar(&name, like.ty, &like);
        let map = Map::from([(sym, own.clone())]);
        let own_sym = own.as_var()?.sym;
        let (body, parallel) = self.parts()?;
        subst::block(cx, &map, body);
        for_each_mut(body, &mut |s| proved::substitute(cx.program, &map, s));
        if let Some(evidence) = parallel.as_mut().and_then(|p| p.evidence.as_mut()) {
            evidence.private.push(own_sym);
        }
        Some(own)
    }

    /// Each iteration forms its own value; behind the loop they are put together.
    fn reduce(&mut self, cx: &mut Cx, (sym, op): (SymId, Operator), var: SymId, ends: &(Expr, Expr)) {
        let Some(own) = self.own(cx, sym) else { return };
        let whole = Expr::var(sym, own.ty, 0);
        let mut values = Kept::new(cx, "value", &whole, ends);
        self.before.append(&mut values.before);
        self.after.append(&mut values.after);
        let kind = cx.program.var(var).map_or(Ty::INTEGER, |v| v.ty);
        let first = cx.assign(own.clone(), op.neutral(&whole));
        let element = values.of(cx, var);
        let last = cx.assign(element, own.clone());
        if let Some((body, _)) = self.parts() {
            body.insert(0, first);
            body.push(last);
        }
        let index = cx.index(kind.kind);
        let element = values.of(cx, index);
        let update = cx.assign(whole.clone(), op.together(whole, element));
        cx.release(index);
        let control = LoopControl::Count { var: index, lo: ends.0.clone(), hi: ends.1.clone(), step: None };
        let put = cx.stmt(StmtKind::repeat(control, vec![update]));
        self.after.insert(0, put);
    }

    /// The last iteration hands its value on.
    fn keep_last(&mut self, cx: &mut Cx, sym: SymId, var: SymId, last: &Expr) {
        let Some(own) = self.own(cx, sym) else { return };
        let index = cx.program.var(var).map(|v| Expr::var(var, v.ty, 0));
        let Some(index) = index else { return };
        let set = cx.assign(Expr::var(sym, own.ty, 0), own);
        let cond = Expr::binary(BinaryOp::Eq, index, last.clone());
        let hand_on = cx.if_one(cond, set);
        if let Some((body, _)) = self.parts() {
            body.push(hand_on);
        }
    }
}
