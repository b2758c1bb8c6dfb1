//! The adjoint of a loop that iterates to a fixed point: that of one iteration, repeated until nothing is left to do.
//!
//! What is left is measured by sums, into which whatever isn't a number goes.

use std::collections::BTreeSet;

use costate_analysis::storage::{LocSet, Root, resolve};
use costate_grammar::intrinsics::Intrinsic;
use costate_grammar::ir::{
    Base, Block, Callee, Dim, Expr, ExprKind, LoopControl, Role, Stmt, StmtKind, SymId, Ty, for_each_stmt,
};
use costate_grammar::operators::BinaryOp;

use crate::memory::{self, Entry};
use crate::remap;
use crate::reverse::Reverse;
use crate::reverse::tree::decisions::Iterated;
use crate::reverse::tree::node::{Leaf, Loop, Node};
use crate::runtime;

/// The statements by which the end of the repetition is found.
#[derive(Default)]
struct Watch {
    /// Before the first time.
    start: Block,
    /// Before each.
    before: Block,
    /// Behind each.
    after: Block,
    /// Each holds when it is the last.
    done: Vec<Expr>,
    /// Holds once something has changed, where nothing must change in the end.
    moved: Option<Expr>,
}

impl Reverse<'_, '_> {
    /// The iteration runs from the state that the loop has left, and then its adjoint, again and again.
    pub(super) fn emit_iterated(&mut self, l: &Loop, iterated: &Iterated, level: usize) -> (Block, Block) {
        let noted = std::mem::take(&mut self.ledger);
        self.unsettled.push(l.private.clone());
        let (record, back) = self.rerunning(l, level, |s| s.emit(&l.body, level + 1, &mut Vec::new()));
        self.unsettled.pop();
        let held = std::mem::replace(&mut self.ledger, noted);
        self.ledger.push(Entry::Rerun(memory::Rerun { path: self.path.clone(), entries: held }));
        let mut watch = self.watch(l, iterated);
        let mut body = std::mem::take(&mut watch.before);
        // Where what an iteration keeps stands the adjoint, the iteration runs once; otherwise before each.
        let mut once = Block::new();
        match self.again(l, iterated, level, (&record, &back)) {
            Some((keep, bring)) => {
                once.extend(record);
                once.extend(keep);
                body.extend(bring);
            }
            None => body.extend(record),
        }
        body.extend(back);
        body.append(&mut watch.after);
        body.push(self.leave_when(&watch, &l.stmt));
        let mut backward = once;
        backward.extend(watch.start);
        let trip = self.b.local("trip", Ty::INTEGER, Vec::new());
        let most = iterated.asked.iterations.clone();
        let control = LoopControl::Count { var: trip, lo: Expr::int(1), hi: most.clone(), step: None };
        let mut repeated = self.b.derive(StmtKind::repeat(control, body), &l.stmt, Role::Adjoint);
        repeated.leading.push("! adjoint of the fixed point: that of an iteration, until nothing is left to do".into());
        backward.push(repeated);
        backward.push(self.stop_beyond(trip, most, &l.stmt));
        // The fixed point doesn't depend on where the loop starts.
        for e in &iterated.emptied {
            backward.extend(self.b.zero(e, &l.stmt, Role::Adjoint));
        }
        if level == 0 {
            backward.extend(self.free_lasting(&l.stmt));
        }
        (Block::new(), backward)
    }

    /// The statements that keep, behind an iteration, what its adjoint changes of what it uses, and those that bring it back
    /// before the adjoint runs again; `None` where it uses up what the iteration has saved.
    fn again(
        &mut self,
        l: &Loop,
        iterated: &Iterated,
        level: usize,
        (record, back): (&Block, &Block),
    ) -> Option<(Block, Block)> {
        if self.uses_up(back) || self.changes_saves(record, back) {
            return None;
        }
        let mut changed = LocSet::new();
        l.body.iter().for_each(|n| brought(n, level + 1, &mut changed));
        changed.retain(|x| iterated.needed.contains(x));
        let (mut keep, mut bring) = (Block::new(), Block::new());
        let mut seen = BTreeSet::new();
        for x in &changed {
            let loc = self.effects.locs.get(*x);
            if loc.root != Root::Variable || loc.association {
                return None;
            }
            let sym = loc.sym;
            if seen.insert(sym) {
                let (save, restore) = self.save(&self.b.var(sym), &[], &l.stmt);
                keep.extend(save);
                bring.extend(restore);
            }
        }
        let plain = |s: &Stmt| matches!(s.kind, StmtKind::Assign { .. });
        keep.iter().chain(&bring).all(plain).then_some((keep, bring))
    }

    /// True for statements that take something from a tape, from a record, or from memory that they free.
    fn uses_up(&self, back: &Block) -> bool {
        let mut found = false;
        for_each_stmt(back, &mut |s| {
            found |= match &s.kind {
                StmtKind::Allocate { .. } | StmtKind::Deallocate { .. } => true,
                StmtKind::Call { callee: Callee::Intrinsic(Intrinsic::MoveAlloc), .. } => true,
                StmtKind::Call { callee: Callee::Proc { sym, .. }, .. } => runtime::is_of_library(self.b.program, *sym),
                _ => false,
            };
        });
        let mut mentioned = BTreeSet::new();
        remap::mentioned(back, &mut mentioned);
        found || mentioned.iter().any(|s| self.records.contains(s))
    }

    /// True where the adjoint changes variables by which the iteration has handed something on, before it uses them.
    fn changes_saves(&mut self, record: &Block, back: &Block) -> bool {
        let kept = self.effects.block_access(self.b.program, record).writes;
        let access = self.effects.block_access(self.b.program, back);
        access.reads.iter().any(|x| {
            let sym = self.effects.locs.get(*x).sym;
            kept.contains(x) && access.writes.contains(x) && self.b.made.contains(&sym) && !self.is_shadow(*x)
        })
    }

    fn watch(&mut self, l: &Loop, iterated: &Iterated) -> Watch {
        let mut out = Watch::default();
        for e in &iterated.emptied {
            let (size, left) = (self.measure_of("size", e), self.measure_of("left", e));
            let adjoint = self.b.shadow_ref(e);
            let total = sum_of(&adjoint);
            out.start.push(self.b.assign(size.clone(), total.clone(), &l.stmt, Role::Adjoint));
            out.after.push(self.b.assign(left.clone(), total, &l.stmt, Role::Adjoint));
            let larger = Expr::intrinsic(Intrinsic::Max, vec![size.clone(), left.clone()]);
            out.after.push(self.b.assign(size.clone(), larger, &l.stmt, Role::Adjoint));
            out.done.push(is_small(left, size, iterated.asked.tolerance(e.ty)));
        }
        if iterated.settled.is_empty() {
            return out;
        }
        let moved = self.b.local("moved", Ty::LOGICAL, Vec::new());
        let moved = self.b.var(moved);
        let mut none = Expr::logical(true);
        for (k, e) in iterated.settled.iter().enumerate() {
            let (size, change) = (self.measure_of("size", e), self.measure_of("change", e));
            let adjoint = self.b.shadow_ref(e);
            let name = format!("{}_before", self.short_name(&adjoint));
            let like = adjoint.as_var().and_then(|d| resolve(self.b.program, d.sym, &d.path())).cloned();
            let like = like.filter(|v| v.ty == e.ty).unwrap_or_else(|| self.b.spelt(e.ty));
            let before = self.b.local_like(&name, &like, vec![Dim::Deferred; usize::from(e.rank)]);
            let before = Expr::var(before, e.ty, e.rank);
            out.start.push(self.b.assign(size.clone(), sum_of(&adjoint), &l.stmt, Role::Adjoint));
            out.before.push(self.b.assign(before.clone(), adjoint.clone(), &l.stmt, Role::Adjoint));
            let by = sum_of(&adjoint.clone().sub(before));
            out.after.push(self.b.assign(change.clone(), by, &l.stmt, Role::Adjoint));
            let larger = Expr::intrinsic(Intrinsic::Max, vec![size.clone(), sum_of(&adjoint)]);
            let grown = self.b.assign(size.clone(), larger, &l.stmt, Role::Adjoint);
            let zero = Expr::zero(change.ty);
            let moves = Expr::binary(BinaryOp::Gt, change.clone(), zero.clone());
            let moves =
                self.b.assign(moved.clone(), Expr::binary(BinaryOp::Or, moved.clone(), moves), &l.stmt, Role::Adjoint);
            out.after.extend([grown, moves]);
            let nothing = Expr::binary(BinaryOp::Le, size.clone(), zero);
            none = if k == 0 { nothing } else { Expr::binary(BinaryOp::And, none, nothing) };
            out.done.push(is_small(change, size, iterated.asked.tolerance(e.ty)));
        }
        out.start.push(self.b.assign(moved.clone(), none, &l.stmt, Role::Adjoint));
        out.moved = Some(moved);
        out
    }

    /// A real scalar that is named after an adjoint.
    fn measure_of(&mut self, what: &str, e: &Expr) -> Expr {
        let adjoint = self.b.shadow_ref(e);
        let name = format!("{}_{what}", self.short_name(&adjoint));
        let ty = Ty::new(Base::Real, e.ty.kind);
        let like = adjoint.as_var().and_then(|d| resolve(self.b.program, d.sym, &d.path())).cloned();
        let like = like.filter(|v| v.ty == ty).unwrap_or_else(|| self.b.spelt(ty));
        let sym = self.b.local_like(&name, &like, Vec::new());
        self.b.var(sym)
    }

    /// `if (done) exit`
    fn leave_when(&mut self, watch: &Watch, from: &Stmt) -> Stmt {
        let all = watch.moved.iter().chain(&watch.done).cloned();
        let cond = all.reduce(|a, b| Expr::binary(BinaryOp::And, a, b)).unwrap_or_else(|| Expr::logical(true));
        let exit = self.b.derive(StmtKind::Exit(None), from, Role::Adjoint);
        self.on_one_line(cond, exit, from)
    }

    /// Stops the program where the loop of a variable has come to its end without an `exit`.
    fn stop_beyond(&mut self, trip: SymId, most: Expr, from: &Stmt) -> Stmt {
        let span = from.origin.span();
        let (line, _) = self.sources.file(span.file).line_col(span.start);
        let name = self.b.program[self.b.primal].name.clone();
        let text = format!("the adjoint of the fixed point in {name}, line {line}, doesn't converge");
        let code = Some(Expr::new(ExprKind::Str(format!("\"{text}\"")), Ty::CHARACTER, 0));
        let stop = self.b.derive(StmtKind::Stop { error: true, code }, from, Role::Adjoint);
        let cond = Expr::binary(BinaryOp::Gt, self.b.var(trip), most);
        self.on_one_line(cond, stop, from)
    }
}

/// Adds the primal values that the adjoints of nodes, which are behind the forward sweep of a level, may leave others than
/// they were.
fn brought(node: &Node, level: usize, out: &mut LocSet) {
    match node {
        Node::Leaf(l) => {
            for (_, locs) in l.targets.iter().filter(|(e, _)| l.saves.contains(e)) {
                out.extend(locs.intersection(&l.access.writes));
            }
            if l.undone || l.storage.is_some() {
                out.extend(&l.access.writes);
            }
            let held = l.targets.iter().filter(|(e, _)| l.preserve.contains(e));
            let held: LocSet = held.flat_map(|(_, locs)| locs).copied().collect();
            out.extend(l.clobbers.difference(&held));
            if let Some(slice) = &l.recompute {
                out.insert(slice.gives);
                out.extend(&slice.spoils);
            }
        }
        Node::Branch(b) => b.arms.iter().flatten().for_each(|n| brought(n, level, out)),
        Node::Loop(l) => {
            out.extend(&l.access.writes);
            let inner = level + usize::from(l.region);
            for n in &l.body {
                brought(n, inner, out);
                if l.region {
                    n.for_each_leaf(&mut |x| run_again(x, l, inner, out));
                }
            }
        }
    }
}

/// Adds what a statement assigns where the iterations of a loop come back to their start and run again right before their
/// adjoints.
fn run_again(x: &Leaf, l: &Loop, level: usize, out: &mut LocSet) {
    if l.blocks.is_some() || x.kept(level) || x.storage.is_some() {
        out.extend(&x.access.writes);
    }
    for (_, locs) in x.targets.iter().filter(|(e, _)| l.snapshot.contains(e)) {
        out.extend(locs.intersection(&x.access.writes));
    }
}

/// `sum(abs(e))`
fn sum_of(e: &Expr) -> Expr {
    let ty = Ty::new(Base::Real, e.ty.kind);
    let size = Expr { ty, ..Expr::intrinsic(Intrinsic::Abs, vec![e.clone()]) };
    if e.rank == 0 { size } else { Expr { rank: 0, ..Expr::intrinsic(Intrinsic::Sum, vec![size]) } }
}

/// `left <= tolerance*min(size, huge(size))`: what is infinite is never small.
fn is_small(left: Expr, size: Expr, tolerance: Expr) -> Expr {
    let huge = Expr::intrinsic(Intrinsic::Huge, vec![size.clone()]);
    let finite = Expr::intrinsic(Intrinsic::Min, vec![size, huge]);
    Expr::binary(BinaryOp::Le, left, tolerance.mul(finite))
}
