//! Rows of the operators.

use costate_grammar::intrinsics::Intrinsic;
use costate_grammar::ir::{Base, Expr, ExprKind, Ty};
use costate_grammar::operators::{BinaryOp, UnaryOp};

use super::elemental::{norm_divisor, root_divisor};
use super::{Linear, Partial, by_type, convert, discrete, identity, lit, over, scale};

/// The partial of a unary operation.
pub fn unary(op: UnaryOp, arg: &Expr, result: &Expr) -> Partial {
    if let Some(p) = by_type(arg.ty, result.ty) {
        return p;
    }
    match op {
        UnaryOp::Minus => Partial::Linear(Linear::Negate),
        UnaryOp::Plus => identity(),
        UnaryOp::Not => discrete(Ty::LOGICAL),
    }
}

/// The partials of a binary operation.
pub fn binary(op: BinaryOp, a: &Expr, b: &Expr, result: &Expr) -> [Partial; 2] {
    let wrt = |x: &Expr, f: &dyn Fn() -> Partial| by_type(x.ty, result.ty).unwrap_or_else(f);
    match op {
        BinaryOp::Add => [wrt(a, &identity), wrt(b, &identity)],
        BinaryOp::Sub => [wrt(a, &identity), wrt(b, &|| Partial::Linear(Linear::Negate))],
        BinaryOp::Mul => [wrt(a, &|| scale(b.clone())), wrt(b, &|| scale(a.clone()))],
        BinaryOp::Div => [wrt(a, &|| over(b.clone())), wrt(b, &|| scale(result.clone().div(b.clone()).neg()))],
        BinaryOp::Pow => [wrt(a, &|| power_base(a, b, result)), wrt(b, &|| power_exponent(a, result))],
        BinaryOp::Concat
        | BinaryOp::Eq
        | BinaryOp::Ne
        | BinaryOp::Lt
        | BinaryOp::Le
        | BinaryOp::Gt
        | BinaryOp::Ge
        | BinaryOp::And
        | BinaryOp::Or
        | BinaryOp::Eqv
        | BinaryOp::Neqv => [Partial::Zero, Partial::Zero],
    }
}

/// `a**b` with respect to `a`.
fn power_base(a: &Expr, b: &Expr, result: &Expr) -> Partial {
    let base = || convert(a.clone(), result.ty);
    if let Some(n) = whole(b) {
        return match n {
            0 => Partial::Zero,
            1 => identity(),
            -1 => scale(result.clone().pow(Expr::int(2)).neg()),
            _ => scale(lit(n as f64, result.ty).mul(base().pow(Expr::literal((n - 1) as f64, Ty::INTEGER)))),
        };
    }
    if b.literal_value() == Some(0.5) {
        return over(lit(2.0, result.ty).mul(root_divisor(result.clone())));
    }
    if b.ty.base == Base::Integer {
        // Where the exponent is zero, 0*x**(-1) would be a NaN at x == 0.
        let zero = Expr::zero(b.ty);
        let less_one = b.clone().sub(Expr::literal(1.0, b.ty));
        let nonzero = Expr::binary(BinaryOp::Ne, b.clone(), zero.clone());
        let exponent = Expr::intrinsic(Intrinsic::Merge, vec![less_one, zero, nonzero]);
        let factor = convert(b.clone(), Ty::new(Base::Real, result.ty.kind));
        return scale(factor.mul(Expr::binary(BinaryOp::Pow, base(), exponent)));
    }
    let factor = match b.ty.base {
        Base::Complex => convert(b.clone(), result.ty),
        _ => convert(b.clone(), Ty::new(Base::Real, result.ty.kind)),
    };
    let exponent = match decimal_less_one(&factor) {
        Some(e) => e,
        None => factor.clone().sub(lit(1.0, factor.ty)),
    };
    let base = match constant(b) {
        _ if result.ty.base != Base::Real => base(),
        Some(p) if 0.0 < p && p < 1.0 => norm_divisor(&base()),
        Some(_) => base(),
        None => away_from_zero(base(), &factor),
    };
    scale(factor.mul(base.pow(exponent)))
}

/// The base of a slope that is infinite at zero where the exponent is less than one: a tiny number stands for zero there, as
/// it does in the divisor of a root.
fn away_from_zero(base: Expr, exponent: &Expr) -> Expr {
    let tiny = lit(if base.ty.kind == 4 { 1e-37 } else { 1e-300 }, base.ty);
    let nonzero = Expr::binary(BinaryOp::Ne, base.clone(), Expr::zero(base.ty));
    let steep = Expr::binary(BinaryOp::Ge, exponent.clone(), lit(1.0, exponent.ty));
    Expr::intrinsic(Intrinsic::Merge, vec![base, tiny, Expr::binary(BinaryOp::Or, nonzero, steep)])
}

/// The value of an expression of literals.
fn constant(e: &Expr) -> Option<f64> {
    if let Some(v) = e.literal_value() {
        return Some(v);
    }
    match &e.kind {
        ExprKind::Paren(a) => constant(a),
        ExprKind::Unary(UnaryOp::Minus, a) => constant(a).map(|v| -v),
        ExprKind::Binary(op, a, b) if a.is_continuous() || b.is_continuous() => {
            let (a, b) = (constant(a)?, constant(b)?);
            match op {
                BinaryOp::Add => Some(a + b),
                BinaryOp::Sub => Some(a - b),
                BinaryOp::Mul => Some(a * b),
                BinaryOp::Div => Some(a / b),
                _ => None,
            }
        }
        _ => None,
    }
}

/// `a**b` with respect to `b`: `result*log(a)`, zero where `log(a)` doesn't exist.
fn power_exponent(a: &Expr, result: &Expr) -> Partial {
    let base = convert(a.clone(), result.ty);
    let positive = a.literal_value().is_some_and(|v| v > 0.0);
    let argument = if positive {
        base
    } else {
        let (op, zero) = match result.ty.base {
            Base::Complex => (BinaryOp::Ne, Expr::zero(result.ty)),
            _ => (BinaryOp::Gt, Expr::zero(result.ty)),
        };
        let defined = Expr::binary(op, base.clone(), zero);
        Expr::intrinsic(Intrinsic::Merge, vec![base, Expr::literal(1.0, result.ty), defined])
    };
    scale(result.clone().mul(Expr::intrinsic(Intrinsic::Log, vec![argument])))
}

/// The exponent as a whole number, when it is a literal of that value; `x**2.0` is treated like `x**2`.
fn whole(b: &Expr) -> Option<i64> {
    if let Some(n) = b.as_int() {
        return Some(n);
    }
    let v = b.literal_value()?;
    (v.fract() == 0.0 && v.abs() < 1.0e6).then_some(v as i64)
}

/// `b - 1` of a plain decimal literal, worked out in decimal: `1.4_wp` gives `0.4_wp`. Literals with an exponent other
/// than zero are left to the compiler.
fn decimal_less_one(b: &Expr) -> Option<Expr> {
    let (negative, literal) = match &b.unparen().kind {
        ExprKind::Unary(UnaryOp::Minus, inner) => (true, inner.unparen()),
        _ => (false, b.unparen()),
    };
    let ExprKind::Real { text, suffix } = &literal.kind else {
        return None;
    };
    let split = text.find(|c: char| c.is_ascii_alphabetic()).unwrap_or(text.len());
    let (number, exponent) = text.split_at(split);
    if !exponent.is_empty() && exponent[1..].parse::<i32>() != Ok(0) {
        return None;
    }
    let (int, frac) = number.split_once('.').unwrap_or((number, ""));
    if frac.len() > 18 || int.len() > 18 {
        return None;
    }
    let one = 10_i128.pow(frac.len() as u32);
    let digits: i128 = format!("{int}{frac}").parse().ok()?;
    let value = if negative { -digits } else { digits } - one;
    let (whole, rest) = (value.abs() / one, value.abs() % one);
    let width = frac.len();
    let text = if width == 0 { format!("{whole}.0{exponent}") } else { format!("{whole}.{rest:0width$}{exponent}") };
    let kind = ExprKind::Real { text, suffix: suffix.clone() };
    let e = Expr::new(kind, literal.ty, 0);
    Some(if value < 0 { e.neg() } else { e })
}
