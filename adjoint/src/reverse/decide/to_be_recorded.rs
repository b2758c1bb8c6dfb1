//! Where values are saved: before a kept statement that overwrites a value which an adjoint on this side of it needs
//! ("to be recorded" analysis, Hascoet, Naumann, Pascual 2005). Invariant of the backward sweep: when the adjoint of a
//! statement runs, everything it or any adjoint after it needs has the value from before the statement.

use costate_analysis::storage::{LocId, LocSet, symbols};
use costate_grammar::ir::Expr;

use super::liveness::remove;
use crate::reverse::statements::pointer::associated;
use crate::reverse::tree::node::{Branch, Leaf, Loop, Node, Replay};

/// Marks the saves of `level` and updates `needed`, the values that adjoints of earlier statements still need.
pub(crate) fn analyse(nodes: &mut [Node], level: usize, needed: &mut LocSet) {
    for node in nodes {
        match node {
            Node::Leaf(l) => match &mut l.recompute {
                Some(again) => again.pass(&l.needs, needed),
                None => leaf(l, level, needed),
            },
            Node::Branch(b) => branch(b, level, needed),
            Node::Loop(l) => for_loop(l, level, needed),
        }
    }
}

fn leaf(l: &mut Leaf, level: usize, needed: &mut LocSet) {
    // What an adjoint call changes must be restored for the adjoints that run after it.
    for (target, locs) in l.targets.iter() {
        if locs.iter().any(|x| l.clobbers.contains(x) && needed.contains(x)) {
            push(&mut l.preserve, target);
        }
    }
    needed.extend(l.needs.iter().copied());
    if l.keep.get(level).copied().unwrap_or(false) {
        loop {
            let before = needed.len();
            for (target, locs) in l.targets.iter() {
                if !l.spares(target, level) && locs.iter().any(|x| l.access.writes.contains(x) && needed.contains(x)) {
                    match l.undo {
                        Some(_) => l.undone = true,
                        None => push(&mut l.saves, target),
                    }
                    refer(l.subscripts.iter(), target, needed);
                    needed.extend(l.pointers.iter().copied());
                }
            }
            if needed.len() == before {
                break;
            }
        }
        remove(needed, &l.access.kills);
    }
    needed.extend(l.after.iter().copied());
}

/// Adds a reference to a list of what is saved, which is restored from its end: where another one of the list is a
/// subscript of it, that comes after it.
pub(in crate::reverse) fn push(list: &mut Vec<Expr>, e: &Expr) {
    if !list.contains(e) {
        let reference = associated(e).unwrap_or(e);
        let used: Vec<_> = reference.children().into_iter().flat_map(symbols).collect();
        let subscript = |other: &Expr| other.as_var().is_some_and(|d| used.contains(&d.sym));
        // Associations are restored before what pointers lead to, those that lead to others first.
        let depth = |x: &Expr| associated(x).and_then(Expr::as_var).map(|d| d.path().len());
        let own = depth(e);
        let pointer = |other: &Expr| depth(other).is_some_and(|n| own.is_none_or(|own| n < own));
        let at = list.iter().position(|x| subscript(x) || pointer(x)).unwrap_or(list.len());
        list.insert(at, e.clone());
    }
}

/// To restore an element or a section, its subscripts must be what they were.
fn refer<'l>(subscripts: impl Iterator<Item = &'l LocId>, target: &Expr, needed: &mut LocSet) {
    if target.as_var().is_some_and(|d| !d.parts.is_empty()) {
        needed.extend(subscripts.copied());
    }
}

fn branch(b: &mut Branch, level: usize, needed: &mut LocSet) {
    let adjoint = b.arms.iter().flatten().any(Node::has_adjoint);
    if adjoint && b.replay == Replay::Evaluate {
        needed.extend(b.reads.iter().copied());
    }
    let mut joined = if b.exhaustive { LocSet::new() } else { needed.clone() };
    for arm in &mut b.arms {
        let mut n = needed.clone();
        analyse(arm, level, &mut n);
        joined.extend(n);
    }
    *needed = joined;
    if b.replay == Replay::Evaluate && b.arms.iter().flatten().any(Node::has_adjoint) {
        needed.extend(b.reads.iter().copied());
    }
}

fn for_loop(l: &mut Loop, level: usize, needed: &mut LocSet) {
    let adjoint = l.body.iter().any(Node::has_adjoint);
    if !adjoint && !super::liveness::kept(l.body.iter(), level) {
        return;
    }
    // Blocks of iterations assign the user's variable too.
    if l.own().access.writes.iter().any(|w| needed.contains(w)) {
        l.save_variable = true;
        needed.retain(|x| !l.own().access.kills.contains(x));
    }
    if adjoint && l.stable_bounds {
        needed.extend(l.access.reads.iter().copied());
    }
    let outside = needed.clone();
    loop {
        let before = needed.len();
        if l.region && adjoint {
            needed.extend(l.needs.iter().copied());
            // What an iteration allocates and frees has no value at its start.
            needed.retain(|x| !l.own.contains(x));
        }
        let mut inside = needed.clone();
        if l.region && adjoint {
            match &mut l.blocks {
                None => snapshot(&l.body, level, needed, &mut l.snapshot),
                Some(blocks) => {
                    let held = blocks.hold(&l.body, (needed, &l.needs, &outside), &mut l.snapshot);
                    inside.retain(|x| !held.contains(x));
                }
            }
            analyse(&mut l.body, level + 1, &mut inside);
        } else {
            analyse(&mut l.body, level, &mut inside);
            // The backward loop's header gives its variable the value of each iteration.
            needed.extend(inside.difference(&l.access.kills));
        }
        if needed.len() == before {
            break;
        }
    }
    if l.stable_bounds && l.body.iter().any(Node::has_adjoint) {
        needed.extend(l.access.reads.iter().copied());
    }
    // The backward loop's own header gives the variable its values again.
    needed.retain(|x| !l.access.kills.contains(x));
    let replaced = replaced(l, level);
    needed.retain(|x| !replaced.contains(x));
}

/// Arrays of which a loop assigns every element, and saves it where it is needed, while its own adjoint needs none: no
/// adjoint needs what stands after the loop.
fn replaced(l: &Loop, level: usize) -> LocSet {
    let mut out = l.covers.clone();
    if out.is_empty() {
        return out;
    }
    out.retain(|x| !l.needs.contains(x));
    used_by_adjoints(&l.body, level, &mut |locs| out.retain(|x| !locs.contains(x)));
    out
}

/// Calls `each` with everything that adjoints of the nodes may use as it stands after them, or that the forward sweep of
/// the level doesn't assign.
fn used_by_adjoints(nodes: &[Node], level: usize, each: &mut dyn FnMut(&LocSet)) {
    for n in nodes {
        match n {
            Node::Leaf(l) => {
                each(&l.needs);
                each(&l.after);
                each(&l.clobbers);
                if l.undone || !l.keep.get(level).copied().unwrap_or(false) {
                    each(&l.access.writes);
                }
            }
            Node::Branch(b) => {
                each(&b.reads);
                b.arms.iter().for_each(|a| used_by_adjoints(a, level, each));
            }
            Node::Loop(l) => {
                each(&l.needs);
                each(&l.access.reads);
                used_by_adjoints(&l.body, level, each);
            }
        }
    }
}

/// References that the first forward sweep overwrites in a region's iteration and that are needed from its start.
fn snapshot(nodes: &[Node], level: usize, needed: &mut LocSet, out: &mut Vec<Expr>) {
    for node in nodes {
        node.for_each_leaf(&mut |l| {
            if l.keep.get(level).copied().unwrap_or(false) {
                for (target, locs) in l.targets.iter() {
                    if !l.spares(target, level)
                        && locs.iter().any(|x| l.access.writes.contains(x) && needed.contains(x))
                    {
                        push(out, target);
                        refer(l.subscripts.iter(), target, needed);
                        needed.extend(l.pointers.iter().copied());
                    }
                }
            }
        });
        node.for_each_variable(&mut |v, locs| {
            if !locs.is_disjoint(needed) {
                push(out, v);
            }
        });
    }
}
