//! Messages between processes. All processes run the same program, so that what is decided for a call holds on all of them:
//! either all messages of real values have derivatives, or none has.

use costate_analysis::activity::Activity;
use costate_analysis::effects::{Effects, called};
use costate_analysis::externals::External;
use costate_analysis::externals::messages::{ANYWHERE, Traffic, is_one_sided, is_request, message_of};
use costate_analysis::normal::messages::{in_branch, made, start};
use costate_analysis::request::Head;
use costate_analysis::storage::LocSet;
use costate_grammar::diag::{Code, Diagnostic};
use costate_grammar::ir::{
    Block, Callee, Designator, Expr, Origin, Part, ProcId, Program, Stmt, StmtKind, Subscript, SymId,
};
use std::collections::BTreeSet;
use std::rc::Rc;

use crate::call_form::CallForm;
use crate::runtime;
use crate::session::Session;

impl Session<'_> {
    /// Gives messages between processes, where there are any, a variable that stands for them, and heads a start that all
    /// processes take part in.
    pub(crate) fn meet_messages(&mut self, heads: &[Head]) {
        self.mark_branched(heads);
        let matched = self.effects.externals.values().any(|row| row.traffic.is_some_and(Traffic::is_matched));
        if !matched {
            return;
        }
        self.effects.under_way = ["messages on their way", "what is begun"].map(|n| self.unseen_variable(n)).to_vec();
        self.tell_of_communicators();
        for head in heads {
            let Some(first) = start(self.program, head.proc) else { continue };
            let Some(body) = self.effects.bodies.get_mut(&head.proc) else { continue };
            let begun = body.first().is_some_and(|s| runtime::is_hidden(self.program, s));
            if !begun {
                let called = called(self.program, &first).map(|(p, _)| p);
                Rc::make_mut(body).insert(0, first);
                self.meet_declared(called);
            }
        }
    }

    /// Notes what is known of a procedure that was declared on the way.
    fn meet_declared(&mut self, proc: Option<ProcId>) {
        if let Some(proc) = proc {
            let row = self.options.externals.of_declared(&self.program[proc].name);
            self.effects.externals.insert(proc, row);
        }
    }

    /// Says of each new communicator that it is one, where messages pass: derivatives of messages in two communicators of the
    /// same processes would be taken for each other.
    fn tell_of_communicators(&mut self) {
        let mut met = BTreeSet::new();
        for body in self.effects.bodies.values_mut() {
            let mut found = false;
            costate_grammar::ir::for_each_stmt(body, &mut |s: &Stmt| {
                let StmtKind::Call { callee: Callee::Proc { sym, .. }, .. } = &s.kind else { return };
                found |= message_of(&self.program[*sym].name).is_some_and(|m| m.makes.is_some());
            });
            if found {
                tell_in(self.program, Rc::make_mut(body), &mut met);
            }
        }
        met.into_iter().for_each(|proc| self.meet_declared(Some(proc)));
    }

    /// Refuses access to memory of other processes, and to what lies at addresses: which variables it is isn't told by the calls.
    pub(crate) fn check_windows(&self) -> Vec<Diagnostic> {
        let mut out = Vec::new();
        for body in self.effects.bodies.values() {
            costate_grammar::ir::for_each_stmt(body, &mut |s: &Stmt| {
                if self.effects.inactive.contains(&s.id) {
                    return;
                }
                out.extend(one_sided(self.program, s).map(|name| reaches_others(name, s)));
                out.extend(at_any_address(self.program, s).then(|| lies_anywhere(s)));
                let named = |d: &SymId| is_request(&self.program[*d].name);
                let row = called(self.program, s).map(|(p, _)| p).filter(|p| self.effects.externals.contains_key(p));
                if row.is_some_and(|p| self.program[p].dummies.iter().any(named)) {
                    out.extend(scattered_buffer(s).map(|name| leaves_copy(self.program[name].name.as_str(), s)));
                }
            });
        }
        out
    }

    /// Collective calls in procedures that are called in branches are in a branch, too.
    fn mark_branched(&mut self, heads: &[Head]) {
        let collective =
            |s: &Self, p: &ProcId| s.effects.externals.get(p).and_then(|r| r.traffic) == Some(Traffic::Collective);
        if !self.effects.externals.keys().any(|p| collective(self, p)) {
            return;
        }
        let mut found = BTreeSet::new();
        for head in heads {
            for proc in self.effects.reached(self.program, head.proc) {
                let body = self.effects.bodies.get(&proc).cloned().unwrap_or_default();
                called_in_branches(self.program, &body, false, &mut found);
            }
        }
        let reached = found.iter().flat_map(|p| self.effects.reached(self.program, *p));
        for proc in reached.collect::<BTreeSet<_>>() {
            let Some(mut body) = self.effects.bodies.get(&proc).cloned() else { continue };
            let mut calls = BTreeSet::new();
            costate_grammar::ir::for_each_stmt(&body, &mut |s: &Stmt| {
                let callee = called(self.program, s).map(|(p, _)| p).filter(|p| collective(self, p));
                calls.extend(callee);
            });
            for callee in calls {
                let (old, new) = (self.program[callee].sym, in_branch(self.program, callee));
                rename(Rc::make_mut(&mut body), old, new);
                if let Some(made) = self.program[new].procedure().and_then(|p| p.definition) {
                    let row = self.options.externals.of_declared(&self.program[made].name);
                    self.effects.externals.insert(made, row);
                }
            }
            self.effects.bodies.insert(proc, body);
        }
    }

    /// What stands for messages, where derivatives go by them: something varied is sent, and something useful received.
    pub(crate) fn derivative_messages(&mut self, heads: &[Head]) -> LocSet {
        let locs: LocSet = self.effects.messages(self.program).into_iter().collect();
        if locs.is_empty() {
            return locs;
        }
        // What is completed that nothing here has begun may be anything.
        let passed_on = |r: &External| matches!(r.traffic, Some(Traffic::Starts | Traffic::Completes));
        let unknown = |r: &External| passed_on(r) && r.derivatives.iter().all(Option::is_none);
        if self.effects.externals.values().any(|r| unknown(r)) {
            return locs;
        }
        let none = LocSet::new();
        let sends = self.activity_with(heads, &none, &locs);
        let sent = sends
            .contexts
            .iter()
            .any(|c| locs.iter().any(|l| c.varied_out.contains(l) || c.varied.values().any(|at| at.contains(l))));
        let receives = self.activity_with(heads, &locs, &none);
        let received =
            receives.contexts.iter().any(|c| locs.iter().any(|l| c.useful.values().any(|at| at.contains(l))));
        // What is freed is needed by the adjoints of all that communicates.
        let row = |c: &costate_analysis::activity::Context| self.effects.externals.get(&c.proc);
        let collective = sends.contexts.iter().filter_map(row).any(|r| r.traffic == Some(Traffic::Collective));
        let freed = self.effects.externals.values().any(|r| r.traffic == Some(Traffic::Frees));
        if sent && received || freed && collective {
            return locs;
        }
        // What is received without a derivative may leave derivatives in other elements of its variable.
        let alone = self.activity_with(heads, &none, &none);
        let matched =
            |p: &ProcId| self.effects.externals.get(p).and_then(|r| r.traffic).is_some_and(Traffic::is_matched);
        if alone.contexts.iter().any(|c| !c.active.is_empty() && matched(&c.proc)) { locs } else { none }
    }

    /// What is active in heads to which something else is varied before, or useful behind.
    fn activity_with(&mut self, heads: &[Head], varied: &LocSet, useful: &LocSet) -> Activity {
        let mut activity = Activity::default();
        for head in heads {
            let (mut v, mut u) = (self.target_locs(&head.independents), self.target_locs(&head.dependents));
            v.extend(varied);
            u.extend(useful);
            activity.add_head(self.program, &mut self.effects, head.proc, v, u);
        }
        activity
    }

    /// Refuses calls that would run again although other processes take part in them.
    pub(crate) fn check_communication(&self) -> Vec<Diagnostic> {
        let mut out = Vec::new();
        for (id, forms) in &self.forms {
            let context = self.activity.get(*id);
            let Some(body) = self.effects.bodies.get(&context.proc) else { continue };
            costate_grammar::ir::for_each_stmt(body, &mut |s: &Stmt| {
                let (Some(CallForm::Whole(why)), Some(child)) = (forms.get(&s.id), context.callees.get(&s.id)) else {
                    return;
                };
                let callee = self.activity.get(*child).proc;
                if runs_once(self.program, &self.effects, callee) && !self.effects.externals.contains_key(&callee) {
                    out.push(runs_again(self.program, callee, s, why));
                }
            });
        }
        out
    }

    /// True where other processes take part in what a procedure does.
    pub(crate) fn communicates(&self, proc: ProcId) -> bool {
        self.effects.summaries.get(&proc).is_some_and(|s| s.access.communicates)
    }
}

/// True for a procedure whose messages may be passed in the forward sweep only: processes that match them may be elsewhere. Collective
/// calls outside branches are run again by all processes, if by one.
pub(crate) fn runs_once(program: &Program, effects: &Effects, proc: ProcId) -> bool {
    let again = |t: Traffic| matches!(t, Traffic::Collective | Traffic::Local);
    let traffic = |p: &ProcId| effects.externals.get(p).and_then(|row| row.traffic);
    effects.reached(program, proc).iter().filter_map(traffic).any(|t| !again(t))
}

/// Why such a call is refused.
pub(crate) fn runs_again(program: &Program, callee: ProcId, s: &Stmt, why: &str) -> Diagnostic {
    let message = format!("`{}` passes messages, and its adjoint would pass them once more", program[callee].name);
    Diagnostic::error(Code::UnsupportedCall, s.origin.span(), message)
        .reason(format!("the call can't be reversed in two halves: {why}"))
        .help("put the procedure into a module, or its statements into the caller")
}

/// Why a call is refused of which nobody knows what it does with real values.
pub(crate) fn unknown_call(s: &Stmt) -> Diagnostic {
    Diagnostic::error(Code::ExternalProcedure, s.origin.span(), "derivatives of this call of MPI aren't known")
        .reason("it may pass on real values that carry derivatives, or change some")
        .help(
            "pass messages by other procedures (`mpi_isend`, `mpi_irecv` and `mpi_waitall`, say), with buffers that are real or \
             complex, objects that have all their components in them, or packed data in characters or integers; variables of a \
             common block, and those that a datatype of addresses has several of, by a call of their own each; a component with \
             a datatype of the program's as the dummy of a procedure that passes it on; a call that moves no data with \
             derivatives, output into a file say, in a procedure of its own with `!$ad external inactive`",
        )
}

/// The name of the procedure that a call reaches memory of other processes by, or lets them reach what is here.
pub(crate) fn one_sided<'p>(program: &'p Program, s: &Stmt) -> Option<&'p str> {
    let StmtKind::Call { callee: Callee::Proc { sym, generic, .. }, .. } = &s.kind else { return None };
    let written = program[*sym].procedure()?.definition.is_some_and(|p| !program[p].declared);
    let name = program[generic.unwrap_or(*sym)].name.as_str();
    (is_one_sided(name) && !written).then_some(name)
}

/// Why such a call is refused.
fn reaches_others(name: &str, s: &Stmt) -> Diagnostic {
    let message = format!("`{name}` reaches memory of other processes, or lets them reach what is here");
    Diagnostic::error(Code::UnsupportedCall, s.origin.span(), message)
        .reason("which variables change by it isn't known, and derivatives would be missing")
        .help("pass messages by procedures that both processes call, or write `!$ad inactive` before a call that moves no data with derivatives")
}

/// True for a call that passes variables by addresses that other procedures have asked for.
fn at_any_address(program: &Program, s: &Stmt) -> bool {
    matches!(&s.kind, StmtKind::Call { callee: Callee::Proc { sym, .. }, .. } if program[*sym].name.contains(ANYWHERE))
}

/// Why such a call is refused.
fn lies_anywhere(s: &Stmt) -> Diagnostic {
    let message = "variables are passed here by their addresses, which other procedures have asked for";
    Diagnostic::error(Code::UnsupportedCall, s.origin.span(), message)
        .reason("which variables change by it isn't known, and derivatives would be missing")
        .help("pass variables by their names; where they have no derivatives, in a procedure with `!$ad external inactive`")
}

/// The array of which a call of `mpi_f08` begins to pass elements that aren't next to each other, without a datatype for them.
fn scattered_buffer(s: &Stmt) -> Option<SymId> {
    let StmtKind::Call { args, .. } = &s.kind else { return None };
    let values = || args.iter().map(|a| &a.value);
    // The request is an object there, or the integer in it.
    let handle = |e: &Expr| e.ty.derived().is_some() || e.as_var().is_some_and(is_of_f08);
    let objects = values().any(|e| e.rank == 0 && handle(e));
    let sections = values().filter(|e| e.rank > 0 && e.ty.is_continuous()).filter_map(|e| e.as_var());
    sections.filter(|d| objects && is_scattered(d)).map(|d| d.sym).next()
}

/// True for the integer in a handle of `mpi_f08`.
fn is_of_f08(d: &Designator) -> bool {
    d.path().last().is_some_and(|name| name.as_str() == "mpi_val")
}

/// True for a section whose elements aren't next to each other, but for sizes at which there is one of them.
fn is_scattered(d: &Designator) -> bool {
    let Some((last, objects)) = d.parts.split_last() else { return false };
    let several =
        |p: &Part| matches!(p, Part::Subscripts(list) if list.iter().any(|s| matches!(s, Subscript::Range { .. })));
    let Part::Subscripts(list) = last else { return objects.iter().any(several) };
    if objects.iter().any(several) {
        return true;
    }
    let whole = |s: &&Subscript| matches!(s, Subscript::Range { lo: None, hi: None, step: None });
    let mut rest = list.iter().skip_while(whole);
    let first = rest.next().is_none_or(|s| matches!(s, Subscript::Index(_) | Subscript::Range { step: None, .. }));
    !first || !rest.all(|s| matches!(s, Subscript::Index(_)))
}

/// Why such a call is refused.
fn leaves_copy(name: &str, s: &Stmt) -> Diagnostic {
    let message =
        format!("elements of `{name}` are passed here that aren't next to each other, and the call doesn't wait");
    Diagnostic::error(Code::UnsupportedCall, s.origin.span(), message)
        .reason("derivative code would pass a copy, which is gone when the message is")
        .help("pass the first of them with a datatype (`mpi_type_vector`, say), or an array of their own")
}

/// Says in a block which communicators are new; adds the procedures that say it.
fn tell_in(program: &mut Program, block: &mut Block, met: &mut BTreeSet<ProcId>) {
    for mut s in std::mem::take(block) {
        if !s.is_region() {
            s.blocks_mut().into_iter().for_each(|b| tell_in(program, b, met));
        }
        let told = made(program, &s);
        block.push(s);
        if let Some(told) = told {
            met.extend(called(program, &told).map(|(p, _)| p));
            block.push(told);
        }
    }
}

/// Why a call is refused that completes messages of which this procedure doesn't know where they go.
pub(crate) fn begun_elsewhere(s: &Stmt) -> Diagnostic {
    let message = "messages are completed here that other procedures have begun";
    Diagnostic::error(Code::UnsupportedCall, s.origin.span(), message)
        .reason("which data are sent and received isn't known here, nor to a procedure that calls both")
        .help("begin and complete messages in one procedure, or hand the requests through a common caller")
}

/// Adds the procedures that are called in branches of a block.
fn called_in_branches(program: &Program, block: &Block, branched: bool, out: &mut BTreeSet<ProcId>) {
    for s in block {
        if branched {
            out.extend(costate_analysis::effects::calls(program, std::slice::from_ref(s)));
        }
        // Normal form makes branches of what stands behind a jump, to which processes come together if they do in the program.
        let written = matches!(s.origin, Origin::Source(_));
        let branch = branched || written && matches!(s.kind, StmtKind::If { .. } | StmtKind::Select { .. });
        s.blocks().into_iter().for_each(|b| called_in_branches(program, b, branch, out));
    }
}

/// Has calls go to another procedure.
fn rename(block: &mut Block, old: SymId, new: SymId) {
    for s in block {
        if let StmtKind::Call { callee: Callee::Proc { sym, .. }, .. } = &mut s.kind
            && *sym == old
        {
            *sym = new;
        }
        s.blocks_mut().into_iter().for_each(|b| rename(b, old, new));
    }
}
