//! Slices: the statements and loops of a list that compute a value together, and whether they can run once more at a
//! later place of the list.

use std::collections::{BTreeSet, HashMap};

use costate_analysis::storage::{LocId, LocSet, symbols};
use costate_grammar::ir::{Block, Dim, Expr, ExprKind, StmtId, StmtKind, SymId, for_each_expr};

use super::liveness;
use crate::reverse::Reverse;
use crate::reverse::tree::node::{Leaf, Loop, Node};
use costate_analysis::sections::{Facts, Range, Section, Span, covered, swept};

/// The level of a slice: it is looked at by itself.
pub(in crate::reverse) const SLICE: usize = 1;

/// A slice has no more nodes than this.
const LONGEST: usize = 12;

/// Nodes that compute a value.
pub(in crate::reverse) struct Slice {
    /// What of them is kept at the level [`SLICE`] computes it.
    pub nodes: Vec<Node>,
    /// What that reads of the state before it.
    pub reads: LocSet,
    /// What it changes.
    pub changed: LocSet,
    /// What of that isn't the same after it as at the place where it runs again.
    pub spoils: LocSet,
}

/// Which nodes of a list assign each location.
pub(in crate::reverse) struct Writers(HashMap<LocId, Vec<usize>>);

impl Writers {
    /// Of a list of what each node assigns.
    pub(in crate::reverse) fn new(written: &[LocSet]) -> Writers {
        let mut writers: HashMap<LocId, Vec<usize>> = HashMap::new();
        for (k, locs) in written.iter().enumerate() {
            locs.iter().for_each(|x| writers.entry(*x).or_default().push(k));
        }
        Writers(writers)
    }

    /// Those in a part of the list that assign a location.
    pub(in crate::reverse) fn of(&self, loc: LocId, part: std::ops::Range<usize>) -> &[usize] {
        let all = self.0.get(&loc).map_or(&[][..], Vec::as_slice);
        &all[all.partition_point(|k| *k < part.start)..all.partition_point(|k| *k < part.end)]
    }

    /// The last in a part of the list that assigns one of these.
    fn last(&self, locs: &LocSet, part: std::ops::Range<usize>) -> Option<usize> {
        locs.iter().filter_map(|x| self.of(*x, part.clone()).last().copied()).max()
    }
}

/// Where a value is computed, and where it is to be recomputed.
#[derive(Clone, Copy)]
pub(in crate::reverse) struct Place<'n> {
    /// The nodes of the list.
    pub list: &'n [Node],
    /// Which of them assign what.
    pub writers: &'n Writers,
    /// The last node that assigns it.
    pub last: usize,
    /// It is recomputed before this node.
    pub end: usize,
    /// The number of regions around the list.
    pub level: usize,
}

impl Reverse<'_, '_> {
    /// The slice that computes the value which a location has at the end of a place, when it can run there again: what it
    /// reads still stands. With `part`, it may leave other elements of the array as they are. `changing` are the variables
    /// that are assigned anywhere.
    pub(in crate::reverse) fn slice(
        &mut self,
        at: &Place<'_>,
        (loc, part): (LocId, bool),
        changing: &BTreeSet<SymId>,
    ) -> Option<Slice> {
        let mut members = BTreeSet::from([at.last]);
        loop {
            let first = *members.first()?;
            if members.len() > LONGEST || !members.iter().all(|k| computes(&at.list[*k])) {
                return None;
            }
            let (nodes, mut reads, between) = followed_back(at.list, &members, (loc, at.writers));
            if let Some(k) = between {
                members.insert(k);
                continue;
            }
            if reads.contains(&loc)
                && (part && !reads_of(&nodes).contains(&loc) || self.assign_all(&nodes, loc, changing))
            {
                reads.remove(&loc);
            }
            let assigned = |x: &LocId| !at.writers.of(*x, first..at.end).is_empty();
            let lost: LocSet = reads.iter().filter(|x| assigned(x)).copied().collect();
            if !lost.is_empty() {
                // What comes before may compute that again too.
                members.insert(at.writers.last(&lost, 0..first)?);
                continue;
            }
            let runs = kept_at(members.iter().map(|k| &at.list[*k]), at.level);
            if !nodes.iter().all(|n| assigns_only(n, loc, &runs)) || !at.list[first..at.end].iter().all(plain) {
                return None;
            }
            let changed = written_in(&nodes, true);
            let left_out = written_in(&nodes, false);
            let other = |x: &LocId| {
                let others = || at.writers.of(*x, first..at.end).iter().any(|k| !members.contains(k));
                left_out.contains(x) || others()
            };
            let spoils = changed.iter().filter(|x| **x != loc && other(x)).copied().collect();
            return Some(Slice { nodes, reads, changed, spoils });
        }
    }

    /// The statements of a slice.
    pub(in crate::reverse) fn run_slice(&mut self, slice: &Slice) -> Block {
        self.primal(&slice.nodes, &[SLICE])
    }

    /// True when the kept statements of nodes assign every element of an array, and use none that they haven't assigned.
    fn assign_all(&self, nodes: &[Node], loc: LocId, changing: &BTreeSet<SymId>) -> bool {
        let home = self.effects.locs.get(loc);
        let sym = home.sym;
        if !home.path.is_empty() || !self.b.scene().plain_array(sym) {
            return false;
        }
        let Some(whole) = self.declared_section(sym, changing) else { return false };
        let mut assigned = Facts::default();
        for node in nodes {
            let before = assigned.clone();
            if !self.uses_known(node, sym, &before, &mut Vec::new()) {
                return false;
            }
            for s in self.assigned_parts(node, sym, changing) {
                assigned.add(sym, s);
            }
        }
        assigned.cover(sym, &whole)
    }

    /// The sections of an array that a node assigns for sure, whatever way it takes, as far as they are known.
    pub(in crate::reverse) fn assigned_parts(
        &self,
        node: &Node,
        sym: SymId,
        changing: &BTreeSet<SymId>,
    ) -> Vec<Section> {
        let mut parts = match node {
            Node::Branch(_) => Vec::new(),
            Node::Leaf(l) => {
                let target = match &l.stmt.kind {
                    StmtKind::Assign { lhs, .. } if kept(l) => lhs.as_var().filter(|d| d.sym == sym),
                    _ => None,
                };
                let section = target.and_then(|d| self.b.scene().section(d));
                section.filter(|(_, exact)| *exact).map(|(s, _)| s).into_iter().collect()
            }
            Node::Loop(l) => {
                let inside = l.body.iter().flat_map(|n| self.assigned_inside(n, sym));
                inside.filter_map(|s| covered(&s, &l.range)).collect()
            }
        };
        parts.retain(|s: &Section| s.iter().all(|d| !mentions(d, changing)));
        parts
    }

    /// The same where loops around the node may move its bounds.
    fn assigned_inside(&self, node: &Node, sym: SymId) -> Vec<Section> {
        self.assigned_parts(node, sym, &BTreeSet::new())
    }

    /// The section of an array that a node may assign, when it is known: at most this.
    pub(in crate::reverse) fn assigned_at_most(
        &self,
        l: &Leaf,
        around: &[Range],
        sym: SymId,
        changing: &BTreeSet<SymId>,
    ) -> Option<Section> {
        let StmtKind::Assign { lhs, .. } = &l.stmt.kind else { return None };
        let d = lhs.as_var().filter(|d| d.sym == sym && self.b.scene().plain_array(sym))?;
        let (section, _) = self.b.scene().section(d)?;
        let all = around.iter().rev().fold(section, |s, r| swept(&s, r, &|_| false));
        all.iter().all(|d| !mentions(d, changing)).then_some(all)
    }

    /// True when kept statements of a node use only such elements of an array of which something is known.
    fn uses_known(&self, node: &Node, sym: SymId, known: &Facts, around: &mut Vec<Range>) -> bool {
        match node {
            Node::Leaf(l) if !kept(l) => true,
            Node::Leaf(l) => {
                let StmtKind::Assign { lhs, rhs } = &l.stmt.kind else { return !mentioned(&l.stmt.exprs(), sym) };
                let scene = self.b.scene();
                let mut fine = !mentioned(&lhs.children(), sym);
                for_each_expr(rhs, &mut |e| {
                    if let ExprKind::Var(d) = &e.kind
                        && d.sym == sym
                    {
                        let section = scene.place(d, around);
                        fine &= section.is_some_and(|s| known.hold(sym, &s) || known.cover(sym, &s));
                    }
                });
                fine
            }
            Node::Branch(b) => {
                let header = b.reads.iter().all(|x| self.effects.locs.get(*x).sym != sym);
                header && b.arms.iter().flatten().all(|n| self.uses_known(n, sym, known, around))
            }
            Node::Loop(l) => {
                around.push(l.range.clone());
                let fine = l.body.iter().all(|n| self.uses_known(n, sym, known, around));
                around.pop();
                fine && l.access.reads.iter().all(|x| self.effects.locs.get(*x).sym != sym)
            }
        }
    }

    /// An array of declared bounds as a section.
    fn declared_section(&self, sym: SymId, changing: &BTreeSet<SymId>) -> Option<Section> {
        let dims = &self.b.program.var(sym)?.dims;
        let span = |d: &Dim| {
            let Dim::Explicit(lo, hi) = d else { return None };
            let one = Expr::int(1);
            let (span, exact) = Span::between(lo.as_ref().unwrap_or(&one), hi);
            (exact && !mentions(&span, changing)).then_some(span)
        };
        dims.iter().map(span).collect()
    }
}

fn mentioned(exprs: &[&Expr], sym: SymId) -> bool {
    exprs.iter().any(|e| symbols(e).contains(&sym))
}

fn mentions(span: &Span, changing: &BTreeSet<SymId>) -> bool {
    span.first().chain(span.last()).any(|e| !symbols(e).is_disjoint(changing))
}

fn kept(l: &Leaf) -> bool {
    l.kept(SLICE)
}

/// True when nothing in the node gives or frees memory.
fn plain(node: &Node) -> bool {
    let mut fine = true;
    node.for_each_leaf(&mut |l| {
        fine &= l.storage.is_none() && l.reshaped.is_empty() && l.follow.is_empty() && l.access.shapes.is_empty();
    });
    fine
}

/// Members of a list with what of them is kept to compute a location, and what that reads of the state before. Besides, a
/// node in between that assigns what a member reads, if there is one.
fn followed_back(
    list: &[Node],
    members: &BTreeSet<usize>,
    (loc, writers): (LocId, &Writers),
) -> (Vec<Node>, LocSet, Option<usize>) {
    let (mut nodes, mut live, mut between) = (Vec::new(), LocSet::from([loc]), None);
    let mut next = None;
    for &k in members.iter().rev() {
        let gap = k + 1..next.unwrap_or(k + 1);
        between = writers.last(&live, gap).or(between);
        let mut node = vec![list[k].clone()];
        liveness::forget(&mut node);
        live = liveness::analyse(&mut node, SLICE, false, live);
        nodes.splice(0..0, node);
        next = Some(k);
    }
    (nodes, live, between)
}

/// The statements that are kept in the sweep of a level.
fn kept_at<'n>(nodes: impl Iterator<Item = &'n Node>, level: usize) -> BTreeSet<StmtId> {
    let mut out = BTreeSet::new();
    nodes.for_each(|n| {
        n.for_each_leaf(&mut |l| out.extend(l.kept(level).then_some(l.stmt.id)));
    });
    out
}

/// True when only these statements of a slice assign a location: where the sweep leaves one of them out, the value is an
/// earlier one.
fn assigns_only(node: &Node, loc: LocId, these: &BTreeSet<StmtId>) -> bool {
    let mut fine = true;
    node.for_each_leaf(&mut |l| fine &= !kept(l) || !l.access.writes.contains(&loc) || these.contains(&l.stmt.id));
    fine
}

/// True for assignments and calls that can run again with the same result, unseen by the user, and loops and branches of
/// them.
fn computes(node: &Node) -> bool {
    let counted = |l: &Loop| l.exit.is_none() && l.blocks.is_none() && l.stable_bounds;
    match node {
        Node::Leaf(l) => {
            matches!(l.stmt.kind, StmtKind::Assign { .. } | StmtKind::Call { .. })
                && l.decided.is_none()
                && !l.access.side_effect
                && !l.access.on_device
                && !l.access.irreproducible
                && l.access.unsteady.is_empty()
        }
        Node::Branch(b) => !b.asks_status && b.arms.iter().flatten().all(computes),
        Node::Loop(l) => counted(l) && l.body.iter().all(computes),
    }
}

/// What the kept statements of a slice assign, loop variables included, or what the others do.
fn written_in(slice: &[Node], runs: bool) -> LocSet {
    let mut out = LocSet::new();
    for n in slice {
        match n {
            Node::Leaf(l) if kept(l) == runs => out.extend(l.access.writes.iter().copied()),
            Node::Leaf(_) => {}
            Node::Branch(b) => b.arms.iter().for_each(|a| out.extend(written_in(a, runs))),
            Node::Loop(l) => {
                if liveness::kept(l.body.iter(), SLICE) == runs {
                    out.extend(l.access.writes.iter().copied());
                }
                out.extend(written_in(&l.body, runs));
            }
        }
    }
    out
}

/// What they read.
fn reads_of(slice: &[Node]) -> LocSet {
    let mut out = LocSet::new();
    for n in slice.iter().filter(|n| liveness::kept(std::iter::once(*n), SLICE)) {
        match n {
            Node::Leaf(l) => out.extend(l.access.reads.iter().copied()),
            Node::Branch(b) => {
                out.extend(b.reads.iter().copied());
                b.arms.iter().for_each(|a| out.extend(reads_of(a)));
            }
            Node::Loop(l) => {
                out.extend(l.access.reads.iter().copied());
                out.extend(reads_of(&l.body));
            }
        }
    }
    out
}
