//! Rows of the special functions, and constants with the digits of every kind.

use costate_grammar::intrinsics::Intrinsic;
use costate_grammar::ir::{Base, Expr, ExprKind, KindSuffix, Ty};
use costate_grammar::operators::BinaryOp;

use super::{Partial, helpers, lit, scale};

/// A constant to the digits of quadruple precision, and in double precision.
pub(super) struct Constant {
    quad: &'static str,
    double: f64,
}

/// `log(10)`
pub(super) const LN_10: Constant =
    Constant { quad: "2.302585092994045684017991454684364208", double: std::f64::consts::LN_10 };

/// `pi/180`
pub(super) const DEGREE: Constant =
    Constant { quad: "0.01745329251994329576923690768488612713", double: std::f64::consts::PI / 180.0 };

/// `2/sqrt(pi)`
const TWO_OVER_ROOT_PI: Constant =
    Constant { quad: "1.128379167095512573896158903121545172", double: std::f64::consts::FRAC_2_SQRT_PI };

/// A constant as a real literal of the kind of `like`, with as many digits as the kind holds.
pub(super) fn constant(c: Constant, like: Ty) -> Expr {
    let ty = Ty::new(Base::Real, like.kind);
    match ty.kind {
        4 => {
            let text = format!("{:?}", c.double as f32);
            Expr::new(ExprKind::Real { text, suffix: None }, ty, 0)
        }
        8 => Expr::literal(c.double, ty),
        k => {
            let suffix = Some(KindSuffix::Number(u32::from(k)));
            Expr::new(ExprKind::Real { text: c.quad.into(), suffix }, ty, 0)
        }
    }
}

/// The rows. Arguments are real here.
pub(super) fn row(f: Intrinsic, args: &[Expr], r: &Expr, wrt: usize) -> Partial {
    use Intrinsic as I;
    let x = &args[wrt];
    let of = |f: I| Expr::intrinsic(f, vec![x.clone()]);
    let order = |f: I, n: Expr| Expr::intrinsic(f, vec![n, x.clone()]);
    let half = |e: Expr| scale(lit(0.5, x.ty).mul(e));
    match f {
        I::BesselJ0 => scale(of(I::BesselJ1).neg()),
        I::BesselY0 => scale(of(I::BesselY1).neg()),
        // Not j0 - j1/x: that is 0/0 at zero.
        I::BesselJ1 => half(of(I::BesselJ0).sub(order(I::BesselJn, Expr::int(2)))),
        I::BesselY1 => half(of(I::BesselY0).sub(order(I::BesselYn, Expr::int(2)))),
        I::BesselJn | I::BesselYn if args.len() > 2 => {
            Partial::Unsupported("a Bessel function of several orders at once")
        }
        I::BesselJn | I::BesselYn if wrt == 0 => Partial::Unsupported("an order that isn't an integer"),
        I::BesselJn | I::BesselYn => bessel_order(f, &args[0], x),
        I::Erf => scale(constant(TWO_OVER_ROOT_PI, x.ty).mul(gaussian(x))),
        I::Erfc => scale(constant(TWO_OVER_ROOT_PI, x.ty).mul(gaussian(x)).neg()),
        I::ErfcScaled => scale(lit(2.0, x.ty).mul(x.clone()).mul(r.clone()).sub(constant(TWO_OVER_ROOT_PI, x.ty))),
        I::Gamma => digamma(x, |psi| scale(r.clone().mul(psi))),
        I::LogGamma => digamma(x, scale),
        other => {
            debug_assert!(false, "{} is no special function", other.name());
            Partial::Unsupported("not a special function")
        }
    }
}

/// `exp(-x**2)`
fn gaussian(x: &Expr) -> Expr {
    Expr::intrinsic(Intrinsic::Exp, vec![x.clone().pow(Expr::int(2)).neg()])
}

/// `(C[n-1] - C[n+1])/2`, where order -1 is minus order 1: negative orders aren't standard.
fn bessel_order(f: Intrinsic, n: &Expr, x: &Expr) -> Partial {
    let order = |n: Expr| Expr::intrinsic(f, vec![n, x.clone()]);
    let one = || Expr::literal(1.0, n.ty);
    let difference = match n.as_int() {
        Some(0) => return scale(order(one()).neg()),
        Some(k) => order(Expr::literal((k - 1) as f64, n.ty)).sub(order(Expr::literal((k + 1) as f64, n.ty))),
        None => {
            let above = Expr::binary(BinaryOp::Gt, n.clone(), Expr::zero(n.ty));
            let sign = Expr::intrinsic(Intrinsic::Merge, vec![lit(1.0, x.ty), lit(1.0, x.ty).neg(), above]);
            let below = Expr::intrinsic(Intrinsic::Abs, vec![n.clone().sub(one())]);
            sign.mul(order(below)).sub(order(n.clone().add(one())))
        }
    };
    scale(lit(0.5, x.ty).mul(difference))
}

/// A row with the digamma function of `x`, which a helper computes.
fn digamma(x: &Expr, row: impl Fn(Expr) -> Partial) -> Partial {
    match helpers::digamma(x.ty) {
        Some(f) => row(Expr::intrinsic(f, vec![x.clone()])),
        None => Partial::Unsupported("no digamma function for reals of this kind"),
    }
}
