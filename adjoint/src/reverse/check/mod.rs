//! Checks the tree of the reverse pass: what the sweeps will do when they run as the tree says, statement by statement,
//! and whether each value that is used there is the primal's.
//!
//! The decisions come from analyses of what is needed (`decide/liveness.rs`, `decide/to_be_recorded.rs`). This goes the
//! other way: it follows what is lost ([`forward`], [`backward`]), and finds a use of it. What isn't decidable is let pass;
//! each finding is a bug.

mod backward;
mod forward;
mod known;
mod report;
mod structure;
#[cfg(test)]
mod tests;

use costate_analysis::effects::outlives;
use costate_analysis::storage::LocSet;
use costate_grammar::ir::{Stmt, SymId};

use super::Reverse;
use super::tree::node::Node;
use backward::Backward;
use forward::{Forward, Sweep};
use report::Report;
pub(in crate::reverse) use structure::Stage;
#[cfg(test)]
pub(in crate::reverse) use tests::spoil;

impl Reverse<'_, '_> {
    /// Checks the tree of a body where that is asked for and nothing was found yet.
    pub(in crate::reverse) fn check_tree(&mut self, nodes: &[Node], stage: Stage, body: &[Stmt]) {
        if !self.check_forms || !self.broken.is_empty() {
            return;
        }
        let mut report = Report::default();
        structure::nodes(nodes, 0, stage, &mut report);
        if stage == Stage::Decided {
            self.check_values(nodes, body, &mut report);
        }
        let found = report.findings(self.b.program, &self.effects.locs);
        self.broken = found.into_iter().map(|f| f.into_bug("the tree of the reverse pass")).collect();
    }

    /// Checks that values are at hand where they are used.
    fn check_values(&mut self, nodes: &[Node], body: &[Stmt], report: &mut Report) {
        let known = self.known_of(nodes);
        let anchor = crate::build::anchor(self.b, body);
        let mut stale = LocSet::new();
        Forward { known: &known, report }.nodes(nodes, Sweep { levels: &[0], own: true }, &mut stale);
        let wanted = ("the primal's outputs are wanted, and so is", "which the forward sweep hasn't computed");
        report.uses(&anchor, wanted, &self.live_out, &stale);
        let mut moved = LocSet::new();
        Backward::new(&known, report).nodes(nodes, 0, &mut moved);
        let told = super::clobbers(nodes);
        let outer =
            |sym: SymId| self.b.program[sym].scope != self.b.scope && outlives(self.b.program, self.b.primal, sym);
        // The derivative's own saved variables are none that callers know; those that hand values on are refused.
        let own = |sym: SymId| {
            let local = self.b.program[sym].scope == self.b.program[self.b.primal].scope;
            local && self.b.program.var(sym).is_some_and(|v| v.attrs.save && v.dummy.is_none() && v.common.is_none())
        };
        let seen = |sym: SymId| outer(sym) && !own(sym);
        moved.retain(|x| !told.contains(x) && seen(self.effects.locs.get(*x).sym));
        let changed = ("the sweeps change", "which callers aren't told");
        report.uses(&anchor, changed, &moved, &moved);
    }
}
