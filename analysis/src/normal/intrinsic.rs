//! Transformational intrinsics: their arguments, and what is known of them by name.

use costate_grammar::intrinsics::Intrinsic;
use costate_grammar::ir::{Arg, Base, Expr};

/// The actual argument for a dummy of an intrinsic.
pub(super) fn argument<'a>(f: Intrinsic, args: &'a [Arg], name: &str) -> Option<&'a Expr> {
    if let Some(a) = args.iter().find(|a| a.keyword.as_ref().is_some_and(|k| k.as_str() == name)) {
        return Some(&a.value);
    }
    let k = f.dummies().iter().position(|d| *d == name)?;
    let positional = args.iter().take_while(|a| a.keyword.is_none()).count();
    // `sum(a, mask)` leaves `dim` out.
    let has_dim = f.dummies().get(1) == Some(&"dim") && f.dummies().contains(&"mask");
    let second_is_mask = has_dim && positional >= 2 && args[1].value.ty.base == Base::Logical;
    let k = match name {
        "dim" if second_is_mask => return None,
        "mask" if second_is_mask => 1,
        _ => k,
    };
    (k < positional).then(|| &args[k].value)
}

/// `dim=` as a number from 0; `Err` when it isn't a literal.
pub(super) fn dim_of(f: Intrinsic, args: &[Arg]) -> Result<Option<usize>, ()> {
    match argument(f, args, "dim") {
        None => Ok(None),
        Some(e) => e.as_int().and_then(|d| usize::try_from(d - 1).ok()).map(Some).ok_or(()),
    }
}

/// True for the functions whose element is an expression of elements.
pub(super) fn by_element(f: Intrinsic) -> bool {
    use Intrinsic as I;
    matches!(
        f,
        I::Sum
            | I::Product
            | I::Maxval
            | I::Minval
            | I::Norm2
            | I::Matmul
            | I::Transpose
            | I::Spread
            | I::Reshape
            | I::Cshift
            | I::Eoshift
    )
}

/// What a temporary for a function's value is called.
pub(super) fn base_name(f: Intrinsic) -> &'static str {
    match f {
        Intrinsic::Sum => "sum",
        Intrinsic::Product | Intrinsic::Matmul => "prod",
        Intrinsic::DotProduct => "dot",
        Intrinsic::Maxval => "max",
        Intrinsic::Minval => "min",
        Intrinsic::Norm2 => "norm",
        Intrinsic::Maxloc | Intrinsic::Minloc | Intrinsic::Findloc => "loc",
        _ => "tmp",
    }
}
