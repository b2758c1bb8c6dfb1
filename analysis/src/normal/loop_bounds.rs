//! The bounds of a loop are evaluated once, before its first iteration (Fortran 2018, 11.1.7.4.1). Where they ask for the
//! shape of an array, or for a component, that the body may change, they are held in variables: the backward sweep needs
//! them after the loop.

use costate_grammar::intrinsics::Class;
use costate_grammar::ir::{
    Arg, Block, Callee, Designator, Expr, ExprKind, LoopControl, Stmt, StmtKind, for_each_expr, for_each_stmt,
};

use super::callee::is_user_call;
use super::context::Cx;
use super::overlap::may_alias_designators;
use super::reach::{inside, private};
use crate::storage::{holds_memory, is_allocatable};

/// Holds bounds that change in their loops. Regions stay as they are.
pub(super) fn run(cx: &mut Cx<'_>, block: Block) -> Block {
    let mut out = Block::with_capacity(block.len());
    for mut stmt in block {
        if stmt.is_region() {
            out.push(stmt);
            continue;
        }
        for inner in stmt.blocks_mut() {
            *inner = run(cx, std::mem::take(inner));
        }
        cx.at(&stmt);
        let mut held = hold(cx, &mut stmt);
        if let Some(first) = held.first_mut() {
            first.label = stmt.label.take();
            first.leading = std::mem::take(&mut stmt.leading);
        }
        out.extend(held);
        out.push(stmt);
    }
    out
}

fn hold(cx: &mut Cx<'_>, stmt: &mut Stmt) -> Block {
    let StmtKind::Do { control: LoopControl::Count { lo, hi, step, .. }, body, .. } = &mut stmt.kind else {
        return Block::new();
    };
    let mut out = Block::new();
    for bound in [Some(lo), Some(hi), step.as_mut()].into_iter().flatten() {
        let mut found = Vec::new();
        asked(bound, &mut found);
        if found.iter().any(|a| changes(cx, body, a)) {
            let fixed = cx.scalar("bound", bound.ty, bound);
            out.push(cx.assign(fixed.clone(), bound.clone()));
            *bound = fixed;
        }
    }
    out
}

/// What a bound asks for.
enum Asked {
    /// The shape of an array.
    Shape(Designator),
    /// The value of a component.
    Value(Designator),
}

fn asked(e: &Expr, out: &mut Vec<Asked>) {
    match &e.kind {
        ExprKind::Call { callee: Callee::Intrinsic(f), args } if f.class() == Class::Inquiry => {
            for arg in args {
                match arg.value.as_var() {
                    // The subscripts on the way to the array are values.
                    Some(d) => {
                        out.push(Asked::Shape(d.clone()));
                        arg.value.children().into_iter().for_each(|c| asked(c, out));
                    }
                    None => asked(&arg.value, out),
                }
            }
            return;
        }
        ExprKind::Var(d) if !d.parts.is_empty() => out.push(Asked::Value(d.clone())),
        _ => {}
    }
    e.children().into_iter().for_each(|c| asked(c, out));
}

/// Whether the statements of a body may change what a bound asks for.
fn changes(cx: &Cx<'_>, body: &Block, asked: &Asked) -> bool {
    let (Asked::Shape(d) | Asked::Value(d)) = asked;
    let mut found = false;
    for_each_stmt(body, &mut |s| {
        found |= match &s.kind {
            StmtKind::Assign { lhs, .. } => assigns(cx, lhs, asked),
            StmtKind::Allocate { items, .. } => items.iter().any(|i| touches(&i.object, d)),
            StmtKind::Deallocate { items, .. } | StmtKind::Nullify(items) => items.iter().any(|i| touches(i, d)),
            StmtKind::PointerAssign { lhs, .. } => touches(lhs, d),
            StmtKind::Call { callee, args } => hands_over(cx, callee, args, asked),
            _ => false,
        };
        for e in s.exprs() {
            for_each_expr(e, &mut |x| {
                if let ExprKind::Call { callee, args } = &x.kind
                    && is_user_call(x)
                {
                    found |= hands_over(cx, callee, args, asked);
                }
            });
        }
    });
    found
}

/// True when what changes is the object, or holds it.
fn touches(changed: &Expr, d: &Designator) -> bool {
    changed.as_var().is_some_and(|c| c.sym == d.sym && d.path().starts_with(&c.path()))
}

fn assigns(cx: &Cx<'_>, lhs: &Expr, asked: &Asked) -> bool {
    match asked {
        Asked::Shape(d) => touches(lhs, d) && (is_allocatable(cx.program, lhs) || holds_memory(cx.program, lhs.ty)),
        Asked::Value(d) => lhs.as_var().is_some_and(|c| may_alias_designators(cx.program, c, d)),
    }
}

/// True when a call may change what a bound asks for: it gets it as an argument, or mentions it.
fn hands_over(cx: &Cx<'_>, callee: &Callee, args: &[Arg], asked: &Asked) -> bool {
    let (Asked::Shape(d) | Asked::Value(d)) = asked;
    args.iter().any(|a| assigns(cx, &a.value, asked)) || !private(cx, d.sym) && inside(cx.program, d, callee)
}
