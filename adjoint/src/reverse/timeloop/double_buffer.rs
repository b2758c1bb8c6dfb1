//! Steps of the forward sweep that compute the new state in a work array and copy it back (`un = f(u); u = un`). Where the
//! work array is nothing but that, two buffers hold the old and the new state alternately, and nothing is copied.

use std::collections::BTreeSet;

use costate_analysis::affine::plus;
use costate_analysis::loops::assigned;
use costate_grammar::intrinsics::Intrinsic;
use costate_grammar::ir::{Block, Expr, LoopControl, Role, Stmt, StmtKind, Subscript, SymId};

use super::snapshot_reads::{full, looked_into, section};
use crate::reverse::Reverse;
use crate::reverse::decide::direct::{in_stmt, reference};
use crate::reverse::emit::around::Around;
use crate::reverse::tree::decisions::Saved;
use crate::reverse::tree::node::{Loop, Node};

impl Reverse<'_, '_> {
    /// The forward sweep of a time loop in blocks, with double buffering where that spares copies. `chain` are the loops
    /// around it.
    pub(in crate::reverse) fn double_buffered(&mut self, l: &Loop, forward: Block, chain: &[Around]) -> Block {
        self.turned(l, &forward, chain).unwrap_or(forward)
    }

    fn turned(&mut self, l: &Loop, forward: &Block, chain: &[Around]) -> Option<Block> {
        let blocks = l.blocks.as_ref().filter(|b| b.schedule.is_none())?;
        let (first, [Node::Loop(inner)], [outer]) = (blocks.first.clone()?, l.body.as_slice(), forward.as_slice())
        else {
            return None;
        };
        let mut outer = outer.clone();
        let (saves, run) = parts(&mut outer)?;
        let StmtKind::Do { control: LoopControl::Count { var, step, .. }, body, .. } = &mut run.kind else {
            return None;
        };
        let by = step.as_ref().map_or(Some(1), Expr::as_int).filter(|by| by.abs() == 1)?;
        if inner.exit.is_some() || !looked_into(body) {
            return None;
        }
        let here = self.b.var(*var);
        let next = plus(&here, &Expr::int(by));
        let used: BTreeSet<SymId> = l.after.iter().map(|x| self.effects.locs.get(*x).sym).collect();
        let (mut before, mut after) = (Block::new(), Block::new());
        for array in assigned(body).difference(&assigned(saves)).copied().collect::<Vec<_>>() {
            let made = self.b.scene().plain_array(array).then(|| self.maker_of(array, body, &used)).flatten();
            let Some(made) = made.filter(|m| m.work.is_some()) else { continue };
            let Some(saved) = self.two_buffers(array, &here, chain) else { continue };
            *body = self.fill_snapshot(made, &saved, &saved.at(*var, &next), std::mem::take(body));
            let state = self.b.var(array);
            let buffer = section(saved.slot, &state, full(state.rank), &saved.indices);
            let read = |x: Expr| match x.as_var() {
                Some(d) if d.sym == array => reference(d, &x, saved.slot, &saved.indices, &buffer),
                _ => x,
            };
            saves.iter_mut().for_each(|s| in_stmt(s, &read));
            before.push(self.b.assign(buffer.clone(), state.clone(), &l.stmt, Role::Forward));
            if used.contains(&array) {
                after.push(self.b.assign(state, buffer, &l.stmt, Role::Forward));
            }
        }
        if before.is_empty() {
            return None;
        }
        let mut start = self.b.assign(here, first, &l.stmt, Role::Forward);
        start.leading = std::mem::take(&mut outer.leading);
        start.leading.push("! the state and its next values alternate between two buffers".to_string());
        Some([start].into_iter().chain(before).chain([outer]).chain(after).collect())
    }

    /// Two buffers for an array, of which odd and even steps start from one each.
    fn two_buffers(&mut self, array: SymId, here: &Expr, chain: &[Around]) -> Option<Saved> {
        let base = format!("{}_buffer", self.b.program[array].name);
        let slot = self.array_slot(array, &base, vec![(Expr::int(0), Expr::int(1))], chain)?;
        let turn = Expr::intrinsic(Intrinsic::Modulo, vec![here.clone(), Expr::int(2)]);
        Some(Saved { array, slot, indices: vec![Subscript::Index(turn)] })
    }
}

/// What a loop over blocks of steps saves, and its run of a block.
fn parts(outer: &mut Stmt) -> Option<(&mut [Stmt], &mut Stmt)> {
    let StmtKind::Do { body, .. } = &mut outer.kind else { return None };
    let (run, saves) = body.split_last_mut()?;
    if !saves.iter().all(|s| matches!(s.kind, StmtKind::Assign { .. })) {
        return None;
    }
    // The last block needn't run where nothing uses what it computes.
    let skipped = matches!(run.kind, StmtKind::If { .. });
    let run = if skipped { run.blocks_mut().into_iter().next()?.first_mut()? } else { run };
    Some((saves, run))
}
