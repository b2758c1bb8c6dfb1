//! Reductions as loops over the elements of an array.

use costate_grammar::intrinsics::Intrinsic;
use costate_grammar::ir::{Arg, Block, Expr, Stmt};
use costate_grammar::operators::BinaryOp;

use super::context::Cx;
use super::extreme::{Search, extreme};
use super::intrinsic::argument;

/// Sets `acc` to the reduction of an array over the dimensions where `fixed` gives no offset.
pub(super) fn fold(
    cx: &mut Cx,
    f: Intrinsic,
    array: &Expr,
    mask: Option<&Expr>,
    acc: &Expr,
    fixed: &[Option<Expr>],
    out: &mut Block,
) -> Option<()> {
    if matches!(f, Intrinsic::Maxval | Intrinsic::Minval) {
        return extreme(cx, &Search { f, array, mask, fixed }, acc, out);
    }
    let mut axes = Vec::new();
    let mut offs = Vec::new();
    for (k, off) in fixed.iter().enumerate() {
        offs.push(match off {
            Some(off) => off.clone(),
            None => {
                let (lo, hi) = cx.range(array, k)?;
                let axis = cx.axis(lo, hi);
                let off = cx.offset(&axis);
                axes.push(axis);
                off
            }
        });
    }
    let mut pre = Vec::new();
    // What a mask computes is there before it is asked; what is masked isn't computed where the mask is false.
    let mask = match mask {
        Some(m) => Some(cx.element(m, &offs, &mut pre)?),
        None => None,
    };
    let mut inside = Vec::new();
    let value = cx.element(array, &offs, &mut inside)?;
    inside.push(step(cx, f, acc, value));
    match mask {
        Some(mask) => pre.push(cx.if_else(mask, inside, Vec::new())),
        None => pre.extend(inside),
    }
    let start = match f {
        Intrinsic::Product => Expr::literal(1.0, acc.ty),
        _ => Expr::zero(acc.ty),
    };
    out.push(cx.assign(acc.clone(), start));
    let nest = cx.nest(&axes, pre);
    out.extend(nest);
    if f == Intrinsic::Norm2 {
        let root = Expr::intrinsic(Intrinsic::Sqrt, vec![acc.clone()]);
        out.push(cx.assign(acc.clone(), root));
    }
    cx.release_axes(&axes);
    Some(())
}

/// One step of a reduction.
fn step(cx: &mut Cx, f: Intrinsic, acc: &Expr, value: Expr) -> Stmt {
    let (op, value) = match f {
        Intrinsic::Product => (BinaryOp::Mul, value),
        Intrinsic::Norm2 => (BinaryOp::Add, Expr::binary(BinaryOp::Pow, value, Expr::int(2))),
        _ => (BinaryOp::Add, value),
    };
    cx.assign(acc.clone(), Expr::binary(op, acc.clone(), value))
}

/// Sets `acc` to the element at `offs` of a product whose factors have elements.
pub(super) fn product_element(cx: &mut Cx, (args, offs): (&[Arg], &[Expr]), acc: &Expr, out: &mut Block) -> Option<()> {
    let f = Intrinsic::Matmul;
    let (a, b) = (argument(f, args, "matrix_a")?.clone(), argument(f, args, "matrix_b")?.clone());
    let (lo, hi) = cx.range(&a, usize::from(a.rank).checked_sub(1)?)?;
    let axis = cx.axis(lo, hi);
    let k = cx.offset(&axis);
    let (left, right) = match (a.rank, b.rank, offs) {
        (2, 2, [i, j]) => (vec![i.clone(), k.clone()], vec![k, j.clone()]),
        (2, 1, [i]) => (vec![i.clone(), k.clone()], vec![k]),
        (1, 2, [j]) => (vec![k.clone()], vec![k, j.clone()]),
        // Anything else stands in a program with errors.
        _ => return None,
    };
    let mut body = Vec::new();
    let left = cx.element(&a, &left, &mut body)?;
    let right = cx.element(&b, &right, &mut body)?;
    let sum = Expr::binary(BinaryOp::Add, acc.clone(), Expr::binary(BinaryOp::Mul, left, right));
    body.push(cx.assign(acc.clone(), sum));
    out.push(cx.assign(acc.clone(), Expr::zero(acc.ty)));
    let axes = [axis];
    let nest = cx.nest(&axes, body);
    out.extend(nest);
    cx.release_axes(&axes);
    Some(())
}
