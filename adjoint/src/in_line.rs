//! Calls that can't be reversed as calls: their statements are put in their place, and the adjoint is made of these.
//!
//! The adjoint of a call runs the callee again. Where the callee allocates, frees or associates what belongs to its caller,
//! that would be other memory than the forward sweep's. As statements of the caller they are reversed one by one.

use std::collections::BTreeSet;

use costate_analysis::effects::target;
use costate_grammar::diag::{Code, Diagnostic};
use costate_grammar::ir::{ProcId, Program, StmtKind, for_each_stmt};

use crate::pipeline::{Mode, Options};
use crate::session::Session;

/// How often further calls are put in line.
const ROUNDS: usize = 6;

/// Why there is no code, and the procedures whose statements may stand in place of their calls.
pub(crate) struct Failure {
    problems: Vec<Diagnostic>,
    wanted: BTreeSet<ProcId>,
}

impl From<Vec<Diagnostic>> for Failure {
    fn from(problems: Vec<Diagnostic>) -> Failure {
        Failure { problems, wanted: BTreeSet::new() }
    }
}

impl Failure {
    /// What refusals of a session ask for: the callees of refused calls, and procedures with refused statements.
    pub(crate) fn of(session: &Session<'_>, problems: Vec<Diagnostic>) -> Failure {
        let mut wanted = BTreeSet::new();
        for (proc, body) in &session.effects.bodies {
            for_each_stmt(body, &mut |s| {
                let refused = |d: &Diagnostic| {
                    matches!(d.code, Code::UnsupportedCall | Code::UnsupportedStatement)
                        && d.span == Some(s.origin.span())
                };
                if !problems.iter().any(refused) {
                    return;
                }
                match &s.kind {
                    StmtKind::Call { callee, .. } => wanted.extend(target(session.program, callee)),
                    _ => wanted.extend(Some(*proc)),
                }
            });
        }
        for h in &session.heads {
            wanted.remove(&h.head.proc);
        }
        // What is refused of a caller may be so for its callee's sake.
        let reaches = |p: &ProcId| {
            let below = session.effects.reached(session.program, *p);
            below
                .iter()
                .any(|q| q != p && wanted.contains(q) && !session.effects.reached(session.program, *q).contains(p))
        };
        let lowest = wanted.iter().copied().filter(|p| !reaches(p)).collect();
        Failure { problems, wanted: lowest }
    }
}

/// Tries again with calls put in line where the adjoint is refused for their sake. What is wrong without that is what is
/// reported.
pub(crate) fn with_calls_in_line<T>(
    program: &mut Program,
    mode: Mode,
    options: &Options,
    attempt: impl Fn(&mut Program, &Options) -> Result<T, Failure>,
) -> Result<T, Vec<Diagnostic>> {
    let before = (mode == Mode::Adjoint).then(|| program.clone());
    let first = match attempt(program, options) {
        Ok(made) => return Ok(made),
        Err(failure) => failure,
    };
    let Some(before) = before else { return Err(first.problems) };
    let mut options = options.clone();
    let mut wanted = first.wanted;
    for _ in 0..ROUNDS {
        if wanted.is_subset(&options.in_line) {
            break;
        }
        options.in_line.append(&mut wanted);
        *program = before.clone();
        match attempt(program, &options) {
            Ok(made) => return Ok(made),
            Err(failure) => wanted = failure.wanted,
        }
    }
    Err(first.problems)
}
