//! All refusals of a run in one list.
//!
//! What is refused before any code is built (declarations, calls without source, memory with two names) doesn't keep what
//! is refused of other statements from being found: the code is built as far as it can be, only to see what stands in its way.

use std::collections::BTreeSet;

use costate_analysis::effects::calls;
use costate_analysis::normal::CallRewrites;
use costate_grammar::diag::Diagnostic;
use costate_grammar::ir::{ProcId, Stmt, for_each_stmt};
use costate_grammar::source::Span;

use crate::in_line::Failure;
use crate::pipeline;
use crate::session::Session;

/// Refusals in the order of files and lines, each once; those without a place come last.
pub(crate) fn listed(found: Vec<Diagnostic>) -> Vec<Diagnostic> {
    let mut out = merged(Vec::new(), found);
    out.sort_by_key(|d| (d.span.is_none(), d.span.map(|s| (s.file, s.start))));
    out
}

/// What is known with what is new. What is wrong at a place is said once, whoever finds it.
pub(crate) fn merged(mut known: Vec<Diagnostic>, new: Vec<Diagnostic>) -> Vec<Diagnostic> {
    for d in new {
        let same = |k: &Diagnostic| *k == d || d.span.is_some() && (k.code, k.span) == (d.code, d.span);
        if !known.iter().any(same) {
            known.push(d);
        }
    }
    known
}

impl Session<'_> {
    /// Everything that is refused, given what was refused before any code was built.
    pub(crate) fn refuse(&mut self, early: Vec<Diagnostic>) -> Failure {
        let failure = Failure::of(self, early.clone());
        // With calls rewritten nothing is reported.
        if self.options.rewrites != CallRewrites::default() {
            return failure;
        }
        self.refused = self.beyond_building(&early);
        self.problems.clone_from(&early);
        self.sign();
        let mut later = pipeline::finish(self).err().unwrap_or_default().split_off(early.len());
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
        let beyond = |(proc, body): &(&ProcId, &Vec<Stmt>)| self.deferred.contains_key(proc) || refused(proc, body);
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
