//! Shapes: which part of a designator makes it an array, and the bounds of its dimensions.

use costate_grammar::intrinsics::{Class, Intrinsic};
use costate_grammar::ir::{Callee, CtorItem, Designator, Dim, Expr, ExprKind, Subscript, Variable};

use super::callee;
use super::context::Cx;
use super::designator::{Dimension, array_part, at_least_none, inquire, strided};
use crate::affine;

impl Cx<'_> {
    /// Lower bound of dimension `k` of an array.
    fn lower(&self, base: &Designator, var: &Variable, k: usize) -> Option<Expr> {
        if let Some(bounds) = self.sized(base) {
            return bounds.get(k).map(|b| b.0.clone());
        }
        Some(match var.dims.get(k)? {
            Dim::Explicit(None, _) | Dim::Assumed(None) | Dim::AssumedSize(None) => Expr::int(1),
            Dim::Explicit(Some(lo), _) | Dim::Assumed(Some(lo)) | Dim::AssumedSize(Some(lo)) => match self.bound(lo) {
                Some(lo) => lo,
                None => inquire(Intrinsic::Lbound, base.clone(), var, k),
            },
            Dim::Deferred if self.facts.starts_at_one(base) => Expr::int(1),
            Dim::Deferred => inquire(Intrinsic::Lbound, base.clone(), var, k),
            Dim::AssumedRank => return None,
        })
    }

    /// Upper bound of dimension `k` of an array.
    fn upper(&self, base: &Designator, var: &Variable, k: usize) -> Option<Expr> {
        if let Some(bounds) = self.sized(base) {
            return bounds.get(k).map(|b| b.1.clone());
        }
        match var.dims.get(k)? {
            Dim::Explicit(_, hi) => match self.bound(hi) {
                Some(hi) => Some(hi),
                None => Some(inquire(Intrinsic::Ubound, base.clone(), var, k)),
            },
            Dim::Assumed(None) => Some(inquire(Intrinsic::Size, base.clone(), var, k)),
            Dim::Deferred if self.facts.starts_at_one(base) => Some(inquire(Intrinsic::Size, base.clone(), var, k)),
            Dim::Assumed(Some(_)) | Dim::Deferred => Some(inquire(Intrinsic::Ubound, base.clone(), var, k)),
            Dim::AssumedSize(_) if k + 1 < var.dims.len() => Some(inquire(Intrinsic::Ubound, base.clone(), var, k)),
            Dim::AssumedSize(_) | Dim::AssumedRank => None,
        }
    }

    /// The value of a constant expression, named constants included.
    pub(super) fn known(&self, e: &Expr) -> Option<i64> {
        costate_grammar::lower::integer(self.program, e)
    }

    /// A declared bound, where it means the same in the body.
    fn bound(&self, e: &Expr) -> Option<Expr> {
        let mut ok = self.all_visible(e);
        costate_grammar::ir::for_each_expr(e, &mut |e| ok &= self.facts.declarable(self.program, self.scope, e));
        ok.then(|| e.unparen().clone())
    }

    /// The dimensions of an array-valued designator, one for each rank.
    pub(super) fn dimensions(&self, d: &Designator) -> Option<Vec<Dimension>> {
        let part = array_part(self.program, d)?;
        let base = Designator { sym: d.sym, parts: d.parts[..part.at].to_vec() };
        let whole = |k: usize| {
            Some(Dimension::Triplet {
                lo: self.lower(&base, &part.var, k)?,
                hi: self.upper(&base, &part.var, k)?,
                step: None,
            })
        };
        let Some(list) = &part.subscripts else {
            return (0..part.var.dims.len()).map(whole).collect();
        };
        let mut out = Vec::new();
        for (k, s) in list.iter().enumerate() {
            match s {
                Subscript::Index(e) if e.rank == 0 => {}
                Subscript::Index(e) => out.push(Dimension::Vector(e.clone())),
                Subscript::Range { lo, hi, step } => {
                    let step = step.clone().filter(|s| s.as_int() != Some(1));
                    let sign = step.as_ref().map_or(Some(1), |s| self.known(s));
                    let (first, last) = (lo.clone(), hi.clone());
                    let (lo, hi) = match sign {
                        Some(s) if s > 0 => (
                            first.or_else(|| self.lower(&base, &part.var, k))?,
                            last.or_else(|| self.upper(&base, &part.var, k))?,
                        ),
                        Some(_) => (
                            first.or_else(|| self.upper(&base, &part.var, k))?,
                            last.or_else(|| self.lower(&base, &part.var, k))?,
                        ),
                        None => (first?, last?),
                    };
                    out.push(Dimension::Triplet { lo, hi, step });
                }
            }
        }
        Some(out)
    }

    /// First and last value of a loop over dimension `k` of an array expression. The first operand that is an array gives
    /// them: its own index where the stride is one, else positions from 1.
    pub(super) fn range(&self, e: &Expr, k: usize) -> Option<(Expr, Expr)> {
        match &e.kind {
            ExprKind::Var(d) => match self.dimensions(d)?.into_iter().nth(k)? {
                Dimension::Triplet { lo, hi, step: None } => Some((lo, hi)),
                Dimension::Triplet { lo, hi, step: Some(step) } => Some((Expr::int(1), strided(&lo, &hi, &step))),
                Dimension::Vector(v) => Some((Expr::int(1), self.extent(&v, 0)?)),
            },
            ExprKind::Unary(_, a) | ExprKind::Paren(a) => self.range(a, k),
            ExprKind::Binary(_, a, b) => {
                if a.rank > 0 {
                    self.range(a, k).or_else(|| (b.rank > 0).then(|| self.range(b, k))?)
                } else {
                    self.range(b, k)
                }
            }
            ExprKind::Call { callee: Callee::Intrinsic(f), args } if f.class() != Class::Elemental => {
                super::transform::range(self, *f, args, e, k)
            }
            ExprKind::Call { callee, args } => {
                let elemental = matches!(callee, Callee::Intrinsic(_)) || callee::elemental(self.program, callee);
                let arg = args.iter().find(|a| elemental && a.value.rank > 0)?;
                self.range(&arg.value, k)
            }
            ExprKind::ArrayCtor { items, .. } => Some((Expr::int(1), self.list_count(items)?)),
            ExprKind::Int { .. }
            | ExprKind::Real { .. }
            | ExprKind::ComplexLit(..)
            | ExprKind::Logical { .. }
            | ExprKind::Str(_)
            | ExprKind::Boz(_)
            | ExprKind::StructCtor { .. }
            | ExprKind::ProcRef(_)
            | ExprKind::Opaque(_) => None,
        }
    }

    /// How many values dimension `k` of an expression has.
    pub(super) fn extent(&self, e: &Expr, k: usize) -> Option<Expr> {
        let (lo, hi) = self.range(e, k)?;
        Some(affine::count(&lo, &hi))
    }

    /// How many values the items of an array constructor give. One item may have a negative count, and gives none then.
    pub(super) fn list_count(&self, items: &[CtorItem]) -> Option<Expr> {
        if let [one] = items {
            return self.item_count(one);
        }
        let mut total = Expr::int(0);
        for i in items {
            total = affine::plus(&total, &at_least_none(self.item_count(i)?));
        }
        Some(total)
    }

    /// How many values an item of an array constructor gives; `None` where that differs from iteration to iteration.
    pub(super) fn item_count(&self, item: &CtorItem) -> Option<Expr> {
        match item {
            CtorItem::Value(e) => {
                let mut n = Expr::int(1);
                for k in 0..usize::from(e.rank) {
                    let extent = self.extent(e, k)?;
                    n = n.mul(if e.rank > 1 { at_least_none(extent) } else { extent });
                }
                Some(n)
            }
            CtorItem::ImpliedDo { items, var, lo, hi, step } => {
                let each = self.list_count(items)?;
                let mut varies = false;
                costate_grammar::ir::for_each_expr(&each, &mut |e| varies |= e.as_var().is_some_and(|d| d.sym == *var));
                let trips = match step {
                    None => affine::count(lo, hi),
                    Some(s) => strided(lo, hi, s),
                };
                let product = match each.as_int() {
                    Some(_) => trips.mul(each),
                    None => at_least_none(trips).mul(at_least_none(each)),
                };
                (!varies).then_some(product)
            }
        }
    }
}
