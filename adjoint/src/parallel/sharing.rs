//! How the variables of a loop are shared among the threads that share out its iterations.

mod added;

use std::collections::BTreeSet;

use costate_analysis::devices::is_on_devices;
use costate_analysis::normal::mentions;
use costate_analysis::storage::holds_memory;
use costate_grammar::directives::Strategy;
use costate_grammar::ir::{Evidence, Expr, ExprKind, Role, Stmt, StmtId, StmtKind, SymId, Variable, for_each_stmt};

use super::Facts;
use super::accesses::{Access, Accesses};
use super::aliases;
use super::blocks::Blocks;
use super::calls::on_tape;
use super::handed::{self, Handed};
use super::references::{How, Increments, holds_numbers, is_declared_whole, is_number, is_single_number};
use super::vouched::{NeverMeet, Vouched};
use crate::runtime;

/// Why iterations add to a derivative as they do, where a directive says so.
pub(crate) const ASKED: &str = "`!$ad parallel` asks for it";

/// How the iterations of a loop may be shared out.
#[derive(Debug, Default)]
pub(super) struct Sharing {
    /// Variables of which each iteration has its own.
    pub(super) private: Vec<SymId>,
    /// Of these, what is declared inside the loop.
    pub(super) declared: Vec<SymId>,
    /// Of these, derivatives that start at zero.
    pub(super) zeroed: Vec<SymId>,
    /// Derivatives of which each thread has its own, and that start at zero.
    pub(super) begun: Vec<SymId>,
    /// Variables of which each iteration has its own, and that keep the value of the last one.
    pub(super) last: Vec<SymId>,
    /// Tapes that are empty before and after each iteration.
    pub(super) tapes: Vec<SymId>,
    /// Derivatives with memory of their own that are zero before and after each iteration.
    pub(super) zero: Vec<SymId>,
    /// Variables to which iterations only add.
    pub(super) sums: Vec<SymId>,
    /// Derivatives of which each thread has its own, to be added up.
    pub(super) own_sums: Vec<SymId>,
    /// The same of which each thread gets the first one's value.
    pub(super) copied: Vec<SymId>,
    /// Variables of which threads have their own, and that iterations only read: what the first thread's holds.
    pub(super) handed_out: Vec<SymId>,
    /// Variables that iterations put together by an operator that the user's directive names.
    pub(super) reduced: Vec<(SymId, String)>,
    /// Elements to which iterations only add, and the statements that do: each thread adds up what it has for them.
    pub(super) elements: Vec<(Expr, BTreeSet<StmtId>)>,
    /// What iterations have for elements, to be added behind the loop.
    pub(super) handed: Vec<Handed>,
    /// Increments that only one thread at a time may make.
    pub(super) atomic: BTreeSet<StmtId>,
    /// Assignments of one value to a variable, which only one thread at a time may make.
    pub(super) set: BTreeSet<StmtId>,
    /// Statements of called procedures that are increments of the same kind.
    pub(super) atomic_in_calls: Increments,
    /// Blocks in which iterations run that add to elements of their neighbours'.
    pub(super) blocks: Option<Blocks>,
    /// Other variables that are assigned.
    pub(super) written: Vec<SymId>,
    /// Variables that are only read.
    pub(super) read: Vec<SymId>,
    /// How iterations add to derivatives that they share.
    pub(super) strategies: Vec<Added>,
}

/// How iterations add to a derivative, and why so.
#[derive(Clone, Debug)]
pub(crate) struct Added {
    /// The variable whose derivative it is.
    pub(crate) of: SymId,
    /// How.
    pub(crate) strategy: Strategy,
    /// Why, in words.
    pub(crate) reason: &'static str,
    /// The user asked for another way, which there isn't.
    pub(crate) against: bool,
}

impl Sharing {
    /// What iterations do besides adding, which nobody asks for: 1 where they hand over what loops behind add at once, 2 for
    /// atomic updates, or what is handed over in place of these.
    pub(super) fn burden(&self) -> usize {
        let atomic = !self.atomic.is_empty() || !self.atomic_in_calls.is_empty();
        let asked = self.strategies.iter().any(|a| a.strategy == Strategy::Atomic && a.reason == ASKED);
        match () {
            () if asked => 0,
            () if atomic || self.handed.iter().any(|h| !h.apart) => 2,
            () => usize::from(!self.handed.is_empty()),
        }
    }

    /// What some statements in a loop inside do to elements, one `behind` that loop does for them.
    pub(super) fn take_over(&mut self, stmts: &BTreeSet<StmtId>, behind: StmtId) {
        if !self.atomic.is_disjoint(stmts) {
            self.atomic.retain(|s| !stmts.contains(s));
            self.atomic.insert(behind);
        }
        for (_, own) in self.elements.iter_mut().filter(|e| !e.1.is_disjoint(stmts)) {
            own.insert(behind);
        }
    }

    /// All variables that it is about.
    pub(super) fn mentioned(&self) -> BTreeSet<SymId> {
        let lists = [&self.private, &self.tapes, &self.zero, &self.last, &self.sums, &self.written, &self.read];
        lists.into_iter().flatten().copied().chain(self.reduced.iter().map(|r| r.0)).collect()
    }
}

/// What there is to share out a loop with.
#[derive(Clone, Copy)]
pub(super) struct Means {
    /// Compilers know no sums of arrays.
    pub(super) only_scalar_sums: bool,
    /// It may run in blocks, some of them later than others.
    pub(super) in_blocks: bool,
    /// Threads of the host run it.
    pub(super) threads: bool,
    /// What iterations add may be kept for a loop behind.
    pub(super) hands_over: bool,
    /// It is `do concurrent`, which knows neither atomic updates nor sums.
    pub(super) concurrent: bool,
}

/// Decides it for the body of loops over `vars`; or tells what stands in the way.
pub(super) fn decide(
    facts: &Facts<'_>,
    accesses: &Accesses<'_, '_>,
    (stmt, body): (&Stmt, &[Stmt]),
    vars: &[SymId],
    (evidence, used, zero): (&Evidence, &BTreeSet<SymId>, &BTreeSet<SymId>),
    means: Means,
) -> Result<Sharing, String> {
    let decision = Decision {
        facts,
        accesses,
        body,
        evidence,
        used,
        means,
        in_order: facts.tangent || super::is_forward(stmt),
        exposed: facts.exposed(body),
        zero,
    };
    if let Some(v) = vars.iter().chain(&accesses.inner).find(|v| used.contains(v)) {
        return Err(format!("the value that it leaves in `{}` is used later", decision.name(*v)));
    }
    if let Some(v) = vars.iter().find(|v| accesses.assigned.contains(v)) {
        return Err(format!("`{}` is assigned in it", decision.name(*v)));
    }
    if decision.is_asked_to_be_serial() {
        return Err(ASKED.into());
    }
    aliases::tell_apart(facts, accesses, &evidence.distinct, &|a| decision.vouched(a.of.sym).touched(a))?;
    let mut out = Sharing::default();
    let own = facts.own_copies.decide((facts, accesses), body, means, &mut out)?;
    let mut mentioned: BTreeSet<SymId> = accesses.list.iter().map(|a| a.of.sym).collect();
    mentioned.extend(&accesses.allocated);
    for sym in mentioned {
        if vars.contains(&sym) || accesses.inner.contains(&sym) || own.contains(&sym) {
            continue;
        }
        let Some(v) = facts.scene.program.var(sym) else { continue };
        let changed = accesses.assigned.contains(&sym) || accesses.allocated.contains(&sym);
        // Of a variable of a module that devices have, too, there is one for all iterations.
        let of = facts.primal.get(&sym).copied().unwrap_or(sym);
        let same = is_on_devices(facts.scene.program, of) || !changed && facts.copied_in.contains(&sym);
        if !changed && (same || !v.directive) {
            out.read.push(sym);
        } else if !changed && means.threads && decision.is_handed_out(sym, v) {
            out.handed_out.push(sym);
        } else if v.directive && !same {
            return Err(format!("a directive governs the storage of `{}`", decision.name(sym)));
        } else if accesses.allocated.contains(&sym) && !decision.is_own_array(sym, v) {
            return Err(format!("`{}` gets memory in it", decision.name(sym)));
        } else if accesses.in_one_iteration(sym) && !accesses.allocated.contains(&sym) {
            out.written.push(sym);
        } else if v.rank() == 0 && (decision.is_record(v) || accesses.to(sym).all(|a| a.of.parts.is_empty())) {
            decision.scalar(sym, &mut out)?;
        } else {
            decision.array(sym, v, &mut out)?;
        }
    }
    if !out.handed.is_empty() && !handed::is_worth_it(&out.handed, body) {
        return Err("all that its iterations do is to add to elements that they may share".into());
    }
    Ok(out)
}

struct Decision<'d> {
    facts: &'d Facts<'d>,
    accesses: &'d Accesses<'d, 'd>,
    body: &'d [Stmt],
    evidence: &'d Evidence,
    /// The user's statements stand in the loop in their order, as far as they are there: what an iteration of the user's
    /// has of its own, one of these has too.
    in_order: bool,
    means: Means,
    /// What is used after the loop.
    used: &'d BTreeSet<SymId>,
    /// What an iteration may use before it assigns it.
    exposed: BTreeSet<SymId>,
    /// What is zero where an iteration begins.
    zero: &'d BTreeSet<SymId>,
}

impl Decision<'_> {
    fn name(&self, sym: SymId) -> &str {
        self.facts.scene.program[sym].name.as_str()
    }

    /// True for a variable of which the user's directives give each iteration its own.
    fn is_given_own(&self, sym: SymId) -> bool {
        let kept = self.in_order || self.evidence.again && self.begins_with_value(sym);
        kept && self.evidence.private.contains(&sym) && !self.used.contains(&sym)
    }

    /// True for a variable of which each thread has its own that a clause can name: one thread has computed it, as the user's
    /// threads do each.
    fn is_handed_out(&self, sym: SymId, v: &Variable) -> bool {
        let plain = v.common.is_none() && !v.attrs.allocatable && !v.attrs.pointer && v.ty.derived().is_none();
        plain && self.facts.scene.program.is_of_each_thread(sym) && !self.facts.primal.contains_key(&sym)
    }

    /// True for a variable that gets a value before anything else is done with it, but that the one from before may be kept
    /// and come back, which nobody uses.
    fn begins_with_value(&self, sym: SymId) -> bool {
        let moved = |a: &Access<'_>| a.how == How::Read && a.role == Some(Role::Save) && !a.by_call;
        let mut all = self.accesses.to(sym).filter(|a| !self.accesses.is_inquiry(a) && !moved(a));
        all.next().is_some_and(|a| a.how == How::Assigned)
    }

    /// True for a variable of the procedure's own that is zero where each iteration begins, and so where each ends.
    fn is_zero_between(&self, sym: SymId) -> bool {
        self.zero.contains(&sym)
    }

    /// True for the derivative of a variable of which each iteration has its own. It is zero where an iteration begins and
    /// where it ends, as nobody uses the variable before it is assigned, or after that.
    fn is_derivative_of_private(&self, sym: SymId) -> bool {
        self.facts.primal.get(&sym).is_some_and(|p| self.evidence.private.contains(p))
    }

    fn scalar(&self, sym: SymId, out: &mut Sharing) -> Result<(), String> {
        if runtime::is_tape(self.facts.scene.program, sym) {
            if !self.is_released(sym) {
                return Err("what iterations save goes to one tape".into());
            }
            out.tapes.push(sym);
            return Ok(());
        }
        let all: Vec<&Access<'_>> = self.accesses.to(sym).collect();
        if self.accesses.by_name.contains(&sym) {
            let adds = all.iter().all(|a| a.how == How::Added) && self.adds_in_calls(sym, (&all, &|_, _| false), out);
            return if adds { Ok(()) } else { Err(format!("a procedure that is called changes `{}`", self.name(sym))) };
        }
        if self.is_own_record(sym, &all) {
            // Compilers give private variables no default values, which what a block declares has. A tape needs its own.
            let empty =
                self.facts.scene.program.var(sym).is_some_and(|v| runtime::holds_tapes(self.facts.scene.program, v.ty));
            if empty && !self.means.concurrent { &mut out.tapes } else { &mut out.private }.push(sym);
        } else if all.iter().all(|a| a.how == How::Added) && self.adds_up(sym) {
            if self.asked(sym) == Some(Strategy::Atomic) && !self.means.concurrent && all.iter().all(|a| !a.by_call) {
                out.atomic.extend(all.iter().map(|a| a.stmt));
                out.written.push(sym);
                self.note(sym, Strategy::Atomic, ASKED, out);
            } else {
                out.sums.push(sym);
                self.note(sym, Strategy::Reduction, "all iterations add to a scalar", out);
            }
        } else if self.is_own_scalar(sym) {
            out.private.push(sym);
        } else if !self.exposed.contains(&sym) && all.iter().any(|a| a.how == How::Assigned && a.certain) {
            out.last.push(sym);
        } else if self.is_derivative_of_private(sym) || self.is_zero_between(sym) {
            out.private.push(sym);
            out.zeroed.push(sym);
        } else if let Some(operator) = self.reduction(sym, &all) {
            out.reduced.push((sym, operator));
        } else if self.is_flag(sym, &all) {
            out.set.extend(all.iter().map(|a| a.stmt));
            out.written.push(sym);
        } else {
            return Err(format!("`{}` carries a value from one iteration to the next", self.name(sym)));
        }
        Ok(())
    }

    /// True for a variable that iterations set to one and the same number or truth value, if to any: whoever comes last, it is
    /// that.
    fn is_flag(&self, sym: SymId, all: &[&Access<'_>]) -> bool {
        let mut values: Vec<&Expr> = Vec::new();
        for_each_stmt(self.body, &mut |s| {
            if let StmtKind::Assign { lhs, rhs } = &s.kind {
                values.extend(lhs.as_var().filter(|d| d.sym == sym).map(|_| rhs));
            }
        });
        let literal = |e: &Expr| matches!(e.kind, ExprKind::Int { .. } | ExprKind::Logical { .. });
        let one = values.iter().all(|e| literal(e) && e.kind == values[0].kind);
        !self.means.concurrent && one && all.iter().all(|a| a.how == How::Assigned && !a.by_call)
    }

    /// The operator by which the user's iterations put values together, where the user's statements stand as they are.
    fn reduction(&self, sym: SymId, all: &[&Access<'_>]) -> Option<String> {
        let moved = |a: &&Access<'_>| a.by_call || matches!(a.role, Some(Role::Save | Role::Restore));
        let of = self.evidence.reduced.iter().find(|r| r.0 == sym);
        of.filter(|_| self.in_order && !all.iter().any(moved)).map(|r| r.1.clone())
    }

    /// True for the record of a call whose halves stand in one iteration: the first one uses nothing of an earlier record but
    /// its memory.
    fn is_own_record(&self, sym: SymId, all: &[&Access<'_>]) -> bool {
        let begins = |a: &&Access<'_>| a.by_call && a.role == Some(Role::Forward);
        let record = self.facts.scene.program.var(sym).is_some_and(|v| self.is_record(v));
        let record = record && self.facts.scene.local(sym);
        record && all.iter().all(|a| a.by_call || a.how == How::Read) && all.first().is_some_and(begins)
    }

    /// True for the record of a call.
    fn is_record(&self, v: &Variable) -> bool {
        v.ty.derived().is_some_and(|ty| self.facts.records.contains(&ty))
    }

    /// True for a tape that is empty at the end of each iteration. It is so where the first one begins, too: nothing but
    /// iterations of the loop uses it.
    fn is_released(&self, tape: SymId) -> bool {
        let mentioning = |s: &&Stmt| mentions(self.facts.scene.program, std::slice::from_ref(*s)).contains_key(&tape);
        let last = self.body.iter().rfind(mentioning);
        last.is_some_and(|s| match &s.kind {
            StmtKind::Call { callee, .. } => on_tape(self.facts.scene.program, callee) == Some("costate_release"),
            _ => false,
        })
    }

    /// True for a scalar whose value no other iteration, and nothing later, uses.
    fn is_own_scalar(&self, sym: SymId) -> bool {
        let left = self.used.contains(&sym);
        !left && (!self.exposed.contains(&sym) || self.accesses.is_kept_within(sym)) || self.is_given_own(sym)
    }

    /// True for a variable of numbers that may be summed by threads, for which the order of a sum matters in rounding only.
    fn adds_up(&self, sym: SymId) -> bool {
        self.facts.scene.program.var(sym).is_some_and(|v| is_number(v) && !v.attrs.allocatable)
    }

    fn array(&self, sym: SymId, v: &Variable, out: &mut Sharing) -> Result<(), String> {
        // The shape stays the same, whatever elements are assigned.
        let own_memory = self.accesses.allocated.contains(&sym);
        let counts = |a: &&Access<'_>| own_memory || !self.accesses.is_inquiry(a);
        let all: Vec<&Access<'_>> = self.accesses.to(sym).filter(counts).collect();
        let writes = || all.iter().filter(|a| a.how != How::Read);
        let apart = |a: &Access<'_>, b: &Access<'_>| self.accesses.apart(a, b);
        let number = |a: &Access<'_>| holds_numbers(v) || is_single_number(self.facts.scene.program, &a.of);
        let only_added = all.iter().all(|a| a.how == How::Added && (number(a) || a.adds.is_some()));
        let everybodys = self.accesses.by_name.contains(&sym);
        if only_added && !everybodys && self.adds_as_asked(sym, v, &all, out) {
            return Ok(());
        }
        let told_apart = !own_memory && writes().all(|w| all.iter().all(|a| apart(w, a)));
        let mut vouched = self.vouched(sym);
        if !told_apart {
            vouched.look_within(&all, self.accesses);
        }
        let never = |a: &Access<'_>, b: &Access<'_>| vouched.never_meet(a, b) || self.accesses.apart(a, b);
        if told_apart {
            out.written.push(sym);
            self.note_own(sym, &all, out);
        } else if !own_memory && writes().all(|w| all.iter().all(|a| never(w, a))) {
            out.written.push(sym);
            let reason = "the elements are among those of which the primal loop's directive proves that they are apart";
            self.note(sym, Strategy::Shared, reason, out);
        } else if everybodys {
            if !(only_added && self.adds_in_calls(sym, (&all, &never), out)) {
                return Err(self.meet_at(sym));
            }
        } else if only_added {
            self.added_array(sym, v, (&all, &never), out)?;
        } else if let Some(added) = self.adds_beside_own(&all, &number, &never) {
            self.add_to_shared(sym, &added, (&all, &never), out)?;
        } else if self.is_own_array(sym, v) {
            out.private.push(sym);
        } else if (self.is_derivative_of_private(sym) || self.is_zero_between(sym) || self.is_tangent_of_own_array(sym))
            && is_declared_whole(v)
            && !holds_memory(self.facts.scene.program, v.ty)
        {
            out.private.push(sym);
            out.zeroed.push(sym);
        } else if self.means.threads && !own_memory && self.is_derivative_of_private(sym) && self.is_own_memory(sym, v)
        {
            out.zero.push(sym);
        } else {
            return Err(self.meet_at(sym));
        }
        Ok(())
    }

    /// What the directives of the primal loop vouch for of a variable, or of that of which it is the derivative.
    fn vouched(&self, sym: SymId) -> Vouched<'_> {
        Vouched::of(self.evidence, self.facts.primal.get(&sym).copied().unwrap_or(sym), self.in_order)
    }

    /// The increments, where all other references are to elements that no other iteration refers to: in every other point of
    /// a grid, say.
    fn adds_beside_own<'a>(
        &self,
        all: &[&'a Access<'a>],
        number: &dyn Fn(&Access<'_>) -> bool,
        never_meet: &NeverMeet<'_>,
    ) -> Option<Vec<&'a Access<'a>>> {
        let (added, rest): (Vec<&'a Access<'a>>, Vec<&'a Access<'a>>) =
            all.iter().partition(|a| a.how == How::Added && !a.by_call && number(a));
        let apart = |a: &Access<'_>, b: &Access<'_>| a.how == How::Read && b.how == How::Read || never_meet(a, b);
        let own = rest.iter().all(|a| all.iter().all(|b| apart(a, b)));
        (!added.is_empty() && own).then_some(added)
    }

    /// True for an array whose elements each iteration assigns before it uses them, and that nobody uses later, or of which
    /// that is known.
    fn is_own_array(&self, sym: SymId, v: &Variable) -> bool {
        let whole = is_declared_whole(v) || self.is_own_memory(sym, v);
        let anew = || !self.exposed.contains(&sym) || self.accesses.assigns_first(sym);
        let left = self.used.contains(&sym);
        whole && (!left && anew() || self.is_given_own(sym) || self.accesses.goes_to_tape(sym))
    }

    /// True for the derivative of such an array in a tangent, where it has a value wherever the array has one.
    fn is_tangent_of_own_array(&self, sym: SymId) -> bool {
        let Some(of) = self.facts.primal.get(&sym).filter(|_| self.facts.tangent) else { return false };
        let own = self.facts.scene.program.var(*of).is_some_and(|v| v.rank() > 0 && self.is_own_array(*of, v));
        own && self.accesses.assigned.contains(of) && !self.used.contains(&sym)
    }

    /// True for a local array whose memory is each thread's own, too: if it gets it in the loop, nobody relies on that
    /// behind it.
    fn is_own_memory(&self, sym: SymId, v: &Variable) -> bool {
        let freed_behind = || {
            let mut inside = BTreeSet::new();
            for_each_stmt(self.body, &mut |s| _ = inside.insert(s.id));
            self.facts.freed_anyway.iter().any(|(s, place)| *s == sym && !inside.contains(place))
        };
        let kept = self.accesses.allocated.contains(&sym) && freed_behind();
        v.attrs.allocatable && !v.attrs.target && v.dummy.is_none() && self.facts.scene.local(sym) && !kept
    }
}
