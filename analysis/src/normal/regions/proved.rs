//! What the directives of a loop prove of its iterations.

use std::collections::BTreeSet;

use costate_grammar::directives::ClauseKind;
use costate_grammar::ir::{
    Evidence, Expr, Governing, LoopControl, Part, Program, Stmt, StmtKind, Subscript, SymId, for_each_stmt,
};

use super::super::subst::{self, Map};
use super::asked::{Team, one_at_a_time};
use crate::dataflow::variables::used_before_assigned;
use crate::loops::assigned;
use crate::storage::symbols;

/// What is known of the iterations of a loop from its own directives, those around it, and the variables that are used
/// after it.
pub(super) fn of_loop(
    program: &Program,
    stmt: &Stmt,
    own: &[Governing<'_>],
    team: &Team,
    used: Option<&BTreeSet<SymId>>,
) -> Evidence {
    let StmtKind::Do { body, .. } = &stmt.kind else { return Evidence::default() };
    let mut private: BTreeSet<SymId> = own.iter().flat_map(|d| d.private(program)).collect();
    let exposed = used_before_assigned(program, body);
    let of_team = team.directives().flat_map(|(directive, names)| Governing { directive, names }.private(program));
    let changed = assigned(body);
    let scalar = |s: &SymId| program.var(*s).is_some_and(|v| v.rank() == 0);
    let own_value = |s: &SymId| !exposed.contains(s) && used.is_some_and(|u| !u.contains(s));
    private.extend(of_team.filter(|s| changed.contains(s) && own_value(s)));
    private.extend(changed.iter().filter(|s| scalar(s) && own_value(s)));
    let claims = own.iter().any(|d| !matches!(d.directive.construct, costate_grammar::directives::Construct::Ad(_)));
    let written = if claims { written(program, body, &private, own) } else { Vec::new() };
    let added = |d: &Governing<'_>| sums(program, d);
    let of_team = team.directives().flat_map(|(directive, names)| added(&Governing { directive, names }));
    let sums: BTreeSet<SymId> = own.iter().flat_map(added).chain(of_team).collect();
    Evidence { private: private.into_iter().collect(), sums: sums.into_iter().collect(), written }
}

/// What a directive lists as sums.
fn sums(program: &Program, d: &Governing<'_>) -> Vec<SymId> {
    let lists = d.directive.clauses.iter().filter_map(|c| match &c.kind {
        ClauseKind::Reduction { op, list } if matches!(op.as_str(), "+" | "-") => Some(list),
        _ => None,
    });
    lists.flatten().filter_map(|item| d.named(program, item)).collect()
}

/// Elements of arrays that all iterations share which each of them assigns.
fn written(program: &Program, body: &[Stmt], private: &BTreeSet<SymId>, own: &[Governing<'_>]) -> Vec<Expr> {
    let reduced: BTreeSet<SymId> = own.iter().flat_map(|d| d.reduced(program)).collect();
    let mut guarded = BTreeSet::new();
    for_each_stmt(body, &mut |s| {
        if s.governing().iter().any(|d| one_at_a_time(d.directive)) {
            guarded.extend(s.blocks().into_iter().flat_map(|b| assigned(b)));
        }
    });
    let shared = |s: SymId| !private.contains(&s) && !reduced.contains(&s) && !guarded.contains(&s);
    let mut out = Vec::new();
    collect(body, &mut Vec::new(), &mut |e, loops| {
        let Some(d) = e.as_var().filter(|d| shared(d.sym)) else { return };
        let [Part::Subscripts(list)] = d.parts.as_slice() else { return };
        let index = |s: &Subscript| matches!(s, Subscript::Index(_));
        let names: BTreeSet<SymId> = e.children().into_iter().flat_map(symbols).collect();
        // A loop around it that gives it no subscript of its own may have no iteration.
        let runs = loops.iter().all(|v| names.contains(v));
        let once = names.iter().all(|s| loops.contains(s) || times_assigned(body, *s) <= 1);
        if list.iter().all(index) && runs && once && !out.contains(e) {
            out.push(e.clone());
        }
    });
    out
}

/// Shows the left sides of the assignments that an iteration makes for sure, with the variables of the loops around them.
fn collect<'a>(block: &'a [Stmt], loops: &mut Vec<SymId>, f: &mut dyn FnMut(&'a Expr, &[SymId])) {
    for s in block {
        match &s.kind {
            StmtKind::Assign { lhs, .. } => f(lhs, loops),
            StmtKind::Do { control: LoopControl::Count { var, .. }, body, .. } => {
                loops.push(*var);
                collect(body, loops, f);
                loops.pop();
            }
            StmtKind::Directive { body: Some(body), .. } => collect(body, loops, f),
            _ => {}
        }
    }
}

/// How many statements assign a variable, or may.
fn times_assigned(body: &[Stmt], sym: SymId) -> usize {
    let mut count = 0;
    for_each_stmt(body, &mut |s| {
        count += match &s.kind {
            StmtKind::Assign { lhs, .. } => usize::from(lhs.as_var().is_some_and(|d| d.sym == sym)),
            StmtKind::Do { control: LoopControl::Count { var, .. }, .. } => usize::from(*var == sym),
            StmtKind::If { .. } | StmtKind::Select { .. } | StmtKind::Directive { .. } => 0,
            _ => 2 * usize::from(s.exprs().into_iter().any(|e| symbols(e).contains(&sym))),
        };
    });
    count
}

/// Lets what is known of a loop speak of the variables that stand for others.
pub(super) fn substitute(program: &Program, map: &Map, s: &mut Stmt) {
    let StmtKind::Do { parallel: Some(p), .. } = &mut s.kind else { return };
    let Some(evidence) = &mut p.evidence else { return };
    for sym in evidence.private.iter_mut().chain(&mut evidence.sums) {
        *sym = map.get(sym).and_then(Expr::as_var).map_or(*sym, |d| d.sym);
    }
    evidence.written.iter_mut().for_each(|e| *e = subst::expr(program, map, e));
}
