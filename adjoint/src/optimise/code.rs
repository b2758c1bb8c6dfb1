//! What the passes of the optimiser work on.

use std::collections::{BTreeMap, BTreeSet};

use costate_analysis::effects::outlives;
use costate_analysis::sections::scene::Changes;
use costate_grammar::check;
use costate_grammar::diag::Diagnostic;
use costate_grammar::ir::{Block, Stmt, StmtId, SymId};

use super::pass::{Pass, PassSet};
use super::private::private_scalars;
use crate::build::Builder;
use crate::parallel::{Places, places};

/// Something that passes have to know of the code, which is found when the first pass needs it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Fact {
    /// [`Facts::adjoints`] and [`Facts::arrays`].
    LocalAdjoints,
    /// [`Facts::private`].
    PrivateScalars,
    /// [`Facts::changes`].
    Changes,
}

/// What passes know of the code.
#[derive(Default)]
pub(super) struct Facts {
    /// Local scalars that hold the adjoint of a local variable.
    pub(super) adjoints: BTreeSet<SymId>,
    /// Local arrays that do. They are of no use after the procedure.
    pub(super) arrays: BTreeSet<SymId>,
    /// Local scalars whose value is never used outside the iteration that assigns it, or that are used only after they
    /// were assigned.
    pub(super) private: BTreeSet<SymId>,
    /// What the whole procedure changes.
    pub(super) changes: Changes,
}

/// Both sweeps of a procedure while the passes go over them.
pub(crate) struct Code<'a, 'p> {
    /// The procedure under construction.
    pub(super) b: &'a mut Builder<'p>,
    /// Scalar adjoints that calls leave zero, by call.
    pub(super) left_zero: &'a BTreeMap<StmtId, SymId>,
    /// What stands before the backward sweep.
    pub(super) forward: Block,
    /// The backward sweep.
    pub(super) backward: Block,
    /// What is known of them.
    pub(super) facts: Facts,
    /// Scalars that passes made to stand for elements of arrays.
    pub(super) made: BTreeSet<SymId>,
    /// What a pass leaves is checked.
    pub(crate) check_forms: bool,
    /// What was found broken.
    pub(crate) broken: Vec<Diagnostic>,
    /// Where sections and tasks that threads may share out stand.
    pub(super) sections: Vec<Places>,
    /// The passes that run.
    passes: PassSet,
    found: Vec<Fact>,
}

impl<'a, 'p> Code<'a, 'p> {
    /// The code of a procedure, whose backward sweep begins at statement `start` of `body`.
    pub(crate) fn new(
        b: &'a mut Builder<'p>,
        left_zero: &'a BTreeMap<StmtId, SymId>,
        mut body: Block,
        start: usize,
        passes: PassSet,
    ) -> Self {
        let backward = body.split_off(start.min(body.len()));
        let sections = places(b.program, b.primal);
        Code {
            b,
            sections,
            left_zero,
            forward: body,
            backward,
            facts: Facts::default(),
            made: BTreeSet::new(),
            check_forms: false,
            broken: Vec::new(),
            passes,
            found: Vec::new(),
        }
    }

    /// True when a pass is among those that run.
    pub(super) fn has(&self, pass: Pass) -> bool {
        self.passes.has(pass)
    }

    /// Finds a fact, unless it is known.
    pub(super) fn provide(&mut self, fact: Fact) {
        if self.found.contains(&fact) {
            return;
        }
        self.found.push(fact);
        match fact {
            Fact::LocalAdjoints => {
                let scalar = |s: &SymId| self.b.program.var(*s).is_some_and(|v| v.rank() == 0);
                let (adjoints, arrays) = self.local_adjoints().partition(scalar);
                (self.facts.adjoints, self.facts.arrays) = (adjoints, arrays);
            }
            Fact::PrivateScalars => self.facts.private = self.of_both(|code, body| private_scalars(code.b, body)),
            Fact::Changes => self.facts.changes = self.of_both(|code, body| code.b.scene().changes(body)),
        }
    }

    /// Checks what a stage leaves, where that is asked for and nothing was found yet.
    pub(super) fn check(&mut self, after: &str) {
        if self.check_forms && self.broken.is_empty() {
            let place = format!("the code after `{after}`");
            let found = [&self.forward, &self.backward].into_iter().flat_map(|b| check::statements(self.b.program, b));
            self.broken = found.map(|f| f.into_bug(&place)).collect();
        }
    }

    /// What is found in both sweeps as one block.
    fn of_both<T>(&mut self, find: impl FnOnce(&Self, &[Stmt]) -> T) -> T {
        let start = self.forward.len();
        let mut body = std::mem::take(&mut self.forward);
        body.append(&mut self.backward);
        let found = find(self, &body);
        self.backward = body.split_off(start);
        self.forward = body;
        found
    }

    /// Lets a pass work on the backward sweep, with the facts.
    pub(super) fn in_backward(&mut self, work: impl FnOnce(&mut Self, &mut Block, &mut Facts)) {
        let (mut backward, mut facts) = (std::mem::take(&mut self.backward), std::mem::take(&mut self.facts));
        work(self, &mut backward, &mut facts);
        (self.backward, self.facts) = (backward, facts);
    }

    /// Local variables that hold the adjoint of a local variable.
    fn local_adjoints(&self) -> impl Iterator<Item = SymId> {
        let local = |(p, s): (&SymId, &SymId)| {
            let v = self.b.program.var(*s)?;
            let simple = !(v.attrs.allocatable || v.has_other_names());
            let own = !outlives(self.b.program, self.b.primal, *p);
            (simple && own && v.ty.is_continuous()).then_some(*s)
        };
        self.b.shadow.iter().filter_map(local)
    }

    /// The whole code, where its backward sweep begins, and the local arrays and scalars that the passes left without
    /// use.
    pub(crate) fn finish(mut self) -> (Block, usize, BTreeSet<SymId>) {
        self.provide(Fact::LocalAdjoints);
        let Code { forward: mut body, backward, facts, made, .. } = self;
        let start = body.len();
        body.extend(backward);
        let mut used = BTreeSet::new();
        crate::remap::mentioned(&body, &mut used);
        let gone = facts.arrays.union(&made).filter(|s| !used.contains(s)).copied().collect();
        (body, start, gone)
    }
}
