//! What a callee's variables are at a call site.

use std::collections::BTreeMap;

use costate_grammar::ir::{Arg, Designator, Expr, ProcId, ProcKind, Program, SymId};

use super::{Effects, bind, outlives};
use crate::storage::{LocId, is_whole};

/// Maps a callee's locations to a call site's.
pub struct CallMap {
    by_sym: BTreeMap<SymId, Option<Designator>>,
    proc: ProcId,
}

impl CallMap {
    /// The map of one call; `result` is what takes a function's value.
    pub fn new(program: &Program, proc: ProcId, args: &[Arg], result: Option<&Expr>) -> CallMap {
        let p = &program[proc];
        let mut by_sym = BTreeMap::new();
        for (dummy, actual) in p.dummies.iter().zip(bind(program, p, args)) {
            by_sym.insert(*dummy, actual.and_then(|e| e.as_var()).cloned());
        }
        if let ProcKind::Function(r) = p.kind {
            by_sym.insert(r, result.and_then(|e| e.as_var()).cloned());
        }
        CallMap { by_sym, proc }
    }

    /// The caller's locations of a callee's.
    pub fn locs(&self, effects: &mut Effects, program: &Program, callee: LocId) -> Vec<LocId> {
        let loc = effects.locs.get(callee).clone();
        match self.by_sym.get(&loc.sym) {
            Some(Some(d)) => {
                let mut path = d.path();
                path.extend(loc.path);
                effects.locs.leaves(program, d.sym, &path)
            }
            Some(None) => Vec::new(),
            None if outlives(program, self.proc, loc.sym) => vec![callee],
            None => Vec::new(),
        }
    }

    pub(super) fn is_whole(&self, effects: &Effects, program: &Program, callee: LocId) -> bool {
        match self.by_sym.get(&effects.locs.get(callee).sym) {
            Some(Some(d)) => is_whole(program, d),
            Some(None) => false,
            None => true,
        }
    }
}
