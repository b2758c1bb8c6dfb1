//! What a callee's variables are at a call site.

use std::collections::BTreeMap;

use costate_grammar::ir::{Arg, Designator, Expr, ProcId, ProcKind, Program, SymId};

use super::{Effects, bind, outlives};
use crate::storage::{Loc, LocId, is_whole};

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
        match self.by_sym.get(&effects.locs.get(callee).sym) {
            Some(Some(_)) => {
                let Some(place) = self.place(effects, program, callee) else { return Vec::new() };
                let Loc { sym, path } = effects.locs.get(place).clone();
                effects.locs.leaves(program, sym, &path)
            }
            _ => self.place(effects, program, callee).into_iter().collect(),
        }
    }

    /// The caller's variable or component that stands for a callee's.
    pub(super) fn place(&self, effects: &mut Effects, program: &Program, callee: LocId) -> Option<LocId> {
        let Loc { sym, path } = effects.locs.get(callee).clone();
        match self.by_sym.get(&sym) {
            Some(Some(d)) => {
                let path = d.path().into_iter().chain(path).collect();
                Some(effects.locs.id(Loc { sym: d.sym, path }))
            }
            Some(None) => None,
            None => outlives(program, self.proc, sym).then_some(callee),
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
