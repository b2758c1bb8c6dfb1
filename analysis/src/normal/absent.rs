//! Optional arrays that go to elemental procedures: where such an array is absent it has no elements, and the call goes
//! without it.

use costate_grammar::intrinsics::Intrinsic;
use costate_grammar::ir::{Arg, Block, Callee, Expr, ExprKind, Stmt, StmtKind, SymId, Ty, for_each_expr, map_expr};

use super::callee;
use super::context::Cx;

/// Asks for the presence of the arrays that elemental procedures may go without.
pub(super) fn run(cx: &mut Cx<'_>, body: Block) -> Block {
    body.into_iter().flat_map(|stmt| statement(cx, stmt, &mut Vec::new())).collect()
}

/// One statement, where `known` are present.
fn statement(cx: &mut Cx<'_>, mut stmt: Stmt, known: &mut Vec<SymId>) -> Block {
    if stmt.is_region() {
        return vec![stmt];
    }
    for inner in stmt.blocks_mut() {
        *inner = run(cx, std::mem::take(inner));
    }
    let asked = matches!(stmt.kind, StmtKind::Assign { .. } | StmtKind::Call { .. });
    let Some(dummy) = asked.then(|| doubtful(cx, &stmt, known)).flatten() else { return vec![stmt] };
    cx.at(&stmt);
    let Some(v) = cx.program.var(dummy) else { return vec![stmt] };
    let whole = Expr::var(dummy, v.ty, v.rank());
    let mut without = stmt.kind.clone();
    if let StmtKind::Call { callee, args } = &mut without {
        leave_out(cx, callee, args, dummy);
    }
    without.map_exprs(&mut |e| {
        map_expr(e.clone(), &mut |mut x| {
            if let ExprKind::Call { callee, args } = &mut x.kind {
                leave_out(cx, callee, args, dummy);
            }
            x
        })
    });
    let (with, without) = (cx.stmt(stmt.kind.clone()), cx.stmt(without));
    let without = statement(cx, without, known);
    known.push(dummy);
    let with = statement(cx, with, known);
    known.pop();
    let present = Expr { ty: Ty::LOGICAL, rank: 0, ..Expr::intrinsic(Intrinsic::Present, vec![whole]) };
    let mut out = vec![cx.if_else(present, with, without)];
    cx.inherit(&stmt, &mut out);
    out
}

/// An optional array that a statement hands to an optional dummy of an elemental procedure, but for those that are known
/// to be present.
fn doubtful(cx: &Cx<'_>, stmt: &Stmt, known: &[SymId]) -> Option<SymId> {
    let mut found = Vec::new();
    let mut look = |callee: &Callee, args: &[Arg]| {
        found.extend((0..args.len()).filter_map(|i| optional(cx, callee, args, i)));
    };
    if let StmtKind::Call { callee, args } = &stmt.kind {
        look(callee, args);
    }
    for e in stmt.exprs() {
        for_each_expr(e, &mut |x| {
            if let ExprKind::Call { callee, args } = &x.kind {
                look(callee, args);
            }
        });
    }
    found.into_iter().find(|d| !known.contains(d))
}

/// The optional array that is argument `i`, if the procedure is elemental and may go without it.
fn optional(cx: &Cx<'_>, callee: &Callee, args: &[Arg], i: usize) -> Option<SymId> {
    let proc = callee::interface(cx.program, callee).filter(|_| callee::elemental(cx.program, callee))?;
    let d = args[i].value.as_var().filter(|d| d.parts.is_empty() && args[i].value.rank > 0)?;
    let may_be_absent = |sym| cx.program.var(sym).is_some_and(|v| v.attrs.optional);
    let dummy = callee::dummy_of(cx.program, proc, callee, i, &args[i])?;
    (may_be_absent(d.sym) && may_be_absent(dummy)).then_some(d.sym)
}

/// Leaves an array out of the arguments; the others get keywords.
fn leave_out(cx: &Cx<'_>, callee: &Callee, args: &mut Vec<Arg>, dummy: SymId) {
    let out: Vec<bool> = (0..args.len()).map(|i| optional(cx, callee, args, i) == Some(dummy)).collect();
    let Some(proc) = callee::interface(cx.program, callee).filter(|_| out.contains(&true)) else { return };
    for (i, a) in args.iter_mut().enumerate() {
        a.keyword = callee::dummy_of(cx.program, proc, callee, i, a).map(|d| cx.program[d].name.clone());
    }
    let mut out = out.into_iter();
    args.retain(|_| out.next() != Some(true));
}
