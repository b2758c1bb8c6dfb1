//! Local pointers that are names of sections: associated in one place with what they stand for in the statements behind it.
//!
//! Where each reference to a pointer stands behind an association in the same block, or further inside, with nothing
//! between that associates it anew, it is a reference to the target, as a name of an `associate` construct is one to its
//! selector. What refers to the target itself is known to be the same memory.

use std::collections::BTreeSet;

use costate_grammar::intrinsics::Intrinsic;
use costate_grammar::ir::{
    Base, Block, Callee, Designator, Expr, ExprKind, Part, Program, Stmt, StmtKind, Subscript, SymId, for_each_expr,
    for_each_stmt,
};
use costate_grammar::source::Span;

use super::callee;
use super::context::Cx;
use super::facts::Facts;
use super::reassociate::may_change;
use super::subst::{self, Map};
use crate::calls::for_each_call;
use crate::storage::symbols;

/// Puts the targets in place of such pointers. Regions that aren't among those followed stay as they are.
pub(super) fn run(cx: &mut Cx<'_>, mut body: Block, regions: &BTreeSet<Span>) -> Block {
    let mut todo = candidates(cx, &body);
    while let Some(at) = todo.iter().position(|p| is_name(cx, &body, *p, regions)) {
        let pointer = todo.remove(at);
        body = named(cx, body, pointer);
    }
    body
}

/// Local pointers that this procedure alone sees, and associates somewhere.
fn candidates(cx: &Cx<'_>, body: &Block) -> Vec<SymId> {
    let program = &*cx.program;
    let (mut found, mut jumps) = (Vec::new(), false);
    for_each_stmt(body, &mut |s| {
        jumps |= matches!(s.kind, StmtKind::Goto(_) | StmtKind::Unsupported { .. });
        found.extend(associated(s).map(|(p, _)| p));
    });
    let inner: BTreeSet<SymId> = program[cx.proc]
        .internals
        .iter()
        .flat_map(|p| super::mentions(program, &program[*p].body).into_keys())
        .collect();
    let local = |p: &SymId| {
        program[*p].scope == cx.scope
            && !inner.contains(p)
            && program.var(*p).is_some_and(|v| {
                let plain = !matches!(v.ty.base, Base::Class(_) | Base::Unlimited | Base::Character | Base::None);
                plain && v.attrs.pointer && v.dummy.is_none() && !v.result && !v.directive && v.common.is_none()
            })
    };
    found.retain(|p| !jumps && local(p));
    found.sort_unstable();
    found.dedup();
    found
}

/// The pointer that a statement associates, as a whole, and with what.
fn associated(s: &Stmt) -> Option<(SymId, &Expr)> {
    let StmtKind::PointerAssign { lhs, rhs } = &s.kind else { return None };
    let d = lhs.as_var().filter(|d| d.parts.is_empty())?;
    Some((d.sym, rhs))
}

/// True for a statement that does nothing but to end the association of pointers, this one among them.
fn ends(s: &Stmt, pointer: SymId) -> bool {
    let own = |e: &Expr| e.as_var().is_some_and(|d| d.sym == pointer && d.parts.is_empty());
    matches!(&s.kind, StmtKind::Nullify(items) if items.iter().any(own))
}

/// The statements at the start of a block, behind an association of a pointer, up to the last one that refers to it before
/// the association ends.
fn reach<'s>(program: &Program, block: &'s [Stmt], pointer: SymId) -> &'s [Stmt] {
    let over = |s: &Stmt| associated(s).is_some_and(|(p, _)| p == pointer) || ends(s, pointer);
    let all = &block[..block.iter().position(over).unwrap_or(block.len())];
    let refers = |s: &Stmt| super::mentions(program, std::slice::from_ref(s)).contains_key(&pointer);
    &all[..all.iter().rposition(refers).map_or(0, |k| k + 1)]
}

/// True for a pointer all of whose references its associations in a body explain.
fn is_name(cx: &Cx<'_>, body: &Block, pointer: SymId, regions: &BTreeSet<Span>) -> bool {
    explains(cx, body, (pointer, false), regions)
}

/// The same for a block; `within` tells that it stands behind an association.
fn explains(cx: &Cx<'_>, block: &[Stmt], (pointer, within): (SymId, bool), regions: &BTreeSet<Span>) -> bool {
    let mut known = within;
    block.iter().enumerate().all(|(k, s)| {
        if let Some((p, target)) = associated(s)
            && p == pointer
        {
            known = true;
            let behind = reach(cx.program, &block[k + 1..], pointer).to_vec();
            return !within && is_selector(cx, (pointer, target), &behind);
        }
        if ends(s, pointer) {
            known = false;
            return !within;
        }
        let mentions = s.exprs().into_iter().any(|e| symbols(e).contains(&pointer));
        let followed = !s.is_region() || regions.contains(&s.start().span());
        let inside = s.blocks().into_iter().all(|b| explains(cx, b, (pointer, known), regions));
        let any = || super::mentions(cx.program, std::slice::from_ref(s)).contains_key(&pointer);
        // A directive can't name what it stands for.
        let named = known && s.governing().iter().any(|d| d.names.contains(&pointer));
        inside && !named && (!mentions || known && refers(cx.program, s, pointer)) && (followed || !any())
    })
}

/// True for a target whose name can stand for the pointer in the statements behind: its subscripts keep their values, and no
/// pointer on the way to it is associated anew.
fn is_selector(cx: &Cx<'_>, (pointer, target): (SymId, &Expr), behind: &Block) -> bool {
    let ExprKind::Var(d) = &target.kind else { return false };
    let Some(v) = cx.program.var(pointer) else { return false };
    let changed = Facts::of_block(cx.program, behind);
    let mut steady = true;
    let mut whole = true;
    for e in target.children() {
        for_each_expr(e, &mut |x| match &x.kind {
            ExprKind::Var(d) => steady &= !changed.changes(cx.program, d.sym),
            ExprKind::Call { callee, .. } => steady &= matches!(callee, Callee::Intrinsic(_)),
            _ => {}
        });
    }
    d.subscripts().for_each(|s| whole &= !matches!(s, Subscript::Index(e) if e.rank > 0));
    let same = target.ty == v.ty && usize::from(target.rank) == v.dims.len();
    steady && whole && same && !symbols(target).contains(&pointer) && !may_change(cx, d, behind)
}

/// True for a statement that refers to what a pointer leads to, and not to the pointer.
fn refers(program: &Program, s: &Stmt, pointer: SymId) -> bool {
    let whole = |e: &Expr| e.as_var().is_some_and(|d: &Designator| d.sym == pointer && d.parts.is_empty());
    let mut fine = match &s.kind {
        // With bounds it is associated anew.
        StmtKind::PointerAssign { lhs, .. } => {
            !lhs.as_var().is_some_and(|d| d.sym == pointer && d.parts.iter().all(|p| matches!(p, Part::Subscripts(_))))
        }
        StmtKind::Allocate { items, .. } => !items.iter().any(|i| whole(&i.object)),
        StmtKind::Deallocate { items, .. } => !items.iter().any(whole),
        StmtKind::Call { callee: Callee::Intrinsic(_), args } => !args.iter().any(|a| whole(&a.value)),
        StmtKind::Associate { .. } | StmtKind::Io { .. } => !s.exprs().into_iter().any(whole),
        _ => true,
    };
    for e in s.exprs() {
        for_each_expr(e, &mut |x| {
            if let ExprKind::Call { callee: Callee::Intrinsic(Intrinsic::Associated | Intrinsic::CLoc), args } = &x.kind
            {
                fine &= !args.iter().any(|a| whole(&a.value));
            }
        });
    }
    for_each_call(s, &mut |callee, args| {
        let known = callee::interface(program, callee);
        for (i, arg) in args.iter().enumerate().filter(|(_, a)| whole(&a.value)) {
            let dummy = known.and_then(|p| callee::dummy_of(program, p, callee, i, arg));
            // Without an interface no dummy is a pointer.
            fine &= dummy.and_then(|d| program.var(d)).is_none_or(|v| !v.attrs.pointer);
        }
    });
    fine
}

/// The statements of a block with the targets of a pointer in its place.
fn named(cx: &mut Cx<'_>, mut block: Block, pointer: SymId) -> Block {
    let mut out = Block::with_capacity(block.len());
    while !block.is_empty() {
        let mut s = block.remove(0);
        let target = associated(&s).filter(|(p, _)| *p == pointer).map(|(_, e)| e.clone());
        if let Some(target) = target {
            let count = reach(cx.program, &block, pointer).len();
            let mut behind: Block = block.drain(..count).collect();
            subst::block(cx, &Map::from([(pointer, target)]), &mut behind);
            cx.inherit(&s, &mut behind);
            out.extend(behind);
            continue;
        }
        if let StmtKind::Nullify(items) = &mut s.kind {
            items.retain(|e| !e.as_var().is_some_and(|d| d.sym == pointer && d.parts.is_empty()));
            if items.is_empty() {
                continue;
            }
        }
        for inner in s.blocks_mut() {
            let old = std::mem::take(inner);
            *inner = named(cx, old, pointer);
        }
        out.push(s);
    }
    out
}
