//! Iterations that have a segment of a dimension each: `8*(i - 1) + c` with `c` from 1 to 8, or from `(b - 1)*length + 1` to
//! `min(b*length, n)`.

use std::collections::BTreeSet;

use costate_grammar::ir::{Base, Expr, ExprKind, SymId, map_expr};
use costate_grammar::operators::BinaryOp;

use crate::affine::{difference, plus};
use crate::loops::{slope, substitute};
use crate::polynomial::{is_monotone_in, is_not_negative};
use crate::sections::Span;
use crate::sections::scene::Scene;
use crate::storage::symbols;

/// The iterations of a loop.
#[derive(Clone, Copy)]
pub struct Iterations<'s> {
    /// The procedure around it.
    pub scene: &'s Scene<'s>,
    /// Its variable.
    pub var: SymId,
    /// By what that grows.
    pub step: &'s Expr,
    /// Variables whose values may differ between references for other reasons.
    pub moving: &'s BTreeSet<SymId>,
}

impl Iterations<'_> {
    /// How far apart iterations are at most that share an element of two sections, where each has a segment of a dimension:
    /// `8*(i - 1) + c` with `c` from 1 to 8, say, which are 0 apart, or `i + c` with `c` from -1 to 1, which are up to 2 apart.
    pub fn reach(&self, x: &[Span], y: &[Span]) -> Option<i64> {
        let step = self.of_numbers(self.step).as_int()?;
        let reaches = x.iter().zip(y).filter_map(|(p, q)| {
            let ((p_lo, p_hi), (q_lo, q_hi)) = (p.limits()?, q.limits()?);
            let [p_lo, p_hi, q_lo, q_hi] = [p_lo, p_hi, q_lo, q_hi].map(|e| self.scene.with_constants(e));
            let all = [&p_lo, &p_hi, &q_lo, &q_hi];
            if !all.iter().all(|e| self.is_steady(e)) {
                return None;
            }
            let by =
                slope(&p_lo, self.var).filter(|s| *s != 0 && all.iter().all(|e| slope(e, self.var) == Some(*s)))?;
            // That of a later iteration begins behind the end of an earlier one, whichever reference is which.
            let overlap = difference(&p_hi, &q_lo)?.max(difference(&q_hi, &p_lo)?).max(0);
            Some(overlap / (by * step).abs())
        });
        reaches.min()
    }

    /// True where iterations have segments of a dimension that are apart.
    pub fn have_segments(&self, x: &[Span], y: &[Span]) -> bool {
        self.reach(x, y) == Some(0) || x.iter().zip(y).any(|(p, q)| self.are_segments(p, q))
    }

    fn is_steady(&self, e: &Expr) -> bool {
        symbols(e).iter().all(|s| *s == self.var || !self.moving.contains(s))
    }

    /// True where each iteration refers to indices from a limit up to that of the next one, or the one before, alone. As the
    /// limit is monotone, it is no greater in any later one than where the next one begins, or nothing is in between.
    fn are_segments(&self, p: &Span, q: &Span) -> bool {
        let var = self.var;
        let step = self.of_numbers(self.step);
        if !self.is_steady(&step) || symbols(&step).contains(&var) {
            return false;
        }
        let list = |limits: Vec<&Expr>| -> Vec<Expr> {
            limits.into_iter().map(|e| self.of_numbers(e)).filter(|e| self.is_steady(e)).collect()
        };
        let first = [p, q].map(|s| list(s.first().collect()));
        let last = [p, q].map(|s| list(s.last().collect()));
        let at_least = |a: &Expr, b: &Expr| is_not_negative(&a.clone().sub(b.clone()), &[]);
        first.iter().flatten().any(|begin| {
            let v = Expr::var(var, begin.ty, 0);
            let beside = [BinaryOp::Add, BinaryOp::Sub].map(|op| {
                let other = Expr::binary(op, v.clone(), step.clone());
                in_order(substitute(begin, var, &other)).sub(Expr::int(1))
            });
            is_monotone_in(begin, var)
                && first.iter().all(|list| list.iter().any(|lo| at_least(lo, begin)))
                && beside.iter().any(|end| last.iter().all(|list| list.iter().any(|hi| at_least(end, hi))))
        })
    }

    /// A limit with numbers in place of named constants.
    fn of_numbers(&self, e: &Expr) -> Expr {
        in_order(self.scene.with_constants(e.clone()))
    }
}

/// An expression whose sums are brought in order from within, so that `(i + 1 - 1)*n` is `i*n`.
fn in_order(e: Expr) -> Expr {
    map_expr(e, &mut |x| match &x.kind {
        ExprKind::Binary(BinaryOp::Add | BinaryOp::Sub, ..) if x.ty.base == Base::Integer && x.rank == 0 => {
            plus(&x, &Expr::int(0))
        }
        ExprKind::Paren(inner) => (**inner).clone(),
        _ => x,
    })
}
