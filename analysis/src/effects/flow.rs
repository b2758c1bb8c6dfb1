//! The walk through a procedure that makes its summary.

use std::collections::{BTreeMap, BTreeSet};
use std::mem::take;
use std::rc::Rc;

use costate_grammar::ir::{Program, Stmt, StmtKind, SymId};

use super::shared::Shared;
use super::{Access, Dependence, Effects};
use crate::covers;
use crate::storage::{LocBits, LocId, LocSet};

/// What a statement does, and for one without blocks how what it leaves depends on what it finds.
#[derive(Debug)]
struct Known {
    access: Rc<Access>,
    depends: Option<Rc<Vec<Dependence>>>,
}

/// What holds at a point of the walk. Walks copy it at every branch and loop, so what it consists of is shared.
#[derive(Clone, Debug, Default, PartialEq)]
struct Point {
    /// Surely replaced so far.
    killed: Rc<LocSet>,
    /// What values depend on, by numbers of locations; a location that is missing has the value that it had at entry.
    depends: Rc<BTreeMap<LocId, Rc<LocBits>>>,
}

/// The forward walk that makes a summary. The blocks that it walks through stay where they are until it ends.
#[derive(Debug, Default)]
pub(super) struct Flow {
    /// Accesses so far, on whatever way.
    pub(super) access: Access,
    /// Where the walk is.
    at: Point,
    /// Variables of a whole procedure that change; nothing where that isn't known.
    changing: Option<BTreeSet<SymId>>,
    /// What is known of statements already, by their addresses: loops are walked through several times.
    known: BTreeMap<*const Stmt, Known>,
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

    /// Adds what holds where another way through the procedure ends.
    fn join(&mut self, other: &Point) {
        if !Rc::ptr_eq(&self.killed, &other.killed) && !self.killed.is_subset(&other.killed) {
            self.killed = Rc::new(self.killed.intersection(&other.killed).copied().collect());
        }
        if Rc::ptr_eq(&self.depends, &other.depends) {
            return;
        }
        let keys: BTreeSet<LocId> = self.depends.keys().chain(other.depends.keys()).copied().collect();
        for k in keys {
            let theirs = other.of(k);
            if let Some(joined) = larger(&self.of(k), &theirs) {
                Rc::make_mut(&mut self.depends).insert(k, joined);
            }
        }
    }

    fn joined(mut ends: Vec<Point>) -> Point {
        let Some(mut out) = ends.pop() else { return Point::default() };
        ends.iter().for_each(|p| out.join(p));
        out
    }
}

impl Flow {
    /// A walk through a procedure that changes these variables.
    pub(super) fn through(changing: BTreeSet<SymId>) -> Flow {
        Flow { changing: Some(changing), ..Flow::default() }
    }

    /// What is surely replaced.
    pub(super) fn killed(&self) -> LocSet {
        (*self.at.killed).clone()
    }

    /// Nothing is replaced for sure.
    pub(super) fn forget_killed(&mut self) {
        self.at.killed = Rc::default();
    }

    fn header(&mut self, a: &Access) {
        let exposed = a.reads.iter().filter(|l| !self.at.killed.contains(l));
        self.access.reads.extend(exposed.copied());
        self.access.writes.extend(a.writes.iter().copied());
        self.access.shapes.extend(a.shapes.iter().copied());
        self.access.holders.extend(a.holders.iter().copied());
        self.access.unsteady.extend(a.unsteady.iter().copied());
        self.access.side_effect |= a.side_effect;
        self.access.irreproducible |= a.irreproducible;
        self.kill(a.kills.iter().copied());
    }

    /// Adds locations that are surely replaced here.
    fn kill(&mut self, locs: impl IntoIterator<Item = LocId>) {
        let new: Vec<LocId> = locs.into_iter().filter(|l| !self.at.killed.contains(l)).collect();
        if !new.is_empty() {
            Rc::make_mut(&mut self.at.killed).extend(new);
        }
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

impl Effects {
    /// Walks through a block.
    pub(super) fn flow(&mut self, program: &Program, block: &[Stmt], flow: &mut Flow) {
        for stmt in block {
            let a = self.access_once(program, stmt, flow);
            flow.header(&a);
            match &stmt.kind {
                StmtKind::If { otherwise, .. } | StmtKind::Where { otherwise, .. } => {
                    self.branches(program, stmt, otherwise.is_some(), flow);
                }
                StmtKind::Select { arms, .. } => {
                    self.branches(program, stmt, arms.iter().any(|a| a.ranges.is_empty()), flow);
                }
                StmtKind::Do { body, .. } | StmtKind::Forall { body, .. } => self.turns(program, stmt, body, flow),
                StmtKind::Associate { body, .. }
                | StmtKind::BlockScope { body, .. }
                | StmtKind::Directive { body: Some(body), .. } => self.flow(program, body, flow),
                StmtKind::Unsupported { body, .. } => {
                    self.transfer(program, stmt, &a, flow);
                    self.flow(program, body, flow);
                }
                _ => self.transfer(program, stmt, &a, flow),
            }
        }
    }

    /// Walks through the blocks of a statement, one of which runs, for sure if they are `exhaustive`.
    fn branches(&mut self, program: &Program, stmt: &Stmt, exhaustive: bool, flow: &mut Flow) {
        let start = take(&mut flow.at);
        let mut ends = Vec::new();
        for body in stmt.blocks() {
            flow.at = start.clone();
            self.flow(program, body, flow);
            ends.push(take(&mut flow.at));
        }
        if !exhaustive {
            ends.push(start);
        }
        flow.at = Point::joined(ends);
    }

    /// Walks through the body of a loop until that brings nothing new.
    fn turns(&mut self, program: &Program, stmt: &Stmt, body: &[Stmt], flow: &mut Flow) {
        loop {
            let start = flow.at.clone();
            self.flow(program, body, flow);
            let made = Rc::clone(&flow.at.killed);
            let end = std::mem::replace(&mut flow.at, start.clone());
            flow.at.join(&end);
            if flow.at != start {
                continue;
            }
            if self.presumes {
                flow.kill(made.iter().copied().filter(|c| self.outlasts(program, *c)));
            }
            break;
        }
        let covered = flow.changing.as_ref().map(|c| covers::of_loop(program, stmt, c));
        for sym in covered.into_iter().flatten() {
            flow.kill(self.locs.leaves(program, sym, &[]));
        }
    }

    fn access_once(&mut self, program: &Program, stmt: &Stmt, flow: &mut Flow) -> Rc<Access> {
        if let Some(known) = flow.known.get(&std::ptr::from_ref(stmt)) {
            return Rc::clone(&known.access);
        }
        let access = Rc::new(self.access(program, stmt));
        flow.known.insert(stmt, Known { access: Rc::clone(&access), depends: None });
        access
    }

    fn depends_once(&mut self, program: &Program, stmt: &Stmt, a: &Access, flow: &mut Flow) -> Rc<Vec<Dependence>> {
        let at = std::ptr::from_ref(stmt);
        if let Some(depends) = flow.known.get(&at).and_then(|k| k.depends.clone()) {
            return depends;
        }
        let depends = Rc::new(self.statement_depends(program, stmt, a));
        if let Some(known) = flow.known.get_mut(&at) {
            known.depends = Some(Rc::clone(&depends));
        }
        depends
    }

    /// Dependence of a leaf statement's outputs.
    fn transfer(&mut self, program: &Program, stmt: &Stmt, a: &Access, flow: &mut Flow) {
        let new = self.depends_once(program, stmt, a, flow);
        // A statement that may write many locations gives all of them the same operands.
        let mut known = Shared::default();
        let mut merged: BTreeMap<LocId, Rc<LocBits>> = BTreeMap::new();
        for (to, from, whole) in new.iter() {
            let mut set = known.of(from, |from| flow.at.of_any(from));
            if !whole {
                set = union(set, &flow.at.of(*to));
            }
            if let Some(other) = merged.get(to) {
                set = union(set, other);
            }
            merged.insert(*to, set);
        }
        if !merged.is_empty() {
            Rc::make_mut(&mut flow.at.depends).extend(merged);
        }
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
