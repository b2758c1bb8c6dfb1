//! Assignments that a generic interface defines.

use costate_grammar::diag::Code;
use costate_grammar::ir::{Arg, Callee, Expr, Program, StmtKind, SymId, SymbolKind, Variable};

use super::callee::interface;
use super::context::Cx;
use super::designator;

/// The call that an assignment between derived types stands for, if one is defined.
pub(super) fn assignment(cx: &mut Cx, lhs: &Expr, rhs: &Expr) -> Option<StmtKind> {
    // What carries no derivative may stay an assignment.
    let carries = |e: &Expr| designator::continuous(cx.program, e.ty);
    if !lhs.is_derived() && !rhs.is_derived() || !carries(lhs) || !carries(rhs) {
        return None;
    }
    let program = &*cx.program;
    let mut at = Some(cx.scope);
    let mut found = None;
    'scopes: while let Some(s) = at {
        for &sym in program[s].names.values() {
            let SymbolKind::Generic(g) = &program[sym].kind else {
                continue;
            };
            if !matches!(g.operator.as_deref(), Some("=" | "assignment(=)")) {
                continue;
            }
            if let Some(&p) = g.specifics.iter().find(|&&p| fits(program, p, lhs, rhs)) {
                found = Some((sym, p));
                break 'scopes;
            }
        }
        at = program[s].parent;
    }
    let (generic, specific) = found?;
    if !cx.visible(specific) {
        let name = cx.program[specific].name.clone();
        cx.refuse(
            Code::UnsupportedCall,
            format!("the defined assignment calls `{name}`, which isn't accessible here"),
            "derivative code writes it as a call",
            "make it public in its module",
        );
        return None;
    }
    let callee = Callee::Proc { sym: specific, generic: Some(generic), operator: None };
    Some(StmtKind::Call { callee, args: vec![Arg::new(lhs.clone()), Arg::new(rhs.clone())] })
}

fn fits(program: &Program, proc: SymId, lhs: &Expr, rhs: &Expr) -> bool {
    let callee = Callee::Proc { sym: proc, generic: None, operator: None };
    let Some(p) = interface(program, &callee) else {
        return false;
    };
    let dummies: Vec<&Variable> = program[p].dummies.iter().filter_map(|&d| program.var(d)).collect();
    let [a, b] = dummies.as_slice() else {
        return false;
    };
    let same = |v: &Variable, e: &Expr| match (v.ty.derived(), e.ty.derived()) {
        (Some(x), Some(y)) => x == y,
        (None, None) => v.ty == e.ty,
        _ => false,
    };
    let ranks = program[p].prefix.elemental || a.rank() == lhs.rank && b.rank() == rhs.rank;
    same(a, lhs) && same(b, rhs) && ranks
}
