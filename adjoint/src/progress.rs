//! The user's line that is being worked on, so that a bug in Costate can be reported with it.

use std::cell::Cell;

use costate_grammar::source::Span;

thread_local! {
    static AT: Cell<Option<Span>> = const { Cell::new(None) };
}

/// Notes that the text at `span` is being worked on.
pub fn at(span: Span) {
    AT.with(|at| at.set(Some(span)));
}

/// What was noted last on this thread.
pub fn last() -> Option<Span> {
    AT.with(Cell::get)
}
