//! Variables of which each iteration of a `do concurrent` loop has its own: where compilers would share them, they are
//! declared in a `block` construct inside it. A `local` clause would do, too, which few compilers know.

use std::collections::{BTreeMap, BTreeSet};

use costate_grammar::ir::{
    Block, Dim, Expr, ExprKind, LoopControl, Mention, Origin, Program, Role, ScopeId, ScopeKind, Stmt, StmtKind, SymId,
    SymbolKind, for_each_expr, for_each_stmt, mentions_of,
};

use super::accesses::Accesses;
use super::references::How;
use super::sharing::Sharing;
use crate::remap;

/// The variables to declare, if there are any that need to be: arrays, and scalars that only a called procedure assigns.
/// Compilers see by its assignments what else an iteration has of its own. The error says what can't be declared.
pub(super) fn declared(
    program: &Program,
    sharing: &Sharing,
    accesses: &Accesses<'_, '_>,
) -> Result<Vec<SymId>, String> {
    let array = |x: &SymId| program.var(*x).is_some_and(|v| v.rank() > 0);
    let seen = |x: &SymId| accesses.to(*x).any(|a| a.how == How::Assigned && !a.by_call);
    let by_call = |x: &SymId| accesses.assigned.contains(x) && !seen(x);
    if !sharing.private.iter().any(|x| array(x) || by_call(x)) {
        return Ok(Vec::new());
    }
    let unfit =
        |x: &&SymId| program.var(**x).is_some_and(|v| v.dummy.is_some() || v.result || !v.dims.iter().all(is_simple));
    match sharing.private.iter().find(unfit) {
        Some(x) => Err(format!("each iteration needs a variable `{}` of its own in it", program[*x].name)),
        None => Ok(sharing.private.clone()),
    }
}

/// True for bounds that a declaration may have.
fn is_simple(d: &Dim) -> bool {
    let Dim::Explicit(lo, hi) = d else { return false };
    let mut simple = true;
    let calls = |e: &Expr| matches!(e.kind, ExprKind::Call { .. } | ExprKind::Opaque(_));
    lo.iter().chain([hi]).for_each(|e| for_each_expr(e, &mut |x| simple &= !calls(x)));
    simple
}

/// Declares variables inside a loop.
pub(super) fn declare(program: &mut Program, s: &mut Stmt, variables: &[SymId], around: ScopeId) {
    if variables.is_empty() {
        return;
    }
    let origin = Origin::Derived { from: s.id, span: s.origin.span(), role: Role::Layout };
    let scope = program.add_scope(Some(around), ScopeKind::Inner);
    let mut map = BTreeMap::new();
    let indices = match &s.kind {
        StmtKind::Do { control: LoopControl::Concurrent { indices, .. }, .. } => indices.iter().map(|i| i.0).collect(),
        _ => Vec::new(),
    };
    for x in variables.iter().filter(|x| !indices.contains(x)) {
        let SymbolKind::Variable(v) = &program[*x].kind else { continue };
        let own = SymbolKind::Variable(v.clone());
        let (name, span) = (program[*x].name.clone(), program[*x].span);
        map.insert(*x, program.add_symbol(scope, name, span, own));
    }
    let id = program.fresh_stmt();
    if let StmtKind::Do { body, .. } = &mut s.kind {
        let own = remap::block(body, &map);
        *body = vec![Stmt::new(id, StmtKind::BlockScope { name: None, scope, body: own }, origin)];
    }
}

/// Gives up variables that nothing uses any more, since loops have declared their own.
pub(super) fn drop_unused(program: &mut Program, body: &mut Block, declared: &BTreeSet<SymId>) {
    if declared.is_empty() {
        return;
    }
    let mut mentioned = BTreeSet::new();
    for_each_stmt(body, &mut |s| {
        if begun(s).is_none() {
            mentions_of(s, &mut |m| mentioned.extend(if let Mention::Entity(x) = m { Some(x) } else { None }));
        }
    });
    let unused: BTreeSet<SymId> = declared.difference(&mentioned).copied().collect();
    drop_begun(body, &unused);
    for x in unused {
        let (scope, name) = (program[x].scope, program[x].name.clone());
        program[scope].names.shift_remove(&name);
    }
}

fn drop_begun(block: &mut Block, unused: &BTreeSet<SymId>) {
    block.retain(|s| begun(s).is_none_or(|x| !unused.contains(&x)));
    block.iter_mut().for_each(|s| s.blocks_mut().into_iter().for_each(|b| drop_begun(b, unused)));
}

/// The variable that a statement sets to a constant as a whole.
fn begun(s: &Stmt) -> Option<SymId> {
    let StmtKind::Assign { lhs, rhs } = &s.kind else { return None };
    let constant = matches!(rhs.kind, ExprKind::Real { .. } | ExprKind::Int { .. } | ExprKind::ComplexLit(..));
    lhs.as_var().filter(|d| constant && d.parts.is_empty()).map(|d| d.sym)
}
