//! The declared bounds of a function's result in terms of its caller.

use std::collections::BTreeMap;

use costate_grammar::intrinsics::Intrinsic;
use costate_grammar::ir::{
    Arg, Callee, Designator, Dim, Expr, ExprKind, Part, Program, Subscript, SymId, Variable, for_each_expr, map_expr,
};
use costate_grammar::operators::BinaryOp;

use super::callee::{dummy_of, interface, passes_object, result_variable};
use super::context::Cx;
use super::designator;
use super::subst;
use crate::affine;

/// Bounds of an array-valued function's result in terms of the caller. They may call functions that it can name.
pub(super) fn result_bounds(cx: &Cx, call: &Expr) -> Option<Vec<(Expr, Expr)>> {
    let ExprKind::Call { callee, args } = &call.kind else {
        return None;
    };
    let program = &*cx.program;
    let proc = interface(program, callee)?;
    let result = result_variable(program, callee)?;
    if program[proc].prefix.elemental {
        return None;
    }
    let mut map: subst::Map = BTreeMap::new();
    for (i, a) in args.iter().enumerate() {
        map.insert(dummy_of(program, proc, callee, i, a)?, a.value.clone());
    }
    if let Callee::Bound { object, .. } = callee
        && passes_object(program, callee)
    {
        map.insert(*program[proc].dummies.first()?, (**object).clone());
    }
    let in_caller = |e: &Expr| -> Option<Expr> {
        let e = subst::expr(program, &map, &own(program, &map, e)?);
        (cx.all_visible(&e) && functions_visible(cx, &e)).then_some(e)
    };
    let mut out = Vec::new();
    for d in &result.dims {
        let Dim::Explicit(lo, hi) = d else {
            return None;
        };
        let lo = lo.as_ref().map_or_else(|| Some(Expr::int(1)), in_caller)?;
        out.push((lo, in_caller(hi)?));
    }
    Some(out)
}

/// True unless an expression calls functions that have no names here.
fn functions_visible(cx: &Cx, e: &Expr) -> bool {
    let mut ok = true;
    for_each_expr(e, &mut |x| {
        if let ExprKind::Call { callee, .. } = &x.kind {
            ok &= match callee {
                Callee::Proc { sym, .. } => cx.visible(*sym),
                Callee::Bound { .. } => false,
                Callee::Intrinsic(_) => true,
            };
        }
    });
    ok
}

/// A bound with everything that the declaration of a dummy decides written out: its bounds are not those of the variable
/// that is passed for it, and neither is its size where it has a shape of its own. `None` where that can't be expressed.
fn own(program: &Program, map: &subst::Map, e: &Expr) -> Option<Expr> {
    let mut fine = true;
    let out = map_expr(e.clone(), &mut |x| match &x.kind {
        ExprKind::Call { callee: Callee::Intrinsic(f), args } => match inquiry(program, map, *f, args.as_slice()) {
            Inquiry::Other => x,
            Inquiry::Is(e) => e,
            Inquiry::Unknown => {
                fine = false;
                x
            }
        },
        ExprKind::Var(d) => {
            fine &= same_element(program, map, d);
            x
        }
        _ => x,
    });
    fine.then_some(out)
}

/// What is known of a call in a bound.
enum Inquiry {
    /// It doesn't ask for what the declaration of a dummy decides.
    Other,
    /// Its value, in terms of the function.
    Is(Expr),
    /// It does, and that can't be expressed.
    Unknown,
}

fn inquiry(program: &Program, map: &subst::Map, f: Intrinsic, args: &[Arg]) -> Inquiry {
    if !matches!(f, Intrinsic::Size | Intrinsic::Lbound | Intrinsic::Ubound) {
        return Inquiry::Other;
    }
    let dummy = args.first().and_then(|a| a.value.as_var()).filter(|d| d.parts.is_empty() && map.contains_key(&d.sym));
    let Some((d, v)) = dummy.and_then(|d| Some((d, array(program, d.sym)?))) else { return Inquiry::Other };
    let along = |k: usize| match f {
        Intrinsic::Lbound => v.dims.get(k).and_then(lower).and_then(|lo| own(program, map, &lo)),
        Intrinsic::Ubound => upper(program, map, d, v, k),
        _ => extent(program, map, d, v, k),
    };
    let found = match args.get(1) {
        Some(k) => k.value.as_int().and_then(|k| usize::try_from(k - 1).ok()).and_then(along),
        None if f == Intrinsic::Size => (0..v.dims.len()).map(along).try_fold(Expr::int(1), |all, n| {
            let n = n?;
            Some(if all.as_int() == Some(1) { n } else { Expr::binary(BinaryOp::Mul, all, n) })
        }),
        None => None,
    };
    found.map_or(Inquiry::Unknown, Inquiry::Is)
}

/// An array whose bounds its declaration gives: those of allocatable arrays and pointers come with what is passed.
fn array(program: &Program, sym: SymId) -> Option<&Variable> {
    program.var(sym).filter(|v| !v.dims.is_empty() && !v.attrs.allocatable && !v.attrs.pointer)
}

fn lower(d: &Dim) -> Option<Expr> {
    match d {
        Dim::Explicit(lo, _) | Dim::Assumed(lo) | Dim::AssumedSize(lo) => Some(lo.clone().unwrap_or(Expr::int(1))),
        Dim::Deferred | Dim::AssumedRank => None,
    }
}

fn upper(program: &Program, map: &subst::Map, d: &Designator, v: &Variable, k: usize) -> Option<Expr> {
    match v.dims.get(k)? {
        Dim::Explicit(_, hi) => own(program, map, hi),
        Dim::Assumed(_) => {
            let lo = own(program, map, &lower(v.dims.get(k)?)?)?;
            Some(affine::combine(&affine::plus(&lo, &extent(program, map, d, v, k)?), -1, &Expr::int(1)))
        }
        Dim::AssumedSize(_) | Dim::Deferred | Dim::AssumedRank => None,
    }
}

fn extent(program: &Program, map: &subst::Map, d: &Designator, v: &Variable, k: usize) -> Option<Expr> {
    match v.dims.get(k)? {
        Dim::Explicit(lo, hi) => {
            let lo = lo.as_ref().map_or_else(|| Some(Expr::int(1)), |e| own(program, map, e))?;
            Some(affine::count(&lo, &own(program, map, hi)?))
        }
        Dim::Assumed(_) => Some(designator::inquire(Intrinsic::Size, d.clone(), v, k)),
        Dim::AssumedSize(_) | Dim::Deferred | Dim::AssumedRank => None,
    }
}

/// True unless a name stands for an element of a dummy that isn't the same element of what is passed for it.
fn same_element(program: &Program, map: &subst::Map, d: &Designator) -> bool {
    let Some(Part::Subscripts(list)) = d.parts.first() else { return true };
    let (Some(actual), Some(dummy)) = (map.get(&d.sym), array(program, d.sym)) else { return true };
    let points = list.iter().all(|s| matches!(s, Subscript::Index(e) if e.rank == 0));
    let Some(actual) = actual.as_var().filter(|_| points) else { return false };
    // An element of a section is found by its place in it.
    let from_one = |d: &Dim| lower(d).and_then(|lo| lo.as_int()) == Some(1);
    if designator::is_section(program, actual) {
        return dummy.dims.iter().all(from_one);
    }
    let Some(of) = designator::declared(program, actual) else { return false };
    let alike = |(a, b): (&Dim, &Dim)| match (lower(a), lower(b)) {
        (Some(a), Some(b)) => a.as_int().is_some() && a.as_int() == b.as_int(),
        _ => false,
    };
    // Only the last extent may differ: it doesn't move an element.
    let rows = |v: &Variable| v.dims.len().saturating_sub(1);
    of.dims.len() == dummy.dims.len()
        && of.dims.iter().zip(&dummy.dims).all(alike)
        && (rows(of) == 0 || dummy.dims.iter().all(|d| matches!(d, Dim::Assumed(_))))
}
