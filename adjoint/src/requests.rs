//! Procedures through which the requests of messages go that others complete. Where it isn't known what a call completes, their
//! statements are put in place of their calls.

use std::collections::{BTreeMap, BTreeSet};

use costate_analysis::effects::{bind, called};
use costate_analysis::externals::messages::{Traffic, is_request};
use costate_analysis::normal::messages::copied;
use costate_grammar::diag::Diagnostic;
use costate_grammar::ir::{Block, Expr, ProcId, Program, Stmt, SymId, for_each_stmt};

use crate::communication::begun_elsewhere;
use crate::session::Session;

impl Session<'_> {
    /// Procedures that begin messages and leave it to others to complete them, and those that copy requests.
    pub(crate) fn hand_on_requests(&self) -> BTreeSet<ProcId> {
        let completes = |t: Traffic| matches!(t, Traffic::Completes | Traffic::Frees);
        let only_begins = |body: &Block| {
            self.has_traffic(body, &|t| !completes(t)) && !self.has_traffic(body, &|t| t == Traffic::Completes)
        };
        let mut out: BTreeSet<ProcId> =
            self.effects.bodies.iter().filter(|(_, body)| only_begins(body)).map(|(p, _)| *p).collect();
        let requests = self.requests();
        for (proc, body) in &self.effects.bodies {
            let passes_on = |s: &Stmt| copied(s).iter().any(|(from, _)| requests.contains(&from.sym));
            let mut found = false;
            for_each_stmt(body, &mut |s| found |= passes_on(s));
            if found && !self.has_traffic(body, &|t| t == Traffic::Completes) {
                out.insert(*proc);
            }
        }
        out
    }

    /// Refuses to complete messages of which a called procedure has begun some with the same requests: what these are isn't known
    /// here, though of others it is.
    pub(crate) fn check_begun_besides(&self) -> Vec<Diagnostic> {
        if !self.effects.externals.values().any(|row| row.traffic == Some(Traffic::Completes)) {
            return Vec::new();
        }
        let begun: BTreeMap<ProcId, BTreeSet<SymId>> = self
            .hand_on_requests()
            .into_iter()
            .map(|p| (p, self.requests_in(p, &|t| t != Traffic::Completes)))
            .collect();
        let mut out = Vec::new();
        for context in self.activity.contexts.iter().filter(|_| !begun.is_empty()) {
            let Some(body) = self.effects.bodies.get(&context.proc) else { continue };
            let mut besides = BTreeSet::new();
            for_each_stmt(body, &mut |s| {
                let callee = called(self.program, s).map(|(p, _)| p);
                let Some(requests) = callee.and_then(|p| begun.get(&p)) else { return };
                let actuals: BTreeMap<SymId, SymId> = passed(self.program, s).into_iter().collect();
                besides.extend(requests.iter().map(|r| *actuals.get(r).unwrap_or(r)));
            });
            for_each_stmt(body, &mut |s| {
                let row = called(self.program, s).and_then(|(p, _)| self.effects.externals.get(&p));
                let completes = row.is_some_and(|r| r.traffic == Some(Traffic::Completes));
                let mut requests =
                    passed(self.program, s).into_iter().filter(|(d, _)| is_request(&self.program[*d].name));
                if completes && context.callees.contains_key(&s.id) && requests.any(|(_, r)| besides.contains(&r)) {
                    out.push(begun_elsewhere(s));
                }
            });
        }
        out
    }

    /// The variables that a procedure passes as requests.
    fn requests_in(&self, proc: ProcId, wanted: &dyn Fn(Traffic) -> bool) -> BTreeSet<SymId> {
        let mut out = BTreeSet::new();
        let Some(body) = self.effects.bodies.get(&proc) else { return out };
        for_each_stmt(body, &mut |s| {
            let row = called(self.program, s).and_then(|(p, _)| self.effects.externals.get(&p));
            if row.and_then(|r| r.traffic).is_some_and(wanted) {
                let pairs = passed(self.program, s).into_iter();
                out.extend(pairs.filter(|(d, _)| is_request(&self.program[*d].name)).map(|(_, r)| r));
            }
        });
        out
    }

    /// True for a body in which such messages are passed with requests.
    fn has_traffic(&self, body: &Block, wanted: &dyn Fn(Traffic) -> bool) -> bool {
        let mut found = false;
        for_each_stmt(body, &mut |s: &Stmt| {
            let row = called(self.program, s).and_then(|(p, _)| Some((p, self.effects.externals.get(&p)?)));
            let Some((proc, row)) = row else { return };
            let requests = self.program[proc].dummies.iter().any(|d| is_request(&self.program[*d].name));
            found |= requests && row.traffic.is_some_and(wanted);
        });
        found
    }

    /// The variables that hold requests, or objects with requests among their components: what calls make, copies of that, and what
    /// stands for either in other procedures.
    fn requests(&self) -> BTreeSet<SymId> {
        let mut out = BTreeSet::new();
        let mut pairs: Vec<(SymId, SymId)> = Vec::new();
        for body in self.effects.bodies.values() {
            for_each_stmt(body, &mut |s: &Stmt| {
                pairs.extend(copied(s).into_iter().map(|(from, to)| (from.sym, to.sym)));
                let row = called(self.program, s).and_then(|(p, _)| self.effects.externals.get(&p));
                let passes_messages = row.is_some_and(|r| r.traffic.is_some());
                for (dummy, actual) in passed(self.program, s) {
                    if passes_messages && is_request(&self.program[dummy].name) {
                        out.insert(actual);
                    }
                    pairs.extend([(dummy, actual), (actual, dummy)]);
                }
            });
        }
        let mut before = 0;
        while out.len() > before {
            before = out.len();
            let met = pairs.iter().filter(|(from, _)| out.contains(from)).map(|(_, to)| *to);
            out.extend(met.collect::<Vec<_>>());
        }
        out
    }
}

/// The variables that a call passes, each with the dummy that it goes to.
fn passed(program: &Program, s: &Stmt) -> Vec<(SymId, SymId)> {
    let Some((proc, args)) = called(program, s) else { return Vec::new() };
    let base = |e: Option<&Expr>| Some(e?.as_var()?.sym);
    let actuals = bind(program, &program[proc], args);
    program[proc].dummies.iter().zip(actuals).filter_map(|(d, e)| Some((*d, base(e)?))).collect()
}
