//! The row of `matmul`: what each factor of a product gets from the adjoint of the result.

use costate_grammar::intrinsics::Intrinsic;
use costate_grammar::ir::{Arg, Base, Callee, Expr, ExprKind};

use super::linear::{conjugate, convert};

/// A factor of `matmul`: an array with a name, or a transposed one.
#[derive(Clone, Debug, PartialEq)]
pub struct Factor {
    /// The array.
    pub array: Expr,
    /// It stands there transposed.
    pub transposed: bool,
}

/// What the adjoint of a factor grows by.
#[derive(Clone, Debug, PartialEq)]
pub enum Increment {
    /// The whole array by this one.
    Array(Expr),
    /// Element `(i, j)` of a matrix by the product of element `i` of `rows` and element `j` of `columns`, of which the
    /// one that is a factor of the primal has to be [conjugated](conjugate) where it is complex.
    Outer {
        /// A vector as long as the matrix has rows.
        rows: Expr,
        /// A vector as long as it has columns.
        columns: Expr,
        /// `columns` is the factor of the primal, else `rows` is.
        primal_columns: bool,
    },
}

/// The factors of a product of the form that normal form leaves; `None` for any other expression.
pub fn factors(e: &Expr) -> Option<[Factor; 2]> {
    let ExprKind::Call { callee: Callee::Intrinsic(Intrinsic::Matmul), args } = &e.kind else { return None };
    let [a, b] = args.as_slice() else { return None };
    let named = a.keyword.is_some() || b.keyword.is_some();
    let pair = [factor(&a.value)?, factor(&b.value)?];
    let ranks = pair.each_ref().map(|f| f.array.rank);
    (!named && matches!(ranks, [2, 2] | [2, 1] | [1, 2])).then_some(pair)
}

fn factor(e: &Expr) -> Option<Factor> {
    match &e.kind {
        ExprKind::Var(_) => Some(Factor { array: e.clone(), transposed: false }),
        ExprKind::Call { callee: Callee::Intrinsic(Intrinsic::Transpose), args } => {
            let [Arg { value: array, .. }] = args.as_slice() else { return None };
            (array.as_var().is_some() && array.rank == 2).then(|| Factor { array: array.clone(), transposed: true })
        }
        _ => None,
    }
}

/// What the adjoint of factor `wrt` grows by, given the adjoint of the product.
pub fn increment(factors: &[Factor; 2], wrt: usize, seed: &Expr) -> Increment {
    let [a, b] = factors;
    let (own, other) = if wrt == 0 { (a, b) } else { (b, a) };
    let transposed = own.transposed;
    let by = match (own.array.rank, other.array.rank) {
        (2, 2) => {
            // A factor that stands transposed gets the transpose of what it would get else: the product of the transposes, the
            // other way round.
            let (seed, other) =
                if transposed { (copied(seed), conjugate(value(other))) } else { (seed.clone(), hermitian(other)) };
            if (wrt == 0) == transposed { matmul(other, seed) } else { matmul(seed, other) }
        }
        (2, _) => {
            // The result has an element for each row of the matrix where this is the first factor and not transposed, or
            // the second one and transposed.
            let primal_columns = (wrt == 0) != transposed;
            let (rows, columns) = if primal_columns { (seed, &other.array) } else { (&other.array, seed) };
            return Increment::Outer { rows: rows.clone(), columns: columns.clone(), primal_columns };
        }
        _ => {
            let matrix = conjugate(other.array.clone());
            if (wrt == 1) != other.transposed { matmul(seed.clone(), matrix) } else { matmul(matrix, seed.clone()) }
        }
    };
    Increment::Array(convert(by, own.array.ty))
}

/// A factor as it stands in the product.
fn value(f: &Factor) -> Expr {
    if f.transposed { copied(&f.array) } else { f.array.clone() }
}

/// The conjugate transpose of a factor.
fn hermitian(f: &Factor) -> Expr {
    match f.transposed {
        true => conjugate(f.array.clone()),
        // A conjugate is an array of its own already.
        false if f.array.ty.base == Base::Complex => conjugate(transpose(&f.array)),
        false => copied(&f.array),
    }
}

fn transpose(e: &Expr) -> Expr {
    Expr { rank: 2, ty: e.ty, ..Expr::intrinsic(Intrinsic::Transpose, vec![e.clone()]) }
}

/// `(transpose(e))`. In parentheses it is an array of its own in memory: compilers multiply with that several times as fast
/// as with one whose elements are far apart.
fn copied(e: &Expr) -> Expr {
    Expr::new(ExprKind::Paren(Box::new(transpose(e))), e.ty, 2)
}

fn matmul(a: Expr, b: Expr) -> Expr {
    let (ty, rank) = (a.ty.promote(b.ty), a.rank + b.rank - 2);
    Expr { ty, rank, ..Expr::intrinsic(Intrinsic::Matmul, vec![a, b]) }
}
