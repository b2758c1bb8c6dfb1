//! Variables of modules and common blocks of which each thread may have its own derivative, by what the iterations of shared
//! loops do with them. A directive that shares out iterations vouches for it that none of them uses what another one has left
//! in an array of which each thread has its own, and which nobody has set before.

use std::collections::BTreeSet;

use costate_grammar::directives::{ClauseKind, Directive};
use costate_grammar::ir::{Base, Dim, Parallel, ProcId, Program, Stmt, StmtKind, SymId, Variable};
use costate_grammar::lower::size;

use super::uses::{KnownUses, Uses};
use super::{Bodies, target};
use crate::callgraph::{calls, functions, reached, reached_in};
use crate::storage::{is_global, symbols};

/// Elements of an array of which each thread may have its own derivative.
const SMALL: i64 = 64;

/// Variables of which each thread may have its own derivative, as all loops that threads share out use them alike.
#[derive(Clone, Debug, Default)]
pub struct ThreadVariables {
    /// Each thread has its own, each iteration that uses it assigns it first, and nobody uses it between loops: its
    /// derivative is zero between iterations.
    pub work: BTreeSet<SymId>,
    /// Numbers that called procedures use in iterations, and nobody changes there: each thread may add up its own
    /// derivative of them.
    pub inputs: BTreeSet<SymId>,
}

/// Finds them in what is reached from some procedures, by bodies in normal form. What is `asked` for has a use outside.
pub fn thread_variables(
    program: &Program,
    bodies: &Bodies,
    heads: &[ProcId],
    asked: &BTreeSet<SymId>,
) -> ThreadVariables {
    let mut loops = Vec::new();
    let reached: BTreeSet<ProcId> = heads.iter().flat_map(|p| reached_in(program, *p, bodies)).collect();
    for body in reached.iter().filter_map(|p| bodies.get(p)) {
        shared_loops(body, &mut loops);
    }
    if !loops.iter().any(|(_, p)| p.among_threads()) {
        return ThreadVariables::default();
    }
    let mut known = KnownUses::by(bodies);
    let inside: Vec<(Uses, Parallel)> = loops.into_iter().map(|(body, p)| (known.of(program, body), p)).collect();
    let outside = outside(program, bodies, heads);
    let anywhere = anywhere(program, bodies);
    let all: BTreeSet<SymId> = inside.iter().flat_map(|(u, _)| u.keys().copied()).collect();
    let of = |sym: &SymId| inside.iter().filter_map(|(u, p)| Some((*u.get(sym)?, p))).collect::<Vec<_>>();
    let mut out = ThreadVariables::default();
    for sym in all.iter().copied() {
        let Some(v) = program.var(sym).filter(|v| is_global(program, sym) && is_plain(program, sym, v)) else {
            continue;
        };
        let uses = of(&sym);
        if !uses.iter().all(|(_, p)| p.among_threads() && !p.directives.is_empty()) {
            continue;
        }
        let own = program.is_of_each_thread(sym);
        // Where nobody sets it outside, it has no value at first.
        let unset = || v.init.is_none() && !v.data && !anywhere.contains(&sym);
        let copied = || uses.iter().any(|(_, p)| is_copied_in(program, p, sym));
        let anew = || uses.iter().all(|(u, _)| !u.before);
        // One thread may hand values on, and a scalar needs no loop to be assigned.
        let alone = || uses.iter().any(|(_, p)| p.directives.iter().any(|d| is_for_one_thread(&d.directive)));
        let as_vouched =
            || v.rank() > 0 && uses.iter().all(|(u, _)| u.begins_anew()) && unset() && !copied() && !alone();
        if own && !outside.contains(&sym) && !asked.contains(&sym) && (anew() || as_vouched()) {
            out.work.insert(sym);
        } else if (uses.iter().any(|(u, _)| u.by_call) || v.common.is_some())
            && uses.iter().all(|(u, p)| !u.added && !u.assigned && (!own || is_copied_in(program, p, sym)))
            && (own || v.ty.is_continuous())
            && size(program, &v.dims).is_some_and(|n| n <= SMALL)
        {
            out.inputs.insert(sym);
        }
    }
    out.without_parts_of_blocks(program, &all);
    out
}

impl ThreadVariables {
    /// Of a common block threads have all derivatives or none; `used` is what loops use at all.
    fn without_parts_of_blocks(&mut self, program: &Program, used: &BTreeSet<SymId>) {
        let found = |s: &SymId| self.work.contains(s) || self.inputs.contains(s);
        let parts = used.iter().filter(|s| !found(s)).filter_map(|s| program.var(*s));
        let blocks: BTreeSet<_> = parts.filter(|v| v.ty.is_continuous()).filter_map(|v| v.common.clone()).collect();
        let whole = |s: &SymId| program.var(*s).is_some_and(|v| v.common.as_ref().is_none_or(|b| !blocks.contains(b)));
        self.work.retain(whole);
        self.inputs.retain(whole);
    }
}

/// True for a variable with memory of its own and a size that is known, of which each thread may have a copy. What devices
/// have too isn't one.
fn is_plain(program: &Program, sym: SymId, v: &Variable) -> bool {
    let own = program.is_of_each_thread(sym);
    let a = &v.attrs;
    let named = !(a.pointer || a.target || a.allocatable || a.parameter || a.changes_unseen() || v.equivalenced);
    let fixed = v.dims.iter().all(|d| matches!(d, Dim::Explicit(..)));
    let numbers = matches!(v.ty.base, Base::Real | Base::Complex | Base::Integer | Base::Logical);
    numbers && named && fixed && (own || !v.directive && v.common.is_none())
}

/// The loops that are followed and shared out, but for those in others.
fn shared_loops<'s>(block: &'s [Stmt], out: &mut Vec<(&'s [Stmt], Parallel)>) {
    for s in block {
        match (s.followed(), &s.kind) {
            (Some(p), StmtKind::Do { body, .. }) => out.push((body, *p)),
            _ => s.blocks().into_iter().for_each(|b| shared_loops(b, out)),
        }
    }
}

/// What is used outside of such loops, by procedures that are called outside, too.
fn outside(program: &Program, bodies: &Bodies, heads: &[ProcId]) -> BTreeSet<SymId> {
    let mut out = BTreeSet::new();
    for_each_outside(program, bodies, heads.to_vec(), &mut |s| match &s.kind {
        StmtKind::Assign { lhs, rhs } => out.extend(lhs.children().into_iter().chain([rhs]).flat_map(symbols)),
        _ => out.extend(s.exprs().into_iter().flat_map(symbols)),
    });
    out
}

/// What is mentioned outside of such loops in the whole program.
fn anywhere(program: &Program, bodies: &Bodies) -> BTreeSet<SymId> {
    let mut inside = BTreeSet::new();
    let mut all: Vec<ProcId> = program.procedures().map(|(p, _)| p).collect();
    for p in &all {
        let mut loops = Vec::new();
        shared_loops(body_of(program, bodies, *p), &mut loops);
        let called = loops.iter().flat_map(|(body, _)| calls(program, body));
        inside.extend(called.flat_map(|q| reached(program, &[q])));
    }
    all.retain(|p| !inside.contains(p));
    let mut out = BTreeSet::new();
    for_each_outside(program, bodies, all, &mut |s| out.extend(s.exprs().into_iter().flat_map(symbols)));
    out
}

fn body_of<'b>(program: &'b Program, bodies: &'b Bodies, p: ProcId) -> &'b [Stmt] {
    bodies.get(&p).map_or(program[p].body.as_slice(), |b| b.as_slice())
}

/// Shows the statements outside of loops that are shared out, in some procedures and in those that are called there.
fn for_each_outside<'b>(program: &'b Program, bodies: &'b Bodies, mut procs: Vec<ProcId>, f: &mut dyn FnMut(&'b Stmt)) {
    let mut next = 0;
    while let Some(&p) = procs.get(next) {
        next += 1;
        outside_loops(body_of(program, bodies, p), &mut |s| {
            f(s);
            let mut called = functions(program, s);
            if let StmtKind::Call { callee, .. } = &s.kind {
                called.extend(target(program, callee));
            }
            called.retain(|c| !procs.contains(c));
            procs.extend(called.into_iter().collect::<BTreeSet<_>>());
        });
    }
}

/// True where a number of threads is asked for, which may be one, or a condition for having more.
fn is_for_one_thread(d: &Directive) -> bool {
    d.clauses.iter().any(|c| matches!(c.kind, ClauseKind::NumThreads(_) | ClauseKind::If(_)))
}

/// Shows the statements outside of loops that are shared out, and the headers of these.
fn outside_loops<'s>(block: &'s [Stmt], f: &mut dyn FnMut(&'s Stmt)) {
    for s in block {
        f(s);
        if s.followed().is_none() {
            s.blocks().into_iter().for_each(|b| outside_loops(b, f));
        }
    }
}

/// True for a variable of which each thread gets the first one's value where a loop begins.
pub fn is_copied_in(program: &Program, p: &Parallel, sym: SymId) -> bool {
    let block = program.var(sym).and_then(|v| v.common.clone());
    p.directives.iter().filter(|d| d.directive.omp().is_some()).any(|d| {
        d.directive.clauses.iter().any(|c| {
            let ClauseKind::CopyIn(list) = &c.kind else { return false };
            list.iter().any(|item| match item.trim().strip_prefix('/').and_then(|x| x.strip_suffix('/')) {
                Some(name) => block.as_ref().is_some_and(|b| b.as_str().eq_ignore_ascii_case(name.trim())),
                None => d.governing().named(program, item) == Some(sym),
            })
        })
    })
}
