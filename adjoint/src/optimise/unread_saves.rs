//! Saves that nothing restores. The passes over the backward sweep find that some values aren't used there after all, and
//! what is left of their saves costs memory and time: such a variable, its memory, and what is saved in it go.

use std::collections::BTreeSet;

use costate_grammar::ir::{Block, Expr, IfArm, Origin, Program, Role, ScopeId, Stmt, StmtKind, SymId, for_each_stmt};

use crate::remap::in_expr;
use costate_analysis::sections::scene::calls;

/// Takes out the saves of a whole body that nothing in it uses, and tells which variables they were for. What stands in
/// `record`, others use.
pub(crate) fn drop_unread(
    program: &Program,
    scope: ScopeId,
    body: &mut Block,
    record: Option<SymId>,
) -> BTreeSet<SymId> {
    let mut gone = BTreeSet::new();
    loop {
        let (mut saved, mut used) = (BTreeSet::new(), BTreeSet::new());
        for_each_stmt(body, &mut |s| look(s, &mut saved, &mut used));
        let own = |s: &SymId| program[*s].scope == scope && program.var(*s).is_some_and(|v| v.dummy.is_none());
        let unread: BTreeSet<SymId> =
            saved.difference(&used).copied().filter(own).filter(|s| Some(*s) != record).collect();
        if unread.is_empty() {
            return gone;
        }
        drop_from(body, &unread);
        gone.extend(unread);
    }
}

/// Notes in what a statement saves, and what it uses.
fn look(s: &Stmt, saved: &mut BTreeSet<SymId>, used: &mut BTreeSet<SymId>) {
    let within = |e: &Expr, used: &mut BTreeSet<SymId>| e.children().into_iter().for_each(|c| in_expr(c, used));
    match &s.kind {
        StmtKind::Assign { lhs, rhs } if saves(s) => {
            saved.extend(base(lhs));
            within(lhs, used);
            in_expr(rhs, used);
        }
        StmtKind::Allocate { items, options, .. } => {
            for item in items {
                within(&item.object, used);
                item.shape.iter().flat_map(|(lo, hi)| lo.iter().chain([hi])).for_each(|e| in_expr(e, used));
            }
            options.iter().for_each(|(_, e)| in_expr(e, used));
        }
        StmtKind::Deallocate { items, options } => {
            items.iter().for_each(|e| within(e, used));
            options.iter().for_each(|(_, e)| in_expr(e, used));
        }
        StmtKind::Unsupported { names, .. } => used.extend(names),
        StmtKind::If { arms, otherwise: None, .. } if arms.len() == 1 => {
            let mut asked = BTreeSet::new();
            in_expr(&arms[0].cond, &mut asked);
            memory_of(&arms[0].body).map(|v| asked.remove(&v));
            used.extend(asked);
        }
        _ => s.exprs().into_iter().for_each(|e| in_expr(e, used)),
    }
}

fn drop_from(block: &mut Block, gone: &BTreeSet<SymId>) {
    let is_gone = |e: &Expr| base(e).is_some_and(|s| gone.contains(&s));
    block.retain_mut(|s| {
        let full = s.blocks().iter().any(|b| !b.is_empty());
        s.blocks_mut().into_iter().for_each(|b| drop_from(b, gone));
        let emptied = full && s.blocks().iter().all(|b| b.is_empty()) && !calls(s);
        let saves = saves(s);
        match &mut s.kind {
            StmtKind::Assign { lhs, .. } => !(saves && is_gone(lhs)),
            StmtKind::Allocate { items, .. } => {
                items.retain(|i| !is_gone(&i.object));
                !items.is_empty()
            }
            StmtKind::Deallocate { items, .. } => {
                items.retain(|e| !is_gone(e));
                !items.is_empty()
            }
            StmtKind::If { otherwise, .. } => {
                otherwise.take_if(|b| b.is_empty());
                !emptied
            }
            _ => !emptied,
        }
    });
}

/// The variable whose memory alone the statements of a block see to: `if (allocated(v)) deallocate(v)` and the like, which
/// go with it.
fn memory_of(block: &[Stmt]) -> Option<SymId> {
    let mut of = BTreeSet::new();
    for s in block {
        let whole = |e: &Expr| e.as_var().filter(|d| d.parts.is_empty()).map(|d| d.sym);
        match &s.kind {
            StmtKind::Allocate { items, .. } => {
                items.iter().try_for_each(|i| whole(&i.object).map(|v| _ = of.insert(v)))?
            }
            StmtKind::Deallocate { items, .. } => items.iter().try_for_each(|e| whole(e).map(|v| _ = of.insert(v)))?,
            StmtKind::If { arms, otherwise: None, .. } => {
                let [IfArm { body, .. }] = arms.as_slice() else { return None };
                of.insert(memory_of(body)?);
            }
            _ => return None,
        }
    }
    of.pop_first().filter(|_| of.is_empty())
}

fn saves(s: &Stmt) -> bool {
    matches!(s.origin, Origin::Derived { role: Role::Save, .. })
}

fn base(e: &Expr) -> Option<SymId> {
    e.as_var().map(|d| d.sym)
}
