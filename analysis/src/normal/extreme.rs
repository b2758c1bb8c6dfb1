//! `maxval` and `minval`: the element at a place that is found first. Values of active variables pass through the one
//! assignment of that element; the search only finds integers.

use costate_grammar::intrinsics::Intrinsic;
use costate_grammar::ir::{Block, Expr, Ty};
use costate_grammar::operators::BinaryOp;

use super::callee;
use super::context::Cx;
use crate::affine;

/// An array, the elements to look at, and the offsets that stay fixed.
pub(super) struct Search<'a> {
    /// [`Intrinsic::Maxval`] or [`Intrinsic::Minval`].
    pub(super) f: Intrinsic,
    pub(super) array: &'a Expr,
    pub(super) mask: Option<&'a Expr>,
    pub(super) fixed: &'a [Option<Expr>],
}

/// Sets `acc` to the greatest or least element; of equal ones the first in the array counts.
pub(super) fn extreme(cx: &mut Cx, search: &Search<'_>, acc: &Expr, out: &mut Block) -> Option<()> {
    let whole = search.fixed.iter().all(Option::is_none) && !callee::has_user_call(search.array);
    let found = if whole { locate(cx, search, out) } else { look(cx, search, out)? };
    let mut places = found.iter();
    let offs = search.fixed.iter().map(|f| match f {
        Some(off) => Some(off.clone()),
        None => places.next().map(|p| affine::minus(p, &Expr::int(1))),
    });
    let offs: Vec<Expr> = offs.collect::<Option<_>>()?;
    let mut some = Vec::new();
    let value = cx.element(search.array, &offs, &mut some)?;
    some.push(cx.assign(acc.clone(), value));
    let none = vec![cx.assign(acc.clone(), lowest(search.f, acc))];
    let any = Expr::binary(BinaryOp::Gt, found.first()?.clone(), Expr::int(0));
    out.push(cx.if_else(any, some, none));
    Some(())
}

/// What `f` gives for no elements at all.
fn lowest(f: Intrinsic, like: &Expr) -> Expr {
    let huge = Expr { rank: 0, ..Expr::intrinsic(Intrinsic::Huge, vec![like.clone()]) };
    if f == Intrinsic::Maxval { huge.neg() } else { huge }
}

/// The place by `maxloc` or `minloc`: a number for each dimension, zeros where there is no element.
fn locate(cx: &mut Cx, search: &Search<'_>, out: &mut Block) -> Vec<Expr> {
    let rank = search.array.rank;
    let f = if search.f == Intrinsic::Maxval { Intrinsic::Maxloc } else { Intrinsic::Minloc };
    let mut args = vec![search.array.clone()];
    if rank == 1 {
        args.push(Expr::int(1));
    }
    let mut value = Expr::intrinsic(f, args);
    if let Some(mask) = search.mask {
        value = value.with_keyword("mask", mask.clone());
    }
    if rank == 1 {
        let place = cx.scalar("loc", Ty::INTEGER, &value);
        out.push(cx.assign(place.clone(), Expr { rank: 0, ..value }));
        return vec![place];
    }
    let bounds = [(Expr::int(1), Expr::int(i64::from(rank)))];
    let (sym, _) = cx.array("loc", Ty::INTEGER, &value, &bounds);
    out.push(cx.assign(Expr::var(sym, Ty::INTEGER, 1), Expr { rank: 1, ..value }));
    (1..=i64::from(rank)).map(|k| Expr::element(sym, Ty::INTEGER, vec![Expr::int(k)])).collect()
}

/// The place by loops over the dimensions that aren't fixed.
fn look(cx: &mut Cx, search: &Search<'_>, out: &mut Block) -> Option<Vec<Expr>> {
    let (mut axes, mut offs, mut places, mut set) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
    for (k, fixed) in search.fixed.iter().enumerate() {
        if let Some(off) = fixed {
            offs.push(off.clone());
            continue;
        }
        let (lo, hi) = cx.range(search.array, k)?;
        let axis = cx.axis(lo, hi);
        let off = cx.offset(&axis);
        let place = cx.scalar("loc", Ty::INTEGER, &Expr::int(0));
        out.push(cx.assign(place.clone(), Expr::int(0)));
        set.push(cx.assign(place.clone(), affine::plus(&off, &Expr::int(1))));
        axes.push(axis);
        offs.push(off);
        places.push(place);
    }
    let mut body = Vec::new();
    let value = cx.element(search.array, &offs, &mut body)?;
    let best = cx.scalar("best", value.ty, &value);
    out.push(cx.assign(best.clone(), lowest(search.f, &best)));
    let value = if value.as_var().is_some() {
        value
    } else {
        let tmp = cx.scalar("tmp", value.ty, &value);
        body.push(cx.assign(tmp.clone(), value));
        tmp
    };
    let op = if search.f == Intrinsic::Maxval { BinaryOp::Gt } else { BinaryOp::Lt };
    let first = Expr::binary(BinaryOp::Eq, places.first()?.clone(), Expr::int(0));
    let better = Expr::binary(BinaryOp::Or, first, Expr::binary(op, value.clone(), best.clone()));
    set.insert(0, cx.assign(best, value));
    body.push(cx.if_else(better, set, Vec::new()));
    if let Some(mask) = search.mask {
        let mut test = Vec::new();
        let mask = cx.element(mask, &offs, &mut test)?;
        test.push(cx.if_else(mask, body, Vec::new()));
        body = test;
    }
    let nest = cx.nest(&axes, body);
    out.extend(nest);
    cx.release_axes(&axes);
    Some(places)
}
