//! Alternatives that can't be generated: what the plan says of them.

use costate_grammar::diag::{Diagnostic, Severity};
use costate_grammar::source::Span;

/// So many ways are named at most where several of a site have the same reason.
const MOST_NAMED: usize = 3;

/// Alternatives that a plan does without.
#[derive(Debug, Default)]
pub(super) struct LeftOut(Vec<Item>);

/// Ways of one site that can't be generated for the same reason.
#[derive(Debug)]
struct Item {
    place: Span,
    ways: Vec<String>,
    why: Diagnostic,
}

impl LeftOut {
    /// Adds a way of the site at a place, in words, and what stands in its way.
    pub(super) fn add(&mut self, place: Span, way: String, why: &[Diagnostic]) {
        let Some(why) = why.first() else { return };
        match self.0.iter_mut().find(|i| i.place == place && i.why == *why) {
            Some(item) if item.ways.contains(&way) => {}
            Some(item) => item.ways.push(way),
            None => self.0.push(Item { place, ways: vec![way], why: why.clone() }),
        }
    }

    /// A warning for each.
    pub(super) fn notes(&self) -> Vec<Diagnostic> {
        self.0.iter().map(Item::note).collect()
    }
}

impl Item {
    fn note(&self) -> Diagnostic {
        let mut named = self.ways[..self.ways.len().min(MOST_NAMED)].join("; ");
        if self.ways.len() > MOST_NAMED {
            named += &format!("; and {} more", self.ways.len() - MOST_NAMED);
        }
        let why = &self.why;
        let reason = why.reason.as_ref().map_or(String::new(), |r| format!(": {r}"));
        let note = Diagnostic::error(why.code, self.place, format!("the plan leaves out, for this statement: {named}"))
            .severity(Severity::Warning)
            .reason(format!("{}{reason}", why.message));
        match why.span.filter(|s| *s != self.place) {
            Some(span) => note.label(span, "this stands in the way"),
            None => note,
        }
    }
}
