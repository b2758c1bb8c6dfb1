//! Which values a partial looks at: what a backward sweep needs of the primal.

use costate_grammar::intrinsics::Class;
use costate_grammar::ir::{Arg, Callee, Expr, ExprKind, Ty};

use super::{Linear, Partial, partials};

/// The values that a partial needs.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Needs {
    /// For each argument, in order: its value is needed.
    pub args: Vec<bool>,
    /// The result's value is needed.
    pub result: bool,
}

impl Needs {
    /// True when no value at all is needed: the map is the same everywhere.
    pub fn is_empty(&self) -> bool {
        !self.result && self.args.iter().all(|a| !a)
    }
}

/// A stand-in for operand `index` of an operation, distinct from all user expressions.
pub fn placeholder(index: usize, ty: Ty, rank: u8) -> Expr {
    Expr::new(ExprKind::Opaque(format!("<{index}>")), ty, rank)
}

/// Which of the given argument and result expressions a partial made from them looks at. Placeholders give exact answers;
/// with actual expressions two equal arguments can't be told apart. The argument of an inquiry (`tiny(x)`) isn't needed.
pub fn needs(partial: &Partial, args: &[Expr], result: &Expr) -> Needs {
    let mut out = Needs { args: vec![false; args.len()], result: false };
    if let Some(e) = partial.linear().and_then(Linear::expr) {
        search(e, args, result, &mut out);
    }
    out
}

fn search(e: &Expr, args: &[Expr], result: &Expr, out: &mut Needs) {
    for (arg, needed) in args.iter().zip(&mut out.args) {
        *needed |= arg == e;
    }
    out.result |= result == e;
    if let ExprKind::Call { callee: Callee::Intrinsic(f), .. } = &e.kind
        && f.class() == Class::Inquiry
    {
        return;
    }
    for child in e.children() {
        search(child, args, result, out);
    }
}

/// What the partial of an operation with respect to operand `wrt` needs of the operation's operands (`node.children()`)
/// and result. Literal operands are never needed. `None` where the table has no row (see [`partials`]).
pub fn needs_of(node: &Expr, wrt: usize) -> Option<Needs> {
    let operands = node.children();
    let stand_ins = stand_ins(&operands);
    let result = placeholder(operands.len(), node.ty, node.rank);
    let row = partials(&with_children(node, &stand_ins), &result)?;
    let mut found = needs(row.get(wrt)?, &stand_ins, &result);
    for (needed, operand) in found.args.iter_mut().zip(&operands) {
        *needed &= !is_literal(operand);
    }
    Some(found)
}

/// Which operands of an operation (`node.children()`) a derivative flows through: all but those whose derivative is stated
/// to be zero. Its row isn't made for it: the expressions in it hold the operands. `None` where the table has no row.
pub fn carried(node: &Expr) -> Option<Vec<bool>> {
    let operands = node.children();
    let result = placeholder(operands.len(), node.ty, node.rank);
    let row = partials(&with_children(node, &stand_ins(&operands)), &result)?;
    Some(row.iter().map(|p| *p != Partial::Zero).collect())
}

/// Placeholders for operands that aren't literals.
fn stand_ins(operands: &[&Expr]) -> Vec<Expr> {
    let stand_in = |(i, e): (usize, &&Expr)| if is_literal(e) { (*e).clone() } else { placeholder(i, e.ty, e.rank) };
    operands.iter().enumerate().map(stand_in).collect()
}

/// True for a numeric or logical literal, signs and parentheses included.
pub(super) fn is_literal(e: &Expr) -> bool {
    match &e.kind {
        ExprKind::Int { .. } | ExprKind::Real { .. } | ExprKind::ComplexLit(..) | ExprKind::Logical { .. } => true,
        ExprKind::Unary(_, a) | ExprKind::Paren(a) => is_literal(a),
        _ => false,
    }
}

/// The operation with other operands. Each direct operand is replaced whole.
fn with_children(node: &Expr, operands: &[Expr]) -> Expr {
    let operand = |i: usize, old: &Expr| operands.get(i).unwrap_or(old).clone();
    let kind = match &node.kind {
        ExprKind::Unary(op, a) => ExprKind::Unary(*op, Box::new(operand(0, a))),
        ExprKind::Paren(a) => ExprKind::Paren(Box::new(operand(0, a))),
        ExprKind::Binary(op, a, b) => ExprKind::Binary(*op, Box::new(operand(0, a)), Box::new(operand(1, b))),
        ExprKind::Call { callee: callee @ Callee::Intrinsic(_), args } => {
            let arg = |(i, a): (usize, &Arg)| Arg { keyword: a.keyword.clone(), value: operand(i, &a.value) };
            ExprKind::Call { callee: callee.clone(), args: args.iter().enumerate().map(arg).collect() }
        }
        other => other.clone(),
    };
    Expr { kind, ..Expr::new(ExprKind::Opaque(String::new()), node.ty, node.rank) }
}
