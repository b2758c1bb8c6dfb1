//! Which primal statements the forward sweeps must run, and which values the adjoint of a block uses of the state at its
//! start: a backward problem of dataflow. A value counts as live when a later kept statement or any adjoint of the block
//! reads it.
//!
//! A level is the number of regions (loop bodies whose forward part runs again) around a statement. A statement inside a
//! region is judged once for each level: it may be needed when the iteration runs again, but not in the first forward
//! sweep, or the other way round.

use costate_analysis::dataflow::engine::{Direction, Problem, solve};
use costate_analysis::storage::{LocBits, LocSet};
use costate_grammar::ir::{LoopControl, StmtKind};
use fixedbitset::FixedBitSet;

use crate::reverse::tree::decisions::Blocks;
use crate::reverse::tree::flow::{Place, Point, Shape, Way, of_nodes};
use crate::reverse::tree::node::{Leaf, Loop, Node};

/// Marks what is kept at `level` and returns what is live before the nodes. `own` is false for nodes that belong to a
/// deeper region than `level`: their adjoints don't run here.
pub(crate) fn analyse(nodes: &mut [Node], level: usize, own: bool, live: LocSet) -> LocSet {
    if own {
        nodes.iter_mut().for_each(|n| regions(n, level));
    }
    let mut problem = Liveness { level, end: live, keep: FixedBitSet::new(), after: Vec::new() };
    let shape = |l: &Loop, _| if l.iterated.is_some() { Shape::Whole } else { Shape::Open };
    let start = solve(&of_nodes(nodes, 0, own, &shape), &mut problem);
    problem.note(nodes, &mut 0);
    start.map_or(problem.end, |fact| fact.live.iter().collect())
}

/// Judges the iterations that run again in the backward sweep of a level. What such an iteration needs depends on nothing
/// outside.
fn regions(node: &mut Node, level: usize) {
    match node {
        Node::Leaf(_) => {}
        Node::Branch(b) => b.arms.iter_mut().flatten().for_each(|n| regions(n, level)),
        Node::Loop(l) if l.region => {
            let single = l.blocks.as_ref().is_some_and(Blocks::single);
            if single {
                crate::reverse::tree::node::set_level(&mut l.body, level);
            }
            l.needs = analyse(&mut l.body, level + 1, true, LocSet::new());
            l.needs.retain(|x| !l.private.contains(x));
            if single {
                advance(l, level);
            }
        }
        Node::Loop(l) => l.body.iter_mut().for_each(|n| regions(n, level)),
    }
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

/// What is used behind a point.
#[derive(Clone, Default)]
struct Live {
    /// Values.
    live: LocBits,
    /// Values of arrays that are used behind a loop that assigns all of them, and not in that: it must assign them, but
    /// what stood in them before is of no use.
    behind: LocBits,
    /// Branches and loops of which something runs, by number: so do their conditions and bounds.
    runs: FixedBitSet,
}

impl Live {
    fn step_back(&mut self, kills: &LocSet, reads: &LocSet) {
        self.forget(kills);
        self.live.extend(reads.iter().copied());
    }

    fn forget(&mut self, locs: &LocSet) {
        for l in locs {
            self.live.remove(*l);
            self.behind.remove(*l);
        }
    }

    fn runs_in(&mut self, construct: Option<usize>) {
        if let Some(number) = construct {
            self.runs.grow_and_insert(number);
        }
    }
}

struct Liveness {
    level: usize,
    /// What is used behind all nodes.
    end: LocSet,
    /// Statements that are kept, by number.
    keep: FixedBitSet,
    /// What is used behind loops that run in blocks, by number.
    after: Vec<(usize, LocSet)>,
}

impl Liveness {
    fn keeps(&self, point: Point<'_>, l: &Leaf, fact: &Live) -> bool {
        // Messages are passed on all processes or on none, and what is put on a device is taken off.
        let effect = self.level == 0 && l.access.side_effect || l.access.communicates || l.access.on_device;
        let memory = l.storage.is_some() || !l.access.shapes.is_empty() || l.forced;
        // The backward half of a call works on what the forward half keeps.
        let split = point.own && l.split.is_some();
        let used = |x| fact.live.contains(x) || fact.behind.contains(x) || point.own && l.after.contains(x);
        effect || memory || split || l.kept(self.level) || l.access.writes.iter().any(used)
    }

    fn leaf(&self, point: Point<'_>, l: &Leaf, fact: &mut Live) {
        let keep = self.keeps(point, l, fact);
        if point.own {
            fact.live.extend(l.after.iter().copied());
        }
        if keep {
            fact.runs_in(point.within);
            match l.split.as_ref().filter(|_| point.own) {
                Some(split) => {
                    fact.step_back(&l.access.kills, &l.access.reads);
                    fact.live.extend(split.reads.iter().copied());
                }
                None => fact.step_back(&l.access.kills, l.reads_at(self.level)),
            }
        }
        if point.own {
            fact.live.extend(l.needs.iter().copied());
        }
    }

    /// Writes the result into the nodes.
    fn note(&self, nodes: &mut [Node], number: &mut usize) {
        for node in nodes {
            let own = *number;
            *number += 1;
            match node {
                Node::Leaf(l) => {
                    if l.keep.len() <= self.level {
                        l.keep.resize(self.level + 1, false);
                    }
                    l.keep[self.level] |= self.keep.contains(own);
                }
                Node::Branch(b) => b.arms.iter_mut().for_each(|a| self.note(a, number)),
                Node::Loop(l) => {
                    if let Ok(at) = self.after.binary_search_by_key(&own, |a| a.0) {
                        l.after.extend(self.after[at].1.iter().copied());
                    }
                    self.note(&mut l.body, number);
                }
            }
        }
    }
}

impl<'t> Problem<Point<'t>, Way<'t>> for Liveness {
    type Fact = Live;
    const DIRECTION: Direction = Direction::Backward;

    fn boundary(&mut self) -> Live {
        Live { live: self.end.iter().copied().collect(), ..Live::default() }
    }

    fn join(&mut self, fact: &mut Live, other: &Live) -> bool {
        let news = !(other.live.is_subset(&fact.live)
            && other.behind.is_subset(&fact.behind)
            && other.runs.is_subset(&fact.runs));
        if news {
            fact.live.union_with(&other.live);
            fact.behind.union_with(&other.behind);
            fact.runs.union_with(&other.runs);
        }
        news
    }

    fn transfer(&mut self, point: Point<'t>, fact: &mut Live) {
        let runs = fact.runs.contains(point.number);
        match point.place {
            Place::Leaf(l) => self.leaf(point, l, fact),
            Place::Branch(b) if runs || point.adjoint => fact.live.extend(b.reads.iter().copied()),
            Place::Header(l) if runs || point.adjoint => fact.step_back(&l.access.kills, &l.access.reads),
            Place::Again(l) => {
                fact.live.extend(l.exit.iter().flat_map(|(_, _, reads)| reads).copied());
                // The condition of `do while` is evaluated after every iteration: what it reads must be computed there.
                if (runs || point.adjoint) && is_while(l) {
                    fact.live.extend(l.access.reads.iter().copied());
                }
            }
            // No forward sweep of this level runs it.
            Place::Whole(l) if point.adjoint => fact.live.extend(l.needs.iter().copied()),
            Place::Branch(_) | Place::Joined(_) | Place::Header(_) | Place::End(_) | Place::Whole(_) => {}
        }
        if runs && matches!(point.place, Place::Branch(_) | Place::Header(_)) {
            fact.runs.remove(point.number);
            fact.runs_in(point.within);
        }
    }

    fn cross(&mut self, way: Way<'t>, fact: &mut Live) -> bool {
        match way {
            Way::Next => {}
            // What the loop assigns as a whole is live before it only where the loop itself uses it.
            Way::Skip(l) => fact.forget(&l.covers),
            Way::Done(l) => {
                for x in l.covers.iter().filter(|x| fact.live.contains(x)).collect::<Vec<_>>() {
                    fact.live.remove(*x);
                    fact.behind.insert(*x);
                }
            }
            Way::Enter(l, own) | Way::Again(l, own) => {
                if l.region && own {
                    fact.live.extend(l.needs.iter().copied());
                }
                fact.forget(&l.private);
                // The header assigns its variable between iterations.
                fact.forget(&l.access.kills);
                match way {
                    // Of arrays whose elements no two iterations share, an iteration leaves nothing to the ones after it.
                    Way::Again(..) => l.disjoint.iter().for_each(|x| fact.live.remove(*x)),
                    _ => l.covers.iter().for_each(|x| fact.behind.remove(*x)),
                }
            }
        }
        true
    }

    fn settled(&mut self, point: Point<'t>, fact: &Live) {
        match point.place {
            Place::Leaf(l) if self.keeps(point, l, fact) => self.keep.grow_and_insert(point.number),
            Place::End(l) if l.blocks.is_some() => {
                let used = fact.live.iter().chain(fact.behind.iter()).collect();
                let at = self.after.partition_point(|a| a.0 < point.number);
                self.after.insert(at, (point.number, used));
            }
            _ => {}
        }
    }
}

fn is_while(l: &Loop) -> bool {
    matches!(&l.stmt.kind, StmtKind::Do { control: LoopControl::While(_), .. })
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
                l.last.clear();
                l.needs.clear();
                l.after.clear();
                l.save_variable = false;
                l.iterated.iter_mut().for_each(|i| i.needed.clear());
                l.blocks.iter_mut().for_each(|b| b.restored.clear());
                forget(&mut l.body);
            }
        }
    }
}

/// True when any statement of the nodes is kept at `level`.
pub(crate) fn kept<'a>(mut nodes: impl Iterator<Item = &'a Node>, level: usize) -> bool {
    nodes.any(|n| match n {
        Node::Leaf(l) => l.kept(level),
        Node::Branch(b) => kept(b.arms.iter().flatten(), level),
        Node::Loop(l) => kept(l.body.iter(), level),
    })
}
