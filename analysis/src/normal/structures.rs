//! `p = t(a, b)` becomes an assignment of each component, so that derivatives need no structure constructors; lists of
//! objects become assignments of their elements.

use costate_grammar::diag::Code;
use costate_grammar::intrinsics::Intrinsic;
use costate_grammar::ir::{
    Arg, Base, Block, CtorItem, Designator, Expr, ExprKind, Name, Part, Stmt, StmtKind, SymId, Variable, for_each_expr,
};

use super::callee::has_user_call;
use super::component_bounds;
use super::context::Cx;
use super::copies::{copy, copy_distinct, copy_memory, refuse_copy, with_steady_subscripts};
use super::defaults::as_declared;
use super::defined_assignment::by_parts;
use super::designator::continuous;
use super::forall;
use super::memory::{self, bound, missing_scalar};
use super::overlap::may_alias_designators;
use super::rearranged;
use super::reduce::constructor_value;
use super::temporary::{Around, store, store_in};
use crate::storage::{all_components, component, holds_allocatables, holds_memory, is_allocatable, resolve};

/// Opens assignments of structure constructors.
pub(super) fn run(cx: &mut Cx<'_>, block: Block) -> Block {
    let mut out = Block::new();
    for mut stmt in block {
        if stmt.is_region() {
            out.push(stmt);
            continue;
        }
        // Components would be assigned for all indices before the next one is.
        if let Some(loops) = forall::open_objects(cx, &stmt) {
            out.extend(run(cx, loops));
            continue;
        }
        for inner in stmt.blocks_mut() {
            *inner = run(cx, std::mem::take(inner));
        }
        cx.at(&stmt);
        let mut around = Around::default();
        rearranged::lift(cx, &mut stmt, &mut around);
        let first = run(cx, around.before);
        out.extend(first);
        match &stmt.kind {
            StmtKind::Assign { lhs, rhs } => match opened(cx, lhs, rhs) {
                Some(opened) => {
                    let mut opened = lists_in(cx, opened);
                    cx.inherit(&stmt, &mut opened);
                    out.extend(opened);
                }
                None => {
                    rearranged::refuse(cx, &stmt);
                    out.extend(missing_object(cx, lhs_of(&stmt)));
                    out.push(stmt);
                }
            },
            _ => {
                rearranged::refuse(cx, &stmt);
                out.push(stmt);
            }
        }
        out.extend(around.after);
    }
    out
}

/// The statements of an assignment that copies an object part by part.
fn opened(cx: &mut Cx<'_>, lhs: &Expr, rhs: &Expr) -> Option<Block> {
    let copied = |cx: &mut Cx<'_>| {
        let first = missing_object(cx, Some(lhs));
        let opened = open(cx, lhs, rhs)?;
        Some(first.into_iter().chain(opened).collect())
    };
    copied(cx).or_else(|| copy(cx, lhs, rhs)).or_else(|| rearranged::open(cx, lhs, rhs).map(|picked| run(cx, picked)))
}

fn lhs_of(stmt: &Stmt) -> Option<&Expr> {
    match &stmt.kind {
        StmtKind::Assign { lhs, .. } => Some(lhs),
        _ => None,
    }
}

/// The allocation that an assignment to an allocatable object implies.
fn missing_object(cx: &mut Cx<'_>, lhs: Option<&Expr>) -> Option<Stmt> {
    let lhs = lhs.filter(|e| e.rank == 0 && matches!(e.ty.base, Base::Derived(_)) && is_allocatable(cx.program, e))?;
    Some(missing_scalar(cx, lhs))
}

/// Opens array constructors that have become values of components.
fn lists_in(cx: &mut Cx<'_>, block: Block) -> Block {
    let mut out = Block::new();
    for mut stmt in block {
        if stmt.is_region() {
            out.push(stmt);
            continue;
        }
        for inner in stmt.blocks_mut() {
            *inner = lists_in(cx, std::mem::take(inner));
        }
        let opened = match &stmt.kind {
            StmtKind::Assign { lhs, rhs } => open_list(cx, lhs, rhs),
            _ => None,
        };
        match opened {
            Some(opened) => out.extend(lists_in(cx, opened)),
            None => out.push(stmt),
        }
    }
    out
}

/// Opens assignments in which the assignment that a component's type defines takes part.
pub(super) fn call_defined(cx: &mut Cx<'_>, block: Block) -> Block {
    let mut out = Block::new();
    for mut stmt in block {
        if stmt.is_region() {
            out.push(stmt);
            continue;
        }
        for inner in stmt.blocks_mut() {
            *inner = call_defined(cx, std::mem::take(inner));
        }
        let (lhs, rhs) = match &stmt.kind {
            StmtKind::Assign { lhs, rhs } if lhs.ty.derived().is_some_and(|t| by_parts(cx.program, t)) => (lhs, rhs),
            _ => {
                out.push(stmt);
                continue;
            }
        };
        cx.at(&stmt);
        if let Some(mut opened) = copy_distinct(cx, lhs, rhs) {
            cx.inherit(&stmt, &mut opened);
            out.extend(opened);
        } else {
            cx.refuse(
                Code::UnsupportedStatement,
                "this assignment calls the defined assignment of a component",
                "a type-bound assignment takes part in the assignment of every object that has such a component",
                "assign the components one by one",
            );
            out.push(stmt);
        }
    }
    out
}

/// The statements of an assignment that copies an object part by part, where the left side has memory.
pub(super) fn open_object(cx: &mut Cx<'_>, lhs: &Expr, rhs: &Expr) -> Option<Block> {
    open(cx, lhs, rhs).or_else(|| copy(cx, lhs, rhs))
}

/// Opens the assignment of a structure constructor.
fn open(cx: &mut Cx<'_>, lhs: &Expr, rhs: &Expr) -> Option<Block> {
    let target = lhs.as_var().filter(|_| continuous(cx.program, lhs.ty))?.clone();
    if lhs.rank > 0 {
        return open_elements(cx, lhs, rhs).or_else(|| open_list(cx, lhs, rhs));
    }
    let mut parts = Vec::new();
    components(cx, lhs, rhs, &mut parts)?;
    let mut reads = false;
    for (_, value) in &parts {
        reads |= has_user_call(value);
        for_each_expr(value, &mut |e| {
            reads |= e.as_var().is_some_and(|d| may_alias_designators(cx.program, &target, d))
        });
    }
    // What the values read may change with the first component, or when a component gets other bounds.
    let held = reads && (parts.len() > 1 || parts.iter().any(|(to, _)| component_bounds::given(cx.program, to)));
    let (mut around, mut given) = (Around::default(), Block::new());
    for (to, value) in parts {
        let (value, lower) = match held && !is_pointer(cx, &to) && !value.is_null() {
            true => hold(cx, &target, value, &mut around),
            false => {
                let lower = component_bounds::lower(cx, &value);
                (value, lower)
            }
        };
        give(cx, to, value, &lower, &mut given);
    }
    let mut out = around.before;
    out.extend(given);
    out.extend(around.after);
    Some(out)
}

/// A temporary with a value for a component of `target`, and the lower bounds that come with it.
fn hold(cx: &mut Cx<'_>, target: &Designator, value: Expr, around: &mut Around) -> (Expr, Vec<Expr>) {
    if matches!(value.unparen().kind, ExprKind::StructCtor { .. }) {
        let tmp = cx.scalar("tmp", value.ty, &value);
        let set = open(cx, &tmp, &value).unwrap_or_else(|| vec![cx.assign(tmp.clone(), value)]);
        around.before.extend(set);
        return (tmp, Vec::new());
    }
    if is_allocatable(cx.program, &value) && value.ty.derived().is_none() {
        let tmp = store_if_allocated(cx, &value, around);
        let lower = (1..=tmp.rank).map(|k| bound(Intrinsic::Lbound, &tmp, k)).collect();
        return (tmp, lower);
    }
    let lower = component_bounds::lower(cx, &value);
    let fixed = |e: Expr| if e.as_int().is_some() { e } else { store(cx, "lo", e, around) };
    let lower = lower.into_iter().map(fixed).collect();
    let ranges: Option<Vec<_>> = (0..usize::from(value.rank)).map(|k| cx.range(&value, k)).collect();
    let tmp = match ranges.filter(|_| value.rank > 0) {
        Some(ranges) => {
            // The temporary's bounds mean the same when the target has changed.
            let ranges = memory::settled_ranges(cx, target, ranges, around);
            store_in(cx, "tmp", value, ranges, around)
        }
        None => store(cx, "tmp", value, around),
    };
    (tmp, lower)
}

/// A structure constructor that goes to all elements of an array.
fn open_elements(cx: &mut Cx<'_>, lhs: &Expr, rhs: &Expr) -> Option<Block> {
    let target = lhs.as_var()?.sym;
    let mut plain = matches!(rhs.unparen().kind, ExprKind::StructCtor { .. }) && !has_user_call(rhs);
    for_each_expr(rhs, &mut |e| plain &= e.as_var().is_none_or(|d| d.sym != target));
    if !plain {
        return None;
    }
    cx.over_elements(lhs, |cx, offs, body| {
        let element = cx.element(lhs, offs, body)?;
        let mut parts = Vec::new();
        let known = components(cx, &element, rhs, &mut parts);
        for (to, value) in parts {
            let lower = component_bounds::lower(cx, &value);
            give(cx, to, value, &lower, body);
        }
        known
    })
}

/// A list with items that are arrays or loops and may read the left side.
fn open_sublists(cx: &mut Cx<'_>, lhs: &Expr, rhs: &Expr) -> Option<Block> {
    let mut around = Around::default();
    let list = constructor_value(cx, rhs.unparen(), &mut around)?;
    let mut out = around.before;
    out.extend(copy(cx, lhs, &list)?);
    out.extend(around.after);
    Some(out)
}

/// An array constructor of objects that have allocatable components, or are given component by component: each element is
/// given its object.
fn open_list(cx: &mut Cx<'_>, lhs: &Expr, rhs: &Expr) -> Option<Block> {
    let target = lhs.as_var()?.clone();
    let ExprKind::ArrayCtor { items, .. } = &rhs.unparen().kind else { return None };
    let object = |i: &CtorItem| match i {
        CtorItem::Value(e) if e.rank == 0 && e.ty == lhs.ty => Some(e.clone()),
        CtorItem::Value(_) | CtorItem::ImpliedDo { .. } => None,
    };
    let parts = holds_memory(cx.program, lhs.ty);
    let Some(mut items) = items.iter().map(object).collect::<Option<Vec<Expr>>>() else {
        return if parts { open_sublists(cx, lhs, rhs) } else { None };
    };
    let constructed = |e: &Expr| matches!(e.unparen().kind, ExprKind::StructCtor { .. });
    if lhs.rank != 1 || !parts && !items.iter().any(constructed) {
        return None;
    }
    let mut apart = !has_user_call(rhs);
    for_each_expr(rhs, &mut |e| apart &= e.as_var().is_none_or(|d| !may_alias_designators(cx.program, &target, d)));
    let mut around = Around::default();
    if !apart {
        // The values come before the first of them is assigned.
        items = items.into_iter().map(|e| store(cx, "tmp", e, &mut around)).collect();
    }
    let mut out = Block::new();
    for s in std::mem::take(&mut around.before) {
        let opened = match &s.kind {
            StmtKind::Assign { lhs, rhs } => open_object(cx, lhs, rhs),
            _ => None,
        };
        out.extend(opened.unwrap_or_else(|| vec![s]));
    }
    let whole = !matches!(target.parts.last(), Some(Part::Subscripts(_)));
    if whole && resolve(cx.program, target.sym, &target.path()).is_none_or(|v| v.attrs.allocatable) {
        let range = (Expr::int(1), Expr::int(items.len() as i64));
        memory::reallocate(cx, lhs, rhs, &[range], &mut around);
        out.append(&mut around.before);
    }
    for (i, item) in items.iter().enumerate() {
        let element = cx.element(lhs, &[Expr::int(i as i64)], &mut out)?;
        let element = with_steady_subscripts(cx, &element, target.sym, &mut out);
        match open_object(cx, &element, item) {
            Some(opened) => out.extend(opened),
            None if holds_allocatables(cx.program, lhs.ty) => return None,
            None => out.push(cx.assign(element, item.clone())),
        }
    }
    out.extend(around.after);
    Some(out)
}

/// Component and value, for every component; `None` where the constructor is more than that.
fn components(cx: &Cx<'_>, lhs: &Expr, rhs: &Expr, out: &mut Vec<(Expr, Expr)>) -> Option<()> {
    let ExprKind::StructCtor { ty, .. } = &rhs.unparen().kind else { return None };
    if lhs.ty.derived() != Some(*ty) {
        return None;
    }
    constructed(cx, lhs, rhs, out)
}

/// The same for the components that `lhs` has of the constructor's type, which may be one that its own type extends.
fn constructed(cx: &Cx<'_>, lhs: &Expr, rhs: &Expr, out: &mut Vec<(Expr, Expr)>) -> Option<()> {
    let ExprKind::StructCtor { ty, args } = &rhs.unparen().kind else { return None };
    let mut parts = cx.program[*ty].derived()?.components.clone();
    let mut parent = cx.program[*ty].derived()?.extends;
    // Inherited components come first, unless the parent is given as a whole.
    let mut first = 0;
    while let Some(p) = parent {
        let derived = cx.program[p].derived()?;
        let named = args.iter().find(|a| a.keyword.as_ref() == Some(&cx.program[p].name));
        let leading = args.first().filter(|a| a.keyword.is_none() && a.value.ty.derived() == Some(p));
        let own = all_components(cx.program, p).first().is_some_and(|c| c.var.ty.derived() == Some(p));
        if let Some(whole) = named.or(leading.filter(|_| !own)) {
            first = usize::from(named.is_none());
            if named.is_some() && args.iter().any(|a| a.keyword.is_none()) {
                return None;
            }
            inherited(cx, lhs, p, &whole.value, out)?;
            break;
        }
        parts.splice(0..0, derived.components.iter().cloned());
        parent = derived.extends;
    }
    for (i, c) in parts.iter().enumerate() {
        let default = left_out(&c.var);
        let value = argument(args, first + i, &c.name).or(default.as_ref())?;
        if matches!(c.var.ty.base, Base::Class(_) | Base::Unlimited) {
            return None;
        }
        let component = component(cx.program, lhs, &c.name, c.var.ty, c.var.rank());
        if c.var.attrs.pointer {
            out.push((component, value.clone()));
            continue;
        }
        match &value.unparen().kind {
            ExprKind::StructCtor { .. } if component.rank == 0 && !c.var.attrs.allocatable => {
                components(cx, &component, value, out)?;
            }
            ExprKind::StructCtor { .. } if component.rank == 0 => out.push((component, value.clone())),
            // An array that the constructor leaves out: its elements get their defaults.
            ExprKind::StructCtor { args, .. } if args.is_empty() => out.push((component, value.clone())),
            // Values of other forms are left to the constructor.
            ExprKind::Opaque(_) | ExprKind::StructCtor { .. } => return None,
            _ => out.push((component, value.clone())),
        }
    }
    Some(())
}

/// Component and value for what a type inherits from `ty`.
fn inherited(cx: &Cx<'_>, lhs: &Expr, ty: SymId, value: &Expr, out: &mut Vec<(Expr, Expr)>) -> Option<()> {
    let value = value.unparen();
    if value.ty.derived() != Some(ty) {
        return None;
    }
    match &value.kind {
        ExprKind::StructCtor { .. } => constructed(cx, lhs, value, out),
        ExprKind::Var(_) if value.rank == 0 => {
            let mut at = Some(ty);
            while let Some(derived) = at.and_then(|t| cx.program[t].derived()) {
                for c in &derived.components {
                    let part = |e: &Expr| component(cx.program, e, &c.name, c.var.ty, c.var.rank());
                    out.push((part(lhs), part(value)));
                }
                at = derived.extends;
            }
            Some(())
        }
        _ => None,
    }
}

/// What a component is that a constructor leaves out: an allocatable one isn't allocated.
fn left_out(component: &Variable) -> Option<Expr> {
    let own = || match component.ty.base {
        _ if component.attrs.allocatable => Some(Expr::intrinsic(Intrinsic::Null, Vec::new())),
        Base::Derived(ty) if !component.attrs.pointer => {
            Some(Expr::new(ExprKind::StructCtor { ty, args: Vec::new() }, component.ty, 0))
        }
        _ => None,
    };
    component.init.clone().or_else(own)
}

fn is_pointer(cx: &Cx<'_>, e: &Expr) -> bool {
    e.as_var().and_then(|d| resolve(cx.program, d.sym, &d.path())).is_some_and(|v| v.attrs.pointer)
}

/// Gives a component its value with these lower bounds, or a pointer its target.
fn give(cx: &mut Cx<'_>, to: Expr, value: Expr, lower: &[Expr], out: &mut Block) {
    if is_pointer(cx, &to) {
        let rhs = as_declared(cx.program, value);
        out.push(cx.stmt(StmtKind::PointerAssign { lhs: to, rhs }));
    } else if value.is_null() {
        out.push(cx.deallocation(&to));
    } else if to.is_derived()
        && to.rank == 0
        && !(is_allocatable(cx.program, &to) && is_allocatable(cx.program, &value))
        && let Some(given) = opened(cx, &to, &value)
    {
        out.extend(given);
    } else if to.rank > 0
        && let Some(given) = open_elements(cx, &to, &value)
    {
        out.extend(given);
    } else if !is_allocatable(cx.program, &to) || !is_allocatable(cx.program, &value) {
        out.extend(component_bounds::assign(cx, &to, &value, lower));
    } else if copy_memory(cx, &to, &value, lower, out).is_none() {
        refuse_copy(cx);
    }
}

/// A temporary with the value of an allocatable variable that may not be allocated.
fn store_if_allocated(cx: &mut Cx<'_>, value: &Expr, around: &mut Around) -> Expr {
    let tmp = Expr::var(cx.deferred("tmp", value.ty, value, value.rank), value.ty, value.rank);
    let set = match tmp.rank {
        0 => component_bounds::assign(cx, &tmp, value, &[]),
        _ => vec![cx.assign(tmp.clone(), value.clone())],
    };
    around.before.push(cx.if_else(Expr { rank: 0, ..value.allocated() }, set, Vec::new()));
    around.after.push(cx.deallocation(&tmp));
    tmp
}

fn argument<'a>(args: &'a [Arg], position: usize, name: &Name) -> Option<&'a Expr> {
    let keyword = args.iter().find(|a| a.keyword.as_ref() == Some(name));
    keyword.or_else(|| args.get(position).filter(|a| a.keyword.is_none())).map(|a| &a.value)
}
