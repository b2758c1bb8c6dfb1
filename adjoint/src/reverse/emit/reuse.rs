//! Records keep their memory: what a forward half finds in its record it takes as it is, where the shape is right, and the
//! backward half gives it back when it is done. Fresh memory costs more than what is written to it. It pays where a
//! record is used again: in what runs again block by block, whose records live until its loop has ended.

use std::collections::BTreeSet;

use costate_analysis::affine;
use costate_grammar::intrinsics::Intrinsic;
use costate_grammar::ir::{AllocItem, Arg, Block, Callee, Expr, IfArm, Role, Stmt, StmtKind, SymId};
use costate_grammar::operators::BinaryOp;

use crate::reverse::Reverse;

/// A way to see that an array has another shape than an allocation would give it.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(in crate::reverse) enum Fit {
    /// Its bounds differ.
    Same,
    /// One of its extents is too small, or one of so many of its first dimensions differs, or it begins elsewhere.
    Large(usize),
    /// It never does.
    Any,
}

impl Reverse<'_, '_> {
    /// Those of the variables whose memory a record may keep: the procedure's own saves and work arrays, which get it once.
    pub(in crate::reverse) fn keeping(&self, moved: &[SymId], forward: &[Stmt]) -> BTreeSet<SymId> {
        let mut out: BTreeSet<SymId> =
            moved.iter().copied().filter(|s| !self.b.shadow.values().any(|x| x == s)).collect();
        let mut once = BTreeSet::new();
        self.allocations(forward, false, &mut once, &mut out);
        out
    }

    /// Takes out of `out` what is allocated twice, in a loop, or freed.
    fn allocations(&self, block: &[Stmt], looped: bool, once: &mut BTreeSet<SymId>, out: &mut BTreeSet<SymId>) {
        for s in block {
            let gone: Vec<SymId> = match &s.kind {
                StmtKind::Allocate { items, .. } => {
                    let named = items.iter().filter_map(|i| i.object.as_var()).map(|d| d.sym);
                    let single = items.len() == 1;
                    named.filter(|x| !once.insert(*x) || looped || !single).collect()
                }
                StmtKind::Deallocate { items, .. } => items.iter().filter_map(Expr::as_var).map(|d| d.sym).collect(),
                _ => Vec::new(),
            };
            gone.iter().for_each(|x| {
                out.remove(x);
            });
            let looped = looped || matches!(s.kind, StmtKind::Do { .. });
            s.blocks().into_iter().for_each(|b| self.allocations(b, looped, once, out));
        }
    }

    /// Has allocations of these variables use the memory that they have already.
    pub(in crate::reverse) fn allocate_where_missing(&mut self, block: &mut Block, kept: &BTreeSet<SymId>) {
        for mut s in std::mem::take(block) {
            s.blocks_mut().into_iter().for_each(|b| self.allocate_where_missing(b, kept));
            match &s.kind {
                StmtKind::Allocate { items, .. } if items[0].object.as_var().is_some_and(|d| kept.contains(&d.sym)) => {
                    let item = items[0].clone();
                    block.extend(self.ensure(&item, Fit::Same, s));
                }
                _ => block.push(s),
            }
        }
    }

    /// True for a first index that may be another one in the next iteration of the loop whose iterations use one memory.
    fn begins_elsewhere(&self, lo: &Expr) -> bool {
        let rerun = self.slots.rerun.as_ref();
        lo.as_int().is_none() && rerun.is_none_or(|r| r.changes(self.b.program, &[(lo.clone(), lo.clone())]))
    }

    /// The allocation of an array, where it has no memory that fits.
    pub(in crate::reverse) fn ensure(&mut self, item: &AllocItem, fit: Fit, make: Stmt) -> Block {
        let object = &item.object;
        let mut differs: Option<Expr> = None;
        for (k, (lo, hi)) in item.shape.iter().enumerate() {
            let ask = |f| Expr::intrinsic(f, vec![object.clone(), Expr::int(k as i64 + 1)]);
            let tests = match fit {
                Fit::Any => Vec::new(),
                Fit::Large(exact) => {
                    let wanted = affine::count(lo.as_ref().unwrap_or(&Expr::int(1)), hi);
                    let differs = if k < exact { BinaryOp::Ne } else { BinaryOp::Lt };
                    let lower = lo.clone().filter(|lo| self.begins_elsewhere(lo));
                    let lower = lower.map(|lo| Expr::binary(BinaryOp::Ne, ask(Intrinsic::Lbound), lo));
                    lower.into_iter().chain([Expr::binary(differs, ask(Intrinsic::Size), wanted)]).collect()
                }
                Fit::Same => {
                    // An array without elements has other bounds than asked for, and costs nothing.
                    let lower = lo.clone().filter(|lo| lo.as_int().is_none());
                    let lower = lower.map(|lo| Expr::binary(BinaryOp::Ne, ask(Intrinsic::Lbound), lo));
                    let upper = Expr::binary(BinaryOp::Ne, ask(Intrinsic::Ubound), hi.clone());
                    lower.into_iter().chain([upper]).collect()
                }
            };
            for test in tests {
                differs = Some(match differs {
                    None => test,
                    Some(d) => Expr::binary(BinaryOp::Or, d, test),
                });
            }
        }
        let mut out = Block::new();
        if let Some(differs) = differs {
            let free = self.free(object.clone(), &make);
            let free = self.on_one_line(differs, free, &make);
            out.push(self.when(object.allocated(), vec![free], &make));
        }
        let from = make.clone();
        out.push(self.on_one_line(object.allocated().negated(), make, &from));
        out
    }

    /// A statement under a condition, on the same line.
    pub(in crate::reverse) fn on_one_line(&mut self, cond: Expr, stmt: Stmt, from: &Stmt) -> Stmt {
        let arms = vec![IfArm { cond, body: vec![stmt] }];
        self.b.derive(StmtKind::If { name: None, arms, otherwise: None, one_line: true }, from, Role::Storage)
    }

    /// The memory of `from` becomes that of `to`.
    pub(in crate::reverse) fn move_memory(&mut self, from: &Expr, to: &Expr, anchor: &Stmt, role: Role) -> Stmt {
        let args = [from, to].map(|e| Arg::new(e.clone())).to_vec();
        self.b.derive(StmtKind::Call { callee: Callee::Intrinsic(Intrinsic::MoveAlloc), args }, anchor, role)
    }
}

/// Drops the statements that free these variables.
pub(in crate::reverse) fn without_freeing(block: &mut Block, kept: &BTreeSet<SymId>) {
    block.retain(|s| match &s.kind {
        StmtKind::Deallocate { items, .. } => {
            !items.iter().all(|e| e.as_var().is_some_and(|d| d.parts.is_empty() && kept.contains(&d.sym)))
        }
        _ => true,
    });
    block.iter_mut().flat_map(Stmt::blocks_mut).for_each(|b| without_freeing(b, kept));
}
