//! An assignment to a function's value is one to the target of the pointer that the function returns.

use costate_grammar::diag::Code;
use costate_grammar::ir::{Block, Expr, StmtKind, for_each_stmt};

use super::callee::{is_user_call, pointer_result};
use super::calls::{finish, pull};
use super::context::Cx;
use super::temporary::Around;

/// Takes the pointers before the assignments.
pub(super) fn run(cx: &mut Cx<'_>, body: Block) -> Block {
    let mut out = Block::with_capacity(body.len());
    for mut stmt in body {
        if matches!(stmt.kind, StmtKind::Where { .. } | StmtKind::Forall { .. }) {
            for_each_stmt(std::slice::from_ref(&stmt), &mut |s| {
                cx.at(s);
                if assigned(&s.kind).is_some() {
                    refuse(cx);
                }
            });
            out.push(stmt);
            continue;
        }
        if stmt.is_region() {
            out.push(stmt);
            continue;
        }
        for inner in stmt.blocks_mut() {
            let old = std::mem::take(inner);
            *inner = run(cx, old);
        }
        let Some((call, rhs)) = assigned(&stmt.kind) else {
            out.push(stmt);
            continue;
        };
        cx.at(&stmt);
        if pointer_result(cx.program, &call).is_none() {
            refuse(cx);
        }
        let mut around = Around::default();
        let lhs = pull(cx, call, &mut around);
        out.extend(finish(cx, stmt, StmtKind::Assign { lhs, rhs }, around));
    }
    out
}

/// The call whose value a statement assigns to, and what it assigns.
fn assigned(kind: &StmtKind) -> Option<(Expr, Expr)> {
    match kind {
        StmtKind::Assign { lhs, rhs } if is_user_call(lhs) => Some((lhs.clone(), rhs.clone())),
        _ => None,
    }
}

fn refuse(cx: &mut Cx<'_>) {
    cx.refuse(
        Code::UnsupportedCall,
        "a value is assigned to what a function points to",
        "which function that is, or what it points to, isn't known before the statement",
        "associate a pointer with the function's result first, and assign to the pointer",
    );
}
