//! The value that a loop leaves in its variable: where it is of use, or someone but the loop's own statements may look at
//! the variable, the loop runs over a variable of its own and assigns the user's like any other:
//!
//! ```fortran
//! do i = 1, n                     do i1 = 1, n
//!  call f(x(i))         ->         call f(x(i1))
//! end do                          end do
//!                                 i = max(1, n + 1)
//! ```
//!
//! So the sweeps keep, save and restore it by the same rules as every variable; a backward loop never stands for it.

use std::collections::BTreeSet;

use costate_analysis::affine::plus;
use costate_analysis::loops::{exit_flag, substitute};
use costate_analysis::storage::{LocId, LocSet};
use costate_grammar::intrinsics::Intrinsic;
use costate_grammar::ir::{Block, Expr, IfArm, LoopControl, Role, Stmt, StmtKind, SymId, for_each_stmt};
use costate_grammar::operators::BinaryOp;

use crate::expressions::in_kind;
use crate::remap;
use crate::reverse::Reverse;

/// A counted loop's header.
struct Header<'a> {
    var: SymId,
    lo: &'a Expr,
    hi: &'a Expr,
    step: Option<&'a Expr>,
}

impl Reverse<'_, '_> {
    /// The body with assignments of the loop variables whose values are of use after their loops.
    pub(in crate::reverse) fn with_loop_values(&mut self, body: &[Stmt]) -> Block {
        let mut vars = BTreeSet::new();
        for_each_stmt(body, &mut |s| vars.extend(header(s).map(|h| h.var)));
        let seen: Vec<SymId> = vars.iter().copied().filter(|v| self.is_seen(*v)).collect();
        let mut live: LocSet = seen.into_iter().flat_map(|v| self.own_leaves(v)).collect();
        self.values_in(body, &mut live)
    }

    fn own_leaves(&mut self, var: SymId) -> Vec<LocId> {
        self.effects.locs.leaves(self.b.program, var, &[])
    }

    /// True for a variable that others than the procedure's own statements may look at by its name.
    fn is_seen(&self, var: SymId) -> bool {
        self.b.outlives(var) || self.is_aliased(var) || self.is_mentioned_inside(var)
    }

    /// True for a variable that an internal procedure uses, or declares something with.
    fn is_mentioned_inside(&self, var: SymId) -> bool {
        let program = &*self.b.program;
        program[self.b.primal].internals.iter().any(|p| {
            let mut used: BTreeSet<SymId> = program[program[*p].scope].names.values().copied().collect();
            remap::mentioned(&program[*p].body, &mut used);
            remap::declared_with(program, used, |_| true).contains(&var)
        })
    }

    /// True for a variable that may be looked at by another name.
    fn is_aliased(&self, var: SymId) -> bool {
        self.b.program.var(var).is_none_or(|v| {
            v.equivalenced || v.common.is_some() || v.attrs.target || v.attrs.pointer || v.attrs.changes_unseen()
        })
    }

    /// What may be read from the start of a block on. `live` is what may be read after it.
    fn live_before(&mut self, block: &[Stmt], mut live: LocSet) -> LocSet {
        for stmt in block.iter().rev() {
            live = match stmt.kind {
                StmtKind::Do { .. } => {
                    let inner = self.live_in_body(stmt, &live);
                    let live = live.union(&inner).copied().collect();
                    // The variable of a loop whose iterations are shared out is another one than that after it.
                    if stmt.is_region() { live } else { self.before_loop(stmt, live) }
                }
                _ => {
                    let blocks: Vec<LocSet> =
                        stmt.blocks().into_iter().map(|b| self.live_before(b, live.clone())).collect();
                    self.before_statement(stmt, live, blocks)
                }
            };
        }
        live
    }

    /// The same of a statement that is no loop, of whose blocks it is known.
    fn before_statement(&mut self, stmt: &Stmt, mut live: LocSet, blocks: Vec<LocSet>) -> LocSet {
        let access = self.effects.access(self.b.program, stmt);
        if blocks.is_empty() {
            live.retain(|l| !access.kills.contains(l));
        } else if costate_analysis::activity::exhaustive(stmt) {
            live.clear();
        }
        live.extend(blocks.into_iter().flatten().chain(access.reads));
        live
    }

    /// The same of a loop: its header gives its variable a value even where no iteration follows.
    fn before_loop(&mut self, stmt: &Stmt, mut live: LocSet) -> LocSet {
        let own = header(stmt).map(|h| self.own_leaves(h.var)).unwrap_or_default();
        live.retain(|l| !own.contains(l));
        live.extend(self.effects.access(self.b.program, stmt).reads);
        live
    }

    /// What may be read after the body of a loop: what is read after the loop, and by a later iteration.
    fn live_in_body(&mut self, stmt: &Stmt, after: &LocSet) -> LocSet {
        let StmtKind::Do { body, .. } = &stmt.kind else { return LocSet::new() };
        let mut inner = after.clone();
        inner.extend(self.effects.access(self.b.program, stmt).reads);
        // The header assigns its variable between iterations.
        let own = header(stmt).map(|h| self.own_leaves(h.var)).unwrap_or_default();
        loop {
            let size = inner.len();
            let before = self.live_before(body, inner.clone());
            inner.extend(before.into_iter().filter(|l| !own.contains(l)));
            if inner.len() == size {
                return inner;
            }
        }
    }

    /// Rewrites a block from its end. `live` is what may be read after it, then what may be read from its start on.
    fn values_in(&mut self, block: &[Stmt], live: &mut LocSet) -> Block {
        let mut out: Vec<Stmt> = Vec::new();
        for stmt in block.iter().rev() {
            if stmt.is_region() {
                *live = self.live_before(std::slice::from_ref(stmt), std::mem::take(live));
                out.push(stmt.clone());
                continue;
            }
            if matches!(stmt.kind, StmtKind::Do { .. }) {
                out.extend(self.loop_values(stmt, live).into_iter().rev());
                continue;
            }
            let mut s = stmt.clone();
            let mut blocks = Vec::new();
            for inner in s.blocks_mut() {
                let mut own = live.clone();
                *inner = self.values_in(&std::mem::take(inner), &mut own);
                blocks.push(own);
            }
            *live = self.before_statement(stmt, std::mem::take(live), blocks);
            out.push(s);
        }
        out.reverse();
        out
    }

    fn loop_values(&mut self, stmt: &Stmt, live: &mut LocSet) -> Block {
        let StmtKind::Do { body, .. } = &stmt.kind else { return vec![stmt.clone()] };
        let after = live.clone();
        let mut inner = self.live_in_body(stmt, &after);
        let mut new = self.values_in(body, &mut inner);
        live.extend(inner);
        *live = self.before_loop(stmt, std::mem::take(live));
        let own = header(stmt).map(|h| self.own_leaves(h.var)).unwrap_or_default();
        let mut s = stmt.clone();
        let Some(h) = header(stmt).filter(|_| own.iter().any(|l| after.contains(l))) else {
            replace_body(&mut s, new);
            return vec![s];
        };
        let mut out = Block::new();
        let bounds = self.steady_bounds(&h, &new, stmt, &mut out);
        let h = Header { var: h.var, lo: &bounds.0, hi: &bounds.1, step: bounds.2.as_ref() };
        let index = self.stand_in(h.var);
        self.renamed(&mut new, h.var, &index);
        let value = self.b.var(h.var);
        let leaving = exit_flag(&new).cloned();
        if self.looks_at(&new, h.var) {
            new.insert(0, self.b.assign(value.clone(), index.clone(), stmt, Role::Forward));
        }
        if let Some(flag) = &leaving {
            out.push(self.b.assign(value.clone(), h.lo.clone(), stmt, Role::Forward));
            let at = new.len() - 1;
            let choice = self.leaving_value(&h, &index, flag, stmt);
            new.insert(at, choice);
        }
        let last = leaving.is_none().then(|| self.b.assign(value, last_value(&h), stmt, Role::Forward));
        if let StmtKind::Do { control, .. } = &mut s.kind
            && let Some(d) = index.as_var()
        {
            let step = h.step.cloned();
            *control = LoopControl::Count { var: d.sym, lo: h.lo.clone(), hi: h.hi.clone(), step };
        }
        replace_body(&mut s, new);
        out.push(s);
        out.extend(last);
        out
    }

    /// A local variable in place of the user's.
    fn stand_in(&mut self, var: SymId) -> Expr {
        let name = self.b.program[var].name.to_string();
        let sym = match self.b.program.var(var).cloned() {
            Some(like) => self.b.local_like(&name, &like, Vec::new()),
            None => self.b.local(&name, costate_grammar::ir::Ty::INTEGER, Vec::new()),
        };
        // Its values are the primal's: what is recorded and recomputed may depend on it.
        self.b.made.remove(&sym);
        self.b.var(sym)
    }

    /// The bounds in variables of their own where they may change before the loop has ended, or are of another kind.
    fn steady_bounds(
        &mut self,
        h: &Header<'_>,
        body: &[Stmt],
        stmt: &Stmt,
        out: &mut Block,
    ) -> (Expr, Expr, Option<Expr>) {
        let mut written: LocSet = self.own_leaves(h.var).into_iter().collect();
        let mut all = Vec::new();
        for_each_stmt(body, &mut |s| all.push(s.clone()));
        for s in &all {
            written.extend(self.effects.access(self.b.program, s).writes);
        }
        let ty = self.b.var(h.var).ty;
        let mut steady = |e: &Expr, name: &str| {
            let mut reads = LocSet::new();
            self.effects.reads(self.b.program, e, &mut reads);
            if e.ty == ty && reads.is_disjoint(&written) || e.as_int().is_some() {
                return e.clone();
            }
            let sym = self.b.local(name, ty, Vec::new());
            self.b.made.remove(&sym);
            let v = self.b.var(sym);
            out.push(self.b.assign(v.clone(), e.clone(), stmt, Role::Forward));
            v
        };
        (steady(h.lo, "first"), steady(h.hi, "last"), h.step.map(|s| steady(s, "step")))
    }

    /// Puts the loop's own variable in place of the user's. Input and output is text, which stays as it is.
    fn renamed(&self, block: &mut Block, var: SymId, index: &Expr) {
        for s in block {
            if !matches!(s.kind, StmtKind::Io { .. } | StmtKind::Unsupported { .. }) {
                s.kind.map_exprs(&mut |e| substitute(e, var, index));
            }
            for inner in s.blocks_mut() {
                self.renamed(inner, var, index);
            }
        }
    }

    /// True when statements may still look at the user's variable.
    fn looks_at(&mut self, block: &[Stmt], var: SymId) -> bool {
        if self.is_aliased(var) {
            return true;
        }
        let own = self.own_leaves(var);
        let mut all = Vec::new();
        for_each_stmt(block, &mut |s| all.push(s.clone()));
        all.iter().any(|s| {
            let access = self.effects.access(self.b.program, s);
            own.iter().any(|l| access.reads.contains(l))
        })
    }

    /// At the end of an iteration of a loop that may be left there: the value in it, or that of the next one.
    fn leaving_value(&mut self, h: &Header<'_>, index: &Expr, flag: &Expr, stmt: &Stmt) -> Stmt {
        let value = self.b.var(h.var);
        let here = self.b.assign(value.clone(), index.clone(), stmt, Role::Forward);
        let step = h.step.cloned().unwrap_or_else(|| Expr::int(1));
        let next = self.b.assign(value, index.clone().add(step), stmt, Role::Forward);
        let arms = vec![IfArm { cond: flag.clone(), body: vec![here] }];
        let kind = StmtKind::If { name: None, arms, otherwise: Some(vec![next]), one_line: false };
        self.b.derive(kind, stmt, Role::Forward)
    }
}

fn header(stmt: &Stmt) -> Option<Header<'_>> {
    match &stmt.kind {
        StmtKind::Do { control: LoopControl::Count { var, lo, hi, step }, .. } => {
            Some(Header { var: *var, lo, hi, step: step.as_ref() })
        }
        _ => None,
    }
}

fn replace_body(stmt: &mut Stmt, new: Block) {
    if let StmtKind::Do { body, .. } = &mut stmt.kind {
        *body = new;
    }
}

/// What a loop's variable is once the loop has ended (F2018 11.1.7.4.3).
fn last_value(h: &Header<'_>) -> Expr {
    let step = h.step.map_or(Some(1), Expr::as_int);
    match (h.lo.as_int(), h.hi.as_int(), step) {
        (Some(lo), Some(hi), Some(s)) if s != 0 => return Expr::int(lo + ((hi - lo + s) / s).max(0) * s),
        (_, _, Some(1)) => return furthest(Intrinsic::Max, h, 1),
        (_, _, Some(-1)) => return furthest(Intrinsic::Min, h, -1),
        _ => {}
    }
    let step = h.step.cloned().unwrap_or_else(|| Expr::int(1));
    let range = h.hi.clone().sub(h.lo.clone()).add(step.clone());
    let trips = Expr::binary(BinaryOp::Div, range, step.clone());
    let zero = Expr::zero(trips.ty);
    h.lo.clone().add(Expr::intrinsic(Intrinsic::Max, vec![trips, zero]).mul(step))
}

/// The first value, or the one beyond the limit of a loop that has iterations. Both are of one kind.
fn furthest(which: Intrinsic, h: &Header<'_>, step: i64) -> Expr {
    let beyond = plus(h.hi, &Expr::int(step));
    let ty = h.lo.ty.promote(beyond.ty);
    Expr::intrinsic(which, [h.lo.clone(), beyond].map(|e| in_kind(e, ty)).into())
}
