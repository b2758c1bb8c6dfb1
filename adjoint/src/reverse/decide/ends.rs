//! What time loops in blocks needn't run at their ends: the last block in the forward sweep, where nothing after the loop
//! uses what it computes, and the last step of a block that runs again, where its own adjoint doesn't.

use std::collections::BTreeSet;

use costate_analysis::affine::plus;
use costate_analysis::loops::assigned;
use costate_analysis::storage::LocSet;
use costate_grammar::ir::{Block, Expr, IfArm, LoopControl, Origin, Role, Stmt, StmtKind, SymId, for_each_stmt};
use costate_grammar::operators::BinaryOp;

use super::liveness;
use crate::reverse::Reverse;
use crate::reverse::tree::node::{Loop, Node, writes};

/// True when nothing of what a loop does is used after it. Derivatives take the shapes and associations that their
/// variables have there, so these are used.
fn is_idle(l: &Loop) -> bool {
    let mut seen = false;
    l.body.iter().for_each(|n| {
        n.for_each_leaf(&mut |x| {
            let moves = x.storage.is_some() || !x.reshaped.is_empty() || !x.follow.is_empty();
            seen |= x.access.side_effect || x.access.on_device || moves && !x.access.shapes.is_subset(&l.own);
        });
    });
    !seen && writes(&l.body).is_disjoint(&l.after)
}

impl Reverse<'_, '_> {
    /// The forward sweep's run of a block, which the last block does without where nothing uses it.
    pub(in crate::reverse) fn but_for_last_block(&mut self, l: &Loop, run: Block) -> Block {
        let plain = l.blocks.as_ref().is_some_and(|b| b.schedule.is_none());
        let StmtKind::Do { control: LoopControl::Count { var, hi, .. }, .. } = &l.stmt.kind else { return run };
        if !(plain && is_idle(l)) || run.is_empty() {
            return run;
        }
        let cond = Expr::binary(BinaryOp::Lt, self.b.var(*var), hi.clone());
        let arms = vec![IfArm { cond, body: run }];
        let kind = StmtKind::If { name: None, arms, otherwise: None, one_line: false };
        let mut stmt = self.b.derive(kind, &l.stmt, Role::Forward);
        stmt.leading = vec!["! nothing uses what the last block computes before it runs again".to_string()];
        vec![stmt]
    }

    /// The steps of a block that run again, of which the last one only saves the state at its start where its adjoint needs
    /// no more.
    pub(in crate::reverse) fn but_for_last_step(&mut self, l: &Loop, mut again: Block) -> Block {
        let (Some(_), [Node::Loop(inner)]) = (&l.blocks, l.body.as_slice()) else { return again };
        let StmtKind::Do { control: all @ LoopControl::Count { var, .. }, .. } = &inner.stmt.kind else { return again };
        // A loop that makes the columns of its saves in place has another range, without the last step.
        let steps = |s: &Stmt| matches!(&s.kind, StmtKind::Do { control, .. } if control == all);
        let mut last = inner.body.clone();
        liveness::forget(&mut last);
        liveness::analyse(&mut last, 1, true, LocSet::new());
        let Some(at) = again.iter().position(steps).filter(|_| !liveness::kept(last.iter(), 1)) else { return again };
        let StmtKind::Do { control: LoopControl::Count { hi, step, .. }, body, .. } = &mut again[at].kind else {
            return again;
        };
        let by = step.as_ref().map_or(Some(1), Expr::as_int);
        let Some((by, saves)) = by.filter(|by| by.abs() == 1).zip(only_saves_first(body)) else { return again };
        let end = hi.clone();
        *hi = plus(hi, &Expr::int(-by));
        let var = self.b.var(*var);
        let mut set = self.b.assign(var, end, &l.stmt, Role::Save);
        set.leading = vec!["! the last step of the block needn't run".to_string()];
        let copies: Vec<Stmt> = saves.iter().map(|s| self.b.derive(s.kind.clone(), s, Role::Save)).collect();
        again.splice(at + 1..at + 1, std::iter::once(set).chain(copies));
        again
    }
}

/// The statements at the start of a step that save its state, where the others save nothing.
fn only_saves_first(body: &Block) -> Option<Block> {
    let saving = |s: &Stmt| matches!(s.origin, Origin::Derived { role: Role::Save, .. });
    let count = body.iter().take_while(|s| saving(s)).count();
    let (saves, rest) = body.split_at(count);
    let slots: BTreeSet<SymId> = assigned(saves);
    let mut apart = slots.is_disjoint(&assigned(rest));
    rest.iter().for_each(|s| for_each_stmt(std::slice::from_ref(s), &mut |x| apart &= !saving(x)));
    apart.then(|| saves.to_vec())
}
