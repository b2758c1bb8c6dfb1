//! Allocation that Fortran does in passing is spelt out, so that derivatives can do the same: `allocate(a, source=e)`
//! becomes an allocation of the same shape and an assignment; a scalar is allocated before it is assigned; a variable that
//! takes a function's result gets its shape before; allocatable outputs are freed before a call; memory that moves is
//! copied.

use costate_grammar::diag::Code;
use costate_grammar::intrinsics::Intrinsic;
use costate_grammar::ir::{
    AllocItem, Arg, Base, Block, Callee, Expr, ExprKind, Intent, Name, Program, Role, Stmt, StmtKind, SymId, Ty,
    Variable,
};

use super::callee;
use super::context::Cx;
use super::defaults;
use super::defined_assignment::by_parts;
use super::memory::{all_elements, holds_itself, memory_bounds, missing_scalar};
use super::temporary::{self, Around};
use crate::storage::{
    all_components, component, extended, holds_allocatables, holds_pointers, is_allocatable, is_whole, resolve,
};

/// Splits sourced allocations.
pub(super) fn run(cx: &mut Cx<'_>, block: Block) -> Block {
    let mut out = Block::new();
    for mut stmt in block {
        if stmt.is_region() {
            out.push(stmt);
            continue;
        }
        for inner in stmt.blocks_mut() {
            *inner = run(cx, std::mem::take(inner));
        }
        if let StmtKind::Call { callee: Callee::Intrinsic(Intrinsic::MoveAlloc), args } = &stmt.kind
            && let Some(mut moved) = move_alloc(cx, &stmt, args)
        {
            cx.inherit(&stmt, &mut moved);
            out.extend(moved);
            continue;
        }
        if let StmtKind::Assign { lhs, .. } = &stmt.kind
            && lhs.rank == 0
            && (lhs.ty.is_continuous() || matches!(lhs.ty.base, Base::Integer | Base::Logical))
            && is_allocatable(cx.program, lhs)
        {
            cx.at(&stmt);
            let guarded = missing_scalar(cx, lhs);
            out.push(guarded);
        }
        match with_status(cx, &stmt) {
            Some(mut tested) => {
                cx.inherit(&stmt, &mut tested);
                out.extend(tested);
            }
            None => out.extend(sourced(cx, stmt)),
        }
    }
    out
}

/// An allocation without `source=`.
fn sourced(cx: &mut Cx<'_>, stmt: Stmt) -> Block {
    let StmtKind::Allocate { items, type_spec, options } = &stmt.kind else { return vec![stmt] };
    let source = options.iter().find(|(n, _)| n.as_str() == "source").map(|(_, e)| e.clone());
    let plain = |e: &Expr| !matches!(e.ty.base, Base::Class(_) | Base::Unlimited | Base::Character);
    let Some(source) = source.filter(|e| plain(e) && items.iter().all(|i| plain(&i.object))) else {
        return vec![stmt];
    };
    cx.at(&stmt);
    let (mut items, mut rest) = (items.clone(), options.clone());
    rest.retain(|(n, _)| n.as_str() != "source");
    let mut around = Around::default();
    let source = shape_of(cx, source, &mut items, &mut rest, &mut around);
    let assigned: Vec<(Expr, u8)> = items.iter().map(|i| (i.object.clone(), i.shape.len() as u8)).collect();
    let kind = StmtKind::Allocate { items, type_spec: type_spec.clone(), options: rest };
    let mut out = around.before;
    out.push(cx.changed(stmt.clone(), kind));
    for (object, rank) in assigned {
        let rank = object.rank.max(rank);
        let target = Expr { rank, ..object };
        out.push(cx.assign(target, source.clone()));
    }
    out.extend(around.after);
    out
}

/// Gives items without a shape that of their source. Not every compiler takes the shape of objects from others (`mold=`).
fn shape_of(
    cx: &mut Cx<'_>,
    source: Expr,
    items: &mut [AllocItem],
    options: &mut Vec<(Name, Expr)>,
    around: &mut Around,
) -> Expr {
    if source.rank == 0 || items.iter().all(|i| !i.shape.is_empty()) {
        return source;
    }
    if !source.is_derived() {
        options.push(("mold".into(), source.clone()));
        return source;
    }
    let source = if source.as_var().is_some() { source } else { temporary::store(cx, "tmp", source, around) };
    let bounds = memory_bounds(&source);
    items.iter_mut().filter(|i| i.shape.is_empty()).for_each(|i| i.shape = bounds.clone());
    source
}

/// With `stat=`, what is allocated already stays as it is, and so does all that follows in the list; the same for what is
/// freed without having memory. A pointer gets new memory in any case.
fn with_status(cx: &mut Cx<'_>, stmt: &Stmt) -> Option<Block> {
    let (objects, options, frees): (Vec<&Expr>, _, bool) = match &stmt.kind {
        StmtKind::Allocate { items, options, .. } => (items.iter().map(|i| &i.object).collect(), options, false),
        StmtKind::Deallocate { items, options } => (items.iter().collect(), options, true),
        _ => return None,
    };
    let status = options.iter().find(|(n, _)| n.as_str() == "stat").map(|(_, e)| e.clone())?;
    let pointer = |e: &Expr| Some(resolve(cx.program, e.as_var()?.sym, &e.as_var()?.path())?.attrs.pointer);
    let objects: Vec<(Expr, bool)> =
        objects.into_iter().map(|e| Some((e.clone(), pointer(e)?))).collect::<Option<_>>()?;
    if !frees && objects.iter().all(|o| o.1) {
        return None;
    }
    cx.at(stmt);
    let mut rest = Block::new();
    for (i, (object, pointer)) in objects.into_iter().enumerate().rev() {
        let kind = match &stmt.kind {
            StmtKind::Allocate { items, type_spec, options } => StmtKind::Allocate {
                items: vec![items[i].clone()],
                type_spec: type_spec.clone(),
                options: options.clone(),
            },
            // The backward sweep may ask that what a pointer points to isn't freed here.
            _ if pointer => StmtKind::Deallocate { items: vec![object.clone()], options: Vec::new() },
            _ => StmtKind::Deallocate { items: vec![object.clone()], options: options.clone() },
        };
        let one = cx.stmt(kind);
        let mut done = sourced(cx, one);
        if frees && pointer {
            done.push(cx.assign(status.clone(), Expr::int(0)));
        }
        done.append(&mut rest);
        rest = match (frees, pointer) {
            (false, true) => done,
            (true, true) => {
                let held = Expr { rank: 0, ..Expr::intrinsic(Intrinsic::Associated, vec![object]) };
                let failed = failure(cx, frees, options);
                vec![cx.if_else(held, done, failed)]
            }
            (true, false) => {
                let failed = failure(cx, frees, options);
                vec![cx.if_else(object.allocated(), done, failed)]
            }
            (false, false) => {
                let failed = failure(cx, frees, options);
                vec![cx.if_else(object.allocated(), failed, done)]
            }
        };
    }
    Some(rest)
}

/// What fails gives a status and a message that each compiler chooses for itself. The same failure of a variable that has
/// no part in derivatives gives the same.
fn failure(cx: &mut Cx<'_>, frees: bool, options: &[(Name, Expr)]) -> Block {
    let told = |o: &&(Name, Expr)| matches!(o.0.as_str(), "stat" | "errmsg");
    let options: Vec<_> = options.iter().filter(told).cloned().collect();
    let memory = cx.memory();
    let items = vec![AllocItem { object: memory.clone(), shape: Vec::new() }];
    let allocate = |options| StmtKind::Allocate { items: items.clone(), type_spec: None, options };
    let free = |options| StmtKind::Deallocate { items: vec![memory.clone()], options };
    let kinds = match frees {
        true => vec![free(options)],
        false => vec![allocate(Vec::new()), allocate(options), free(Vec::new())],
    };
    kinds.into_iter().map(|kind| cx.stmt_for(kind, Role::Failure)).collect()
}

/// `move_alloc(from, to)` of values that may carry a derivative, as a copy.
fn move_alloc(cx: &mut Cx<'_>, stmt: &Stmt, args: &[Arg]) -> Option<Block> {
    let find = |name: &str, at: usize| {
        let keyword = args.iter().find(|a| a.keyword.as_ref().is_some_and(|k| k.as_str() == name));
        keyword.or_else(|| args.get(at).filter(|a| a.keyword.is_none())).map(|a| a.value.clone())
    };
    let (from, to) = (find("from", 0)?, find("to", 1)?);
    let copied = match from.ty.base {
        Base::Real | Base::Complex => true,
        Base::Derived(t) => can_be_copied(cx.program, t, 0),
        _ => false,
    };
    if args.len() != 2 || !copied {
        return None;
    }
    cx.at(stmt);
    if may_be_target(cx.program, &from) {
        cx.refuse(
            Code::UnsupportedCall,
            "memory that a pointer may point to moves to another variable",
            "the pointer stays associated with it, and derivative code copies the values instead",
            "copy the values and associate the pointer anew, or drop the `target` attribute",
        );
        return None;
    }
    let free =
        |cx: &mut Cx<'_>, e: &Expr| cx.stmt(StmtKind::Deallocate { items: vec![e.clone()], options: Vec::new() });
    let free_to = free(cx, &to);
    let first = cx.if_one(to.allocated(), free_to);
    let (mut items, mut options) = (vec![AllocItem { object: to.clone(), shape: Vec::new() }], Vec::new());
    let from = shape_of(cx, from, &mut items, &mut options, &mut Around::default());
    let body = vec![
        cx.stmt(StmtKind::Allocate { items, type_spec: None, options }),
        cx.assign(all_elements(to), from.clone()),
        free(cx, &from),
    ];
    let second = cx.if_else(from.allocated(), body, Vec::new());
    Some(vec![first, second])
}

/// True for objects that an assignment copies as they are, and whose end does nothing but free their memory.
fn can_be_copied(program: &Program, ty: SymId, depth: u8) -> bool {
    let Some(derived) = program[ty].derived().filter(|_| depth < 8) else { return false };
    let plain = derived.finals.is_empty() && !by_parts(program, ty) && !holds_itself(program, ty, ty, 0);
    plain
        && all_components(program, ty).iter().all(|c| match c.var.ty.base {
            Base::Class(_) | Base::Unlimited => false,
            Base::Derived(t) => !c.var.attrs.pointer && can_be_copied(program, t, depth + 1),
            _ => !c.var.attrs.pointer,
        })
}

/// Whether pointers may point to the memory of an object: it has the attribute, or a pointer leads to it.
fn may_be_target(program: &Program, e: &Expr) -> bool {
    let Some(d) = e.as_var() else { return true };
    let path = d.path();
    (0..=path.len()).filter_map(|n| resolve(program, d.sym, &path[..n])).any(|v| v.attrs.target || v.attrs.pointer)
}

/// True for the whole of an allocatable variable.
fn whole_allocatable(program: &Program, e: &Expr) -> bool {
    e.as_var().is_some_and(|d| {
        is_whole(program, d) && resolve(program, d.sym, &d.path()).is_some_and(|v| v.attrs.allocatable)
    })
}

/// True when a function's result can go right to a variable: the derivative of an allocatable result must be allocatable. It
/// starts at 1, and a variable that has memory of its shape keeps its own bounds.
pub(super) fn fits(cx: &Cx<'_>, lhs: &Expr, call: &Expr) -> bool {
    let ExprKind::Call { callee, .. } = &call.kind else { return true };
    let allocatable = callee::result_variable(cx.program, callee).is_some_and(|v| v.attrs.allocatable);
    let whole = whole_allocatable(cx.program, lhs);
    match (allocatable, whole) {
        (true, whole) => whole && (call.rank == 0 || starts_at_one(cx, lhs)),
        (false, true) => call.rank == 0 || sized(cx, lhs) || super::result::result_bounds(cx, call).is_some(),
        (false, false) => true,
    }
}

fn starts_at_one(cx: &Cx<'_>, e: &Expr) -> bool {
    e.as_var().is_some_and(|d| cx.facts.starts_at_one(d))
}

fn sized(cx: &Cx<'_>, e: &Expr) -> bool {
    e.as_var().is_some_and(|d| cx.sized(d).is_some())
}

/// True for a function's result that comes to an allocatable variable which has to be brought to its shape before.
pub(super) fn takes_shape(cx: &Cx<'_>, lhs: &Expr, call: &Expr) -> bool {
    let ExprKind::Call { callee, .. } = &call.kind else { return false };
    let explicit = callee::result_variable(cx.program, callee).is_some_and(|v| !v.attrs.allocatable);
    explicit && whole_allocatable(cx.program, lhs) && call.rank > 0 && !sized(cx, lhs)
}

/// Frees what is passed for allocatable outputs, as the call would do.
pub(super) fn release_outputs(cx: &mut Cx<'_>, callee: &Callee, args: &[Arg], around: &mut Around) {
    let Some(proc) = callee::interface(cx.program, callee) else { return };
    for (i, arg) in args.iter().enumerate() {
        let dummy = callee::dummy_of(cx.program, proc, callee, i, arg).and_then(|d| cx.program.var(d));
        let Some(dummy) = dummy.filter(|v| v.intent == Some(Intent::Out)).cloned() else { continue };
        if arg.value.as_var().is_none() {
            continue;
        }
        if dummy.attrs.allocatable {
            release(cx, &arg.value, around);
            continue;
        }
        let Some(whole) = associated(cx, &dummy, &arg.value) else { return };
        around.before.extend(defaults::of_extension(cx, &arg.value, &dummy, &whole));
        let object = Expr { ty: whole.ty, ..arg.value.clone() };
        around.before.extend(free_components(cx, &object, false));
    }
}

/// A dummy of the type that it has in a call: that of a class is the argument's.
fn associated(cx: &mut Cx<'_>, dummy: &Variable, actual: &Expr) -> Option<Variable> {
    let (Base::Class(_), Some(t)) = (dummy.ty.base, actual.ty.derived()) else { return Some(dummy.clone()) };
    if matches!(actual.ty.base, Base::Class(_)) && extended(cx.program, t) {
        cx.refuse(
            Code::UnsupportedCall,
            "this call resets all components of an object of a class",
            "its dummy is an output, and which components extensions of the type add isn't known here",
            "make the dummy intent(inout)",
        );
        return None;
    }
    Some(Variable { ty: Ty::new(Base::Derived(t), 0), ..dummy.clone() })
}

/// `if (allocated(e)) deallocate(e)`
fn release(cx: &mut Cx<'_>, e: &Expr, around: &mut Around) {
    let test = e.allocated();
    let free = cx.stmt(StmtKind::Deallocate { items: vec![e.clone()], options: Vec::new() });
    let free = cx.if_one(test, free);
    around.before.push(free);
}

/// Frees the allocatable components of an object, in loops where arrays are on the way to them; where it begins, pointers
/// that are null by default become so.
pub(super) fn free_components(cx: &mut Cx, object: &Expr, begins: bool) -> Block {
    let wanted = holds_allocatables(cx.program, object.ty) || begins && holds_pointers(cx.program, object.ty);
    let Some(ty) = object.ty.derived().filter(|_| wanted) else { return Block::new() };
    if object.rank > 0 {
        let freed = cx.over_elements(object, |cx, offs, body| {
            let element = cx.element(object, offs, body)?;
            body.extend(free_components(cx, &element, begins));
            Some(())
        });
        return freed.unwrap_or_default();
    }
    let components: Vec<_> = all_components(cx.program, ty).into_iter().cloned().collect();
    let mut out = Block::new();
    for c in &components {
        let part = component(cx.program, object, &c.name, c.var.ty, c.var.rank());
        if c.var.attrs.pointer {
            let null = c.var.init.as_ref().is_some_and(Expr::is_null);
            out.extend((begins && null).then(|| cx.stmt(StmtKind::Nullify(vec![part]))));
        } else if c.var.attrs.allocatable {
            out.push(cx.deallocation(&part));
        } else {
            out.extend(free_components(cx, &part, begins));
        }
    }
    out
}
