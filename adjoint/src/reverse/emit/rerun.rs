//! Saves in what runs again: the iterations of a loop, or its blocks, use the same memory, which is allocated by
//! the first of them and freed when the loop has ended. Fresh memory costs more than what is written to it.

use std::collections::BTreeSet;

use costate_analysis::affine;
use costate_grammar::ir::{
    Block, Expr, ExprKind, LoopControl, Part, Program, Role, Stmt, StmtKind, Subscript, SymId, Ty, map_expr,
};

use super::around::{Around, valued};
use crate::memory::{self, Entry};
use crate::reverse::Reverse;
use crate::reverse::tree::node::Loop;

/// A loop whose iterations run again, each with saves of its own: all iterations use the same memory.
#[derive(Debug)]
pub(in crate::reverse) struct Rerun {
    /// What iterations may change.
    changed: BTreeSet<SymId>,
    /// Allocatable variables that keep their memory and shape in it.
    steady: BTreeSet<SymId>,
    /// The most values that the variable of the loop inside it runs over, where it is a loop over blocks.
    length: Option<Expr>,
    /// That variable, and its value counted from one in each block, once a save is for that.
    counted: Option<(SymId, Expr)>,
}

impl Rerun {
    /// True where iterations may differ in bounds.
    pub(in crate::reverse) fn changes(&self, program: &Program, bounds: &[(Expr, Expr)]) -> bool {
        let mut used = bounds.iter().flat_map(|(lo, hi)| [lo, hi]).flat_map(|e| valued(program, e, &self.steady));
        used.any(|s| self.changed.contains(&s))
    }
}

impl Reverse<'_, '_> {
    /// A variable by which the backward sweep learns what the forward sweep did.
    pub(super) fn control(&mut self, name: &str, ty: Ty) -> SymId {
        let sym = self.b.local(name, ty, Vec::new());
        self.handed_on.push(sym);
        sym
    }

    /// A region: the first forward sweep takes a snapshot and runs the primal; the backward sweep goes back to the start
    /// of the iteration, runs its forward part again and then its adjoint.
    /// Also the variables by which the latter two pass on values and what they did, in one iteration.
    pub(super) fn emit_region(&mut self, l: &Loop, level: usize, chain: &mut [Around]) -> ((Block, Block), Vec<SymId>) {
        let mut forward = Vec::new();
        let mut backward = Vec::new();
        let (mut first, mut restored) = (Vec::new(), Vec::new());
        let again = self.restored(l);
        for part in self.state_parts(l) {
            self.refuse_moving(&part.e, l);
            let (save, restore) = self.save_part(&part, chain, &l.stmt);
            let again = again.iter().any(|p| p.e == part.e);
            if again && restore.iter().all(|s| matches!(s.kind, StmtKind::Assign { .. })) {
                restored.extend(restore.iter().cloned());
            } else if again {
                // A tape gives a value back only once, what came first last.
                let (save, restore) = self.save_values(&part, chain, &l.stmt);
                first.extend(save);
                restored.splice(0..0, restore);
            }
            forward.extend(save);
            backward.splice(0..0, restore);
        }
        forward.splice(0..0, first);
        let run = self.primal(&l.body, &[level]);
        forward.extend(self.but_for_last_block(l, run));
        let mut inner = Vec::new();
        let noted = std::mem::take(&mut self.ledger);
        self.enter(l);
        self.unsettled.push(l.private.clone());
        let mark = self.handed_on.len();
        let ((again, back), release) = self
            .with_tape_of_iteration(l, chain, |s| s.rerunning(l, level, |s| s.emit(&l.body, level + 1, &mut inner)));
        let own = self.handed_on[mark..].to_vec();
        self.unsettled.pop();
        let held = std::mem::replace(&mut self.ledger, noted);
        self.ledger.push(Entry::Rerun(memory::Rerun { path: self.path.clone(), entries: held }));
        let compared = self.iteration_comparison(l, level, chain);
        forward.extend(compared.note);
        backward.splice(0..0, compared.restore);
        backward.extend(self.but_for_last_step(l, again));
        backward.extend(compared.after);
        backward.extend(back);
        backward.extend(restored);
        backward.extend(release);
        ((forward, self.straight_to_snapshots(backward)), own)
    }

    /// The subscripts of the present iteration of the loops of `chain` in a slot whose last dimensions have these bounds.
    /// Where the iterations of a loop around these run again and bounds differ from one to the next, the outermost loop's
    /// iterations are counted from one.
    pub(in crate::reverse) fn subscripts_in(&mut self, chain: &[Around], bounds: &mut [(Expr, Expr)]) -> Vec<Expr> {
        let mut out: Vec<Expr> = chain.iter().rev().filter_map(|a| a.var).map(|s| self.b.var(s)).collect();
        let (Some(rerun), Some(at), Some((lo, hi)), Some(outer)) =
            (&mut self.slots.rerun, out.last_mut(), bounds.last_mut(), chain.first())
        else {
            return out;
        };
        if rerun.changes(self.b.program, &[(lo.clone(), hi.clone())]) {
            *at = affine::count(lo, at);
            let by = outer.step.as_ref().map_or(Some(1), Expr::as_int);
            let length = rerun.length.clone().filter(|_| by.is_some_and(|by| by.abs() == 1));
            if length.is_some() {
                rerun.counted = outer.var.map(|var| (var, at.clone()));
            }
            *hi = length.unwrap_or_else(|| affine::count(lo, hi));
            *lo = Expr::int(1);
        }
        out
    }

    /// True for a value whose slot may keep its memory from one iteration that runs again to the next.
    pub(in crate::reverse) fn lasts(&self, e: &Expr, bounds: &[(Expr, Expr)]) -> bool {
        self.slots.rerun.is_some() && !e.is_derived() && self.optional_in(bounds).is_empty()
    }

    /// Emits what runs again in an iteration of a loop at a level: what it saves keeps its memory until the outermost such
    /// loop has ended.
    pub(in crate::reverse) fn rerunning<T>(&mut self, l: &Loop, level: usize, emit: impl FnOnce(&mut Self) -> T) -> T {
        let rerun = (level == 0).then(|| {
            let Around { var, places, steady, .. } = self.around(l);
            let mut assigned: BTreeSet<SymId> = places.into_iter().map(|p| p.0).collect();
            assigned.extend(var);
            assigned
                .extend(l.blocks.iter().filter_map(|b| b.schedule.as_ref()).flat_map(|s| [s.steps.from, s.steps.to]));
            Rerun { changed: assigned, steady, length: l.blocks.as_ref().and_then(|b| b.length.clone()), counted: None }
        });
        let before = std::mem::replace(&mut self.slots.rerun, rerun);
        let out = emit(self);
        self.slots.rerun = before;
        out
    }

    /// Where iterations are counted from one in each block, gives the number a name in loops over these.
    pub(in crate::reverse) fn name_count(&mut self, sweeps: [&mut Block; 2], from: &Stmt) {
        let Some((var, at)) = self.slots.rerun.as_mut().and_then(|r| r.counted.take()) else { return };
        let base = format!("{}_in_block", self.b.program[var].name);
        let sym = self.b.local(&base, at.ty, Vec::new());
        let number = self.b.var(sym);
        for sweep in sweeps {
            self.name_count_in(sweep, (var, &at), &number, from);
        }
    }

    fn name_count_in(&mut self, block: &mut Block, (var, at): (SymId, &Expr), number: &Expr, from: &Stmt) {
        for s in block {
            let over = matches!(&s.kind, StmtKind::Do { control: LoopControl::Count { var: v, .. }, .. } if *v == var);
            for inner in s.blocks_mut() {
                if !over {
                    self.name_count_in(inner, (var, at), number, from);
                    continue;
                }
                let mut named = false;
                inner.iter_mut().for_each(|s| name_in(s, at, number, &mut named));
                if named {
                    inner.insert(0, self.b.assign(number.clone(), at.clone(), from, Role::Save));
                }
            }
        }
    }
}

/// Writes subscripts that differ from `at` by a constant in terms of a variable with that value.
fn name_in(s: &mut Stmt, at: &Expr, number: &Expr, named: &mut bool) {
    let mut subscript = |e: &Expr| match affine::difference(e, at) {
        Some(by) => {
            *named = true;
            affine::plus(number, &Expr::int(by))
        }
        None => e.clone(),
    };
    s.kind.map_exprs(&mut |e| {
        map_expr(e.clone(), &mut |mut x| {
            if let ExprKind::Var(d) = &mut x.kind {
                for part in &mut d.parts {
                    let Part::Subscripts(list) = part else { continue };
                    for sub in list {
                        if let Subscript::Index(e) = sub {
                            *e = subscript(e);
                        }
                    }
                }
            }
            x
        })
    });
    s.blocks_mut().into_iter().flatten().for_each(|s| name_in(s, at, number, named));
}
