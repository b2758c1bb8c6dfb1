//! Calls of the user's procedures whose loops the threads of a region around the call share out (orphaned
//! ones). Generated code is in no region there, so each such call gets one.

use std::collections::{BTreeMap, BTreeSet};

use costate_analysis::callgraph::calls;
use costate_analysis::effects::{bind, call_parts, target};
use costate_analysis::storage::is_global;
use costate_grammar::directives::{Directive, OmpConstruct, parse};
use costate_grammar::ir::{Block, Governing, Intent, LoopDirective, ProcId, Program, Stmt, StmtKind, SymId};
use costate_grammar::lines::Sentinel;
use costate_grammar::source::Span;

/// The calls of a procedure that all threads of a region make: what they call, with the variables of which each thread has its
/// own.
type TeamCalls = BTreeMap<Span, (ProcId, BTreeSet<SymId>)>;

/// Puts regions around the calls of generated code that stand for such a call.
pub(crate) fn begin_regions(program: &mut Program, primal: ProcId, body: &mut Block) {
    let mut of_teams = TeamCalls::new();
    let around = is_called_by_team(program, primal, &mut BTreeSet::new()).then(BTreeSet::new);
    let local = around.is_some();
    team_calls(program, &program[primal].body, around.as_ref(), (&|_| true, &mut of_teams));
    if !of_teams.is_empty() {
        within(program, body, &(of_teams, local));
    }
}

/// True for a program with loops that the threads share out which call their procedure.
pub(crate) fn has_orphaned_loops(program: &Program) -> bool {
    // What is called counts where it stands.
    program.procedures().any(|(_, p)| any_shared(&p.body, &mut |_| false))
}

fn within(program: &mut Program, body: &mut Block, known: &(TeamCalls, bool)) {
    for s in body {
        if s.followed().is_some() || s.is_region() {
            continue;
        }
        if is_to_be_shared(program, s, known)
            && let Ok(directive) = parse(Sentinel::Omp, "parallel", s.origin.span())
        {
            let (id, origin) = (program.fresh_stmt(), s.origin);
            let call = std::mem::replace(s, Stmt::new(id, StmtKind::Continue, origin));
            s.kind = StmtKind::Directive { directive, names: Vec::new(), body: Some(vec![call]) };
            continue;
        }
        s.blocks_mut().into_iter().for_each(|b| within(program, b, known));
    }
}

/// True for a call of the user's that all threads make, whose procedure shares out loops among them, and that changes nothing
/// of which each thread has its own.
fn is_to_be_shared(program: &Program, s: &Stmt, (of_teams, local): &(TeamCalls, bool)) -> bool {
    let StmtKind::Call { callee, args } = &s.kind else { return false };
    // Derivatives have regions of their own.
    let Some((proc, private)) = of_teams.get(&s.origin.span()).filter(|of| target(program, callee) == Some(of.0))
    else {
        return false;
    };
    let proc = *proc;
    let changed = program[proc].dummies.iter().zip(bind(program, &program[proc], args)).filter(|(d, _)| {
        let intent = program.var(**d).and_then(|v| v.intent);
        intent != Some(Intent::In)
    });
    let is_shared = |sym: SymId| {
        let outside = is_global(program, sym) || program.var(sym).is_some_and(|v| v.dummy.is_some());
        !private.contains(&sym) && (outside || !local)
    };
    shares_out(program, proc, &mut BTreeSet::new())
        && changed.into_iter().filter_map(|(_, e)| e?.as_var()).all(|d| is_shared(d.sym))
}

/// True for a procedure that shares out loops or sections among the threads that call it.
fn shares_out(program: &Program, proc: ProcId, seen: &mut BTreeSet<ProcId>) -> bool {
    if !seen.insert(proc) {
        return false;
    }
    let mut in_calls =
        |s: &Stmt| calls(program, std::slice::from_ref(s)).into_iter().any(|p| shares_out(program, p, seen));
    any_shared(&program[proc].body, &mut in_calls)
}

/// True where threads share out a statement of a block that isn't in a region of its own; `other` tells of what a statement
/// does besides.
fn any_shared(block: &[Stmt], other: &mut dyn FnMut(&Stmt) -> bool) -> bool {
    block.iter().any(|s| {
        let directives = directives(s);
        if directives.iter().any(|d| d.omp().is_some() && d.makes_team() && d.omp() != Some(&OmpConstruct::Sections)) {
            return false;
        }
        let shares = |d: &&Directive| {
            matches!(
                d.omp(),
                Some(OmpConstruct::Do | OmpConstruct::DoSimd | OmpConstruct::Sections | OmpConstruct::Workshare)
            )
        };
        directives.iter().any(shares) || other(s) || s.blocks().into_iter().any(|b| any_shared(b, other))
    })
}

fn directives(s: &Stmt) -> Vec<&Directive> {
    match &s.kind {
        StmtKind::Directive { directive, .. } => vec![directive],
        StmtKind::Do { parallel: Some(p), .. } => p.directives.iter().map(|d| &d.directive).collect(),
        _ => Vec::new(),
    }
}

/// True for a procedure that all threads of a region call somewhere.
fn is_called_by_team(program: &Program, proc: ProcId, seen: &mut BTreeSet<ProcId>) -> bool {
    if !seen.insert(proc) {
        return false;
    }
    let users = program.procedures().filter(|(id, _)| *id != proc);
    let users: Vec<ProcId> = users.filter(|(_, p)| calls(program, &p.body).contains(&proc)).map(|(id, _)| id).collect();
    users.into_iter().any(|user| {
        let around = is_called_by_team(program, user, seen).then(BTreeSet::new);
        let mut found = TeamCalls::new();
        let of = |s: &Stmt| call_parts(s).and_then(|(callee, ..)| target(program, callee)) == Some(proc);
        team_calls(program, &program[user].body, around.as_ref(), (&of, &mut found));
        !found.is_empty()
    })
}

/// Collects calls that all threads make; `around` is what is private in the region around the block, if it is in one.
fn team_calls(
    program: &Program,
    block: &[Stmt],
    around: Option<&BTreeSet<SymId>>,
    (wanted, out): (&dyn Fn(&Stmt) -> bool, &mut TeamCalls),
) {
    for s in block {
        match (&s.kind, around) {
            (StmtKind::Call { callee, .. }, Some(private)) if wanted(s) => {
                out.extend(target(program, callee).map(|p| (s.origin.span(), (p, private.clone()))));
            }
            (StmtKind::Directive { directive, names, body: Some(body) }, None)
                if directive.omp() == Some(&OmpConstruct::Parallel) =>
            {
                let d = Governing { directive, names };
                let private = [d.private(program), d.first_private(program), d.reduced(program)].concat();
                team_calls(program, body, Some(&private.into_iter().collect()), (wanted, out));
            }
            // Not all threads come to what is in these, or not together.
            (StmtKind::Directive { body: Some(_), directive, .. }, _) if directive.is_parallel() => {}
            (StmtKind::Do { parallel: Some(p), .. }, _) if p.directives.iter().any(is_omp) => {}
            _ => s.blocks().into_iter().for_each(|b| team_calls(program, b, around, (wanted, out))),
        }
    }
}

fn is_omp(d: &LoopDirective) -> bool {
    d.directive.omp().is_some()
}
