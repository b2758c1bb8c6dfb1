//! The walk through a procedure that makes its summary.

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use costate_grammar::ir::SymId;

use super::Access;
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
            out.access.side_effect |= f.access.side_effect;
            out.access.irreproducible |= f.access.irreproducible;
        }
        out
    }
}
