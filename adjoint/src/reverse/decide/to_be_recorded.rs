//! Where values are saved: before a kept statement that overwrites a value which an adjoint on this side of it needs
//! ("to be recorded" analysis, Hascoet, Naumann, Pascual 2005), a forward problem of dataflow. Invariant of the backward
//! sweep: when the adjoint of a statement runs, everything it or any adjoint after it needs has the value from before the
//! statement.

use costate_analysis::dataflow::engine::{Direction, Problem, solve};
use costate_analysis::storage::{LocBits, LocSet, symbols};
use costate_grammar::ir::Expr;
use fixedbitset::FixedBitSet;

use super::liveness::kept;
use crate::reverse::statements::pointer::associated;
use crate::reverse::tree::flow::{Place, Point, Shape, Way, of_nodes};
use crate::reverse::tree::node::{Leaf, Loop, Node, Replay};

/// Marks the saves of `level` and updates `needed`, the values that adjoints of earlier statements still need.
pub(crate) fn analyse(nodes: &mut [Node], level: usize, needed: &mut LocSet) {
    let start = needed.iter().copied().collect();
    let (mut marks, end) = solved(nodes, 0, level, start);
    marks.sort_by_key(|(number, _)| *number);
    note(nodes, &mut 0, &mut marks.into_iter().peekable());
    *needed = end.needed.iter().collect();
}

/// What adjoints need, at a point.
#[derive(Clone, Default)]
struct Need {
    /// Values.
    needed: LocBits,
    /// Statements that have to be undone, by number.
    undone: FixedBitSet,
    /// Branches and loops in which something is saved, by number: so they are gone through in the backward sweep.
    acts: FixedBitSet,
}

impl Need {
    fn add(&mut self, locs: &LocSet) {
        self.needed.extend(locs.iter().copied());
    }

    fn drop(&mut self, locs: &LocSet) {
        locs.iter().for_each(|x| self.needed.remove(*x));
    }

    fn acts_in(&mut self, construct: Option<usize>) {
        if let Some(number) = construct {
            self.acts.grow_and_insert(number);
        }
    }
}

/// What is decided for a node.
#[derive(Default)]
struct Mark {
    /// What is restored after its adjoint.
    preserve: Vec<Expr>,
    /// What is saved before it, for a loop at the start of each iteration.
    saves: Vec<Expr>,
    /// It is undone.
    undone: bool,
    /// What is saved where an iteration of a loop ends.
    last: Vec<Expr>,
    /// A loop's variable is saved.
    variable: bool,
    /// What is restored after the adjoint of a block.
    restored: Vec<Expr>,
    /// What it recomputes is used, and what that spoils is.
    recomputes: (bool, bool),
    /// What is needed where the iteration of a fixed point ends.
    at_end: LocSet,
}

type Marks = Vec<(usize, Mark)>;

/// Solves the problem for nodes of which the first one has a number.
fn solved(nodes: &[Node], first: usize, level: usize, needed: LocBits) -> (Marks, Need) {
    let shape = |l: &Loop, adjoint: bool| match () {
        () if adjoint && l.region => Shape::Whole,
        () if adjoint || kept(l.body.iter(), level) => Shape::Open,
        () => Shape::Absent,
    };
    let start = Need { needed, ..Need::default() };
    let mut problem = ToBeRecorded { level, start, marks: Vec::new() };
    let end = solve(&of_nodes(nodes, first, true, &shape), &mut problem);
    (problem.marks, end.unwrap_or(problem.start))
}

struct ToBeRecorded {
    level: usize,
    start: Need,
    marks: Marks,
}

impl ToBeRecorded {
    /// Goes through a statement; returns what it means for the statement.
    fn leaf(&self, l: &Leaf, needed: &mut LocBits) -> Mark {
        let mut mark = Mark::default();
        if let Some(again) = &l.recompute {
            mark.recomputes = again.pass(&l.needs, needed);
            return mark;
        }
        // What an adjoint call changes must be restored for the adjoints that run after it.
        for (target, locs) in l.targets.iter() {
            if locs.iter().any(|x| l.clobbers.contains(x) && needed.contains(x)) {
                push(&mut mark.preserve, target);
            }
        }
        needed.extend(l.needs.iter().copied());
        if l.kept(self.level) {
            loop {
                let before = needed.len();
                for target in overwritten(l, self.level, needed) {
                    match l.undo {
                        Some(_) => mark.undone = true,
                        None => push(&mut mark.saves, target),
                    }
                    refer(l, target, needed);
                }
                if needed.len() == before {
                    break;
                }
            }
            l.access.kills.iter().for_each(|x| needed.remove(*x));
        }
        needed.extend(l.after.iter().copied());
        mark
    }

    /// Goes through a loop's header; returns true when its variable is saved.
    fn header(l: &Loop, adjoint: bool, fact: &mut Need) -> bool {
        // Blocks of iterations assign the user's variable too.
        let own = &l.own().access;
        let saved = own.writes.iter().any(|w| fact.needed.contains(w));
        if saved {
            fact.drop(&own.kills);
        }
        if adjoint && l.stable_bounds {
            fact.add(&l.access.reads);
        }
        saved
    }

    /// Goes through a loop whose iterations run again in the backward sweep: what is needed of the state at the start of
    /// one is saved there. Returns what that means, and what is needed inside.
    fn iterations(&self, l: &Loop, fact: &mut Need) -> (Mark, LocBits) {
        let outside = fact.needed.clone();
        let mut mark = Mark::default();
        loop {
            let before = fact.needed.len();
            fact.add(&l.needs);
            // What an iteration allocates and frees has no value at its start.
            fact.drop(&l.own);
            let mut inside = fact.needed.clone();
            match &l.blocks {
                None => snapshot(&l.body, self.level, &mut fact.needed, &mut mark.saves),
                Some(blocks) => {
                    let held = blocks.hold(&l.body, (&fact.needed, &l.needs, &outside));
                    held.locs.iter().for_each(|x| inside.remove(*x));
                    (mark.saves, mark.restored) = (held.snapshot, held.restored);
                }
            }
            if fact.needed.len() == before {
                return (mark, inside);
            }
        }
    }

    /// Goes through the end of an iteration: what it has of its own, no other one overwrites. Returns what is needed of that.
    fn iteration_ends(l: &Loop, adjoint: bool, fact: &mut Need) -> Vec<Expr> {
        let mut out = Vec::new();
        if !adjoint || l.region {
            return out;
        }
        for (e, locs) in &l.plain {
            if locs.iter().any(|x| fact.needed.contains(x)) {
                out.push(e.clone());
            }
            fact.drop(locs);
        }
        out
    }

    /// Goes through the end of a loop of which the first node inside has a number.
    fn end(&self, l: &Loop, first: usize, acts: bool, fact: &mut Need) {
        if acts && l.stable_bounds {
            fact.add(&l.access.reads);
        }
        // The backward loop's own header gives the variable its values again.
        fact.drop(&l.access.kills);
        if !l.covers.is_empty() {
            fact.drop(&self.replaced(l, first, &fact.undone));
        }
    }

    /// Arrays of which a loop assigns every element, and saves it where it is needed, while its own adjoint needs none: no
    /// adjoint needs what stands after the loop.
    fn replaced(&self, l: &Loop, first: usize, undone: &FixedBitSet) -> LocSet {
        let mut out = l.covers.clone();
        out.retain(|x| !l.needs.contains(x));
        used_by_adjoints(&l.body, (self.level, undone), &mut first.clone(), &mut |locs| {
            out.retain(|x| !locs.contains(x));
        });
        out
    }
}

impl<'t> Problem<Point<'t>, Way<'t>> for ToBeRecorded {
    type Fact = Need;
    const DIRECTION: Direction = Direction::Forward;

    fn boundary(&mut self) -> Need {
        self.start.clone()
    }

    fn join(&mut self, fact: &mut Need, other: &Need) -> bool {
        let news = !(other.needed.is_subset(&fact.needed)
            && other.undone.is_subset(&fact.undone)
            && other.acts.is_subset(&fact.acts));
        if news {
            fact.needed.union_with(&other.needed);
            fact.undone.union_with(&other.undone);
            fact.acts.union_with(&other.acts);
        }
        news
    }

    fn transfer(&mut self, point: Point<'t>, fact: &mut Need) {
        let acts = fact.acts.contains(point.number);
        match point.place {
            Place::Leaf(l) => {
                let mark = self.leaf(l, &mut fact.needed);
                if mark.undone {
                    fact.undone.grow_and_insert(point.number);
                }
                if mark.undone || !mark.saves.is_empty() {
                    fact.acts_in(point.within);
                }
            }
            Place::Branch(b) | Place::Joined(b) => {
                if (acts || point.adjoint) && b.replay == Replay::Evaluate {
                    fact.add(&b.reads);
                }
            }
            Place::Header(l) => {
                Self::header(l, point.adjoint, fact);
            }
            Place::Again(l) => {
                Self::iteration_ends(l, point.adjoint, fact);
            }
            Place::End(l) => self.end(l, point.number + 1, acts || point.adjoint, fact),
            Place::Whole(l) => {
                Self::header(l, true, fact);
                let (_, inside) = self.iterations(l, fact);
                if !l.covers.is_empty() {
                    let (_, end) = solved(&l.body, point.number + 1, self.level + 1, inside);
                    fact.undone.union_with(&end.undone);
                }
                self.end(l, point.number + 1, true, fact);
            }
        }
        if acts && matches!(point.place, Place::Joined(_) | Place::End(_)) {
            fact.acts_in(point.within);
        }
    }

    fn cross(&mut self, way: Way<'t>, fact: &mut Need) -> bool {
        if let Way::Again(l, _) | Way::Done(l) = way {
            // The backward loop's header gives its variable the value of each iteration.
            fact.drop(&l.access.kills);
        }
        true
    }

    fn settled(&mut self, point: Point<'t>, fact: &Need) {
        let mut fact = fact.clone();
        let mark = match point.place {
            Place::Leaf(l) => self.leaf(l, &mut fact.needed),
            Place::Header(l) => Mark { variable: Self::header(l, point.adjoint, &mut fact), ..Mark::default() },
            Place::Whole(l) => {
                let variable = Self::header(l, true, &mut fact);
                let (mark, inside) = self.iterations(l, &mut fact);
                let (marks, end) = solved(&l.body, point.number + 1, self.level + 1, inside);
                self.marks.extend(marks);
                let at_end = if l.iterated.is_some() { end.needed.iter().collect() } else { LocSet::new() };
                Mark { variable, at_end, ..mark }
            }
            Place::Again(l) => Mark { last: Self::iteration_ends(l, point.adjoint, &mut fact), ..Mark::default() },
            Place::Branch(_) | Place::Joined(_) | Place::End(_) => return,
        };
        self.marks.push((point.number, mark));
    }
}

/// Writes the result into the nodes.
fn note(nodes: &mut [Node], number: &mut usize, marks: &mut std::iter::Peekable<impl Iterator<Item = (usize, Mark)>>) {
    for node in nodes {
        let mut mark = marks.next_if(|(n, _)| n == number).map(|(_, mark)| mark);
        // A loop has one for its header, and one for the ends of iterations.
        while let Some((_, other)) = marks.next_if(|(n, _)| n == number) {
            let mark = mark.get_or_insert_default();
            mark.saves.extend(other.saves);
            mark.last.extend(other.last);
            mark.variable |= other.variable;
        }
        *number += 1;
        match node {
            Node::Leaf(l) => {
                let Some(mark) = mark else { continue };
                mark.preserve.iter().for_each(|e| push(&mut l.preserve, e));
                mark.saves.iter().for_each(|e| push(&mut l.saves, e));
                l.undone |= mark.undone;
                if let Some(again) = &mut l.recompute {
                    again.used |= mark.recomputes.0;
                    again.conflict |= mark.recomputes.1;
                }
            }
            Node::Branch(b) => b.arms.iter_mut().for_each(|a| note(a, number, marks)),
            Node::Loop(l) => {
                if let Some(mark) = mark {
                    mark.saves.iter().for_each(|e| push(&mut l.snapshot, e));
                    mark.last.iter().for_each(|e| push(&mut l.last, e));
                    l.save_variable |= mark.variable;
                    l.iterated.iter_mut().for_each(|i| i.needed.extend(&mark.at_end));
                    l.blocks.iter_mut().for_each(|b| mark.restored.iter().for_each(|e| push(&mut b.restored, e)));
                }
                note(&mut l.body, number, marks);
            }
        }
    }
}

/// Targets of a statement that hold something needed, which it overwrites in the sweep of a level.
fn overwritten<'l>(l: &'l Leaf, level: usize, needed: &LocBits) -> Vec<&'l Expr> {
    let lost = |locs: &LocSet| locs.iter().any(|x| l.access.writes.contains(x) && needed.contains(x));
    l.targets.iter().filter(|(target, locs)| !l.spares(target, level) && lost(locs)).map(|(target, _)| target).collect()
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

/// To restore an element or a section, its subscripts must be what they were, and the pointers to it.
fn refer(l: &Leaf, target: &Expr, needed: &mut LocBits) {
    if target.as_var().is_some_and(|d| !d.parts.is_empty()) {
        needed.extend(l.subscripts.iter().copied());
    }
    needed.extend(l.pointers.iter().copied());
}

/// Calls `each` with everything that adjoints of the nodes may use as it stands after them, or that the forward sweep of
/// the level doesn't assign. The first node has a number; `undone` are those that have to be undone.
fn used_by_adjoints(
    nodes: &[Node],
    (level, undone): (usize, &FixedBitSet),
    number: &mut usize,
    each: &mut dyn FnMut(&LocSet),
) {
    for n in nodes {
        let own = *number;
        *number += 1;
        match n {
            Node::Leaf(l) => {
                each(&l.needs);
                each(&l.after);
                each(&l.clobbers);
                if l.undone || undone.contains(own) || !l.kept(level) {
                    each(&l.access.writes);
                }
            }
            Node::Branch(b) => {
                each(&b.reads);
                b.arms.iter().for_each(|a| used_by_adjoints(a, (level, undone), number, each));
            }
            Node::Loop(l) => {
                each(&l.needs);
                each(&l.access.reads);
                used_by_adjoints(&l.body, (level, undone), number, each);
            }
        }
    }
}

/// References that the first forward sweep overwrites in a region's iteration and that are needed from its start.
fn snapshot(nodes: &[Node], level: usize, needed: &mut LocBits, out: &mut Vec<Expr>) {
    for node in nodes {
        node.for_each_leaf(&mut |l| {
            if l.kept(level) {
                for target in overwritten(l, level, needed) {
                    push(out, target);
                    refer(l, target, needed);
                }
            }
        });
        node.for_each_variable(&mut |v, locs| {
            if locs.iter().any(|x| needed.contains(x)) {
                push(out, v);
            }
        });
    }
}
