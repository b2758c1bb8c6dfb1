//! What the forward sweeps have at hand: the statements that they keep read nothing that a statement which they leave out
//! would have assigned, and no adjoint of theirs needs it.
//!
//! A location is stale where it may have another value than the primal has there. What a sweep leaves out makes its
//! targets stale, what it runs refreshes what that replaces as a whole.
//!
//! Elements of an array are one location, so what is known of elements is believed: that a loop assigns an array from end
//! to end (`covers`), that an iteration uses of an array what it has assigned itself (`private`), and that no two
//! iterations share an element (`disjoint`).

use costate_analysis::storage::LocSet;
use costate_grammar::ir::{LoopControl, StmtKind};

use super::known::Known;
use super::report::Report;
use crate::reverse::decide::liveness::advancing;
use crate::reverse::tree::decisions::Blocks;
use crate::reverse::tree::node::{Branch, Leaf, Loop, Node};

/// Why a location is stale.
const LEFT_OUT: &str = "which the sweep hasn't computed there";

/// A forward sweep.
#[derive(Clone, Copy)]
pub(super) struct Sweep<'s> {
    /// It runs what is kept at all of these levels.
    pub(super) levels: &'s [usize],
    /// Adjoints of the statements follow it.
    pub(super) own: bool,
}

impl Sweep<'_> {
    /// True for a statement that it runs.
    pub(super) fn runs(self, l: &Leaf) -> bool {
        self.levels.iter().all(|level| l.keep.get(*level).copied().unwrap_or(false))
    }

    /// True when it runs any statement of the nodes.
    fn runs_any(self, nodes: &[Node]) -> bool {
        let mut found = false;
        nodes.iter().for_each(|n| n.for_each_leaf(&mut |l| found |= self.runs(l)));
        found
    }
}

/// The way forward through a tree.
pub(super) struct Forward<'w> {
    pub(super) known: &'w Known,
    pub(super) report: &'w mut Report,
}

impl Forward<'_> {
    /// Goes through nodes with what is stale before them, which becomes what is stale after them.
    pub(super) fn nodes(&mut self, nodes: &[Node], sweep: Sweep<'_>, stale: &mut LocSet) {
        for node in nodes {
            if !self.report.goes_on() {
                return;
            }
            match node {
                Node::Leaf(l) => self.leaf(l, sweep, stale),
                Node::Branch(b) => self.branch(b, sweep, stale),
                Node::Loop(l) => self.for_loop(l, sweep, stale),
            }
        }
    }

    fn leaf(&mut self, l: &Leaf, sweep: Sweep<'_>, stale: &mut LocSet) {
        if sweep.own {
            self.report.uses(&l.stmt, ("its adjoint uses", LEFT_OUT), &l.needs, stale);
        }
        if l.recompute.is_some() {
            return;
        }
        if sweep.own
            && let Some(split) = &l.split
        {
            self.report.uses(&l.stmt, ("its forward half reads", LEFT_OUT), &split.reads, stale);
        }
        if sweep.runs(l) {
            let reads = sweep.levels.first().map_or(&l.access.reads, |level| l.reads_at(*level));
            self.report.uses(&l.stmt, ("the forward sweep runs it, and it reads", LEFT_OUT), reads, stale);
            stale.retain(|x| !l.access.kills.contains(x));
        } else {
            // What no reference stands for is memory that a callee keeps to itself.
            l.targets.iter().for_each(|(_, locs)| stale.extend(locs.intersection(&l.access.writes)));
        }
        if sweep.own {
            self.report.uses(&l.stmt, ("its adjoint uses after it", LEFT_OUT), &l.after, stale);
        }
    }

    fn branch(&mut self, b: &Branch, sweep: Sweep<'_>, stale: &mut LocSet) {
        let adjoint = sweep.own && b.arms.iter().flatten().any(Node::has_adjoint);
        if adjoint || b.arms.iter().any(|a| sweep.runs_any(a)) {
            self.report.uses(&b.stmt, ("its condition reads", LEFT_OUT), &b.reads, stale);
        }
        let mut joined = if b.exhaustive { LocSet::new() } else { stale.clone() };
        for arm in &b.arms {
            let mut own = stale.clone();
            self.nodes(arm, sweep, &mut own);
            joined.append(&mut own);
        }
        *stale = joined;
    }

    fn for_loop(&mut self, l: &Loop, sweep: Sweep<'_>, stale: &mut LocSet) {
        if l.iterated.is_some() {
            // It runs in the backward sweep alone.
            if sweep.own && !self.report.is_quiet() {
                self.rerun(l, sweep.levels[0], stale.clone());
            }
            return;
        }
        let adjoint = sweep.own && l.body.iter().any(Node::has_adjoint);
        let runs = adjoint || sweep.runs_any(&l.body);
        if runs {
            let reads = self.known.but_given(l.access.reads.clone());
            self.report.uses(&l.stmt, ("its header reads", LEFT_OUT), &reads, stale);
            stale.retain(|x| !l.access.kills.contains(x));
        } else {
            stale.extend(&l.access.writes);
        }
        let inner = Sweep { own: sweep.own && !l.region, ..sweep };
        let end = self.end_of_iterations(&l.body, l, inner, stale);
        let start = start_of_iterations(l, stale, &end);
        for array in self.known.saved_whole(l) {
            self.report.uses(&l.stmt, ("the save at the start of a step takes", LEFT_OUT), array, &start);
        }
        let mut last = start.clone();
        self.nodes(&l.body, inner, &mut last);
        if runs {
            let exit = l.exit.iter().map(|(_, _, reads)| reads);
            let again = matches!(l.stmt.kind, StmtKind::Do { control: LoopControl::While(_), .. });
            for reads in exit.chain(again.then_some(&l.access.reads)) {
                self.report.uses(&l.stmt, ("whether it goes on depends on", LEFT_OUT), reads, &last);
            }
        }
        if l.region && sweep.own && !self.report.is_quiet() {
            self.rerun(l, sweep.levels[0], start);
        }
        if l.covers.is_empty() {
            stale.extend(end);
        } else {
            stale.retain(|x| !l.covers.contains(x));
            let end = self.end_of_iterations(&l.body, l, inner, stale);
            stale.extend(end);
        }
    }

    /// What is stale at the end of any iteration of a body, with what is stale before the loop.
    fn end_of_iterations(&mut self, body: &[Node], l: &Loop, sweep: Sweep<'_>, before: &LocSet) -> LocSet {
        let was = self.report.set_quiet(true);
        let mut end = LocSet::new();
        loop {
            let mut next = start_of_iterations(l, before, &end);
            self.nodes(body, sweep, &mut next);
            if next.is_subset(&end) {
                break;
            }
            end.append(&mut next);
        }
        self.report.set_quiet(was);
        end
    }

    /// Goes through the forward part of a region's iterations when it runs again, right before the adjoints, with what
    /// is stale then. Under a schedule other steps may have run before, from a snapshot.
    pub(super) fn rerun(&mut self, l: &Loop, level: usize, mut start: LocSet) {
        let header = [&l.access.kills, &l.own().access.kills];
        start.retain(|x| !(l.private.contains(x) || l.own.contains(x) || header.iter().any(|h| h.contains(x))));
        start = self.known.but_given(start);
        if l.blocks.as_ref().is_some_and(|b| b.schedule.is_some()) {
            let single = l.blocks.as_ref().is_some_and(Blocks::single);
            let levels = if single { vec![advancing(level)] } else { vec![level, level + 1] };
            let advance = Sweep { levels: &levels, own: false };
            let end = self.end_of_iterations(&l.own().body, l, advance, &start);
            start = start_of_iterations(l, &start, &end);
            self.nodes(&l.own().body, advance, &mut start.clone());
        }
        self.nodes(&l.body, Sweep { levels: &[level + 1], own: true }, &mut start);
    }
}

/// What is stale at the start of any iteration.
fn start_of_iterations(l: &Loop, before: &LocSet, end: &LocSet) -> LocSet {
    let carried = end.iter().filter(|x| !l.disjoint.contains(x));
    let private = |x: &&costate_analysis::storage::LocId| !l.private.contains(x);
    before.iter().chain(carried).filter(private).copied().collect()
}
