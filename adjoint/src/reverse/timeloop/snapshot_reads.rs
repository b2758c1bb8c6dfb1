//! A block of time steps that runs again saves the state at the start of each step, in a stored state of its own. Where that is
//! all that its adjoints use, the state needs no place besides: each step computes the next stored state from its own, and the
//! last step isn't run.

use std::collections::BTreeSet;

use costate_analysis::affine::{difference, minus, plus};
use costate_analysis::loops::{assigned, slope};
use costate_analysis::storage::{is_global, symbols};
use costate_grammar::intrinsics::Intrinsic;
use costate_grammar::ir::{
    Block, Designator, Dim, Expr, ExprKind, Intent, LoopControl, Origin, Part, Role, Stmt, StmtKind, Subscript, SymId,
    for_each_expr, for_each_stmt,
};

use crate::expressions::extreme;
use crate::optimise::Pass;
use crate::optimise::exposed;
use crate::reverse::Reverse;
use crate::reverse::decide::direct::{in_stmt, reference};
use crate::reverse::tree::decisions::Saved;
use crate::reverse::tree::node::Loop;
use costate_analysis::dependence::mentions::mentioned_in;
use costate_analysis::sections::scene::{Scene, calls};
use costate_analysis::sections::{Range, Section, Span, covered, holds};

/// The header of a loop over steps.
struct Steps {
    var: SymId,
    lo: Expr,
    hi: Expr,
    step: Option<Expr>,
    /// The value of the variable in the next step.
    next: Expr,
}

/// The statement of a step that makes the new values of an array.
pub(in crate::reverse) struct Maker {
    /// The nest that assigns the array.
    at: usize,
    /// Where that only copies a work array: the nest that computes it, and the work array.
    pub(in crate::reverse) work: Option<(usize, SymId)>,
    /// What it leaves as it is, for each piece the dimension and its ends.
    rest: Vec<(usize, Subscript)>,
}

impl Reverse<'_, '_> {
    /// The steps of a block, when each can compute the next stored state from its own. `body` starts with the saves; `back` are
    /// the adjoints of a step.
    pub(in crate::reverse) fn in_snapshots(
        &mut self,
        l: &Loop,
        saved: &[Saved],
        body: &Block,
        back: &Block,
    ) -> Option<Block> {
        let StmtKind::Do { control: LoopControl::Count { var, lo, hi, step }, .. } = &l.stmt.kind else { return None };
        let by = Expr::int(step.as_ref().map_or(Some(1), Expr::as_int)?);
        let here = self.b.var(*var);
        let apart =
            saved.iter().all(|s| matches!(s.indices.first(), Some(Subscript::Index(e)) if slope(e, *var) == Some(1)));
        // Under a schedule, the state itself is compared and carried on.
        if !self.passes.has(Pass::SavedStates)
            || saved.is_empty()
            || self.scheduled
            || !apart
            || l.exit.is_some()
            || !l.stable_bounds
            || !looked_into(body)
        {
            return None;
        }
        let used = exposed(back);
        let next = plus(&here, &by);
        let steps = Steps { var: *var, lo: lo.clone(), hi: minus(hi, &by), step: step.clone(), next };
        let mut body = body[saved.len()..].to_vec();
        for s in saved {
            body = self.next_snapshot(s, &steps, body, &used)?;
        }
        let slots: BTreeSet<SymId> = saved.iter().map(|s| s.slot).collect();
        let late = |s: &SymId| !slots.contains(s) && used.contains(s) && used_outside(back, *s);
        if saved.iter().any(|s| used.contains(&s.array)) || assigned(&body).iter().any(late) {
            return None;
        }
        let mut out: Block = Vec::new();
        for s in saved {
            let v = self.b.var(s.array);
            let first = section(s.slot, &v, full(v.rank), &s.at(steps.var, &steps.lo));
            out.push(self.b.assign(first, v, &l.stmt, Role::Save));
        }
        let Steps { var, lo, hi, step, .. } = steps;
        let kind = StmtKind::repeat(LoopControl::Count { var, lo, hi, step }, body);
        let mut s = self.b.derive(kind, &l.stmt, Role::Forward);
        s.leading = l.stmt.leading.clone();
        out.push(s);
        Some(out)
    }

    /// A step that computes the next stored state of one of the saves; `used` are the values that adjoints use.
    fn next_snapshot(&mut self, s: &Saved, steps: &Steps, body: Block, used: &BTreeSet<SymId>) -> Option<Block> {
        let made = self.maker_of(s.array, &body, used)?;
        Some(self.fill_snapshot(made, s, &s.at(steps.var, &steps.next), body))
    }

    /// The nest of a step that makes the new values of an array; `used` are the values that something besides uses.
    pub(in crate::reverse) fn maker_of(&self, array: SymId, body: &[Stmt], used: &BTreeSet<SymId>) -> Option<Maker> {
        let writers: Vec<usize> = (0..body.len()).filter(|k| assigned(&body[*k..=*k]).contains(&array)).collect();
        let [at] = writers[..] else { return None };
        let nest = Nest::of(&self.b.scene(), &body[at])?;
        let [Stmt { kind: StmtKind::Assign { lhs, rhs }, .. }] = nest.body else { return None };
        let target = lhs.as_var()?;
        let covers = nest.covers(&self.b.scene(), target)?;
        // What the nest itself uses of the array is the element that it assigns.
        let of_array = |d: &Designator| d.sym == array;
        if count(&body[at..], &of_array) != count(&body[at..=at], &|d| d == target) {
            return None;
        }
        let source = rhs.as_var().filter(|d| d.parts == target.parts && rhs.ty == lhs.ty).map(|d| d.sym);
        let work = source.filter(|x| !used.contains(x)).and_then(|x| Some((self.maker(&body[..=at], x, &covers)?, x)));
        Some(Maker { at, work, rest: self.unassigned(array, &covers)? })
    }

    /// The step with the new values in the stored state at `next`.
    pub(in crate::reverse) fn fill_snapshot(
        &mut self,
        made: Maker,
        s: &Saved,
        next: &[Subscript],
        mut body: Block,
    ) -> Block {
        let Maker { at, work, rest } = made;
        let whole = self.b.var(s.array);
        // The elements that a step leaves as they are go from one stored state to the next.
        let copies = self.copy_pieces(&whole, rest, [(s.slot, next), (s.slot, &s.indices)], &body[at]);
        let (place, assigned) = work.unwrap_or((at, s.array));
        if place != at {
            body.remove(at);
        }
        replace_target(&mut body[place], assigned, &|list| section(s.slot, &whole, list, next));
        let all = section(s.slot, &whole, full(whole.rank), &s.indices);
        let read = |x: Expr| match x.as_var() {
            Some(d) if d.sym == s.array => reference(d, &x, s.slot, &s.indices, &all),
            _ => x,
        };
        body.iter_mut().for_each(|stmt| in_stmt(stmt, &read));
        body.splice(place + 1..place + 1, copies);
        body
    }

    /// The place of the nest that computes, in a work array, what the last of the statements only copies.
    fn maker(&self, body: &[Stmt], work: SymId, copied: &Section) -> Option<usize> {
        let scene = self.b.scene();
        let v = self.b.program.var(work)?;
        let own =
            scene.local(work) && v.dummy.is_none() && !v.result && !v.attrs.save && !is_global(self.b.program, work);
        let using: Vec<usize> = (0..body.len()).filter(|k| count(&body[*k..=*k], &|d| d.sym == work) > 0).collect();
        let [at, last] = using[..] else { return None };
        let nest = Nest::of(&scene, &body[at])?;
        let target = nest.body.iter().find_map(|s| match &s.kind {
            StmtKind::Assign { lhs, .. } => lhs.as_var().filter(|d| d.sym == work),
            _ => None,
        })?;
        let once = count(&body[at..=at], &|d| d.sym == work) == 1 && count(&body[last..], &|d| d.sym == work) == 1;
        let covers = nest.covers(&scene, target)?;
        let same = holds(&covers, copied) && holds(copied, &covers);
        (own && scene.plain_array(work) && once && same && last + 1 == body.len()).then_some(at)
    }

    /// What a block runs again, where it takes a state back from its snapshot and saves all of it in the first stored state: what
    /// the snapshot holds goes straight to the stored state where nothing else uses the state.
    pub(in crate::reverse) fn straight_to_snapshots(&mut self, mut again: Block) -> Block {
        // A procedure may use the state by another way than its name here.
        let mut called = false;
        for_each_stmt(&again, &mut |s| called |= calls(s));
        let mut at = if called { again.len() } else { 0 };
        while at < again.len() {
            match self.straight(&again, at) {
                Some((to, made)) => {
                    again.splice(to..=to, made);
                    again.remove(at);
                }
                None => at += 1,
            }
        }
        again
    }

    /// For the restore at `at`, the save in a stored state and what stands in place of it.
    fn straight(&mut self, list: &Block, at: usize) -> Option<(usize, Block)> {
        let restored = matches!(list[at].origin, Origin::Derived { role: Role::Restore, .. });
        let StmtKind::Assign { lhs, rhs } = &list[at].kind else { return None };
        let state = lhs.as_var().filter(|d| restored && self.b.scene().plain_array(d.sym))?;
        let uses = |s: &Stmt| {
            !matches!(s.origin, Origin::Derived { role: Role::Storage, .. })
                && mentioned_in(std::slice::from_ref(s)).contains(&state.sym)
        };
        let using: Vec<usize> = (0..list.len()).filter(|k| uses(&list[*k])).collect();
        let [first, to] = using[..] else { return None };
        let StmtKind::Assign { lhs: stored, rhs: saved } = &list[to].kind else { return None };
        let stored = stored
            .as_var()
            .filter(|_| first == at && saved.as_var().is_some_and(|d| d.sym == state.sym && d.parts.is_empty()))?;
        let [Part::Subscripts(subscripts)] = stored.parts.as_slice() else { return None };
        let whole = self.b.var(state.sym);
        let indices = subscripts.get(usize::from(whole.rank)..)?.to_vec();
        if subscripts[..usize::from(whole.rank)] != full(whole.rank) {
            return None;
        }
        let (picked, rest) = match state.parts.as_slice() {
            [] => (full(whole.rank), Vec::new()),
            [Part::Subscripts(list)] if lhs.rank == whole.rank => {
                let covers = list.iter().map(bounded).collect::<Option<Section>>()?;
                (list.clone(), self.unassigned(state.sym, &covers)?)
            }
            _ => return None,
        };
        let slot = stored.sym;
        let mut made =
            vec![self.b.assign(section(slot, &whole, picked, &indices), rhs.clone(), &list[to], Role::Restore)];
        made.extend(self.copy_pieces(&whole, rest, [(slot, &indices), (state.sym, &[])], &list[to]));
        Some((to, made))
    }

    /// Copies pieces of an array from one stored state to the next, `[to, of]`.
    fn copy_pieces(
        &mut self,
        whole: &Expr,
        pieces: Vec<(usize, Subscript)>,
        stored: [(SymId, &[Subscript]); 2],
        from: &Stmt,
    ) -> Block {
        let mut out = Block::new();
        for (k, ends) in pieces {
            let mut list = full(whole.rank);
            list[k] = ends;
            let [to, of] = stored.map(|(slot, indices)| section(slot, whole, list.clone(), indices));
            out.push(self.b.assign(to, of, from, Role::Save));
        }
        out
    }

    /// The pieces of an array that lie outside of a section, for each the dimension and its ends there.
    fn unassigned(&self, array: SymId, covers: &Section) -> Option<Vec<(usize, Subscript)>> {
        let dims = &self.b.program.var(array)?.dims;
        let whole = self.b.var(array);
        let mut out = Vec::new();
        for (k, (span, dim)) in covers.iter().zip(dims).enumerate() {
            let (lo, hi) = span.limits()?;
            let (first, last) = self.limits_of_dim(&whole, k, dim)?;
            let below = (difference(&lo, &first) != Some(0))
                .then(|| (None, Some(extreme(Intrinsic::Min, plus(&lo, &Expr::int(-1)), last.clone()))));
            let above = (difference(&last, &hi) != Some(0))
                .then(|| (Some(extreme(Intrinsic::Max, plus(&hi, &Expr::int(1)), first.clone())), None));
            let pieces = below.into_iter().chain(above);
            out.extend(pieces.map(|(lo, hi)| (k, Subscript::Range { lo, hi, step: None })));
        }
        Some(out)
    }

    /// The bounds of an array's dimension, as they are where the array is in use.
    fn limits_of_dim(&self, whole: &Expr, k: usize, dim: &Dim) -> Option<(Expr, Expr)> {
        let Dim::Explicit(lo, hi) = dim else { return None };
        let fixed =
            |e: &Expr| symbols(e).iter().all(|s| self.b.program.var(*s).is_some_and(|v| v.intent == Some(Intent::In)));
        let ask = |which| Expr::intrinsic(which, vec![whole.clone(), Expr::int(k as i64 + 1)]);
        let lo = lo.clone().unwrap_or_else(|| Expr::int(1));
        let lo = if fixed(&lo) { lo } else { ask(Intrinsic::Lbound) };
        Some((lo, if fixed(hi) { hi.clone() } else { ask(Intrinsic::Ubound) }))
    }
}

/// Loops of which each but the innermost holds just the next one.
struct Nest<'s> {
    ranges: Vec<Range>,
    body: &'s [Stmt],
}

impl<'s> Nest<'s> {
    fn of(scene: &Scene<'_>, mut s: &'s Stmt) -> Option<Nest<'s>> {
        let mut ranges = Vec::new();
        loop {
            let (StmtKind::Do { control, body, .. }, false) = (&s.kind, s.is_region()) else { return None };
            ranges.push(scene.range_of(control, body));
            match body.as_slice() {
                [only] if matches!(only.kind, StmtKind::Do { .. }) => s = only,
                body => {
                    let plain = body.iter().all(|s| matches!(s.kind, StmtKind::Assign { .. }));
                    return plain.then_some(Nest { ranges, body });
                }
            }
        }
    }

    /// The elements that a reference stands for while the loops run, all of them.
    fn covers(&self, scene: &Scene<'_>, d: &Designator) -> Option<Section> {
        let (section, true) = scene.section(d)? else { return None };
        self.ranges.iter().rev().try_fold(section, |s, range| covered(&s, range))
    }
}

/// The span of a range with both ends.
fn bounded(s: &Subscript) -> Option<Span> {
    let Subscript::Range { lo: Some(lo), hi: Some(hi), step: None } = s else { return None };
    let (span, exact) = Span::between(lo, hi);
    exact.then_some(span)
}

/// True for assignments in loops and branches, without calls.
pub(in crate::reverse) fn looked_into(body: &[Stmt]) -> bool {
    let mut fine = true;
    for_each_stmt(body, &mut |s| {
        let known = matches!(
            s.kind,
            StmtKind::Assign { .. } | StmtKind::Do { control: LoopControl::Count { .. }, .. } | StmtKind::If { .. }
        );
        let known = known && !s.is_region();
        fine &= known && !calls(s);
    });
    fine
}

/// True when a variable is used outside of loops over it.
fn used_outside(block: &[Stmt], sym: SymId) -> bool {
    block.iter().any(|s| {
        let over = matches!(&s.kind, StmtKind::Do { control: LoopControl::Count { var, .. }, .. } if *var == sym);
        s.exprs().into_iter().any(|e| symbols(e).contains(&sym))
            || !over && s.blocks().into_iter().any(|b| used_outside(b, sym))
    })
}

/// How many references there are for which something holds.
fn count(block: &[Stmt], of: &dyn Fn(&Designator) -> bool) -> usize {
    let mut n = 0;
    for_each_stmt(block, &mut |s| {
        for e in s.exprs() {
            for_each_expr(e, &mut |x| n += usize::from(x.as_var().is_some_and(of)));
        }
    });
    n
}

pub(in crate::reverse) fn full(rank: u8) -> Vec<Subscript> {
    vec![Subscript::Range { lo: None, hi: None, step: None }; rank.into()]
}

/// Elements or a section of a save like those of the array `whole`.
pub(in crate::reverse) fn section(slot: SymId, whole: &Expr, list: Vec<Subscript>, stored: &[Subscript]) -> Expr {
    let rank = list.iter().filter(|s| matches!(s, Subscript::Range { .. })).count() as u8;
    let parts = vec![Part::Subscripts(list.into_iter().chain(stored.iter().cloned()).collect())];
    Expr::new(ExprKind::Var(Designator { sym: slot, parts }), whole.ty, rank)
}

/// Lets the assignments to an array assign something else at the same subscripts.
fn replace_target(s: &mut Stmt, sym: SymId, other: &dyn Fn(Vec<Subscript>) -> Expr) {
    if let StmtKind::Assign { lhs, .. } = &mut s.kind
        && let Some(Designator { sym: of, parts }) = lhs.as_var()
        && *of == sym
        && let [Part::Subscripts(list)] = parts.as_slice()
    {
        *lhs = other(list.clone());
    }
    s.blocks_mut().into_iter().flatten().for_each(|s| replace_target(s, sym, other));
}
