//! Tangents and transposes of scalar expressions, from THE derivative table.

use costate_analysis::operands::any_differentiable_operand;
use costate_analysis::rules::{self, Factor, Partial};
use costate_grammar::diag::{Code, Diagnostic};
use costate_grammar::intrinsics::Intrinsic;
use costate_grammar::ir::{Designator, Expr, ExprKind, Ty, map_expr};
use costate_grammar::source::Span;

/// Something that is computed on the way of transposing an expression.
#[derive(Clone, Debug)]
pub enum Step {
    /// The adjoint of an inner node, used more than once, gets a variable of this type.
    Temporary(Ty, Expr),
    /// The operand `of` receives `by`.
    Increment {
        /// The primal operand.
        of: Expr,
        /// What its adjoint grows by.
        by: Expr,
    },
}

/// What the transposer asks its user.
pub trait Active {
    /// True when a derivative flows through this operand here.
    fn active(&mut self, d: &Designator) -> bool;
    /// A new scalar variable for the adjoint of an inner node.
    fn temporary(&mut self, ty: Ty) -> Expr;
    /// The derivative of an operand.
    fn derivative(&mut self, operand: &Expr) -> Expr;
}

/// Refusal of an expression.
pub fn unsupported(span: Span, reason: &str) -> Diagnostic {
    Diagnostic::error(Code::UnsupportedExpression, span, "this expression can't be differentiated")
        .reason(reason.to_string())
        .help("rewrite the expression with supported operations, or take the procedure out of the differentiated code")
}

/// True when any active operand stands in the expression.
pub fn is_active(e: &Expr, cx: &mut dyn Active) -> bool {
    any_differentiable_operand(e, &mut |d| cx.active(d))
}

/// Transposes `e`: given the adjoint `seed` of its value, the steps that add to the adjoints of its active operands.
pub fn transpose(e: &Expr, seed: Expr, cx: &mut dyn Active, out: &mut Vec<Step>) -> Result<(), Diagnostic> {
    transpose_by(e, e, seed, cx, out)
}

/// The same where the value of `e` stands in `result`.
pub fn transpose_by(
    e: &Expr,
    result: &Expr,
    seed: Expr,
    cx: &mut dyn Active,
    out: &mut Vec<Step>,
) -> Result<(), Diagnostic> {
    match &e.kind {
        ExprKind::Var(d) => {
            if cx.active(d) {
                out.push(Step::Increment { of: e.clone(), by: rules::convert(seed, e.ty) });
            }
            Ok(())
        }
        _ => {
            if !is_active(e, cx) {
                return Ok(());
            }
            if e.rank > 0 {
                return Err(unsupported(e.span, "an array-valued operation is left after normal form"));
            }
            let Some(rows) = rules::partials(e, result) else {
                return Err(unsupported(e.span, "no derivative is known for this operation"));
            };
            let mut active: Vec<(&Expr, Partial)> = e.children().into_iter().zip(rows).collect();
            active.retain(|(child, _)| is_active(child, cx));
            let mut seed = if active.len() > 1 && weight(&seed) > 2 {
                let t = cx.temporary(seed.ty);
                out.push(Step::Temporary(seed.ty, seed));
                t
            } else {
                seed
            };
            let last = active.len().saturating_sub(1);
            for (k, (child, row)) in active.into_iter().enumerate() {
                match row {
                    Partial::Zero => {}
                    Partial::Linear(map) => {
                        // The last operand takes the seed itself: along a chain of operations its copies would pile up.
                        let own = if k == last { std::mem::replace(&mut seed, Expr::int(0)) } else { seed.clone() };
                        let adjoint = rules::transpose(&map, own, child.ty, e.ty);
                        transpose(child, adjoint, cx, out)?;
                    }
                    Partial::Unsupported(reason) => return Err(unsupported(child.span, reason)),
                }
            }
            Ok(())
        }
    }
}

/// The tangent of a scalar expression; `None` when nothing active stands in it.
pub fn tangent(e: &Expr, cx: &mut dyn Active) -> Result<Option<Expr>, Diagnostic> {
    match &e.kind {
        ExprKind::Var(d) => Ok(if cx.active(d) { Some(cx.derivative(e)) } else { None }),
        _ => {
            if !is_active(e, cx) {
                return Ok(None);
            }
            if let Some(factors) = rules::factors(e) {
                return Ok(tangent_of_product(e, &factors, cx));
            }
            if e.rank > 0 {
                return Err(unsupported(e.span, "an array-valued operation is left after normal form"));
            }
            let Some(rows) = rules::partials(e, e) else {
                return Err(unsupported(e.span, "no derivative is known for this operation"));
            };
            let children = e.children();
            let mut sum: Option<Expr> = None;
            for (child, row) in children.iter().zip(rows) {
                let Some(d) = tangent(child, cx)? else { continue };
                let term = match row {
                    Partial::Zero => continue,
                    Partial::Linear(map) => rules::apply(&map, d, child.ty, e.ty),
                    Partial::Unsupported(reason) => return Err(unsupported(child.span, reason)),
                };
                sum = Some(match sum {
                    None => term,
                    Some(s) => s.add(term),
                });
            }
            Ok(sum)
        }
    }
}

/// The tangent of a product of arrays.
fn tangent_of_product(e: &Expr, factors: &[Factor; 2], cx: &mut dyn Active) -> Option<Expr> {
    let ExprKind::Call { args, .. } = &e.kind else { return None };
    let mut tangents = Vec::with_capacity(2);
    for (arg, factor) in args.iter().zip(factors) {
        let active = factor.array.as_var().is_some_and(|d| cx.active(d));
        let derivative = active.then(|| cx.derivative(&factor.array));
        tangents.push(
            derivative.map(|d| map_expr(arg.value.clone(), &mut |x| if x == factor.array { d.clone() } else { x })),
        );
    }
    rules::transformational_tangent(Intrinsic::Matmul, args, &tangents, e)
}

/// A rough measure of the work in an expression: its operations, intrinsics counting more.
pub fn weight(e: &Expr) -> usize {
    let own = match &e.kind {
        ExprKind::Binary(..) => 1,
        ExprKind::Call { .. } => 4,
        ExprKind::Var(_) => return 0,
        _ => 0,
    };
    own + e.children().into_iter().map(weight).sum::<usize>()
}
