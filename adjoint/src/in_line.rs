//! Calls that can't be reversed as calls: their statements are put in their place, and the adjoint is made of these, or
//! they are made calls of a copy of the procedure.
//!
//! The adjoint of a call runs the callee again. Where the callee allocates, frees or associates what belongs to its caller,
//! that would be other memory than the forward sweep's. As statements of the caller they are reversed one by one.
//!
//! Where a callee knows memory by two names and changes it, its derivative would need another variant for this call: a
//! copy in which the memory has one name ([`specialise`](crate::specialise)), or its statements in the caller, where it has
//! one name, too. What is shortest to read is tried first: statements of short procedures and copies of others, copies
//! alone, statements alone. At last, calls that mean two elements of one array stay, guarded by a comparison of their
//! subscripts.

use std::cell::Cell;

use costate_analysis::normal::CallRewrites;
use costate_grammar::diag::{Code, Diagnostic, Severity};
use costate_grammar::ir::{Block, ProcId, Program, for_each_stmt};

use crate::failure::{Failure, listed};
use crate::options::Options;

/// How often further calls are put in line.
const ROUNDS: usize = 6;

/// Tries again with calls put in line, then with calls guarded, where the derivative is refused for their sake. What is wrong
/// without that is what is reported. `remark` takes what the user should know of these calls.
pub(crate) fn with_calls_in_line<T>(
    program: &mut Program,
    options: &Options,
    attempt: impl Fn(&mut Program, &Options) -> Result<T, Failure>,
    remark: impl FnOnce(&mut T, Vec<Diagnostic>),
) -> Result<T, Vec<Diagnostic>> {
    let before = program.clone();
    // An attempt leaves the program changed.
    let fresh = Cell::new(true);
    let anew = |program: &mut Program, options: &Options| {
        if !fresh.take() {
            *program = before.clone();
        }
        attempt(program, options)
    };
    let mut followed = options.clone();
    let first = loop {
        let failure = match anew(program, &followed) {
            Ok(made) => return Ok(made),
            Err(failure) => failure,
        };
        if failure.regions.is_subset(&followed.rewrites.regions) {
            break failure;
        }
        followed.rewrites.regions.extend(&failure.regions);
    };
    let asked_for = |failure: &Failure| failure.problems.iter().all(|d| ASKED_FOR.contains(&d.code));
    // With other calls it would take as much.
    if asked_for(&first) && first.wanted.is_empty() && first.undecided.is_empty() {
        return Err(listed(first.problems));
    }
    let options = &followed;
    let in_line = |rewrites: &mut CallRewrites, failure: &Failure| {
        let more = !failure.wanted.is_subset(&rewrites.in_line);
        rewrites.in_line.extend(&failure.wanted);
        more
    };
    let short = |p: &ProcId| before.procedures.get(p.index()).is_some_and(|p| statements(&p.body) <= SHORT);
    // Calls of short procedures are put in line at once, or only what can't be copied is.
    let copied = |program: &mut Program, at_once: &dyn Fn(&ProcId) -> bool| {
        rewritten(program, options, &first, IN_ONE_MEMORY, anew, |rewrites, failure| {
            if rewrites.one_name {
                return in_line(rewrites, failure);
            }
            rewrites.one_name = failure.problems.iter().any(|d| d.code == Code::ActiveAliasing);
            rewrites.in_line.extend(failure.wanted.iter().filter(|p| at_once(p)));
            rewrites.one_name
        })
    };
    let found = copied(program, &short).or_else(|_| copied(program, &|_| false));
    let found = found.or_else(|_| rewritten(program, options, &first, IN_LINE, anew, in_line));
    let found = found.or_else(|last| {
        let guarded = rewritten(program, options, &first, GUARDED, anew, |rewrites, failure| {
            let more = !failure.undecided.is_subset(&rewrites.apart);
            rewrites.apart.extend(&failure.undecided);
            // Others may have to stand in line for another reason.
            more || in_line(rewrites, failure)
        });
        guarded.map_err(|_| last)
    });
    // What passes messages and stands outside of modules is reversed in halves as what modules have, where its statements can't
    // stand elsewhere.
    let found = found.or_else(|last| {
        let housed = rewritten(program, options, &first, IN_LINE, anew, |rewrites, failure| {
            let first = !std::mem::replace(&mut rewrites.housed, true);
            first || in_line(rewrites, failure)
        });
        housed.map_err(|_| last)
    });
    match found {
        Ok((mut made, remarks)) => {
            remark(&mut made, remarks);
            Ok(made)
        }
        // What the user has asked for stands in the way of statements, too: the calls do so without it only.
        Err(Some(last)) if asked_for(&last) => Err(listed(last.problems)),
        Err(_) => Err(listed(first.problems)),
    }
}

/// Procedures with no more statements stand in place of their calls rather than in copies.
const SHORT: usize = 4;

/// How many statements a block has, with those inside constructs.
fn statements(block: &Block) -> usize {
    let mut count = 0;
    for_each_stmt(block, &mut |_| count += 1);
    count
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

/// What was done to a call whose callee knows memory by two names.
const IN_LINE: &str = "the call's statements are differentiated in its place, as if each assignment were seen under both names at \
                       once; compilers may take the two for different memory (Fortran has exceptions for targets and pointers \
                       only): pass a copy";
const IN_ONE_MEMORY: &str = "the derivative is made as if each assignment were seen under both names at once; compilers may take \
                             the two for different memory (Fortran has exceptions for targets and pointers only): pass a copy";
const GUARDED: &str =
    "generated code stops before the call where the subscripts of the two are equal, which Fortran forbids";

/// Warnings of calls that were refused because their callees know memory by two names.
fn two_names(problems: &[Diagnostic], help: &str) -> Vec<Diagnostic> {
    let found = problems.iter().filter(|d| d.code == Code::ActiveAliasing).cloned();
    found.map(|d| Diagnostic { severity: Severity::Warning, help: Some(help.into()), ..d }).collect()
}
