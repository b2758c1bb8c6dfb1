//! Whether a loop over elements may replace an array assignment: the right side is read while the left side changes.

use costate_grammar::ir::{
    Block, Designator, Expr, ExprKind, Part, Program, Subscript, SymId, for_each_expr, for_each_stmt,
};

use super::context::Cx;
use super::designator::values_read;
use super::element::Axis;
use crate::affine::{self, difference};
pub(super) use crate::storage::may_alias as may_alias_designators;
use crate::storage::through_pointer;

/// How a read relates to the element that is written.
enum Relation {
    /// Never the same storage.
    Apart,
    /// The read at iteration `i` meets the write at `i + shift`.
    Shift(Vec<i64>),
    /// Not known.
    Unknown,
}

/// True when a designator may be stored where variable `base` is.
pub(super) fn may_alias(program: &Program, base: SymId, d: &Designator) -> bool {
    may_alias_designators(program, &Designator::whole(base), d)
}

/// Decides the direction of each loop so that no element is read after it was written; false when there is none.
pub(super) fn order(cx: &Cx, lhs: &Designator, reads: &[Designator], axes: &mut [Axis]) -> bool {
    let mut low = vec![false; axes.len()];
    let mut high = vec![false; axes.len()];
    for r in reads {
        match relation(cx, lhs, r, axes) {
            Relation::Apart => {}
            Relation::Unknown => return false,
            Relation::Shift(shift) => {
                for (k, s) in shift.iter().enumerate() {
                    low[k] |= *s < 0;
                    high[k] |= *s > 0;
                }
            }
        }
    }
    for (k, axis) in axes.iter_mut().enumerate() {
        if low[k] && (high[k] || axis.step.is_some()) {
            return false;
        }
        axis.down = low[k];
    }
    true
}

/// True when a read meets the write of its own iteration or none at all.
pub(super) fn in_place(cx: &Cx, lhs: &Designator, read: &Designator, axes: &[Axis]) -> bool {
    match relation(cx, lhs, read, axes) {
        Relation::Apart => true,
        Relation::Shift(shift) => shift.iter().all(|s| *s == 0),
        Relation::Unknown => false,
    }
}

/// Every designator whose value some expressions and statements read.
pub(super) fn reads_of(exprs: &[&Expr], pre: &Block) -> Vec<Designator> {
    let mut out = Vec::new();
    for e in exprs {
        values_read(e, &mut |d| out.push(d.clone()));
    }
    for_each_stmt(pre, &mut |s| {
        for e in s.exprs() {
            values_read(e, &mut |d| out.push(d.clone()));
        }
    });
    out
}

fn relation(cx: &Cx, w: &Designator, r: &Designator, axes: &[Axis]) -> Relation {
    if w.sym != r.sym {
        return if may_alias_designators(cx.program, w, r) { Relation::Unknown } else { Relation::Apart };
    }
    let mut shift: Vec<Option<i64>> = vec![None; axes.len()];
    for (k, (a, b)) in w.parts.iter().zip(&r.parts).enumerate() {
        match (a, b) {
            (Part::Component(x), Part::Component(y)) if x != y => {
                let pointers = through_pointer(cx.program, w) || through_pointer(cx.program, r);
                return if pointers { Relation::Unknown } else { Relation::Apart };
            }
            (Part::Component(_), Part::Component(_)) => {}
            (Part::Subscripts(x), Part::Subscripts(y)) if x.len() == y.len() => {
                for (x, y) in x.iter().zip(y) {
                    match subscripts(cx, x, y, axes, &mut shift) {
                        Some(true) => {}
                        Some(false) => {
                            // Different elements; what hangs on them by pointers may still be the same.
                            let rest = |d: &Designator| Designator { sym: d.sym, parts: d.parts[..=k].to_vec() };
                            let later = through_pointer(cx.program, w) && !through_pointer(cx.program, &rest(w));
                            return if later { Relation::Unknown } else { Relation::Apart };
                        }
                        None => return Relation::Unknown,
                    }
                }
            }
            _ => return Relation::Unknown,
        }
    }
    if r.parts.len() < w.parts.len() {
        return Relation::Unknown;
    }
    Relation::Shift(shift.into_iter().map(|s| s.unwrap_or(0)).collect())
}

/// Compares one subscript of the write with one of the read: `Some(false)` when they never meet.
fn subscripts(cx: &Cx, w: &Subscript, r: &Subscript, axes: &[Axis], shift: &mut [Option<i64>]) -> Option<bool> {
    let (Subscript::Index(a), Subscript::Index(b)) = (w, r) else {
        return (w == r).then_some(true);
    };
    let used: Vec<usize> = (0..axes.len()).filter(|&k| mentions(a, axes[k].var) || mentions(b, axes[k].var)).collect();
    match difference(b, a) {
        Some(0) => {
            // The same expression: the same iteration, as far as its loops go.
            for &k in &used {
                if *shift[k].get_or_insert(0) != 0 {
                    return Some(false);
                }
            }
            Some(true)
        }
        Some(c) if used.is_empty() => {
            debug_assert!(c != 0);
            Some(false)
        }
        Some(c) => {
            let [k] = used[..] else { return None };
            let index = cx.index_expr(&axes[k]);
            let next = affine::plus(&index, &Expr::int(1));
            let factor = difference(&replace(a, axes[k].var, &next), a)?;
            if factor == 0 || axes[k].step.as_ref().is_some_and(|s| s.as_int().is_none()) {
                return None;
            }
            if c % factor != 0 {
                return Some(false);
            }
            let mut by = c / factor;
            if axes[k].step.as_ref().and_then(Expr::as_int).is_some_and(|s| s < 0) {
                by = -by;
            }
            match shift[k] {
                None => shift[k] = Some(by),
                Some(old) if old != by => return Some(false),
                Some(_) => {}
            }
            Some(true)
        }
        None => {
            let [k] = used[..] else { return None };
            separate(a, b, &axes[k]).then_some(false)
        }
    }
}

/// True when the ranges that two indices run through don't meet.
fn separate(a: &Expr, b: &Expr, axis: &Axis) -> bool {
    if axis.step.is_some() {
        return false;
    }
    let ends = |e: &Expr| (replace(e, axis.var, &axis.lo), replace(e, axis.var, &axis.hi));
    // Only where the index moves by a fixed amount.
    let rises = |e: &Expr| {
        let next = affine::plus(&axis.lo, &Expr::int(1));
        difference(&replace(e, axis.var, &next), &replace(e, axis.var, &axis.lo)).is_some_and(|d| d >= 0)
    };
    if !rises(a) || !rises(b) {
        return false;
    }
    let ((a0, a1), (b0, b1)) = (ends(a), ends(b));
    difference(&b0, &a1).is_some_and(|d| d > 0) || difference(&a0, &b1).is_some_and(|d| d > 0)
}

fn mentions(e: &Expr, var: SymId) -> bool {
    let mut found = false;
    for_each_expr(e, &mut |e| found |= e.as_var().is_some_and(|d| d.sym == var));
    found
}

/// The expression with a variable replaced.
fn replace(e: &Expr, var: SymId, with: &Expr) -> Expr {
    costate_grammar::ir::map_expr(e.clone(), &mut |e| match &e.kind {
        ExprKind::Var(d) if d.sym == var && d.parts.is_empty() => with.clone(),
        _ => e,
    })
}
