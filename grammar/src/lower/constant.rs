//! Constant expressions.

use crate::intrinsics::Intrinsic;
use crate::ir::{Arg, Base, Callee, CtorItem, Dim, Expr, ExprKind, Part, Program, Subscript, Ty};
use crate::operators::{BinaryOp, UnaryOp};

/// The value of a constant expression.
#[derive(Clone, Debug, PartialEq)]
pub enum Const {
    /// An integer.
    Int(i64),
    /// A real, rounded to double.
    Real(f64),
    /// A logical.
    Logical(bool),
    /// Characters, without quotes.
    Str(String),
}

impl Const {
    fn real(&self) -> Option<f64> {
        match self {
            Const::Int(i) => Some(*i as f64),
            Const::Real(r) => Some(*r),
            Const::Logical(_) | Const::Str(_) => None,
        }
    }

    fn int(&self) -> Option<i64> {
        if let Const::Int(i) = self { Some(*i) } else { None }
    }
}

/// Evaluates an expression of literals, named constants, operators and simple intrinsics.
pub fn fold(program: &Program, e: &Expr) -> Option<Const> {
    Folder { program }.fold(e, 0)
}

/// The value of a constant integer expression, named constants included.
pub fn integer(program: &Program, e: &Expr) -> Option<i64> {
    e.as_int().or_else(|| match fold(program, e)? {
        Const::Int(n) => Some(n),
        _ => None,
    })
}

/// How many elements constant bounds stand for; 1 for no bounds at all.
pub fn size(program: &Program, dims: &[Dim]) -> Option<i64> {
    let f = Folder { program };
    dims.iter().try_fold(1i64, |n, d| n.checked_mul(f.extent(d, 0)?))
}

struct Folder<'p> {
    program: &'p Program,
}

/// Named constants can't refer to each other deeper than this.
const DEPTH: u32 = 200;

impl Folder<'_> {
    fn fold(&self, e: &Expr, depth: u32) -> Option<Const> {
        if depth > DEPTH {
            return None;
        }
        match &e.kind {
            ExprKind::Int { value, .. } => Some(Const::Int(*value)),
            ExprKind::Real { .. } => e.literal_value().map(Const::Real),
            ExprKind::Logical { value, .. } => Some(Const::Logical(*value)),
            ExprKind::Str(text) => unquote(text).map(Const::Str),
            ExprKind::Paren(a) => self.fold(a, depth + 1),
            ExprKind::Var(d) => self.var(d, depth),
            ExprKind::Unary(op, a) => match (op, self.fold(a, depth + 1)?) {
                (UnaryOp::Minus, Const::Int(i)) => i.checked_neg().map(Const::Int),
                (UnaryOp::Minus, Const::Real(r)) => Some(Const::Real(-r)),
                (UnaryOp::Plus, v) => Some(v),
                (UnaryOp::Not, Const::Logical(b)) => Some(Const::Logical(!b)),
                (UnaryOp::Minus | UnaryOp::Not, _) => None,
            },
            ExprKind::Binary(op, a, b) => binary(*op, self.fold(a, depth + 1)?, self.fold(b, depth + 1)?),
            ExprKind::Call { callee: Callee::Intrinsic(f), args } => self.intrinsic(*f, args, e.ty, depth + 1),
            ExprKind::Call { .. }
            | ExprKind::ComplexLit(..)
            | ExprKind::Boz(_)
            | ExprKind::ArrayCtor { .. }
            | ExprKind::StructCtor { .. }
            | ExprKind::ProcRef(_)
            | ExprKind::Opaque(_) => None,
        }
    }

    fn var(&self, d: &crate::ir::Designator, depth: u32) -> Option<Const> {
        let var = self.program.var(d.sym)?;
        if !var.attrs.parameter {
            return None;
        }
        let init = var.init.as_ref()?;
        match d.parts.as_slice() {
            [] if var.dims.is_empty() => {
                let value = self.fold(init, depth + 1)?;
                convert(value, var.ty)
            }
            [Part::Subscripts(list)] => {
                let [Subscript::Index(i)] = list.as_slice() else { return None };
                let lo = match var.dims.first()? {
                    Dim::Explicit(Some(lo), _) => self.fold(lo, depth + 1)?.int()?,
                    _ => 1,
                };
                let at = usize::try_from(self.fold(i, depth + 1)?.int()? - lo).ok()?;
                let ExprKind::ArrayCtor { items, .. } = &init.unparen().kind else {
                    return (init.rank == 0).then(|| self.fold(init, depth + 1))?;
                };
                let scalar = |i: &CtorItem| matches!(i, CtorItem::Value(v) if v.rank == 0);
                match items.get(at) {
                    Some(CtorItem::Value(v)) if items.iter().all(scalar) => self.fold(v, depth + 1),
                    _ => None,
                }
            }
            _ => None,
        }
    }

    fn extent(&self, d: &Dim, depth: u32) -> Option<i64> {
        let Dim::Explicit(lo, hi) = d else { return None };
        let lo = lo.as_ref().map_or(Some(1), |l| self.fold(l, depth + 1)?.int())?;
        Some((self.fold(hi, depth + 1)?.int()?.checked_sub(lo)?.checked_add(1)?).max(0))
    }

    fn dims<'e>(&'e self, e: &'e Expr) -> Option<&'e [Dim]> {
        let d = e.unparen().as_var()?;
        let var = self.program.var(d.sym)?;
        d.parts.is_empty().then_some(var.dims.as_slice())
    }

    fn intrinsic(&self, f: Intrinsic, args: &[Arg], ty: Ty, depth: u32) -> Option<Const> {
        use Intrinsic as I;
        let arg = |i: usize| -> Option<&Expr> {
            let name = f.dummies().get(i).copied().unwrap_or("");
            let by_name = args.iter().find(|a| a.keyword.as_deref() == Some(name));
            by_name.or_else(|| args.get(i).filter(|a| a.keyword.is_none())).map(|a| &a.value)
        };
        let value = |i: usize| arg(i).and_then(|e| self.fold(e, depth));
        let first = arg(0)?;
        match f.generic() {
            I::Kind => Some(Const::Int(i64::from(first.ty.kind))),
            I::SelectedIntKind => Some(Const::Int(int_kind(value(0)?.int()?))),
            I::SelectedRealKind => {
                let of = |i: usize| arg(i).map_or(Some(0), |e| self.fold(e, depth)?.int());
                Some(Const::Int(real_kind(of(0)?, of(1)?)))
            }
            I::SelectedCharKind => match value(0)? {
                Const::Str(s) if s.trim().eq_ignore_ascii_case("iso_10646") => Some(Const::Int(4)),
                Const::Str(_) => Some(Const::Int(1)),
                Const::Int(_) | Const::Real(_) | Const::Logical(_) => None,
            },
            I::Precision
            | I::Range
            | I::Digits
            | I::Epsilon
            | I::Huge
            | I::Tiny
            | I::Radix
            | I::BitSize
            | I::StorageSize => model(f.generic(), first.ty),
            I::Size => {
                let dims = self.dims(first)?;
                match arg(1) {
                    Some(d) => {
                        let d = usize::try_from(self.fold(d, depth)?.int()?).ok()?;
                        self.extent(dims.get(d.checked_sub(1)?)?, depth).map(Const::Int)
                    }
                    None => dims.iter().try_fold(1i64, |n, d| n.checked_mul(self.extent(d, depth)?)).map(Const::Int),
                }
            }
            I::Ubound | I::Lbound => {
                let d = usize::try_from(value(1)?.int()?).ok()?;
                let Dim::Explicit(lo, hi) = self.dims(first)?.get(d.checked_sub(1)?)? else { return None };
                match (f.generic(), lo) {
                    (I::Ubound, _) => self.fold(hi, depth),
                    (_, Some(lo)) => self.fold(lo, depth),
                    (_, None) => Some(Const::Int(1)),
                }
            }
            I::Max | I::Min => self.extreme(f.generic() == I::Max, args, ty, depth),
            I::Len | I::LenTrim => match value(0)? {
                Const::Str(s) if f == I::Len => Some(Const::Int(s.len() as i64)),
                Const::Str(s) => Some(Const::Int(s.trim_end_matches(' ').len() as i64)),
                Const::Int(_) | Const::Real(_) | Const::Logical(_) => None,
            },
            I::Ichar | I::Iachar => match value(0)? {
                Const::Str(s) => s.bytes().next().map(|b| Const::Int(i64::from(b))),
                Const::Int(_) | Const::Real(_) | Const::Logical(_) => None,
            },
            I::Mod | I::Modulo | I::Sign | I::Ishft | I::Iand | I::Ior | I::Ieor | I::Shiftl | I::Shiftr | I::Dim => {
                two(f.generic(), value(0)?, value(1)?)
            }
            I::Merge => match value(2)? {
                Const::Logical(true) => value(0),
                Const::Logical(false) => value(1),
                Const::Int(_) | Const::Real(_) | Const::Str(_) => None,
            },
            _ => one(f.generic(), value(0)?, ty),
        }
    }

    fn extreme(&self, max: bool, args: &[Arg], ty: Ty, depth: u32) -> Option<Const> {
        let values: Vec<Const> = args.iter().map(|a| self.fold(&a.value, depth)).collect::<Option<_>>()?;
        if ty.base == Base::Integer {
            let ints = values.iter().map(Const::int).collect::<Option<Vec<_>>>()?;
            return if max { ints.into_iter().max() } else { ints.into_iter().min() }.map(Const::Int);
        }
        let reals = values.iter().map(Const::real).collect::<Option<Vec<_>>>()?;
        reals.into_iter().reduce(|a, b| if max { a.max(b) } else { a.min(b) }).map(Const::Real)
    }
}

/// A constant of another numeric type, as an initialisation converts it.
fn convert(value: Const, ty: Ty) -> Option<Const> {
    match (value, ty.base) {
        (Const::Int(i), Base::Real) => Some(Const::Real(i as f64)),
        (Const::Real(r), Base::Integer) => Some(Const::Int(r as i64)),
        (Const::Real(r), Base::Real) if ty.kind == 4 => Some(Const::Real(f64::from(r as f32))),
        (v, _) => Some(v),
    }
}

fn int_kind(digits: i64) -> i64 {
    match digits {
        ..=2 => 1,
        3..=4 => 2,
        5..=9 => 4,
        10..=18 => 8,
        19..=38 => 16,
        _ => -1,
    }
}

fn real_kind(precision: i64, range: i64) -> i64 {
    let kinds = [(6, 37, 4), (15, 307, 8), (18, 4931, 10), (33, 4931, 16)];
    kinds.iter().find(|(p, r, _)| precision <= *p && range <= *r).map_or(-1, |(_, _, k)| *k)
}

fn model(f: Intrinsic, ty: Ty) -> Option<Const> {
    use Intrinsic as I;
    let real = matches!(ty.base, Base::Real | Base::Complex);
    let bits = 8 * i64::from(ty.kind);
    let of_kind = |four: i64, eight: i64, sixteen: i64| match ty.kind {
        4 => Some(four),
        8 => Some(eight),
        16 => Some(sixteen),
        _ => None,
    };
    let int = |v: Option<i64>| v.map(Const::Int);
    match f {
        I::Precision if real => int(of_kind(6, 15, 33)),
        I::Range if real => int(of_kind(37, 307, 4931)),
        I::Range => int(match ty.kind {
            1 => Some(2),
            2 => Some(4),
            _ => of_kind(9, 18, 38),
        }),
        I::Digits if real => int(of_kind(24, 53, 113)),
        I::Digits => Some(Const::Int(bits - 1)),
        I::Radix => Some(Const::Int(2)),
        I::BitSize => Some(Const::Int(bits)),
        I::StorageSize if ty.is_numeric() => Some(Const::Int(if ty.base == Base::Complex { 2 * bits } else { bits })),
        I::Huge if ty.base == Base::Integer && bits <= 64 => Some(Const::Int((1i64 << (bits - 1)).wrapping_sub(1))),
        I::Epsilon | I::Huge | I::Tiny if ty.base == Base::Real => {
            let (e, h, t) = match ty.kind {
                4 => (f64::from(f32::EPSILON), f64::from(f32::MAX), f64::from(f32::MIN_POSITIVE)),
                8 => (f64::EPSILON, f64::MAX, f64::MIN_POSITIVE),
                _ => return None,
            };
            Some(Const::Real(match f {
                I::Epsilon => e,
                I::Huge => h,
                _ => t,
            }))
        }
        _ => None,
    }
}

fn one(f: Intrinsic, v: Const, ty: Ty) -> Option<Const> {
    use Intrinsic as I;
    if let (Const::Int(i), Base::Integer) = (&v, ty.base) {
        return match f {
            I::Abs => i.checked_abs().map(Const::Int),
            I::Int | I::Nint | I::Floor | I::Ceiling => Some(v),
            I::Not => Some(Const::Int(!i)),
            _ => None,
        };
    }
    let x = v.real()?;
    let whole = |r: f64| (r.abs() < 9e18).then_some(Const::Int(r as i64));
    let r = match f {
        I::Int => return whole(x.trunc()),
        I::Nint => return whole(x.round()),
        I::Floor => return whole(x.floor()),
        I::Ceiling => return whole(x.ceil()),
        I::Real | I::Dble | I::Float | I::Dfloat | I::Sngl => x,
        I::Abs => x.abs(),
        I::Sqrt => x.sqrt(),
        I::Exp => x.exp(),
        I::Log => x.ln(),
        I::Log10 => x.log10(),
        I::Sin => x.sin(),
        I::Cos => x.cos(),
        I::Tan => x.tan(),
        I::Asin => x.asin(),
        I::Acos => x.acos(),
        I::Atan => x.atan(),
        I::Aint => x.trunc(),
        I::Anint => x.round(),
        _ => return None,
    };
    r.is_finite().then_some(Const::Real(r))
}

fn two(f: Intrinsic, a: Const, b: Const) -> Option<Const> {
    use Intrinsic as I;
    if let (Const::Int(x), Const::Int(y)) = (&a, &b) {
        let (x, y) = (*x, *y);
        let shift = u32::try_from(y.unsigned_abs()).ok().filter(|s| *s < 64);
        return match f {
            I::Mod => x.checked_rem(y),
            I::Modulo => x.checked_rem(y).map(|r| if r != 0 && (r < 0) != (y < 0) { r + y } else { r }),
            I::Sign => x.checked_abs().map(|m| if y < 0 { -m } else { m }),
            I::Iand => Some(x & y),
            I::Ior => Some(x | y),
            I::Ieor => Some(x ^ y),
            I::Shiftl => shift.map(|s| x << s),
            I::Ishft if y >= 0 => shift.map(|s| x << s),
            I::Ishft | I::Shiftr if x >= 0 => shift.map(|s| x >> s),
            I::Dim => x.checked_sub(y).map(|d| d.max(0)),
            _ => None,
        }
        .map(Const::Int);
    }
    let (x, y) = (a.real()?, b.real()?);
    Some(Const::Real(match f {
        I::Mod => x % y,
        I::Modulo => x - (x / y).floor() * y,
        I::Sign => x.abs().copysign(y),
        I::Dim => (x - y).max(0.0),
        _ => return None,
    }))
}

fn binary(op: BinaryOp, a: Const, b: Const) -> Option<Const> {
    use BinaryOp as B;
    match (&a, &b) {
        (Const::Logical(x), Const::Logical(y)) => {
            return Some(Const::Logical(match op {
                B::And => *x && *y,
                B::Or => *x || *y,
                B::Eqv => x == y,
                B::Neqv => x != y,
                _ => return None,
            }));
        }
        (Const::Str(x), Const::Str(y)) => {
            return match op {
                B::Concat => Some(Const::Str(format!("{x}{y}"))),
                B::Eq => Some(Const::Logical(x.trim_end_matches(' ') == y.trim_end_matches(' '))),
                B::Ne => Some(Const::Logical(x.trim_end_matches(' ') != y.trim_end_matches(' '))),
                _ => None,
            };
        }
        _ => {}
    }
    if let (Const::Int(x), Const::Int(y)) = (&a, &b) {
        let (x, y) = (*x, *y);
        let value = match op {
            B::Add => x.checked_add(y),
            B::Sub => x.checked_sub(y),
            B::Mul => x.checked_mul(y),
            B::Div => x.checked_div(y),
            B::Pow => integer_power(x, y),
            _ => return compare(op, x.cmp(&y)),
        };
        return value.map(Const::Int);
    }
    let (x, y) = (a.real()?, b.real()?);
    let value = match op {
        B::Add => x + y,
        B::Sub => x - y,
        B::Mul => x * y,
        B::Div => x / y,
        B::Pow => x.powf(y),
        _ => return compare(op, x.partial_cmp(&y)?),
    };
    value.is_finite().then_some(Const::Real(value))
}

fn integer_power(x: i64, y: i64) -> Option<i64> {
    match u32::try_from(y) {
        Ok(n) => x.checked_pow(n),
        Err(_) => match x {
            1 => Some(1),
            -1 => Some(if y % 2 == 0 { 1 } else { -1 }),
            0 => None,
            _ => Some(0),
        },
    }
}

fn compare(op: BinaryOp, order: std::cmp::Ordering) -> Option<Const> {
    use BinaryOp as B;
    Some(Const::Logical(match op {
        B::Eq => order.is_eq(),
        B::Ne => order.is_ne(),
        B::Lt => order.is_lt(),
        B::Le => order.is_le(),
        B::Gt => order.is_gt(),
        B::Ge => order.is_ge(),
        _ => return None,
    }))
}

fn unquote(text: &str) -> Option<String> {
    let quote = text.chars().next().filter(|c| matches!(c, '\'' | '"'))?;
    let inner = text.strip_prefix(quote)?.strip_suffix(quote)?;
    Some(inner.replace(&format!("{quote}{quote}"), &quote.to_string()))
}
