//! What is found wrong with a tree, each thing once.

use std::collections::BTreeSet;

use costate_analysis::storage::{LocId, LocSet, Locs};
use costate_grammar::check::Finding;
use costate_grammar::ir::{Program, Stmt};
use costate_grammar::source::Span;

/// A use of a location that may not have the primal's value, or a decision that can't be.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Fault {
    span: Span,
    what: &'static str,
    /// The location that is used, and why it may have another value.
    of: Option<(LocId, &'static str)>,
}

/// Loops in each other are gone through several times each, so that the ways through them multiply: beyond so many nodes the
/// rest is let pass.
const MOST_NODES: usize = 300_000;

/// Findings on the way through a tree.
#[derive(Debug, Default)]
pub(super) struct Report {
    found: BTreeSet<Fault>,
    /// The nodes that were come to.
    nodes: usize,
    /// What is found is not noted: a loop is gone through to learn what its iterations do.
    quiet: bool,
}

impl Report {
    /// Notes a decision that can't be.
    pub(super) fn wrong(&mut self, stmt: &Stmt, what: &'static str) {
        self.found.insert(Fault { span: stmt.origin.span(), what, of: None });
    }

    /// Notes which of the locations that are used at a statement are among those that may have other values.
    pub(super) fn uses(
        &mut self,
        stmt: &Stmt,
        (what, why): (&'static str, &'static str),
        used: &LocSet,
        other: &LocSet,
    ) {
        if self.quiet || other.is_empty() || self.nodes > MOST_NODES {
            return;
        }
        let span = stmt.origin.span();
        let lost = used.iter().filter(|x| other.contains(x));
        self.found.extend(lost.map(|x| Fault { span, what, of: Some((*x, why)) }));
    }

    /// Notes that a node is come to; false when it is one too many.
    pub(super) fn goes_on(&mut self) -> bool {
        self.nodes += 1;
        self.nodes <= MOST_NODES
    }

    /// True while nothing is noted.
    pub(super) fn is_quiet(&self) -> bool {
        self.quiet
    }

    /// Has nothing noted, or something again. Returns what was so before.
    pub(super) fn set_quiet(&mut self, quiet: bool) -> bool {
        std::mem::replace(&mut self.quiet, quiet)
    }

    /// The findings in words.
    pub(super) fn findings(self, program: &Program, locs: &Locs) -> Vec<Finding> {
        let words = |f: Fault| match f.of {
            None => f.what.to_string(),
            Some((loc, why)) => format!("{} `{}`, {why}", f.what, locs.describe(program, loc)),
        };
        self.found.into_iter().map(|f| Finding { span: f.span, what: words(f) }).collect()
    }
}
