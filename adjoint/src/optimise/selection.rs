//! A branch keeps a compiler from vectorising a loop. In an innermost loop of the backward sweep, a short branch whose
//! blocks only assign is written with `merge`: each element gets the value from the way that is taken. What is then
//! computed on the way that isn't taken can neither fail nor refer to elements that may not exist.

use std::collections::BTreeSet;

use costate_analysis::loops::changing;
use costate_analysis::storage::symbols;
use costate_grammar::intrinsics::Intrinsic;
use costate_grammar::ir::{Expr, ExprKind, LoopControl, Origin, Role, Stmt, StmtKind, SymId, for_each_expr, map_expr};
use costate_grammar::operators::BinaryOp;

use super::accumulators::mentions;
use super::code::Code;
use crate::expressions::without_first;
use costate_analysis::dependence::independence::{analyse, simple};

/// Branches with more operations stay: both ways would be computed.
const MOST: usize = 16;

/// Writes short branches of the backward sweep as selections.
pub(super) fn run(code: &mut Code<'_, '_>) {
    code.in_backward(|code, backward, _| code.select_in(backward));
}

impl Code<'_, '_> {
    /// Writes the branches in the innermost loops of a block as selections.
    pub(super) fn select_in(&mut self, block: &mut [Stmt]) {
        for s in block.iter_mut().filter(|s| !s.is_region()) {
            let backward = matches!(s.origin, Origin::Derived { role: Role::Adjoint, .. });
            match &mut s.kind {
                StmtKind::Do { control: LoopControl::Count { var, .. }, body, .. }
                    if backward && body.iter().any(|s| matches!(s.kind, StmtKind::If { .. })) =>
                {
                    let straight = self.selected(body).filter(|b| self.any_order(b, *var));
                    match straight {
                        Some(straight) => *body = straight,
                        None => self.select_in(body),
                    }
                }
                _ => s.blocks_mut().into_iter().for_each(|b| self.select_in(b)),
            }
        }
    }

    /// True when the iterations may run in any order, as far as that can be told before it is known which scalars are
    /// used in one iteration only.
    fn any_order(&self, body: &[Stmt], var: SymId) -> bool {
        let mut body = body.to_vec();
        for s in &mut body {
            // The adjoint of a scalar of the iteration is zero where no branch assigns it.
            if let StmtKind::Assign { lhs, rhs } = &mut s.kind
                && lhs.as_var().is_some_and(|d| d.parts.is_empty())
            {
                *rhs = map_expr(rhs.clone(), &mut |x| if x == *lhs { Expr::zero(x.ty) } else { x });
            }
        }
        analyse(self.b.program, &body, &[var], &changing(self.b.program, &body)).is_some()
    }

    /// The body without branches; `None` when one of them stays.
    fn selected(&mut self, body: &[Stmt]) -> Option<Vec<Stmt>> {
        let mut ways = Always::default();
        for e in body.iter().flat_map(Stmt::exprs) {
            for_each_expr(e, &mut |x| ways.exist.extend(x.as_var().map(|_| x.clone())));
        }
        let reads = body.iter().flat_map(|s| match &s.kind {
            StmtKind::Assign { lhs, rhs } => lhs.children().into_iter().chain([rhs]).collect(),
            _ => s.exprs(),
        });
        reads.for_each(|e| variables(e, &mut ways.defined));
        let mut out = Vec::new();
        for s in body {
            match &s.kind {
                StmtKind::Assign { lhs, .. } if simple(self.b.program, s) => {
                    ways.defined.push(lhs.clone());
                    out.push(s.clone());
                }
                StmtKind::If { .. } => out.extend(self.selection(s, &ways)?),
                _ => return None,
            }
        }
        Some(out)
    }

    /// The assignments that a branch stands for.
    fn selection(&mut self, s: &Stmt, ways: &Always) -> Option<Vec<Stmt>> {
        let StmtKind::If { arms, otherwise, .. } = &s.kind else { return None };
        let [arm] = arms.as_slice() else { return None };
        if arm.cond.is_with_openmp() {
            return None;
        }
        let none = Vec::new();
        let blocks = [&arm.body, otherwise.as_ref().unwrap_or(&none)];
        if !blocks.iter().copied().flatten().all(|s| simple(self.b.program, s)) {
            return None;
        }
        let (first, second) = (values(blocks[0])?, values(blocks[1])?);
        let mut targets: Vec<Expr> = Vec::new();
        for (x, _) in first.iter().chain(&second) {
            if !targets.contains(x) {
                targets.push(x.clone());
            }
        }
        let assigned: BTreeSet<SymId> = targets.iter().filter_map(|x| x.as_var().map(|d| d.sym)).collect();
        let moved = |e: &Expr| !symbols(e).is_disjoint(&assigned);
        if moved(&arm.cond) || targets.iter().flat_map(Expr::children).any(moved) {
            return None;
        }
        if !self.safe_on_both([&first, &second], ways) || !told_apart(blocks, &targets) {
            return None;
        }
        let mut left: Vec<(Expr, Expr)> = Vec::new();
        for x in targets {
            let of = |list: &[(Expr, Expr)]| list.iter().find(|(t, _)| *t == x).map_or(x.clone(), |(_, v)| v.clone());
            let value = merged(&x, of(&first), of(&second), &arm.cond);
            left.push((x, value));
        }
        let mut out = Vec::new();
        while !left.is_empty() {
            // What the values of others use is assigned after them.
            let free = |k: &usize| left.iter().enumerate().all(|(j, (_, v))| j == *k || !mentions(v, &left[*k].0));
            let next = (0..left.len()).find(free)?;
            let (x, value) = left.remove(next);
            out.push(self.b.assign(x, value, s, Role::Adjoint));
        }
        let comments = blocks.into_iter().flatten().flat_map(|s| s.leading.iter().cloned());
        if let Some(head) = out.first_mut() {
            head.leading = s.leading.iter().cloned().chain(comments).collect();
        }
        Some(out)
    }

    /// True when the values of either way can be computed on both: the elements exist, and what is computed with has a
    /// value, as adjoints always have.
    fn safe_on_both(&self, ways: [&[(Expr, Expr)]; 2], always: &Always) -> bool {
        let mut used: [Vec<Expr>; 2] = Default::default();
        let mut touched: [Vec<Expr>; 2] = Default::default();
        for (k, way) in ways.into_iter().enumerate() {
            for (x, value) in way {
                touched[k].push(x.clone());
                variables(value, if value.as_var().is_some() { &mut touched[k] } else { &mut used[k] });
            }
            touched[k].extend(used[k].iter().cloned());
        }
        let both = |lists: &[Vec<Expr>; 2], x: &Expr| lists.iter().all(|l| l.contains(x));
        let adjoint = |x: &Expr| x.as_var().is_some_and(|d| self.b.shadow.values().any(|s| *s == d.sym));
        let element = |x: &Expr| x.as_var().is_some_and(|d| !d.parts.is_empty());
        touched.iter().flatten().filter(|x| element(x)).all(|x| always.exist.contains(x) || both(&touched, x))
            && used.iter().flatten().all(|x| adjoint(x) || always.defined.contains(x) || both(&used, x))
    }
}

/// What an iteration refers to on every way.
#[derive(Default)]
struct Always {
    /// Elements that surely exist.
    exist: Vec<Expr>,
    /// Variables that surely have a value.
    defined: Vec<Expr>,
}

/// What a block assigns, in terms of the values at its start; `None` when that isn't simple enough.
fn values(block: &[Stmt]) -> Option<Vec<(Expr, Expr)>> {
    let mut out: Vec<(Expr, Expr)> = Vec::new();
    for s in block {
        let StmtKind::Assign { lhs, rhs } = &s.kind else { return None };
        let now = |x: Expr| out.iter().find(|(t, _)| *t == x).map_or(x.clone(), |(_, v)| v.clone());
        let value = map_expr(rhs.clone(), &mut |x| now(x));
        if value.ty != lhs.ty || !harmless(&value) || operations(&value) > MOST {
            return None;
        }
        out.retain(|(t, _)| t != lhs);
        out.push((lhs.clone(), value));
    }
    Some(out)
}

/// True when evaluating the expression can't fail as long as its variables exist.
fn harmless(e: &Expr) -> bool {
    let mut fine = e.ty.is_continuous();
    for_each_expr(e, &mut |x| {
        fine &= match &x.kind {
            ExprKind::Binary(op, _, divisor) => match op {
                BinaryOp::Add | BinaryOp::Sub | BinaryOp::Mul => true,
                BinaryOp::Div => divisor.literal_value().is_some_and(|v| v != 0.0),
                _ => !x.ty.is_continuous(),
            },
            ExprKind::Call { .. } => false,
            _ => true,
        };
    });
    fine
}

fn operations(e: &Expr) -> usize {
    let mut count = 0;
    for_each_expr(e, &mut |x| count += usize::from(x.ty.is_continuous() && matches!(x.kind, ExprKind::Binary(..))));
    count
}

fn variables(e: &Expr, out: &mut Vec<Expr>) {
    for_each_expr(e, &mut |x| out.extend(x.as_var().map(|_| x.clone())));
}

/// True when all references to what is assigned are to the targets themselves.
fn told_apart(blocks: [&Vec<Stmt>; 2], targets: &[Expr]) -> bool {
    let mut fine = true;
    for e in blocks.into_iter().flatten().flat_map(Stmt::exprs) {
        for_each_expr(e, &mut |x| {
            let Some(d) = x.as_var() else { return };
            fine &= targets.iter().all(|t| t == x || t.as_var().is_none_or(|t| t.sym != d.sym));
        });
    }
    fine
}

/// The value that `x` gets: one of two, or an increment by one of two.
fn merged(x: &Expr, a: Expr, b: Expr, cond: &Expr) -> Expr {
    let choose = |a: Expr, b: Expr| match a == b {
        true => a,
        false => Expr::intrinsic(Intrinsic::Merge, vec![a, b, cond.clone()]),
    };
    let change = |v: &Expr| match v == x {
        true => Some(Expr::zero(x.ty)),
        false => without_first(v, x).filter(|e| !mentions(e, x)),
    };
    match (change(&a), change(&b)) {
        (Some(p), Some(q)) => x.clone().add(choose(p, q)),
        _ => choose(a, b),
    }
}
