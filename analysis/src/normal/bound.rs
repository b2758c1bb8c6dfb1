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
    let Callee::Bound { object, name, resolved: Some(sym) } = callee else { return None };
    let sym: SymId = *sym;
    let mut all = args.to_vec();
    let bound = program.binding(object.ty.derived()?, name);
    if bound.is_none_or(|(_, b)| !b.nopass) {
        let definition = program[sym].procedure().and_then(|p| p.definition.or(p.interface))?;
        let dummies = &program[definition].dummies;
        let passed = specific_pass(program, object.ty.derived()?, name, sym);
        let at = match passed {
            Some(dummy) => dummies.iter().position(|d| program[*d].name == dummy)?,
            None => 0,
        };
        let positional = args.iter().take_while(|a| a.keyword.is_none()).count();
        let keyword = (at > positional).then(|| program[dummies[at]].name.clone());
        all.insert(at.min(positional), Arg { keyword, value: (**object).clone() });
    }
    Some((Callee::Proc { sym, generic: None, operator: None }, all))
}

/// The dummy that `pass(...)` names in the binding of a specific procedure.
fn specific_pass(
    program: &Program,
    ty: SymId,
    name: &costate_grammar::ir::Name,
    sym: SymId,
) -> Option<costate_grammar::ir::Name> {
    let (_, bound) = program.binding(ty, name)?;
    if !bound.generic {
        return bound.pass.clone();
    }
    let specifics = bound.targets.iter().filter_map(|t| program.binding(ty, t)).map(|(_, b)| b);
    let own = |b: &&costate_grammar::ir::Binding| b.targets.iter().any(|t| *t == program[sym].name);
    specifics.filter(|b| !b.generic).find(own)?.pass.clone()
}
