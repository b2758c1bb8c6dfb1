//! Linear maps and their transposes as expressions, with the conversions between types and kinds.

use costate_grammar::intrinsics::Intrinsic;
use costate_grammar::ir::{Base, Expr, ExprKind, KindSuffix, Ty};
use costate_grammar::operators::UnaryOp;

use super::Linear;

/// The tangent contribution `L(dx)`, of the result's type. `dx` has the argument's type.
pub fn apply(map: &Linear, dx: Expr, arg_ty: Ty, result_ty: Ty) -> Expr {
    let dx = convert(dx, arg_ty);
    match map {
        Linear::Identity => convert(dx, result_ty),
        Linear::Negate => convert(dx, result_ty).neg(),
        Linear::Scale(p) => convert(p.clone().mul(dx), result_ty),
        Linear::Over(q) => convert(over(dx, q.clone()), result_ty),
        Linear::ImagPart => convert(Expr::intrinsic(Intrinsic::Aimag, vec![dx]), result_ty),
        Linear::FromImag => imaginary(dx, result_ty),
        Linear::Conjugate => convert(conjugate(dx), result_ty),
        Linear::RealOfConjScaled(p) => convert(real_part(conjugate(p.clone()).mul(dx)), result_ty),
        Linear::Select(cond) => choose(convert(dx, result_ty), cond),
    }
}

/// The adjoint contribution `L^T(yb)`, of the argument's type. `yb` has the result's type.
pub fn transpose(map: &Linear, yb: Expr, arg_ty: Ty, result_ty: Ty) -> Expr {
    let yb = convert(yb, result_ty);
    let to_real = arg_ty.base == Base::Real;
    match map {
        Linear::Identity => convert(yb, arg_ty),
        Linear::Negate => convert(yb, arg_ty).neg(),
        // A real factor commutes with taking the real part: do that first, it saves half of the products.
        Linear::Scale(p) if to_real && p.ty.base != Base::Complex => convert(p.clone().mul(real_part(yb)), arg_ty),
        Linear::Over(q) if to_real && q.ty.base != Base::Complex => convert(over(real_part(yb), q.clone()), arg_ty),
        Linear::Scale(p) => convert(conjugate(p.clone()).mul(yb), arg_ty),
        Linear::Over(q) => convert(over(yb, conjugate(q.clone())), arg_ty),
        Linear::ImagPart => imaginary(yb, arg_ty),
        Linear::FromImag => convert(Expr::intrinsic(Intrinsic::Aimag, vec![yb]), arg_ty),
        Linear::Conjugate => convert(conjugate(yb), arg_ty),
        Linear::RealOfConjScaled(p) => convert(p.clone().mul(yb), arg_ty),
        Linear::Select(cond) => convert(choose(yb, cond), arg_ty),
    }
}

/// `e` in another numeric type, as an assignment would convert it; `e` itself where nothing changes. Integer literals
/// become literals of the type. Types that don't convert are left alone.
pub fn convert(e: Expr, to: Ty) -> Expr {
    if e.ty == to || !e.ty.is_numeric() {
        return e;
    }
    // A sign stays outside, where sums and products can take it up.
    if let ExprKind::Unary(UnaryOp::Minus, inner) = e.kind {
        return convert(*inner, to).neg();
    }
    if e.ty.base == Base::Integer
        && let Some(value) = e.as_int()
        && value.abs() < 1 << 24
    {
        return Expr::literal(value as f64, to);
    }
    // So do real literals whose value is the same in every kind: 0.5, but not 0.1.
    if let ExprKind::Real { suffix: None | Some(KindSuffix::Number(_)), .. } = &e.kind
        && matches!(to.base, Base::Real | Base::Complex)
        && let Some(value) = e.literal_value()
        && f64::from(value as f32) == value
    {
        return Expr::literal(value, to);
    }
    let rank = e.rank;
    let call = match to.base {
        Base::Real if e.ty.base == Base::Complex && e.ty.kind == to.kind => {
            return real_part(e);
        }
        Base::Real => Expr::intrinsic(Intrinsic::Real, kinded(e, to.kind)),
        Base::Complex if to.kind == 4 => Expr::intrinsic(Intrinsic::Cmplx, vec![e]),
        Base::Complex => Expr::intrinsic(Intrinsic::Cmplx, vec![e]).with_keyword("kind", Expr::int(i64::from(to.kind))),
        Base::Integer => Expr::intrinsic(Intrinsic::Int, kinded(e, to.kind)),
        Base::Logical | Base::Character | Base::Derived(_) | Base::Class(_) | Base::Unlimited | Base::None => return e,
    };
    Expr { ty: to, rank, ..call }
}

/// Arguments of `real` or `int`; the default kind needs no second one.
fn kinded(e: Expr, kind: u8) -> Vec<Expr> {
    if kind == 4 && e.ty.base != Base::Complex { vec![e] } else { vec![e, Expr::int(i64::from(kind))] }
}

/// `real(z)` in the kind of `z`; other types unchanged.
fn real_part(z: Expr) -> Expr {
    if z.ty.base != Base::Complex {
        return z;
    }
    match z.kind {
        ExprKind::Unary(UnaryOp::Minus, inner) => real_part(*inner).neg(),
        _ => Expr::intrinsic(Intrinsic::Real, vec![z]),
    }
}

/// `conjg(z)`; real and integer expressions unchanged.
pub fn conjugate(z: Expr) -> Expr {
    if z.ty.base != Base::Complex {
        return z;
    }
    match z.kind {
        ExprKind::Unary(UnaryOp::Minus, inner) => conjugate(*inner).neg(),
        ExprKind::ComplexLit(re, im) => Expr { kind: ExprKind::ComplexLit(re, Box::new(im.neg())), ..z },
        _ => Expr::intrinsic(Intrinsic::Conjg, vec![z]),
    }
}

/// `dx/q` with a divisor's sign taken out.
fn over(dx: Expr, q: Expr) -> Expr {
    match q.kind {
        ExprKind::Unary(UnaryOp::Minus, inner) => dx.div(*inner).neg(),
        kind => dx.div(Expr { kind, ..q }),
    }
}

/// `cmplx(0, x)` in the complex type `ty`.
fn imaginary(x: Expr, ty: Ty) -> Expr {
    let zero = Expr::zero(Ty::new(Base::Real, ty.kind));
    let rank = x.rank;
    let mut args = vec![zero, x];
    if ty.kind != 4 {
        args.push(Expr::int(i64::from(ty.kind)));
    }
    let call = Expr::intrinsic(Intrinsic::Cmplx, args);
    Expr { ty, rank, ..call }
}

/// `merge(x, 0, cond)`
fn choose(x: Expr, cond: &Expr) -> Expr {
    match &cond.kind {
        ExprKind::Logical { value: true, .. } => x,
        ExprKind::Logical { value: false, .. } => Expr::zero(x.ty),
        _ => {
            let zero = Expr::zero(x.ty);
            Expr::intrinsic(Intrinsic::Merge, vec![x, zero, cond.clone()])
        }
    }
}
