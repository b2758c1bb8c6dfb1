//! Arrays that get their memory in a loop for a device. A device allocates nothing, and few compilers have private variables
//! there that are allocatable. Where the bounds are known at the procedure's entry, the array is declared with them.

use std::collections::BTreeSet;

use costate_analysis::loops::assigned;
use costate_analysis::sections::scene::calls;
use costate_grammar::ir::{
    Block, Dim, Expr, ExprKind, Intent, Program, ScopeId, StmtKind, SymId, SymbolKind, for_each_stmt,
};
use costate_grammar::operators::BinaryOp;

use super::calls::on_tape;
use super::own_variables::{drop_memory, one_size};

/// Declares with their bounds the local arrays of a generated procedure that get memory in loops for a device, the same
/// wherever they get some. `scopes` are the primal's and the procedure's.
pub(super) fn declare(program: &mut Program, [primal, scope]: [ScopeId; 2], body: &mut Block) {
    let mut found = BTreeSet::new();
    super::outermost(body, &mut |s| {
        if s.followed().is_some_and(|p| p.on_device()) {
            for_each_stmt(std::slice::from_ref(s), &mut |inner| {
                let items = if let StmtKind::Allocate { items, .. } = &inner.kind { items.as_slice() } else { &[] };
                found.extend(items.iter().filter_map(|i| i.object.as_var()).map(|d| d.sym));
            });
        }
    });
    let changing = assigned(body);
    let others = may_change_others(program, body);
    let entry = |program: &Program, x: SymId| {
        let local = [primal, scope].contains(&program[x].scope);
        program.var(x).is_some_and(|v| {
            let plain = v.rank() == 0 && !(v.attrs.optional || v.attrs.allocatable || v.attrs.pointer || v.directive);
            let same = !changing.contains(&x) && (!others || v.dummy.is_some() && v.intent == Some(Intent::In));
            plain && (v.attrs.parameter || same && (v.dummy.is_some() || !local))
        })
    };
    for x in found {
        let own = program[x].scope == scope && program.var(x).is_some_and(|v| v.attrs.allocatable && v.dummy.is_none());
        let Some(dims) = one_size(body, x, &changing).filter(|_| own) else { continue };
        let known = |d: &Dim| match d {
            Dim::Explicit(lo, hi) => lo.iter().chain([hi]).all(|e| is_known(e, &|x| entry(program, x))),
            _ => false,
        };
        if !dims.iter().all(known) {
            continue;
        }
        if let SymbolKind::Variable(v) = &mut program[x].kind {
            (v.attrs.allocatable, v.dims) = (false, dims);
            drop_memory(body, x);
        }
    }
}

/// True where a block may change variables that it assigns nowhere.
fn may_change_others(program: &Program, body: &Block) -> bool {
    let mut found = false;
    for_each_stmt(body, &mut |s| {
        found |= match &s.kind {
            StmtKind::Call { callee, .. } => on_tape(program, callee).is_none(),
            StmtKind::Io { .. } => true,
            _ => calls(s),
        }
    });
    found
}

/// True for sums and products of what has its value at the procedure's entry.
fn is_known(e: &Expr, at_entry: &dyn Fn(SymId) -> bool) -> bool {
    match &e.kind {
        ExprKind::Int { .. } => true,
        ExprKind::Var(d) => d.parts.is_empty() && at_entry(d.sym),
        ExprKind::Unary(_, a) | ExprKind::Paren(a) => is_known(a, at_entry),
        ExprKind::Binary(BinaryOp::Add | BinaryOp::Sub | BinaryOp::Mul, a, b) => {
            is_known(a, at_entry) && is_known(b, at_entry)
        }
        _ => false,
    }
}
