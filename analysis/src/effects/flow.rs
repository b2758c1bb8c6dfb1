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
    /// What values depend on.
    pub(super) depends: BTreeMap<LocId, LocSet>,
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

    pub(super) fn of(&self, l: LocId) -> LocSet {
        self.depends.get(&l).cloned().unwrap_or_else(|| LocSet::from([l]))
    }

    pub(super) fn join(flows: Vec<Flow>) -> Flow {
        let mut it = flows.into_iter();
        let Some(mut out) = it.next() else { return Flow::default() };
        for f in it {
            let keys: BTreeSet<LocId> = out.depends.keys().chain(f.depends.keys()).copied().collect();
            let merged = keys.into_iter().map(|k| (k, out.of(k).union(&f.of(k)).copied().collect())).collect();
            out.depends = merged;
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
        let resolved: Vec<(LocId, LocSet)> = new
            .into_iter()
            .map(|(to, from, whole)| {
                let mut set: LocSet = from.iter().flat_map(|f| flow.of(*f)).collect();
                if !whole {
                    set.extend(flow.of(to));
                }
                (to, set)
            })
            .collect();
        let mut merged: BTreeMap<LocId, LocSet> = BTreeMap::new();
        for (to, set) in resolved {
            merged.entry(to).or_default().extend(set);
        }
        flow.depends.extend(merged);
    }
}
