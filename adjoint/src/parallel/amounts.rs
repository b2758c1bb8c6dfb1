//! What atomic updates add to an element, where other elements of the same array are in it: compilers ask for an expression
//! without the array (15.8.4 of OpenMP 5.2), and so it gets a name first.

use std::collections::BTreeSet;

use costate_analysis::storage::symbols;
use costate_grammar::ir::{Expr, ExprKind, Origin, Program, Role, ScopeId, Stmt, StmtId, StmtKind, SymId};

use super::directives::in_one_term;
use super::new_scalar;
use crate::names::Taken;

/// Gives names to such amounts in a loop, in a scope. Returns the new variables, one for each increment.
pub(super) fn named(
    program: &mut Program,
    s: &mut Stmt,
    atomic: &BTreeSet<StmtId>,
    (scope, names): (ScopeId, &mut Taken),
) -> Vec<SymId> {
    let mut made = Vec::new();
    for block in s.blocks_mut() {
        for mut inner in std::mem::take(block) {
            made.extend(named(program, &mut inner, atomic, (scope, names)));
            block.extend(named_before(program, &mut inner, atomic, (scope, names), &mut made));
            block.push(inner);
        }
    }
    made
}

/// The assignment of the amount to its name.
fn named_before(
    program: &mut Program,
    s: &mut Stmt,
    atomic: &BTreeSet<StmtId>,
    (scope, names): (ScopeId, &mut Taken),
    made: &mut Vec<SymId>,
) -> Option<Stmt> {
    let StmtKind::Assign { lhs, rhs } = &mut s.kind else { return None };
    let sym = lhs.as_var().filter(|_| atomic.contains(&s.id))?.sym;
    let mut whole = in_one_term(lhs, rhs);
    let ExprKind::Binary(_, _, amount) = &mut whole.kind else { return None };
    if !symbols(amount).contains(&sym) {
        return None;
    }
    let base = format!("{}_part", program[sym].name);
    let own = new_scalar(program, (scope, names), &base, (amount.ty, Some(sym)));
    made.push(own);
    let name = Expr::var(own, amount.ty, 0);
    let value = std::mem::replace(&mut **amount, name.clone());
    *rhs = whole;
    let origin = Origin::Derived { from: s.id, span: s.origin.span(), role: Role::Adjoint };
    let kind = StmtKind::Assign { lhs: name, rhs: value };
    Some(Stmt { leading: std::mem::take(&mut s.leading), ..Stmt::new(program.fresh_stmt(), kind, origin) })
}
