//! Messages between processes. All processes run the same program, so that what is decided for a call holds on all of them:
//! either all messages of real values have derivatives, or none has.

use costate_analysis::activity::Activity;
use costate_analysis::externals::External;
use costate_analysis::externals::messages::Traffic;
use costate_analysis::normal::messages::start;
use costate_analysis::request::Head;
use costate_analysis::storage::LocSet;
use costate_grammar::diag::{Code, Diagnostic};
use costate_grammar::ir::{Block, ProcId, Program, Stmt};
use std::rc::Rc;

use crate::call_form::CallForm;
use crate::runtime;
use crate::session::Session;

impl Session<'_> {
    /// Gives messages between processes, where there are any, a variable that stands for them, and heads a start that all
    /// processes take part in.
    pub(crate) fn meet_messages(&mut self, heads: &[Head]) {
        let matched = self.effects.externals.values().any(|row| row.traffic.is_some_and(Traffic::is_matched));
        if !matched {
            return;
        }
        self.effects.under_way = Some(self.unseen_variable("messages on their way"));
        for head in heads {
            let Some(first) = start(self.program, head.proc) else { continue };
            let Some(body) = self.effects.bodies.get_mut(&head.proc) else { continue };
            let begun = body.first().is_some_and(|s| runtime::is_hidden(self.program, s));
            if !begun {
                let called = costate_analysis::effects::called(self.program, &first).map(|(p, _)| p);
                Rc::make_mut(body).insert(0, first);
                if let Some(proc) = called {
                    let row = self.options.externals.of_declared(&self.program[proc].name);
                    self.effects.externals.insert(proc, row);
                }
            }
        }
    }

    /// What stands for messages, where derivatives go by them: something varied is sent, and something useful received.
    pub(crate) fn derivative_messages(&mut self, heads: &[Head]) -> LocSet {
        let Some(under_way) = self.effects.under_way else { return LocSet::new() };
        let locs: LocSet = self.effects.locs.leaves(self.program, under_way, &[]).into_iter().collect();
        // What is completed that nothing here has begun may be anything.
        let unknown = |r: &External| r.traffic == Some(Traffic::Completes) && r.derivatives.iter().all(Option::is_none);
        if self.effects.externals.values().any(|r| unknown(r)) {
            return locs;
        }
        let mut try_with = |varied: &LocSet, useful: &LocSet| {
            let mut activity = Activity::default();
            for head in heads {
                let (mut v, mut u) = (self.target_locs(&head.independents), self.target_locs(&head.dependents));
                v.extend(varied);
                u.extend(useful);
                activity.add_head(self.program, &mut self.effects, head.proc, v, u);
            }
            activity
        };
        let none = LocSet::new();
        let sends = try_with(&none, &locs);
        let sent = sends
            .contexts
            .iter()
            .any(|c| locs.iter().any(|l| c.varied_out.contains(l) || c.varied.values().any(|at| at.contains(l))));
        let receives = try_with(&locs, &none);
        let received =
            receives.contexts.iter().any(|c| locs.iter().any(|l| c.useful.values().any(|at| at.contains(l))));
        // What is freed is needed by the adjoints of all that communicates.
        let row = |c: &costate_analysis::activity::Context| self.effects.externals.get(&c.proc);
        let collective = sends.contexts.iter().filter_map(row).any(|r| r.traffic == Some(Traffic::Collective));
        let freed = self.effects.externals.values().any(|r| r.traffic == Some(Traffic::Frees));
        if sent && received || freed && collective { locs } else { none }
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
                if self.communicates(callee) && !self.effects.externals.contains_key(&callee) {
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

/// Why such a call is refused.
pub(crate) fn runs_again(program: &Program, callee: ProcId, s: &Stmt, why: &str) -> Diagnostic {
    let message = format!("`{}` passes messages, and its adjoint would pass them once more", program[callee].name);
    Diagnostic::error(Code::UnsupportedCall, s.origin.span(), message)
        .reason(format!("the call can't be reversed in two halves: {why}"))
        .help("put the procedure into a module, or its statements into the caller")
}

/// Why a call is refused that completes messages of which this procedure doesn't know where they go.
pub(crate) fn begun_elsewhere(s: &Stmt) -> Diagnostic {
    let message = "messages are completed here that other procedures have begun";
    Diagnostic::error(Code::UnsupportedCall, s.origin.span(), message)
        .reason("which data are sent and received isn't known here, nor to a procedure that calls both")
        .help("begin and complete messages in one procedure, or hand the requests through a common caller")
}

impl Session<'_> {
    /// Procedures that begin messages and leave it to others to complete them.
    pub(crate) fn begin_messages(&self) -> impl Iterator<Item = ProcId> {
        let has = |body: &Block, wanted: &dyn Fn(Traffic) -> bool| {
            let mut found = false;
            costate_grammar::ir::for_each_stmt(body, &mut |s: &Stmt| {
                let proc = costate_analysis::effects::called(self.program, s).map(|(p, _)| p);
                let row = proc.and_then(|p| self.effects.externals.get(&p));
                found |= row.is_some_and(|r| r.forward.is_some() && r.traffic.is_some_and(wanted));
            });
            found
        };
        let begins = |t: Traffic| matches!(t, Traffic::Sends | Traffic::Receives);
        let only_begins = move |body: &Block| has(body, &begins) && !has(body, &|t| t == Traffic::Completes);
        self.effects.bodies.iter().filter(move |(_, body)| only_begins(body)).map(|(p, _)| *p)
    }
}
