//! Ways to do without a save: an adjoint that is written by its statement's result doesn't need what the statement
//! overwrites, and an increment can be undone by the opposite increment. Each is tried for everything that is saved of a
//! variable, and stays where the procedure then runs and saves less.

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use costate_grammar::ir::{Expr, Stmt, StmtId, StmtKind, SymId, for_each_expr};

use super::{liveness, to_be_recorded};
use crate::reverse::Reverse;
use crate::reverse::tree::node::{Leaf, Loop, Node};

/// A way to do without a save.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Way {
    /// Adjoints by the result, in loops that save in place of running their iterations again.
    Result,
    /// Adjoints by the result in loops as they are.
    ResultRecomputed,
    /// The opposite assignment.
    Undo,
}

/// What a tree of nodes takes.
#[derive(Debug, Default)]
pub(super) struct Price {
    /// Statements that run and values that are saved and restored, by how often.
    pub(super) work: u64,
    /// Variables that something is saved of.
    saved: BTreeSet<SymId>,
    /// What is saved at the starts of iterations that run again.
    snapshots: BTreeMap<StmtId, Vec<Expr>>,
}

/// How many iterations a loop is taken to have.
const TRIPS: u64 = 32;

impl Reverse<'_, '_> {
    /// Changes what is saved of each variable to something else where that is better. Returns the variables of which
    /// something is still saved.
    pub(in crate::reverse) fn avoid_saves(&mut self, nodes: &mut [Node]) -> BTreeSet<SymId> {
        let mut best = self.price(nodes);
        // What is decided for the nodes belongs to them as they are, and not to a trial.
        let mut current = true;
        let mentions = mentions(nodes);
        for sym in best.saved.clone() {
            let Some(among) = mentions.get(&sym) else { continue };
            for way in [Way::Result, Way::ResultRecomputed, Way::Undo] {
                if !best.saved.contains(&sym) || way == Way::Undo && !self.allow_undo {
                    continue;
                }
                if way == Way::Undo && !current {
                    self.judge(nodes);
                    current = true;
                }
                let mut before = Before::default();
                self.change(nodes, &Trial { sym, way, among }, &mut before);
                if before.leaves.is_empty() {
                    continue;
                }
                let price = self.price(nodes);
                current = price.work < best.work && price.within(&best);
                if current {
                    best = price;
                } else {
                    before.restore(nodes);
                }
            }
        }
        liveness::forget(nodes);
        best.saved
    }

    /// Decides what is kept and saved.
    pub(in crate::reverse) fn judge(&self, nodes: &mut [Node]) {
        liveness::forget(nodes);
        liveness::analyse(nodes, 0, true, self.live_out.clone());
        self.find_unneeded(nodes);
        to_be_recorded::analyse(nodes, 0, &mut Default::default());
    }

    /// What nodes take when that is decided.
    pub(super) fn price(&self, nodes: &mut [Node]) -> Price {
        self.judge(nodes);
        let mut out = Price::default();
        out.add(nodes, 1);
        out
    }

    /// Changes the statements because of which a variable is saved, and notes what they were before.
    fn change(&mut self, nodes: &mut [Node], trial: &Trial<'_>, before: &mut Before) {
        for node in nodes {
            match node {
                Node::Leaf(l) => {
                    let saves = std::mem::take(&mut l.saves);
                    self.change_leaf(l, trial, &saves, before);
                    l.saves = saves;
                }
                Node::Branch(b) => b.arms.iter_mut().for_each(|a| self.change(a, trial, before)),
                Node::Loop(l) => {
                    self.ranges.push(l.range.clone());
                    self.change_loop(l, trial, before);
                    self.ranges.pop();
                }
            }
        }
    }

    fn change_loop(&mut self, l: &mut Loop, trial: &Trial<'_>, before: &mut Before) {
        let simple = l.region && l.blocks.is_none() && l.body.iter().all(|n| matches!(n, Node::Leaf(_)));
        if !simple || trial.way == Way::ResultRecomputed {
            return self.change(&mut l.body, trial, before);
        }
        let count = before.leaves.len();
        for node in &mut l.body {
            if let Node::Leaf(leaf) = node {
                self.change_leaf(leaf, trial, &l.snapshot, before);
            }
        }
        if before.leaves.len() > count {
            l.region = false;
            before.regions.insert(l.stmt.id);
        }
    }

    fn change_leaf(&mut self, l: &mut Leaf, trial: &Trial<'_>, saves: &[Expr], before: &mut Before) {
        let Some(changed) = trial.among.contains(&l.stmt.id).then(|| self.changed(l, trial, saves)).flatten() else {
            return;
        };
        before.leaves.insert(l.stmt.id, std::mem::replace(l, changed));
    }

    /// What a leaf becomes, if it can be changed. `saves` is what is saved because of the statement.
    fn changed(&mut self, l: &Leaf, trial: &Trial<'_>, saves: &[Expr]) -> Option<Leaf> {
        let Trial { sym, way, .. } = *trial;
        let StmtKind::Assign { lhs, rhs } = &l.stmt.kind else { return None };
        let [(target, locs)] = l.targets.as_slice() else { return None };
        let mut out = if way == Way::Undo {
            let lost = target.as_var().is_some_and(|d| d.sym == sym) && saves.contains(target);
            if !lost || l.undo.is_some() {
                return None;
            }
            let undo = Some(self.opposite(&l.stmt)?);
            let mut out = Leaf { undo, ..l.clone() };
            out.needs.extend(self.effects.access(self.b.program, &l.stmt).reads.difference(locs));
            out
        } else {
            if l.by_result || l.undo.is_some() {
                return None;
            }
            let old = references(&l.adjoint, sym);
            if old.is_empty() {
                return None;
            }
            let (adjoint, needs) = self.adjoint_by_result(&l.stmt, lhs, rhs)?;
            let mut new = references(&adjoint, sym);
            new.retain(|x| x != lhs);
            if old.iter().all(|x| new.contains(x)) {
                return None;
            }
            Leaf { adjoint: Rc::new(adjoint), needs, by_result: true, ..l.clone() }
        };
        out.after.extend(locs);
        Some(out)
    }
}

/// What is tried.
struct Trial<'t> {
    /// The variable of which something is saved.
    sym: SymId,
    /// The way to do without.
    way: Way,
    /// The statements that may be concerned.
    among: &'t BTreeSet<StmtId>,
}

/// What nodes were before a trial changed them.
#[derive(Default)]
pub(super) struct Before {
    pub(super) leaves: BTreeMap<StmtId, Leaf>,
    /// The loops that were regions.
    regions: BTreeSet<StmtId>,
}

impl Before {
    /// Takes the trial back, except for what was decided in it.
    pub(super) fn restore(&mut self, nodes: &mut [Node]) {
        for node in nodes {
            match node {
                Node::Leaf(l) => {
                    if let Some(before) = self.leaves.remove(&l.stmt.id) {
                        **l = before;
                    }
                }
                Node::Branch(b) => b.arms.iter_mut().for_each(|a| self.restore(a)),
                Node::Loop(l) => {
                    l.region |= l.blocks.is_none() && self.regions.contains(&l.stmt.id);
                    self.restore(&mut l.body);
                }
            }
        }
    }
}

impl Price {
    fn add(&mut self, nodes: &[Node], times: u64) {
        for node in nodes {
            match node {
                Node::Leaf(l) => {
                    let runs = l.keep.iter().filter(|k| **k).count() as u64 + u64::from(l.undone);
                    self.work = self.work.saturating_add(runs.saturating_mul(times));
                    self.save(l.saves.iter().chain(&l.preserve), times);
                }
                Node::Branch(b) => b.arms.iter().for_each(|a| self.add(a, times)),
                Node::Loop(l) => {
                    let times = times.saturating_mul(TRIPS);
                    self.save(l.snapshot.iter(), times);
                    if l.region {
                        self.snapshots.insert(l.stmt.id, l.snapshot.clone());
                    }
                    self.add(&l.body, times);
                }
            }
        }
    }

    fn save<'e>(&mut self, saves: impl Iterator<Item = &'e Expr>, times: u64) {
        for e in saves {
            let elements = TRIPS.saturating_pow(u32::from(e.rank));
            // To be written, and to be read again.
            self.work = self.work.saturating_add(times.saturating_mul(elements).saturating_mul(2));
            self.saved.extend(e.as_var().map(|d| d.sym));
        }
    }

    /// True when no snapshot takes more than in `other`, for which the loops were found fit to run again.
    pub(super) fn within(&self, other: &Price) -> bool {
        let fits = |(id, list): (&StmtId, &Vec<Expr>)| {
            other.snapshots.get(id).is_some_and(|known| list.iter().all(|e| known.contains(e)))
        };
        self.snapshots.iter().all(fits)
    }
}

/// The leaves that assign a variable, or whose adjoints refer to it.
fn mentions(nodes: &[Node]) -> BTreeMap<SymId, BTreeSet<StmtId>> {
    let mut out: BTreeMap<SymId, BTreeSet<StmtId>> = BTreeMap::new();
    for node in nodes {
        node.for_each_leaf(&mut |l| {
            for e in l.adjoint.iter().flat_map(Stmt::exprs).chain(l.targets.iter().map(|(target, _)| target)) {
                for_each_expr(e, &mut |x| {
                    if let Some(d) = x.as_var() {
                        out.entry(d.sym).or_default().insert(l.stmt.id);
                    }
                });
            }
        });
    }
    out
}

/// The references to a variable in statements.
fn references(stmts: &[Stmt], sym: SymId) -> Vec<Expr> {
    let mut out = Vec::new();
    for e in stmts.iter().flat_map(Stmt::exprs) {
        for_each_expr(e, &mut |x| out.extend(x.as_var().filter(|d| d.sym == sym).map(|_| x.clone())));
    }
    out
}
