//! Array statements become loops over elements.

use costate_grammar::intrinsics::{Class, Intrinsic};
use costate_grammar::ir::{
    Arg, Base, Block, Callee, Designator, Expr, ExprKind, LoopControl, Part, Stmt, StmtKind, Subscript, Ty,
    for_each_expr,
};

use super::callee;
use super::calls;
use super::context::Cx;
use super::designator::{self, Dimension, array_part, continuous, declared, strided};
use super::element::{Axis, element_at};
use super::matmul;
use super::memory::{reallocate, settled_ranges, whole_variable};
use super::overlap::{may_alias_designators, order, reads_of};
use super::reduce::{self, prepare};
use super::temporary::{Around, room};
use crate::affine;

/// Opens the array statements of a block.
pub(super) fn run(cx: &mut Cx, body: Block) -> Block {
    let mut out = Vec::with_capacity(body.len());
    for stmt in body {
        out.extend(statement(cx, stmt));
    }
    out
}

/// Opens one statement.
pub(super) fn statement(cx: &mut Cx, mut stmt: Stmt) -> Block {
    if stmt.is_region() {
        return vec![stmt];
    }
    cx.at(&stmt);
    let opened = match &stmt.kind {
        StmtKind::Where { .. } => super::where_::open(cx, &stmt),
        StmtKind::Forall { .. } => super::forall::open(cx, &stmt),
        StmtKind::Do { control: LoopControl::Concurrent { .. }, .. } => super::forall::concurrent(cx, &stmt),
        StmtKind::Assign { lhs, rhs } if lhs.rank > 0 => {
            let whole_call = callee::is_user_call(rhs) && rhs.rank > 0 && !elemental_call(cx, rhs);
            let worth = continuous(cx.program, lhs.ty) || callee::has_user_call(rhs) || gives_shape(cx, lhs, rhs);
            if worth && !whole_call { attempt(cx, |cx| assign(cx, lhs, rhs, None)) } else { None }
        }
        StmtKind::Assign { .. } => attempt(cx, |cx| reduce::statement(cx, &stmt)),
        StmtKind::Call { callee, args } if callee::elemental(cx.program, callee) => {
            if args.iter().any(|a| a.value.rank > 0) {
                attempt(cx, |cx| elemental_subroutine(cx, callee, args))
            } else {
                None
            }
        }
        _ => None,
    };
    if let Some(mut opened) = opened {
        cx.inherit(&stmt, &mut opened);
        return opened;
    }
    if matches!(
        stmt.kind,
        StmtKind::Directive { .. } | StmtKind::Unsupported { .. } | StmtKind::Where { .. } | StmtKind::Forall { .. }
    ) {
        return vec![stmt];
    }
    let var = match &stmt.kind {
        StmtKind::Do { control: LoopControl::Count { var, .. }, .. } => Some(*var),
        _ => None,
    };
    let held = var.is_some_and(|v| cx.set_used(v, true));
    for inner in stmt.blocks_mut() {
        let old = std::mem::take(inner);
        *inner = run(cx, old);
    }
    if let (true, Some(v)) = (held, var) {
        cx.release(v);
    }
    vec![stmt]
}

fn elemental_call(cx: &Cx, e: &Expr) -> bool {
    matches!(&e.kind, ExprKind::Call { callee, .. } if callee::elemental(cx.program, callee))
}

/// Runs a transformation; when it gives up, the loop indices it holds are free again.
pub(super) fn attempt(cx: &mut Cx, f: impl FnOnce(&mut Cx) -> Option<Block>) -> Option<Block> {
    let held = cx.held();
    let out = f(cx);
    cx.restore(held);
    out
}

/// `lhs = rhs`, where `mask` is true if there is one.
pub(super) fn assign(cx: &mut Cx, lhs: &Expr, rhs: &Expr, mask: Option<&Expr>) -> Option<Block> {
    let mut around = Around::default();
    let target = lhs.as_var()?.clone();
    let lhs = Expr { kind: ExprKind::Var(fixed_subscripts(cx, &target, &mut around)?), ..lhs.clone() };
    let target = lhs.as_var()?.clone();
    let mask = match mask {
        Some(m) => Some(prepare(cx, m, Some(&target), &mut around)?),
        None => None,
    };
    if mask.is_none()
        && let Some(out) = constructor(cx, &lhs, &target, rhs, &mut around)
    {
        return Some(out);
    }
    let (mut rhs, whole) = match matmul::is_product(rhs.unparen()) && mask.is_none() {
        true => matmul::given_to(cx, &lhs, rhs.unparen(), &mut around)?,
        false => (prepare(cx, rhs, Some(&target), &mut around)?, false),
    };
    let mut extents = None;
    if reallocates(cx, &target, &rhs) {
        let mut reads = false;
        for d in reads_of(&[&rhs], &Vec::new()) {
            reads |= may_alias_designators(cx.program, &target, &d);
        }
        // A copy of a whole array to itself has its shape already, and one to another array leaves the first alone.
        let copies = whole_variable(cx, &rhs);
        let ranges: Option<Vec<_>> = (0..usize::from(rhs.rank)).map(|k| cx.range(&rhs, k)).collect();
        let ranges = if copies { ranges? } else { settled_ranges(cx, &target, ranges?, &mut around) };
        if reads && !copies {
            // Bounds of the target would mean something else once it is allocated anew.
            let axes = ranges.iter().map(|(lo, hi)| cx.axis(lo.clone(), hi.clone())).collect();
            rhs = reduce::evaluate_over(cx, &rhs, axes, &mut around)?;
        }
        reallocate(cx, &lhs, &rhs, &ranges, &mut around);
        extents = Some(ranges);
    }
    let body = if whole {
        vec![matmul::assignment(cx, &lhs, rhs)]
    } else {
        let mut axes = axes_of_target(cx, &target, extents.as_deref(), &rhs)?;
        element_loop(cx, &lhs, &rhs, mask.as_ref(), &mut axes, &mut around)?
    };
    let mut out = around.before;
    out.extend(body);
    out.extend(around.after);
    Some(out)
}

/// Subscripts of the left side that depend on what it changes are evaluated once.
fn fixed_subscripts(cx: &mut Cx, d: &Designator, around: &mut Around) -> Option<Designator> {
    let mut parts = Vec::with_capacity(d.parts.len());
    for part in &d.parts {
        let Part::Subscripts(list) = part else {
            parts.push(part.clone());
            continue;
        };
        let mut new = Vec::with_capacity(list.len());
        for s in list {
            new.push(match s {
                Subscript::Index(e) => Subscript::Index(prepare(cx, e, Some(d), around)?),
                Subscript::Range { lo, hi, step } => {
                    let mut bound = |cx: &mut Cx, e: &Option<Expr>| match e {
                        Some(e) => prepare(cx, e, Some(d), around).map(Some),
                        None => Some(None),
                    };
                    Subscript::Range { lo: bound(cx, lo)?, hi: bound(cx, hi)?, step: bound(cx, step)? }
                }
            });
        }
        parts.push(Part::Subscripts(new));
    }
    Some(Designator { sym: d.sym, parts })
}

/// Loops over the left side: its own indices where the stride is one, positions from 1 elsewhere.
fn axes_of_target(cx: &mut Cx, target: &Designator, extents: Option<&[(Expr, Expr)]>, rhs: &Expr) -> Option<Vec<Axis>> {
    let mut axes = Vec::new();
    for (k, dim) in cx.dimensions(target)?.into_iter().enumerate() {
        let (mut lo, mut hi) = match dim {
            Dimension::Triplet { lo, hi, step: None } => (lo, hi),
            Dimension::Triplet { lo, hi, step: Some(step) } => (Expr::int(1), strided(&lo, &hi, &step)),
            Dimension::Vector(v) => (Expr::int(1), cx.extent(&v, 0)?),
        };
        if let Some((a, b)) = extents.and_then(|e| e.get(k))
            && lo.as_int() == Some(1)
        {
            hi = affine::count(a, b);
        } else if rhs.rank > 0
            && lo.as_int() == Some(1)
            && asks_size(&hi)
            && let Some((a, b)) = cx.range(rhs, k)
            && !asks_size(&b)
        {
            // The right side says more plainly how long the loop is.
            let n = affine::count(&a, &b);
            (lo, hi) = (Expr::int(1), n);
        }
        axes.push(cx.axis(lo, hi));
    }
    Some(axes)
}

/// True for an extent that has to be asked for.
fn asks_size(e: &Expr) -> bool {
    matches!(&e.kind, ExprKind::Call { callee: Callee::Intrinsic(Intrinsic::Size | Intrinsic::Ubound), .. })
}

/// The loop nest for an assignment of prepared parts over given axes; releases the axes.
pub(super) fn element_loop(
    cx: &mut Cx,
    lhs: &Expr,
    rhs: &Expr,
    mask: Option<&Expr>,
    axes: &mut [Axis],
    around: &mut Around,
) -> Option<Block> {
    let offs: Vec<Expr> = axes.iter().map(|a| cx.offset(a)).collect();
    let mut pre = Vec::new();
    let element = cx.element(lhs, &offs, &mut pre)?;
    let guard = match mask {
        Some(m) => Some(cx.element(m, &offs, &mut pre)?),
        None => None,
    };
    let whole = Guarded { pre, guard, fill: &|cx, to| fill(cx, to, rhs, &offs) };
    loop_or_copy(cx, &element, whole, axes, around)
}

/// What runs for every element.
pub(super) struct Guarded<'a> {
    /// Before the guard.
    pub(super) pre: Block,
    /// Guards the rest.
    pub(super) guard: Option<Expr>,
    /// The statements that give an element its value.
    pub(super) fill: &'a dyn Fn(&mut Cx, &Expr) -> Option<Block>,
}

/// The statements that give an element its value.
pub(super) fn fill(cx: &mut Cx, element: &Expr, rhs: &Expr, offs: &[Expr]) -> Option<Block> {
    let mut body = Vec::new();
    if let ExprKind::Call { callee: Callee::Intrinsic(f), args } = &rhs.kind
        && matches!(f, Intrinsic::Sum | Intrinsic::Product | Intrinsic::Maxval | Intrinsic::Minval)
        && rhs.rank > 0
        && rhs.ty == element.ty
    {
        super::transform::accumulate(cx, *f, args, offs, element, &mut body)?;
        return Some(body);
    }
    let rhs_offs = if rhs.rank == 0 { &[][..] } else { offs };
    let value = cx.element(rhs, rhs_offs, &mut body)?;
    body.push(cx.assign(element.clone(), value));
    Some(body)
}

/// A loop nest over the body, or two with a copy between them where the body reads what it writes.
pub(super) fn loop_or_copy(
    cx: &mut Cx,
    element: &Expr,
    whole: Guarded,
    axes: &mut [Axis],
    around: &mut Around,
) -> Option<Block> {
    let target = element.as_var()?.clone();
    let Guarded { pre, guard, fill } = whole;
    let body = fill(cx, element)?;
    let mut all = pre.clone();
    all.extend(body.iter().cloned());
    let mut exprs: Vec<&Expr> = guard.iter().collect();
    let subscripts = element.children();
    exprs.extend(subscripts);
    let mut reads = reads_of(&exprs, &all);
    if hidden_reads(cx, &target, &all) {
        reads.push(Designator::whole(target.sym));
    }
    let guarded = |cx: &mut Cx, body: Block| match &guard {
        Some(g) => {
            let mut out = pre.clone();
            out.push(cx.if_else(g.clone(), body, Vec::new()));
            out
        }
        None => pre.iter().cloned().chain(body).collect(),
    };
    if order(cx, &target, &reads, axes) {
        let body = guarded(cx, body);
        let body = with_open_objects(cx, &[element], body);
        let nest = cx.nest(axes, body);
        cx.release_axes(axes);
        return Some(nest);
    }
    axes.iter_mut().for_each(|a| a.down = false);
    if triangular(axes) {
        return None;
    }
    // A mask that reads the left side is needed again after it changed.
    let mask_reads = guard.as_ref().map(|g| reads_of(&[g], &pre)).unwrap_or_default();
    let mask_changes = mask_reads.iter().any(|d| may_alias_designators(cx.program, &target, d));
    let bounds: Vec<(Expr, Expr)> = axes.iter().map(bounds).collect();
    let tmp = room(cx, "tmp", element.ty, element, bounds.clone(), around);
    let slot = element_at(cx, &tmp, axes);
    let mut flag = None;
    if mask_changes {
        let f = room(cx, "mask", Ty::LOGICAL, &Expr::logical(true), bounds, around);
        flag = Some(element_at(cx, &f, axes));
    }
    let mut body = Vec::new();
    let element = &kept_subscripts(cx, element, &pre, axes, around, &mut body)?;
    body.extend(fill(cx, &slot)?);
    let mut first = pre.clone();
    match (&guard, &flag) {
        (Some(g), Some(f)) => {
            first.push(cx.assign(f.clone(), g.clone()));
            first.push(cx.if_else(f.clone(), body, Vec::new()));
        }
        (Some(g), None) => first.push(cx.if_else(g.clone(), body, Vec::new())),
        (None, _) => first.extend(body),
    }
    let first = with_open_objects(cx, &[element], first);
    let mut out = cx.nest(axes, first);
    let copy = cx.assign(element.clone(), slot);
    let second = match (&guard, flag) {
        (Some(_), Some(f)) => vec![cx.if_else(f, vec![copy], Vec::new())],
        (Some(_), None) => guarded(cx, vec![copy]),
        (None, _) => vec![copy],
    };
    let second = with_open_objects(cx, &[element], second);
    let nest = cx.nest(axes, second);
    out.extend(nest);
    cx.release_axes(axes);
    Some(out)
}

/// The element with subscripts that no assignment changes: those that depend on what it is part of are kept in arrays of
/// their own, which `sets` fills for each iteration.
fn kept_subscripts(
    cx: &mut Cx,
    element: &Expr,
    pre: &Block,
    axes: &[Axis],
    around: &mut Around,
    sets: &mut Block,
) -> Option<Expr> {
    let mut target = element.as_var()?.clone();
    let whole = Designator { sym: target.sym, parts: Vec::new() };
    let changes = |cx: &Cx, reads: &[Designator]| reads.iter().any(|r| may_alias_designators(cx.program, &whole, r));
    if changes(cx, &reads_of(&[], pre)) {
        return None;
    }
    for part in &mut target.parts {
        let Part::Subscripts(list) = part else { continue };
        for s in list {
            let Subscript::Index(e) = s else { continue };
            if !changes(cx, &reads_of(&[e], &Vec::new())) {
                continue;
            }
            let bounds = axes.iter().map(bounds).collect();
            let kept = room(cx, "at", e.ty, e, bounds, around);
            let kept = element_at(cx, &kept, axes);
            sets.push(cx.assign(kept.clone(), e.clone()));
            *e = kept;
        }
    }
    Some(Expr { kind: ExprKind::Var(target), ..element.clone() })
}

/// Statements in which objects with memory are copied component by component, where a function that gives them reads the
/// element that it goes to. `elements` are what they assign.
pub(super) fn with_open_objects(cx: &mut Cx, elements: &[&Expr], body: Block) -> Block {
    if !elements.iter().any(|e| crate::storage::holds_memory(cx.program, e.ty)) {
        return body;
    }
    let apart = calls::split_conditions(cx, body);
    let opened = super::structures::run(cx, apart);
    run(cx, opened)
}

/// True when the bounds of one loop depend on another's variable.
fn triangular(axes: &[Axis]) -> bool {
    let mut found = false;
    for a in axes {
        for e in [&a.lo, &a.hi] {
            for_each_expr(e, &mut |e| found |= e.as_var().is_some_and(|d| axes.iter().any(|b| b.var == d.sym)));
        }
    }
    found
}

/// Bounds of an array that a loop indexes with its own variable.
fn bounds(a: &Axis) -> (Expr, Expr) {
    let down = a.step.as_ref().and_then(Expr::as_int).is_some_and(|s| s < 0);
    if down { (a.hi.clone(), a.lo.clone()) } else { (a.lo.clone(), a.hi.clone()) }
}

/// True when a call in the body may read the left side by host or module association.
fn hidden_reads(cx: &Cx, target: &Designator, body: &Block) -> bool {
    let Some(v) = cx.program.var(target.sym) else {
        return true;
    };
    let own = cx.program[target.sym].scope == cx.scope && v.common.is_none() && !v.attrs.target && !v.attrs.pointer;
    let internals = !cx.program[cx.proc].internals.is_empty();
    if own && !internals {
        return false;
    }
    let mut found = false;
    costate_grammar::ir::for_each_stmt(body, &mut |s| {
        s.exprs().into_iter().for_each(|e| for_each_expr(e, &mut |e| found |= callee::is_user_call(e)));
    });
    found
}

/// True when an assignment may change the shape of an array whose values steer: sweeps that bring it back need to know.
fn gives_shape(cx: &Cx, lhs: &Expr, rhs: &Expr) -> bool {
    let steers = matches!(lhs.ty.base, Base::Integer | Base::Logical | Base::Derived(_));
    steers && lhs.as_var().is_some_and(|d| reallocates(cx, d, rhs))
}

/// True when assigning `rhs` to the whole of an allocatable may change its shape.
fn reallocates(cx: &Cx, target: &Designator, rhs: &Expr) -> bool {
    let whole = array_part(cx.program, target).is_some_and(|p| p.subscripts.is_none() && p.at == target.parts.len());
    whole
        && rhs.rank > 0
        && declared(cx.program, target).is_some_and(|v| v.attrs.allocatable)
        && cx.sized(target).is_none()
        && !has_operand(rhs, target)
}

/// True when the whole target is an operand: then the shape is its own already.
fn has_operand(e: &Expr, target: &Designator) -> bool {
    match &e.kind {
        ExprKind::Var(d) => d == target,
        ExprKind::Unary(_, a) | ExprKind::Paren(a) => has_operand(a, target),
        ExprKind::Binary(_, a, b) => has_operand(a, target) || has_operand(b, target),
        ExprKind::Call { callee: Callee::Intrinsic(f), args } if f.class() == Class::Elemental => {
            args.iter().any(|a| a.value.rank > 0 && has_operand(&a.value, target))
        }
        _ => false,
    }
}

/// `lhs = [...]` without a temporary, where no item reads the left side.
fn constructor(cx: &mut Cx, lhs: &Expr, target: &Designator, rhs: &Expr, around: &mut Around) -> Option<Block> {
    let ExprKind::ArrayCtor { items, .. } = &rhs.kind else {
        return None;
    };
    let mut reads = false;
    designator::values_read(rhs, &mut |d| reads |= may_alias_designators(cx.program, target, d));
    if reads || hidden_reads(cx, target, &vec![cx_probe(rhs)]) {
        return None;
    }
    let mut own = Around::default();
    if reallocates(cx, target, rhs) {
        let ranges = settled_ranges(cx, target, vec![cx.range(rhs, 0)?], &mut own);
        reallocate(cx, lhs, rhs, &ranges, &mut own);
    }
    let put = |cx: &mut Cx, off: &Expr| {
        let mut pre = Vec::new();
        let e = cx.element(lhs, std::slice::from_ref(off), &mut pre)?;
        pre.is_empty().then_some(e)
    };
    let mut out = Vec::new();
    let mut inner = Around::default();
    reduce::constructor(cx, items, Expr::int(0), &put, &mut out, &mut inner)?;
    let mut all = std::mem::take(&mut around.before);
    all.extend(own.before);
    all.extend(inner.before);
    all.extend(out);
    all.extend(inner.after);
    all.append(&mut around.after);
    Some(all)
}

/// A statement that only carries an expression to look through.
fn cx_probe(e: &Expr) -> Stmt {
    Stmt::new(
        costate_grammar::ir::StmtId(0),
        StmtKind::Assign { lhs: Expr::int(0), rhs: e.clone() },
        costate_grammar::ir::Origin::Source(e.span),
    )
}

/// True for a value that refers to other elements of what the call changes, be it through another section, through a
/// function of whole arrays, or as a scalar: it has to be known before the first element is.
fn read_elsewhere(cx: &Cx, callee: &Callee, args: &[Arg], at: usize) -> bool {
    let own = &args[at].value;
    let program = &*cx.program;
    let changed = |i: usize, a: &Arg| {
        let dummy = callee::interface(program, callee).and_then(|p| callee::dummy_of(program, p, callee, i, a));
        dummy.and_then(|d| program.var(d)).is_none_or(|v| v.intent != Some(costate_grammar::ir::Intent::In))
    };
    if own.rank == 0 && own.as_var().is_some() || changed(at, &args[at]) {
        return false;
    }
    let mut shifted = own.rank == 0;
    for_each_expr(own, &mut |e| {
        shifted |= matches!(&e.kind, ExprKind::Call { callee: Callee::Intrinsic(f), .. } if f.class() == Class::Transformational);
    });
    args.iter().enumerate().filter(|(i, a)| changed(*i, a)).filter_map(|(_, a)| a.value.as_var()).any(|d| {
        let mut reads = false;
        for_each_expr(own, &mut |e| {
            reads |= e.as_var().is_some_and(|r| (shifted || r != d) && may_alias_designators(cx.program, d, r));
        });
        reads
    })
}

/// A call of an elemental subroutine with array arguments: a loop of calls with elements.
fn elemental_subroutine(cx: &mut Cx, callee: &Callee, args: &[Arg]) -> Option<Block> {
    let mut around = Around::default();
    let mut prepared = Vec::new();
    for (i, a) in args.iter().enumerate() {
        let mut value = prepare(cx, &a.value, None, &mut around)?;
        if read_elsewhere(cx, callee, args, i) {
            value = reduce::evaluate(cx, &value, &mut around)?;
        }
        prepared.push(Arg { keyword: a.keyword.clone(), value });
    }
    let lead = prepared.iter().find(|a| a.value.rank > 0)?.value.clone();
    let axes = cx.axes_of(&lead)?;
    let offs: Vec<Expr> = axes.iter().map(|a| cx.offset(a)).collect();
    let mut body = Vec::new();
    let mut new = Vec::new();
    for a in &prepared {
        let value = cx.element(&a.value, &offs, &mut body)?;
        new.push(Arg { keyword: a.keyword.clone(), value });
    }
    body.push(cx.stmt(StmtKind::Call { callee: callee.clone(), args: new }));
    let nest = cx.nest(&axes, body);
    cx.release_axes(&axes);
    let mut out = around.before;
    out.extend(nest);
    out.extend(around.after);
    Some(out)
}
