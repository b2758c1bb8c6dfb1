//! All refusals of a run in one list.
//!
//! What is refused before any code is built (declarations, calls without source, memory with two names) doesn't keep what
//! is refused of other statements from being found: the code is built as far as it can be, only to see what stands in its way.

use std::collections::BTreeSet;
use std::rc::Rc;

use costate_analysis::effects::{called, calls};
use costate_analysis::normal::CallRewrites;
use costate_analysis::storage::{Overlap, overlap, through_pointer};
use costate_grammar::diag::{Code, Diagnostic};
use costate_grammar::ir::{Block, ProcId, Program, Stmt, for_each_stmt};
use costate_grammar::source::Span;

use crate::failure::{Failure, merged};
use crate::finish::finish;
use crate::interface::call_arguments;
use crate::region::{can_be_followed, outermost};
use crate::session::Session;

impl Session<'_> {
    /// What refusals ask for: the callees of refused calls, and procedures with refused statements.
    pub(crate) fn failure(&self, problems: Vec<Diagnostic>) -> Failure {
        let (mut wanted, mut elsewhere) = (BTreeSet::new(), false);
        for (proc, body) in &self.effects.bodies {
            for_each_stmt(body, &mut |s| {
                let refused = |d: &Diagnostic| {
                    let known = match d.code {
                        Code::UnsupportedCall | Code::UnsupportedStatement => true,
                        Code::ActiveAliasing => !may_meet_by_pointer(self.program, s),
                        _ => false,
                    };
                    known && d.span == Some(s.origin.span())
                };
                if !problems.iter().any(refused) {
                    return;
                }
                let callee = called(self.program, s).map(|(p, _)| p);
                // What has no source has no statements, either.
                let unknown = callee.is_some_and(|p| self.program[p].declared);
                wanted.insert(callee.filter(|_| !unknown).unwrap_or(*proc));
                elsewhere |= unknown;
            });
        }
        if elsewhere {
            wanted.extend(self.hand_on_requests());
        }
        for h in &self.heads {
            wanted.remove(&h.head.proc);
        }
        // What is refused of a caller may be so for its callee's sake.
        let reaches = |p: &ProcId| {
            let below = self.effects.reached(self.program, *p);
            below.iter().any(|q| q != p && wanted.contains(q) && !self.effects.reached(self.program, *q).contains(p))
        };
        let lowest = wanted.iter().copied().filter(|p| !reaches(p)).collect();
        let regions = self.regions_to_follow(&problems);
        Failure { problems, wanted: lowest, undecided: self.undecided.clone(), regions }
    }

    /// Refused regions that can be followed statement by statement instead.
    fn regions_to_follow(&self, problems: &[Diagnostic]) -> BTreeSet<Span> {
        let mut out = BTreeSet::new();
        for stmt in self.effects.bodies.values().flat_map(|b| outermost(b)) {
            let at = stmt.start().span();
            let refused = problems.iter().any(|d| d.code == Code::UnsupportedDirective && d.span == Some(at));
            if refused && can_be_followed(self.program, &self.effects, stmt) {
                out.insert(at);
            }
        }
        out
    }

    /// Everything that is refused, given what was refused before any code was built.
    pub(crate) fn refuse(&mut self, early: Vec<Diagnostic>) -> Failure {
        let failure = self.failure(early.clone());
        // With calls rewritten nothing is reported.
        let rewrites = CallRewrites { regions: BTreeSet::new(), ..self.options.rewrites.clone() };
        if rewrites != CallRewrites::default() {
            return failure;
        }
        self.refused = self.beyond_building(&early);
        self.problems.clone_from(&early);
        self.sign();
        let mut later = finish(self).err().unwrap_or_default().split_off(early.len());
        let consequences = self.consequences(&early);
        later.retain(|d| d.span.is_none_or(|s| !consequences.contains(&s)));
        failure.reporting(merged(early, later))
    }

    /// The procedures of which nothing is built: those that have no normal form, and those with refused declarations.
    fn beyond_building(&self, early: &[Diagnostic]) -> BTreeSet<ProcId> {
        let places: BTreeSet<Span> = early.iter().filter_map(|d| d.span).collect();
        let contains = |p: ProcId, place: &Span| self.program[p].span.contains(*place);
        let refused = |proc: &ProcId, body: &[Stmt]| {
            let (mut statements, mut mentioned) = (BTreeSet::new(), BTreeSet::new());
            for_each_stmt(body, &mut |s| {
                statements.insert(s.origin.span());
            });
            crate::remap::mentioned(body, &mut mentioned);
            let internals = &self.program[*proc].internals;
            let declared = |p: &Span| {
                contains(*proc, p) && !statements.contains(p) && !internals.iter().any(|inner| contains(*inner, p))
            };
            places.iter().any(declared) || mentioned.iter().any(|s| places.contains(&self.program[*s].span))
        };
        let beyond = |(proc, body): &(&ProcId, &Rc<Block>)| self.deferred.contains_key(proc) || refused(proc, body);
        self.effects.bodies.iter().filter(beyond).map(|(proc, _)| *proc).collect()
    }

    /// The places of statements of which nothing more is said: the refused ones, and calls through which these are reached.
    /// What they do to the memory of their callers isn't known.
    fn consequences(&self, early: &[Diagnostic]) -> BTreeSet<Span> {
        let mut out: BTreeSet<Span> = early.iter().filter_map(|d| d.span).collect();
        let mut reaching = self.refused.clone();
        for (proc, body) in &self.effects.bodies {
            for_each_stmt(body, &mut |s| {
                if out.contains(&s.origin.span()) {
                    reaching.insert(*proc);
                }
            });
        }
        loop {
            let before = reaching.len();
            for (proc, body) in &self.effects.bodies {
                for_each_stmt(body, &mut |s| {
                    let block = !s.blocks().is_empty();
                    if !block && calls(self.program, std::slice::from_ref(s)).iter().any(|p| reaching.contains(p)) {
                        reaching.insert(*proc);
                        out.insert(s.origin.span());
                    }
                });
            }
            if reaching.len() == before {
                return out;
            }
        }
    }
}

/// True where arguments of a call may be one memory because pointers may lead to it. Where they do, compilers that take
/// the dummies for different memory make anything of it.
fn may_meet_by_pointer(program: &Program, s: &Stmt) -> bool {
    let passed: Vec<_> = call_arguments(s).iter().filter_map(|a| a.value.as_var()).collect();
    passed.iter().enumerate().any(|(k, d)| {
        through_pointer(program, d)
            && passed.iter().enumerate().any(|(j, other)| j != k && overlap(program, d, other) == Overlap::Maybe)
    })
}
