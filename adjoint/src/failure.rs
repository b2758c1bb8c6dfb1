//! Why there is no code.

use std::collections::BTreeSet;

use costate_analysis::normal::Pair;
use costate_grammar::diag::Diagnostic;
use costate_grammar::ir::ProcId;
use costate_grammar::source::Span;

/// Why there is no code, and the procedures whose statements may stand in place of their calls.
pub(crate) struct Failure {
    /// What there is to report.
    pub(crate) problems: Vec<Diagnostic>,
    /// The procedures whose statements may stand in place of their calls.
    pub(crate) wanted: BTreeSet<ProcId>,
    /// Pairs of dummies of which it is not known whether they are one memory.
    pub(crate) undecided: BTreeSet<Pair>,
    /// Regions of OpenMP and OpenACC whose statements have to be followed, by the places where they begin.
    pub(crate) regions: BTreeSet<Span>,
}

impl From<Vec<Diagnostic>> for Failure {
    fn from(problems: Vec<Diagnostic>) -> Failure {
        Failure { problems, wanted: BTreeSet::new(), undecided: BTreeSet::new(), regions: BTreeSet::new() }
    }
}

impl From<Failure> for Vec<Diagnostic> {
    fn from(failure: Failure) -> Vec<Diagnostic> {
        failure.problems
    }
}

impl Failure {
    /// The same with what others have found to report.
    pub(crate) fn reporting(self, problems: Vec<Diagnostic>) -> Failure {
        Failure { problems, ..self }
    }

    /// What there is to report of two failures, of which the earlier one says which calls to put in line.
    pub(crate) fn after(self, earlier: Option<Failure>) -> Failure {
        match earlier {
            Some(first) => Failure {
                problems: merged(first.problems.clone(), self.problems),
                regions: &first.regions | &self.regions,
                ..first
            },
            None => self,
        }
    }
}

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
