//! Calls that can't be reversed as calls: their statements are put in their place, and the adjoint is made of these.
//!
//! The adjoint of a call runs the callee again. Where the callee allocates, frees or associates what belongs to its caller,
//! that would be other memory than the forward sweep's. As statements of the caller they are reversed one by one. Where a
//! callee knows memory by two names and changes it, its derivative would need another variant for this call: in the
//! caller the memory has one name.

use std::collections::BTreeSet;

use costate_analysis::effects::called;
use costate_analysis::normal::{CallRewrites, Pair};
use costate_analysis::storage::{Overlap, overlap, through_pointer};
use costate_grammar::diag::{Code, Diagnostic, Severity};
use costate_grammar::ir::{ProcId, Program, Stmt, for_each_stmt};

use crate::interface::call_arguments;
use crate::pipeline::Options;
use crate::refusals::{listed, merged};
use crate::session::Session;

/// How often further calls are put in line.
const ROUNDS: usize = 6;

/// Why there is no code, and the procedures whose statements may stand in place of their calls.
pub(crate) struct Failure {
    problems: Vec<Diagnostic>,
    wanted: BTreeSet<ProcId>,
    undecided: BTreeSet<Pair>,
}

impl From<Vec<Diagnostic>> for Failure {
    fn from(problems: Vec<Diagnostic>) -> Failure {
        Failure { problems, wanted: BTreeSet::new(), undecided: BTreeSet::new() }
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
            Some(first) => Failure { problems: merged(first.problems.clone(), self.problems), ..first },
            None => self,
        }
    }

    /// What refusals of a session ask for: the callees of refused calls, and procedures with refused statements.
    pub(crate) fn of(session: &Session<'_>, problems: Vec<Diagnostic>) -> Failure {
        let mut wanted = BTreeSet::new();
        for (proc, body) in &session.effects.bodies {
            for_each_stmt(body, &mut |s| {
                let refused = |d: &Diagnostic| {
                    let known = match d.code {
                        Code::UnsupportedCall | Code::UnsupportedStatement => true,
                        Code::ActiveAliasing => !may_meet_by_pointer(session.program, s),
                        _ => false,
                    };
                    known && d.span == Some(s.origin.span())
                };
                if !problems.iter().any(refused) {
                    return;
                }
                let callee = called(session.program, s).map(|(p, _)| p);
                wanted.insert(callee.unwrap_or(*proc));
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
        Failure { problems, wanted: lowest, undecided: session.undecided.clone() }
    }
}

/// Tries again with calls put in line, then with calls guarded, where the derivative is refused for their sake. What is wrong
/// without that is what is reported. `remark` takes what the user should know of these calls.
pub(crate) fn with_calls_in_line<T>(
    program: &mut Program,
    options: &Options,
    attempt: impl Fn(&mut Program, &Options) -> Result<T, Failure>,
    remark: impl FnOnce(&mut T, Vec<Diagnostic>),
) -> Result<T, Vec<Diagnostic>> {
    let before = program.clone();
    let first = match attempt(program, options) {
        Ok(made) => return Ok(made),
        Err(failure) => failure,
    };
    let anew = |program: &mut Program, options: &Options| {
        *program = before.clone();
        attempt(program, options)
    };
    let found = rewritten(program, options, &first, IN_LINE, anew, |rewrites, failure| {
        let more = !failure.wanted.is_subset(&rewrites.in_line);
        rewrites.in_line.extend(&failure.wanted);
        more
    });
    let found = found.or_else(|in_line| {
        let guarded = rewritten(program, options, &first, GUARDED, anew, |rewrites, failure| {
            let more = !failure.undecided.is_subset(&rewrites.apart);
            rewrites.apart.extend(&failure.undecided);
            more
        });
        guarded.map_err(|_| in_line)
    });
    match found {
        Ok((mut made, remarks)) => {
            remark(&mut made, remarks);
            Ok(made)
        }
        // What the user has asked for stands in the way of statements, too: the calls do so without it only.
        Err(Some(last)) if last.problems.iter().all(|d| ASKED_FOR.contains(&d.code)) => Err(listed(last.problems)),
        Err(_) => Err(listed(first.problems)),
    }
}

/// Refusals of what the user has asked for beside the derivative.
const ASKED_FOR: &[Code] = &[Code::MemoryBudget, Code::UnsupportedDirective];

/// Attempts with more and more calls rewritten: what `ask` adds for a failure, while it finds something to add. Returns what
/// was made, and what the user should know of these calls, for which `help` says what was done; else the last failure.
fn rewritten<T>(
    program: &mut Program,
    options: &Options,
    first: &Failure,
    help: &str,
    attempt: impl Fn(&mut Program, &Options) -> Result<T, Failure>,
    ask: impl Fn(&mut CallRewrites, &Failure) -> bool,
) -> Result<(T, Vec<Diagnostic>), Option<Failure>> {
    let mut options = options.clone();
    let mut last = None;
    let mut remarks = two_names(&first.problems, help);
    let mut more = ask(&mut options.rewrites, first);
    for _ in 0..ROUNDS {
        if !more {
            break;
        }
        match attempt(program, &options) {
            Ok(made) => return Ok((made, remarks)),
            Err(failure) => {
                remarks.extend(two_names(&failure.problems, help));
                more = ask(&mut options.rewrites, &failure);
                last = Some(failure);
            }
        }
    }
    Err(last)
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

/// What was done to a call whose callee knows memory by two names.
const IN_LINE: &str = "the call's statements are differentiated in its place, as if each assignment were seen under both names at \
                       once; compilers may take the two for different memory (Fortran has exceptions for targets and pointers \
                       only): pass a copy";
const GUARDED: &str =
    "generated code stops before the call where the subscripts of the two are equal, which Fortran forbids";

/// Warnings of calls that were refused because their callees know memory by two names.
fn two_names(problems: &[Diagnostic], help: &str) -> Vec<Diagnostic> {
    let found = problems.iter().filter(|d| d.code == Code::ActiveAliasing).cloned();
    found.map(|d| Diagnostic { severity: Severity::Warning, help: Some(help.into()), ..d }).collect()
}
