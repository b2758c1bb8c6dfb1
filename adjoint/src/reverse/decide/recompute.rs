//! Values that the backward sweep recomputes in place of saving them: a variable that is overwritten while an earlier
//! adjoint needs it, where statements and loops of one list have computed it ([`slices`](super::slices)).
//!
//! They run once more right before the adjoint of the last node of that list which needs the value, as far as what they
//! read still stands there. What they read becomes needed, so that it is saved, or recomputed itself, where something
//! later overwrites it: recomputations form chains.

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use costate_analysis::storage::{Loc, LocBits, LocId, LocSet};
use costate_grammar::ir::{Expr, Name, Origin, Role, StmtId, StmtKind, SymId};

use super::slices::{Place, Slice, Writers};
use crate::plan::{Site, SiteId, SiteKind, ValueChoice};
use crate::reverse::Reverse;
use crate::reverse::tree::decisions::Recompute;
use crate::reverse::tree::node::{Leaf, Loop, Node, writes};
use costate_analysis::sections::{Range, holds};

impl Recompute {
    /// Passes the leaf on the way forward through the nodes: whether an earlier adjoint needs what it gives, and whether one
    /// needs what it spoils.
    pub(in crate::reverse) fn pass(&self, needs: &LocSet, needed: &mut LocBits) -> (bool, bool) {
        let used = needed.contains(&self.gives);
        if used {
            needed.remove(self.gives);
            needed.extend(self.rest);
        }
        let conflict = self.spoils.iter().any(|x| needed.contains(x));
        needed.extend(needs.iter().copied());
        (used, conflict)
    }
}

/// A value that can be recomputed.
struct Offer {
    /// The last node that computes it, and where that comes from.
    by: (StmtId, Origin),
    /// What it is the value of.
    loc: LocId,
    /// The node before whose adjoint it is recomputed.
    user: StmtId,
    /// The node that overwrites it next in the same list: its own adjoint may need the value, which is then saved.
    overwriter: Option<StmtId>,
    /// The statements that may overwrite it next.
    next: BTreeSet<StmtId>,
    /// The slice.
    leaf: Box<Leaf>,
    /// Statements that assign no more of the array than the slice, where that assigns a part of it.
    same: BTreeSet<StmtId>,
}

/// What is known around a list of nodes.
#[derive(Clone)]
struct Around {
    /// The number of regions.
    level: usize,
    /// What may be assigned after the list, or in it by another iteration.
    later: LocSet,
    /// It is in a loop: scalars are worth a slice.
    looped: bool,
}

/// A search for values that can be recomputed.
struct Search {
    /// What is saved somewhere, or read by slices.
    wanted: LocSet,
    /// The variables that are assigned anywhere.
    changing: BTreeSet<SymId>,
    /// What is found, what is computed later first.
    offers: Vec<Offer>,
}

impl Reverse<'_, '_> {
    /// Finds the values that can be recomputed, and does so for those for which it is chosen.
    pub(in crate::reverse) fn recompute_values(&mut self, nodes: &mut Vec<Node>) {
        let mut judged = nodes.clone();
        self.judge(&mut judged);
        let before = self.saved(&judged);
        if before.is_empty() {
            return;
        }
        let wanted = before.iter().map(|s| s.1).collect();
        let changing = writes(nodes).iter().map(|l| self.effects.locs.get(*l).sym).collect();
        let mut search = Search { wanted, changing, offers: Vec::new() };
        self.offers(&judged, &Around { level: 0, later: LocSet::new(), looped: false }, &mut search);
        let mut offers = search.offers;
        self.settle_offers(nodes, &before, &mut offers);
        self.note_values(&offers);
        let count = offers.len();
        offers.retain(|o| self.choices.value(o.by.0, &self.value_name(o.loc)) == Some(ValueChoice::Recompute));
        if offers.len() < count {
            self.settle_offers(nodes, &before, &mut offers);
        }
        insert(nodes, &offers);
    }

    /// Leaves out what can't be recomputed, or is saved nevertheless.
    fn settle_offers(&mut self, nodes: &[Node], before: &BTreeSet<(StmtId, LocId)>, offers: &mut Vec<Offer>) {
        while !offers.is_empty() {
            let mut trial = nodes.to_vec();
            insert(&mut trial, offers);
            self.judge(&mut trial);
            let (fine, now) = (fine(&trial), self.saved(&trial));
            let moving = self.moving_snapshots(&trial);
            let count = offers.len();
            if !moving.is_empty() {
                // Slices need what a loop was thought to be free to overwrite when its iterations run again.
                offers.retain(|o| o.leaf.needs.is_disjoint(&moving));
                if offers.len() == count {
                    offers.clear();
                }
                continue;
            }
            let read: LocSet = offers.iter().flat_map(|o| &o.leaf.needs).copied().collect();
            // For the sake of another slice it may be that no more is saved than before.
            let spared = |o: &Offer| match read.contains(&o.loc) {
                true => now.iter().all(|s| s.1 != o.loc || before.contains(s)),
                false => before.iter().any(|s| s.1 == o.loc && !now.contains(s)),
            };
            let spared = |o: &Offer| o.overwriter.is_none_or(|s| !now.contains(&(s, o.loc))) && spared(o);
            offers.retain(|o| fine.contains(&o.leaf.stmt.id) && spared(o));
            if offers.len() == count {
                return;
            }
        }
    }

    /// Notes a site for each value.
    fn note_values(&mut self, offers: &[Offer]) {
        for o in offers {
            let name = self.value_name(o.loc);
            let reads = |r: &&Offer| r.by.0 != o.by.0 && r.leaf.needs.contains(&o.loc);
            let id = |r: &Offer| SiteId { stmt: r.by.0, value: Some(self.value_name(r.loc)) };
            let readers = offers.iter().filter(reads).map(id).collect();
            let site = Site { stmt: o.by.0, origin: o.by.1, kind: SiteKind::Value(name.clone()), readers };
            if !self.sites.iter().any(|s| s.id() == site.id()) {
                self.sites.push(site);
            }
            self.values.push((o.loc, o.next.clone(), (o.by.0, name)));
        }
    }

    /// Which value it is that a statement overwrites and that is saved there, when it can be recomputed.
    pub(in crate::reverse) fn value_of(&mut self, stmt: StmtId, e: &Expr) -> Option<(StmtId, Name)> {
        let leaves = e.as_var().map(|d| self.leaves(d)).unwrap_or_default();
        let of = || self.values.iter().filter(|v| leaves.contains(&v.0));
        of().find(|v| v.1.contains(&stmt)).or_else(|| of().next()).map(|v| v.2.clone())
    }

    /// The name of a value in plans.
    fn value_name(&self, loc: LocId) -> Name {
        Name::new(&self.effects.locs.describe(self.b.program, loc))
    }

    /// The wanted values that nodes compute, where they can be recomputed. Returns what slices among the nodes read.
    fn offers(&mut self, nodes: &[Node], around: &Around, search: &mut Search) -> LocSet {
        // What slices at a node and inside it read.
        let mut users: BTreeMap<usize, LocSet> = BTreeMap::new();
        let written: Vec<LocSet> = nodes.iter().map(|n| writes(std::slice::from_ref(n))).collect();
        let writers = Writers::new(&written);
        let mut later = around.later.clone();
        for k in (0..nodes.len()).rev() {
            let read = match &nodes[k] {
                Node::Leaf(_) => LocSet::new(),
                Node::Branch(b) => {
                    let inner = Around { later: later.clone(), ..around.clone() };
                    b.arms.iter().flat_map(|a| self.offers(a, &inner, search)).collect()
                }
                Node::Loop(l) => {
                    let later = later.union(&written[k]).copied().collect();
                    let level = around.level + usize::from(l.region);
                    self.offers(&l.body, &Around { level, later, looped: true }, search)
                }
            };
            users.entry(k).or_default().extend(read);
            let wanted: Vec<LocId> = written[k].intersection(&search.wanted).copied().collect();
            for loc in &wanted {
                let scalar = self.effects.locs.variable(self.b.program, *loc).is_none_or(|v| v.rank() == 0);
                let shared = self.effects.locs.variable(self.b.program, *loc);
                if shared.is_some_and(|v| v.attrs.target || v.attrs.pointer) || self.effects.locs.get(*loc).association
                {
                    continue;
                }
                if !later.contains(loc) || scalar && !around.looped {
                    continue;
                }
                let place = Place { list: nodes, writers: &writers, last: k, end: k + 1, level: around.level };
                if let Some((user, offer)) = self.offer(place, *loc, &users, &search.changing) {
                    users.entry(user).or_default().extend(offer.leaf.needs.iter().copied());
                    search.wanted.extend(offer.leaf.needs.iter().copied());
                    search.offers.push(offer);
                }
            }
            later.extend(written[k].iter().copied());
        }
        users.into_values().flatten().collect()
    }

    /// Whether the value that the last node of a slice computes for a location can be recomputed where adjoints of the
    /// list need it, or slices there read it, and by which of its nodes.
    fn offer(
        &mut self,
        at: Place<'_>,
        loc: LocId,
        users: &BTreeMap<usize, LocSet>,
        changing: &BTreeSet<SymId>,
    ) -> Option<(usize, Offer)> {
        let Place { list, last: k, .. } = at;
        let next = at.writers.of(loc, k + 1..list.len()).first().copied().unwrap_or(list.len());
        let needs = |j: &usize| needs(&list[*j], loc);
        let by_slices = |j: &usize| *j > k && users.get(j).is_some_and(|locs| locs.contains(&loc));
        let own = (k..next).rev().find(needs);
        let last = (k..next).rev().find(|j| needs(j) || by_slices(j))?;
        let places = [Some(last), own.filter(|o| *o != last)];
        let (user, slice, part) = places.into_iter().flatten().find_map(|user| {
            let at = Place { end: user + 1, ..at };
            let whole = self.slice(&at, (loc, false), changing).map(|s| (user, s, false));
            whole.or_else(|| self.slice(&at, (loc, true), changing).map(|s| (user, s, true)))
        })?;
        let same = if part { self.same_part(list, &slice, loc, changing) } else { BTreeSet::new() };
        if part && same.is_empty() {
            return None;
        }
        let leaf = self.slice_leaf(&slice, loc, (&list[k], part))?;
        let overwriter = list.get(next).map(|n| n.statement().id);
        let next = ids(std::slice::from_ref(list.get(next).unwrap_or(&list[k])));
        let by = list[k].statement();
        let (by, user_id) = ((by.id, by.origin), own_id(&list[user]));
        Some((user, Offer { by, loc, user: user_id, overwriter, next, leaf, same }))
    }

    /// The leaf that runs a slice for a location, the last node of which is `from`.
    fn slice_leaf(&mut self, slice: &Slice, loc: LocId, (from, part): (&Node, bool)) -> Option<Box<Leaf>> {
        let mut block = self.run_slice(slice);
        block.first_mut()?.leading =
            vec![format!("! {} again, as it is before it is overwritten", self.value_name(loc))];
        let home = self.effects.locs.get(loc).clone();
        let rest = || Loc { path: [home.path.as_slice(), &[Name::new("(rest)")]].concat(), ..home.clone() };
        let rest = part.then(|| self.effects.locs.id(rest()));
        let from = from.statement().clone();
        let mut leaf = Box::new(Leaf::new(self.b.derive(StmtKind::Continue, &from, Role::Forward), Default::default()));
        (leaf.adjoint, leaf.needs, leaf.clobbers) = (Rc::new(block), slice.reads.clone(), slice.changed.clone());
        leaf.recompute =
            Some(Recompute { gives: loc, rest, spoils: slice.spoils.clone(), used: false, conflict: false });
        Some(leaf)
    }

    /// The statements among nodes that assign no other elements of an array than a slice assigns for sure.
    fn same_part(&self, nodes: &[Node], slice: &Slice, loc: LocId, changing: &BTreeSet<SymId>) -> BTreeSet<StmtId> {
        let home = self.effects.locs.get(loc);
        let mut out = BTreeSet::new();
        if home.path.is_empty() {
            let parts = slice.nodes.iter().flat_map(|n| self.assigned_parts(n, home.sym, changing)).collect::<Vec<_>>();
            let mut add = |l: &Leaf, around: &[Range]| {
                let most = self.assigned_at_most(l, around, home.sym, changing);
                out.extend(most.filter(|m| parts.iter().any(|p| holds(p, m))).map(|_| l.stmt.id));
            };
            nodes.iter().for_each(|n| each_leaf(n, &mut Vec::new(), &mut add));
        }
        out
    }

    /// What is saved at each node.
    fn saved(&mut self, nodes: &[Node]) -> BTreeSet<(StmtId, LocId)> {
        let mut list: Vec<(StmtId, Expr)> = Vec::new();
        each_list(nodes, &mut |inner| {
            for n in inner {
                let saves = match n {
                    Node::Leaf(l) => [l.saves.as_slice(), &[]],
                    Node::Branch(_) => continue,
                    Node::Loop(l) => [l.snapshot.as_slice(), &l.last],
                };
                list.extend(saves.into_iter().flatten().map(|e| (n.statement().id, e.clone())));
            }
        });
        let mut out = BTreeSet::new();
        for (stmt, e) in list {
            let leaves = e.as_var().map(|d| self.leaves(d)).unwrap_or_default();
            out.extend(leaves.into_iter().map(|x| (stmt, x)));
        }
        out
    }
}

/// True when the adjoint of a node needs the value of a location.
fn needs(node: &Node, loc: LocId) -> bool {
    match node {
        Node::Leaf(l) => {
            let saved_by_them = !l.saves.is_empty() && l.subscripts.contains(&loc);
            l.needs.contains(&loc) || l.after.contains(&loc) || saved_by_them
        }
        Node::Branch(b) => b.reads.contains(&loc) || b.arms.iter().flatten().any(|n| needs(n, loc)),
        Node::Loop(l) => {
            l.access.reads.contains(&loc) || l.needs.contains(&loc) || l.body.iter().any(|n| needs(n, loc))
        }
    }
}

/// Calls `f` on every leaf of a node, with the loops around it, outermost first.
fn each_leaf(node: &Node, around: &mut Vec<Range>, f: &mut dyn FnMut(&Leaf, &[Range])) {
    match node {
        Node::Leaf(l) => f(l, around),
        Node::Branch(b) => b.arms.iter().flatten().for_each(|n| each_leaf(n, around, f)),
        Node::Loop(l) => {
            around.push(l.range.clone());
            l.body.iter().for_each(|n| each_leaf(n, around, f));
            around.pop();
        }
    }
}

/// The number of a node's own statement: blocks of iterations are told from the time loop inside them.
fn own_id(node: &Node) -> StmtId {
    match node {
        Node::Loop(l) => l.stmt.id,
        Node::Leaf(_) | Node::Branch(_) => node.statement().id,
    }
}

/// The numbers of the statements of nodes and of those inside them.
fn ids(nodes: &[Node]) -> BTreeSet<StmtId> {
    let mut out = BTreeSet::new();
    each_list(nodes, &mut |list| out.extend(list.iter().map(|n| n.statement().id)));
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

/// True when nodes save something.
pub(in crate::reverse) fn saves(nodes: &[Node]) -> bool {
    nodes.iter().any(|n| match n {
        Node::Leaf(l) => !l.saves.is_empty(),
        Node::Branch(b) => b.arms.iter().any(|a| saves(a)),
        Node::Loop(l) => !(l.snapshot.is_empty() && l.last.is_empty()) || saves(&l.body),
    })
}

/// The slices that are of use and right.
fn fine(nodes: &[Node]) -> BTreeSet<StmtId> {
    let mut out = BTreeSet::new();
    nodes.iter().for_each(|n| {
        n.for_each_leaf(&mut |l| {
            out.extend(l.recompute.iter().filter(|a| a.used && !a.conflict).map(|_| l.stmt.id));
        });
    });
    out
}

/// Puts slices behind the nodes before whose adjoints they run.
fn insert(nodes: &mut Vec<Node>, offers: &[Offer]) {
    for o in offers {
        if let Some(Recompute { gives, rest: Some(rest), .. }) = o.leaf.recompute {
            nodes.iter_mut().for_each(|n| tell_apart(n, (gives, rest), &o.same));
        }
    }
    place(nodes, offers);
}

fn place(nodes: &mut Vec<Node>, offers: &[Offer]) {
    for mut node in std::mem::take(nodes) {
        match &mut node {
            Node::Leaf(_) => {}
            Node::Branch(b) => b.arms.iter_mut().for_each(|a| place(a, offers)),
            Node::Loop(l) => place(&mut l.body, offers),
        }
        let id = own_id(&node);
        nodes.push(node);
        // What is computed later may come from what is computed earlier, which must run first in the backward sweep.
        nodes.extend(offers.iter().filter(|o| o.user == id).map(|o| Node::Leaf(o.leaf.clone())));
    }
}

/// Notes that all but certain statements may assign the rest of an array too where they assign the array.
fn tell_apart(node: &mut Node, (array, rest): (LocId, LocId), part: &BTreeSet<StmtId>) {
    let add = |locs: &mut LocSet| {
        if locs.contains(&array) {
            locs.insert(rest);
        }
    };
    match node {
        Node::Leaf(l) if part.contains(&l.stmt.id) => {}
        Node::Leaf(l) => {
            if l.targets.iter().any(|t| t.1.contains(&array)) {
                Rc::make_mut(&mut l.targets).iter_mut().for_each(|t| add(&mut t.1));
            }
            if l.access.writes.contains(&array) {
                let access = Rc::make_mut(&mut l.access);
                [&mut access.writes, &mut access.kills].into_iter().for_each(add);
            }
            add(&mut l.clobbers);
            add(&mut l.after);
        }
        Node::Branch(b) => {
            b.arms.iter_mut().flatten().for_each(|n| tell_apart(n, (array, rest), part));
        }
        Node::Loop(l) => {
            let Loop { body, covers, private, own, proved, plain, .. } = &mut **l;
            [covers, private, own, proved].into_iter().chain(plain.iter_mut().map(|p| &mut p.1)).for_each(add);
            body.iter_mut().for_each(|n| tell_apart(n, (array, rest), part));
        }
    }
}
