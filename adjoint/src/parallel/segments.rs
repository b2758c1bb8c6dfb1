//! Iterations that share elements with those near them alone, or with none, as each has a segment of a dimension.

use std::collections::BTreeSet;

use costate_analysis::dependence::Meeting;
use costate_analysis::dependence::segments::Iterations;
use costate_grammar::ir::SymId;

use super::accesses::{Access, Accesses};
use super::clamped::Clamped;

impl Accesses<'_, '_> {
    /// Where iterations share elements of two references only with those that are so many iterations away in one of the
    /// loops, and the same in all others: that loop, by its position, and how many at most.
    pub(super) fn nearby(&self, a: &Access<'_>, b: &Access<'_>) -> Option<(usize, i64)> {
        let mut found = (0, 0);
        if self.leads_away(a, b) {
            return None;
        }
        for k in 0..self.vars.len() {
            let away = match (self.met(a, b, k), self.step(k)) {
                (met, _) if met.in_one_iteration() => continue,
                (Meeting::At(by), Some(step)) => (by / step).abs(),
                _ => self.reach(a, b, k, &self.moving(k))?,
            };
            if found.1 != 0 {
                return None;
            }
            found = (k, away);
        }
        Some(found)
    }

    /// How far apart iterations are at most that share an element.
    fn reach(&self, a: &Access<'_>, b: &Access<'_>, k: usize, moving: &BTreeSet<SymId>) -> Option<i64> {
        let clamped = Clamped { scene: self.scene, var: self.vars[k], range: &self.ranges[k] };
        let segment = |r: &Access<'_>| self.of_iteration(r, &clamped.relaxed(&r.of));
        self.iterations(k, moving).reach(&segment(a)?, &segment(b)?)
    }

    /// True where iterations of one of the loops have segments of a dimension that are apart.
    pub(super) fn has_segments(&self, a: &Access<'_>, b: &Access<'_>, k: usize, moving: &BTreeSet<SymId>) -> bool {
        if self.reach(a, b, k, moving) == Some(0) {
            return true;
        }
        let (Some(x), Some(y)) = (self.of_iteration(a, &a.of), self.of_iteration(b, &b.of)) else { return false };
        self.iterations(k, moving).have_segments(&x, &y)
    }

    fn iterations<'s>(&'s self, k: usize, moving: &'s BTreeSet<SymId>) -> Iterations<'s> {
        Iterations { scene: self.scene, var: self.vars[k], step: &self.by[k], moving }
    }
}
