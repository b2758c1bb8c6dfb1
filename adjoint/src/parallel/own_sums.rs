//! Sums of derivatives in variables of their own, with memory of their own where they are arrays: of a thread, or of a section.

use std::collections::BTreeMap;

use costate_grammar::ir::{
    AllocItem, Block, Dim, Expr, Name, Origin, Program, ScopeId, Stmt, StmtKind, SymId, SymbolKind,
};

use super::new_scalar;
use crate::names::Taken;
use crate::remap;

/// A sum that stands for a variable in some statements.
pub(super) struct OwnSum {
    /// Its variable.
    pub(super) variable: SymId,
    /// It gets memory, and starts at zero.
    pub(super) before: Block,
    /// What stands there gets all of it, and its memory is freed.
    pub(super) after: Block,
}

/// Lets statements add to a variable of their own, whose name begins with `base`, in place of another one.
pub(super) fn add_apart(
    program: &mut Program,
    stmts: &mut Block,
    (sym, base): (SymId, &str),
    (place, origin): ((ScopeId, &mut Taken), Origin),
) -> Option<OwnSum> {
    let v = program.var(sym)?.clone();
    let rank = v.rank();
    let variable = new_scalar(program, place, base, (v.ty, Some(sym)));
    if let SymbolKind::Variable(made) = &mut program[variable].kind
        && rank > 0
    {
        made.attrs.allocatable = true;
        made.dims = vec![Dim::Deferred; v.dims.len()];
    }
    let [all, sum] = [variable, sym].map(|x| Expr::var(x, v.ty, rank));
    *stmts = remap::block(stmts, &BTreeMap::from([(sym, variable)]));
    let mut made = |kinds: Vec<StmtKind>| -> Block {
        kinds.into_iter().map(|kind| Stmt::new(program.fresh_stmt(), kind, origin)).collect()
    };
    let mut before = made(vec![StmtKind::Assign { lhs: all.clone(), rhs: Expr::zero(v.ty) }]);
    let mut after = made(vec![StmtKind::Assign { lhs: sum.clone(), rhs: sum.clone().add(all.clone()) }]);
    if rank > 0 {
        let items = vec![AllocItem { object: all.clone(), shape: Vec::new() }];
        let options = vec![(Name::new("mold"), sum.clone())];
        before.splice(0..0, made(vec![StmtKind::Allocate { items, type_spec: None, options }]));
        after.extend(made(vec![StmtKind::Deallocate { items: vec![all], options: Vec::new() }]));
    }
    Some(OwnSum { variable, before, after })
}
