//! Subscripts that `max` and `min` keep within bounds, as at the ends of a stencil: `x(max(1, i - 1))` is an element of
//! `x(i - 1:i)` where `i` begins at 1.

use std::borrow::Cow;

use costate_analysis::affine::{difference, plus};
use costate_analysis::loops::{slope, substitute};
use costate_analysis::sections::scene::Scene;
use costate_analysis::sections::{Range, fixed};
use costate_analysis::storage::has_symbol;
use costate_grammar::intrinsics::Intrinsic;
use costate_grammar::ir::{Callee, Designator, Expr, ExprKind, Part, Subscript, SymId, for_each_expr};
use costate_grammar::operators::BinaryOp;

/// The variable of a loop, with its values.
pub(super) struct Clamped<'s, 'p> {
    pub(super) scene: &'s Scene<'p>,
    pub(super) var: SymId,
    pub(super) range: &'s Range,
}

/// Which limit of a subscript is asked for.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Side {
    Least,
    Greatest,
}

impl Clamped<'_, '_> {
    /// A reference with ranges in place of such subscripts, which hold what these may be.
    pub(super) fn relaxed<'d>(&self, d: &'d Designator) -> Cow<'d, Designator> {
        let clamped = |e: &Expr| {
            let mut found = false;
            for_each_expr(e, &mut |x| found |= arguments(x).is_some());
            found
        };
        let any = |s: &Subscript| match s {
            Subscript::Index(e) => clamped(e),
            Subscript::Range { lo, hi, .. } => lo.iter().chain(hi).any(clamped),
        };
        if !d.subscripts().any(any) {
            return Cow::Borrowed(d);
        }
        let mut out = d.clone();
        for part in &mut out.parts {
            let Part::Subscripts(list) = part else { continue };
            for s in list.iter_mut().filter(|s| any(s)) {
                let (lo, hi) = match s {
                    Subscript::Index(e) => (self.limit(e, Side::Least), self.limit(e, Side::Greatest)),
                    Subscript::Range { lo: Some(lo), hi: Some(hi), step: None } => {
                        (self.limit(lo, Side::Least), self.limit(hi, Side::Greatest))
                    }
                    Subscript::Range { .. } => (None, None),
                };
                if lo.is_some() && hi.is_some() {
                    *s = Subscript::Range { lo, hi, step: None };
                }
            }
        }
        Cow::Owned(out)
    }

    /// Index arithmetic without `max` and `min` that an expression is never below, or never above.
    fn limit(&self, e: &Expr, side: Side) -> Option<Expr> {
        let e = e.unparen();
        if let Some((function, args)) = arguments(e) {
            let (moving, rest): (Vec<&Expr>, Vec<&Expr>) = args.into_iter().partition(|a| has_symbol(a, self.var));
            let [moving] = moving[..] else { return None };
            let limit = self.limit(moving, side)?;
            // The greatest of several isn't below any of them.
            if (function == Intrinsic::Max) == (side == Side::Least) {
                return Some(limit);
            }
            let beyond = rest.into_iter().map(|other| self.beyond(&limit, other, side));
            let most = beyond.collect::<Option<Vec<i64>>>()?.into_iter().max()?.max(0);
            return Some(plus(&limit, &Expr::int(if side == Side::Least { -most } else { most })));
        }
        match &e.kind {
            ExprKind::Binary(op @ (BinaryOp::Add | BinaryOp::Sub), a, b) if b.as_int().is_some() && !fixed(e) => {
                Some(Expr::binary(*op, self.limit(a, side)?, (**b).clone()))
            }
            _ => fixed(e).then(|| e.clone()),
        }
    }

    /// How far another argument is beyond the values of a limit at most: above it, or below it.
    fn beyond(&self, limit: &Expr, other: &Expr, side: Side) -> Option<i64> {
        let rises = slope(limit, self.var).filter(|s| *s != 0)? > 0;
        let least = rises == (side == Side::Greatest);
        let first: Vec<&Expr> = self.range.span.first().collect();
        let ends = if least { first } else { self.range.span.last().collect() };
        let numbers = |e: Expr| self.scene.with_constants(e);
        let known = ends.into_iter().filter_map(|end| {
            let at = numbers(substitute(limit, self.var, end));
            let by = difference(&numbers(other.clone()), &at)?;
            Some(if side == Side::Greatest { by } else { -by })
        });
        known.min()
    }
}

/// The function and the arguments of a `max` or `min`.
fn arguments(e: &Expr) -> Option<(Intrinsic, Vec<&Expr>)> {
    match &e.kind {
        ExprKind::Call { callee: Callee::Intrinsic(f @ (Intrinsic::Max | Intrinsic::Min)), args } => {
            Some((*f, args.iter().map(|a| &a.value).collect()))
        }
        _ => None,
    }
}
