//! Transformational intrinsics: in tangent code they are applied to the perturbations as they stand; the backward sweep
//! sees the loops that normal form makes of them, and `matmul`, which has a row of its own ([`super::increment`]).

use costate_grammar::intrinsics::{Class, Intrinsic};
use costate_grammar::ir::{Arg, Callee, CtorItem, Expr, ExprKind};

/// How the result of a transformational function depends on its arguments.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Transformational {
    /// Linear in the arguments at these dummy positions taken together; the rest is structure (shapes, masks, shifts).
    LinearIn(&'static [usize]),
    /// Linear in each of the two arguments; conjugate-linear in the first for a complex `dot_product`.
    Bilinear,
    /// Not linear: to be written as loops first.
    NeedsLowering,
    /// No derivative.
    Inactive,
    /// Can't be differentiated, and why.
    Unsupported(&'static str),
    /// An elemental function or a subroutine: not of this table.
    NotTransformational,
}

/// The class of a function in this table.
pub fn transformational(f: Intrinsic) -> Transformational {
    use Intrinsic as I;
    use Transformational as T;
    match f {
        I::Sum | I::Spread | I::Transpose | I::Cshift => T::LinearIn(&[0]),
        I::Reshape | I::Eoshift | I::Pack | I::Unpack => T::LinearIn(&[0, 2]),
        I::DotProduct | I::Matmul => T::Bilinear,
        I::Product | I::Maxval | I::Minval | I::Norm2 => T::NeedsLowering,
        I::All
        | I::Any
        | I::Count
        | I::Findloc
        | I::Maxloc
        | I::Minloc
        | I::Parity
        | I::Iall
        | I::Iany
        | I::Iparity
        | I::CommandArgumentCount
        | I::Null
        | I::Repeat
        | I::SelectedCharKind
        | I::SelectedIntKind
        | I::SelectedRealKind
        | I::Trim => T::Inactive,
        I::Transfer => T::Unsupported("transfer reinterprets bits"),
        other => match other.class() {
            Class::Inquiry => T::Inactive,
            Class::Elemental | Class::Subroutine => T::NotTransformational,
            Class::Transformational => T::Unsupported("no row in the derivative table"),
        },
    }
}

/// The tangent of a reference to a transformational function of type `ty` and rank `rank`. `args` are the actual
/// arguments as written, `tangents` their perturbations (`None` for one that has none); `result` is an expression of the
/// primal result. `None` when there is none to build: nothing is perturbed, or the function has to be lowered.
pub fn transformational_tangent(f: Intrinsic, args: &[Arg], tangents: &[Option<Expr>], result: &Expr) -> Option<Expr> {
    let perturbed = |i: usize| tangents.get(i).cloned().flatten();
    let position = |i: usize| match &args[i].keyword {
        None => Some(i),
        Some(k) => f.dummies().iter().position(|d| *d == k.as_str()),
    };
    let find = |dummy: usize| (0..args.len()).find(|i| position(*i) == Some(dummy));
    let call = |args: Vec<Arg>| {
        let kind = ExprKind::Call { callee: Callee::Intrinsic(f), args };
        Expr::new(kind, result.ty, result.rank)
    };
    match transformational(f) {
        Transformational::LinearIn(linear) => {
            (0..args.len()).find(|i| perturbed(*i).is_some() && position(*i).is_some_and(|p| linear.contains(&p)))?;
            let of = |i: usize| {
                let value = match (position(i), perturbed(i)) {
                    (Some(p), Some(d)) if linear.contains(&p) => d,
                    (Some(p), None) if linear.contains(&p) => zeros_like(&args[i].value),
                    _ => args[i].value.clone(),
                };
                Arg { keyword: args[i].keyword.clone(), value }
            };
            Some(call((0..args.len()).map(of).collect()))
        }
        Transformational::Bilinear => {
            let (a, b) = (find(0)?, find(1)?);
            let with = |i: usize| {
                let mut changed = args.to_vec();
                changed[i].value = perturbed(i)?;
                Some(call(changed))
            };
            match (with(a), with(b)) {
                (Some(x), Some(y)) => Some(x.add(y)),
                (x, y) => x.or(y),
            }
        }
        Transformational::NeedsLowering if f == Intrinsic::Norm2 => {
            norm2_tangent(args, find(0)?, perturbed(find(0)?)?, result)
        }
        Transformational::NeedsLowering
        | Transformational::Inactive
        | Transformational::Unsupported(_)
        | Transformational::NotTransformational => None,
    }
}

/// `sum(x*x_d, dim)/max(norm2(x, dim), 1d-300)`: zero at zero, like `hypot`.
fn norm2_tangent(args: &[Arg], x: usize, x_d: Expr, result: &Expr) -> Option<Expr> {
    let mut changed = args.to_vec();
    changed[x] = Arg::new(args[x].value.clone().mul(x_d));
    let callee = Callee::Intrinsic(Intrinsic::Sum);
    let sum = Expr::new(ExprKind::Call { callee, args: changed }, result.ty, result.rank);
    Some(sum.div(super::elemental::norm_divisor(result)))
}

/// Zeros in the shape of `e`, without arithmetic on its values: `spread(spread(0, 1, size(e, 1)), 2, size(e, 2))`.
fn zeros_like(e: &Expr) -> Expr {
    let zero = Expr::zero(e.ty);
    match &e.kind {
        ExprKind::ArrayCtor { type_spec: None, items } if matches!(items.as_slice(), [CtorItem::Value(v)] if v.rank == 0) =>
        {
            let items = vec![CtorItem::Value(zero)];
            Expr { kind: ExprKind::ArrayCtor { type_spec: None, items }, ..e.clone() }
        }
        _ => (1..=e.rank).fold(zero, |inner, dim| {
            let mut size = vec![e.clone()];
            if e.rank > 1 {
                size.push(Expr::int(i64::from(dim)));
            }
            let size = Expr::intrinsic(Intrinsic::Size, size);
            let spread = Expr::intrinsic(Intrinsic::Spread, vec![inner, Expr::int(i64::from(dim)), size]);
            Expr { rank: dim, ..spread }
        }),
    }
}
