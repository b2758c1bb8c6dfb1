//! Rows of the elemental intrinsic functions.

use costate_grammar::intrinsics::Intrinsic;
use costate_grammar::ir::{Base, Expr};
use costate_grammar::operators::BinaryOp;

use super::{Linear, Partial, by_type, convert, identity, is_absent, lit, over, scale, select, special};

/// The partial of an elemental intrinsic function with respect to argument `wrt`. `args` are the actual arguments in the
/// order of the dummies; `kind=` may be left out, as the result's type tells it.
pub fn elemental(f: Intrinsic, args: &[Expr], result: &Expr, wrt: usize) -> Partial {
    let (Some(arg), Some(x)) = (args.get(wrt), args.first()) else {
        return Partial::Unsupported("missing argument of an intrinsic function");
    };
    if is_absent(arg) {
        return Partial::Zero;
    }
    if let Some(p) = by_type(arg.ty, result.ty) {
        return p;
    }
    let any_number = matches!(f.generic(), Intrinsic::Max | Intrinsic::Min);
    if wrt >= f.dummies().len() && !any_number {
        return Partial::Unsupported("more arguments than the intrinsic function takes");
    }
    let Row { needs_two, partial } = row(f.generic(), x, args, result, wrt);
    if needs_two && args.get(1).is_none_or(is_absent) {
        return Partial::Unsupported("missing argument of an intrinsic function");
    }
    partial
}

const INTEGER_EXPECTED: Partial = Partial::Unsupported("a real argument where an integer is expected");

/// What a row says, and whether it read a second argument that has to be there.
struct Row {
    needs_two: bool,
    partial: Partial,
}

fn one_arg(partial: Partial) -> Row {
    Row { needs_two: false, partial }
}

fn two_args(partial: Partial) -> Row {
    Row { needs_two: true, partial }
}

fn call(f: Intrinsic, x: &Expr) -> Expr {
    Expr::intrinsic(f, vec![x.clone()])
}

/// `(1 - x)*(1 + x)`: unlike `1 - x**2` exact near one.
fn one_minus_square(x: &Expr) -> Expr {
    lit(1.0, x.ty).sub(x.clone()).mul(lit(1.0, x.ty).add(x.clone()))
}

fn one_plus_square(x: &Expr) -> Expr {
    lit(1.0, x.ty).add(x.clone().pow(Expr::int(2)))
}

/// `sqrt(1 - x**2)`; for complex numbers in the form that has the branch cuts of `asin`.
fn root_one_minus_square(x: &Expr) -> Expr {
    match x.ty.base {
        Base::Complex => {
            let one = || lit(1.0, x.ty);
            call(Intrinsic::Sqrt, &one().sub(x.clone())).mul(call(Intrinsic::Sqrt, &one().add(x.clone())))
        }
        _ => call(Intrinsic::Sqrt, &one_minus_square(x)),
    }
}

/// `max(r, 1d-300)`: to divide by a norm `r`, so that zero over zero is zero.
pub(super) fn norm_divisor(r: &Expr) -> Expr {
    at_least(r.clone(), if r.ty.kind == 4 { 1e-37 } else { 1e-300 })
}

/// `max(r, 1d-150)`: to divide by a root `r`. Where it is zero the derivative is infinite; a huge number in its place makes
/// no NaN of a weight that is zero, as behind `min` and `max` or in a norm.
pub(super) fn root_divisor(r: Expr) -> Expr {
    let least = if r.ty.kind == 4 { 1e-18 } else { 1e-150 };
    if r.ty.base == Base::Real { at_least(r, least) } else { r }
}

fn at_least(r: Expr, least: f64) -> Expr {
    let least = lit(least, r.ty);
    Expr::intrinsic(Intrinsic::Max, vec![r, least])
}

/// `x` over its norm, or that of a vector it is a component of.
fn over_norm(x: &Expr, r: &Expr) -> Expr {
    x.clone().div(norm_divisor(r))
}

fn sign_of(x: &Expr) -> Expr {
    Expr::intrinsic(Intrinsic::Sign, vec![lit(1.0, x.ty), x.clone()])
}

/// The rows, by generic name. Types are real or complex here: all else was decided by type.
fn row(f: Intrinsic, x: &Expr, args: &[Expr], result: &Expr, wrt: usize) -> Row {
    use Intrinsic as I;
    let second = args.get(1).unwrap_or(x);
    let r = result;
    let two = || lit(2.0, x.ty);
    match f {
        I::Exp => one_arg(scale(r.clone())),
        I::Log => one_arg(over(x.clone())),
        I::Log10 => one_arg(over(x.clone().mul(special::constant(special::LN_10, x.ty)))),
        I::Sqrt => one_arg(over(two().mul(root_divisor(r.clone())))),
        I::Sin => one_arg(scale(call(I::Cos, x))),
        I::Cos => one_arg(scale(call(I::Sin, x).neg())),
        I::Tan => one_arg(scale(one_plus_square(r))),
        I::Asin => one_arg(over(root_divisor(root_one_minus_square(x)))),
        I::Acos => one_arg(over(root_divisor(root_one_minus_square(x)).neg())),
        I::Atan if args.len() > 1 => two_args(arctangent(x, second, wrt)),
        I::Atan => one_arg(over(one_plus_square(x))),
        I::Atan2 => two_args(arctangent(x, second, wrt)),
        I::Sinh => one_arg(scale(call(I::Cosh, x))),
        I::Cosh => one_arg(scale(call(I::Sinh, x))),
        I::Tanh => one_arg(scale(lit(1.0, x.ty).sub(r.clone().pow(Expr::int(2))))),
        I::Asinh => one_arg(over(call(I::Sqrt, &one_plus_square(x)))),
        I::Acosh => {
            let root = |e: Expr| call(I::Sqrt, &e);
            let product = root(x.clone().sub(lit(1.0, x.ty))).mul(root(x.clone().add(lit(1.0, x.ty))));
            one_arg(over(root_divisor(product)))
        }
        I::Atanh => one_arg(over(one_minus_square(x))),
        I::Abs if x.ty.base == Base::Complex => one_arg(Partial::Linear(Linear::RealOfConjScaled(over_norm(x, r)))),
        I::Abs => one_arg(scale(sign_of(x))),
        I::Hypot => two_args(scale(over_norm(&args[wrt], r))),
        // In degrees: the rows above with a factor.
        I::Sind => one_arg(scale(degree(x).mul(call(I::Cosd, x)))),
        I::Cosd => one_arg(scale(degree(x).mul(call(I::Sind, x)).neg())),
        I::Tand => one_arg(scale(degree(x).mul(one_plus_square(r)))),
        I::Asind => one_arg(over(degree(x).mul(root_divisor(root_one_minus_square(x))))),
        I::Acosd => one_arg(over(degree(x).mul(root_divisor(root_one_minus_square(x))).neg())),
        I::Atand => one_arg(over(degree(x).mul(one_plus_square(x)))),
        I::Atan2d => two_args(arctangent_degrees(x, second, wrt)),
        I::BesselJ0
        | I::BesselJ1
        | I::BesselJn
        | I::BesselY0
        | I::BesselY1
        | I::BesselYn
        | I::Erf
        | I::Erfc
        | I::ErfcScaled
        | I::Gamma
        | I::LogGamma => one_arg(special::row(f, args, r, wrt)),
        // Kinds, shifts and exponents are integers.
        I::Real | I::Scale | I::SetExponent if wrt > 0 => one_arg(INTEGER_EXPECTED),
        I::Cmplx if wrt > 1 => one_arg(INTEGER_EXPECTED),
        // Conversions: the result's type says it all.
        I::Real | I::Dble | I::Sngl | I::Dreal => one_arg(identity()),
        I::Cmplx | I::Dcmplx if wrt == 0 => one_arg(identity()),
        I::Cmplx | I::Dcmplx => one_arg(Partial::Linear(Linear::FromImag)),
        I::Aimag => one_arg(Partial::Linear(Linear::ImagPart)),
        I::Conjg => one_arg(Partial::Linear(Linear::Conjugate)),
        I::Nearest if wrt == 0 => one_arg(identity()),
        I::Nearest => one_arg(Partial::Zero),
        I::Max | I::Min => two_args(extremum(f, args, wrt)),
        I::Merge => match args.get(2) {
            Some(mask) if wrt == 0 => one_arg(select(mask.clone())),
            Some(mask) if wrt == 1 => one_arg(select(mask.clone().negated())),
            Some(_) | None => one_arg(Partial::Unsupported("missing argument of an intrinsic function")),
        },
        I::Sign if wrt == 0 => two_args(scale(sign_of(x).mul(sign_of(second)))),
        I::Sign => two_args(Partial::Zero),
        I::Dim if wrt == 0 => two_args(select(not_less(x, second))),
        I::Dim => {
            let minus = vec![lit(1.0, x.ty).neg(), lit(0.0, x.ty), not_less(x, second)];
            two_args(scale(Expr::intrinsic(I::Merge, minus)))
        }
        I::Mod | I::Modulo if wrt == 0 => two_args(identity()),
        // The number of whole periods, taken from the result: dividing anew could round to the next one.
        I::Mod | I::Modulo => two_args(scale(call(I::Anint, &x.clone().sub(r.clone()).div(second.clone())).neg())),
        I::Dprod => {
            let other = if wrt == 0 { second } else { x };
            two_args(scale(convert(other.clone(), r.ty)))
        }
        I::Scale => two_args(scale(Expr::intrinsic(I::Scale, vec![lit(1.0, x.ty), second.clone()]))),
        I::SetExponent => two_args(scale(power_of_two(x, second.clone().sub(call(I::Exponent, x))))),
        I::Fraction => one_arg(scale(power_of_two(x, call(I::Exponent, x).neg()))),
        I::Rrspacing => {
            let shift = call(I::Digits, x).sub(call(I::Exponent, x));
            one_arg(scale(sign_of(x).mul(power_of_two(x, shift))))
        }
        // Steps.
        I::Aint | I::Anint | I::Ceiling | I::Floor | I::Int | I::Nint | I::Exponent | I::Spacing => {
            one_arg(Partial::Zero)
        }
        I::Iabs | I::Idint | I::Idnint | I::Ifix | I::Max1 | I::Min1 => one_arg(Partial::Zero),
        // Of integer arguments only.
        I::Amax0 | I::Amin0 | I::Float | I::Dfloat => one_arg(INTEGER_EXPECTED),
        // Integers, logicals and characters: by type, whatever the arguments.
        I::Achar
        | I::Adjustl
        | I::Adjustr
        | I::Bge
        | I::Bgt
        | I::Ble
        | I::Blt
        | I::Btest
        | I::Dshiftl
        | I::Dshiftr
        | I::IsIostatEnd
        | I::IsIostatEor
        | I::Maskl
        | I::Maskr
        | I::MergeBits
        | I::Char
        | I::Iachar
        | I::Iand
        | I::Ibclr
        | I::Ibits
        | I::Ibset
        | I::Ichar
        | I::Ieor
        | I::Index
        | I::Ior
        | I::Ishft
        | I::Ishftc
        | I::Isnan
        | I::LeadZ
        | I::LenTrim
        | I::Lge
        | I::Lgt
        | I::Lle
        | I::Llt
        | I::LogicalFn
        | I::Not
        | I::Popcnt
        | I::Poppar
        | I::Scan
        | I::Shiftl
        | I::Shiftr
        | I::Shifta
        | I::TrailZ
        | I::Verify
        | I::IeeeIsNan
        | I::IeeeIsFinite => one_arg(Partial::Zero),
        I::DigammaR4 | I::DigammaR8 | I::DigammaR16 => {
            one_arg(Partial::Unsupported("second derivatives of gamma and log_gamma"))
        }
        // Specific names were mapped to their generic ones.
        #[rustfmt::skip]
        I::Dabs | I::Cabs | I::Zabs | I::Cdabs | I::Dacos | I::Dacosh | I::Dasin | I::Dasinh | I::Datan | I::Datan2
        | I::Datanh | I::Dcos | I::Ccos | I::Zcos | I::Dcosh | I::Dexp | I::Cexp | I::Zexp | I::Dlog | I::Alog
        | I::Clog | I::Zlog | I::Dlog10 | I::Alog10 | I::Dsin | I::Csin | I::Zsin | I::Dsinh | I::Dsqrt | I::Csqrt
        | I::Zsqrt | I::Dtan | I::Dtanh | I::Dsign | I::Isign | I::Dmod | I::Amod | I::Ddim | I::Idim | I::Dint
        | I::Dnint | I::Dmax1 | I::Dmin1 | I::Amax1 | I::Amin1 | I::Max0 | I::Min0 | I::Dimag | I::Dconjg | I::Derf
        | I::Derfc | I::Dgamma | I::Cdexp | I::Cdlog | I::Cdsin | I::Cdcos | I::Cdsqrt => {
            one_arg(Partial::Unsupported("specific name without its generic"))
        },
        #[rustfmt::skip]
        I::All | I::Any | I::Count | I::Cshift | I::DotProduct | I::Eoshift | I::Findloc | I::Matmul | I::Maxloc
        | I::Maxval | I::Minloc | I::Minval | I::Norm2 | I::Pack | I::Parity | I::Product | I::Reshape | I::Spread
        | I::Sum | I::Transpose | I::Unpack | I::Iall | I::Iany | I::Iparity | I::Allocated | I::Associated
        | I::BitSize | I::CommandArgumentCount | I::Digits | I::Epsilon | I::ExtendsTypeOf | I::Huge
        | I::IsContiguous | I::Kind | I::Lbound | I::Len | I::Loc | I::Maxexponent | I::Minexponent | I::NewLine
        | I::Null | I::Precision | I::Present | I::Radix | I::Range | I::Rank | I::Repeat | I::SameTypeAs
        | I::SelectedCharKind | I::SelectedIntKind | I::SelectedRealKind | I::Shape | I::Size | I::Sizeof
        | I::StorageSize | I::Tiny | I::Transfer | I::Trim | I::Ubound | I::CLoc | I::CSizeof | I::Abort
        | I::CpuTime | I::DateAndTime | I::ExecuteCommandLine | I::Exit | I::Flush | I::GetCommand
        | I::GetCommandArgument | I::GetEnvironmentVariable | I::MoveAlloc | I::Mvbits | I::RandomInit
        | I::RandomNumber | I::RandomSeed | I::SystemClock | I::System | I::WithOpenmp => {
            one_arg(Partial::Unsupported("not an elemental function"))
        },
    }
}

/// One degree in radians.
fn degree(x: &Expr) -> Expr {
    special::constant(special::DEGREE, x.ty)
}

/// `x**2 + y**2`
pub(super) fn square_sum(y: &Expr, x: &Expr) -> Expr {
    x.clone().pow(Expr::int(2)).add(y.clone().pow(Expr::int(2)))
}

/// `atan2(y, x)` with respect to one of them.
fn arctangent(y: &Expr, x: &Expr, wrt: usize) -> Partial {
    let square = norm_divisor(&square_sum(y, x));
    scale(if wrt == 0 { x.clone().div(square) } else { y.clone().div(square).neg() })
}

/// `atan2d(y, x)` with respect to one of them.
fn arctangent_degrees(y: &Expr, x: &Expr, wrt: usize) -> Partial {
    let square = degree(x).mul(norm_divisor(&square_sum(y, x)));
    scale(if wrt == 0 { x.clone().div(square) } else { y.clone().div(square).neg() })
}

/// `x >= y`
fn not_less(x: &Expr, y: &Expr) -> Expr {
    Expr::binary(BinaryOp::Ge, x.clone(), y.clone())
}

/// `2**shift` of the kind of `x`
fn power_of_two(x: &Expr, shift: Expr) -> Expr {
    Expr::intrinsic(Intrinsic::Scale, vec![lit(1.0, x.ty), shift])
}

/// `max` or `min`: argument `wrt` beats all before it and isn't beaten by those after it.
fn extremum(f: Intrinsic, args: &[Expr], wrt: usize) -> Partial {
    let (strict, weak) = if f == Intrinsic::Max { (BinaryOp::Gt, BinaryOp::Ge) } else { (BinaryOp::Lt, BinaryOp::Le) };
    let others = args.iter().enumerate().filter(|(j, e)| *j != wrt && !is_absent(e));
    let cond = others.fold(Expr::logical(true), |cond, (j, other)| {
        let op = if j < wrt { strict } else { weak };
        cond.and(Expr::binary(op, args[wrt].clone(), other.clone()))
    });
    select(cond)
}
