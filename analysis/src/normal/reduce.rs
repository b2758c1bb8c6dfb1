//! Reductions to a scalar become loops or a search ([`super::extreme`]); what an array statement can't be opened with is
//! evaluated before it.

use costate_grammar::intrinsics::{Class, Intrinsic};
use costate_grammar::ir::{
    Arg, Base, Block, Callee, CtorItem, Designator, Expr, ExprKind, Part, Stmt, StmtKind, Subscript, Ty, for_each_expr,
};
use costate_grammar::operators::BinaryOp;

use super::callee;
use super::context::Cx;
use super::designator::{self, at_least_none, continuous, product, trips, values_read};
use super::element::{Axis, element_at};
use super::fold::fold;
use super::intrinsic::{argument, base_name, by_element, dim_of};
use super::matmul;
use super::temporary::{Around, room, store};
use crate::affine;

/// A reduction to a scalar that becomes a loop: which function, over what, masked by what.
fn reduction(e: &Expr) -> Option<(Intrinsic, Expr, Option<Expr>)> {
    use Intrinsic as I;
    let ExprKind::Call { callee: Callee::Intrinsic(f), args } = &e.kind else {
        return None;
    };
    if e.rank > 0 || !e.ty.is_continuous() {
        return None;
    }
    match f {
        I::Sum | I::Product | I::Maxval | I::Minval => {
            let array = argument(*f, args, "array")?;
            if array.rank != 1 && !matches!(dim_of(*f, args), Ok(None)) {
                return None;
            }
            Some((*f, array.clone(), argument(*f, args, "mask").cloned()))
        }
        I::Norm2 => Some((*f, argument(*f, args, "x")?.clone(), None)),
        I::DotProduct => {
            let (a, b) = (argument(*f, args, "vector_a")?.clone(), argument(*f, args, "vector_b")?.clone());
            let a = if a.ty.base == Base::Complex { Expr::intrinsic(I::Conjg, vec![a]) } else { a };
            Some((*f, Expr::binary(BinaryOp::Mul, a, b), None))
        }
        _ => None,
    }
}

/// Evaluates a reduction into `acc`.
fn reduce_into(cx: &mut Cx, e: &Expr, acc: &Expr, around: &mut Around) -> Option<()> {
    let (f, array, mask) = reduction(e)?;
    let array = prepare(cx, &array, None, around)?;
    let mask = match mask {
        Some(m) => Some(prepare(cx, &m, None, around)?),
        None => None,
    };
    let fixed = vec![None; usize::from(array.rank)];
    let mut out = Vec::new();
    fold(cx, f, &array, mask.as_ref(), acc, &fixed, &mut out)?;
    around.before.extend(out);
    Some(())
}

/// A scalar statement whose reductions become loops before it; `None` if there is nothing to do or it can't be done.
pub(super) fn statement(cx: &mut Cx, stmt: &Stmt) -> Option<Block> {
    let StmtKind::Assign { lhs, rhs } = &stmt.kind else {
        return None;
    };
    if !continuous(cx.program, lhs.ty) || !has_transformational(rhs) && !has_transformational(lhs) {
        return None;
    }
    cx.at(stmt);
    let mut around = Around::default();
    let target = lhs.as_var()?;
    let mut reads = false;
    for_each_expr(rhs, &mut |e| {
        reads |= e.as_var().is_some_and(|d| super::overlap::may_alias_designators(cx.program, target, d));
    });
    let lhs = scalars(cx, lhs, &mut around)?;
    if reduction(rhs).is_some() && rhs.ty == lhs.ty && !reads && !callee::has_user_call(rhs) {
        reduce_into(cx, rhs, &lhs, &mut around)?;
        let mut out = around.before;
        out.extend(around.after);
        return Some(out);
    }
    let rhs = scalars(cx, rhs, &mut around)?;
    let mut out = around.before;
    out.push(cx.assign(lhs, rhs));
    out.extend(around.after);
    Some(out)
}

/// True where a transformational function with a scalar value stands.
pub(super) fn has_transformational(e: &Expr) -> bool {
    let mut found = false;
    for_each_expr(e, &mut |e| found |= scalar_transformational(e).is_some());
    found
}

fn scalar_transformational(e: &Expr) -> Option<Intrinsic> {
    match &e.kind {
        ExprKind::Call { callee: Callee::Intrinsic(f), .. } if e.rank == 0 && f.class() == Class::Transformational => {
            (!matches!(
                f,
                Intrinsic::Null
                    | Intrinsic::CommandArgumentCount
                    | Intrinsic::SelectedCharKind
                    | Intrinsic::SelectedIntKind
                    | Intrinsic::SelectedRealKind
                    | Intrinsic::Trim
                    | Intrinsic::Repeat
                    | Intrinsic::Transfer
            ))
            .then_some(*f)
        }
        _ => None,
    }
}

/// Replaces scalar values of transformational functions by temporaries, inner before outer.
fn scalars(cx: &mut Cx, e: &Expr, around: &mut Around) -> Option<Expr> {
    if !has_transformational(e) {
        return Some(e.clone());
    }
    if let Some(f) = scalar_transformational(e) {
        if reduction(e).is_some() {
            let acc = cx.scalar(base_name(f), e.ty, e);
            reduce_into(cx, e, &acc, around)?;
            return Some(acc);
        }
        if continuous(cx.program, e.ty) {
            return None;
        }
        return Some(store(cx, base_name(f), e.clone(), around));
    }
    rebuild(cx, e, &mut |cx, e| scalars(cx, e, around))
}

/// Rebuilds an expression from its parts; `None` as soon as a part can't be done.
fn rebuild(cx: &mut Cx, e: &Expr, f: &mut dyn FnMut(&mut Cx, &Expr) -> Option<Expr>) -> Option<Expr> {
    let args_of = |cx: &mut Cx, args: &[Arg], f: &mut dyn FnMut(&mut Cx, &Expr) -> Option<Expr>| {
        let mut out = Vec::with_capacity(args.len());
        for a in args {
            out.push(Arg { keyword: a.keyword.clone(), value: f(cx, &a.value)? });
        }
        Some(out)
    };
    let kind = match &e.kind {
        ExprKind::Var(d) => ExprKind::Var(rebuild_designator(cx, d, f)?),
        ExprKind::Unary(op, a) => ExprKind::Unary(*op, Box::new(f(cx, a)?)),
        ExprKind::Paren(a) => ExprKind::Paren(Box::new(f(cx, a)?)),
        ExprKind::Binary(op, a, b) => {
            let a = f(cx, a)?;
            ExprKind::Binary(*op, Box::new(a), Box::new(f(cx, b)?))
        }
        ExprKind::ComplexLit(a, b) => {
            let a = f(cx, a)?;
            ExprKind::ComplexLit(Box::new(a), Box::new(f(cx, b)?))
        }
        // What is asked about isn't evaluated.
        ExprKind::Call { callee: Callee::Intrinsic(i), .. } if i.class() == Class::Inquiry => e.kind.clone(),
        ExprKind::Call { callee, args } => ExprKind::Call { callee: callee.clone(), args: args_of(cx, args, f)? },
        ExprKind::StructCtor { ty, args } => ExprKind::StructCtor { ty: *ty, args: args_of(cx, args, f)? },
        ExprKind::ArrayCtor { .. }
        | ExprKind::Int { .. }
        | ExprKind::Real { .. }
        | ExprKind::Logical { .. }
        | ExprKind::Str(_)
        | ExprKind::Boz(_)
        | ExprKind::ProcRef(_)
        | ExprKind::Opaque(_) => e.kind.clone(),
    };
    Some(Expr { kind, ..e.clone() })
}

fn rebuild_designator(
    cx: &mut Cx,
    d: &Designator,
    f: &mut dyn FnMut(&mut Cx, &Expr) -> Option<Expr>,
) -> Option<Designator> {
    let mut parts = Vec::with_capacity(d.parts.len());
    for part in &d.parts {
        let Part::Subscripts(list) = part else {
            parts.push(part.clone());
            continue;
        };
        let mut bound = |cx: &mut Cx, e: &Option<Expr>| -> Option<Option<Expr>> {
            match e {
                Some(e) => Some(Some(f(cx, e)?)),
                None => Some(None),
            }
        };
        let mut new = Vec::with_capacity(list.len());
        for s in list {
            new.push(match s {
                Subscript::Index(e) => Subscript::Index(bound(cx, &Some(e.clone()))??),
                Subscript::Range { lo, hi, step } => {
                    Subscript::Range { lo: bound(cx, lo)?, hi: bound(cx, hi)?, step: bound(cx, step)? }
                }
            });
        }
        parts.push(Part::Subscripts(new));
    }
    Some(Designator { sym: d.sym, parts })
}

/// Makes an array expression one that has elements: what has none is evaluated into temporaries before. `target` is
/// the variable that the statement sets; scalars that read it are taken before it changes.
pub(super) fn prepare(cx: &mut Cx, e: &Expr, target: Option<&Designator>, around: &mut Around) -> Option<Expr> {
    if e.rank == 0 {
        let done = scalars(cx, e, around)?;
        let mut reads = false;
        if let Some(t) = target {
            values_read(&done, &mut |d| reads |= super::overlap::may_alias_designators(cx.program, t, d));
        }
        return Some(if reads { store(cx, "tmp", done, around) } else { done });
    }
    match &e.kind {
        ExprKind::ArrayCtor { .. } => constructor_value(cx, e, around),
        ExprKind::Call { callee: Callee::Intrinsic(f), args } if f.class() != Class::Elemental => {
            let f = *f;
            if matmul::is_product(e) && !cx.products_by_element {
                let named = with_named_factors(cx, e, target, around)?;
                return matmul::stored(cx, &named, around);
            }
            let numeric = e.ty.is_numeric() || f != Intrinsic::Matmul;
            if by_element(f) && numeric && dim_of(f, args).is_ok() {
                return prepare_transform(cx, f, e, args, target, around);
            }
            match f {
                Intrinsic::Pack => pack(cx, e, args, around),
                Intrinsic::Unpack => unpack(cx, e, args, around),
                _ if !continuous(cx.program, e.ty) => Some(store(cx, base_name(f), e.clone(), around)),
                _ => None,
            }
        }
        _ => rebuild(cx, e, &mut |cx, e| prepare(cx, e, target, around)),
    }
}

fn prepare_transform(
    cx: &mut Cx,
    f: Intrinsic,
    e: &Expr,
    args: &[Arg],
    target: Option<&Designator>,
    around: &mut Around,
) -> Option<Expr> {
    let mut new = Vec::with_capacity(args.len());
    for (i, a) in args.iter().enumerate() {
        let name = a.keyword.as_ref().map(|k| k.as_str().to_string());
        let name = name.or_else(|| f.dummies().get(i).map(|d| d.to_string())).unwrap_or_default();
        let value = match (f, name.as_str()) {
            // Extents stay a list of scalars.
            (Intrinsic::Reshape, "shape") => match &a.value.kind {
                ExprKind::ArrayCtor { .. } => a.value.clone(),
                ExprKind::Var(d) if d.parts.is_empty() => a.value.clone(),
                _ => store(cx, "shape", a.value.clone(), around),
            },
            (_, "dim") | (Intrinsic::Reshape, "order") => a.value.clone(),
            _ => prepare(cx, &a.value, target, around)?,
        };
        new.push(Arg { keyword: a.keyword.clone(), value });
    }
    Some(Expr { kind: ExprKind::Call { callee: Callee::Intrinsic(f), args: new }, ..e.clone() })
}

/// The product with factors that are arrays with names, or transposed ones; others are evaluated before. `target` is the
/// variable that the statement sets.
pub(super) fn with_named_factors(
    cx: &mut Cx,
    e: &Expr,
    target: Option<&Designator>,
    around: &mut Around,
) -> Option<Expr> {
    let ExprKind::Call { callee, args } = &e.kind else { return None };
    let f = Intrinsic::Matmul;
    let factors = [argument(f, args, "matrix_a")?, argument(f, args, "matrix_b")?];
    if !matches!(factors.map(|x| x.rank), [2, 2] | [2, 1] | [1, 2]) {
        // Anything else stands in a program with errors.
        return None;
    }
    let mixed = factors.iter().any(|x| x.rank == 1);
    let mut named = Vec::with_capacity(2);
    for factor in factors {
        let factor = prepare(cx, factor.unparen(), target, around)?;
        let fits = matmul::is_factor(cx, &factor, mixed);
        named.push(Arg::new(if fits { factor } else { evaluate(cx, &factor, around)? }));
    }
    Some(Expr { kind: ExprKind::Call { callee: callee.clone(), args: named }, ..e.clone() })
}

/// Evaluates a prepared array expression into a temporary array, element by element.
pub(super) fn evaluate(cx: &mut Cx, e: &Expr, around: &mut Around) -> Option<Expr> {
    let axes = cx.axes_of(e)?;
    evaluate_over(cx, e, axes, around)
}

/// The same where the indices of the temporary array are given. Releases them.
pub(super) fn evaluate_over(cx: &mut Cx, e: &Expr, axes: Vec<Axis>, around: &mut Around) -> Option<Expr> {
    let bounds = axes.iter().map(|a| (a.lo.clone(), a.hi.clone())).collect();
    let whole = room(cx, "tmp", e.ty, e, bounds, around);
    let target = element_at(cx, &whole, &axes);
    let offs: Vec<Expr> = axes.iter().map(|a| cx.offset(a)).collect();
    let mut body = Vec::new();
    let value = cx.element(e, &offs, &mut body)?;
    body.push(cx.assign(target, value));
    let nest = cx.nest(&axes, body);
    around.before.extend(nest);
    cx.release_axes(&axes);
    Some(whole)
}

pub(super) fn constructor_value(cx: &mut Cx, e: &Expr, around: &mut Around) -> Option<Expr> {
    let ExprKind::ArrayCtor { items, .. } = &e.kind else {
        return None;
    };
    if !continuous(cx.program, e.ty) && !callee::has_user_call(e) {
        return Some(store(cx, "list", e.clone(), around));
    }
    let (lo, hi) = cx.range(e, 0)?;
    let whole = room(cx, "list", e.ty, e, vec![(lo, hi)], around);
    let sym = whole.as_var()?.sym;
    let ty = e.ty;
    let target = move |_: &mut Cx, off: &Expr| Some(Expr::element(sym, ty, vec![affine::plus(off, &Expr::int(1))]));
    let mut out = Vec::new();
    constructor(cx, items, Expr::int(0), &target, &mut out, around)?;
    around.before.extend(out);
    Some(whole)
}

/// Where the value at an offset goes.
pub(super) type Target<'a> = &'a dyn Fn(&mut Cx, &Expr) -> Option<Expr>;

/// Assigns the values of an array constructor; returns the offset after the last.
pub(super) fn constructor(
    cx: &mut Cx,
    items: &[CtorItem],
    mut off: Expr,
    target: Target,
    out: &mut Block,
    around: &mut Around,
) -> Option<Expr> {
    for item in items {
        off = steady_offset(cx, off, items, out);
        match item {
            CtorItem::Value(e) if e.rank == 0 => {
                let lhs = target(cx, &off)?;
                give_element(cx, lhs, e.clone(), out);
                off = affine::plus(&off, &Expr::int(1));
            }
            CtorItem::Value(e) => {
                let e = prepare(cx, e, None, around)?;
                let axes = cx.axes_of(&e)?;
                let offs: Vec<Expr> = axes.iter().map(|a| cx.offset(a)).collect();
                let extents: Option<Vec<Expr>> = (0..axes.len()).map(|k| cx.extent(&e, k)).collect();
                let linear = cx.linear(&offs, &extents?);
                let mut body = Vec::new();
                let value = cx.element(&e, &offs, &mut body)?;
                let lhs = target(cx, &affine::plus(&off, &linear))?;
                give_element(cx, lhs, value, &mut body);
                let nest = cx.nest(&axes, body);
                out.extend(nest);
                cx.release_axes(&axes);
                off = affine::plus(&off, &at_least_none(cx.item_count(&CtorItem::Value(e))?));
            }
            CtorItem::ImpliedDo { items, var, lo, hi, step } => {
                let axis = match step {
                    None => cx.axis(lo.clone(), hi.clone()),
                    Some(_) => cx.axis(Expr::int(1), trips(lo, hi, step.as_deref())),
                };
                let at = cx.offset(&axis);
                let index = designator::at(lo, step.as_deref(), &at);
                let map = [(*var, index)].into_iter().collect();
                let wrapped = Expr::new(ExprKind::ArrayCtor { type_spec: None, items: items.clone() }, lo.ty, 1);
                let inner = match super::subst::expr(cx.program, &map, &wrapped).kind {
                    ExprKind::ArrayCtor { items, .. } => items,
                    _ => return None,
                };
                let count = cx.item_count(item);
                let mut body = Vec::new();
                let mut own = Around::default();
                let first = match &count {
                    Some(_) => affine::plus(&off, &product(&at, &at_least_none(cx.list_count(&inner)?))),
                    // Iterations give different numbers of values.
                    None => {
                        let counter = cx.scalar("n", Ty::INTEGER, lo);
                        out.push(cx.assign(counter.clone(), off.clone()));
                        counter
                    }
                };
                let last = constructor(cx, &inner, first.clone(), target, &mut body, &mut own)?;
                if count.is_none() {
                    body.push(cx.assign(first.clone(), last));
                }
                let mut all = own.before;
                all.extend(body);
                all.extend(own.after);
                let axes = [axis];
                let nest = cx.nest(&axes, all);
                out.extend(nest);
                cx.release_axes(&axes);
                off = match count {
                    Some(n) => affine::plus(&off, &at_least_none(n)),
                    None => first,
                };
            }
        }
    }
    Some(off)
}

/// An offset as a variable where the items are objects with memory: gfortran 12 doesn't evaluate a subscript with a function
/// in it before it allocates a component of the element.
fn steady_offset(cx: &mut Cx, off: Expr, items: &[CtorItem], out: &mut Block) -> Expr {
    let objects =
        items.iter().any(|i| matches!(i, CtorItem::Value(e) if crate::storage::holds_memory(cx.program, e.ty)));
    let mut called = false;
    for_each_expr(&off, &mut |e| called |= matches!(e.kind, ExprKind::Call { .. }));
    if !objects || !called {
        return off;
    }
    let counter = cx.scalar("n", Ty::INTEGER, &off);
    out.push(cx.assign(counter.clone(), off));
    counter
}

/// Assigns a value of an array constructor: a reduction within becomes a loop of its own, an object the values of its
/// components.
fn give_element(cx: &mut Cx, lhs: Expr, value: Expr, out: &mut Block) {
    if let Some(opened) = (cx.openers.object)(cx, &lhs, &value) {
        out.extend((cx.openers.arrays)(cx, opened));
        return;
    }
    let set = cx.assign(lhs, value);
    match statement(cx, &set) {
        Some(opened) => out.extend(opened),
        None => out.push(set),
    }
}

/// `pack`: a temporary filled by a counter.
fn pack(cx: &mut Cx, e: &Expr, args: &[Arg], around: &mut Around) -> Option<Expr> {
    let f = Intrinsic::Pack;
    let array = prepare(cx, argument(f, args, "array")?, None, around)?;
    let mask = prepare(cx, argument(f, args, "mask")?, None, around)?;
    let vector = match argument(f, args, "vector") {
        Some(v) => Some(prepare(cx, v, None, around)?),
        None => None,
    };
    let size = match &vector {
        Some(v) => cx.extent(v, 0)?,
        None if mask.rank > 0 => {
            let n = Expr { rank: 0, ..Expr::intrinsic(Intrinsic::Count, vec![mask.clone()]) };
            store(cx, "n", n, around)
        }
        // All values or none.
        None => {
            let mut all = Expr::int(1);
            for k in 0..usize::from(array.rank) {
                all = all.mul(cx.extent(&array, k)?);
            }
            let n = Expr::intrinsic(Intrinsic::Merge, vec![all, Expr::int(0), mask.clone()]);
            store(cx, "n", Expr { ty: Ty::INTEGER, rank: 0, ..n }, around)
        }
    };
    let whole = room(cx, "pack", e.ty, e, vec![(Expr::int(1), size)], around);
    let sym = whole.as_var()?.sym;
    if let Some(v) = &vector {
        let axes = cx.axes_of(v)?;
        let off = cx.offset(&axes[0]);
        let mut body = Vec::new();
        let value = cx.element(v, std::slice::from_ref(&off), &mut body)?;
        let lhs = Expr::element(sym, e.ty, vec![affine::plus(&off, &Expr::int(1))]);
        body.push(cx.assign(lhs, value));
        let nest = cx.nest(&axes, body);
        around.before.extend(nest);
        cx.release_axes(&axes);
    }
    let counter = counter(cx, around);
    let axes = cx.axes_of(&array)?;
    let offs: Vec<Expr> = axes.iter().map(|a| cx.offset(a)).collect();
    let mut body = Vec::new();
    let value = cx.element(&array, &offs, &mut body)?;
    let test = cx.element(&mask, &offs, &mut body)?;
    let mut inside = vec![cx.assign(counter.clone(), affine::plus(&counter, &Expr::int(1)))];
    inside.push(cx.assign(Expr::element(sym, e.ty, vec![counter]), value));
    body.push(cx.if_else(test, inside, Vec::new()));
    let nest = cx.nest(&axes, body);
    around.before.extend(nest);
    cx.release_axes(&axes);
    Some(whole)
}

/// `unpack`: a temporary filled from a counted vector or the field.
fn unpack(cx: &mut Cx, e: &Expr, args: &[Arg], around: &mut Around) -> Option<Expr> {
    let f = Intrinsic::Unpack;
    let vector = prepare(cx, argument(f, args, "vector")?, None, around)?;
    let mask = prepare(cx, argument(f, args, "mask")?, None, around)?;
    let field = prepare(cx, argument(f, args, "field")?, None, around)?;
    let axes = cx.axes_of(&mask)?;
    let bounds = axes.iter().map(|a| (a.lo.clone(), a.hi.clone())).collect();
    let whole = room(cx, "unpack", e.ty, e, bounds, around);
    let counter = counter(cx, around);
    let offs: Vec<Expr> = axes.iter().map(|a| cx.offset(a)).collect();
    let lhs = element_at(cx, &whole, &axes);
    let mut body = Vec::new();
    let test = cx.element(&mask, &offs, &mut body)?;
    let mut inside = vec![cx.assign(counter.clone(), affine::plus(&counter, &Expr::int(1)))];
    let picked = cx.element(&vector, &[affine::minus(&counter, &Expr::int(1))], &mut inside)?;
    inside.push(cx.assign(lhs.clone(), picked));
    let mut outside = Vec::new();
    let other = cx.element(&field, &offs, &mut outside)?;
    outside.push(cx.assign(lhs, other));
    body.push(cx.if_else(test, inside, outside));
    let nest = cx.nest(&axes, body);
    around.before.extend(nest);
    cx.release_axes(&axes);
    Some(whole)
}

fn counter(cx: &mut Cx, around: &mut Around) -> Expr {
    let counter = cx.scalar("k", Ty::INTEGER, &Expr::int(0));
    let start = cx.assign(counter.clone(), Expr::int(0));
    around.before.push(start);
    counter
}
