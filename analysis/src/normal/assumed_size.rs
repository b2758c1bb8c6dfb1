//! Whole arrays of assumed size as arguments. Their extent isn't known, so their values can't be saved around the call; the
//! elements that a dummy of explicit shape takes are (F2018 15.5.2.11).
//!
//! ```fortran
//! call g(n, w)    ->    call g(n, w(1:n))    ! where g declares its dummy with the extent n
//! ```

use costate_grammar::ir::{Arg, Callee, Dim, Expr, ExprKind, Part, Subscript, SymId};

use super::callee::{dummy_of, interface};
use super::context::Cx;
use super::subst::{self, Map};
use crate::affine::{count, plus};
use crate::effects::bind;
use crate::storage::symbols;

/// Names the elements in the arguments of a call.
pub(super) fn sized(cx: &Cx, callee: &Callee, args: Vec<Arg>) -> Vec<Arg> {
    let Callee::Proc { .. } = callee else { return args };
    let Some(proc) = interface(cx.program, callee) else { return args };
    let bound: Vec<Option<Expr>> =
        bind(cx.program, &cx.program[proc], &args).into_iter().map(Option::<&Expr>::cloned).collect();
    let dummies = &cx.program[proc].dummies;
    let map: Map = dummies.iter().copied().zip(&bound).filter_map(|(d, e)| Some((d, e.clone()?))).collect();
    let elements = |i: usize, arg: &Arg| {
        let v = cx.program.var(dummy_of(cx.program, proc, callee, i, arg)?)?;
        // What is in the dummy's extents must mean something here.
        let here = |e: &Expr| {
            let e = subst::expr(cx.program, &map, e);
            let own = |s: SymId| cx.program[s].scope == cx.program[proc].scope;
            (!symbols(&e).into_iter().any(own)).then_some(e)
        };
        let extents = v.dims.iter().map(|d| match d {
            Dim::Explicit(lo, hi) => Some(count(&here(lo.as_ref().unwrap_or(&Expr::int(1)))?, &here(hi)?)),
            _ => None,
        });
        extents.collect::<Option<Vec<Expr>>>()?.into_iter().reduce(Expr::mul)
    };
    let section = |i: usize, arg: Arg| {
        let ExprKind::Var(d) = &arg.value.kind else { return arg };
        let Some(v) = cx.program.var(d.sym).filter(|_| d.parts.is_empty()) else { return arg };
        let [Dim::AssumedSize(lo)] = v.dims.as_slice() else { return arg };
        let Some(n) = elements(i, &arg) else { return arg };
        let lo = lo.clone().unwrap_or(Expr::int(1));
        let last = plus(&plus(&lo, &n), &Expr::int(-1));
        let mut d = d.clone();
        d.parts.push(Part::Subscripts(vec![Subscript::Range { lo: Some(lo), hi: Some(last), step: None }]));
        Arg { value: Expr { kind: ExprKind::Var(d), ..arg.value }, ..arg }
    };
    args.into_iter().enumerate().map(|(i, a)| section(i, a)).collect()
}
