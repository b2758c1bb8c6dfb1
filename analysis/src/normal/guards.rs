//! Calls that stop where two of their arguments are the same elements of an array, for callees that know memory by two
//! names then and change it. Behind such a statement the arguments are known to be apart.

use std::collections::BTreeSet;

use costate_grammar::ir::{Block, Expr, ProcId, Stmt, StmtKind, SymId};
use costate_grammar::operators::BinaryOp;

use super::context::Cx;
use crate::effects::{bind, called};
use crate::storage::deciding;

/// Two dummies of a procedure.
pub type Pair = (ProcId, SymId, SymId);

/// Puts the statements that stop before calls with such arguments for these dummies.
pub(super) fn run(cx: &mut Cx, body: Block, pairs: &BTreeSet<Pair>) -> Block {
    if pairs.is_empty() {
        return body;
    }
    let mut out = Block::with_capacity(body.len());
    for mut stmt in body {
        if stmt.is_region() {
            out.push(stmt);
            continue;
        }
        for inner in stmt.blocks_mut() {
            let old = std::mem::take(inner);
            *inner = run(cx, old, pairs);
        }
        if let StmtKind::If { arms, one_line, .. } = &mut stmt.kind {
            *one_line &= arms.iter().all(|a| a.body.len() == 1);
        }
        let tests = tests(cx, &stmt, pairs);
        cx.at(&stmt);
        out.extend(tests.into_iter().map(|(s, t)| stop_if_equal(cx, s, t)));
        out.push(stmt);
    }
    out
}

fn tests(cx: &Cx, stmt: &Stmt, pairs: &BTreeSet<Pair>) -> Vec<(Expr, Expr)> {
    let Some((proc, args)) = called(cx.program, stmt) else { return Vec::new() };
    let callee = &cx.program[proc];
    let bound = bind(cx.program, callee, args);
    let actual = |dummy: SymId| {
        let at = callee.dummies.iter().position(|d| *d == dummy)?;
        bound.get(at).copied().flatten()?.as_var()
    };
    let of = pairs.iter().filter(|(p, ..)| *p == proc);
    of.filter_map(|(_, x, y)| deciding(cx.program, actual(*x)?, actual(*y)?)).collect()
}

fn stop_if_equal(cx: &mut Cx, s: Expr, t: Expr) -> Stmt {
    cx.stop_if(Expr::binary(BinaryOp::Eq, s, t), "arguments of a call are the same elements, and one is changed")
}
