//! Names of `associate` constructs whose selectors lead through pointers that the construct associates anew.
//!
//! A name keeps the association that its selector has when the construct is entered. Where a pointer on the way to it may
//! be associated anew inside the construct, the association is kept in a pointer of its own.

use std::collections::BTreeSet;

use costate_grammar::diag::Code;
use costate_grammar::ir::{
    Base, Block, Callee, Designator, Dim, Expr, Intent, Name, Part, ProcId, Program, Stmt, StmtKind, SymId, Ty,
    for_each_stmt,
};

use super::callee;
use super::context::Cx;
use super::designator;
use crate::calls::for_each_call;
use crate::effects::target;

/// A pointer on the way to a selector.
enum Pointer {
    /// A variable.
    Variable(SymId),
    /// A component, of whatever object.
    Component(Name),
}

/// True when statements may associate a pointer anew that leads to a selector.
pub(super) fn may_change(cx: &Cx, selector: &Designator, body: &Block) -> bool {
    let program = &*cx.program;
    let pointers = pointers(program, selector);
    if pointers.is_empty() {
        return false;
    }
    let mut found = false;
    let mut todo = Vec::new();
    for_each_stmt(body, &mut |s| {
        found |= pointers.iter().any(|p| associates(program, s, p));
        for_each_call(s, &mut |callee, _| todo.push(target(program, callee)));
    });
    found || pointers.iter().any(|p| reaches(cx, p) && called(program, p, todo.clone()))
}

/// The pointers that a designator leads through.
fn pointers(program: &Program, d: &Designator) -> Vec<Pointer> {
    let mut out = Vec::new();
    if program.var(d.sym).is_some_and(|v| v.attrs.pointer) {
        out.push(Pointer::Variable(d.sym));
    }
    for (k, part) in d.parts.iter().enumerate() {
        let Part::Component(name) = part else { continue };
        let upto = Designator { sym: d.sym, parts: d.parts[..=k].to_vec() };
        if designator::declared(program, &upto).is_some_and(|v| v.attrs.pointer) {
            out.push(Pointer::Component(name.clone()));
        }
    }
    out
}

/// True for a pointer that called procedures may associate without having it as their argument.
fn reaches(cx: &Cx, pointer: &Pointer) -> bool {
    match pointer {
        Pointer::Variable(sym) => cx.program[*sym].scope != cx.scope || !cx.program[cx.proc].internals.is_empty(),
        Pointer::Component(_) => true,
    }
}

/// True when called procedures, or those that they call, may associate a pointer anew.
fn called(program: &Program, pointer: &Pointer, mut todo: Vec<Option<ProcId>>) -> bool {
    let mut seen = BTreeSet::new();
    while let Some(next) = todo.pop() {
        // What isn't known may do everything.
        let Some(proc) = next else { return true };
        if !seen.insert(proc) {
            continue;
        }
        let mut found = false;
        for_each_stmt(&program[proc].body, &mut |s| {
            found |= associates(program, s, pointer);
            for_each_call(s, &mut |callee, _| todo.push(target(program, callee)));
        });
        if found {
            return true;
        }
    }
    false
}

/// True when a statement itself, or what it hands a pointer to, may associate the pointer anew.
fn associates(program: &Program, stmt: &Stmt, pointer: &Pointer) -> bool {
    let same = |e: &Expr| e.as_var().is_some_and(|d| is(d, pointer));
    let itself = match &stmt.kind {
        StmtKind::PointerAssign { lhs, .. } => same(lhs),
        StmtKind::Nullify(items) | StmtKind::Deallocate { items, .. } => items.iter().any(same),
        StmtKind::Allocate { items, .. } => {
            items.iter().any(|i| same(&i.object) || holds(program, i.object.ty, pointer))
        }
        StmtKind::Assign { lhs, .. } => holds(program, lhs.ty, pointer),
        StmtKind::Call { callee: Callee::Intrinsic(_), args } => {
            args.iter().any(|a| holds(program, a.value.ty, pointer))
        }
        StmtKind::Unsupported { .. } => true,
        _ => false,
    };
    let mut handed = false;
    for_each_call(stmt, &mut |callee, args| {
        let known = callee::interface(program, callee);
        for (i, arg) in args.iter().enumerate().filter(|(_, a)| same(&a.value)) {
            let dummy = known.and_then(|p| callee::dummy_of(program, p, callee, i, arg));
            handed |=
                dummy.and_then(|d| program.var(d)).is_none_or(|v| v.attrs.pointer && v.intent != Some(Intent::In));
        }
    });
    itself || handed
}

/// True for a reference to the pointer, bounds aside.
fn is(d: &Designator, pointer: &Pointer) -> bool {
    let last = d.parts.iter().rev().find_map(|p| if let Part::Component(name) = p { Some(name) } else { None });
    match (pointer, last) {
        (Pointer::Variable(sym), None) => d.sym == *sym,
        (Pointer::Component(name), Some(last)) => name == last,
        (Pointer::Variable(_), Some(_)) | (Pointer::Component(_), None) => false,
    }
}

/// True for a type whose objects hold the pointer: their assignment associates it.
fn holds(program: &Program, ty: Ty, pointer: &Pointer) -> bool {
    let Pointer::Component(name) = pointer else { return false };
    let (mut todo, mut seen) = (vec![ty], BTreeSet::new());
    while let Some(ty) = todo.pop() {
        let Some(t) = ty.derived() else {
            if ty.base == Base::Unlimited {
                return true;
            }
            continue;
        };
        if !seen.insert(t) {
            continue;
        }
        let Some(derived) = program[t].derived() else { return true };
        if derived.components.iter().any(|c| c.name == *name) {
            return true;
        }
        todo.extend(derived.components.iter().map(|c| c.var.ty));
        todo.extend(derived.extends.map(|p| Ty::new(Base::Derived(p), 0)));
    }
    false
}

/// A pointer that keeps the association of a selector, associated before the statements.
pub(super) fn keep(cx: &mut Cx, name: SymId, selector: &Expr, before: &mut Block) -> Expr {
    let plain = match selector.ty.base {
        Base::Integer | Base::Real | Base::Complex | Base::Logical | Base::Derived(_) => true,
        Base::Character | Base::Class(_) | Base::Unlimited | Base::None => false,
    };
    if !plain || selector.as_var().is_some_and(|d| designator::complex_variable(cx.program, d).is_some()) {
        let name = &cx.program[name].name;
        cx.refuse(
            Code::UnsupportedStatement,
            format!("`{name}` stands for what a pointer leads to that the construct may associate anew"),
            "the association can't be kept in a pointer for a name of this type",
            "use a pointer of your own in place of the name",
        );
        return selector.clone();
    }
    let wanted = cx.program[name].name.clone();
    let mut var = cx.variable_like(selector.ty, selector);
    var.dims = vec![Dim::Deferred; usize::from(selector.rank)];
    var.attrs.allocatable = false;
    var.attrs.pointer = true;
    let new = cx.import_name(&wanted);
    let kept = Expr::var(cx.add_variable(new, var), selector.ty, selector.rank);
    before.push(cx.stmt(StmtKind::PointerAssign { lhs: kept.clone(), rhs: selector.clone() }));
    kept
}
