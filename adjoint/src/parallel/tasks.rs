//! Calls that one thread of a region makes of procedures whose tasks the other threads run. Generated code is in no region
//! there, so each such call gets one.

use std::collections::BTreeSet;

use costate_analysis::callgraph::{calls, reached};
use costate_grammar::directives::{OmpConstruct, parse};
use costate_grammar::ir::{Block, ProcId, Program, Stmt, StmtKind, for_each_stmt};
use costate_grammar::lines::Sentinel;
use costate_grammar::source::Span;

use super::directives::only_vectors;

/// Puts regions around the statements of generated code that stand for such a call.
pub(crate) fn begin_regions_of_tasks(program: &mut Program, primal: ProcId, body: &mut Block) {
    let mut of_one_thread = BTreeSet::new();
    collect(program, &program[primal].body, Around::Nothing, &mut of_one_thread);
    if !of_one_thread.is_empty() {
        within(program, body, &of_one_thread);
    }
}

/// What is around a block of the user's.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Around {
    Nothing,
    /// A region whose threads all come to the block.
    Team,
    /// What one of its threads runs.
    OneThread,
}

/// Collects where one thread calls procedures.
fn collect(program: &Program, block: &[Stmt], around: Around, out: &mut BTreeSet<Span>) {
    for s in block {
        let inside = match &s.kind {
            StmtKind::Directive { directive, body: Some(_), .. } => match (directive.omp(), around) {
                (Some(OmpConstruct::Parallel), Around::Nothing) => Around::Team,
                (Some(OmpConstruct::Single | OmpConstruct::Master | OmpConstruct::Masked), Around::Team) => {
                    Around::OneThread
                }
                _ => around,
            },
            _ => around,
        };
        if inside == Around::OneThread && s.blocks().is_empty() && !calls(program, std::slice::from_ref(s)).is_empty() {
            out.insert(s.origin.span());
        }
        s.blocks().into_iter().for_each(|b| collect(program, b, inside, out));
    }
}

fn within(program: &mut Program, body: &mut Block, of_one_thread: &BTreeSet<Span>) {
    for s in body {
        if s.followed().is_some() || s.is_region() {
            continue;
        }
        if of_one_thread.contains(&s.origin.span())
            && s.blocks().is_empty()
            && makes_tasks(program, s)
            && let [Ok(team), Ok(one)] = ["parallel", "master"].map(|word| parse(Sentinel::Omp, word, s.origin.span()))
        {
            let origin = s.origin;
            for directive in [one, team] {
                let id = program.fresh_stmt();
                let inside = std::mem::replace(s, Stmt::new(id, StmtKind::Continue, origin));
                s.kind = StmtKind::Directive { directive, names: Vec::new(), body: Some(vec![inside]) };
            }
            continue;
        }
        s.blocks_mut().into_iter().for_each(|b| within(program, b, of_one_thread));
    }
}

/// True for calls of procedures that make tasks and share out nothing else: of a loop that threads share out, a single one
/// would run all.
fn makes_tasks(program: &Program, s: &Stmt) -> bool {
    let (mut tasks, mut others) = (false, false);
    for p in reached(program, &calls(program, std::slice::from_ref(s))) {
        for_each_stmt(&program[p].body, &mut |x| match &x.kind {
            StmtKind::Directive { directive, body: Some(_), .. } => match directive.omp() {
                Some(OmpConstruct::Task) => tasks = true,
                Some(OmpConstruct::Atomic | OmpConstruct::Critical | OmpConstruct::TaskGroup) => {}
                _ => others |= directive.is_parallel(),
            },
            StmtKind::Do { parallel: Some(p), .. } => others |= !only_vectors(p),
            _ => {}
        });
    }
    tasks && !others
}
