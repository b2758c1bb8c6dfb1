//! Comparison of two references by their text.

use costate_grammar::ir::{Designator, Expr, ExprKind, Part, Subscript};

/// How the subscripts of two references to the same array compare.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Overlap {
    /// The same elements.
    Same,
    /// No element in common.
    Apart,
    /// Unknown.
    Maybe,
}

/// Compares two references by their text: the same text is the same elements (as long as nothing in the subscripts is
/// assigned in between); subscripts that differ by a non-zero constant are apart; so are different components.
pub fn overlap(a: &Designator, b: &Designator) -> Overlap {
    if a.sym != b.sym {
        return Overlap::Apart;
    }
    if a == b {
        return Overlap::Same;
    }
    let mut result = Overlap::Same;
    for (p, q) in a.parts.iter().zip(&b.parts) {
        match (p, q) {
            (Part::Component(x), Part::Component(y)) if x != y => return Overlap::Apart,
            (Part::Component(_), Part::Component(_)) => {}
            (Part::Subscripts(x), Part::Subscripts(y)) if x.len() == y.len() => {
                for (s, t) in x.iter().zip(y) {
                    match compare(s, t) {
                        Overlap::Apart => return Overlap::Apart,
                        Overlap::Maybe => result = Overlap::Maybe,
                        Overlap::Same => {}
                    }
                }
            }
            _ => return Overlap::Maybe,
        }
    }
    if a.parts.len() == b.parts.len() { result } else { Overlap::Maybe }
}

fn compare(a: &Subscript, b: &Subscript) -> Overlap {
    match (a, b) {
        (Subscript::Index(x), Subscript::Index(y)) if x.rank == 0 && y.rank == 0 => {
            match x.clone().sub(y.clone()).as_int().or_else(|| offset_difference(x, y)) {
                Some(0) => Overlap::Same,
                Some(_) => Overlap::Apart,
                None => Overlap::Maybe,
            }
        }
        _ if a == b => Overlap::Same,
        _ => Overlap::Maybe,
    }
}

/// `x - y` when both are the same expression plus a constant.
pub fn offset_difference(x: &Expr, y: &Expr) -> Option<i64> {
    let (xb, xc) = split_offset(x);
    let (yb, yc) = split_offset(y);
    (xb == yb).then_some(xc - yc)
}

/// Splits `e + c` into `e` and the constant `c`; a lone constant gives no base.
pub fn split_offset(e: &Expr) -> (Option<&Expr>, i64) {
    use costate_grammar::operators::BinaryOp;
    if let Some(v) = e.as_int() {
        return (None, v);
    }
    match &e.kind {
        ExprKind::Paren(inner) => split_offset(inner),
        ExprKind::Binary(BinaryOp::Add, a, b) => match (a.as_int(), b.as_int()) {
            (_, Some(c)) => {
                let (base, d) = split_offset(a);
                (base, c + d)
            }
            (Some(c), _) => {
                let (base, d) = split_offset(b);
                (base, c + d)
            }
            _ => (Some(e), 0),
        },
        ExprKind::Binary(BinaryOp::Sub, a, b) => match b.as_int() {
            Some(c) => {
                let (base, d) = split_offset(a);
                (base, d - c)
            }
            None => (Some(e), 0),
        },
        _ => (Some(e), 0),
    }
}
