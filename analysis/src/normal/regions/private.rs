//! The variables that a construct makes private.

use std::collections::{BTreeMap, BTreeSet};

use costate_grammar::diag::Code;
use costate_grammar::directives::{AccConstruct, ClauseKind, Construct, DefaultKind, OmpConstruct};
use costate_grammar::ir::{
    Arg, Callee, ExprKind, Governing, LoopControl, Program, Stmt, StmtKind, SymId, Variable, for_each_expr,
    for_each_stmt,
};

use super::super::context::Cx;
use crate::devices::is_on_devices;
use crate::loops::assigned;
use crate::sections::scene::changed_arguments;
use crate::storage::symbols;

/// The variables that statements may assign: those that calls get, too.
pub(super) fn may_change(body: &[Stmt]) -> BTreeSet<SymId> {
    changed(body, &|_, args| args.iter().filter_map(|a| a.value.as_var()).map(|d| d.sym).collect())
}

/// The same, where what is known of a procedure tells which arguments it leaves alone.
pub(super) fn may_change_by_calls(program: &Program, body: &[Stmt]) -> BTreeSet<SymId> {
    changed(body, &|callee, args| changed_arguments(program, callee, args))
}

/// What is assigned, and what calls change, of which `changing` tells.
fn changed(body: &[Stmt], changing: &dyn Fn(&Callee, &[Arg]) -> BTreeSet<SymId>) -> BTreeSet<SymId> {
    let mut out = assigned(body);
    for_each_stmt(body, &mut |s| {
        if let StmtKind::Call { callee, args } = &s.kind {
            out.extend(changing(callee, args));
        }
        for e in s.exprs() {
            for_each_expr(e, &mut |x| {
                if let ExprKind::Call { callee: callee @ Callee::Proc { .. }, args } = &x.kind {
                    out.extend(changing(callee, args));
                }
            });
        }
    });
    out
}

/// The variables that statements mention.
pub(super) fn used_in(body: &[Stmt]) -> BTreeSet<SymId> {
    let mut out = assigned(body);
    for_each_stmt(body, &mut |s| out.extend(s.exprs().into_iter().flat_map(symbols)));
    out
}

/// The variables of loops with a count.
pub(super) fn counters(body: &[Stmt]) -> BTreeSet<SymId> {
    let mut out = BTreeSet::new();
    for_each_stmt(body, &mut |s| {
        if let StmtKind::Do { control: LoopControl::Count { var, .. }, .. } = &s.kind {
            out.insert(*var);
        }
    });
    out
}

/// Those of them that get the value of the last iteration behind the loop, by its own directive.
fn lasting_counters(program: &Program, body: &[Stmt]) -> BTreeSet<SymId> {
    let mut out = BTreeSet::new();
    for_each_stmt(body, &mut |s| {
        if let StmtKind::Do { control: LoopControl::Count { var, .. }, .. } = &s.kind {
            out.extend(s.governing().iter().flat_map(|d| d.last_private(program)).filter(|v| v == var));
        }
    });
    out
}

/// Refuses loops of a region that leave a variable as it is outside, where another one leaves that its last value.
pub(super) fn check_lasting(cx: &mut Cx, body: &[Stmt]) {
    let lasting = lasting_counters(cx.program, body);
    let mut found = Vec::new();
    for_each_stmt(body, &mut |s| {
        if let StmtKind::Do { control: LoopControl::Count { var, .. }, .. } = &s.kind
            && lasting.contains(var)
            && !s.governing().iter().any(|d| d.last_private(cx.program).contains(var))
        {
            found.push((s.clone(), cx.program[*var].name.clone()));
        }
    });
    for (s, name) in found {
        cx.at(&s);
        cx.refuse(
            Code::UnsupportedDirective,
            format!("`{name}` is private in this loop, and gets its last value in another one of the region"),
            "generated code has one variable for both",
            "take another variable in one of the loops",
        );
    }
}

/// The variables that a construct makes private, and whether they begin with the values of those outside.
pub(super) fn privates(program: &Program, own: &[Governing<'_>], body: &[Stmt]) -> BTreeMap<SymId, bool> {
    let mut out = BTreeMap::new();
    let mut listed = BTreeSet::new();
    for d in own {
        out.extend(d.private(program).into_iter().map(|s| (s, false)));
        out.extend(d.first_private(program).into_iter().map(|s| (s, true)));
        listed.extend(named_otherwise(program, d));
        let listed_otherwise = |k: &ClauseKind| {
            let moved = matches!(k, ClauseKind::Map { .. } | ClauseKind::Copy(_) | ClauseKind::CopyOut(_));
            moved || matches!(k, ClauseKind::Create(_) | ClauseKind::Present(_) | ClauseKind::Other { .. })
        };
        let texts = d.directive.clauses.iter().filter(|c| listed_otherwise(&c.kind)).map(|c| c.text.as_str());
        listed.extend(texts.flat_map(costate_grammar::ir::words).filter_map(|w| d.named(program, w)));
    }
    // Whether they begin with the values of those outside, and whether it is all variables or scalars alone.
    let makes_own = |d: &Governing<'_>| {
        let default = d.directive.clauses.iter().find_map(|c| match &c.kind {
            ClauseKind::Default(kind) => Some(*kind),
            _ => None,
        });
        match (default, &d.directive.construct) {
            (Some(DefaultKind::Private), _) => Some((false, true)),
            (Some(DefaultKind::FirstPrivate), _) => Some((true, true)),
            // What a task doesn't name is the same for all, but for what is private outside.
            (_, Construct::Acc(AccConstruct::Parallel | AccConstruct::ParallelLoop | AccConstruct::Serial)) => {
                Some((true, false))
            }
            (_, Construct::Omp(OmpConstruct::Target | OmpConstruct::TargetCombined(_))) => {
                (!d.directive.maps_scalars()).then_some((true, false))
            }
            _ => None,
        }
    };
    // The variables of loops, which exclusive statements have in common with those around them.
    let exclusive =
        |d: &Governing<'_>| matches!(d.directive.omp(), Some(OmpConstruct::Critical | OmpConstruct::Ordered));
    if !own.iter().any(exclusive) {
        let mut lasting = lasting_counters(program, body);
        // Of lanes of a vector it is linear (7.1.1 of OpenMP 5.2).
        if let ([Stmt { kind: StmtKind::Do { control: LoopControl::Count { var, .. }, .. }, .. }], true) =
            (body, own.iter().all(|d| d.directive.omp() == Some(&OmpConstruct::Simd)))
        {
            lasting.insert(*var);
        }
        for var in counters(body).into_iter().filter(|v| !listed.contains(v) && !lasting.contains(v)) {
            out.entry(var).or_insert(false);
        }
    }
    // What loops of OpenACC inside sum up is the construct's (2.6.2 of OpenACC 3.3).
    for_each_stmt(body, &mut |s| {
        let loops = s.governing();
        listed.extend(loops.iter().filter(|d| d.directive.acc().is_some()).flat_map(|d| d.reduced(program)));
    });
    if let Some((first, all)) = own.iter().find_map(makes_own) {
        // A device has one object of a type, or of what is found by a pointer, for all.
        let alone = |v: &Variable| v.ty.derived().is_none() && !v.attrs.allocatable && !v.attrs.pointer;
        // A target is mapped in OpenMP, as a pointer to it may be used there.
        let moved = |v: &Variable| v.attrs.target && own.iter().any(|d| d.directive.omp().is_some());
        let scalar = |v: &Variable| v.rank() == 0 && alone(v) && !moved(v);
        let fits = |v: &Variable| if all { !v.directive && !v.attrs.parameter } else { scalar(v) };
        let named = |s: &SymId| listed.contains(s) || is_on_devices(program, *s);
        let unnamed =
            may_change_by_calls(program, body).into_iter().filter(|s| program.var(*s).is_some_and(fits) && !named(s));
        unnamed.for_each(|s| {
            out.entry(s).or_insert(first);
        });
    }
    for d in own {
        d.last_private(program).iter().for_each(|s| {
            out.remove(s);
        });
    }
    out
}

/// True for a construct that makes tasks, each with copies of what threads have of their own and the construct doesn't name.
pub(super) fn copies_unnamed(d: &Governing<'_>) -> bool {
    let task = match d.directive.omp() {
        Some(OmpConstruct::Task | OmpConstruct::TaskLoop) => true,
        // In a region of its own the variables are those of all threads.
        Some(OmpConstruct::Other(word)) => word.contains("taskloop") && !word.starts_with("parallel"),
        _ => false,
    };
    task && !d.directive.clauses.iter().any(|c| matches!(c.kind, ClauseKind::Default(_)))
}

/// What a construct names but in `private` and `firstprivate`.
pub(super) fn named_otherwise(program: &Program, d: &Governing<'_>) -> Vec<SymId> {
    [d.shared(program), d.reduced(program), d.last_private(program)].concat()
}
