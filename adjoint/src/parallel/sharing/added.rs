//! Derivatives to which several iterations add: by sums of threads, in blocks, or one increment at a time.

use std::collections::BTreeSet;

use costate_grammar::directives::Strategy;
use costate_grammar::ir::{Part, StmtId, SymId, Variable};

use super::super::accesses::Access;
use super::super::blocks::{Blocks, FARTHEST};
use super::super::concurrent;
use super::super::elements::summed_elements;
use super::super::handed::{self, Handed};
use super::super::has_whole;
use super::super::references::{How, Increments, few_elements, is_declared_whole, is_element, is_single_number, small};
use super::super::vouched::NeverMeet;
use super::{ASKED, Added, Decision, Sharing};

/// So many arrays at most hold what iterations have for one derivative.
const HANDED: usize = 8;

impl Decision<'_> {
    /// An array to which iterations only add, and may add to the same elements.
    pub(super) fn added_array(
        &self,
        sym: SymId,
        v: &Variable,
        (all, never_meet): (&[&Access<'_>], &NeverMeet<'_>),
        out: &mut Sharing,
    ) -> Result<(), String> {
        let called = all.iter().any(|a| a.by_call);
        if !called && self.adds_to_some(all, out) {
            out.written.push(sym);
            self.note(
                sym,
                Strategy::Reduction,
                "all iterations add to a few elements, besides those of their own",
                out,
            );
            return Ok(());
        }
        let own = self.facts.primal.get(&sym).copied().unwrap_or(sym);
        let asked = self.evidence.sums.contains(&own) && has_whole(v);
        if self.means.concurrent && !(few_elements(v) && self.sums_up(sym, all))
            || called && !small(v) && !asked && self.blocks(sym, all, out.blocks).is_some()
        {
            return self.add_to_shared(sym, all, (all, never_meet), out);
        }
        let summed = small(v) || asked;
        if summed && self.sums_up(sym, all) {
            out.sums.push(sym);
            let reason = if small(v) { "the array is small" } else { "the array is summed up in the primal loop too" };
            self.note(sym, Strategy::Reduction, reason, out);
        } else if !called {
            self.add_to_shared(sym, all, (all, never_meet), out)?;
        } else if !self.adds_in_calls(sym, (all, never_meet), out) {
            if !(is_declared_whole(v) && self.sums_up(sym, all)) {
                return Err(format!("calls in several iterations add to the same elements of `{}`", self.name(sym)));
            }
            out.sums.push(sym);
            self.note(sym, Strategy::Reduction, "called procedures add to it as a whole", out);
        }
        Ok(())
    }

    /// Adds atomically where called procedures add to numbers, one by one, that other iterations add to, too. Tells whether
    /// that can be done.
    pub(super) fn adds_in_calls(
        &self,
        sym: SymId,
        (all, never_meet): (&[&Access<'_>], &NeverMeet<'_>),
        out: &mut Sharing,
    ) -> bool {
        let single = |a: &&Access<'_>| is_single_number(self.facts.scene.program, &a.of);
        let adds = |a: &&Access<'_>| if a.by_call { a.adds.is_some() } else { single(a) };
        let inside: Increments = all.iter().filter_map(|a| a.adds.as_ref()).flatten().copied().collect();
        if self.means.concurrent || !all.iter().all(adds) || concurrent::may_call(self.facts.scene.program, &inside) {
            return false;
        }
        for a in all.iter().filter(|a| !all.iter().all(|b| never_meet(a, b))) {
            match &a.adds {
                Some(list) => out.atomic_in_calls.extend(list),
                None => _ = out.atomic.insert(a.stmt),
            }
        }
        out.written.push(sym);
        self.note(sym, Strategy::Atomic, "called procedures may add to the same elements", out);
        true
    }

    /// Iterations may add to the same elements, by some references to an array among all of its own.
    pub(super) fn add_to_shared(
        &self,
        sym: SymId,
        added: &[&Access<'_>],
        (all, never_meet): (&[&Access<'_>], &NeverMeet<'_>),
        out: &mut Sharing,
    ) -> Result<(), String> {
        let beside = |out: &mut Sharing| self.blocks_beside_elements(sym, (added, all, never_meet), out);
        if let Some(blocks) = self.blocks(sym, added, out.blocks).or_else(|| beside(out)) {
            out.blocks = Some(blocks);
            let reason =
                "the loop runs in blocks, every other one at a time, and neighbours alone add to the same elements";
            self.note(sym, Strategy::Shared, reason, out);
        } else if added.iter().any(|a| all.iter().any(|b| self.uses_what_it_adds_to(a, b))) {
            return Err(self.meet_at(sym));
        } else if self.means.concurrent {
            let handed = handed::divide(self.accesses, self.body, (added, all));
            out.handed.extend(handed.ok_or_else(|| self.meet_at(sym))?);
            self.note(sym, Strategy::Reduction, "each iteration keeps what it adds, and a loop behind adds it", out);
        } else if let Some(handed) = self.handed_over(sym, added, all) {
            out.handed.extend(handed);
            self.note(sym, Strategy::Shared, "each iteration keeps what it adds, and a loop behind adds it", out);
        } else {
            let added = self.beside_few_elements(sym, added, all, out);
            let summed: BTreeSet<StmtId> = out.elements.iter().flat_map(|e| e.1.iter().copied()).collect();
            let meets = |a: &&Access<'_>| !all.iter().all(|b| summed.contains(&b.stmt) || never_meet(a, b));
            let atomic: Vec<StmtId> = added.into_iter().filter(|a| meets(a)).map(|a| a.stmt).collect();
            if !atomic.is_empty() {
                out.atomic.extend(atomic);
                self.note(sym, Strategy::Atomic, "iterations may add to the same elements", out);
            }
        }
        out.written.push(sym);
        Ok(())
    }

    /// What iterations keep of what they add, where each of the loops behind them adds to elements of its iterations' own: a few
    /// of these are faster than atomic updates.
    fn handed_over(&self, sym: SymId, added: &[&Access<'_>], all: &[&Access<'_>]) -> Option<Vec<Handed>> {
        let meant = self.means.hands_over && !self.in_order && self.facts.primal.contains_key(&sym);
        let handed = meant.then(|| handed::divide(self.accesses, self.body, (added, all))).flatten()?;
        (handed.iter().all(|h| h.apart) && handed.len() <= HANDED).then_some(handed)
    }

    /// True where a statement that adds to an element may use the value of that one, too: an atomic update must not
    /// (15.8.4 of OpenMP 5.2).
    fn uses_what_it_adds_to(&self, added: &Access<'_>, other: &Access<'_>) -> bool {
        other.how == How::Read && other.stmt == added.stmt && !self.accesses.differ(added, other)
    }

    pub(super) fn meet_at(&self, sym: SymId) -> String {
        format!("iterations may meet at an element of `{}`", self.name(sym))
    }

    /// The blocks in which the loop may run, so that every other one of them adds to elements of its own; `known` are
    /// those that another array asks for.
    fn blocks(&self, sym: SymId, added: &[&Access<'_>], known: Option<Blocks>) -> Option<Blocks> {
        if !self.means.in_blocks || self.in_order || !self.facts.primal.contains_key(&sym) {
            return None;
        }
        let mut found = known;
        for (a, b) in added.iter().flat_map(|a| added.iter().map(move |b| (a, b))) {
            let (nth, length) = self.accesses.nearby(a, b)?;
            found = match found {
                _ if length == 0 => found,
                Some(f) if f.nth != nth => return None,
                _ => Some(Blocks { nth, length: length.max(found.map_or(0, |f| f.length)) }),
            };
        }
        found.filter(|f| f.length <= FARTHEST)
    }

    /// The same beside a few elements to which all iterations add, and nothing else refers: these are noted.
    fn blocks_beside_elements(
        &self,
        sym: SymId,
        (added, all, never_meet): (&[&Access<'_>], &[&Access<'_>], &NeverMeet<'_>),
        out: &mut Sharing,
    ) -> Option<Blocks> {
        let (still, moving): (Vec<&Access<'_>>, Vec<&Access<'_>>) =
            added.iter().partition(|a| self.accesses.stands_still(a));
        let found = summed_elements(self.facts.scene.program, &still)?;
        let other = |a: &&&Access<'_>| !still.iter().any(|b| std::ptr::eq(*b, **a));
        let alone = all.iter().filter(other).all(|a| still.iter().all(|b| never_meet(a, b)));
        let blocks = self.blocks(sym, &moving, out.blocks).filter(|_| alone && !moving.is_empty())?;
        out.elements.extend(found);
        Some(blocks)
    }

    /// True for an array of which each thread may have sums of its own.
    fn sums_up(&self, sym: SymId, all: &[&Access<'_>]) -> bool {
        let whole = |a: &&Access<'_>| matches!(a.of.parts.as_slice(), [] | [Part::Subscripts(_)]);
        self.adds_up(sym) && !self.means.only_scalar_sums && !self.facts.is_used_inside(sym) && all.iter().all(whole)
    }

    /// Adds to a derivative as the user asks for, where there is such a way.
    pub(super) fn adds_as_asked(&self, sym: SymId, v: &Variable, all: &[&Access<'_>], out: &mut Sharing) -> bool {
        let Some(strategy) = self.asked(sym) else { return false };
        let called = all.iter().any(|a| a.by_call);
        match strategy {
            Strategy::Shared => out.written.push(sym),
            Strategy::Reduction if has_whole(v) && self.sums_up(sym, all) => out.sums.push(sym),
            Strategy::Atomic if called => return self.adds_in_calls(sym, (all, &|_, _| false), out),
            Strategy::Atomic if !self.means.concurrent => {
                out.atomic.extend(all.iter().map(|a| a.stmt));
                out.written.push(sym);
            }
            Strategy::Serial | Strategy::Gather | Strategy::Reduction | Strategy::Atomic => return false,
        }
        self.note(sym, strategy, ASKED, out);
        true
    }

    /// What a directive asks for the derivative of a variable.
    pub(super) fn asked(&self, sym: SymId) -> Option<Strategy> {
        let of = self.facts.primal.get(&sym).filter(|_| !self.in_order)?;
        self.evidence.strategy(&self.facts.scene.program[*of].name)
    }

    /// True where a directive asks for iterations one after the other, because of whatever they add to.
    pub(super) fn is_asked_to_be_serial(&self) -> bool {
        self.accesses.list.iter().any(|a| a.how == How::Added && self.asked(a.of.sym) == Some(Strategy::Serial))
    }

    /// Notes how iterations add to a derivative that they share.
    pub(super) fn note(&self, sym: SymId, strategy: Strategy, reason: &'static str, out: &mut Sharing) {
        if let Some(of) = self.facts.primal.get(&sym).filter(|_| !self.in_order).copied() {
            // To elements of its own each iteration adds without anything to gather.
            let met = |asked: Strategy| asked == strategy || asked == Strategy::Gather && strategy == Strategy::Shared;
            let against = self.asked(sym).is_some_and(|asked| !met(asked));
            out.strategies.push(Added { of, strategy, reason, against });
        }
    }

    /// The same for elements that no two iterations share.
    pub(super) fn note_own(&self, sym: SymId, all: &[&Access<'_>], out: &mut Sharing) {
        if !all.iter().any(|a| a.how == How::Added) {
            return;
        }
        if self.evidence.gathered {
            let reason = "one iteration adds up what several would add to an element";
            self.note(sym, Strategy::Gather, reason, out);
        } else {
            self.note(sym, Strategy::Shared, "each iteration adds to elements of its own", out);
        }
    }

    /// Whether iterations add to elements of their own, and to a few that they share: these are noted.
    fn adds_to_some(&self, all: &[&Access<'_>], out: &mut Sharing) -> bool {
        let (shared, own): (Vec<&Access<'_>>, Vec<&Access<'_>>) =
            all.iter().partition(|a| self.accesses.stands_still(a));
        if !own.iter().all(|a| is_element(&a.of) && own.iter().all(|b| self.accesses.apart(a, b))) {
            return false;
        }
        let found = summed_elements(self.facts.scene.program, &shared);
        out.elements.extend(found.iter().flatten().cloned());
        found.is_some()
    }

    /// Of what several iterations may add to, those increments that aren't to a few elements which all of them add to: these
    /// elements are noted. Nothing else in an iteration may refer to them.
    fn beside_few_elements<'a>(
        &self,
        sym: SymId,
        added: &[&'a Access<'a>],
        all: &[&Access<'_>],
        out: &mut Sharing,
    ) -> Vec<&'a Access<'a>> {
        let (still, moving): (Vec<&Access<'_>>, Vec<&Access<'_>>) =
            added.iter().partition(|a| self.accesses.stands_still(a));
        let other = |a: &Access<'_>| !added.iter().any(|b| std::ptr::eq(*b, a));
        let alone = all.iter().filter(|a| other(a)).all(|a| still.iter().all(|b| self.accesses.differ(a, b)));
        match summed_elements(self.facts.scene.program, &still).filter(|_| alone) {
            Some(found) => {
                out.elements.extend(found);
                let reason = "all iterations add to a few elements, besides others";
                self.note(sym, Strategy::Reduction, reason, out);
                moving
            }
            None => added.to_vec(),
        }
    }
}
