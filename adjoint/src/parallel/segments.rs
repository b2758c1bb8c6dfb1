//! Iterations that have a segment of a dimension each: `8*(i - 1) + c` with `c` from 1 to 8, or from `(b - 1)*length + 1` to
//! `min(b*length, n)`.

use std::collections::BTreeSet;

use costate_analysis::affine::{difference, plus};
use costate_analysis::dependence::Meeting;
use costate_analysis::loops::{slope, substitute};
use costate_analysis::polynomial::{is_monotone_in, is_not_negative};
use costate_analysis::sections::Span;
use costate_analysis::storage::symbols;
use costate_grammar::ir::{Base, Expr, ExprKind, SymId, map_expr};
use costate_grammar::operators::BinaryOp;

use super::accesses::{Access, Accesses};
use super::clamped::Clamped;

impl Accesses<'_, '_> {
    /// Where iterations share elements of two references only with those that are so many iterations away in one of the
    /// loops, and the same in all others: that loop, by its position, and how many at most.
    pub(super) fn nearby(&self, a: &Access<'_>, b: &Access<'_>) -> Option<(usize, i64)> {
        let mut found = (0, 0);
        if self.leads_away(a, b) {
            return None;
        }
        for k in 0..self.vars.len() {
            let away = match (self.met(a, b, k), self.step(k)) {
                (met, _) if met.in_one_iteration() => continue,
                (Meeting::At(by), Some(step)) => (by / step).abs(),
                _ => self.reach(a, b, k, &self.moving(k))?,
            };
            if found.1 != 0 {
                return None;
            }
            found = (k, away);
        }
        Some(found)
    }

    /// How far apart iterations are at most that share an element, where each has a segment of a dimension: `8*(i - 1) + c`
    /// with `c` from 1 to 8, say, which are 0 apart, or `i + c` with `c` from -1 to 1, which are up to 2 apart.
    fn reach(&self, a: &Access<'_>, b: &Access<'_>, k: usize, moving: &BTreeSet<SymId>) -> Option<i64> {
        let (var, step) = (self.vars[k], self.step(k)?);
        let clamped = Clamped { scene: self.scene, var, range: &self.ranges[k] };
        let segment = |r: &Access<'_>| self.of_iteration(r, &clamped.relaxed(&r.of));
        let (x, y) = (segment(a)?, segment(b)?);
        let reaches = x.iter().zip(&y).filter_map(|(p, q)| {
            let ((p_lo, p_hi), (q_lo, q_hi)) = (p.limits()?, q.limits()?);
            let [p_lo, p_hi, q_lo, q_hi] = [p_lo, p_hi, q_lo, q_hi].map(|e| self.scene.with_constants(e));
            let all = [&p_lo, &p_hi, &q_lo, &q_hi];
            if all.iter().any(|e| symbols(e).iter().any(|s| *s != var && moving.contains(s))) {
                return None;
            }
            let by = slope(&p_lo, var).filter(|s| *s != 0 && all.iter().all(|e| slope(e, var) == Some(*s)))?;
            // That of a later iteration begins behind the end of an earlier one, whichever reference is which.
            let overlap = difference(&p_hi, &q_lo)?.max(difference(&q_hi, &p_lo)?).max(0);
            Some(overlap / (by * step).abs())
        });
        reaches.min()
    }

    /// True where iterations of one of the loops have segments of a dimension that are apart.
    pub(super) fn has_segments(&self, a: &Access<'_>, b: &Access<'_>, k: usize, moving: &BTreeSet<SymId>) -> bool {
        if self.reach(a, b, k, moving) == Some(0) {
            return true;
        }
        let (Some(x), Some(y)) = (self.of_iteration(a, &a.of), self.of_iteration(b, &b.of)) else { return false };
        x.iter().zip(&y).any(|(p, q)| self.are_segments(p, q, k, moving))
    }

    /// True where each iteration refers to indices from a limit up to that of the next one, or the one before, alone. As the
    /// limit is monotone, it is no greater in any later one than where the next one begins, or nothing is in between.
    fn are_segments(&self, p: &Span, q: &Span, k: usize, moving: &BTreeSet<SymId>) -> bool {
        let var = self.vars[k];
        let step = self.of_numbers(&self.by[k]);
        let steady = |e: &Expr| symbols(e).iter().all(|s| *s == var || !moving.contains(s));
        if !steady(&step) || symbols(&step).contains(&var) {
            return false;
        }
        let list = |limits: Vec<&Expr>| -> Vec<Expr> {
            limits.into_iter().map(|e| self.of_numbers(e)).filter(steady).collect()
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
