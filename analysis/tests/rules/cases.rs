//! Operations to check, each with argument types and the ranges that arguments are drawn from.

use std::rc::Rc;

use costate_analysis::rules::convert;
use costate_grammar::intrinsics::Intrinsic;
use costate_grammar::ir::{Base, Expr, ExprKind, Ty};
use costate_grammar::operators::{BinaryOp, UnaryOp};

pub(crate) const I4: Ty = Ty::INTEGER;
pub(crate) const R4: Ty = Ty::REAL;
pub(crate) const R8: Ty = Ty::DOUBLE;
pub(crate) const C4: Ty = Ty::new(Base::Complex, 4);
pub(crate) const C8: Ty = Ty::new(Base::Complex, 8);
pub(crate) const L4: Ty = Ty::LOGICAL;

type Build = Rc<dyn Fn(&[Expr], bool) -> Expr>;

/// One operation on arguments of certain types.
#[derive(Clone)]
pub(crate) struct Case {
    pub(crate) name: String,
    pub(crate) function: Option<Intrinsic>,
    pub(crate) tys: Vec<Ty>,
    pub(crate) ranges: Vec<(f64, f64)>,
    /// The operation on argument expressions; with `true`, the same one in quadruple precision.
    pub(crate) build: Build,
}

pub(crate) fn quad(ty: Ty) -> Ty {
    if ty.is_continuous() { Ty::new(ty.base, 16) } else { ty }
}

fn case(name: &str, tys: &[Ty], ranges: &[(f64, f64)], build: impl Fn(&[Expr], bool) -> Expr + 'static) -> Case {
    let types: Vec<String> = tys.iter().map(|t| format!("{:?}{}", t.base, t.kind)).collect();
    assert_eq!(tys.len(), ranges.len(), "{name}");
    Case {
        name: format!("{name}({})", types.join(",")),
        function: None,
        tys: tys.to_vec(),
        ranges: ranges.to_vec(),
        build: Rc::new(build),
    }
}

/// A reference to the function as it stands.
fn plain(out: &mut Vec<Case>, f: Intrinsic, tys: &[Ty], ranges: &[(f64, f64)]) {
    let build = move |a: &[Expr], _: bool| Expr::intrinsic(f, a.to_vec());
    out.push(Case { function: Some(f), ..case(f.name(), tys, ranges, build) });
}

/// A reference to the function, and what it computes written otherwise in quadruple precision.
fn conversion(
    out: &mut Vec<Case>,
    f: Intrinsic,
    tys: &[Ty],
    kind: Option<u8>,
    keyword: bool,
    wide: impl Fn(&[Expr]) -> Expr + 'static,
) {
    let build = move |a: &[Expr], quadruple: bool| {
        if quadruple {
            return wide(a);
        }
        let types: Vec<Ty> = a.iter().map(|e| e.ty).collect();
        let mut call = Expr::intrinsic(f, a.to_vec());
        if let Some(k) = kind {
            let k_expr = Expr::int(i64::from(k));
            call = match call.kind {
                ExprKind::Call { callee, mut args } if !keyword => {
                    args.push(costate_grammar::ir::Arg::new(k_expr));
                    Expr { kind: ExprKind::Call { callee, args }, ..call }
                }
                kind => Expr { kind, ..call }.with_keyword("kind", k_expr),
            };
            call.ty = f.result_ty(&types, kind);
        }
        call
    };
    let name = format!("{}{}", f.name(), kind.map_or(String::new(), |k| format!("_kind{k}")));
    let ranges = vec![(-2.0, 2.0); tys.len()];
    out.push(Case { function: Some(f), ..case(&name, tys, &ranges, build) });
}

/// Functions of one argument: real range, and whether complex arguments are allowed.
fn one_argument(out: &mut Vec<Case>) {
    use Intrinsic as I;
    let real: &[(I, f64, f64)] = &[
        (I::Exp, -2.0, 2.0),
        (I::Log, 0.2, 5.0),
        (I::Log10, 0.2, 5.0),
        (I::Sqrt, 0.2, 5.0),
        (I::Sin, -3.0, 3.0),
        (I::Cos, -3.0, 3.0),
        (I::Tan, -1.2, 1.2),
        (I::Asin, -0.95, 0.95),
        (I::Acos, -0.95, 0.95),
        (I::Atan, -3.0, 3.0),
        (I::Sinh, -2.0, 2.0),
        (I::Cosh, -2.0, 2.0),
        (I::Tanh, -1.5, 1.5),
        (I::Asinh, -3.0, 3.0),
        (I::Acosh, 1.2, 4.0),
        (I::Atanh, -0.9, 0.9),
        (I::Sind, -120.0, 120.0),
        (I::Cosd, -120.0, 120.0),
        (I::Tand, -60.0, 60.0),
        (I::Asind, -0.95, 0.95),
        (I::Acosd, -0.95, 0.95),
        (I::Atand, -3.0, 3.0),
        (I::Abs, -2.0, 2.0),
        (I::BesselJ0, 0.1, 6.0),
        (I::BesselJ1, 0.1, 6.0),
        (I::BesselY0, 0.5, 6.0),
        (I::BesselY1, 0.5, 6.0),
        (I::Erf, -2.0, 2.0),
        (I::Erfc, -2.0, 2.0),
        (I::ErfcScaled, -0.8, 3.0),
        (I::Gamma, 0.3, 5.0),
        (I::Gamma, -1.8, -1.2),
        (I::LogGamma, 0.3, 30.0),
        (I::LogGamma, -2.8, -2.2),
    ];
    for &(f, lo, hi) in real {
        plain(out, f, &[R4], &[(lo, hi)]);
        plain(out, f, &[R8], &[(lo, hi)]);
    }
    let complex: &[I] = &[
        I::Exp,
        I::Log,
        I::Sqrt,
        I::Sin,
        I::Cos,
        I::Tan,
        I::Asin,
        I::Acos,
        I::Atan,
        I::Sinh,
        I::Cosh,
        I::Tanh,
        I::Asinh,
        I::Acosh,
        I::Atanh,
        I::Abs,
        I::Aimag,
        I::Conjg,
    ];
    for &f in complex {
        // The second ranges reach around zero: all quadrants, both sides of the branch cuts, never on them.
        for ty in [C4, C8] {
            plain(out, f, &[ty], &[(0.3, 1.1)]);
        }
        plain(out, f, &[C8], &[(-1.9, 1.7)]);
    }
}

fn more_arguments(out: &mut Vec<Case>) {
    use Intrinsic as I;
    for ty in [R4, R8] {
        for f in [I::Atan2, I::Atan, I::Atan2d, I::Hypot, I::Sign, I::Dim, I::Max, I::Min] {
            plain(out, f, &[ty, ty], &[(-2.0, 2.0), (-2.0, 2.0)]);
        }
        for f in [I::Max, I::Min] {
            plain(out, f, &[ty; 3], &[(-2.0, 2.0); 3]);
            plain(out, f, &[ty; 5], &[(-2.0, 2.0); 5]);
        }
        for f in [I::Mod, I::Modulo] {
            plain(out, f, &[ty, ty], &[(3.0, 9.0), (0.7, 1.9)]);
            plain(out, f, &[ty, ty], &[(-9.0, -3.0), (0.7, 1.9)]);
        }
        plain(out, I::Nearest, &[ty, ty], &[(0.5, 2.0), (0.5, 2.0)]);
        for f in [I::Scale, I::SetExponent] {
            plain(out, f, &[ty, I4], &[(-3.0, 3.0), (-3.0, 3.0)]);
        }
        plain(out, I::Fraction, &[ty], &[(-9.0, 9.0)]);
        let rrspacing = move |a: &[Expr], quadruple: bool| {
            let call = Expr::intrinsic(I::Rrspacing, a.to_vec());
            let digits = if ty.kind == 4 { 24 } else { 53 };
            if quadruple { Expr::intrinsic(I::Scale, vec![call, Expr::int(digits - 113)]) } else { call }
        };
        out.push(Case { function: Some(I::Rrspacing), ..case("rrspacing", &[ty], &[(-9.0, 9.0)], rrspacing) });
        for f in [I::BesselJn, I::BesselYn] {
            plain(out, f, &[I4, ty], &[(0.0, 4.0), (0.5, 5.0)]);
            for n in [0, 1, 2, 5] {
                let build = move |a: &[Expr], _: bool| Expr::intrinsic(f, vec![Expr::int(n), a[0].clone()]);
                let name = format!("{}_{n}", f.name());
                out.push(Case { function: Some(f), ..case(&name, &[ty], &[(0.5, 5.0)], build) });
            }
        }
    }
    for ty in [R4, R8] {
        for f in [I::Aint, I::Anint, I::Spacing] {
            plain(out, f, &[ty], &[(-9.0, 9.0)]);
        }
    }
    for ty in [R4, R8, C8] {
        plain(out, I::Merge, &[ty, ty, L4], &[(-1.0, 1.0), (-1.0, 1.0), (0.0, 1.0)]);
    }
    let dprod = |a: &[Expr], quadruple: bool| match quadruple {
        true => a[0].clone().mul(a[1].clone()),
        false => Expr::intrinsic(I::Dprod, a.to_vec()),
    };
    out.push(Case { function: Some(I::Dprod), ..case("dprod", &[R4, R4], &[(-2.0, 2.0); 2], dprod) });
}

fn conversions(out: &mut Vec<Case>) {
    use Intrinsic as I;
    let q_real = Ty::new(Base::Real, 16);
    let q_complex = Ty::new(Base::Complex, 16);
    let to_real = move |a: &[Expr]| convert(a[0].clone(), q_real);
    let to_complex = move |a: &[Expr]| match a.get(1) {
        Some(im) => {
            let args = vec![a[0].clone(), im.clone()];
            Expr { ty: q_complex, ..Expr::intrinsic(I::Cmplx, args) }.with_keyword("kind", Expr::int(16))
        }
        None => convert(a[0].clone(), q_complex),
    };
    for ty in [R4, R8, C4, C8] {
        conversion(out, I::Real, &[ty], None, false, to_real);
        conversion(out, I::Real, &[ty], Some(4), true, to_real);
        conversion(out, I::Real, &[ty], Some(8), false, to_real);
        conversion(out, I::Dble, &[ty], None, false, to_real);
        conversion(out, I::Cmplx, &[ty], None, false, to_complex);
        conversion(out, I::Cmplx, &[ty], Some(8), true, to_complex);
        conversion(out, I::Dcmplx, &[ty], None, false, to_complex);
    }
    for tys in [[R4, R4], [R8, R8], [R4, R8], [I4, R8], [R4, I4]] {
        conversion(out, I::Cmplx, &tys, None, false, to_complex);
        conversion(out, I::Cmplx, &tys, Some(8), false, to_complex);
        conversion(out, I::Cmplx, &tys, Some(8), true, to_complex);
        conversion(out, I::Dcmplx, &tys, None, false, to_complex);
    }
    conversion(out, I::Sngl, &[R8], None, false, to_real);
    conversion(out, I::Dreal, &[C8], None, false, to_real);
}

fn operators(out: &mut Vec<Case>) {
    let types = [I4, R4, R8, C4, C8];
    let ops = [BinaryOp::Add, BinaryOp::Sub, BinaryOp::Mul, BinaryOp::Div, BinaryOp::Pow];
    for op in ops {
        for (a, b) in types.iter().flat_map(|a| types.iter().map(move |b| (*a, *b))) {
            if a == I4 && b == I4 {
                continue;
            }
            // Positive where a power of a real base needs it; integers from one.
            let range = |t: Ty| if t == I4 { (1.0, 4.0) } else { (0.4, 2.3) };
            let build = move |x: &[Expr], _: bool| Expr::binary(op, x[0].clone(), x[1].clone());
            out.push(case(&format!("a{}b", op.text()), &[a, b], &[range(a), range(b)], build));
        }
    }
    for ty in [R4, R8, C8] {
        for op in [UnaryOp::Minus, UnaryOp::Plus] {
            let unary = move |x: &[Expr], _: bool| {
                let (ty, rank) = (x[0].ty, x[0].rank);
                Expr::new(ExprKind::Unary(op, Box::new(x[0].clone())), ty, rank)
            };
            out.push(case(op.text(), &[ty], &[(-2.0, 2.0)], unary));
        }
        // A negative or zero integer exponent in a variable.
        let power = |x: &[Expr], _: bool| Expr::binary(BinaryOp::Pow, x[0].clone(), x[1].clone());
        out.push(case("a**n", &[ty, I4], &[(-2.3, -0.4), (-3.0, 3.0)], power));
        for n in [-2_i64, -1, 0, 1, 2, 3, 7] {
            let power = move |x: &[Expr], _: bool| {
                Expr::binary(BinaryOp::Pow, x[0].clone(), Expr::literal(n as f64, Ty::INTEGER))
            };
            out.push(case(&format!("a**{n}"), &[ty], &[(-2.3, -0.4)], power));
        }
        for text in ["0.5", "1.5", "1.4", "2.0", "3.0", "-1.0", "-0.25", "0.75e0", "12.5e-1", "4."] {
            for double in [false, true] {
                let power =
                    move |x: &[Expr], _: bool| Expr::binary(BinaryOp::Pow, x[0].clone(), real_literal(text, double));
                let name = format!("a**{text}{}", if double { "d0" } else { "" });
                out.push(case(&name, &[ty], &[(0.4, 2.3)], power));
            }
        }
        let exponential = |x: &[Expr], _: bool| Expr::binary(BinaryOp::Pow, real_literal("2.5", false), x[0].clone());
        out.push(case("2.5**a", &[ty], &[(-2.3, 2.3)], exponential));
        let ten = |x: &[Expr], _: bool| Expr::binary(BinaryOp::Pow, Expr::int(10), x[0].clone());
        out.push(case("10**a", &[ty], &[(-2.3, 2.3)], ten));
    }
}

fn real_literal(text: &str, double: bool) -> Expr {
    if let Some(positive) = text.strip_prefix('-') {
        return real_literal(positive, double).neg();
    }
    let text = match (double, text.contains('e')) {
        (false, _) => text.to_string(),
        (true, true) => text.replace('e', "d"),
        (true, false) => format!("{text}d0"),
    };
    Expr::new(ExprKind::Real { text, suffix: None }, if double { R8 } else { R4 }, 0)
}

pub(crate) fn all() -> Vec<Case> {
    let mut out = Vec::new();
    one_argument(&mut out);
    more_arguments(&mut out);
    conversions(&mut out);
    operators(&mut out);
    out
}
