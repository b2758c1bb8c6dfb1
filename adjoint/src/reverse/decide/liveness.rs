//! Which primal statements the forward sweeps must run, and which values the adjoint of a block uses of the state at its
//! start. A value counts as live when a later kept statement or any adjoint of the block reads it.
//!
//! A level is the number of regions (loop bodies whose forward part runs again) around a statement. A statement inside a
//! region is judged once for each level: it may be needed when the iteration runs again, but not in the first forward
//! sweep, or the other way round.

use costate_analysis::storage::LocSet;
use costate_grammar::ir::{LoopControl, StmtKind};

use crate::reverse::tree::decisions::Blocks;
use crate::reverse::tree::node::{Branch, Leaf, Loop, Node};

/// Marks what is kept at `level` and returns what is live before the nodes. `inner` is false for nodes that belong to a
/// deeper region than `level`: their adjoints don't run here.
pub(crate) fn analyse(nodes: &mut [Node], level: usize, own: bool, mut live: LocSet) -> LocSet {
    for node in nodes.iter_mut().rev() {
        live = match node {
            Node::Leaf(l) => leaf(l, level, own, live),
            Node::Branch(b) => branch(b, level, own, live),
            Node::Loop(l) => for_loop(l, level, own, live),
        };
    }
    live
}

fn leaf(l: &mut Leaf, level: usize, own: bool, mut live: LocSet) -> LocSet {
    if l.keep.len() <= level {
        l.keep.resize(level + 1, false);
    }
    if own {
        live.extend(l.after.iter().copied());
    }
    let effect = level == 0 && l.access.side_effect;
    let memory = l.storage.is_some() || !l.access.shapes.is_empty() || l.forced;
    if effect || memory || l.access.writes.iter().any(|w| live.contains(w)) {
        l.keep[level] = true;
    }
    if own && let Some(split) = &l.split {
        // The backward half works on what the forward half keeps.
        l.keep[level] = true;
        step_back(&l.access.kills, &l.access.reads, &mut live);
        live.extend(split.reads.iter().copied());
    } else if l.keep[level] {
        step_back(&l.access.kills, l.reads_at(level), &mut live);
    }
    if own {
        live.extend(l.needs.iter().copied());
    }
    live
}

fn step_back(kills: &LocSet, reads: &LocSet, live: &mut LocSet) {
    remove(live, kills);
    live.extend(reads.iter().copied());
}

/// Takes what one statement touches out of what may be a large set.
pub(crate) fn remove(from: &mut LocSet, gone: &LocSet) {
    gone.iter().for_each(|l| {
        from.remove(l);
    });
}

fn branch(b: &mut Branch, level: usize, own: bool, live: LocSet) -> LocSet {
    let mut joined = if b.exhaustive { LocSet::new() } else { live.clone() };
    for arm in &mut b.arms {
        joined.extend(analyse(arm, level, own, live.clone()));
    }
    let adjoint = own && b.arms.iter().flatten().any(Node::has_adjoint);
    if adjoint || kept(b.arms.iter().flatten(), level) {
        joined.extend(b.reads.iter().copied());
    }
    joined
}

fn for_loop(l: &mut Loop, level: usize, own: bool, mut live: LocSet) -> LocSet {
    let adjoint = own && l.body.iter().any(Node::has_adjoint);
    if l.region && own {
        if l.blocks.as_ref().is_some_and(Blocks::single) {
            crate::reverse::tree::node::set_level(&mut l.body, level);
        }
        l.needs = analyse(&mut l.body, level + 1, true, LocSet::new());
        l.needs.retain(|x| !l.private.contains(x));
        if l.blocks.as_ref().is_some_and(Blocks::single) {
            advance(l, level);
        }
    }
    if l.blocks.is_some() {
        l.after.clone_from(&live);
    }
    let after: LocSet = live.difference(&l.covers).copied().collect();
    fixpoint(l, level, own, &mut live);
    if !l.covers.is_empty() {
        // What the loop assigns as a whole is live before it only where the loop itself uses it.
        live = after;
        fixpoint(l, level, own, &mut live);
    }
    if adjoint || kept(l.body.iter(), level) {
        step_back(&l.access.kills, &l.access.reads, &mut live);
    }
    live
}

/// The level of what a time loop runs in the backward sweep to come from a snapshot to a later step.
pub(crate) fn advancing(level: usize) -> usize {
    // More than there are loops inside each other: programs with more of them are refused where they are read.
    64 + level
}

/// Adds to what a step needs what the steps after it need, and marks what must run to come to them.
fn advance(l: &mut Loop, level: usize) {
    loop {
        let before = l.needs.len();
        let start = analyse(&mut l.body, advancing(level), false, l.needs.clone());
        l.needs.extend(start.difference(&l.private));
        if l.needs.len() == before {
            break;
        }
    }
}

/// From what is live after a loop to what is live before it.
fn fixpoint(l: &mut Loop, level: usize, own: bool, live: &mut LocSet) {
    let adjoint = own && l.body.iter().any(Node::has_adjoint);
    let body_own = own && !l.region;
    // The condition of `do while` is evaluated after every iteration: what it reads must be computed in the body.
    let again = match &l.stmt.kind {
        StmtKind::Do { control: LoopControl::While(_), .. } => l.access.reads.clone(),
        _ => LocSet::new(),
    };
    // Of arrays whose elements no two iterations share, an iteration leaves nothing to the ones after it.
    let separate: LocSet = l.disjoint.difference(live).copied().collect();
    loop {
        let mut end: LocSet = live.difference(&separate).copied().collect();
        if let Some((_, _, reads)) = &l.exit {
            end.extend(reads.iter().copied());
        }
        let ran = adjoint || kept(l.body.iter(), level);
        if ran {
            end.extend(again.iter().copied());
        }
        let mut start = analyse(&mut l.body, level, body_own, end);
        if l.region && own {
            start.extend(l.needs.iter().copied());
        }
        let mut steady = true;
        // The header assigns its variable between iterations.
        for x in start.difference(&l.private).filter(|x| !l.access.kills.contains(x)) {
            // What isn't live at the end of an iteration makes no other one necessary.
            steady &= !live.insert(*x) || separate.contains(x);
        }
        if steady && (ran || !kept(l.body.iter(), level)) {
            break;
        }
    }
}

/// Forgets what was decided for the nodes by this analysis and by that of saves.
pub(in crate::reverse) fn forget(nodes: &mut [Node]) {
    for n in nodes {
        match n {
            Node::Leaf(l) => {
                l.keep.clear();
                l.unneeded.clear();
                l.saves.clear();
                l.preserve.clear();
                l.undone = false;
            }
            Node::Branch(b) => b.arms.iter_mut().for_each(|a| forget(a)),
            Node::Loop(l) => {
                l.snapshot.clear();
                l.needs.clear();
                l.save_variable = false;
                l.blocks.iter_mut().for_each(|b| b.restored.clear());
                forget(&mut l.body);
            }
        }
    }
}

/// True when any statement of the nodes is kept at `level`.
pub(crate) fn kept<'a>(mut nodes: impl Iterator<Item = &'a Node>, level: usize) -> bool {
    nodes.any(|n| match n {
        Node::Leaf(l) => l.keep.get(level).copied().unwrap_or(false),
        Node::Branch(b) => kept(b.arms.iter().flatten(), level),
        Node::Loop(l) => kept(l.body.iter(), level),
    })
}
