//! Adjoint of `c = matmul(a, b)`: products with the other factor, by the table's row, and for the matrix of a product with
//! a vector a loop over its elements.

use costate_analysis::affine::{minus, plus};
use costate_analysis::rules::{self, Factor, Increment};
use costate_analysis::storage::resolve;
use costate_grammar::intrinsics::Intrinsic;
use costate_grammar::ir::{Designator, Dim, Expr, ExprKind, Intent, Part, Role, Stmt, Subscript, SymId, Ty, Variable};

use crate::reverse::Reverse;

/// One dimension of an array or section.
struct Extent {
    /// Its first index, and its last one.
    bounds: [Expr; 2],
    /// The dimension of the array.
    dim: usize,
}

impl Reverse<'_, '_> {
    /// The adjoint of `lhs = matmul(a, b)` in normal form, where one of the factors that are `active` gets a derivative.
    /// `None` for anything else.
    pub(in crate::reverse) fn adjoint_of_product(
        &mut self,
        stmt: &Stmt,
        (lhs, rhs): (&Expr, &Expr),
        active: &dyn Fn(&mut Self, &Designator) -> bool,
    ) -> Option<Vec<Stmt>> {
        let factors = rules::factors(rhs)?;
        let d = lhs.as_var()?;
        // The adjoint of the left side is used to the end; no factor may change it.
        let clash = |s: &mut Self, f: &Factor| f.array.as_var().is_none_or(|o| o == d || s.may_alias(o, d));
        if lhs.ty != rhs.ty || lhs.rank != rhs.rank || factors.iter().any(|f| clash(self, f)) {
            return None;
        }
        let lhs_b = self.b.shadow_ref(lhs);
        let mut out = Vec::new();
        for (wrt, factor) in factors.iter().enumerate() {
            let array = factor.array.as_var()?;
            if !active(self, array) {
                continue;
            }
            match rules::increment(&factors, wrt, &lhs_b) {
                Increment::Array(by) => {
                    let target = self.b.shadow_ref(&factor.array);
                    out.push(self.b.assign(target.clone(), target.add(by), stmt, Role::Adjoint));
                }
                Increment::Outer { rows, columns, primal_columns } => {
                    out.extend(self.outer_product(stmt, &factor.array, [&rows, &columns], primal_columns)?);
                }
            }
        }
        let zero = Expr::zero(lhs_b.ty);
        out.push(self.b.assign(lhs_b, zero, stmt, Role::Adjoint));
        Some(out)
    }

    /// Adds the products of the elements of two vectors to the adjoint of a matrix. The vector with this number is one of
    /// the primal.
    fn outer_product(
        &mut self,
        stmt: &Stmt,
        matrix: &Expr,
        vectors: [&Expr; 2],
        primal_columns: bool,
    ) -> Option<Vec<Stmt>> {
        let primal = usize::from(primal_columns);
        let target = self.b.shadow_ref(matrix);
        let extents = self.bounds_of(&target, true)?;
        let mut elements = Vec::new();
        let mut loops = Vec::new();
        let mut own = Vec::new();
        for (k, extent) in extents.iter().enumerate() {
            let index = self.index(k);
            let i = self.b.var(index);
            let first = match self.bounds_of(vectors[k], k != primal) {
                Some(found) => found.into_iter().next()?,
                None => return Some(vec![self.spread_product(stmt, target, vectors, primal)]),
            };
            let [lo, hi] = extent.bounds.clone();
            let at = plus(&minus(&i, &lo), &first.bounds[0]);
            let element = element(vectors[k], &[(first.dim, at)])?;
            elements.push(if k == primal { rules::conjugate(element) } else { element });
            own.push((extent.dim, i));
            loops.push((index, lo, hi, None));
        }
        let [rows, columns]: [Expr; 2] = elements.try_into().ok()?;
        let target = element(&target, &own)?;
        let by = rules::convert(rows.mul(columns), target.ty);
        let body = vec![self.b.assign(target.clone(), target.add(by), stmt, Role::Adjoint)];
        Some(self.b.nested(vec![loops], body, stmt, Role::Adjoint))
    }

    /// The same for a vector whose first index isn't known: without indices.
    fn spread_product(&mut self, stmt: &Stmt, target: Expr, vectors: [&Expr; 2], primal: usize) -> Stmt {
        let spread = |k: usize| {
            let own = if k == primal { rules::conjugate(vectors[k].clone()) } else { vectors[k].clone() };
            let copies = Expr::intrinsic(Intrinsic::Size, vec![vectors[1 - k].clone()]);
            let call = Expr::intrinsic(Intrinsic::Spread, vec![own.clone(), Expr::int(2 - k as i64), copies]);
            Expr { rank: 2, ty: own.ty, ..call }
        };
        let by = rules::convert(spread(0).mul(spread(1)), target.ty);
        self.b.assign(target.clone(), target.add(by), stmt, Role::Adjoint)
    }

    /// The variable of the loop over a dimension.
    fn index(&mut self, dim: usize) -> SymId {
        while self.indices_of_products.len() <= dim {
            let sym = self.b.local("i", Ty::INTEGER, Vec::new());
            self.indices_of_products.push(sym);
        }
        self.indices_of_products[dim]
    }

    /// The dimensions of an array or section of stride one. What saves stand for has other bounds than the array: those of
    /// an array that isn't `derivative` and has bounds to be asked for aren't known, unless it is allocatable or a pointer
    /// and has no such saves.
    fn bounds_of(&self, e: &Expr, derivative: bool) -> Option<Vec<Extent>> {
        let d = e.as_var()?;
        let (part, list) = match d.parts.last() {
            Some(Part::Subscripts(list)) => (d.parts.len() - 1, Some(list)),
            _ => (d.parts.len(), None),
        };
        let base = Designator { sym: d.sym, parts: d.parts[..part].to_vec() };
        let var = resolve(self.b.program, d.sym, &base.path())?.clone();
        let whole = Expr::new(ExprKind::Var(base), var.ty, var.rank());
        let known = derivative || var.attrs.allocatable || var.attrs.pointer;
        let mut out = Vec::new();
        for dim in 0..var.dims.len() {
            let (lo, hi) = match list.map(|l| l.get(dim)) {
                Some(Some(Subscript::Index(_))) => continue,
                Some(Some(Subscript::Range { step: Some(step), .. })) if step.as_int() != Some(1) => return None,
                Some(Some(Subscript::Range { lo, hi, .. })) => (lo.clone(), hi.clone()),
                Some(None) => return None,
                None => (None, None),
            };
            let ask = |f: Intrinsic| Expr::intrinsic(f, vec![whole.clone(), Expr::int(dim as i64 + 1)]);
            let lo = match lo.or_else(|| self.lower(&var, dim)) {
                Some(lo) => lo,
                None => known.then(|| ask(Intrinsic::Lbound))?,
            };
            let hi = hi.or_else(|| self.upper(&var, dim)).unwrap_or_else(|| ask(Intrinsic::Ubound));
            out.push(Extent { bounds: [lo, hi], dim });
        }
        Some(out)
    }

    /// The lower bound of a dimension, where its declaration tells.
    fn lower(&self, var: &Variable, dim: usize) -> Option<Expr> {
        match &var.dims[dim] {
            Dim::Explicit(None, _) | Dim::Assumed(None) => Some(Expr::int(1)),
            Dim::Explicit(Some(lo), _) | Dim::Assumed(Some(lo)) => lo.as_int().map(Expr::int),
            Dim::AssumedSize(_) | Dim::Deferred | Dim::AssumedRank => None,
        }
    }

    /// The upper bound of a dimension, where its declaration tells with what nothing changes.
    fn upper(&self, var: &Variable, dim: usize) -> Option<Expr> {
        let Dim::Explicit(_, hi) = &var.dims[dim] else { return None };
        let scope = self.b.program[self.b.primal].scope;
        let fixed = |sym: SymId| {
            let own = self.b.program[sym].scope == scope;
            self.b.program.var(sym).is_some_and(|v| {
                v.attrs.parameter || own && v.intent == Some(Intent::In) && !v.attrs.pointer && v.rank() == 0
            })
        };
        let mut plain = true;
        costate_grammar::ir::for_each_expr(hi, &mut |x| match &x.kind {
            ExprKind::Int { .. } | ExprKind::Binary(..) | ExprKind::Unary(..) | ExprKind::Paren(_) => {}
            ExprKind::Var(d) => plain &= d.parts.is_empty() && fixed(d.sym),
            _ => plain = false,
        });
        plain.then(|| hi.clone())
    }
}

/// The element of an array or section with these indices in the dimensions that have a range.
fn element(e: &Expr, indices: &[(usize, Expr)]) -> Option<Expr> {
    let d = e.as_var()?;
    let mut parts = d.parts.clone();
    let mut list = match parts.last() {
        Some(Part::Subscripts(_)) => match parts.pop() {
            Some(Part::Subscripts(list)) => list,
            _ => return None,
        },
        _ => vec![Subscript::Range { lo: None, hi: None, step: None }; usize::from(e.rank)],
    };
    for (dim, index) in indices {
        *list.get_mut(*dim)? = Subscript::Index(index.clone());
    }
    parts.push(Part::Subscripts(list));
    Some(Expr { kind: ExprKind::Var(Designator { sym: d.sym, parts }), rank: 0, ..e.clone() })
}
