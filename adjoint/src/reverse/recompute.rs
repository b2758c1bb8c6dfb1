//! Values that the backward sweep computes again in place of saving them: a variable that a statement or loop `S`
//! overwrites while an earlier adjoint needs it, where one statement or loop nest `P` before `S` in the same block has
//! computed it, and what `P` reads still stands when the backward sweep has passed `S`.
//!
//! `P` then runs once more right after the adjoint of `S`. What it reads becomes needed there, so that it is saved, or
//! computed again itself, where something after `S` overwrites it: recomputations form chains.

use std::collections::{BTreeMap, BTreeSet};

use costate_analysis::storage::LocSet;
use costate_grammar::ir::{Name, Origin, Role, StmtId, StmtKind, SymId};

use super::node::{Leaf, Loop, Node, writes};
use super::{Reverse, liveness};
use crate::plan::{Site, SiteKind, ValueChoice};

/// The level of a slice: it is looked at by itself.
const SLICE: usize = 1;

/// What a leaf computes again whose adjoint is a slice of the forward sweep.
#[derive(Clone, Debug)]
pub(super) struct Again {
    /// What it gives its value of before the statement that follows.
    pub gives: LocSet,
    /// What it changes besides, and what stands after it is not what stood before the statement that follows.
    spoils: LocSet,
    /// It gives a part only of what it gives; earlier adjoints may need the rest.
    part: bool,
    /// An earlier adjoint needs what it gives.
    pub used: bool,
    /// An earlier adjoint needs what it spoils.
    conflict: bool,
}

impl Again {
    /// Passes the leaf on the way forward through the nodes. Returns what is needed again after the node that follows.
    pub(super) fn pass(&mut self, needs: &LocSet, needed: &mut LocSet) -> LocSet {
        let rest = if self.part { self.gives.intersection(needed).copied().collect() } else { LocSet::new() };
        self.used |= !self.gives.is_disjoint(needed);
        needed.retain(|x| !self.gives.contains(x));
        self.conflict |= !self.spoils.is_disjoint(needed);
        needed.extend(needs.iter().copied());
        rest
    }
}

/// A value that can be computed again.
struct Offer {
    /// The node that overwrites it.
    before: StmtId,
    /// Where that comes from.
    origin: Origin,
    /// The variable.
    sym: SymId,
    /// The slice, which comes before that node.
    leaf: Box<Leaf>,
}

impl Reverse<'_, '_> {
    /// Finds the values that can be computed again, and does so for those for which it is chosen.
    pub(super) fn recompute_values(&mut self, nodes: &mut Vec<Node>) {
        let mut judged = nodes.clone();
        self.judge(&mut judged);
        let before = saved(&judged);
        let mut offers = Vec::new();
        self.offers(&judged, (0, false), &mut offers);
        self.settle_offers(nodes, &before, &mut offers);
        self.note_values(&offers);
        let count = offers.len();
        offers.retain(|o| self.choices.value(o.before) == Some(ValueChoice::Recompute));
        if offers.len() < count {
            self.settle_offers(nodes, &before, &mut offers);
        }
        insert(nodes, &offers);
    }

    /// Leaves out what can't be computed again, or is saved nevertheless.
    fn settle_offers(&self, nodes: &[Node], before: &BTreeMap<StmtId, BTreeSet<SymId>>, offers: &mut Vec<Offer>) {
        while !offers.is_empty() {
            let mut trial = nodes.to_vec();
            insert(&mut trial, offers);
            self.judge(&mut trial);
            let (fine, now) = (fine(&trial), saved(&trial));
            let count = offers.len();
            let spared = |o: &Offer| {
                before.get(&o.before).is_some_and(|b| b.contains(&o.sym))
                    && now.get(&o.before).is_none_or(|n| !n.contains(&o.sym))
            };
            offers.retain(|o| fine.contains(&o.leaf.stmt.id) && spared(o));
            if offers.len() == count {
                return;
            }
        }
    }

    /// Notes the sites, one for each node that overwrites such values.
    fn note_values(&mut self, offers: &[Offer]) {
        let mut names: BTreeMap<StmtId, (Origin, Vec<Name>)> = BTreeMap::new();
        for o in offers {
            let list = &mut names.entry(o.before).or_insert((o.origin, Vec::new())).1;
            list.push(self.b.program[o.sym].name.clone());
        }
        for (stmt, (origin, values)) in names {
            match self.sites.iter_mut().find(|s| s.stmt == stmt) {
                Some(site) => site.values = values,
                None => self.sites.push(Site { stmt, origin, kind: SiteKind::Other, values }),
            }
        }
    }

    /// The values that nodes overwrite and save, where they can be computed again; in a number of regions, and in a loop
    /// where `looped`.
    fn offers(&mut self, nodes: &[Node], (level, looped): (usize, bool), out: &mut Vec<Offer>) {
        for (k, node) in nodes.iter().enumerate() {
            let time_loop = |s: &Site| s.stmt == id(node) && matches!(s.kind, SiteKind::Loop(_) | SiteKind::Open(_));
            if !self.sites.iter().any(time_loop) {
                for sym in saved_in(std::slice::from_ref(node)) {
                    let array = self.b.program.var(sym).is_some_and(|v| v.rank() > 0);
                    let offer = if array || looped { self.offer(nodes, k, (sym, level)) } else { None };
                    out.extend(offer);
                }
            }
            match node {
                Node::Leaf(_) => {}
                Node::Branch(b) => b.arms.iter().for_each(|a| self.offers(a, (level, looped), out)),
                Node::Loop(l) => self.offers(&l.body, (level + usize::from(l.region), true), out),
            }
        }
    }

    /// Whether the value of `sym` before the node `k` of a list can be computed again.
    fn offer(&mut self, nodes: &[Node], k: usize, (sym, level): (SymId, usize)) -> Option<Offer> {
        let gives: LocSet = self.effects.locs.leaves(self.b.program, sym, &[]).into_iter().collect();
        let i = nodes[..k].iter().rposition(|n| !writes(std::slice::from_ref(n)).is_disjoint(&gives))?;
        // Where the forward sweep leaves it out, the value is an earlier one.
        let runs = assigns_only_kept(&nodes[i], &gives, level);
        if !runs || !nodes[i..=k].iter().all(plain) || !computes(&nodes[i]) {
            return None;
        }
        let mut slice = vec![nodes[i].clone()];
        liveness::forget(&mut slice);
        let mut reads = liveness::analyse(&mut slice, SLICE, false, gives.clone());
        let part = !reads.is_disjoint(&gives);
        if part {
            // It assigns a part only, which must be all that is overwritten.
            if !self.same_part(&slice[0], &nodes[k], sym) || reads_of(&slice).intersection(&gives).next().is_some() {
                return None;
            }
            reads.retain(|x| !gives.contains(x));
        }
        let later = writes(&nodes[i + 1..=k]);
        let changed = writes_of(&slice);
        if !reads.is_disjoint(&changed) || !reads.is_disjoint(&later) {
            return None;
        }
        let spoils = changed.difference(&gives).filter(|x| later.contains(x)).copied().collect();
        let mut block = self.primal(&slice, &[SLICE]);
        let name = &self.b.program[sym].name;
        block.first_mut()?.leading = vec![format!("! {name} again, as it is before it is overwritten")];
        let from = nodes[i].statement().clone();
        let mut leaf = Box::new(Leaf::new(self.b.derive(StmtKind::Continue, &from, Role::Forward), Default::default()));
        (leaf.adjoint, leaf.needs, leaf.clobbers) = (block, reads, changed);
        leaf.again = Some(Again { gives, spoils, part, used: false, conflict: false });
        Some(Offer { before: id(&nodes[k]), origin: nodes[k].statement().origin, sym, leaf })
    }

    /// True when `later` assigns no other elements of an array than `first` assigns for sure.
    fn same_part(&self, first: &Node, later: &Node, sym: SymId) -> bool {
        let parts = |node: &Node| {
            let mut out = Vec::new();
            node.for_each_leaf(&mut |l| {
                let own = l.targets.iter().filter(|(e, _)| e.as_var().is_some_and(|d| d.sym == sym));
                out.extend(own.map(|(e, _)| self.assigned_limits(std::slice::from_ref(node), (l.stmt.id, e))));
            });
            out.into_iter().collect::<Option<Vec<_>>>()
        };
        match (parts(first), parts(later)) {
            (Some(f), Some(l)) => !l.is_empty() && l.iter().all(|x| f.contains(x)),
            _ => false,
        }
    }
}

/// The number of a node's statement.
fn id(node: &Node) -> StmtId {
    node.statement().id
}

/// True when nothing in the node gives or frees memory.
fn plain(node: &Node) -> bool {
    let mut fine = true;
    node.for_each_leaf(&mut |l| {
        fine &= l.storage.is_none() && l.reshaped.is_empty() && l.follow.is_empty() && l.access.shapes.is_empty();
    });
    fine
}

/// True when all that a node assigns of the locations is kept at a level.
fn assigns_only_kept(node: &Node, locs: &LocSet, level: usize) -> bool {
    let mut fine = true;
    node.for_each_leaf(&mut |l| {
        fine &= l.access.writes.is_disjoint(locs) || l.keep.get(level).copied().unwrap_or(false);
    });
    fine
}

/// True for assignments and loops and branches of them, without calls of the user's procedures.
fn computes(node: &Node) -> bool {
    let counted = |l: &Loop| l.exit.is_none() && l.blocks.is_none() && l.stable_bounds;
    let shape = match node {
        Node::Leaf(l) => matches!(l.stmt.kind, StmtKind::Assign { .. }) && l.decided.is_none(),
        Node::Branch(b) => !b.asks_status && b.arms.iter().flatten().all(computes),
        Node::Loop(l) => counted(l) && l.body.iter().all(computes),
    };
    shape && !super::flow::calls(node.statement())
}

/// What the kept statements of a slice assign, loop variables included.
fn writes_of(slice: &[Node]) -> LocSet {
    let mut out = LocSet::new();
    each_list(slice, &mut |list| {
        for n in list {
            match n {
                Node::Leaf(l) if l.keep[SLICE] => out.extend(l.access.writes.iter().copied()),
                Node::Loop(l) => out.extend(l.access.writes.iter().copied()),
                Node::Leaf(_) | Node::Branch(_) => {}
            }
        }
    });
    out
}

/// What they read.
fn reads_of(slice: &[Node]) -> LocSet {
    let mut out = LocSet::new();
    let mut add = |l: &Leaf| {
        if l.keep[SLICE] {
            out.extend(l.access.reads.iter().copied());
        }
    };
    slice.iter().for_each(|n| n.for_each_leaf(&mut add));
    out
}

/// Calls `f` on every list of nodes.
fn each_list<'n>(nodes: &'n [Node], f: &mut dyn FnMut(&'n [Node])) {
    f(nodes);
    for node in nodes {
        match node {
            Node::Leaf(_) => {}
            Node::Branch(b) => b.arms.iter().for_each(|a| each_list(a, f)),
            Node::Loop(l) => each_list(&l.body, f),
        }
    }
}

/// The variables that are saved in nodes.
pub(super) fn saved_in(nodes: &[Node]) -> BTreeSet<SymId> {
    let mut out = BTreeSet::new();
    let mut add =
        |list: &[costate_grammar::ir::Expr]| out.extend(list.iter().filter_map(|e| e.as_var()).map(|d| d.sym));
    each_list(nodes, &mut |list| {
        for n in list {
            match n {
                Node::Leaf(l) => add(&l.saves),
                Node::Branch(_) => {}
                Node::Loop(l) => add(&l.snapshot),
            }
        }
    });
    out
}

/// The variables that are saved in each node.
fn saved(nodes: &[Node]) -> BTreeMap<StmtId, BTreeSet<SymId>> {
    let mut out = BTreeMap::new();
    each_list(nodes, &mut |list| out.extend(list.iter().map(|n| (id(n), saved_in(std::slice::from_ref(n))))));
    out
}

/// The slices that are of use and right.
fn fine(nodes: &[Node]) -> BTreeSet<StmtId> {
    let mut out = BTreeSet::new();
    nodes.iter().for_each(|n| {
        n.for_each_leaf(&mut |l| {
            out.extend(l.again.iter().filter(|a| a.used && !a.conflict).map(|_| l.stmt.id));
        });
    });
    out
}

/// Puts slices before the nodes that overwrite what they give.
fn insert(nodes: &mut Vec<Node>, offers: &[Offer]) {
    for mut node in std::mem::take(nodes) {
        match &mut node {
            Node::Leaf(_) => {}
            Node::Branch(b) => b.arms.iter_mut().for_each(|a| insert(a, offers)),
            Node::Loop(l) => insert(&mut l.body, offers),
        }
        let own = offers.iter().filter(|o| o.before == id(&node));
        nodes.extend(own.map(|o| Node::Leaf(o.leaf.clone())));
        nodes.push(node);
    }
}
