//! Arrays of several dimensions whose extents aren't known to be those of the dummies that they are passed for. Procedures that
//! begin messages for others have to stand in place of their calls: their statements compare the extents first.

use std::collections::BTreeSet;

use costate_grammar::intrinsics::Intrinsic;
use costate_grammar::ir::{
    Designator, Dim, Expr, Part, ProcId, Program, Stmt, Subscript, SymId, Variable, for_each_stmt,
};
use costate_grammar::operators::BinaryOp;

use super::Expansion;
use super::arguments::lower_bound;
use crate::affine::{count, plus};
use crate::calls::{for_each_call, target};
use crate::normal::bound::as_plain_call;
use crate::normal::context::Cx;
use crate::normal::messages::passes_messages;
use crate::storage::symbols;

impl Expansion {
    /// An array, a section of one or the elements from one on, for a dummy: all extents but the last must be the dummy's, since
    /// elements of another column would be meant otherwise (F2018 15.5.2.11).
    pub(super) fn compared(
        &mut self,
        cx: &mut Cx,
        dummy: SymId,
        declared: &Variable,
        mut d: Designator,
        actual: &Expr,
    ) -> Option<Designator> {
        let v = cx.program.var(dummy)?.clone();
        let sized = declared.dims.iter().all(|x| !matches!(x, Dim::AssumedSize(_) | Dim::AssumedRank));
        if !sized || v.attrs.target || !self.passes_messages(cx) {
            return None;
        }
        let array = actual.array();
        let (mut list, starts) = self.starts(&v, declared, (&d, &array))?;
        let mut lower = Vec::new();
        for (dim, start) in v.dims.iter().zip(&starts) {
            let Dim::Explicit(lo, hi) = dim else { return None };
            let lo = lo.clone().unwrap_or(Expr::int(1));
            let extent = self.in_caller(cx, &count(&lo, hi))?;
            lower.push(lo);
            let last = lower.len() == starts.len();
            for differs in start.differs(&array, &extent, last) {
                self.before.push(cx.stop_if(differs, "an array is passed for one of other extents"));
            }
            list[start.dim] = match last || start.element {
                true => {
                    let hi = plus(&start.first, &plus(&extent, &Expr::int(-1)));
                    Subscript::Range { lo: Some(start.first.clone()), hi: Some(hi), step: None }
                }
                false => list[start.dim].clone(),
            };
        }
        if lower.iter().flat_map(symbols).any(|s| self.changed.changes(cx.program, s)) {
            return None;
        }
        if lower.iter().any(|e| e.as_int() != Some(1)) {
            self.counted.insert(dummy, lower);
        }
        if matches!(d.parts.last(), Some(Part::Subscripts(_))) {
            d.parts.pop();
        }
        d.parts.push(Part::Subscripts(list));
        Some(d)
    }

    /// The subscripts of what is passed, and where in it each dimension of a dummy begins.
    fn starts(
        &self,
        v: &Variable,
        declared: &Variable,
        (d, array): (&Designator, &Expr),
    ) -> Option<(Vec<Subscript>, Vec<Start>)> {
        let (rank, dims) = (v.dims.len(), declared.dims.len());
        let first = |dim: usize| match &declared.dims[dim] {
            Dim::Explicit(lo, _) | Dim::Assumed(lo) => lo.clone().unwrap_or(Expr::int(1)),
            _ => lower_bound(array, dim as i64 + 1),
        };
        let all = Subscript::Range { lo: None, hi: None, step: None };
        let Some(Part::Subscripts(list)) = d.parts.last() else {
            let start = |dim| Start { dim, first: first(dim), range: all.clone(), element: false };
            return (rank > 1 && rank == dims).then(|| (vec![all.clone(); dims], (0..dims).map(start).collect()));
        };
        // Two parts of one array are kept apart by a comparison of their subscripts, where the call stays.
        if self.bases.iter().filter(|(_, b)| b.sym == d.sym).count() != 1 {
            return None;
        }
        let mut out = Vec::new();
        for (dim, s) in list.iter().enumerate() {
            match s {
                Subscript::Range { lo, step: None, .. } => {
                    let first = lo.clone().unwrap_or_else(|| first(dim));
                    out.push(Start { dim, first, range: s.clone(), element: false });
                }
                Subscript::Index(e) if e.rank == 0 => {}
                _ => return None,
            }
        }
        if out.is_empty() && rank <= dims && !declared.attrs.pointer {
            let indices = list.iter().take(rank).enumerate();
            out = indices
                .map(|(dim, s)| match s {
                    Subscript::Index(e) => Start { dim, first: e.clone(), range: s.clone(), element: true },
                    Subscript::Range { .. } => Start { dim, first: first(dim), range: s.clone(), element: false },
                })
                .collect();
        }
        (out.len() == rank).then(|| (list.clone(), out))
    }

    /// True where the callee passes messages, or procedures that it calls.
    fn passes_messages(&self, cx: &Cx) -> bool {
        let mut known = BTreeSet::new();
        passes(cx.program, &self.callee.body, &mut known)
    }
}

/// True for a block that passes messages, or calls procedures that do; those that are known were looked at.
fn passes(program: &Program, body: &[Stmt], known: &mut BTreeSet<ProcId>) -> bool {
    let (mut found, mut called) = (false, Vec::new());
    for_each_stmt(body, &mut |s| {
        found |= passes_messages(program, s);
        for_each_call(s, &mut |callee, args| {
            let plain = as_plain_call(program, callee, args).map(|(callee, _)| callee);
            called.extend(target(program, plain.as_ref().unwrap_or(callee)));
        });
    });
    found || called.into_iter().any(|p| known.insert(p) && passes(program, &program[p].body, known))
}

/// Where a dimension of a dummy begins in what is passed.
struct Start {
    /// The dimension of the array, from 0.
    dim: usize,
    /// The first subscript.
    first: Expr,
    /// What is passed of it.
    range: Subscript,
    /// An element is passed, for itself and what follows it.
    element: bool,
}

impl Start {
    /// Conditions under which elements of another column would be meant.
    fn differs(&self, array: &Expr, extent: &Expr, last: bool) -> Vec<Expr> {
        let of =
            |f: Intrinsic| Expr { rank: 0, ..Expr::intrinsic(f, vec![array.clone(), Expr::int(self.dim as i64 + 1)]) };
        let behind = || plus(&self.first, &plus(extent, &Expr::int(-1)));
        match (&self.range, last) {
            (Subscript::Index(_), true) => vec![Expr::binary(BinaryOp::Gt, behind(), of(Intrinsic::Ubound))],
            (Subscript::Index(e), false) => vec![
                Expr::binary(BinaryOp::Ne, e.clone(), of(Intrinsic::Lbound)),
                Expr::binary(BinaryOp::Ne, of(Intrinsic::Size), extent.clone()),
            ],
            (_, true) => Vec::new(),
            (Subscript::Range { lo: None, hi: None, .. }, false) => {
                vec![Expr::binary(BinaryOp::Ne, of(Intrinsic::Size), extent.clone())]
            }
            (Subscript::Range { hi, .. }, false) => {
                let hi = hi.clone().unwrap_or_else(|| of(Intrinsic::Ubound));
                vec![Expr::binary(BinaryOp::Ne, behind(), hi)]
            }
        }
    }
}
