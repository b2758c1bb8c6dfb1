//! Designators: which part makes one an array, its subscripts, and how many elements they select.

use costate_grammar::intrinsics::{Class, Intrinsic};
use costate_grammar::ir::{Arg, Base, Callee, Designator, Dim, Expr, ExprKind, Part, Program, Subscript, Ty, Variable};
use costate_grammar::operators::BinaryOp;

use crate::affine;
use crate::storage::resolve;

/// The declaration of what a designator names: its base variable or its last component.
pub(super) fn declared<'a>(program: &'a Program, d: &Designator) -> Option<&'a Variable> {
    let mut var = program.var(d.sym)?;
    for part in &d.parts {
        if let Part::Component(name) = part {
            var = program.component(var.ty.derived()?, name.as_str())?;
        }
    }
    Some(var)
}

/// The array within a designator.
pub(super) struct ArrayPart {
    /// Where its subscripts stand, or would stand, among the parts.
    pub(super) at: usize,
    /// Its subscripts; `None` for a whole array.
    pub(super) subscripts: Option<Vec<Subscript>>,
    /// Its declaration.
    pub(super) var: Variable,
}

/// Finds the part that gives a designator its rank.
pub(super) fn array_part(program: &Program, d: &Designator) -> Option<ArrayPart> {
    let mut var = program.var(d.sym)?;
    let mut at = 0;
    loop {
        if var.rank() > 0 {
            match d.parts.get(at) {
                Some(Part::Subscripts(list)) => {
                    if list.iter().any(is_array) {
                        return Some(ArrayPart { at, subscripts: Some(list.clone()), var: var.clone() });
                    }
                    at += 1;
                }
                _ => {
                    return Some(ArrayPart { at, subscripts: None, var: var.clone() });
                }
            }
        }
        let Some(Part::Component(name)) = d.parts.get(at) else {
            return None;
        };
        var = program.component(var.ty.derived()?, name.as_str())?;
        at += 1;
    }
}

fn is_array(s: &Subscript) -> bool {
    match s {
        Subscript::Index(e) => e.rank > 0,
        Subscript::Range { .. } => true,
    }
}

/// True when subscripts after the designator select from a section, not from a whole array.
pub(super) fn is_section(program: &Program, d: &Designator) -> bool {
    array_part(program, d).is_some_and(|p| p.subscripts.is_some() || p.at < d.parts.len())
}

/// `list` applied to the section `d`: `x(2:n)` and `(i)` give `x(i + 1)`.
pub(super) fn subsection(program: &Program, d: &Designator, list: &[Subscript]) -> Option<Designator> {
    let part = array_part(program, d)?;
    let Some(old) = &part.subscripts else {
        let mut parts = d.parts.clone();
        parts.insert(part.at, Part::Subscripts(list.to_vec()));
        return Some(Designator { sym: d.sym, parts });
    };
    let mut new = Vec::new();
    let mut given = list.iter();
    for (k, s) in old.iter().enumerate() {
        new.push(match s {
            Subscript::Index(e) if e.rank == 0 => s.clone(),
            Subscript::Index(v) => match given.next()? {
                Subscript::Index(i) => Subscript::Index(pick(v, i)?),
                Subscript::Range { lo: None, hi: None, step: None } => s.clone(),
                Subscript::Range { .. } => return None,
            },
            Subscript::Range { lo, hi, step } => {
                // Where a stride counts down, a section without bounds begins at the upper one.
                let end = |at_end| turned(step.as_ref(), &|down| bound(&part, d, k, down != at_end));
                let first = lo.clone().unwrap_or_else(|| end(false));
                compose(&first, hi.as_ref(), &|| end(true), step.as_ref(), given.next()?)
            }
        });
    }
    let mut parts = d.parts.clone();
    parts[part.at] = Part::Subscripts(new);
    Some(Designator { sym: d.sym, parts })
}

/// A bound of a dimension of the array in a designator.
fn bound(part: &ArrayPart, d: &Designator, k: usize, upper: bool) -> Expr {
    match (part.var.dims.get(k), upper) {
        (Some(Dim::Explicit(None, _) | Dim::Assumed(None)), false) => Expr::int(1),
        (Some(Dim::Explicit(Some(lo), _)), false) if lo.as_int().is_some() => lo.clone(),
        (Some(Dim::Explicit(_, hi)), true) if hi.as_int().is_some() => hi.clone(),
        _ => {
            let base = Designator { sym: d.sym, parts: d.parts[..part.at].to_vec() };
            inquire(if upper { Intrinsic::Ubound } else { Intrinsic::Lbound }, base, &part.var, k)
        }
    }
}

/// What holds for a stride that counts up, or down (`true`); a stride of which that isn't known decides as the program runs.
fn turned(step: Option<&Expr>, value: &dyn Fn(bool) -> Expr) -> Expr {
    match step.map(|s| (s, s.as_int())) {
        None => value(false),
        Some((_, Some(s))) => value(s < 0),
        Some((step, None)) => {
            let up = Expr::binary(BinaryOp::Gt, step.clone(), Expr::int(0));
            Expr::intrinsic(Intrinsic::Merge, vec![value(false), value(true), up])
        }
    }
}

/// A subscript of the section `lo:hi:step` as one of the array; without `hi`, the section goes to `end`.
fn compose(lo: &Expr, hi: Option<&Expr>, end: &dyn Fn() -> Expr, step: Option<&Expr>, s: &Subscript) -> Subscript {
    let index = |e: &Expr| at(lo, step, &affine::minus(e, &Expr::int(1)));
    // The last element stands where the stride leads to, which needn't be the upper bound.
    let last_element = || {
        let hi = hi.cloned().unwrap_or_else(end);
        let Some(step) = step.filter(|s| s.as_int().is_none_or(|s| s.abs() != 1)) else { return hi };
        let beyond = Expr::intrinsic(Intrinsic::Modulo, vec![affine::minus(&hi, lo), step.clone()]);
        hi.sub(beyond)
    };
    match s {
        Subscript::Index(e) => Subscript::Index(index(e)),
        Subscript::Range { lo: first, hi: last, step: by } => {
            let from = |down| if down { last_element() } else { lo.clone() };
            // What an upper bound that is left out stands for follows from the stride alone, unless it is turned.
            let up = by.as_ref().is_none_or(|b| b.as_int().is_some_and(|b| b > 0));
            let to = |down| if down { lo.clone() } else { last_element() };
            let open = || if up { hi.cloned() } else { Some(turned(by.as_ref(), &to)) };
            Subscript::Range {
                lo: Some(first.as_ref().map_or_else(|| turned(by.as_ref(), &from), index)),
                hi: last.as_ref().map(index).or_else(open),
                step: match (step, by) {
                    (None, by) => by.clone(),
                    (step, None) => step.cloned(),
                    (Some(a), Some(b)) => Some(a.clone().mul(b.clone())),
                },
            }
        }
    }
}

/// The element of a vector subscript.
fn pick(v: &Expr, i: &Expr) -> Option<Expr> {
    let d = v.as_var().filter(|d| d.parts.is_empty())?;
    Some(Expr::element(d.sym, v.ty, vec![i.clone()]))
}

/// The index `offset` steps after `lo`.
pub(super) fn at(lo: &Expr, step: Option<&Expr>, offset: &Expr) -> Expr {
    match step.map(Expr::as_int) {
        None => affine::combine(offset, 1, lo),
        Some(Some(s)) => affine::combine(&scale(offset, s), 1, lo),
        Some(None) => match (step, offset.as_int()) {
            (_, Some(0)) | (None, _) => lo.clone(),
            (Some(step), _) => lo.clone().add(offset.clone().mul(step.clone())),
        },
    }
}

fn scale(e: &Expr, factor: i64) -> Expr {
    affine::combine(&Expr::new(ExprKind::Int { value: 0, suffix: None }, e.ty, 0), factor, e)
}

/// `lbound(base, k)` and the like; `k` counts from 0.
pub(super) fn inquire(f: Intrinsic, base: Designator, var: &Variable, k: usize) -> Expr {
    let array = Expr::new(ExprKind::Var(base), var.ty, var.rank());
    let mut args = vec![Arg::new(array)];
    if f != Intrinsic::Size || var.rank() > 1 {
        args.push(Arg::new(Expr::int(k as i64 + 1)));
    }
    Expr::new(ExprKind::Call { callee: Callee::Intrinsic(f), args }, Ty::INTEGER, 0)
}

/// One dimension of an array-valued designator.
#[derive(Clone, Debug)]
pub(super) enum Dimension {
    /// `lo:hi:step`
    Triplet { lo: Expr, hi: Expr, step: Option<Expr> },
    /// A vector subscript.
    Vector(Expr),
}

/// A count, or zero where it is negative.
pub(super) fn at_least_none(count: Expr) -> Expr {
    match (&count.kind, count.as_int()) {
        (_, Some(n)) => Expr::int(n.max(0)),
        (ExprKind::Call { callee: Callee::Intrinsic(Intrinsic::Size | Intrinsic::Max), .. }, None) => count,
        _ => {
            let zero = Expr { ty: count.ty, ..Expr::int(0) };
            Expr { ty: count.ty, rank: 0, ..Expr::intrinsic(Intrinsic::Max, vec![count, zero]) }
        }
    }
}

/// How many values `lo:hi:step` has.
pub(super) fn strided(lo: &Expr, hi: &Expr, step: &Expr) -> Expr {
    match step.as_int() {
        Some(1) => affine::count(lo, hi),
        Some(-1) => affine::count(hi, lo),
        Some(s) => {
            let span = affine::plus(&affine::minus(hi, lo), &Expr::int(s));
            match span.as_int() {
                // Fortran's division truncates as Rust's does.
                Some(n) if s != 0 => Expr::int(n / s),
                _ => Expr::binary(BinaryOp::Div, span, step.clone()),
            }
        }
        None => {
            let span = hi.clone().sub(lo.clone()).add(step.clone());
            Expr::binary(BinaryOp::Div, span, step.clone())
        }
    }
}

/// True for arrays whose values carry a derivative by their type: real, complex, or derived with such parts.
pub(super) fn continuous(program: &Program, ty: Ty) -> bool {
    fn look(program: &Program, ty: Ty, depth: usize) -> bool {
        match ty.base {
            Base::Real | Base::Complex => true,
            Base::Derived(t) | Base::Class(t) => {
                let Some(d) = program[t].derived() else {
                    return true;
                };
                depth > 8
                    || d.components.iter().any(|c| look(program, c.var.ty, depth + 1))
                    || d.extends.is_some_and(|p| look(program, Ty::new(Base::Derived(p), 0), depth + 1))
            }
            Base::Unlimited => true,
            Base::Integer | Base::Logical | Base::Character | Base::None => false,
        }
    }
    look(program, ty, 0)
}

/// `a * b` with numbers multiplied out.
pub(super) fn product(a: &Expr, b: &Expr) -> Expr {
    match (a.as_int(), b.as_int()) {
        (Some(0), _) | (_, Some(0)) => Expr::int(0),
        (Some(x), Some(y)) => Expr::int(x.saturating_mul(y)),
        (Some(1), None) => b.clone(),
        (None, Some(1)) => a.clone(),
        (Some(x), None) => affine::combine(&Expr::int(0), x, b),
        (None, Some(y)) => affine::combine(&Expr::int(0), y, a),
        (None, None) => Expr::binary(costate_grammar::operators::BinaryOp::Mul, a.clone(), b.clone()),
    }
}

/// How many times a loop with these bounds runs.
pub(super) fn trips(lo: &Expr, hi: &Expr, step: Option<&Expr>) -> Expr {
    match step {
        None => affine::count(lo, hi),
        Some(step) => strided(lo, hi, step),
    }
}

/// The complex variable that a designator names a part of; a component of a derived type may have the same name.
pub(super) fn complex_variable(program: &Program, d: &Designator) -> Option<(Designator, Ty)> {
    let named = matches!(d.parts.last()?, Part::Component(name) if matches!(name.as_str(), "re" | "im"));
    let mut of = d.clone();
    of.parts.pop();
    let ty = resolve(program, of.sym, &of.path()).map(|v| v.ty).filter(|t| named && t.base == Base::Complex)?;
    Some((of, ty))
}

/// Designators whose value an expression reads.
pub(super) fn values_read(e: &Expr, f: &mut dyn FnMut(&Designator)) {
    match &e.kind {
        ExprKind::Call { callee: Callee::Intrinsic(i), .. } if i.class() == Class::Inquiry => return,
        ExprKind::Var(d) => f(d),
        _ => {}
    }
    for child in e.children() {
        values_read(child, f);
    }
}
