//! What a body does on all ways through it, from which its summary is made: a forward problem.

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use costate_grammar::ir::{Program, Stmt, StmtKind, SymId};

use super::shared::Shared;
use super::{Access, Dependence, Effects};
use crate::covers;
use crate::dataflow::engine::{Direction, Problem, solve};
use crate::dataflow::graph::{Edge, Graph, Node, Place, Way, of_body};
use crate::storage::{LocBits, LocId, LocSet};

/// What a statement does by itself.
#[derive(Debug)]
struct Known {
    access: Access,
    /// How what it leaves depends on what it finds, for one without blocks.
    depends: Vec<Dependence>,
    /// What a loop assigns from end to end.
    covered: Vec<LocId>,
}

/// What holds at a point. Copies are made at every branch and loop, so what it consists of is shared.
#[derive(Clone, Debug, Default)]
struct Point {
    /// Surely replaced so far.
    killed: Rc<LocSet>,
    /// What values depend on, by numbers of locations; a location that is missing has the value that it had at entry.
    depends: Rc<BTreeMap<LocId, Rc<LocBits>>>,
}

/// What a body does.
#[derive(Debug, Default)]
pub(super) struct Flow {
    /// Accesses on whatever way; reads are those that may see the value at entry.
    pub(super) access: Access,
    /// What holds at the end.
    at: Point,
}

/// The problem whose solution that is.
struct Accesses<'t> {
    /// What is known of statements, by their numbers.
    known: &'t [Known],
    /// Locations that loops are presumed to replace where they have no iteration.
    presumed: LocSet,
    /// What may see the value at entry.
    reads: LocSet,
    /// The statements that can be reached.
    reached: Vec<bool>,
}

impl Point {
    fn of(&self, l: LocId) -> Rc<LocBits> {
        self.depends.get(&l).cloned().unwrap_or_else(|| Rc::new(LocBits::from_iter([l])))
    }

    /// What any of several locations depends on. Neighbours often share a set, which is taken once.
    fn of_any(&self, from: &LocBits) -> LocBits {
        let mut last: Option<&Rc<LocBits>> = None;
        let mut out = LocBits::default();
        for l in from.iter() {
            match self.depends.get(&l) {
                Some(set) if last.is_some_and(|last| Rc::ptr_eq(last, set)) => {}
                Some(set) => {
                    out.union_with(set);
                    last = Some(set);
                }
                None => out.insert(l),
            }
        }
        out
    }

    /// Adds locations that are surely replaced.
    fn kill(&mut self, locs: impl IntoIterator<Item = LocId>) {
        let new: Vec<LocId> = locs.into_iter().filter(|l| !self.killed.contains(l)).collect();
        if !new.is_empty() {
            Rc::make_mut(&mut self.killed).extend(new);
        }
    }

    /// Adds what holds where another way through the procedure ends; true when that changes anything.
    fn join(&mut self, other: &Point) -> bool {
        let mut changed = false;
        if !Rc::ptr_eq(&self.killed, &other.killed) && !self.killed.is_subset(&other.killed) {
            self.killed = Rc::new(self.killed.intersection(&other.killed).copied().collect());
            changed = true;
        }
        if Rc::ptr_eq(&self.depends, &other.depends) {
            return changed;
        }
        let keys: BTreeSet<LocId> = self.depends.keys().chain(other.depends.keys()).copied().collect();
        for k in keys {
            let theirs = other.of(k);
            if let Some(joined) = larger(&self.of(k), &theirs) {
                Rc::make_mut(&mut self.depends).insert(k, joined);
                changed = true;
            }
        }
        changed
    }

    /// Dependence of a leaf statement's outputs.
    fn pass_on(&mut self, depends: &[Dependence]) {
        // A statement that may write many locations gives all of them the same operands.
        let mut known = Shared::default();
        let mut merged: BTreeMap<LocId, Rc<LocBits>> = BTreeMap::new();
        for (to, from, whole) in depends {
            let mut set = known.of(from, |from| self.of_any(from));
            if !whole {
                set = union(set, &self.of(*to));
            }
            if let Some(other) = merged.get(to) {
                set = union(set, other);
            }
            merged.insert(*to, set);
        }
        if !merged.is_empty() {
            Rc::make_mut(&mut self.depends).extend(merged);
        }
    }
}

impl Flow {
    /// What is surely replaced.
    pub(super) fn killed(&self) -> LocSet {
        (*self.at.killed).clone()
    }

    /// Nothing is replaced for sure.
    pub(super) fn forget_killed(&mut self) {
        self.at.killed = Rc::default();
    }

    /// What any of several locations depends on.
    pub(super) fn of_any(&self, from: &LocBits) -> LocBits {
        self.at.of_any(from)
    }

    /// Makes a location depend on others.
    pub(super) fn set_depends(&mut self, l: LocId, from: &Rc<LocBits>) {
        Rc::make_mut(&mut self.at.depends).insert(l, Rc::clone(from));
    }

    /// What each location depends on that isn't what it was at entry, as far as locations are asked for.
    pub(super) fn dependences(&self, asked: impl Fn(LocId) -> bool) -> BTreeMap<LocId, Rc<LocBits>> {
        let mut known = Shared::default();
        let seen = |s: &LocBits| s.iter().filter(|l| asked(*l)).collect();
        let outputs = self.at.depends.iter().filter(|(l, _)| asked(**l));
        outputs.map(|(l, inputs)| (*l, known.of(inputs, seen))).collect()
    }
}

impl<'a> Problem<Node<'a>, Edge<'a>> for Accesses<'_> {
    type Fact = Point;
    const DIRECTION: Direction = Direction::Forward;

    fn boundary(&mut self) -> Point {
        Point::default()
    }

    fn join(&mut self, fact: &mut Point, other: &Point) -> bool {
        fact.join(other)
    }

    fn transfer(&mut self, node: Node<'a>, fact: &mut Point) {
        let known = &self.known[node.number];
        match node.place {
            Place::Leaf => {
                fact.kill(known.access.kills.iter().copied());
                fact.pass_on(&known.depends);
            }
            Place::Header => fact.kill(known.access.kills.iter().copied()),
            Place::Again => {}
            Place::End => fact.kill(known.covered.iter().copied()),
        }
    }

    fn cross(&mut self, edge: Edge<'a>, fact: &mut Point) -> bool {
        // What directives of a loop keep private is another variable.
        let of_loop = || {
            let loops = |s: &Stmt| matches!(s.kind, StmtKind::Do { .. } | StmtKind::Forall { .. }) && !s.is_region();
            edge.stmt.is_some_and(loops)
        };
        if edge.way == Way::Skip && !self.presumed.is_empty() && of_loop() {
            fact.kill(self.presumed.iter().copied());
        }
        true
    }

    fn settled(&mut self, node: Node<'a>, fact: &Point) {
        if matches!(node.place, Place::Leaf | Place::Header) {
            self.reached[node.number] = true;
            let reads = &self.known[node.number].access.reads;
            self.reads.extend(reads.iter().filter(|l| !fact.killed.contains(l)));
        }
    }
}

impl Access {
    /// Adds what another statement does.
    fn add(&mut self, other: &Access) {
        let Access {
            reads,
            writes,
            kills,
            shapes,
            holders,
            side_effect,
            irreproducible,
            communicates,
            on_device,
            unsteady,
        } = other;
        self.reads.extend(reads);
        self.writes.extend(writes);
        self.kills.extend(kills);
        self.shapes.extend(shapes);
        self.holders.extend(holders);
        self.side_effect |= side_effect;
        self.irreproducible |= irreproducible;
        self.communicates |= communicates;
        self.on_device |= on_device;
        self.unsteady.extend(unsteady);
    }
}

impl Effects {
    /// Follows the execution of a block. `changing` are the variables of a whole procedure that change, where that is known.
    pub(super) fn flow(&mut self, program: &Program, block: &[Stmt], changing: Option<&BTreeSet<SymId>>) -> Flow {
        let graph = of_body(block);
        let known = self.known(program, &graph, changing);
        let mut access = Access::default();
        known.iter().for_each(|k| access.add(&k.access));
        let presumed = if self.presumes { access.kills.clone() } else { LocSet::new() };
        let presumed = presumed.into_iter().filter(|c| self.outlasts(program, *c)).collect();
        let reached = vec![false; known.len()];
        let mut problem = Accesses { known: &known, presumed, reads: LocSet::new(), reached };
        let at = solve(&graph, &mut problem).unwrap_or_default();
        let Accesses { mut reads, reached, .. } = problem;
        // What can't be reached counts as executed at the beginning.
        for (k, _) in known.iter().zip(reached).filter(|(_, reached)| !reached) {
            reads.extend(&k.access.reads);
        }
        Flow { access: Access { reads, kills: LocSet::new(), ..access }, at }
    }

    /// What the statements of a block do, in the order of the text.
    fn known(&mut self, program: &Program, graph: &Graph<'_>, changing: Option<&BTreeSet<SymId>>) -> Vec<Known> {
        let mut out: Vec<Known> = Vec::new();
        for node in graph.nodes() {
            match node.place {
                Place::Leaf => {
                    let access = self.access(program, node.stmt);
                    let depends = self.statement_depends(program, node.stmt, &access);
                    out.push(Known { access, depends, covered: Vec::new() });
                }
                Place::Header => {
                    let access = self.access(program, node.stmt);
                    out.push(Known { access, depends: Vec::new(), covered: Vec::new() });
                }
                Place::Again => {}
                Place::End => {
                    let symbols = changing.map(|c| covers::of_loop(program, node.stmt, c));
                    let covered = symbols.into_iter().flatten().flat_map(|s| self.locs.leaves(program, s, &[]));
                    out[node.number].covered = covered.collect();
                }
            }
        }
        out
    }
}

/// The union of two sets: one of them itself where it holds the other.
fn union(a: Rc<LocBits>, b: &Rc<LocBits>) -> Rc<LocBits> {
    larger(&a, b).unwrap_or(a)
}

/// The union of two sets where it is more than the first of them.
fn larger(a: &Rc<LocBits>, b: &Rc<LocBits>) -> Option<Rc<LocBits>> {
    if Rc::ptr_eq(a, b) || b.is_subset(a) {
        return None;
    }
    if a.is_subset(b) {
        return Some(Rc::clone(b));
    }
    let mut out = (**a).clone();
    out.union_with(b);
    Some(Rc::new(out))
}
