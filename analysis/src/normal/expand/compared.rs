//! Arrays of several dimensions whose extents aren't known to be those of the dummies that they are passed for. Procedures that
//! begin messages for others have to stand in place of their calls: their statements compare the extents first.

use costate_grammar::intrinsics::Intrinsic;
use costate_grammar::ir::{Designator, Dim, Expr, Part, Subscript, SymId, Variable, for_each_stmt};
use costate_grammar::operators::BinaryOp;

use super::Expansion;
use super::arguments::lower_bound;
use crate::affine::{count, plus};
use crate::normal::context::Cx;
use crate::normal::messages::passes_messages;
use crate::storage::symbols;

impl Expansion {
    /// A whole array for a dummy of the same rank: all extents but the last must be the dummy's, since elements of another
    /// column would be meant otherwise (F2018 15.5.2.11).
    pub(super) fn compared(
        &mut self,
        cx: &mut Cx,
        dummy: SymId,
        declared: &Variable,
        mut d: Designator,
        actual: &Expr,
    ) -> Option<Designator> {
        let v = cx.program.var(dummy)?.clone();
        let (rank, of) = (v.dims.len(), &declared.dims);
        let whole = d.parts.iter().all(|p| matches!(p, Part::Component(_)));
        let sized = of.iter().all(|x| !matches!(x, Dim::AssumedSize(_) | Dim::AssumedRank));
        if !whole || !sized || rank < 2 || rank != of.len() || v.attrs.target || !self.passes_messages(cx) {
            return None;
        }
        let mut lower = Vec::new();
        let mut last = None;
        for (k, dim) in v.dims.iter().enumerate() {
            let Dim::Explicit(lo, hi) = dim else { return None };
            let lo = lo.clone().unwrap_or(Expr::int(1));
            let extent = self.in_caller(cx, &count(&lo, hi))?;
            lower.push(lo);
            let number = Expr::int(k as i64 + 1);
            if k + 1 < rank {
                let has = Expr { rank: 0, ..Expr::intrinsic(Intrinsic::Size, vec![actual.clone(), number]) };
                let differs = Expr::binary(BinaryOp::Ne, has, extent);
                self.before.push(cx.stop_if(differs, "an array is passed for one of other extents"));
            } else {
                let first = match &of[k] {
                    Dim::Explicit(lo, _) => lo.clone().unwrap_or(Expr::int(1)),
                    Dim::Assumed(lo) => lo.clone().unwrap_or(Expr::int(1)),
                    _ => lower_bound(actual, k as i64 + 1),
                };
                let hi = plus(&first, &plus(&extent, &Expr::int(-1)));
                last = Some(Subscript::Range { lo: Some(first), hi: Some(hi), step: None });
            }
        }
        if lower.iter().flat_map(symbols).any(|s| self.changed.changes(cx.program, s)) {
            return None;
        }
        if lower.iter().any(|e| e.as_int() != Some(1)) {
            self.counted.insert(dummy, lower);
        }
        let mut list = vec![Subscript::Range { lo: None, hi: None, step: None }; rank - 1];
        list.extend(last);
        d.parts.push(Part::Subscripts(list));
        Some(d)
    }

    fn passes_messages(&self, cx: &Cx) -> bool {
        let mut found = false;
        for_each_stmt(&self.callee.body, &mut |s| found |= passes_messages(cx.program, s));
        found
    }
}
