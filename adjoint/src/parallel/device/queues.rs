//! Work that called procedures of the user's leave on a device's queues, or to threads that do it later. Derivative code waits for
//! nothing else: what it puts on the device itself is done where the next statement begins.

use std::collections::BTreeMap;

use costate_analysis::callgraph::{calls, reached};
use costate_grammar::directives::{ClauseKind, Directive, OmpConstruct, parse};
use costate_grammar::ir::{Block, Origin, ProcId, Program, Role, Stmt, StmtKind, for_each_stmt};
use costate_grammar::lines::Sentinel;

use super::code::is_device_code;

/// Lets the host wait behind calls of procedures that leave work on queues.
pub(super) fn wait_behind_calls(program: &mut Program, body: &mut Block) {
    wait(program, body, &mut BTreeMap::new());
}

/// Whether a procedure leaves work that a directive of OpenACC waits for, and such that one of OpenMP does.
type Leaves = [bool; 2];

fn wait(program: &mut Program, block: &mut Block, known: &mut BTreeMap<ProcId, Leaves>) {
    for mut s in std::mem::take(block) {
        if is_device_code(&s) {
            block.push(s);
            continue;
        }
        let leaf = s.blocks().is_empty();
        s.blocks_mut().into_iter().for_each(|b| wait(program, b, known));
        let called = if leaf { calls(program, std::slice::from_ref(&s)) } else { Default::default() };
        let all = called.iter().map(|p| *known.entry(*p).or_insert_with(|| leaves_work(program, *p)));
        let [queues, tasks] = all.fold([false; 2], |[a, b], [c, d]| [a || c, b || d]);
        let (from, span) = (s.id, s.origin.span());
        block.push(s);
        for (_, sentinel, text) in
            [(queues, Sentinel::Acc, "wait"), (tasks, Sentinel::Omp, "taskwait")].into_iter().filter(|w| w.0)
        {
            let Ok(directive) = parse(sentinel, text, span) else { continue };
            let kind = StmtKind::Directive { directive, names: Vec::new(), body: None };
            block.push(Stmt::new(program.fresh_stmt(), kind, Origin::Derived { from, span, role: Role::Layout }));
        }
    }
}

/// What a procedure leaves, or one that it calls.
fn leaves_work(program: &Program, proc: ProcId) -> Leaves {
    let mut found = [false; 2];
    let mut look = |d: &Directive| {
        let target = || is_about_target(d);
        found[0] |= d.clauses.iter().any(|c| matches!(c.kind, ClauseKind::Async(_)));
        found[1] |= d.clauses.iter().any(|c| c.kind == ClauseKind::NoWait) && target();
    };
    for p in reached(program, &[proc]) {
        for_each_stmt(&program[p].body, &mut |s| {
            s.governing().iter().for_each(|d| look(d.directive));
            if let StmtKind::Directive { directive, .. } = &s.kind {
                look(directive);
            }
        });
    }
    found
}

/// True for a directive of OpenMP for a device.
fn is_about_target(d: &Directive) -> bool {
    use OmpConstruct as C;
    matches!(d.omp(), Some(C::Target | C::TargetCombined(_) | C::TargetEnterData | C::TargetExitData | C::TargetUpdate))
}
