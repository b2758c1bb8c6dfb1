//! What the directives of a loop prove of its iterations.

use std::collections::BTreeSet;

use costate_grammar::directives::{AccConstruct, Clause, ClauseKind, Construct, DefaultKind, Directive, OmpConstruct};
use costate_grammar::ir::{
    Base, Callee, Evidence, Expr, ExprKind, Governing, LoopControl, Program, Stmt, StmtKind, SymId, for_each_expr,
    for_each_stmt,
};

use super::super::subst::{self, Map};
use super::asked::{Team, one_at_a_time};
use super::elements::Apart;
use crate::callgraph::{calls, reached};
use crate::covers;
use crate::dataflow::variables::used_before_assigned;
use crate::loops::assigned;
use crate::storage::symbols;

/// Procedures of OpenMP that wait for a lock.
const LOCKS: [&str; 4] = ["omp_set_lock", "omp_set_nest_lock", "omp_test_lock", "omp_test_nest_lock"];

/// What is known of variables beside a loop.
pub(super) struct Beside<'b> {
    /// Those that are used after it.
    pub(super) used: Option<&'b BTreeSet<SymId>>,
    /// Tells the variables that stand nowhere else.
    pub(super) alone: &'b dyn Fn(SymId) -> bool,
    /// Tells those that the procedure has anew each time it is called.
    pub(super) local: &'b dyn Fn(SymId) -> bool,
}

/// What is known of the iterations of a loop from its own directives, those around it, and the variables beside it.
pub(super) fn of_loop(
    program: &Program,
    stmt: &Stmt,
    own: &[Governing<'_>],
    team: &Team,
    Beside { used, alone, local }: Beside<'_>,
) -> Evidence {
    let StmtKind::Do { body, .. } = &stmt.kind else { return Evidence::default() };
    let mut private: BTreeSet<SymId> = own.iter().flat_map(|d| d.private(program)).collect();
    let exposed = used_before_assigned(program, body);
    let of_team = team.directives().flat_map(|(directive, names)| Governing { directive, names }.private(program));
    let changed = assigned(body);
    let scalar = |s: &SymId| program.var(*s).is_some_and(|v| v.rank() == 0);
    let own_value = |s: &SymId| !exposed.contains(s) && used.is_some_and(|u| !u.contains(s));
    let kept = keeps_state(program, own, team, (&exposed, &super::may_change(body), alone));
    if kept {
        private.retain(|s| !exposed.contains(s));
    }
    // Of parts of arrays and objects, and of what called procedures get, it isn't told whether they are assigned before they
    // are used. What stands nowhere else has no value where a thread begins.
    let begun = |s: &SymId| !kept && alone(*s) && program.var(*s).is_some();
    private.extend(of_team.filter(|s| changed.contains(s) && own_value(s) || begun(s)));
    if belongs_to_callers_team(own, team) {
        private.extend(super::may_change(body).into_iter().filter(|s| local(*s) && begun(s)));
    }
    private.extend(changed.iter().filter(|s| scalar(s) && own_value(s)));
    // Nobody sees outside what becomes of a copy.
    let copies = own.iter().flat_map(|d| d.first_private(program));
    private.extend(copies.filter(|s| changed.contains(s) && !exposed.contains(s)));
    let left = |s: &SymId| used.is_none_or(|u| u.contains(s));
    private.extend(changed.iter().filter(|s| !scalar(s) && !left(s) && begins_anew(program, body, **s)));
    // In a procedure that is called inside a region, what is shared depends on the caller.
    let here = own.iter().map(|d| d.directive).chain(team.directives().map(|(d, _)| d));
    // Of a loop without a directive of its own, in `kernels`, nobody says anything.
    let vouched = !own.is_empty() && own.iter().all(|d| vouches(d.directive, team));
    let claims = here.into_iter().any(begins_threads) && vouched && !takes_locks(program, body);
    let around = team.directives().map(|(directive, names)| Governing { directive, names });
    let listed = own.iter().copied().chain(around).flat_map(|d| {
        [d.private(program), d.first_private(program), d.last_private(program), d.reduced(program)].concat()
    });
    let mut listed: BTreeSet<SymId> = listed.collect();
    let around = team.directives().map(|(directive, names)| Governing { directive, names });
    for d in own.iter().copied().chain(around).filter(|d| makes_private(d.directive)) {
        let kept = d.shared(program);
        listed.extend(changed.iter().filter(|s| !kept.contains(s)));
    }
    let shared = shared(program, body, &private, listed);
    let Apart { written, own: always, touched } =
        if claims { Apart::of(program, body, &shared) } else { Apart::default() };
    let added = |d: &Governing<'_>| sums(program, d);
    let of_team = team.directives().flat_map(|(directive, names)| added(&Governing { directive, names }));
    let sums: BTreeSet<SymId> = own.iter().flat_map(added).chain(of_team).collect();
    let around = team.directives().map(|(directive, names)| Governing { directive, names });
    Evidence {
        distinct: Vec::new(),
        private: private.into_iter().collect(),
        sums: sums.into_iter().collect(),
        reduced: own.iter().copied().chain(around).flat_map(|d| reduced(program, &d)).collect(),
        written,
        own: always,
        touched,
        again: false,
        strategies: Vec::new(),
        gathered: false,
        ordered: own.iter().any(|d| d.directive.sums_up_in_order()),
    }
}

/// True for a loop of OpenMP whose iterations threads share out that call the procedure: each of them has local variables
/// of its own there.
fn belongs_to_callers_team(own: &[Governing<'_>], team: &Team) -> bool {
    let around = team.directives().map(|(directive, _)| directive);
    let mut all = own.iter().map(|d| d.directive).chain(around).peekable();
    all.peek().is_some() && all.all(|d| d.omp().is_some() && !begins_threads(d))
}

/// True where a thread may hand something on from one of its iterations to the next, by variables of its own that have a
/// value before the loop: whether a table in private variables is set up, say. What these hold is then no iteration's own.
/// What is private and stands nowhere else (`alone`) has none.
fn keeps_state(
    program: &Program,
    own: &[Governing<'_>],
    team: &Team,
    (exposed, changed, alone): (&BTreeSet<SymId>, &BTreeSet<SymId>, &dyn Fn(SymId) -> bool),
) -> bool {
    let first = own.iter().flat_map(|d| d.first_private(program));
    let of_team = team.directives().flat_map(|(directive, names)| {
        let d = Governing { directive, names };
        let private = d.private(program).into_iter().filter(|s| !alone(*s));
        private.chain(d.first_private(program)).collect::<Vec<_>>()
    });
    first.chain(of_team).any(|s| exposed.contains(&s) && changed.contains(&s))
}

/// What is apart in the iterations of `do concurrent`, for which so many loops in each other stand. A variable that
/// several iterations define is undefined behind them (11.1.7.5 of the 2018 standard), so what is of use there (`left`) has
/// elements of one iteration each, if their subscripts tell iterations apart at all.
pub(super) fn of_concurrent(program: &Program, stmt: &Stmt, indices: usize, left: &dyn Fn(SymId) -> bool) -> Apart {
    let mut vars = Vec::new();
    let mut body = std::slice::from_ref(stmt);
    while let ([Stmt { kind: StmtKind::Do { control: LoopControl::Count { var, .. }, body: inside, .. }, .. }], true) =
        (body, vars.len() < indices)
    {
        vars.push(*var);
        body = inside;
    }
    let shared = shared(program, body, &BTreeSet::new(), BTreeSet::new());
    let known = |s: SymId| left(s) && shared(s);
    let told = |e: &Expr| {
        let names: BTreeSet<SymId> = e.children().into_iter().flat_map(symbols).collect();
        vars.iter().all(|v| names.contains(v))
    };
    let mut apart = Apart::of(program, body, &known);
    for list in [&mut apart.written, &mut apart.own, &mut apart.touched[0]] {
        list.retain(told);
    }
    apart
}

/// True for an array that is assigned from end to end before anything else is done with it.
fn begins_anew(program: &Program, body: &[Stmt], sym: SymId) -> bool {
    let mentions = |s: &Stmt| {
        let mut found = assigned(std::slice::from_ref(s)).contains(&sym);
        for_each_stmt(std::slice::from_ref(s), &mut |x| {
            found |= x.exprs().into_iter().any(|e| symbols(e).contains(&sym));
        });
        found
    };
    let Some(first) = body.iter().find(|s| mentions(s)) else { return false };
    let mut reads = false;
    for_each_stmt(std::slice::from_ref(first), &mut |s| {
        let StmtKind::Assign { lhs, rhs } = &s.kind else {
            let loops = matches!(s.kind, StmtKind::Do { .. });
            reads |= !loops || s.exprs().into_iter().any(|e| symbols(e).contains(&sym));
            return;
        };
        reads |= symbols(rhs).contains(&sym) || lhs.children().into_iter().any(|e| symbols(e).contains(&sym));
    });
    let whole = |e: &Expr| e.as_var().is_some_and(|d| d.sym == sym && d.parts.is_empty());
    let all = matches!(&first.kind, StmtKind::Assign { lhs, .. } if whole(lhs))
        || covers::of_loop(program, first, &assigned(body)).contains(&sym);
    !reads && all
}

/// What a directive lists as sums.
fn sums(program: &Program, d: &Governing<'_>) -> Vec<SymId> {
    let lists = d.directive.clauses.iter().filter_map(|c| match &c.kind {
        ClauseKind::Reduction { op, list } if matches!(op.as_str(), "+" | "-") => Some(list),
        _ => None,
    });
    lists.flatten().filter_map(|item| d.named(program, item)).collect()
}

/// What is put together of integers and truth values by another operator, and by which.
fn reduced(program: &Program, d: &Governing<'_>) -> Vec<(SymId, String)> {
    let mut out = Vec::new();
    for c in &d.directive.clauses {
        let ClauseKind::Reduction { op, list } = &c.kind else { continue };
        let named = list.iter().filter_map(|item| d.named(program, item)).filter(|_| !matches!(op.as_str(), "+" | "-"));
        let discrete = |s: &SymId| {
            program.var(*s).is_some_and(|v| matches!(v.ty.base, Base::Integer | Base::Logical) && v.rank() == 0)
        };
        out.extend(named.filter(discrete).map(|s| (s, op.clone())));
    }
    out
}

/// True for a construct whose region threads begin to run.
fn begins_threads(d: &Directive) -> bool {
    match &d.construct {
        Construct::Omp(OmpConstruct::Target | OmpConstruct::TargetCombined(_) | OmpConstruct::Teams) => true,
        Construct::Omp(OmpConstruct::TeamsCombined(word)) => word.contains("parallel") || word.starts_with("teams"),
        Construct::Omp(_) => d.makes_team() && d.omp() != Some(&OmpConstruct::Sections),
        Construct::Acc(c) => !matches!(c, AccConstruct::Loop | AccConstruct::Data | AccConstruct::Routine),
        Construct::Ad(_) | Construct::Uninterpreted => false,
    }
}

/// True where what isn't listed is private.
fn makes_private(d: &Directive) -> bool {
    let private = |k: &ClauseKind| matches!(k, ClauseKind::Default(DefaultKind::Private | DefaultKind::FirstPrivate));
    d.clauses.iter().any(|c| private(&c.kind))
}

/// True for a directive by which a user vouches for it that no iteration of a loop touches what another one assigns.
fn vouches(d: &Directive, team: &Team) -> bool {
    let ordered = |c: &Clause| matches!(&c.kind, ClauseKind::Other { name, .. } if matches!(name.as_str(), "ordered" | "safelen" | "auto"));
    let independent = || d.clauses.iter().any(|c| c.kind == ClauseKind::Independent);
    if d.clauses.iter().any(ordered) {
        return false;
    }
    match &d.construct {
        // It is the compiler that finds out there, and lanes of a vector may follow one another.
        Construct::Acc(AccConstruct::KernelsLoop) => independent(),
        Construct::Acc(AccConstruct::Loop) => independent() || !team.is_kernels(),
        Construct::Omp(OmpConstruct::Simd) | Construct::Ad(_) | Construct::Uninterpreted => false,
        Construct::Acc(_) | Construct::Omp(_) => true,
    }
}

/// True where threads take turns by locks, in a procedure that is called maybe: what they assign meanwhile several of them
/// assign.
fn takes_locks(program: &Program, body: &[Stmt]) -> bool {
    let called = reached(program, &calls(program, body));
    asks_for_lock(program, body) || called.iter().any(|p| asks_for_lock(program, &program[*p].body))
}

fn asks_for_lock(program: &Program, body: &[Stmt]) -> bool {
    let lock = |c: &Callee| matches!(c, Callee::Proc { sym, .. } if LOCKS.contains(&program[*sym].name.as_str()));
    let mut found = false;
    for_each_stmt(body, &mut |s| {
        found |= matches!(&s.kind, StmtKind::Call { callee, .. } if lock(callee));
        s.exprs().into_iter().for_each(|e| {
            for_each_expr(e, &mut |x| found |= matches!(&x.kind, ExprKind::Call { callee, .. } if lock(callee)));
        });
    });
    found
}

/// The variables that iterations share and that threads don't take turns to change. `other` are those of which threads or
/// iterations have their own.
fn shared(
    program: &Program,
    body: &[Stmt],
    private: &BTreeSet<SymId>,
    mut other: BTreeSet<SymId>,
) -> impl Fn(SymId) -> bool + use<> {
    other.extend(private);
    other.extend(assigned(body).into_iter().filter(|s| program.var(*s).is_some_and(|v| v.directive)));
    for_each_stmt(body, &mut |s| {
        if s.governing().iter().any(|d| one_at_a_time(d.directive)) {
            other.extend(s.blocks().into_iter().flat_map(|b| assigned(b)));
        }
    });
    move |s| !other.contains(&s)
}

/// Lets what is known of a loop speak of the variables that stand for others.
pub(super) fn substitute(program: &Program, map: &Map, s: &mut Stmt) {
    let StmtKind::Do { parallel: Some(p), .. } = &mut s.kind else { return };
    let Some(evidence) = &mut p.evidence else { return };
    let reduced = evidence.reduced.iter_mut().map(|r| &mut r.0);
    for sym in evidence.private.iter_mut().chain(&mut evidence.sums).chain(reduced) {
        *sym = map.get(sym).and_then(Expr::as_var).map_or(*sym, |d| d.sym);
    }
    let own = |s: SymId| map.get(&s).and_then(Expr::as_var).map_or(s, |d| d.sym);
    evidence.distinct.iter_mut().for_each(|(a, b)| (*a, *b) = (own(*a).min(own(*b)), own(*a).max(own(*b))));
    evidence.elements_mut().for_each(|e| *e = subst::expr(program, map, e));
}
