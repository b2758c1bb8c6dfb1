//! Saves that nothing restores. The passes over the backward sweep find that some values aren't used there after all, and
//! what is left of their saves costs memory and time: such a variable, its memory, and what is saved in it go.

use std::collections::BTreeSet;

use costate_grammar::intrinsics::Intrinsic;
use costate_grammar::ir::{
    Block, Callee, Expr, ExprKind, IfArm, Origin, Program, Role, ScopeId, Stmt, StmtKind, SymId, for_each_stmt,
};
use costate_grammar::operators::UnaryOp;

use crate::remap::in_expr;
use costate_analysis::sections::flow::calls;

/// Takes out the saves of a whole body that nothing in it uses, and tells which variables they were for.
pub(crate) fn drop_unread(program: &Program, scope: ScopeId, body: &mut Block) -> BTreeSet<SymId> {
    let mut gone = BTreeSet::new();
    loop {
        let (mut saved, mut used) = (BTreeSet::new(), BTreeSet::new());
        for_each_stmt(body, &mut |s| look(s, &mut saved, &mut used));
        let own = |s: &SymId| program[*s].scope == scope && program.var(*s).is_some_and(|v| v.dummy.is_none());
        let unread: BTreeSet<SymId> = saved.difference(&used).copied().filter(own).collect();
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
        StmtKind::If { .. } if guards(s) => {}
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

/// True for `if (allocated(v)) deallocate(v)` and the like, which goes with the variable.
fn guards(s: &Stmt) -> bool {
    let StmtKind::If { arms, otherwise: None, .. } = &s.kind else { return false };
    let [IfArm { cond, body }] = arms.as_slice() else { return false };
    let asked = match &cond.kind {
        ExprKind::Unary(UnaryOp::Not, e) => e,
        _ => cond,
    };
    let ExprKind::Call { callee: Callee::Intrinsic(Intrinsic::Allocated), args } = &asked.kind else { return false };
    let own = |e: &Expr| args.iter().all(|a| a.value == *e) && e.as_var().is_some_and(|d| d.parts.is_empty());
    body.iter().all(|s| match &s.kind {
        StmtKind::Allocate { items, .. } => items.iter().all(|i| own(&i.object)),
        StmtKind::Deallocate { items, .. } => items.iter().all(own),
        _ => false,
    })
}

fn saves(s: &Stmt) -> bool {
    matches!(s.origin, Origin::Derived { role: Role::Save, .. })
}

fn base(e: &Expr) -> Option<SymId> {
    e.as_var().map(|d| d.sym)
}
