//! What a procedure sets up in its first call. The user's procedure keeps it in saved local variables, which derivative code
//! can't reach. Where it is made of constants alone, or of values that the procedure compares with those of the call
//! before, it is the same whoever makes it: derivative procedures set it up in each of their calls, in local variables.
//! The condition around it goes, and with it all that was kept from call to call.

mod guard;
mod set_up;

use std::collections::BTreeSet;

use costate_analysis::effects::reached;
use costate_grammar::ir::{
    Block, Designator, Expr, ExprKind, Origin, ProcId, ProcKind, Program, Role, Stmt, StmtId, StmtKind, SymId,
    SymbolKind, for_each_stmt,
};

use crate::kept::{changed, is_index, mentions};
use crate::obstacles::jumps_unseen;
use crate::remap::mentioned;
use guard::{Guard, Settled};
use set_up::SetUp;

/// Makes set-ups of first calls set-ups of each call, in the procedures below the heads. What isn't understood stays.
pub(crate) fn run(program: &mut Program, heads: &[ProcId]) {
    for proc in reached(program, heads) {
        if program[proc].kind == ProcKind::Program || jumps(&program[proc].body) {
            continue;
        }
        while let Some(found) = find(program, proc) {
            found.apply(program, proc);
        }
    }
}

fn jumps(body: &[Stmt]) -> bool {
    let mut found = jumps_unseen(body);
    for_each_stmt(body, &mut |s| found |= matches!(s.kind, StmtKind::Goto(_)));
    found
}

/// A set-up that can be made in each call.
struct Found {
    /// The condition around it.
    guard: StmtId,
    /// Its statements.
    block: Block,
    /// A statement elsewhere that goes with the condition.
    counts: Option<StmtId>,
    /// The variables that were kept.
    kept: BTreeSet<SymId>,
    /// Those of them that only said whether to set up.
    flags: BTreeSet<SymId>,
}

fn find(program: &Program, proc: ProcId) -> Option<Found> {
    let saved: BTreeSet<SymId> = changed(program, proc).into_iter().filter(|s| plain(program, *s)).collect();
    if saved.is_empty() {
        return None;
    }
    let mut lists: Vec<(&[Stmt], bool)> = vec![(&program[proc].body, false)];
    while let Some((list, repeated)) = lists.pop() {
        for (at, s) in list.iter().enumerate() {
            let place = Place { program, proc, saved: &saved, list, at, repeated };
            if let Some(found) = place.set_up() {
                return Some(found);
            }
            // What threads share stays as it is.
            if !s.governing().is_empty() || matches!(s.kind, StmtKind::Directive { .. }) {
                continue;
            }
            let inside = repeated || matches!(s.kind, StmtKind::Do { .. });
            lists.extend(s.blocks().into_iter().map(|b| (b.as_slice(), inside)));
        }
    }
    None
}

/// True for a variable of intrinsic type that has one name only, and whose initial value is known.
fn plain(program: &Program, sym: SymId) -> bool {
    program.var(sym).is_some_and(|v| {
        let partial = v.data && v.init.is_none();
        let other = v.common.is_some() || v.equivalenced || v.directive || v.result || v.dummy.is_some();
        let shared = v.attrs.pointer || v.attrs.target || v.attrs.changes_unseen();
        !partial && !other && !shared && v.ty.derived().is_none() && !program.thread_variables.contains(&sym)
    })
}

/// A statement in its list.
struct Place<'p> {
    program: &'p Program,
    proc: ProcId,
    /// The saved variables that the procedure changes.
    saved: &'p BTreeSet<SymId>,
    list: &'p [Stmt],
    at: usize,
    /// The list is inside a loop.
    repeated: bool,
}

impl Place<'_> {
    fn set_up(&self) -> Option<Found> {
        let guard = &self.list[self.at];
        let StmtKind::If { arms, otherwise: None, .. } = &guard.kind else { return None };
        let [arm] = arms.as_slice() else { return None };
        let Settled { flags, keys, ends, counts } =
            Guard { program: self.program, before: &self.list[..self.at], block: &arm.body, saved: self.saved }
                .settled(&arm.cond)?;
        let block: Block = arm.body.iter().filter(|s| !ends.contains(&s.id)).cloned().collect();
        let assigned = set_up::assigned(self.program, &block);
        let others = self.others(counts);
        let mut after = BTreeSet::new();
        mentioned(&self.list[self.at + 1..], &mut after);
        let mut inside = BTreeSet::new();
        mentioned(&block, &mut inside);
        let own = |s: &SymId| !others.contains(s) && !after.contains(s);
        let skipped = |s: &Stmt| s.id == guard.id || Some(s.id) == counts;
        let index = |s: SymId| is_index(self.program, self.proc, s, &skipped);
        let (mut kept, locals): (BTreeSet<_>, BTreeSet<_>) =
            assigned.into_iter().partition(|s| self.saved.contains(s) && (own(s) || !index(*s)));
        let hidden = flags.iter().all(|s| own(s) && !inside.contains(s));
        let ready = kept.iter().all(|s| !others.contains(s) && !self.is_changed(*s));
        let constants = keys.is_empty() || kept.iter().all(|s| self.program.var(*s).is_some_and(|v| v.init.is_none()));
        let separate = |s: &SymId| index(*s) || self.is_local(*s) && (own(s) || !self.repeated && !others.contains(s));
        let locals_fit = locals.iter().all(|s| self.is_own(*s) && separate(s));
        let alone = inside.iter().copied().filter(|s| own(s) && self.is_local(*s)).collect();
        let set_up = SetUp {
            program: self.program,
            proc: self.proc,
            kept: &kept,
            locals: &locals,
            keys: &keys,
            alone,
            names: set_up::names(&block),
        };
        if !(hidden && ready && constants && locals_fit && set_up.is_repeatable(&block)) {
            return None;
        }
        kept.extend(&flags);
        Some(Found { guard: guard.id, block, counts, kept, flags })
    }

    /// What is mentioned elsewhere: neither in the set-up nor after it in its list. Statements inside the procedure's
    /// internal procedures count.
    fn others(&self, counts: Option<StmtId>) -> BTreeSet<SymId> {
        let mut out = BTreeSet::new();
        let p = &self.program[self.proc];
        p.internals.iter().for_each(|i| mentioned(&self.program[*i].body, &mut out));
        elsewhere(&p.body, (self.list[self.at].id, counts), &mut out);
        out
    }

    /// True for a variable that statements after the set-up may change.
    fn is_changed(&self, sym: SymId) -> bool {
        let after = &self.list[self.at + 1..];
        let mut found = set_up::assigned(self.program, after).contains(&sym);
        for_each_stmt(after, &mut |s| {
            found |= match &s.kind {
                StmtKind::Associate { bindings, .. } => bindings.iter().any(|(_, e)| mentions(e, sym)),
                StmtKind::Unsupported { names, .. } | StmtKind::Directive { names, .. } => names.contains(&sym),
                _ => false,
            };
        });
        found
    }

    /// True for a local variable that has one name only.
    fn is_own(&self, sym: SymId) -> bool {
        let here = self.program[sym].scope == self.program[self.proc].scope;
        here && plain(self.program, sym) && self.program.var(sym).is_some_and(|v| !v.attrs.parameter)
    }

    /// True for one that keeps nothing.
    fn is_local(&self, sym: SymId) -> bool {
        self.is_own(sym) && self.program.var(sym).is_some_and(|v| !v.attrs.save)
    }
}

/// A statement to be left out, and another one perhaps.
type LeftOut = (StmtId, Option<StmtId>);

/// What a block mentions but for a statement and those after it in its list.
fn elsewhere(block: &[Stmt], (guard, counts): LeftOut, out: &mut BTreeSet<SymId>) {
    for s in block {
        if s.id == guard {
            return;
        }
        if Some(s.id) == counts {
            continue;
        }
        let mut around = false;
        for_each_stmt(std::slice::from_ref(s), &mut |x| around |= x.id == guard);
        if around {
            let mut bare = s.clone();
            bare.blocks_mut().into_iter().for_each(Vec::clear);
            mentioned(&[bare], out);
            s.blocks().into_iter().for_each(|b| elsewhere(b, (guard, counts), out));
        } else {
            mentioned(std::slice::from_ref(s), out);
        }
    }
}

impl Found {
    fn apply(self, program: &mut Program, proc: ProcId) {
        let mut body = std::mem::take(&mut program[proc].body);
        let mut block = Vec::new();
        for s in self.kept.difference(&self.flags) {
            let Some(init) = program.var(*s).and_then(|v| v.init.clone()) else { continue };
            let Some((ty, rank)) = program.var(*s).map(|v| (v.ty, v.rank())) else { continue };
            let lhs = Expr::new(ExprKind::Var(Designator::whole(*s)), ty, rank);
            let from = find_stmt(&body, self.guard).map(|s| s.origin.span()).unwrap_or_default();
            let origin = Origin::Derived { from: self.guard, span: from, role: Role::Normal };
            block.push(Stmt::new(program.fresh_stmt(), StmtKind::Assign { lhs, rhs: init }, origin));
        }
        block.extend(self.block);
        replace(&mut body, self.guard, &mut Some(block));
        if let Some(s) = self.counts {
            replace(&mut body, s, &mut Some(Vec::new()));
        }
        program[proc].body = body;
        for s in self.kept {
            if let SymbolKind::Variable(v) = &mut program[s].kind {
                v.attrs.save = false;
                v.init = None;
                v.data = false;
            }
        }
    }
}

fn find_stmt(block: &[Stmt], id: StmtId) -> Option<&Stmt> {
    let mut found = None;
    for_each_stmt(block, &mut |s| {
        if s.id == id {
            found = Some(s);
        }
    });
    found
}

/// Puts statements in the place of one.
fn replace(block: &mut Block, id: StmtId, with: &mut Option<Block>) {
    if let Some(at) = block.iter().position(|s| s.id == id) {
        block.splice(at..=at, with.take().unwrap_or_default());
        return;
    }
    for s in block {
        s.blocks_mut().into_iter().for_each(|b| replace(b, id, with));
    }
}
