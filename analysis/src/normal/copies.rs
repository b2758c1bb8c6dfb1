//! `p = q` where components are allocatable, pointers, or arrays within arrays: the copy is made part by part, so that
//! derivatives follow the memory of each.

use costate_grammar::diag::Code;
use costate_grammar::intrinsics::Class;
use costate_grammar::ir::{Base, Block, Callee, Expr, ExprKind, Part, Program, StmtKind, SymId};

use super::component_bounds;
use super::context::Cx;
use super::defined_assignment::{self, by_parts, is_defined};
use super::designator::continuous;
use super::memory::{self, all_elements, holds_itself, memory_bounds, missing_scalar};
use super::overlap::may_alias_designators;
use super::temporary::{Around, store};
use crate::storage::{component, holds_allocatables, holds_pointers, resolve};

pub(super) fn refuse_copy(cx: &mut Cx<'_>) {
    cx.refuse(
        Code::UnsupportedStatement,
        "this assignment copies allocatable components in a way that derivative code doesn't know",
        "the components of the derivative must be allocated like those of the variable",
        "assign the components, or the elements, one by one",
    );
}

/// `p = q` for a type with allocatable components, or with arrays in arrays, whose elements no single reference names.
pub(super) fn copy(cx: &mut Cx<'_>, lhs: &Expr, rhs: &Expr) -> Option<Block> {
    let from = rhs.unparen();
    let carries = continuous(cx.program, lhs.ty) && lhs.is_derived() && from.as_var().is_some();
    let pointers = holds_pointers(cx.program, lhs.ty);
    let parts = holds_allocatables(cx.program, lhs.ty) || nested(cx, lhs.ty, lhs.rank);
    if !(carries && parts || pointers && lhs.is_derived() && from.as_var().is_some()) {
        return None;
    }
    let mut out = Block::new();
    let sym = lhs.as_var()?.sym;
    let [lhs, from] = [lhs, from].map(|e| with_steady_subscripts(cx, e, sym, &mut out));
    let (lhs, from) = (&lhs, &from);
    let first = out.len();
    if copy_value(cx, lhs, from, &mut out).is_none() {
        out.truncate(first);
        if let Some(staged) = copy_in_two(cx, lhs, from) {
            out.extend(staged);
            return Some(out);
        }
        if !holds_allocatables(cx.program, lhs.ty) {
            cx.refuse(
                Code::UnsupportedStatement,
                "this assignment copies arrays within arrays in a way that derivative code doesn't know",
                "derivatives are copied element by element, and both sides may overlap, or the left side may get another size",
                "assign the components, or the elements, one by one",
            );
            return None;
        }
        refuse_copy(cx);
        return None;
    }
    Some(out)
}

/// A reference whose subscripts don't read a variable that is about to change.
pub(super) fn with_steady_subscripts(cx: &mut Cx<'_>, e: &Expr, changes: SymId, out: &mut Block) -> Expr {
    let ExprKind::Var(d) = &e.kind else { return e.clone() };
    let mut around = Around::default();
    let read = |s: &Expr| s.rank == 0 && reads(s, changes);
    let d = d.clone().map_subscripts(&mut |s| if read(&s) { store(cx, "at", s, &mut around) } else { s });
    out.append(&mut around.before);
    Expr { kind: ExprKind::Var(d), ..e.clone() }
}

/// Copies what may overlap its target by way of a temporary.
fn copy_in_two(cx: &mut Cx<'_>, lhs: &Expr, rhs: &Expr) -> Option<Block> {
    let mut around = Around::default();
    let (lhs, rhs) = (&named_places(cx, lhs, &mut around), &named_places(cx, rhs, &mut around));
    let mut out = std::mem::take(&mut around.before);
    let tmp = store(cx, "tmp", rhs.clone(), &mut around);
    for s in around.before {
        match &s.kind {
            StmtKind::Assign { lhs, rhs } => copy_value(cx, lhs, rhs, &mut out)?,
            _ => out.push(s),
        }
    }
    copy_value(cx, lhs, &tmp, &mut out)?;
    out.extend(around.after);
    Some(out)
}

/// A reference whose vector subscripts are variables.
fn named_places(cx: &mut Cx<'_>, e: &Expr, around: &mut Around) -> Expr {
    let ExprKind::Var(d) = &e.kind else { return e.clone() };
    let d = d.clone().map_subscripts(&mut |s| {
        let plain = s.rank == 0 || s.as_var().is_some();
        if plain { s } else { store(cx, "at", s, around) }
    });
    Expr { kind: ExprKind::Var(d), ..e.clone() }
}

/// Copies an object to another one, component by component.
pub(super) fn copy_distinct(cx: &mut Cx<'_>, lhs: &Expr, rhs: &Expr) -> Option<Block> {
    if may_alias_designators(cx.program, lhs.as_var()?, rhs.as_var()?) {
        return None;
    }
    let mut out = Block::new();
    copy_value(cx, lhs, rhs, &mut out)?;
    Some(out)
}

/// Copies element by element, and component by component.
fn copy_value(cx: &mut Cx<'_>, lhs: &Expr, rhs: &Expr, out: &mut Block) -> Option<()> {
    let (to, from) = (lhs.as_var()?, rhs.as_var()?);
    // A subscript may name what is assigned, and change with the first component.
    if lhs.children().into_iter().chain(rhs.children()).any(|e| reads(e, to.sym)) {
        return None;
    }
    let whole = !matches!(to.parts.last(), Some(Part::Subscripts(_)));
    let allocatable = whole && resolve(cx.program, to.sym, &to.path()).is_none_or(|v| v.attrs.allocatable);
    if lhs.rank == 0 {
        if allocatable {
            out.push(missing_scalar(cx, lhs));
        }
        return copy_components(cx, lhs, rhs, out);
    }
    if may_alias_designators(cx.program, to, from) {
        return None;
    }
    if allocatable && rhs.rank > 0 && !cx.is_fresh(lhs) {
        out.extend(fit(cx, lhs, rhs)?);
    }
    out.extend(cx.over_elements(lhs, |cx, offs, body| {
        let to = cx.element(lhs, offs, body)?;
        let from = cx.element(rhs, offs, body)?;
        copy_components(cx, &to, &from, body)
    })?);
    Some(())
}

fn copy_components(cx: &mut Cx<'_>, lhs: &Expr, rhs: &Expr, out: &mut Block) -> Option<()> {
    let mut components = Vec::new();
    let mut of = Some(lhs.ty.derived()?);
    while let Some(derived) = of.and_then(|t| cx.program[t].derived()) {
        components.splice(0..0, derived.components.iter().cloned());
        of = derived.extends;
    }
    for c in &components {
        let (ty, rank) = (c.var.ty, c.var.rank());
        let [to, from] = [lhs, rhs].map(|e| component(cx.program, e, &c.name, ty, rank));
        if c.var.attrs.pointer && !matches!(ty.base, Base::Class(_) | Base::Unlimited) {
            out.push(cx.stmt(StmtKind::PointerAssign { lhs: to, rhs: from }));
        } else if matches!(ty.base, Base::Class(_) | Base::Unlimited) {
            return None;
        } else if c.var.attrs.allocatable {
            let lower = component_bounds::lower(cx, &from);
            copy_memory(cx, &to, &from, &lower, out)?;
        } else if ty.derived().is_some_and(|t| is_defined(cx.program, t)) {
            let kind = defined_assignment::call(cx.program, &to, &from)?;
            out.push(cx.stmt(kind));
        } else if holds_allocatables(cx.program, ty)
            || nested(cx, ty, rank)
            || holds_pointers(cx.program, ty)
            || ty.derived().is_some_and(|t| by_parts(cx.program, t))
        {
            copy_value(cx, &to, &from, out)?;
        } else {
            out.push(cx.assign(to, from));
        }
    }
    Some(())
}

/// Brings an allocatable array to the shape of the one that it becomes a copy of.
fn fit(cx: &mut Cx<'_>, lhs: &Expr, rhs: &Expr) -> Option<Block> {
    let ranges: Vec<_> = (0..usize::from(lhs.rank)).map(|k| cx.range(rhs, k)).collect::<Option<_>>()?;
    let mut around = Around::default();
    let ranges = memory::settled_ranges(cx, lhs.as_var()?, ranges, &mut around);
    memory::reallocate(cx, lhs, rhs, &ranges, &mut around);
    Some(around.before)
}

/// Copies an allocatable component, allocated or not, with these lower bounds.
pub(super) fn copy_memory(cx: &mut Cx<'_>, to: &Expr, from: &Expr, lower: &[Expr], out: &mut Block) -> Option<()> {
    if to.ty.derived().is_some() {
        return copy_allocatable(cx, to, from, out);
    }
    let body = component_bounds::assign(cx, to, from, lower);
    let other = if cx.is_fresh(to) { Block::new() } else { vec![cx.deallocation(to)] };
    out.push(cx.if_else(Expr { rank: 0, ..from.allocated() }, body, other));
    Some(())
}

/// Copies an allocatable component of derived type, which keeps its memory where it has the same bounds.
fn copy_allocatable(cx: &mut Cx<'_>, to: &Expr, from: &Expr, out: &mut Block) -> Option<()> {
    let ty = to.ty.derived()?;
    // Of a list or tree no number of statements copies all. Other components are apart, or one and the same.
    if holds_itself(cx.program, ty, ty, 0) {
        return None;
    }
    let mut body = if to.rank == 0 {
        vec![missing_scalar(cx, to)]
    } else {
        memory::reshape(cx, to, &memory_bounds(from), true, memory::release)
    };
    if to.rank == 0 {
        copy_components(cx, to, from, &mut body)?;
    } else {
        let (to, from) = (all_elements(to.clone()), all_elements(from.clone()));
        body.extend(cx.over_elements(&to, |cx, offs, each| {
            let (to, from) = (cx.element(&to, offs, each)?, cx.element(&from, offs, each)?);
            copy_components(cx, &to, &from, each)
        })?);
    }
    let other = if cx.is_fresh(to) { Block::new() } else { vec![cx.deallocation(to)] };
    out.push(cx.if_else(Expr { rank: 0, ..from.allocated() }, body, other));
    Some(())
}

/// True for an expression that reads a variable, more than the bounds of the whole.
pub(super) fn reads(e: &Expr, sym: SymId) -> bool {
    let inquires =
        matches!(&e.kind, ExprKind::Call { callee: Callee::Intrinsic(i), .. } if i.class() == Class::Inquiry);
    let whole = |e: &Expr| e.as_var().is_some_and(|d| d.parts.is_empty());
    e.as_var().is_some_and(|d| d.sym == sym)
        || e.children().into_iter().any(|c| !(inquires && whole(c)) && reads(c, sym))
}

/// True for an object of this type and rank with arrays of reals within an array.
fn nested(cx: &Cx<'_>, ty: costate_grammar::ir::Ty, rank: u8) -> bool {
    fn most(program: &Program, ty: costate_grammar::ir::Ty, depth: u8) -> u8 {
        let Some(derived) = ty.derived().and_then(|t| program[t].derived()).filter(|_| depth < 16) else { return 0 };
        let own = derived.components.iter().filter(|c| !c.var.attrs.pointer && continuous(program, c.var.ty));
        let own = own.map(|c| u8::from(c.var.rank() > 0) + most(program, c.var.ty, depth + 1)).max().unwrap_or(0);
        let parent =
            derived.extends.map_or(0, |t| most(program, costate_grammar::ir::Ty::new(Base::Derived(t), 0), depth + 1));
        own.max(parent)
    }
    let inner = most(cx.program, ty, 0);
    inner > 1 || inner == 1 && rank > 0 && ty.derived().is_some()
}
