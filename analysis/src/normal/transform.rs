//! Transformational intrinsics with array results: their shape, and their element as an expression.

use costate_grammar::intrinsics::Intrinsic;
use costate_grammar::ir::{Arg, Block, Callee, CtorItem, Expr, ExprKind, Stmt, for_each_expr, map_expr};
use costate_grammar::operators::BinaryOp;

use super::context::Cx;
use super::designator::product;
use super::fold;
use super::intrinsic::{self, argument, dim_of};
use crate::affine;

/// Writes `dim=` as a number where it is a constant expression.
pub(super) fn number_dimensions(cx: &mut Cx, stmt: &mut Stmt) {
    let number = |e: &Expr| {
        let ExprKind::Call { callee: Callee::Intrinsic(f), args } = &e.kind else { return None };
        let named = argument(*f, args, "dim").filter(|d| d.as_int().is_none())?;
        Some((named.clone(), Expr::int(cx.known(named)?)))
    };
    let mut found = false;
    for e in stmt.exprs() {
        for_each_expr(e, &mut |e| found |= number(e).is_some());
    }
    if !found {
        return;
    }
    let mut kind = stmt.kind.clone();
    kind.map_exprs(&mut |e| {
        map_expr(e.clone(), &mut |mut e| {
            if let Some((named, d)) = number(&e)
                && let ExprKind::Call { args, .. } = &mut e.kind
            {
                args.iter_mut().filter(|a| a.value == named).for_each(|a| a.value = d.clone());
            }
            e
        })
    });
    *stmt = cx.changed(stmt.clone(), kind);
}

/// The elements of an array constructor of scalars, or of a named constant that is one.
fn listed(cx: &Cx, e: &Expr) -> Option<Vec<Expr>> {
    let named = e.as_var().filter(|d| d.parts.is_empty()).and_then(|d| cx.program.var(d.sym));
    let value = named.filter(|v| v.attrs.parameter).and_then(|v| v.init.as_ref()).unwrap_or(e);
    let ExprKind::ArrayCtor { items, .. } = &value.unparen().kind else {
        return None;
    };
    items
        .iter()
        .map(|i| match i {
            CtorItem::Value(v) if v.rank == 0 => Some(v.clone()),
            CtorItem::Value(_) | CtorItem::ImpliedDo { .. } => None,
        })
        .collect()
}

/// First and last value of a loop over dimension `k` of the result.
pub(super) fn range(cx: &Cx, f: Intrinsic, args: &[Arg], e: &Expr, k: usize) -> Option<(Expr, Expr)> {
    use Intrinsic as I;
    let one = |n: Expr| (Expr::int(1), n);
    match f {
        I::Sum
        | I::Product
        | I::Maxval
        | I::Minval
        | I::Count
        | I::Any
        | I::All
        | I::Parity
        | I::Iall
        | I::Iany
        | I::Iparity => {
            let name = f.dummies()[0];
            let dim = dim_of(f, args).ok()??;
            cx.range(argument(f, args, name)?, if k >= dim { k + 1 } else { k })
        }
        I::Norm2 => {
            let dim = dim_of(f, args).ok()??;
            cx.range(argument(f, args, "x")?, if k >= dim { k + 1 } else { k })
        }
        I::Maxloc | I::Minloc | I::Findloc => {
            let array = argument(f, args, "array")?;
            match dim_of(f, args).ok()? {
                None => Some(one(Expr::int(i64::from(array.rank)))),
                Some(dim) => cx.range(array, if k >= dim { k + 1 } else { k }),
            }
        }
        I::Matmul => {
            let (a, b) = (argument(f, args, "matrix_a")?, argument(f, args, "matrix_b")?);
            match (a.rank, k) {
                (1, 0) => cx.range(b, 1),
                (2, 0) => cx.range(a, 0),
                (2, 1) => cx.range(b, 1),
                _ => None,
            }
        }
        I::Transpose => cx.range(argument(f, args, "matrix")?, 1 - k.min(1)),
        I::Spread => {
            let dim = dim_of(f, args).ok()??;
            match k.cmp(&dim) {
                std::cmp::Ordering::Equal => Some(one(argument(f, args, "ncopies")?.clone())),
                std::cmp::Ordering::Less => cx.range(argument(f, args, "source")?, k),
                std::cmp::Ordering::Greater => cx.range(argument(f, args, "source")?, k - 1),
            }
        }
        I::Reshape => {
            let shape = argument(f, args, "shape")?;
            let n = match listed(cx, shape) {
                Some(list) => list.get(k)?.clone(),
                None => Expr::element(
                    shape.as_var().filter(|d| d.parts.is_empty())?.sym,
                    shape.ty,
                    vec![Expr::int(k as i64 + 1)],
                ),
            };
            Some(one(n))
        }
        I::Cshift | I::Eoshift => cx.range(argument(f, args, "array")?, k),
        I::Unpack => cx.range(argument(f, args, "mask")?, k),
        I::Pack => match argument(f, args, "vector") {
            Some(v) => cx.range(v, 0),
            None => {
                let mask = argument(f, args, "mask")?;
                (mask.rank > 0).then(|| one(Expr { rank: 0, ..Expr::intrinsic(I::Count, vec![mask.clone()]) }))
            }
        },
        I::Shape => Some(one(Expr::int(i64::from(args.first()?.value.rank)))),
        I::Lbound | I::Ubound if args.len() == 1 => Some(one(Expr::int(i64::from(args[0].value.rank)))),
        _ => {
            let _ = e;
            None
        }
    }
}

/// The element of the result at `offs`.
pub(super) fn element(
    cx: &mut Cx,
    f: Intrinsic,
    args: &[Arg],
    e: &Expr,
    offs: &[Expr],
    pre: &mut Block,
) -> Option<Expr> {
    use Intrinsic as I;
    match f {
        I::Sum | I::Product | I::Maxval | I::Minval | I::Norm2 | I::Matmul => {
            let acc = cx.scalar(intrinsic::base_name(f), e.ty, e);
            accumulate(cx, f, args, offs, &acc, pre)?;
            Some(acc)
        }
        I::Transpose => {
            let [i, j] = offs else { return None };
            cx.element(argument(f, args, "matrix")?, &[j.clone(), i.clone()], pre)
        }
        I::Spread => {
            let dim = dim_of(f, args).ok()??;
            let mut offs = offs.to_vec();
            if dim >= offs.len() {
                return None;
            }
            offs.remove(dim);
            cx.element(argument(f, args, "source")?, &offs, pre)
        }
        I::Reshape => reshape(cx, f, args, e, offs, pre),
        I::Cshift => {
            let (array, dim, off, shift) = shifted(cx, f, args, offs, pre)?;
            let n = cx.extent(array, dim)?;
            let sum = affine::plus(&off, &shift);
            let wrapped = Expr::intrinsic(I::Modulo, vec![sum, n]);
            let mut offs = offs.to_vec();
            offs[dim] = wrapped;
            cx.element(array, &offs, pre)
        }
        I::Eoshift => eoshift(cx, f, args, e, offs, pre),
        _ => None,
    }
}

/// Sets `acc` to the element at `offs` of a function that adds up.
pub(super) fn accumulate(
    cx: &mut Cx,
    f: Intrinsic,
    args: &[Arg],
    offs: &[Expr],
    acc: &Expr,
    out: &mut Block,
) -> Option<()> {
    if f == Intrinsic::Matmul {
        return fold::product_element(cx, (args, offs), acc, out);
    }
    let name = if f == Intrinsic::Norm2 { "x" } else { "array" };
    let dim = dim_of(f, args).ok()??;
    let mut fixed: Vec<Option<Expr>> = offs.iter().cloned().map(Some).collect();
    fixed.insert(dim.min(fixed.len()), None);
    fold::fold(cx, f, argument(f, args, name)?, argument(f, args, "mask"), acc, &fixed, out)
}

fn reshape(cx: &mut Cx, f: Intrinsic, args: &[Arg], e: &Expr, offs: &[Expr], pre: &mut Block) -> Option<Expr> {
    let source = argument(f, args, "source")?;
    let mut extents = Vec::new();
    for k in 0..usize::from(e.rank) {
        extents.push(range(cx, f, args, e, k)?.1);
    }
    if extents.len() != offs.len() {
        // A program with errors.
        return None;
    }
    let mut offs = offs.to_vec();
    if let Some(order) = argument(f, args, "order") {
        // `order(1)` is the dimension that varies fastest.
        let order: Option<Vec<usize>> =
            listed(cx, order)?.iter().map(|o| o.as_int().and_then(|d| usize::try_from(d - 1).ok())).collect();
        let order = order.filter(|o| o.len() == offs.len() && o.iter().all(|d| *d < offs.len()))?;
        offs = order.iter().map(|&d| offs[d].clone()).collect();
        extents = order.iter().map(|&d| extents[d].clone()).collect();
    }
    let linear = cx.linear(&offs, &extents);
    let Some(pad) = argument(f, args, "pad") else {
        return element_in_order(cx, source, linear, pre);
    };
    let (given, padding) = (size(cx, source)?, size(cx, pad)?);
    let tmp = cx.scalar("tmp", e.ty, e);
    let mut first = Vec::new();
    let value = element_in_order(cx, source, linear.clone(), &mut first)?;
    first.push(cx.assign(tmp.clone(), value));
    let mut after = Vec::new();
    let round = Expr::intrinsic(Intrinsic::Mod, vec![affine::minus(&linear, &given), padding]);
    let value = element_in_order(cx, pad, round, &mut after)?;
    after.push(cx.assign(tmp.clone(), value));
    pre.push(cx.if_else(Expr::binary(BinaryOp::Lt, linear, given), first, after));
    Some(tmp)
}

/// The number of elements.
fn size(cx: &mut Cx, e: &Expr) -> Option<Expr> {
    (0..usize::from(e.rank)).try_fold(Expr::int(1), |n, k| Some(product(&n, &cx.extent(e, k)?)))
}

/// The element that comes after so many others in array element order.
fn element_in_order(cx: &mut Cx, e: &Expr, linear: Expr, pre: &mut Block) -> Option<Expr> {
    let mut rest = linear;
    let mut at = Vec::new();
    for k in 1..usize::from(e.rank) {
        let n = cx.extent(e, k - 1)?;
        at.push(Expr::intrinsic(Intrinsic::Mod, vec![rest.clone(), n.clone()]));
        rest = Expr::binary(BinaryOp::Div, rest, n);
    }
    at.push(rest);
    cx.element(e, &at, pre)
}

/// Array, shifted dimension, offset in it and shift of a shifting function.
fn shifted<'a>(
    cx: &mut Cx,
    f: Intrinsic,
    args: &'a [Arg],
    offs: &[Expr],
    pre: &mut Block,
) -> Option<(&'a Expr, usize, Expr, Expr)> {
    let array = argument(f, args, "array")?;
    let dim = dim_of(f, args).ok()?.unwrap_or(0);
    let mut others = offs.to_vec();
    if dim >= others.len() {
        return None;
    }
    let off = others.remove(dim);
    let shift = cx.element(argument(f, args, "shift")?, &others, pre)?;
    Some((array, dim, off, shift))
}

fn eoshift(cx: &mut Cx, f: Intrinsic, args: &[Arg], e: &Expr, offs: &[Expr], pre: &mut Block) -> Option<Expr> {
    let (array, dim, off, shift) = shifted(cx, f, args, offs, pre)?;
    let n = cx.extent(array, dim)?;
    let place = affine::plus(&off, &shift);
    let mut others = offs.to_vec();
    others.remove(dim);
    let boundary = match argument(f, args, "boundary") {
        Some(b) => cx.element(b, &others, pre)?,
        None if e.ty.is_numeric() => Expr::zero(e.ty),
        None => return None,
    };
    let mut offs = offs.to_vec();
    offs[dim] = place.clone();
    let mut inside = Vec::new();
    let value = cx.element(array, &offs, &mut inside)?;
    let tmp = cx.scalar("tmp", e.ty, e);
    inside.push(cx.assign(tmp.clone(), value));
    let low = Expr::binary(BinaryOp::Ge, place.clone(), Expr::int(0));
    let high = Expr::binary(BinaryOp::Lt, place, n);
    let outside = vec![cx.assign(tmp.clone(), boundary)];
    let cond = Expr::binary(BinaryOp::And, low, high);
    pre.push(cx.if_else(cond, inside, outside));
    Some(tmp)
}
