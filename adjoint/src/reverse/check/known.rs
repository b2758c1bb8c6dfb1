//! What the references of a tree stand for, collected before it is gone through.

use std::collections::{BTreeMap, HashMap};

use costate_analysis::storage::{LocId, LocSet};
use costate_grammar::ir::{Expr, LoopControl, Part, StmtId, StmtKind, SymId};

use crate::reverse::Reverse;
use crate::reverse::statements::pointer::associated;
use crate::reverse::tree::node::{Leaf, Loop, Node};

/// The locations of a reference by which values are saved.
#[derive(Debug, Default)]
pub(super) struct Place {
    /// All that it may stand for.
    pub(super) locs: LocSet,
    /// It stands for the whole of them: nothing in it picks elements, and no pointer leads to it.
    pub(super) whole: bool,
}

/// Facts about the references in a tree.
#[derive(Debug, Default)]
pub(super) struct Known {
    /// By references that are saved at the starts of iterations.
    places: HashMap<Expr, Place>,
    /// By loops, what the header of their reversal uses.
    bounds: BTreeMap<StmtId, LocSet>,
    /// By arrays: adjoints of a step read in the save of a whole array what they use of it, and of copies.
    direct: BTreeMap<SymId, (LocSet, LocSet)>,
    /// Variables that the run-time library sets: the steps that an action of a schedule is about.
    given: LocSet,
}

impl Known {
    /// The locations of a reference that a snapshot takes.
    pub(super) fn place(&self, e: &Expr) -> Option<&Place> {
        self.places.get(e)
    }

    /// What the header of a loop's reversal uses.
    pub(super) fn bounds(&self, l: &Loop) -> Option<&LocSet> {
        self.bounds.get(&l.stmt.id)
    }

    /// Arrays that are saved as a whole at the start of each iteration.
    pub(super) fn saved_whole<'k>(&'k self, l: &'k Loop) -> impl Iterator<Item = &'k LocSet> {
        l.direct.iter().filter_map(|d| self.direct.get(&d.array)).map(|(array, _)| array)
    }

    /// What adjoints of an iteration, and what runs again for them, read in these saves.
    pub(super) fn read_in_save(&self, l: &Loop) -> LocSet {
        let both = l.direct.iter().filter_map(|d| self.direct.get(&d.array));
        both.flat_map(|(array, copies)| array.iter().chain(copies)).copied().collect()
    }

    /// Takes out what the run-time library sets.
    pub(super) fn but_given(&self, mut locs: LocSet) -> LocSet {
        locs.retain(|x| !self.given.contains(x));
        locs
    }
}

impl Reverse<'_, '_> {
    /// Facts about the references in nodes.
    pub(super) fn known_of(&mut self, nodes: &[Node]) -> Known {
        let mut out = Known::default();
        self.know(nodes, &mut out);
        let mut rests: BTreeMap<LocId, LocId> = BTreeMap::new();
        nodes.iter().for_each(|n| {
            n.for_each_leaf(&mut |l| rests.extend(l.recompute.iter().filter_map(|r| Some((r.gives, r.rest?)))));
        });
        for place in out.places.values_mut().filter(|p| p.whole) {
            let more: Vec<LocId> =
                rests.iter().filter(|(x, _)| place.locs.contains(x)).map(|(_, rest)| *rest).collect();
            place.locs.extend(more);
        }
        out
    }

    fn know(&mut self, nodes: &[Node], out: &mut Known) {
        for node in nodes {
            match node {
                Node::Leaf(l) => self.know_leaf(l, out),
                Node::Branch(b) => b.arms.iter().for_each(|a| self.know(a, out)),
                Node::Loop(l) => {
                    self.know_loop(l, out);
                    self.know(&l.body, out);
                }
            }
        }
    }

    fn know_leaf(&mut self, l: &Leaf, out: &mut Known) {
        for e in &l.saves {
            self.know_place(e, out);
        }
    }

    fn know_loop(&mut self, l: &Loop, out: &mut Known) {
        let restored = l.blocks.iter().flat_map(|b| &b.restored);
        for e in l.snapshot.iter().chain(&l.last).chain(restored) {
            self.know_place(e, out);
        }
        for d in &l.direct {
            let [array, copies] = [std::slice::from_ref(&d.array), d.copies.as_slice()].map(|list| {
                list.iter().flat_map(|s| self.effects.locs.leaves(self.b.program, *s, &[])).collect::<LocSet>()
            });
            out.direct.insert(d.array, (array, copies));
        }
        if let Some(schedule) = l.blocks.as_ref().and_then(|b| b.schedule.as_ref()) {
            for sym in [schedule.steps.from, schedule.steps.to] {
                out.given.extend(self.effects.locs.leaves(self.b.program, sym, &[]));
            }
        }
        let StmtKind::Do { control: LoopControl::Count { lo, hi, step, .. }, .. } = &l.stmt.kind else { return };
        // A loop that is left by an exit is reversed by the number of its iterations.
        let last = (l.exit.is_none() && l.stable_bounds).then_some(hi);
        let others = l.stable_bounds.then_some(std::iter::once(lo).chain(step)).into_iter().flatten();
        let mut reads = LocSet::new();
        for e in others.chain(last) {
            self.effects.reads(self.b.program, e, &mut reads);
        }
        out.bounds.insert(l.stmt.id, reads);
    }

    fn know_place(&mut self, e: &Expr, out: &mut Known) {
        if out.places.contains_key(e) {
            return;
        }
        let Some(d) = associated(e).unwrap_or(e).as_var().cloned() else { return };
        let leading = self.effects.locs.leading(self.b.program, &d);
        let (locs, pointers) = match associated(e) {
            Some(_) => (self.effects.locs.association(self.b.program, d.sym, &d.path()), leading),
            None => (self.leaves(&d), self.effects.locs.pointers(self.b.program, &d)),
        };
        let picks = d.parts.iter().any(|p| matches!(p, Part::Subscripts(_) | Part::Substring(..)));
        let whole = !picks && pointers.is_empty();
        out.places.insert(e.clone(), Place { locs: locs.into_iter().collect(), whole });
    }
}
