//! THE derivative table: one row for each elemental intrinsic and each operator.
//!
//! A row gives, for actual argument expressions and an expression of the result, how the result's perturbation depends
//! on each argument's: a [`Partial`]. The tangent `y_d = sum_i L_i(x_i_d)` and the adjoint `x_i_b += L_i^T(y_b)` are
//! both built from the same row, by [`apply`] and [`transpose`]; what has to be recorded is read off it by [`needs`].
//! Rows are element by element: an argument that is a scalar while the result is an array needs a sum around its
//! transpose, which is for the caller to put there.
//!
//! [`tangent`] puts a whole operation together; [`factored`] gives the few rows that have a divisor in common.
//!
//! # Where a derivative doesn't exist
//!
//! At a kink the derivative is that of the branch the primal took; where two branches meet, **the first one as written
//! takes it all**, and where no branch can be named the derivative is zero. In detail:
//!
//! * `max`, `min`: the first argument that attains the extremum takes it; the others get zero. `dim(x, y)` is
//!   `max(x - y, 0)`, so at `x == y` it follows `x - y`.
//! * `abs(x)` at zero follows `sign(1, x)`: plus for `+0`, minus for `-0`. `sign(a, b)` is `abs(a)` with the sign of
//!   `b` and doesn't depend on `b`.
//! * `abs(z)` of a complex zero and `hypot(0, 0)`: zero.
//! * `mod`, `modulo`: the jumps don't count; the number of whole periods is a constant.
//! * `aint`, `anint`, `ceiling`, `floor`, `nint`, `int`, `spacing`, `exponent`: zero, also at the steps.
//! * `x**y` with respect to `y`: zero where the base is zero (real base: zero or negative).
//! * `x**n` with an integer `n` that happens to be zero: zero, also at `x == 0`.
//! * `sqrt(x)`, `x**y` with `0 < y < 1`, `log(x)`, `asin(x)`... on the edge of their domain: infinite, as the
//!   mathematics says.

mod elemental;
mod factored;
mod helpers;
mod linear;
mod needs;
mod operators;
mod product;
mod special;
mod transformational;

use costate_grammar::intrinsics::Class;
use costate_grammar::ir::{Base, Callee, Expr, ExprKind, Ty};

pub use elemental::elemental;
pub use factored::{Factored, factored, tangent};
pub use helpers::{HELPERS, Helper, helpers_used};
pub use linear::{apply, conjugate, convert, transpose};
pub use needs::{Needs, carried, needs, needs_of, placeholder};
pub use operators::{binary, unary};
pub use product::{Factor, Increment, factors, increment};
pub use transformational::{Transformational, transformational, transformational_tangent};

/// How the result's perturbation depends on one argument's.
#[derive(Clone, Debug, PartialEq)]
pub enum Partial {
    /// Not at all: stated, not assumed.
    Zero,
    /// Linearly.
    Linear(Linear),
    /// It can't be told, and why.
    Unsupported(&'static str),
}

/// A linear map from an argument's perturbation `dx` to the result's `dy`, real-linear where complex numbers occur; the
/// inner product for its transpose is `real(conjg(u)*v)`. `apply` and `transpose` convert types and kinds.
#[derive(Clone, Debug, PartialEq)]
pub enum Linear {
    /// `dy = dx`, converted to the result's type as an assignment would: `real(z)`, `dble(x)` and `cmplx(x)` are this.
    Identity,
    /// `dy = -dx`
    Negate,
    /// `dy = p*dx`; transposed `conjg(p)*yb`, its real part for a real argument.
    Scale(Expr),
    /// `dy = dx/q`; transposed `yb/conjg(q)`.
    Over(Expr),
    /// `dy = aimag(dx)`; transposed `cmplx(0, yb)`.
    ImagPart,
    /// `dy = cmplx(0, dx)`; transposed `aimag(yb)`.
    FromImag,
    /// `dy = conjg(dx)`; transposed `conjg(yb)`.
    Conjugate,
    /// `dy = real(conjg(p)*dx)`, for `abs(z)`; transposed `p*yb`.
    RealOfConjScaled(Expr),
    /// `dy = merge(dx, 0, cond)`; transposed `merge(yb, 0, cond)`.
    Select(Expr),
}

impl Linear {
    /// The factor, divisor or condition in it.
    pub fn expr(&self) -> Option<&Expr> {
        match self {
            Linear::Scale(e) | Linear::Over(e) | Linear::RealOfConjScaled(e) | Linear::Select(e) => Some(e),
            Linear::Identity | Linear::Negate | Linear::ImagPart | Linear::FromImag | Linear::Conjugate => None,
        }
    }
}

impl Partial {
    /// The map, when there is one.
    pub fn linear(&self) -> Option<&Linear> {
        match self {
            Partial::Linear(l) => Some(l),
            Partial::Zero | Partial::Unsupported(_) => None,
        }
    }
}

/// The row of an operation, one partial for each of `node.children()` in their order; zero for literals. `None` when the node is not an
/// operation of the table (a variable, literal, constructor, user function or transformational intrinsic).
pub fn partials(node: &Expr, result: &Expr) -> Option<Vec<Partial>> {
    let mut row = row(node, result)?;
    for (partial, operand) in row.iter_mut().zip(node.children()) {
        if needs::is_literal(operand) {
            *partial = Partial::Zero;
        }
    }
    Some(row)
}

fn row(node: &Expr, result: &Expr) -> Option<Vec<Partial>> {
    match &node.kind {
        ExprKind::Unary(op, a) => Some(vec![unary(*op, a, result)]),
        ExprKind::Binary(op, a, b) => Some(binary(*op, a, b, result).into()),
        ExprKind::Paren(a) if a.ty.is_continuous() => Some(vec![Partial::Linear(Linear::Identity)]),
        ExprKind::Paren(a) => Some(vec![discrete(a.ty)]),
        ExprKind::Call { callee: Callee::Intrinsic(f), args } => {
            let f = *f;
            match f.class() {
                Class::Elemental => {}
                Class::Inquiry => return Some(vec![Partial::Zero; args.len()]),
                Class::Transformational | Class::Subroutine => return None,
            }
            // Positions are those of the dummies; an absent optional argument leaves a gap that no row looks at.
            let position = |i: usize| match &args[i].keyword {
                None => Some(i),
                Some(k) => f.dummies().iter().position(|d| *d == k.as_str()).or_else(|| extremum_keyword(k.as_str())),
            };
            let mut actual: Vec<Option<Expr>> = Vec::new();
            for (i, arg) in args.iter().enumerate() {
                let Some(at) = position(i) else { continue };
                if at >= actual.len() {
                    actual.resize(at + 1, None);
                }
                actual[at] = Some(arg.value.clone());
            }
            let actual: Vec<Expr> = actual.into_iter().map(|a| a.unwrap_or_else(absent)).collect();
            let row = |i: usize| match position(i) {
                Some(at) => elemental(f, &actual, result, at),
                None => Partial::Unsupported("unknown keyword of an intrinsic function"),
            };
            Some((0..args.len()).map(row).collect())
        }
        ExprKind::Call { callee: Callee::Proc { .. } | Callee::Bound { .. }, .. }
        | ExprKind::Int { .. }
        | ExprKind::Real { .. }
        | ExprKind::ComplexLit(..)
        | ExprKind::Logical { .. }
        | ExprKind::Str(_)
        | ExprKind::Boz(_)
        | ExprKind::Var(_)
        | ExprKind::ArrayCtor { .. }
        | ExprKind::StructCtor { .. }
        | ExprKind::ProcRef(_)
        | ExprKind::Opaque(_) => None,
    }
}

/// Dummies `a4`, `a5`... of `max` and `min`, which the intrinsic table doesn't list.
fn extremum_keyword(keyword: &str) -> Option<usize> {
    keyword.strip_prefix('a')?.parse::<usize>().ok()?.checked_sub(1).filter(|i| *i < 256)
}

/// Stands for an optional argument that is absent.
fn absent() -> Expr {
    Expr::new(ExprKind::Opaque(String::new()), Ty::NONE, 0)
}

fn is_absent(e: &Expr) -> bool {
    e.ty == Ty::NONE && matches!(&e.kind, ExprKind::Opaque(text) if text.is_empty())
}

/// The partial of something that isn't real or complex: zero by its type, or unknown with its type.
fn discrete(ty: Ty) -> Partial {
    match ty.base {
        Base::Integer | Base::Logical | Base::Character => Partial::Zero,
        Base::Real | Base::Complex => Partial::Unsupported("a real or complex operand without a row"),
        Base::Derived(_) | Base::Class(_) | Base::Unlimited => Partial::Unsupported("operand of derived type"),
        Base::None => Partial::Unsupported("the type of the operand is not known"),
    }
}

/// The partial that types alone decide: zero when argument or result is discrete, unsupported when unknown.
fn by_type(arg: Ty, result: Ty) -> Option<Partial> {
    if !arg.is_continuous() {
        return Some(discrete(arg));
    }
    if !result.is_continuous() {
        return Some(discrete(result));
    }
    None
}

/// The real literal `value` of the kind of `like`; a real factor for a complex `like`, too.
fn lit(value: f64, like: Ty) -> Expr {
    Expr::literal(value, Ty::new(Base::Real, like.kind))
}

fn scale(p: Expr) -> Partial {
    Partial::Linear(Linear::Scale(p))
}

fn over(q: Expr) -> Partial {
    Partial::Linear(Linear::Over(q))
}

fn select(cond: Expr) -> Partial {
    Partial::Linear(Linear::Select(cond))
}

fn identity() -> Partial {
    Partial::Linear(Linear::Identity)
}
