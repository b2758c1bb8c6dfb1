//! What is being worked on: the user's line, so that a bug in Costate can be reported with it, and the stage of the work,
//! for those who wait.

use std::cell::Cell;
use std::sync::{Mutex, PoisonError};

use costate_grammar::source::Span;

thread_local! {
    static AT: Cell<Option<Span>> = const { Cell::new(None) };
}

/// The stage of the work, of all threads.
static STAGE: Mutex<String> = Mutex::new(String::new());

/// Notes what the program does from now on.
pub fn stage(what: &str) {
    let mut stage = STAGE.lock().unwrap_or_else(PoisonError::into_inner);
    stage.clear();
    stage.push_str(what);
}

/// What the program does.
pub fn current() -> String {
    STAGE.lock().unwrap_or_else(PoisonError::into_inner).clone()
}

/// Notes that the text at `span` is being worked on.
pub fn at(span: Span) {
    AT.with(|at| at.set(Some(span)));
}

/// What was noted last on this thread.
pub fn last() -> Option<Span> {
    AT.with(Cell::get)
}
