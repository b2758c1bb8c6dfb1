//! A scalar that holds a fixed multiple of an adjoint is written out where it is used, the factors put together:
//! `t = p_b(i)/d` and `q_b(i+1) = q_b(i+1) + c*t` become `q_b(i+1) = q_b(i+1) + c/d*p_b(i)`. Compilers evaluate `c/d` once,
//! and the increments no longer share a value, so that each can be moved to another iteration ([`super::fission`]).

use std::collections::BTreeSet;

use costate_analysis::loops::changing;
use costate_analysis::storage::symbols;
use costate_grammar::ir::{Base, Expr, ExprKind, LoopControl, Origin, Program, Role, Stmt, StmtKind, SymId, Ty};
use costate_grammar::operators::{BinaryOp, UnaryOp};

use super::code::Code;
use costate_analysis::sections::scene::calls;

/// Writes fixed multiples of adjoints out in the backward sweep.
pub(super) fn run(code: &mut Code<'_, '_>) {
    write_out(code.b.program, &mut code.backward, &code.facts.private);
}

/// Writes such scalars out in the innermost loops of a block. `private` are scalars that are used only in the iteration
/// that assigns them.
pub(super) fn write_out(program: &Program, block: &mut [Stmt], private: &BTreeSet<SymId>) {
    for s in block.iter_mut().filter(|s| !s.is_region()) {
        let backward = matches!(s.origin, Origin::Derived { role: Role::Adjoint, .. });
        match &mut s.kind {
            StmtKind::Do { control: LoopControl::Count { var, .. }, body, .. }
                if backward && body.iter().all(|s| matches!(s.kind, StmtKind::Assign { .. }) && !calls(s)) =>
            {
                let mut moving = changing(program, body);
                moving.insert(*var);
                in_body(body, private, &moving);
            }
            _ => s.blocks_mut().into_iter().for_each(|b| write_out(program, b, private)),
        }
    }
}

/// The same in a loop's body, in which `moving` changes.
fn in_body(body: &mut Vec<Stmt>, private: &BTreeSet<SymId>, moving: &BTreeSet<SymId>) {
    let mut uses: Vec<Uses> = body.iter().map(Uses::of).collect();
    let mut gone = vec![false; body.len()];
    for at in 0..body.len() {
        let Some(changes) = without(body, at, &uses, private, moving) else { continue };
        for (k, new) in changes {
            uses[k].value = symbols(&new);
            if let StmtKind::Assign { rhs, .. } = &mut body[k].kind {
                *rhs = new;
            }
        }
        gone[at] = true;
        let comments = std::mem::take(&mut body[at].leading);
        if let Some(s) = body.get_mut(at + 1).filter(|s| s.leading.is_empty()) {
            s.leading = comments;
        }
    }
    let mut gone = gone.into_iter();
    body.retain(|_| !gone.next().unwrap_or(false));
}

/// What an assignment mentions.
struct Uses {
    /// In subscripts of what it assigns.
    target: BTreeSet<SymId>,
    /// In the value.
    value: BTreeSet<SymId>,
}

impl Uses {
    fn of(s: &Stmt) -> Uses {
        match &s.kind {
            StmtKind::Assign { lhs, rhs } => {
                Uses { target: lhs.children().into_iter().flat_map(symbols).collect(), value: symbols(rhs) }
            }
            _ => Uses { target: BTreeSet::new(), value: BTreeSet::new() },
        }
    }
}

/// The values of statements after `at` without the scalar that this one assigns; `None` where it isn't a multiple of
/// something, or is used in another way than in a sum.
fn without(
    body: &[Stmt],
    at: usize,
    uses: &[Uses],
    private: &BTreeSet<SymId>,
    moving: &BTreeSet<SymId>,
) -> Option<Vec<(usize, Expr)>> {
    let StmtKind::Assign { lhs, rhs } = &body[at].kind else { return None };
    let sym = lhs.as_var().filter(|d| d.parts.is_empty() && private.contains(&d.sym))?.sym;
    let value = Multiple::of(rhs, moving)?;
    let parts = &uses[at].value;
    if value.of.ty != lhs.ty || parts.contains(&sym) {
        return None;
    }
    let (mut out, mut changed) = (Vec::new(), false);
    for (k, s) in body.iter().enumerate().skip(at + 1) {
        let StmtKind::Assign { lhs: target, rhs } = &s.kind else { return None };
        let assigned = target.as_var()?.sym;
        if uses[k].target.contains(&sym) {
            return None;
        }
        if uses[k].value.contains(&sym) {
            out.push((k, (!changed).then(|| replaced(rhs, lhs, &value, moving)).flatten()?));
        }
        if assigned == sym {
            break;
        }
        changed |= parts.contains(&assigned);
    }
    (!out.is_empty()).then_some(out)
}

/// A sum with the terms that are multiples of `scalar` written out.
fn replaced(e: &Expr, scalar: &Expr, value: &Multiple, moving: &BTreeSet<SymId>) -> Option<Expr> {
    let mentions = |e: &Expr| scalar.as_var().is_some_and(|d| symbols(e).contains(&d.sym));
    if !mentions(e) {
        return Some(e.clone());
    }
    if let ExprKind::Binary(op @ (BinaryOp::Add | BinaryOp::Sub), a, b) = &e.kind {
        let (a, b) = (replaced(a, scalar, value, moving)?, replaced(b, scalar, value, moving)?);
        let sum = match (op, negated(&b)) {
            (BinaryOp::Add, None) => a.add(b),
            (BinaryOp::Add, Some(b)) => a.sub(b),
            (_, None) => a.sub(b),
            (_, Some(b)) => a.add(b),
        };
        return (sum.ty == e.ty).then_some(sum);
    }
    let term = Multiple::of(e, moving).filter(|m| m.of == *scalar)?;
    let out = term.times(value).expr()?;
    (out.ty == e.ty).then_some(out)
}

fn negated(e: &Expr) -> Option<Expr> {
    match &e.kind {
        ExprKind::Unary(UnaryOp::Minus, a) => Some((**a).clone()),
        _ => None,
    }
}

/// `±Π factors / Π divisors * of`.
struct Multiple {
    negative: bool,
    factors: Vec<Expr>,
    divisors: Vec<Expr>,
    /// An element or a scalar that changes from iteration to iteration.
    of: Expr,
}

impl Multiple {
    /// `None` when the expression is anything else.
    fn of(e: &Expr, moving: &BTreeSet<SymId>) -> Option<Multiple> {
        let fixed = |e: &Expr| symbols(e).is_disjoint(moving) && simple(e);
        match &e.kind {
            ExprKind::Var(_) if e.ty.base == Base::Real => {
                Some(Multiple { negative: false, factors: Vec::new(), divisors: Vec::new(), of: e.clone() })
            }
            ExprKind::Paren(a) => Multiple::of(a, moving),
            ExprKind::Unary(UnaryOp::Minus, a) => {
                let a = Multiple::of(a, moving)?;
                Some(Multiple { negative: !a.negative, ..a })
            }
            ExprKind::Binary(BinaryOp::Mul, a, b) if fixed(a) => Multiple::of(b, moving)?.scaled(a, BinaryOp::Mul),
            ExprKind::Binary(op @ (BinaryOp::Mul | BinaryOp::Div), a, b) if fixed(b) => {
                Multiple::of(a, moving)?.scaled(b, *op)
            }
            _ => None,
        }
    }

    /// Multiplied or divided by a fixed value. Products of factors are only formed in the precision of the result.
    fn scaled(mut self, by: &Expr, op: BinaryOp) -> Option<Multiple> {
        let fits = |e: &Expr| e.ty == self.of.ty || e.ty.base == Base::Integer;
        let (by, negative) = match negated(by.unparen()) {
            Some(e) => (e, true),
            None => (by.clone(), false),
        };
        if !fits(&by) {
            return None;
        }
        self.negative ^= negative;
        match op {
            BinaryOp::Div => self.divisors.push(by),
            _ => self.factors.insert(0, by),
        }
        Some(self)
    }

    /// This multiple of another one.
    fn times(self, other: &Multiple) -> Multiple {
        Multiple {
            negative: self.negative != other.negative,
            factors: self.factors.into_iter().chain(other.factors.iter().cloned()).collect(),
            divisors: self.divisors.into_iter().chain(other.divisors.iter().cloned()).collect(),
            of: other.of.clone(),
        }
    }

    /// The expression that it stands for. Whole numbers are never divided by each other, nor multiplied.
    fn expr(self) -> Option<Expr> {
        let ty: Ty = self.of.ty;
        let (mut factors, whole): (Vec<Expr>, Vec<Expr>) = self.factors.into_iter().partition(|e| e.ty == ty);
        let literal: Option<Vec<f64>> = whole.iter().map(|e| e.as_int().map(|v| v as f64)).collect();
        match literal {
            Some(values) if factors.is_empty() && values.len() + self.divisors.len() > 1 => {
                factors.push(Expr::literal(values.into_iter().product(), ty));
            }
            _ => factors.extend(whole),
        }
        if !factors.is_empty() && factors[0].ty != ty && factors.len() + self.divisors.len() > 1 {
            factors.insert(0, Expr::literal(1.0, ty));
        }
        let product = factors.into_iter().reduce(Expr::mul);
        let coefficient = self.divisors.into_iter().try_fold(product, |p, d| p.map(|p| Some(p.div(d))))?;
        let out = match coefficient {
            Some(c) => c.mul(self.of),
            None => self.of,
        };
        Some(if self.negative { out.neg() } else { out })
    }
}

/// True for arithmetic of scalars, which compilers take out of the loop.
fn simple(e: &Expr) -> bool {
    let mut fine = true;
    costate_grammar::ir::for_each_expr(e, &mut |x| {
        fine &= match &x.kind {
            ExprKind::Var(d) => d.parts.is_empty() && x.rank == 0,
            ExprKind::Int { .. }
            | ExprKind::Real { .. }
            | ExprKind::Unary(..)
            | ExprKind::Binary(..)
            | ExprKind::Paren(_) => true,
            _ => false,
        };
    });
    fine
}
