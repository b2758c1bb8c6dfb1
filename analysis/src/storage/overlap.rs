//! Comparison of two references by their text.

use costate_grammar::ir::{Base, Callee, Designator, Expr, ExprKind, Name, Part, Program, Subscript, for_each_expr};

use super::loc::resolve;
use super::targets::compatible;
use crate::affine::difference;

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

/// True when two designators may share storage.
pub fn may_alias(program: &Program, a: &Designator, b: &Designator) -> bool {
    if a.sym == b.sym {
        return !different_components(program, a, b);
    }
    let (Some(x), Some(y)) = (program.var(a.sym), program.var(b.sym)) else {
        return true;
    };
    if x.equivalenced && y.equivalenced {
        return true;
    }
    if x.common.is_some() && x.common == y.common && (x.equivalenced || y.equivalenced) {
        return true;
    }
    let (px, py) = (through_pointer(program, a), through_pointer(program, b));
    let (tx, ty) = (x.attrs.target || px, y.attrs.target || py);
    let kinds = similar(program, a, b);
    kinds && (px && ty || py && tx)
}

/// True for different components of one variable, whichever elements they belong to.
fn different_components(program: &Program, a: &Designator, b: &Designator) -> bool {
    let (x, y) = (a.path(), b.path());
    let differ = (0..x.len().min(y.len())).find(|k| x[*k] != y[*k]);
    let differ = differ.is_some_and(|k| !parent_covers(program, a, &x[..k], [&x[k], &y[k]]));
    let pointer_parts = |d: &Designator| {
        let mut var = program.var(d.sym);
        d.path().iter().any(|name| {
            var = var.and_then(|v| v.ty.derived()).and_then(|t| program.component(t, name.as_str()));
            var.is_none_or(|v| v.attrs.pointer)
        })
    };
    differ && !pointer_parts(a) && !pointer_parts(b)
}

/// True when one of two components of the same object is a parent component that holds the other one.
fn parent_covers(program: &Program, of: &Designator, path: &[Name], [x, y]: [&Name; 2]) -> bool {
    let Some(ty) = resolve(program, of.sym, path).and_then(|v| v.ty.derived()) else { return false };
    let holds = |parent: &Name, name: &Name| {
        program.is_parent_component(ty, parent)
            && program
                .component(ty, parent)
                .and_then(|v| v.ty.derived())
                .is_some_and(|t| program.component(t, name).is_some())
    };
    holds(x, y) || holds(y, x)
}

/// True when the designator leads through a pointer.
pub fn through_pointer(program: &Program, d: &Designator) -> bool {
    let Some(mut var) = program.var(d.sym) else {
        return true;
    };
    if var.attrs.pointer {
        return true;
    }
    for part in &d.parts {
        if let Part::Component(name) = part {
            let Some(c) = var.ty.derived().and_then(|t| program.component(t, name.as_str())) else {
                return true;
            };
            var = c;
            if var.attrs.pointer {
                return true;
            }
        }
    }
    false
}

/// False when the types of what is named exclude that one is part of the other, as a real is of a complex of its kind.
fn similar(program: &Program, a: &Designator, b: &Designator) -> bool {
    let ty = |d: &Designator| resolve(program, d.sym, &d.path()).map(|v| v.ty);
    match (ty(a), ty(b)) {
        (Some(x), Some(y)) => {
            let plain =
                |b: Base| matches!(b, Base::Integer | Base::Real | Base::Complex | Base::Logical | Base::Character);
            !(plain(x.base) && plain(y.base)) || compatible(program, x, y)
        }
        _ => true,
    }
}

/// Compares two references by their text: the same text is the same elements (as long as nothing in the subscripts is
/// assigned in between); subscripts that differ by a non-zero constant are apart; so are different components. Pointers
/// that are different components, or components of different elements, may lead to the same memory.
pub fn overlap(program: &Program, a: &Designator, b: &Designator) -> Overlap {
    if a.sym != b.sym {
        return if may_alias(program, a, b) { Overlap::Maybe } else { Overlap::Apart };
    }
    match compare_parts(a, b) {
        Ok(found) => found,
        Err(part) => match (&a.parts[part], &b.parts[part]) {
            (Part::Component(x), Part::Component(y)) if parent_covers(program, a, &before(a, part), [x, y]) => {
                Overlap::Maybe
            }
            _ => apart_from(program, a, b, part),
        },
    }
}

/// The component path that leads to a part of a reference.
fn before(d: &Designator, part: usize) -> Vec<Name> {
    Designator { sym: d.sym, parts: d.parts[..part].to_vec() }.path()
}

/// Compares two references to one variable as if all pointers on the way led to memory of their own.
pub fn overlap_by_parts(a: &Designator, b: &Designator) -> Overlap {
    compare_parts(a, b).unwrap_or(Overlap::Apart)
}

/// The subscripts, one of each reference, that make two references to an array different elements if they are unequal: the
/// only ones by number of one dimension that may be so. Pointers of different elements may lead to the same memory.
pub fn deciding(program: &Program, a: &Designator, b: &Designator) -> Option<(Expr, Expr)> {
    if a.sym != b.sym || a.parts.len() != b.parts.len() {
        return None;
    }
    let mut found = Vec::new();
    for (k, parts) in a.parts.iter().zip(&b.parts).enumerate() {
        if !found.is_empty() && pointer_after(program, a, k) {
            return None;
        }
        match parts {
            (Part::Subscripts(x), Part::Subscripts(y)) if x.len() == y.len() => {
                found.extend(x.iter().zip(y).filter_map(|(s, t)| match (s, t) {
                    (Subscript::Index(s), Subscript::Index(t)) if s.rank == 0 && t.rank == 0 && s != t => Some((s, t)),
                    _ => None,
                }));
            }
            (x, y) if x == y => {}
            _ => return None,
        }
    }
    match found.as_slice() {
        [(s, t)] if is_plain(s) && is_plain(t) => Some(((*s).clone(), (*t).clone())),
        _ => None,
    }
}

/// True for an expression without calls of the program's functions.
fn is_plain(e: &Expr) -> bool {
    let mut plain = true;
    for_each_expr(e, &mut |x| {
        plain &= !matches!(&x.kind, ExprKind::Call { callee, .. } if !matches!(callee, Callee::Intrinsic(_)));
    });
    plain
}

/// How two references to one variable compare; where they are apart, the part from which on they differ.
fn compare_parts(a: &Designator, b: &Designator) -> Result<Overlap, usize> {
    if a == b {
        return Ok(Overlap::Same);
    }
    let mut result = Overlap::Same;
    for (k, (p, q)) in a.parts.iter().zip(&b.parts).enumerate() {
        match (p, q) {
            (Part::Component(x), Part::Component(y)) if x != y => return Err(k),
            (Part::Component(_), Part::Component(_)) => {}
            (Part::Subscripts(x), Part::Subscripts(y)) if x.len() == y.len() => {
                let found: Vec<Overlap> = x.iter().zip(y).map(|(s, t)| compare(s, t)).collect();
                if found.contains(&Overlap::Apart) {
                    return Err(k);
                }
                if found.contains(&Overlap::Maybe) {
                    result = Overlap::Maybe;
                }
            }
            _ => return Ok(Overlap::Maybe),
        }
    }
    Ok(if a.parts.len() == b.parts.len() { result } else { Overlap::Maybe })
}

/// Two references to one variable that differ from a part on: apart, unless pointers bring them together again.
fn apart_from(program: &Program, a: &Designator, b: &Designator, part: usize) -> Overlap {
    let (pa, pb) = (pointer_after(program, a, part), pointer_after(program, b, part));
    let target = program.var(a.sym).is_none_or(|v| v.attrs.target || v.attrs.pointer) || through_pointer(program, a);
    match similar(program, a, b) && (pa && (pb || target) || pb && target) {
        true => Overlap::Maybe,
        false => Overlap::Apart,
    }
}

/// True when a designator leads through a pointer component that one of its parts from the given one on names.
fn pointer_after(program: &Program, d: &Designator, part: usize) -> bool {
    let mut var = program.var(d.sym);
    d.parts.iter().enumerate().any(|(k, p)| {
        let Part::Component(name) = p else { return false };
        var = var.and_then(|v| v.ty.derived()).and_then(|t| program.component(t, name.as_str()));
        k >= part && var.is_none_or(|v| v.attrs.pointer)
    })
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
        _ if ends_before(a, b) || ends_before(b, a) || interleaved(a, b) => Overlap::Apart,
        _ => Overlap::Maybe,
    }
}

/// The least and the greatest of what a subscript picks, which need not be elements that it does pick: bounds that it doesn't
/// give are the dimension's. `None` where more than that isn't known.
pub fn ends(s: &Subscript) -> Option<(Option<&Expr>, Option<&Expr>)> {
    match s {
        Subscript::Index(e) => (e.rank == 0).then_some((Some(e), Some(e))),
        Subscript::Range { lo, hi, step } => match step.as_ref().map_or(Some(1), Expr::as_int)? {
            1.. => Some((lo.as_ref(), hi.as_ref())),
            _ => Some((hi.as_ref(), lo.as_ref())),
        },
    }
}

/// True when all that one subscript picks surely lies before what the other one does.
fn ends_before(a: &Subscript, b: &Subscript) -> bool {
    let (Some((_, Some(x))), Some((Some(y), _))) = (ends(a), ends(b)) else { return false };
    difference(y, x).is_some_and(|d| d > 0)
}

/// True when the steps of two subscripts surely never lead to the same element: `1::2` and `2::2`.
fn interleaved(a: &Subscript, b: &Subscript) -> bool {
    // Where it starts, and by what it goes on.
    let steps = |s: &Subscript| match s {
        Subscript::Index(e) if e.rank == 0 => Some((e.clone(), 0)),
        Subscript::Index(_) => None,
        Subscript::Range { lo, step, .. } => lo.clone().zip(step.as_ref().map_or(Some(1), Expr::as_int)),
    };
    let (Some((x, i)), Some((y, j))) = (steps(a), steps(b)) else { return false };
    let common = gcd(i.unsigned_abs(), j.unsigned_abs());
    common > 1 && difference(&x, &y).is_some_and(|d| d.unsigned_abs() % common != 0)
}

fn gcd(a: u64, b: u64) -> u64 {
    if b == 0 { a } else { gcd(b, a % b) }
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
