//! Whole operations: the sum of the partials applied, with a common divisor taken out where there is one.

use costate_grammar::intrinsics::Intrinsic;
use costate_grammar::ir::{Callee, Expr, ExprKind};
use costate_grammar::operators::BinaryOp;

use super::{Linear, Partial, apply, convert, identity, partials, scale};

/// A row whose partials have a divisor in common: `dy = (sum L_i(dx_i))/q`. A tangent divides once; an adjoint computes
/// `t = transpose(&outer, y_b)` once and then `x_i_b += transpose(L_i, t)`, with `t` of the result's type.
#[derive(Clone, Debug, PartialEq)]
pub struct Factored {
    /// `Over(q)`, from the result's type to the result's type.
    pub outer: Linear,
    /// The partials without the divisor, for `node.children()` in order.
    pub partials: Vec<Partial>,
}

/// The factored row of a quotient, `hypot` or `atan2`; `None` for all other operations.
pub fn factored(node: &Expr, result: &Expr) -> Option<Factored> {
    let row = partials(node, result)?;
    let operands = node.children();
    let (&[a, b], 2) = (operands.get(..2)?, operands.len()) else { return None };
    let (divisor, inner) = match &node.kind {
        ExprKind::Binary(BinaryOp::Div, ..) => (b.clone(), [identity(), scale(result.clone().neg())]),
        ExprKind::Call { callee: Callee::Intrinsic(f), args } if args.iter().all(|a| a.keyword.is_none()) => {
            match f.generic() {
                Intrinsic::Hypot => (super::elemental::norm_divisor(result), [scale(a.clone()), scale(b.clone())]),
                Intrinsic::Atan | Intrinsic::Atan2 => (
                    super::elemental::norm_divisor(&super::elemental::square_sum(a, b)),
                    [scale(b.clone()), scale(a.clone().neg())],
                ),
                _ => return None,
            }
        }
        _ => return None,
    };
    // What is zero or unsupported stays so.
    let keep = |(whole, inner): (Partial, Partial)| if whole.linear().is_some() { inner } else { whole };
    let partials = row.into_iter().zip(inner).map(keep).collect();
    Some(Factored { outer: Linear::Over(divisor), partials })
}

/// The tangent of one operation: `tangents` are the perturbations of `node.children()`, `None` for one that has none.
/// `Ok(None)` when nothing perturbs the result; the reason when a perturbed operand has no row.
pub fn tangent(node: &Expr, result: &Expr, tangents: &[Option<Expr>]) -> Result<Option<Expr>, &'static str> {
    let operands = node.children();
    let row = partials(node, result).ok_or("an operation without a row in the derivative table")?;
    let perturbed = row.iter().zip(tangents).filter(|(p, d)| p.linear().is_some() && d.is_some()).count();
    let (outer, row) = match factored(node, result) {
        Some(f) if perturbed > 1 => (Some(f.outer), f.partials),
        _ => (None, row),
    };
    if let Some(choice) = choice(node, result, &row, tangents) {
        return Ok(Some(choice));
    }
    let mut sum: Option<Expr> = None;
    for ((partial, operand), dx) in row.iter().zip(operands).zip(tangents) {
        let Some(dx) = dx else { continue };
        let term = match partial {
            Partial::Zero => continue,
            Partial::Unsupported(why) => return Err(why),
            Partial::Linear(map) => apply(map, dx.clone(), operand.ty, result.ty),
        };
        sum = Some(match sum {
            None => term,
            Some(s) => s.add(term),
        });
    }
    Ok(match (sum, outer) {
        (Some(s), Some(map)) => Some(apply(&map, s, result.ty, result.ty)),
        (s, _) => s,
    })
}

/// `merge(a_d, b_d, cond)` for `merge`, and for `max` or `min` of two, when both are perturbed: the conditions of their two
/// rows complement each other.
fn choice(node: &Expr, result: &Expr, row: &[Partial], tangents: &[Option<Expr>]) -> Option<Expr> {
    let ExprKind::Call { callee: Callee::Intrinsic(f), args } = &node.kind else { return None };
    let two = match f.generic() {
        Intrinsic::Max | Intrinsic::Min => args.len() == 2,
        Intrinsic::Merge => true,
        _ => false,
    };
    if !two || args.iter().any(|a| a.keyword.is_some()) {
        return None;
    }
    let (Partial::Linear(Linear::Select(cond)), Partial::Linear(Linear::Select(_))) = (row.first()?, row.get(1)?)
    else {
        return None;
    };
    let dx = |i: usize| Some(convert(tangents.get(i)?.clone()?, result.ty));
    Some(Expr::intrinsic(Intrinsic::Merge, vec![dx(0)?, dx(1)?, cond.clone()]))
}
