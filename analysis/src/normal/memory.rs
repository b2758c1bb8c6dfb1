//! Memory of allocatable objects: its bounds, and how it takes the shape of a value.

use costate_grammar::intrinsics::Intrinsic;
use costate_grammar::ir::{
    AllocItem, Block, Designator, Expr, ExprKind, Part, Program, Stmt, StmtKind, Subscript, SymId, for_each_expr,
};
use costate_grammar::operators::BinaryOp;

use super::context::Cx;
use super::designator::{array_part, declared, inquire};
use super::overlap::may_alias_designators;
use super::temporary::Around;
use crate::affine;
use crate::storage::all_components;

/// Ranges whose length doesn't depend on the target, which is about to be allocated anew.
pub(super) fn settled_ranges(
    cx: &mut Cx,
    target: &Designator,
    ranges: Vec<(Expr, Expr)>,
    around: &mut Around,
) -> Vec<(Expr, Expr)> {
    let names = |cx: &Cx, e: &Expr| {
        let mut found = false;
        for_each_expr(e, &mut |e| {
            found |= e.as_var().is_some_and(|d| may_alias_designators(cx.program, target, d));
        });
        found
    };
    let mut out = Vec::with_capacity(ranges.len());
    for (lo, hi) in ranges {
        if !names(cx, &lo) && !names(cx, &hi) {
            out.push((lo, hi));
            continue;
        }
        let n = affine::count(&lo, &hi);
        let tmp = cx.scalar("n", n.ty, &n);
        around.before.push(cx.assign(tmp.clone(), n));
        out.push((Expr::int(1), tmp));
    }
    out
}

/// True for an array without subscripts whose bounds are a user's: those of a temporary's component are what it was given.
pub(super) fn whole_variable(cx: &Cx, e: &Expr) -> bool {
    e.as_var().is_some_and(|d| {
        (!cx.temporaries.contains(&d.sym) || !d.parts.is_empty())
            && array_part(cx.program, d).is_some_and(|p| p.subscripts.is_none() && p.at == d.parts.len())
    })
}

/// Brings an allocatable to the shape of what is assigned to it.
pub(super) fn reallocate(cx: &mut Cx, lhs: &Expr, rhs: &Expr, ranges: &[(Expr, Expr)], around: &mut Around) {
    let bounds = bounds_of(cx, rhs, ranges);
    around.before.extend(reshape(cx, lhs, &bounds, false, release));
}

/// Frees an allocatable under a condition.
pub(super) fn release(cx: &mut Cx, of: &Expr, when: Expr) -> Stmt {
    let free = cx.stmt(StmtKind::Deallocate { items: vec![of.clone()], options: Vec::new() });
    cx.if_one(when, free)
}

/// The bounds with which a value is allocated: only a whole variable hands its lower bounds on.
pub(super) fn bounds_of(cx: &Cx, value: &Expr, ranges: &[(Expr, Expr)]) -> Vec<(Option<Expr>, Expr)> {
    let whole = whole_variable(cx, value);
    let bounds = |(lo, hi): &(Expr, Expr)| match whole && lo.as_int() != Some(1) {
        true => (Some(lo.clone()), hi.clone()),
        false => (None, affine::count(lo, hi)),
    };
    ranges.iter().map(bounds).collect()
}

/// Allocates `lhs` with these bounds where it isn't. Where it has another shape, or other lower bounds if they must be
/// these too, another statement comes before.
pub(super) fn reshape(
    cx: &mut Cx,
    lhs: &Expr,
    bounds: &[(Option<Expr>, Expr)],
    lower_too: bool,
    other: impl FnOnce(&mut Cx, &Expr, Expr) -> Stmt,
) -> Block {
    let of = lhs.as_var().and_then(|target| Some((target, declared(cx.program, target)?.clone())));
    let Some((target, var)) = of else { return Block::new() };
    let mut differs: Option<Expr> = None;
    for (k, (lo, hi)) in bounds.iter().enumerate() {
        let lo = lo.clone().unwrap_or(Expr::int(1));
        let mut tests = vec![(Intrinsic::Size, affine::count(&lo, hi))];
        if lower_too {
            tests.insert(0, (Intrinsic::Lbound, lo));
        }
        for (f, value) in tests {
            let test = Expr::binary(BinaryOp::Ne, inquire(f, target.clone(), &var, k), value);
            differs = Some(differs.map_or(test.clone(), |d| Expr::binary(BinaryOp::Or, d, test)));
        }
    }
    let Some(differs) = differs else { return Block::new() };
    let item = AllocItem { object: lhs.clone(), shape: bounds.to_vec() };
    let allocate = cx.stmt(StmtKind::Allocate { items: vec![item], type_spec: None, options: Vec::new() });
    if cx.is_fresh(lhs) {
        return vec![allocate];
    }
    let other = other(cx, lhs, differs);
    let there = lhs.allocated();
    vec![cx.if_else(there.clone(), vec![other], Vec::new()), cx.if_one(there.negated(), allocate)]
}

/// `lbound(a, k)` or `ubound(a, k)`
pub(super) fn bound(f: Intrinsic, array: &Expr, k: u8) -> Expr {
    Expr::intrinsic(f, vec![array.clone(), Expr::int(i64::from(k))])
}

/// The bounds of an array's memory, to allocate other memory like it.
pub(super) fn memory_bounds(array: &Expr) -> Vec<(Option<Expr>, Expr)> {
    let bounds = |k| (Some(bound(Intrinsic::Lbound, array, k)), bound(Intrinsic::Ubound, array, k));
    (1..=array.rank).map(bounds).collect()
}

/// `a(:)`, whose assignment allocates nothing.
pub(super) fn all_elements(mut e: Expr) -> Expr {
    if let (ExprKind::Var(d), true) = (&mut e.kind, e.rank > 0) {
        let all = Subscript::Range { lo: None, hi: None, step: None };
        d.parts.push(Part::Subscripts(vec![all; usize::from(e.rank)]));
    }
    e
}

/// The allocation that an assignment to an allocatable scalar implies, where it isn't allocated.
pub(super) fn missing_scalar(cx: &mut Cx<'_>, e: &Expr) -> Stmt {
    let items = vec![AllocItem { object: e.clone(), shape: Vec::new() }];
    let allocate = cx.stmt(StmtKind::Allocate { items, type_spec: None, options: Vec::new() });
    if cx.is_fresh(e) { allocate } else { cx.if_one(e.allocated().negated(), allocate) }
}

/// True for a type with components of itself, at any depth.
pub(super) fn holds_itself(program: &Program, ty: SymId, of: SymId, depth: u8) -> bool {
    depth > 8
        || all_components(program, ty)
            .iter()
            .filter(|c| !c.var.attrs.pointer)
            .any(|c| c.var.ty.derived().is_some_and(|t| t == of || holds_itself(program, t, of, depth + 1)))
}
