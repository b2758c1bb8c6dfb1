//! The bounds of a function's value start at 1, whatever bounds the function gives its allocatable result. One that may start
//! elsewhere becomes a local variable that is copied where the function ends, so that result and derivative are what callers get.

use costate_grammar::diag::{Code, Diagnostic};
use costate_grammar::intrinsics::Intrinsic;
use costate_grammar::ir::{AllocItem, Base, Block, Designator, Expr, ProcKind, StmtKind, SymId, Variable};

use super::context::Cx;
use super::designator::inquire;
use super::memory::all_elements;
use super::subst::{self, Map};
use super::value::inside;
use crate::storage::holds_allocatables;

/// Puts a local variable in place of an allocatable result that may start elsewhere than at 1.
pub(super) fn run(cx: &mut Cx<'_>, mut body: Block) -> Block {
    let (ProcKind::Function(result), Some(first)) = (cx.program[cx.proc].kind, body.first().cloned()) else {
        return body;
    };
    let Some(v) = cx.program.var(result).filter(|v| v.attrs.allocatable && v.rank() > 0).cloned() else { return body };
    if v.ty.base == Base::Character || cx.facts.starts_at_one(&Designator::whole(result)) {
        return body;
    }
    cx.at(&first);
    if holds_allocatables(cx.program, v.ty) || inside(cx.program, cx.proc, result) {
        refuse(cx, result);
        return body;
    }
    let mut own = v.clone();
    own.result = false;
    let name = cx.fresh_name(cx.program[result].name.clone().as_str());
    let own = Expr::var(cx.add_variable(name, own), v.ty, v.rank());
    subst::block(cx, &Map::from([(result, own.clone())]), &mut body);
    cx.facts.keep_at_one(result);
    let result = Expr::var(result, v.ty, v.rank());
    let mut out = ending(cx, body, &mut |cx| copy(cx, &result, &own, &v));
    if !matches!(out.last().map(|s| &s.kind), Some(StmtKind::Return)) {
        let end = copy(cx, &result, &own, &v);
        out.extend(end);
    }
    out
}

/// `allocate(result(size(own)))` and `result(:) = own(:)`
fn copy(cx: &mut Cx<'_>, result: &Expr, own: &Expr, v: &Variable) -> Block {
    let Some(of) = own.as_var() else { return Block::new() };
    let extent = |k| (None, inquire(Intrinsic::Size, of.clone(), v, k));
    let items = vec![AllocItem { object: result.clone(), shape: (0..v.dims.len()).map(extent).collect() }];
    let allocate = cx.stmt(StmtKind::Allocate { items, type_spec: None, options: Vec::new() });
    let set = cx.assign(all_elements(result.clone()), all_elements(own.clone()));
    vec![allocate, set]
}

/// The copy before each `return`.
fn ending(cx: &mut Cx<'_>, body: Block, copy: &mut dyn FnMut(&mut Cx<'_>) -> Block) -> Block {
    let mut out = Block::with_capacity(body.len());
    for mut stmt in body {
        for inner in stmt.blocks_mut() {
            let old = std::mem::take(inner);
            *inner = ending(cx, old, copy);
        }
        if matches!(stmt.kind, StmtKind::Return) {
            cx.at(&stmt);
            let mut end = copy(cx);
            end.push(stmt.clone());
            cx.inherit(&stmt, &mut end);
            out.extend(end);
        } else {
            out.push(stmt);
        }
    }
    out
}

fn refuse(cx: &mut Cx<'_>, result: SymId) {
    let name = cx.program[result].name.clone();
    let d = Diagnostic::error(
        Code::UnsupportedDeclaration,
        cx.program[result].span,
        format!("the lower bounds of the result `{name}` may differ from 1"),
    )
    .reason(
        "for the caller they are 1, and derivative code can't copy this result: its type has allocatable components, or an \
         internal procedure uses it",
    )
    .help("allocate it with lower bounds 1, or return it in an argument");
    cx.problems.push(d);
}
