//! A `value` dummy is a variable of its own: what a procedure assigns to it never reaches the caller. One that is changed is
//! copied at entry, so that the dummy, and with it the derivative dummy, only stands for what the caller has passed.

use costate_grammar::diag::Code;
use costate_grammar::ir::{Block, Dim, Expr, ProcId, Program, SymId, for_each_expr, for_each_stmt};

use super::context::Cx;
use super::subst::{self, Map};

/// Puts copies in place of the `value` dummies that the body changes.
pub(super) fn run(cx: &mut Cx<'_>, mut body: Block) -> Block {
    let Some(first) = body.first().cloned() else { return body };
    cx.at(&first);
    let (mut map, mut copies) = (Map::new(), Block::new());
    for sym in cx.program[cx.proc].dummies.clone() {
        let Some(v) = cx.program.var(sym).filter(|v| v.attrs.value).cloned() else { continue };
        if !cx.facts.changes(cx.program, sym) {
            continue;
        }
        let fixed = v.dims.iter().all(|d| matches!(d, Dim::Explicit(..)));
        if v.attrs.optional || !fixed || inside(cx.program, cx.proc, sym) {
            let name = cx.program[sym].name.clone();
            cx.refuse(
                Code::UnsupportedDeclaration,
                format!("`{name}` is passed by value and changed"),
                "derivative code copies such an argument at entry, and this one is optional, of assumed shape, or seen by an \
                 internal procedure",
                "copy it to a local variable and change that",
            );
            continue;
        }
        let mut copy = v.clone();
        (copy.dummy, copy.intent, copy.attrs.value) = (None, None, false);
        let name = cx.fresh_name(cx.program[sym].name.clone().as_str());
        let new = cx.add_variable(name, copy);
        let whole = |s: SymId| Expr::var(s, v.ty, v.rank());
        copies.push(cx.assign(whole(new), whole(sym)));
        map.insert(sym, whole(new));
    }
    if copies.is_empty() {
        return body;
    }
    subst::block(cx, &map, &mut body);
    copies.extend(body);
    copies
}

/// True when an internal procedure mentions a variable of its host.
pub(super) fn inside(program: &Program, host: ProcId, sym: SymId) -> bool {
    let mut found = false;
    for p in &program[host].internals {
        for_each_stmt(&program[*p].body, &mut |s| {
            for e in s.exprs() {
                for_each_expr(e, &mut |e| found |= e.as_var().is_some_and(|d| d.sym == sym));
            }
        });
    }
    found
}
