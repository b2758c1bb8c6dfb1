//! Ways to do without a save: an adjoint that is written by its statement's result doesn't need what the statement
//! overwrites, and an increment can be undone by the opposite increment. Each is tried for everything that is saved of a
//! variable, and stays where the procedure then runs and saves less.

use std::collections::{BTreeMap, BTreeSet};

use costate_analysis::storage::symbols;
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
struct Price {
    /// Statements that run and values that are saved and restored, by how often.
    work: u64,
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
    pub(in crate::reverse) fn avoid_saves(&mut self, nodes: &mut Vec<Node>) -> BTreeSet<SymId> {
        let mut best = self.price(nodes);
        for sym in best.saved.clone() {
            for way in [Way::Result, Way::ResultRecomputed, Way::Undo] {
                if !best.saved.contains(&sym) || way == Way::Undo && !self.allow_undo {
                    continue;
                }
                let mut trial = nodes.clone();
                if !self.change(&mut trial, sym, way) {
                    continue;
                }
                let price = self.price(&mut trial);
                if price.work < best.work && price.within(&best) {
                    (*nodes, best) = (trial, price);
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
    fn price(&self, nodes: &mut [Node]) -> Price {
        self.judge(nodes);
        let mut out = Price::default();
        out.add(nodes, 1);
        out
    }

    /// Changes the statements because of which `sym` is saved; false when there are none that can be changed.
    fn change(&mut self, nodes: &mut [Node], sym: SymId, way: Way) -> bool {
        let mut changed = false;
        for node in nodes {
            match node {
                Node::Leaf(l) => {
                    let saves = l.saves.clone();
                    changed |= self.change_leaf(l, sym, way, &saves);
                }
                Node::Branch(b) => b.arms.iter_mut().for_each(|a| changed |= self.change(a, sym, way)),
                Node::Loop(l) => {
                    self.ranges.push(l.range.clone());
                    changed |= self.change_loop(l, sym, way);
                    self.ranges.pop();
                }
            }
        }
        changed
    }

    fn change_loop(&mut self, l: &mut Loop, sym: SymId, way: Way) -> bool {
        let simple = l.region && l.blocks.is_none() && l.body.iter().all(|n| matches!(n, Node::Leaf(_)));
        if !simple || way == Way::ResultRecomputed {
            return self.change(&mut l.body, sym, way);
        }
        let mut changed = false;
        for node in &mut l.body {
            if let Node::Leaf(leaf) = node {
                changed |= self.change_leaf(leaf, sym, way, &l.snapshot);
            }
        }
        l.region &= !changed;
        changed
    }

    /// `saves` is what is saved because of the statement.
    fn change_leaf(&mut self, l: &mut Leaf, sym: SymId, way: Way, saves: &[Expr]) -> bool {
        let StmtKind::Assign { lhs, rhs } = &l.stmt.kind else { return false };
        let [(target, locs)] = l.targets.as_slice() else { return false };
        if way != Way::Undo {
            if l.by_result || l.undo.is_some() || references(&l.adjoint, sym).is_empty() {
                return false;
            }
            let Some((adjoint, needs)) = self.adjoint_by_result(&l.stmt, lhs, rhs) else { return false };
            let (old, mut new) = (references(&l.adjoint, sym), references(&adjoint, sym));
            new.retain(|x| x != lhs);
            if old.iter().all(|x| new.contains(x)) {
                return false;
            }
            (l.adjoint, l.needs, l.by_result) = (adjoint, needs, true);
        } else {
            let lost = target.as_var().is_some_and(|d| d.sym == sym) && saves.contains(target);
            if !lost || l.undo.is_some() {
                return false;
            }
            let Some(undo) = self.opposite(&l.stmt) else { return false };
            l.needs.extend(self.effects.access(self.b.program, &l.stmt).reads.difference(locs).copied());
            l.undo = Some(undo);
        }
        l.after.extend(locs.iter().copied());
        true
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
    fn within(&self, other: &Price) -> bool {
        let fits = |(id, list): (&StmtId, &Vec<Expr>)| {
            other.snapshots.get(id).is_some_and(|known| list.iter().all(|e| known.contains(e)))
        };
        self.snapshots.iter().all(fits)
    }
}

/// The references to a variable in statements.
fn references(stmts: &[Stmt], sym: SymId) -> Vec<Expr> {
    let mut out = Vec::new();
    for e in stmts.iter().flat_map(Stmt::exprs).filter(|e| symbols(e).contains(&sym)) {
        for_each_expr(e, &mut |x| out.extend(x.as_var().filter(|d| d.sym == sym).map(|_| x.clone())));
    }
    out
}
