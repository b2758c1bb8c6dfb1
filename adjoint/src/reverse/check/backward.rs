//! What the backward sweep brings back: where an adjoint runs, nothing that it uses has been overwritten since, unless it
//! was saved or is computed again.
//!
//! A location is moved where it may have another value than a forward sweep left there. Whether that was the primal's value
//! is the matter of the way forward. Going back, a statement that a sweep has run moves what it writes and doesn't save.
//!
//! Elements of an array are one location: a saved element brings the location back as far as its own statement has
//! moved it, and what is saved as a whole brings it back for good. Which elements no adjoint needs any more (`unneeded`),
//! what sections snapshots take for a reference, that a loop assigns an array from end to end (`covers`), and which
//! values of a slice are others after it (`spoils`) is believed.

use costate_analysis::storage::LocSet;
use costate_grammar::ir::{Expr, Stmt, StmtKind};

use super::forward::{Forward, Sweep};
use super::known::Known;
use super::report::Report;
use crate::reverse::tree::decisions::{Recompute, Storage};
use crate::reverse::tree::node::{Branch, Leaf, Loop, Node, Replay};

/// Why a location is moved.
const OVERWRITTEN: &str = "which is overwritten and not brought back";

/// The way backward through a tree.
pub(super) struct Backward<'w> {
    known: &'w Known,
    report: &'w mut Report,
    /// What is read in saves of whole arrays in the loops around, wherever the backward sweep refers to it.
    in_saves: LocSet,
}

impl<'w> Backward<'w> {
    /// The way backward with nothing around it.
    pub(super) fn new(known: &'w Known, report: &'w mut Report) -> Self {
        Backward { known, report, in_saves: LocSet::new() }
    }

    /// Goes back through nodes with what is moved after them, which becomes what is moved before them.
    pub(super) fn nodes(&mut self, nodes: &[Node], level: usize, moved: &mut LocSet) {
        for node in nodes.iter().rev() {
            if !self.report.goes_on() {
                return;
            }
            match node {
                Node::Leaf(l) => match &l.recompute {
                    Some(slice) => self.slice(l, slice, moved),
                    None => self.leaf(l, level, moved),
                },
                Node::Branch(b) => self.branch(b, level, moved),
                Node::Loop(l) => self.for_loop(l, level, moved),
            }
        }
    }

    fn uses(&mut self, stmt: &Stmt, what: &'static str, used: &LocSet, moved: &LocSet) {
        self.report.uses(stmt, (what, OVERWRITTEN), used, moved);
    }

    fn slice(&mut self, l: &Leaf, slice: &Recompute, moved: &mut LocSet) {
        self.uses(&l.stmt, "what computes a value again reads", &l.needs, moved);
        moved.extend(&slice.spoils);
        // It may give a part of an array: that earlier adjoints need no others which have moved is believed, as what is known of
        // elements is.
        moved.remove(&slice.gives);
    }

    fn leaf(&mut self, l: &Leaf, level: usize, moved: &mut LocSet) {
        const ADJOINT: &str = "its adjoint uses";
        if l.by_result || l.undone {
            self.uses(&l.stmt, "its adjoint uses after it", &l.after, moved);
        }
        if l.by_result {
            // Of what it overwrites its adjoint uses what it has assigned, and what is brought back before.
            let mut ahead = moved.clone();
            for (e, locs) in l.targets.iter().filter(|(e, _)| l.saves.contains(e) && l.restores_first(e)) {
                let whole = self.known.place(e).is_some_and(|p| p.whole);
                ahead.retain(|x| !(locs.contains(x) && (whole || l.access.kills.contains(x))));
            }
            self.uses(&l.stmt, ADJOINT, &l.needs, &ahead);
        }
        self.restore(l, level, moved);
        if !l.saves.is_empty() {
            self.uses(&l.stmt, "what is saved before it is found by", &l.pointers, moved);
            if l.saves.iter().any(picks) {
                self.uses(&l.stmt, "what is saved before it is found by", &l.subscripts, moved);
            }
        }
        if !l.by_result {
            self.uses(&l.stmt, ADJOINT, &l.needs, moved);
        }
        let late = l.restores_late();
        let kept = |e: &Expr| l.preserve.contains(e) || late && l.saves.contains(e);
        lose(&l.clobbers, l, &kept, moved);
    }

    /// What a statement has overwritten in the forward sweep comes back, or is lost.
    fn restore(&mut self, l: &Leaf, level: usize, moved: &mut LocSet) {
        let held = l.storage == Some(Storage::Held) && matches!(l.stmt.kind, StmtKind::Deallocate { .. });
        if !(Sweep { levels: &[level], own: true }).runs(l) || held {
            return;
        }
        for (e, locs) in l.targets.iter().filter(|(e, _)| l.saves.contains(e)) {
            let whole = self.known.place(e).is_some_and(|p| p.whole);
            moved.retain(|x| !(locs.contains(x) && (whole || l.access.kills.contains(x))));
        }
        let back = |e: &Expr| l.undone || l.saves.contains(e) || l.spares(e, level);
        lose(&l.access.writes, l, &back, moved);
        if matches!(l.stmt.kind, StmtKind::Allocate { .. }) {
            // What has no memory has no value either.
            moved.retain(|x| !(l.access.shapes.contains(x) && l.access.kills.contains(x)));
        }
    }

    fn branch(&mut self, b: &Branch, level: usize, moved: &mut LocSet) {
        let adjoint = b.arms.iter().flatten().any(Node::has_adjoint);
        if adjoint && b.replay == Replay::Evaluate {
            let mut by_then = moved.clone();
            for arm in &b.arms {
                overwritten(arm, level, &mut by_then);
            }
            self.uses(&b.stmt, "its condition, which the backward sweep evaluates again, reads", &b.reads, &by_then);
        }
        let mut joined = if b.exhaustive { LocSet::new() } else { moved.clone() };
        for arm in &b.arms {
            let mut own = moved.clone();
            self.nodes(arm, level, &mut own);
            joined.append(&mut own);
        }
        *moved = joined;
    }

    fn for_loop(&mut self, l: &Loop, level: usize, moved: &mut LocSet) {
        let adjoint = l.body.iter().any(Node::has_adjoint);
        let mut by_then = LocSet::new();
        if !overwritten(&l.body, level, &mut by_then) && !adjoint {
            return;
        }
        if adjoint && let Some(bounds) = self.known.bounds(l) {
            by_then.extend(moved.iter().chain(&l.access.writes));
            let bounds = self.known.but_given(bounds.clone());
            self.uses(&l.stmt, "the header of its reversal uses", &bounds, &by_then);
        }
        let mut end = self.end_of_iterations(l, level, moved);
        if !self.report.is_quiet() {
            self.iteration((l, level), moved, &mut end.clone());
        }
        let after = moved.clone();
        let replaced = replaced(l, level);
        if !replaced.is_empty() {
            moved.retain(|x| !replaced.contains(x));
            end = self.end_of_iterations(l, level, moved);
        }
        moved.append(&mut end);
        if l.save_variable {
            moved.retain(|x| !l.own().access.kills.contains(x));
        } else {
            moved.extend(l.access.writes.iter().chain(&l.own().access.writes));
        }
        if l.blocks.as_ref().is_some_and(|b| b.schedule.is_some()) {
            self.restored(l, &after, moved);
        }
    }

    /// What is moved at the end of any iteration, with what is moved after the loop.
    fn end_of_iterations(&mut self, l: &Loop, level: usize, after: &LocSet) -> LocSet {
        let was = self.report.set_quiet(true);
        // The backward loop's own header gives the variable its values again.
        let given = &l.access.kills;
        let mut end: LocSet = after.difference(given).copied().collect();
        loop {
            let mut start = end.clone();
            self.iteration((l, level), after, &mut start);
            start.retain(|x| !given.contains(x));
            if start.is_subset(&end) {
                break;
            }
            end.append(&mut start);
        }
        self.report.set_quiet(was);
        end
    }

    /// Goes back through an iteration of a loop; `after` is what is moved after the last one.
    fn iteration(&mut self, (l, level): (&Loop, usize), after: &LocSet, moved: &mut LocSet) {
        if l.region && l.body.iter().any(Node::has_adjoint) {
            self.region((l, level), after, moved);
            return;
        }
        // What an iteration has of its own comes back as it has left it.
        let lasts: Vec<_> = l.last.iter().filter_map(|e| self.known.place(e)).collect();
        moved.retain(|x| !lasts.iter().any(|p| p.locs.contains(x)));
        let saved = self.known.read_in_save(l);
        let around = self.in_saves.clone();
        self.in_saves.extend(saved);
        self.nodes(&l.body, level, moved);
        self.in_saves = around;
    }

    /// An iteration of a region: its snapshot comes back, its forward part runs again, and then its adjoint.
    fn region(&mut self, (l, level): (&Loop, usize), after: &LocSet, moved: &mut LocSet) {
        let end = moved.clone();
        for place in l.snapshot.iter().filter_map(|e| self.known.place(e)).filter(|p| p.whole || l.blocks.is_some()) {
            // What snapshots of a time loop take is all that any of its iterations overwrites.
            moved.retain(|x| !place.locs.contains(x) || !place.whole && after.contains(x));
        }
        first_sweep(&l.body, l, level, moved);
        for place in l.snapshot.iter().filter_map(|e| self.known.place(e)).filter(|p| p.whole) {
            moved.retain(|x| !place.locs.contains(x));
        }
        if !self.report.is_quiet() {
            let start = moved.difference(&self.in_saves).copied().collect();
            Forward { known: self.known, report: self.report }.rerun(l, level, start);
        }
        let mut own = LocSet::new();
        self.nodes(&l.body, level + 1, &mut own);
        moved.append(&mut own);
        if l.blocks.as_ref().is_some_and(|b| b.schedule.is_none()) {
            self.restored(l, &end, moved);
        }
    }

    /// What is restored after the adjoints of a block, or of a loop under a schedule, for those of earlier statements.
    fn restored(&self, l: &Loop, after: &LocSet, moved: &mut LocSet) {
        let places = l.blocks.iter().flat_map(|b| &b.restored).filter_map(|e| self.known.place(e));
        for place in places {
            moved.retain(|x| !place.locs.contains(x) || !place.whole && after.contains(x));
        }
    }
}

/// Adds what of `from`, which a leaf overwrites, isn't brought back: each of the references that may stand for a location
/// must be. What none stands for is memory that a callee keeps to itself, or an object that gets its memory here.
fn lose(from: &LocSet, l: &Leaf, back: &dyn Fn(&Expr) -> bool, moved: &mut LocSet) {
    for (_, locs) in l.targets.iter().filter(|(e, _)| !back(e)) {
        moved.extend(locs.intersection(from));
    }
}

/// Adds what the first forward sweep overwrites in a region's iteration and no snapshot takes. Under a schedule, so do
/// the steps that run again without being recorded.
fn first_sweep(nodes: &[Node], region: &Loop, level: usize, moved: &mut LocSet) {
    let scheduled = region.blocks.as_ref().is_some_and(|b| b.schedule.is_some());
    let own = [level];
    let sweep = Sweep { levels: &own, own: false };
    for node in nodes {
        match node {
            Node::Leaf(l) if sweep.runs(l) || scheduled && l.keep.contains(&true) => {
                let taken = |e: &Expr| region.snapshot.contains(widened(region, l, e));
                lose(&l.access.writes, l, &|e| l.spares(e, level) || taken(e), moved);
            }
            Node::Leaf(_) => {}
            Node::Branch(b) => b.arms.iter().for_each(|a| first_sweep(a, region, level, moved)),
            Node::Loop(l) => {
                if overwritten(&l.body, level, &mut LocSet::new())
                    && l.variable.as_ref().is_some_and(|v| !region.snapshot.contains(v))
                {
                    moved.extend(&l.access.writes);
                }
                first_sweep(&l.body, region, level, moved);
            }
        }
    }
}

/// What a snapshot takes for a target of a leaf.
fn widened<'e>(region: &'e Loop, l: &Leaf, e: &'e Expr) -> &'e Expr {
    let list = region.blocks.iter().flat_map(|b| &b.wide);
    list.into_iter().find(|w| w.0 == l.stmt.id && w.1 == *e).map_or(e, |w| &w.2)
}

/// Adds what the sweep of a level assigns in nodes. Returns whether it runs any of them.
fn overwritten(nodes: &[Node], level: usize, out: &mut LocSet) -> bool {
    let levels = [level];
    let sweep = Sweep { levels: &levels, own: false };
    let mut runs = false;
    for node in nodes {
        runs |= match node {
            Node::Leaf(l) if sweep.runs(l) => {
                out.extend(&l.access.writes);
                true
            }
            Node::Leaf(_) => false,
            Node::Branch(b) => b.arms.iter().filter(|a| overwritten(a, level, out)).count() > 0,
            Node::Loop(l) => {
                let inside = overwritten(&l.body, level, out);
                if inside {
                    out.extend(&l.access.writes);
                }
                inside
            }
        };
    }
    runs
}

/// The arrays of which the iterations that have run assign every element, so that the saves of all of them bring the whole
/// array back.
fn replaced(l: &Loop, level: usize) -> LocSet {
    let levels = [level];
    let sweep = Sweep { levels: &levels, own: false };
    let mut out = l.covers.clone();
    if !out.is_empty() {
        l.body.iter().for_each(|n| {
            n.for_each_leaf(&mut |x| {
                if !sweep.runs(x) {
                    out.retain(|loc| !x.access.writes.contains(loc));
                }
            });
        });
    }
    out
}

/// True for a reference with parts, for which subscripts may have to be known.
fn picks(e: &Expr) -> bool {
    e.as_var().is_some_and(|d| !d.parts.is_empty())
}
