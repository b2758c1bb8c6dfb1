//! The code of a whole run: all bodies are built, then names and kinds are settled across them.

use costate_grammar::diag::Diagnostic;

use crate::check;
use crate::failure::merged;
use crate::interface::{explicit, kinds, places, scope, state};
use crate::session::Session;
use crate::{conditional, finals, specialise};

/// Builds all code and resolves its names, as far as nothing is refused.
pub(crate) fn finish(session: &mut Session<'_>) -> Result<(), Vec<Diagnostic>> {
    session.build();
    for p in session.generated() {
        specialise::restore_inside(session.program, p);
    }
    if session.problems.is_empty() {
        finals::run(session);
    }
    if session.problems.is_empty() {
        state::run(session);
        kinds::run(session);
        places::run(session);
        explicit::run(session);
    }
    // What generated code can't name is found in what was built, whole or not.
    let unnamed = scope::resolve(session);
    let mut problems = merged(std::mem::take(&mut session.problems), unnamed);
    if problems.is_empty() {
        problems = conditional::misplaced(session);
    }
    if problems.is_empty() && session.options.check_forms {
        problems = check::units(session);
    }
    if problems.is_empty() { Ok(()) } else { Err(problems) }
}
