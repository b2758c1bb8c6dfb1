//! Default initialisation that happens again and again: what the association of an `intent(out)` dummy, the start of a
//! function, or that of a block does to components becomes assignments. So does the association of pointer components of
//! local variables, as those of derivatives are associated with the derivatives of the targets.

use costate_grammar::diag::Code;
use costate_grammar::intrinsics::Intrinsic;
use costate_grammar::ir::{
    Block, Expr, ExprKind, Intent, Name, Part, ProcKind, Program, Stmt, StmtKind, SymId, Variable,
};

use super::context::Cx;
use crate::storage::{all_components, component};

/// Puts the assignments before the body.
pub(super) fn run(cx: &mut Cx<'_>, body: Block) -> Block {
    match body.first() {
        Some(first) => cx.at(first),
        None => cx.at_head(),
    }
    let mut out = Block::new();
    let procedure = &cx.program[cx.proc];
    let result = match procedure.kind {
        ProcKind::Function(r) => Some(r),
        ProcKind::Subroutine | ProcKind::Program => None,
    };
    let outputs: Vec<SymId> = procedure.dummies.iter().copied().chain(result).collect();
    for sym in outputs {
        let fresh = |v: &&Variable| v.result || v.intent == Some(Intent::Out);
        let Some(v) = cx.program.var(sym).filter(fresh).cloned() else { continue };
        let whole = Expr::var(sym, v.ty, v.rank());
        let given = assignments(cx, &whole, &v);
        if v.attrs.optional && !given.is_empty() {
            let present = Expr { rank: 0, ..Expr::intrinsic(Intrinsic::Present, vec![whole]) };
            out.push(cx.if_else(present, given, Block::new()));
        } else {
            out.extend(given);
        }
    }
    out.extend(associations_of_locals(cx));
    out.extend(body);
    out
}

/// Associations of the pointer components of local variables with the targets that they have by default, where these have
/// names here.
fn associations_of_locals(cx: &mut Cx<'_>) -> Block {
    let own = |s: &SymId| cx.program[*s].scope == cx.scope;
    let locals: Vec<SymId> = cx.program[cx.scope].names.values().copied().filter(own).collect();
    let mut out = Block::new();
    for sym in locals {
        let plain = |v: &&Variable| {
            let lasts = v.attrs.save || v.attrs.parameter || v.attrs.allocatable || v.attrs.pointer;
            !lasts && !v.result && v.dummy.is_none()
        };
        let Some(v) = cx.program.var(sym).filter(plain).cloned() else { continue };
        let mut components = Vec::new();
        initialised(cx.program, &v, &mut Vec::new(), &mut components);
        let whole = Expr::var(sym, v.ty, v.rank());
        for (path, component) in components.into_iter().filter(|(_, c)| c.attrs.pointer) {
            let lhs = assignable(cx, &whole, &path, &component);
            if let (Some(lhs), Some(init)) = (lhs, component.init.clone().filter(|e| cx.all_visible(e))) {
                out.extend(given(cx, lhs, init, &component));
            }
        }
    }
    out
}

/// The target of a pointer by its declaration, which may come after that of the pointer.
pub(super) fn as_declared(program: &Program, target: Expr) -> Expr {
    let whole = target.as_var().filter(|d| d.parts.is_empty());
    match whole.and_then(|d| Some((d.sym, program.var(d.sym)?))) {
        Some((sym, v)) => Expr { span: target.span, ..Expr::var(sym, v.ty, v.rank()) },
        None => target,
    }
}

/// The statement that gives a component its default value or target. Fortran associates no pointers of several objects at
/// once.
fn given(cx: &mut Cx<'_>, lhs: Expr, init: Expr, component: &Variable) -> Option<Stmt> {
    match component.attrs.pointer {
        true => (lhs.rank == component.rank()).then(|| {
            let rhs = as_declared(cx.program, init);
            cx.stmt(StmtKind::PointerAssign { lhs, rhs })
        }),
        false => Some(cx.assign(lhs, init)),
    }
}

/// Assignments of the default values of a variable's components.
pub(super) fn assignments(cx: &mut Cx<'_>, whole: &Expr, v: &Variable) -> Block {
    if v.attrs.allocatable || v.attrs.pointer {
        return Block::new();
    }
    let mut components = Vec::new();
    initialised(cx.program, v, &mut Vec::new(), &mut components);
    assigned(cx, whole, components)
}

/// The same for the components that an argument's type, an extension of the dummy's, has more: the procedure that is
/// called doesn't know them.
pub(super) fn of_extension(cx: &mut Cx<'_>, actual: &Expr, dummy: &Variable, whole: &Variable) -> Block {
    let known: Vec<Name> = dummy
        .ty
        .derived()
        .map_or_else(Vec::new, |t| all_components(cx.program, t).iter().map(|c| c.name.clone()).collect());
    let mut components = Vec::new();
    initialised(cx.program, whole, &mut Vec::new(), &mut components);
    components.retain(|(path, _)| path.first().is_some_and(|n| !known.contains(n)));
    assigned(cx, actual, components)
}

fn assigned(cx: &mut Cx<'_>, whole: &Expr, components: Vec<(Vec<Name>, Variable)>) -> Block {
    let mut out = Block::new();
    for (path, of) in components {
        let Some(init) = of.init.clone() else { continue };
        let statements = if cx.all_visible(&init) { set(cx, whole, &path, &of, &init) } else { None };
        match statements {
            Some(statements) => out.extend(statements),
            None => cx.refuse(
                Code::UnsupportedDeclaration,
                format!("the default value of `{}` can't be written as an assignment", path_text(cx, whole, &path)),
                "derivative code needs to set it anew, as the primal does",
                "set the components by statements, and pass the variable as intent(inout)",
            ),
        }
    }
    out
}

/// The statements that give a component its default value or target: in loops where arrays are on the way to it.
fn set(cx: &mut Cx<'_>, at: &Expr, path: &[Name], of: &Variable, init: &Expr) -> Option<Block> {
    if let Some(lhs) = assignable(cx, at, path, of)
        && let Some(stmt) = given(cx, lhs, init.clone(), of)
    {
        return Some(vec![stmt]);
    }
    let (mut array, mut rest) = (at.clone(), path);
    while array.rank == 0 {
        let (name, inner) = rest.split_first()?;
        let v = cx.program.component(array.ty.derived()?, name)?.clone();
        array = component(cx.program, &array, name, v.ty, v.rank());
        rest = inner;
    }
    if rest.is_empty() {
        return None;
    }
    cx.over_elements(&array, |cx, offs, body| {
        let element = cx.element(&array, offs, body)?;
        body.extend(set(cx, &element, rest, of, init)?);
        Some(())
    })
}

fn path_text(cx: &Cx<'_>, whole: &Expr, path: &[Name]) -> String {
    let name = whole.as_var().map_or(String::new(), |d| cx.program[d.sym].name.to_string());
    path.iter().fold(name, |text, c| format!("{text}%{c}"))
}

/// The components with a default value or target, by their paths, inherited ones first.
fn initialised(program: &Program, v: &Variable, path: &mut Vec<Name>, out: &mut Vec<(Vec<Name>, Variable)>) {
    let Some(ty) = v.ty.derived().filter(|_| path.len() < 8) else { return };
    for c in all_components(program, ty) {
        path.push(c.name.clone());
        // Targets matter where derivatives may pass through them.
        let leads = !c.var.attrs.pointer || c.var.ty.is_continuous() || c.var.ty.derived().is_some();
        if c.var.init.as_ref().is_some_and(|e| leads && !e.is_null()) {
            out.push((path.clone(), c.var.clone()));
        } else if !c.var.attrs.pointer && !c.var.attrs.allocatable {
            initialised(program, &c.var, path, out);
        }
        path.pop();
    }
}

/// A reference to a component that can stand on the left: no more than one of its parts is an array.
fn assignable(cx: &Cx<'_>, whole: &Expr, path: &[Name], component: &Variable) -> Option<Expr> {
    let mut d = whole.as_var()?.clone();
    let mut ranks = vec![whole.rank];
    for name in path {
        let inner = costate_grammar::ir::Designator { sym: d.sym, parts: d.parts.clone() };
        let parent = crate::storage::resolve(cx.program, inner.sym, &inner.path())?;
        ranks.push(cx.program.component(parent.ty.derived()?, name)?.rank());
        d.parts.push(Part::Component(name.clone()));
    }
    let arrays: Vec<u8> = ranks.into_iter().filter(|r| *r > 0).collect();
    let rank = arrays.first().copied().unwrap_or(0);
    (arrays.len() <= 1).then_some(Expr { kind: ExprKind::Var(d), ty: component.ty, rank, span: whole.span })
}
