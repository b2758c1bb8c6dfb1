//! What is left to do when both sweeps are complete: adjoints of scalars that nobody uses aren't computed, and a
//! statement of the primal is quoted once for all that belongs to it.

use std::collections::BTreeSet;

use costate_analysis::storage::symbols;
use costate_grammar::ir::{Block, Expr, LoopControl, Origin, Role, Stmt, StmtKind, SymId};

use super::flow::calls;
use super::schedule::has_other_blocks;

/// Removes assignments to scalars among `own` whose value isn't used afterwards; after the block none of them is.
pub(super) fn drop_unused(block: &mut Block, own: &BTreeSet<SymId>) {
    Unused { own }.block(block, &mut BTreeSet::new());
}

/// Goes from the end of a block to its beginning. `live` are scalars whose value may be used from there on.
struct Unused<'a> {
    own: &'a BTreeSet<SymId>,
}

impl Unused<'_> {
    fn block(&self, block: &mut Block, live: &mut BTreeSet<SymId>) {
        let mut kept = Vec::new();
        for mut s in std::mem::take(block).into_iter().rev() {
            let full = s.blocks().iter().any(|b| !b.is_empty());
            let needed = self.statement(&mut s, live);
            if let StmtKind::If { otherwise, .. } = &mut s.kind
                && otherwise.as_ref().is_some_and(Vec::is_empty)
            {
                *otherwise = None;
            }
            let emptied = full && s.blocks().iter().all(|b| b.is_empty());
            if needed && (!emptied || calls(&s)) {
                kept.push(s);
            }
        }
        kept.reverse();
        *block = kept;
    }

    /// False for a statement that isn't needed.
    fn statement(&self, s: &mut Stmt, live: &mut BTreeSet<SymId>) -> bool {
        if let StmtKind::Assign { lhs, rhs } = &s.kind {
            let whole = lhs.as_var().filter(|d| d.parts.is_empty()).map(|d| d.sym);
            if lhs == rhs && whole.is_some() {
                return false;
            }
            match whole.filter(|x| self.own.contains(x)) {
                Some(x) if !live.remove(&x) && !calls(s) => return false,
                Some(_) => {}
                None => self.read(lhs, live),
            }
            self.read(rhs, live);
            return true;
        }
        let after = live.clone();
        match &mut s.kind {
            StmtKind::Do { control, body, .. } => {
                if let LoopControl::While(cond) = control {
                    self.read(cond, live);
                }
                // Each iteration may be followed by another one.
                loop {
                    let mut start = live.clone();
                    self.block(&mut body.clone(), &mut start);
                    let before = live.len();
                    live.extend(start);
                    if live.len() == before {
                        break;
                    }
                }
                self.block(body, &mut live.clone());
            }
            StmtKind::If { arms, otherwise, .. } => {
                let exhaustive = otherwise.is_some();
                self.arms(arms.iter_mut().map(|a| &mut a.body).chain(otherwise), exhaustive, &after, live);
            }
            StmtKind::Select { arms, .. } => {
                let exhaustive = arms.iter().any(|a| a.ranges.is_empty());
                self.arms(arms.iter_mut().map(|a| &mut a.body), exhaustive, &after, live);
            }
            StmtKind::Exit(_) | StmtKind::Cycle(_) | StmtKind::Return | StmtKind::Goto(_) => live.extend(self.own),
            // Constructs that aren't looked into.
            other if has_other_blocks(other) => live.extend(self.own),
            _ => {}
        }
        s.exprs().into_iter().for_each(|e| self.read(e, live));
        true
    }

    fn arms<'b>(
        &self,
        arms: impl Iterator<Item = &'b mut Block>,
        exhaustive: bool,
        after: &BTreeSet<SymId>,
        live: &mut BTreeSet<SymId>,
    ) {
        if exhaustive {
            live.clear();
        }
        for body in arms {
            let mut own = after.clone();
            self.block(body, &mut own);
            live.extend(own);
        }
    }

    fn read(&self, e: &Expr, live: &mut BTreeSet<SymId>) {
        live.extend(symbols(e).intersection(self.own));
    }
}

/// Removes the comments that quote the same statement of the primal as what stands right before.
pub(super) fn quote_once(block: &mut Block) {
    let quoted = |s: &Stmt| match s.origin {
        Origin::Derived { span, role, .. } if role != Role::Forward => Some(span),
        _ => None,
    };
    for k in 1..block.len() {
        if !block[k].leading.is_empty() && quoted(&block[k]).is_some() && quoted(&block[k]) == quoted(&block[k - 1]) {
            block[k].leading.clear();
        }
    }
    block.iter_mut().flat_map(Stmt::blocks_mut).for_each(quote_once);
}

/// True when an assignment of a constant has been made already: often the backward sweep has set the adjoint of an output
/// to zero.
pub(super) fn is_said(text: &[Stmt], stmt: &Stmt) -> bool {
    let StmtKind::Assign { lhs, rhs } = &stmt.kind else { return false };
    let Some(d) = lhs.as_var().filter(|_| rhs.literal_value().is_some()) else { return false };
    let mentions = |s: &&Stmt| {
        let mut symbols = BTreeSet::new();
        crate::remap::mentioned(std::slice::from_ref(*s), &mut symbols);
        symbols.contains(&d.sym)
    };
    text.iter().rev().find(mentions).is_some_and(|last| last.kind == stmt.kind)
}
