//! A call of a type-bound procedure that is known for certain becomes a call of that procedure, the object being one of its
//! arguments. Where the object's dynamic type decides, the call stays as it is: nothing is known of what it does.

use costate_grammar::ir::{Arg, Block, Callee, Expr, ExprKind, Program, SymId, map_expr};

use super::context::Cx;

/// Rewrites the calls of a block.
pub(super) fn run(cx: &mut Cx<'_>, body: Block) -> Block {
    let mut out = Block::with_capacity(body.len());
    for mut stmt in body {
        for inner in stmt.blocks_mut() {
            let old = std::mem::take(inner);
            *inner = run(cx, old);
        }
        let program = &*cx.program;
        let mut kind = stmt.kind.clone();
        kind.map_exprs(&mut |e| map_expr(e.clone(), &mut |e| value(program, e)));
        if let costate_grammar::ir::StmtKind::Call { callee, args } = &mut kind
            && let Some((known, all)) = as_plain_call(program, callee, args)
        {
            (*callee, *args) = (known, all);
        }
        out.push(if kind == stmt.kind { stmt } else { cx.changed(stmt, kind) });
    }
    out
}

fn value(program: &Program, e: Expr) -> Expr {
    let ExprKind::Call { callee, args } = &e.kind else { return e };
    match as_plain_call(program, callee, args) {
        Some((callee, args)) => Expr { kind: ExprKind::Call { callee, args }, ..e },
        None => e,
    }
}

/// The procedure that a type-bound call reaches for certain, and its arguments with the object among them.
pub fn as_plain_call(program: &Program, callee: &Callee, args: &[Arg]) -> Option<(Callee, Vec<Arg>)> {
    let Callee::Bound { object, binding, resolved: Some(sym) } = callee else { return None };
    let sym: SymId = *sym;
    let ty = object.ty.derived()?;
    let all = match program.binding(ty, &binding.name) {
        Some(_) => {
            let specifics = program.specific_bindings(ty, &binding.name);
            let (_, bound) = specifics.iter().find(|(owner, b)| program.bound_procedure(*owner, b) == Some(sym))?;
            program.with_object(bound, sym, object, args)?
        }
        // A component that points to a procedure passes its object first.
        None => [Arg::new((**object).clone())].into_iter().chain(args.iter().cloned()).collect(),
    };
    Some((Callee::Proc { sym, generic: None, operator: None }, all))
}
