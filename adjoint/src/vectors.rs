//! Vectors of a fixed length that are passed to procedures: sections of arrays with one range, and arrays of rank one.

use costate_analysis::storage::resolve;
use costate_grammar::intrinsics::Intrinsic;
use costate_grammar::ir::{Dim, Expr, ExprKind, Part, Program, Subscript, SymId};

/// The number of elements that the declaration of a dummy of rank one tells.
pub(crate) fn declared_length(program: &Program, dummy: SymId) -> Option<i64> {
    let v = program.var(dummy)?;
    let [Dim::Explicit(lo, hi)] = v.dims.as_slice() else { return None };
    let lo = lo.as_ref().map_or(Some(1), Expr::as_int)?;
    Some(hi.as_int()? - lo + 1).filter(|n| *n > 0)
}

/// The element of a vector with the number `k`, from 1 on; `None` for what is none.
pub(crate) fn nth(program: &Program, vector: &Expr, k: &Expr) -> Option<Expr> {
    let mut d = vector.as_var()?.clone();
    let mut list = match d.parts.pop() {
        Some(Part::Subscripts(list)) => list,
        last => {
            d.parts.extend(last);
            vec![Subscript::Range { lo: None, hi: None, step: None }]
        }
    };
    let array = resolve(program, d.sym, &d.path())?;
    if array.rank() as usize != list.len() {
        return None;
    }
    let whole = Expr { kind: ExprKind::Var(d.clone()), rank: array.rank(), ..vector.clone() };
    let first = |at: usize| match &array.dims[at] {
        Dim::Explicit(None, _) => Expr::int(1),
        Dim::Assumed(None) if !array.attrs.pointer && !array.attrs.allocatable => Expr::int(1),
        Dim::Explicit(Some(lo), _) if lo.as_int().is_some() => lo.clone(),
        _ => Expr::intrinsic(Intrinsic::Lbound, vec![whole.clone(), Expr::int(at as i64 + 1)]),
    };
    let mut ranges = 0;
    for (at, s) in list.iter_mut().enumerate() {
        let Subscript::Range { lo, step, .. } = s.clone() else { continue };
        ranges += 1;
        let lo = lo.unwrap_or_else(|| first(at));
        *s = Subscript::Index(match (lo.as_int(), step) {
            (Some(1), None) => k.clone(),
            (Some(lo), None) => k.clone().add(Expr::int(lo - 1)),
            (_, None) => lo.add(k.clone().sub(Expr::int(1))),
            (_, Some(step)) => lo.add(k.clone().sub(Expr::int(1)).mul(step)),
        });
    }
    d.parts.push(Part::Subscripts(list));
    (ranges == 1).then(|| Expr { kind: ExprKind::Var(d), rank: 0, ..vector.clone() })
}
