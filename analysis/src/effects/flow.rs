//! The walk through a procedure that makes its summary.

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use costate_grammar::ir::{Program, Stmt, StmtKind, SymId};

use super::{Access, Effects};
use crate::covers;
use crate::storage::{LocId, LocSet};

/// State of the forward walk that makes a summary.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Flow {
    /// Accesses so far.
    pub(super) access: Access,
    /// Surely replaced so far.
    pub(super) killed: LocSet,
    /// What values depend on; walks copy it at every branch and loop, so the sets are shared.
    pub(super) depends: BTreeMap<LocId, Rc<LocSet>>,
    /// Variables of a whole procedure that change; nothing where that isn't known.
    pub(super) changing: Option<Rc<BTreeSet<SymId>>>,
}

impl Flow {
    pub(super) fn header(&mut self, a: &Access) {
        let exposed: BTreeSet<LocId> = a.reads.difference(&self.killed).copied().collect();
        self.access.reads.extend(exposed);
        self.access.writes.extend(a.writes.iter().copied());
        self.access.shapes.extend(a.shapes.iter().copied());
        self.access.holders.extend(a.holders.iter().copied());
        self.access.unsteady.extend(a.unsteady.iter().copied());
        self.access.side_effect |= a.side_effect;
        self.access.irreproducible |= a.irreproducible;
        self.killed.extend(a.kills.iter().copied());
    }

    pub(super) fn of(&self, l: LocId) -> Rc<LocSet> {
        self.depends.get(&l).cloned().unwrap_or_else(|| Rc::new(LocSet::from([l])))
    }

    /// What any of several locations depends on. In long procedures many share one large set, which is taken once.
    pub(super) fn of_any(&self, from: &LocSet) -> LocSet {
        let mut taken: BTreeSet<*const LocSet> = BTreeSet::new();
        let mut out = LocSet::new();
        for l in from {
            match self.depends.get(l) {
                Some(set) if taken.insert(Rc::as_ptr(set)) => extend(&mut out, set),
                Some(_) => {}
                None => {
                    out.insert(*l);
                }
            }
        }
        out
    }

    /// Adds what holds where another way through the procedure ends.
    fn join_depends(&mut self, other: &Flow) {
        let keys: BTreeSet<LocId> = self.depends.keys().chain(other.depends.keys()).copied().collect();
        for k in keys {
            let (mine, theirs) = (self.of(k), other.of(k));
            let joined = if Rc::ptr_eq(&mine, &theirs) || theirs.is_subset(&mine) {
                mine
            } else if mine.is_subset(&theirs) {
                theirs
            } else {
                Rc::new(mine.union(&theirs).copied().collect())
            };
            self.depends.insert(k, joined);
        }
    }

    pub(super) fn join(flows: Vec<Flow>) -> Flow {
        let mut it = flows.into_iter();
        let Some(mut out) = it.next() else { return Flow::default() };
        for f in it {
            out.join_depends(&f);
            out.killed = out.killed.intersection(&f.killed).copied().collect();
            out.access.reads.extend(f.access.reads);
            out.access.writes.extend(f.access.writes);
            out.access.shapes.extend(f.access.shapes);
            out.access.holders.extend(f.access.holders);
            out.access.unsteady.extend(f.access.unsteady);
            out.access.side_effect |= f.access.side_effect;
            out.access.irreproducible |= f.access.irreproducible;
        }
        out
    }
}

impl Effects {
    /// Walks through a block.
    pub(super) fn flow(&mut self, program: &Program, block: &[Stmt], flow: &mut Flow) {
        for stmt in block {
            let a = self.access(program, stmt);
            flow.header(&a);
            match &stmt.kind {
                StmtKind::If { arms, otherwise, .. } | StmtKind::Where { arms, otherwise, .. } => {
                    let mut ends: Vec<Flow> = Vec::new();
                    for body in arms.iter().map(|a| &a.body).chain(otherwise) {
                        let mut f = flow.clone();
                        self.flow(program, body, &mut f);
                        ends.push(f);
                    }
                    if otherwise.is_none() {
                        ends.push(flow.clone());
                    }
                    *flow = Flow::join(ends);
                }
                StmtKind::Select { arms, .. } => {
                    let mut ends: Vec<Flow> = Vec::new();
                    let default = arms.iter().any(|a| a.ranges.is_empty());
                    for arm in arms {
                        let mut f = flow.clone();
                        self.flow(program, &arm.body, &mut f);
                        ends.push(f);
                    }
                    if !default {
                        ends.push(flow.clone());
                    }
                    *flow = Flow::join(ends);
                }
                StmtKind::Do { body, .. } | StmtKind::Forall { body, .. } => {
                    let mut made = loop {
                        let mut f = flow.clone();
                        self.flow(program, body, &mut f);
                        let killed = f.killed.clone();
                        let joined = Flow::join(vec![flow.clone(), f]);
                        if joined == *flow {
                            break killed;
                        }
                        *flow = joined;
                    };
                    if self.loops_run {
                        made.retain(|c| self.outlasts(program, *c));
                        flow.killed.extend(made);
                    }
                    let covered = flow.changing.as_ref().map(|c| covers::of_loop(program, stmt, c));
                    for sym in covered.into_iter().flatten() {
                        flow.killed.extend(self.locs.leaves(program, sym, &[]));
                    }
                }
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

    /// Dependence of a leaf statement's outputs.
    fn transfer(&mut self, program: &Program, stmt: &Stmt, a: &Access, flow: &mut Flow) {
        let new: Vec<(LocId, LocSet, bool)> = self.statement_depends(program, stmt, a);
        // A statement that may write many locations gives all of them the same operands.
        let mut known: BTreeMap<LocSet, Rc<LocSet>> = BTreeMap::new();
        let mut merged: BTreeMap<LocId, Rc<LocSet>> = BTreeMap::new();
        for (to, from, whole) in new {
            let set = known.entry(from).or_insert_with_key(|from| Rc::new(flow.of_any(from)));
            let mut sets = vec![Rc::clone(set)];
            sets.extend((!whole).then(|| flow.of(to)));
            sets.extend(merged.remove(&to));
            merged.insert(to, union(sets));
        }
        flow.depends.extend(merged);
    }
}

/// The union of sets: the largest itself where it holds the others.
fn union(mut sets: Vec<Rc<LocSet>>) -> Rc<LocSet> {
    sets.sort_by_key(|s| std::cmp::Reverse(s.len()));
    let mut sets = sets.into_iter();
    let mut out = sets.next().unwrap_or_default();
    for s in sets {
        if !Rc::ptr_eq(&out, &s) && !s.is_subset(&out) {
            extend(Rc::make_mut(&mut out), &s);
        }
    }
    out
}

/// Adds a set to another one.
fn extend(out: &mut LocSet, set: &LocSet) {
    if !set.is_subset(out) {
        out.append(&mut set.clone());
    }
}
