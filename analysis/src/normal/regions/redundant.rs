//! What every thread of a team adds to a variable of all: how much that is in all depends on the number of threads.

use std::collections::BTreeSet;

use costate_grammar::diag::Code;
use costate_grammar::directives::{ClauseKind, Directive, OmpConstruct};
use costate_grammar::ir::{Expr, Governing, Stmt, StmtKind, SymId};

use super::super::context::Cx;
use super::may_change;
use crate::dependence::independence::increments;
use crate::storage::symbols;

/// Refuses increments outside of what threads share out, of amounts that are the same in all threads.
pub(super) fn check(cx: &mut Cx, d: Governing<'_>, body: &[Stmt]) {
    if !makes_equals(d.directive) || one_thread(d.directive) {
        return;
    }
    let own: BTreeSet<SymId> = d.private(cx.program).into_iter().chain(d.first_private(cx.program)).collect();
    let changed = may_change(body);
    let mut found = Vec::new();
    let mut look = |s: &Stmt, exclusive: bool| {
        let StmtKind::Assign { lhs, rhs } = &s.kind else { return };
        let Some(to) = lhs.as_var().map(|d| d.sym).filter(|_| lhs.ty.is_continuous()) else { return };
        let shared = !own.contains(&to) && (exclusive || d.reduced(cx.program).contains(&to));
        let same = |e: &&Expr| !symbols(e).iter().any(|x| own.contains(x) || changed.contains(x));
        if shared && increments(lhs, rhs).is_some_and(|list| !list.is_empty() && list.iter().all(same)) {
            found.push((s.clone(), cx.program[to].name.clone()));
        }
    };
    walk(body, false, &mut look);
    for (s, name) in found {
        cx.at(&s);
        cx.refuse(
            Code::UnsupportedDirective,
            format!("every thread adds the same to `{name}` here"),
            "the sum depends on the number of threads, and generated code runs as one thread would",
            "let one thread do it (`single`, `master`), or share it out",
        );
    }
}

/// Shows statements that every thread runs, and whether one thread at a time does.
fn walk(block: &[Stmt], exclusive: bool, f: &mut dyn FnMut(&Stmt, bool)) {
    for s in block {
        let within = match &s.kind {
            StmtKind::Directive { directive, .. } => match directive.omp() {
                Some(OmpConstruct::Critical | OmpConstruct::Atomic) => true,
                // One thread does it, or each a part.
                Some(_) => continue,
                None => exclusive,
            },
            // Not each thread may come to what stands under a condition.
            StmtKind::Do { .. } | StmtKind::If { .. } | StmtKind::Select { .. } => continue,
            _ => exclusive,
        };
        f(s, exclusive);
        s.blocks().into_iter().for_each(|b| walk(b, within, f));
    }
}

/// True for a construct whose threads all do the same until they share something out.
fn makes_equals(d: &Directive) -> bool {
    matches!(d.omp(), Some(OmpConstruct::Parallel | OmpConstruct::Teams))
}

fn one_thread(d: &Directive) -> bool {
    let one = |k: &ClauseKind| match k {
        ClauseKind::NumThreads(n) => n.trim() == "1",
        ClauseKind::Other { name, text } => name == "num_teams" && text.as_deref().is_some_and(|t| t.trim() == "1"),
        _ => false,
    };
    d.clauses.iter().any(|c| one(&c.kind))
}
