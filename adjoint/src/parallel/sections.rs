//! Sections, and tasks that stand side by side: where statements of generated code come from several of them, and what one
//! does is nothing to the others, threads do one each again.

mod marked;
mod tasks;

use std::collections::{BTreeMap, BTreeSet};

use costate_analysis::dataflow::variables::used_after_these;
use costate_analysis::sections::scene::calls;
use costate_grammar::directives::parse;
use costate_grammar::ir::{
    Base, Block, Dim, Origin, Program, Role, ScopeId, Stmt, StmtId, StmtKind, SymId, Variable, for_each_stmt,
};
use costate_grammar::lines::Sentinel;

use super::Facts;
use super::accesses::Accesses;
use super::directives::only_vectors;
use super::own_sums;
use super::references::{How, small};
use crate::names::Taken;
use marked::Conditions;
pub(crate) use marked::{Places, places};

/// Statements in a row that threads may share out: those of each section, and what is said of variables.
pub(super) struct Sections {
    list: Vec<Vec<StmtId>>,
    shared: Shared,
    /// What each says of when it is a task, if they are such, and `None` for statements of the thread that makes them.
    tasks: Option<Vec<Option<Conditions>>>,
}

/// How sections share variables.
#[derive(Default)]
struct Shared {
    private: Vec<SymId>,
    /// Variables that threads sum up.
    sums: Vec<SymId>,
    /// Larger arrays to which several sections add, and anything to which tasks do: all of these but the first one add to a
    /// variable of their own, arrays in memory that isn't a thread's.
    apart: Vec<(SymId, Vec<usize>)>,
    /// Arrays to which tasks add, and all those that these make: by one thread at a time.
    atomic: Vec<SymId>,
}

/// Finds them in generated code. `left` tells which variables are of use after it.
pub(super) fn plan(facts: &Facts<'_>, body: &[Stmt], places: &[Places], left: &dyn Fn(SymId) -> bool) -> Vec<Sections> {
    let mut rows = Vec::new();
    candidates(body, places, &mut rows);
    rows.retain(|row| row.iter().all(|part| !part.is_empty()));
    if rows.is_empty() {
        return Vec::new();
    }
    let with_inner: Vec<[Vec<&[Stmt]>; 2]> = rows.into_iter().map(|row| [without_zeros(row.clone()), row]).collect();
    let parts = || with_inner.iter().flatten().flatten();
    let ends: BTreeSet<StmtId> = parts().filter_map(|part| Some(part.last()?.id)).collect();
    let known = |s: &Stmt| facts.calls.known(facts.scene.program, s);
    let used = used_after_these(facts.scene.program, body, left, &known, &ends);
    let of = |rows: &[Vec<&[Stmt]>; 2]| {
        let [inner, all] = rows.each_ref().map(|row| side_by_side(facts, row, (places, &used), body));
        let count = |found: &[Sections]| found.iter().map(|s| s.list.len()).sum::<usize>();
        if count(&all) > count(&inner) { all } else { inner }
    };
    with_inner.iter().flat_map(of).collect()
}

/// A row without the zeros at both ends, which may belong to other sections.
fn without_zeros(mut row: Vec<&[Stmt]>) -> Vec<&[Stmt]> {
    row.iter_mut().take(1).for_each(|part| *part = &part[zeros(part.iter())..]);
    let last = row.last_mut().into_iter();
    last.for_each(|part| *part = &part[..part.len() - zeros(part.iter().rev())]);
    row.retain(|part| !part.is_empty());
    row
}

/// The longest parts of a row, one after the other, of which threads may do all that stands in each: tasks may wait for
/// others.
fn side_by_side(
    facts: &Facts<'_>,
    row: &[&[Stmt]],
    (places, used): (&[Places], &BTreeMap<StmtId, BTreeSet<SymId>>),
    body: &[Stmt],
) -> Vec<Sections> {
    let none = BTreeSet::new();
    let mut out = Vec::new();
    let mut from = 0;
    while from < row.len() {
        let found = (from + 2..=row.len()).rev().find_map(|to| {
            let list = &row[from..to];
            let after = list.last()?.last().and_then(|s| used.get(&s.id)).unwrap_or(&none);
            let tasks: Option<Vec<Option<Conditions>>> = list.iter().map(|part| conditions(places, part)).collect();
            let shared = apart(facts, list, (after, tasks.is_some()), body).filter(|_| is_worth_it(list))?;
            let list = list.iter().map(|part| part.iter().map(|s| s.id).collect()).collect();
            Some((to, Sections { list, shared, tasks }))
        });
        match found {
            Some((to, sections)) => {
                out.push(sections);
                from = to;
            }
            None => from += 1,
        }
    }
    out
}

/// Of which construct a statement is, and of which part of it.
fn place(places: &[Places], s: &Stmt) -> Option<(usize, usize)> {
    places.iter().enumerate().find_map(|(k, list)| Some((k, list.part_of(s)?)))
}

/// What is said of the task that statements come from, if tasks of the caller's region are what they are.
fn conditions(places: &[Places], part: &[Stmt]) -> Option<Option<Conditions>> {
    let (k, p) = place(places, part.first()?)?;
    places[k].tasks.as_ref()?.get(p).cloned()
}

/// True for several threads' work.
fn is_worth_it(row: &[&[Stmt]]) -> bool {
    row.iter().filter(|part| is_work(part)).count() > 1
}

/// Statements in a row that come from different sections of one construct, those of each together.
fn candidates<'s>(block: &'s [Stmt], places: &[Places], out: &mut Vec<Vec<&'s [Stmt]>>) {
    let place = |s: &Stmt| place(places, s);
    // Where the backward sweep begins, it may follow on the same section of the forward sweep.
    let role = |s: &Stmt| if let Origin::Derived { role, .. } = s.origin { Some(role) } else { None };
    let backward = |s: &&Stmt| matches!(role(s), Some(Role::Adjoint | Role::Restore | Role::Recompute));
    let begin = block.iter().find(backward).map(|s| s.id);
    let turn = |a: &Stmt, b: &Stmt| Some(b.id) == begin && matches!(role(a), Some(Role::Forward | Role::Save));
    let mut row: Vec<(usize, usize, &[Stmt])> = Vec::new();
    let mut rows = Vec::new();
    let mut at = 0;
    for part in block.chunk_by(|a, b| place(a) == place(b) && !turn(a, b)) {
        at += part.len();
        let of = place(&block[at - 1]);
        let turned = row.last().and_then(|r| r.2.last()).is_some_and(|s| turn(s, &part[0]));
        if turned || of.is_none_or(|(k, p)| row.iter().any(|r| r.0 != k || r.1 == p)) {
            rows.push(std::mem::take(&mut row));
        }
        row.extend(of.map(|(k, p)| (k, p, part)));
    }
    rows.push(row);
    let rows = rows.into_iter().map(|row| row.into_iter().map(|r| r.2).collect::<Vec<_>>());
    out.extend(rows.filter(|row| is_worth_it(row)));
    for s in block.iter().filter(|s| s.followed().is_none() && !s.is_region()) {
        s.blocks().into_iter().for_each(|b| candidates(b, places, out));
    }
}

/// How many statements in front set derivatives to zero, those of other sections among them: they may come from the beginning
/// of the procedure, and from its end.
fn zeros<'s>(part: impl Iterator<Item = &'s Stmt>) -> usize {
    let zero = |s: &&Stmt| match &s.kind {
        StmtKind::Assign { lhs, rhs } => lhs.as_var().is_some_and(|d| d.parts.is_empty()) && rhs.is_zero(),
        _ => false,
    };
    part.take_while(zero).count()
}

/// True for statements that take a thread more time than it takes to get it going.
fn is_work(part: &[Stmt]) -> bool {
    let mut found = false;
    for_each_stmt(part, &mut |s| {
        found |= match &s.kind {
            StmtKind::Do { .. } | StmtKind::Call { .. } => true,
            StmtKind::Assign { lhs, .. } => lhs.rank > 0 || calls(s),
            _ => false,
        }
    });
    found
}

/// What is private and what is summed up where several threads do what stands in a row; `None` where what one does is
/// something to another. `after` is what is used behind it. Only `tasks` have no sums by a clause.
fn apart(
    facts: &Facts<'_>,
    row: &[&[Stmt]],
    (after, tasks): (&BTreeSet<SymId>, bool),
    body: &[Stmt],
) -> Option<Shared> {
    let program = facts.scene.program;
    let mut shared_out = false;
    let takes_threads = |s: &Stmt| match &s.kind {
        StmtKind::Do { parallel: Some(p), .. } => !only_vectors(p),
        _ => s.is_region(),
    };
    row.iter().for_each(|part| for_each_stmt(part, &mut |s| shared_out |= takes_threads(s)));
    if shared_out || row.iter().any(|part| facts.own_copies.are_used(facts, part)) {
        return None;
    }
    let parts = row.iter().map(|part| Accesses::of(&facts.scene, &[], part, &facts.calls).ok());
    let parts: Vec<Accesses<'_, '_>> = parts.collect::<Option<_>>()?;
    let exposed: Vec<BTreeSet<SymId>> = row.iter().map(|part| facts.exposed(part)).collect();
    let mut touching: BTreeMap<SymId, BTreeSet<usize>> = BTreeMap::new();
    for (k, part) in parts.iter().enumerate() {
        let own = part.list.iter().map(|a| a.of.sym).chain(part.inner.iter().chain(&part.allocated).copied());
        own.chain(part.globals.iter().copied()).for_each(|s| _ = touching.entry(s).or_default().insert(k));
    }
    let changes = |part: &Accesses<'_, '_>, s: SymId| part.assigned.contains(&s) || part.allocated.contains(&s);
    let mut out = Shared::default();
    for (sym, by) in touching {
        let Some(v) = program.var(sym) else { continue };
        let changed = by.iter().any(|k| changes(&parts[*k], sym));
        let of = |s: &usize| parts[*s].to(sym);
        let added = || by.iter().flat_map(of).all(|a| a.how == How::Added);
        let loops = by.iter().any(|k| parts[*k].inner.contains(&sym));
        let own = || !after.contains(&sym) && by.iter().all(|k| !exposed[*k].contains(&sym)) && is_plain(v);
        // What called procedures use by itself is the variable of all, not a thread's own.
        let global = by.iter().any(|k| parts[*k].globals.contains(&sym) || parts[*k].by_name.contains(&sym));
        if v.directive || changed && (global || v.has_other_names()) {
            return None;
        } else if !changed || by.len() == 1 && !loops || !loops && apart_by_sections(&parts, &by, sym) {
            continue;
        } else if added() && adds_up(v) && matches!(v.ty.base, Base::Real | Base::Integer | Base::Complex) {
            match (small(v), tasks) {
                (true, false) if !facts.is_used_inside(sym) => out.sums.push(sym),
                // Of an array of its own there would be one more at each call.
                (false, true) if facts.calls.adds_to_numbers_of(program, sym, body) => out.atomic.push(sym),
                (false, true) => return None,
                _ => out.apart.push((sym, by.into_iter().skip(1).collect())),
            }
        } else if own() {
            out.private.push(sym);
        } else {
            return None;
        }
    }
    Some(out)
}

/// True for elements that different parts refer to, where none refers to any that another one changes.
fn apart_by_sections(parts: &[Accesses<'_, '_>], by: &BTreeSet<usize>, sym: SymId) -> bool {
    by.iter().all(|a| {
        by.range(a + 1..).all(|b| {
            let (a, b) = (&parts[*a], &parts[*b]);
            let allocated = a.allocated.contains(&sym) || b.allocated.contains(&sym);
            let meet = |x, y| !a.apart_from(x, b, y);
            !allocated && !a.to(sym).any(|x| b.to(sym).any(|y| meet(x, y)))
        })
    })
}

/// True for a variable of numbers or truth values of which threads may have their own by its declaration.
fn is_plain(v: &Variable) -> bool {
    let whole = v.dims.iter().all(|d| matches!(d, Dim::Explicit(..)));
    whole && !v.attrs.pointer && !v.attrs.allocatable && v.ty.derived().is_none() && v.ty.base != Base::Character
}

/// True for a variable of which threads may have sums of their own.
fn adds_up(v: &Variable) -> bool {
    let whole = v.dims.iter().all(|d| matches!(d, Dim::Explicit(..) | Dim::Assumed(_)));
    whole && !v.attrs.pointer && !v.attrs.allocatable && !v.attrs.optional
}

/// Writes what was found into generated code.
pub(super) fn carry_out(
    program: &mut Program,
    (scope, names): (ScopeId, &mut Taken),
    block: &mut Block,
    found: &[Sections],
) {
    let atomic: BTreeSet<SymId> = found.iter().flat_map(|s| s.shared.atomic.iter().copied()).collect();
    if !atomic.is_empty() {
        tasks::add_one_at_a_time(program, block, &atomic);
    }
    put(program, (scope, names), block, found);
}

/// Puts the constructs of a block and of those in it where their statements stand.
fn put(program: &mut Program, (scope, names): (ScopeId, &mut Taken), block: &mut Block, found: &[Sections]) {
    for sections in found {
        let first = sections.list[0][0];
        let Some(at) = block.iter().position(|s| s.id == first) else { continue };
        let count = sections.list.iter().map(Vec::len).sum::<usize>();
        let rest = block.split_off(at + count);
        let own = block.split_off(at);
        block.extend(written(program, (scope, &mut *names), own, sections));
        block.extend(rest);
    }
    for s in block.iter_mut().filter(|s| !s.is_region()) {
        s.blocks_mut().into_iter().for_each(|b| put(program, (scope, &mut *names), b, found));
    }
}

/// The statements in their construct.
fn written(program: &mut Program, (scope, taken): (ScopeId, &mut Taken), own: Block, sections: &Sections) -> Block {
    let Some(first) = own.first() else { return own };
    let origin = Origin::Derived { from: first.id, span: first.origin.span(), role: Role::Layout };
    let Sections { list, shared, tasks } = sections;
    let (mut parts, mut before, mut after) = (Vec::new(), Block::new(), Block::new());
    let mut own = own.into_iter();
    for (k, part) in list.iter().enumerate() {
        let mut part: Block = own.by_ref().take(part.len()).collect();
        for (sym, _) in shared.apart.iter().filter(|(_, parts)| parts.contains(&k)) {
            let base = format!("{}_part", program[*sym].name);
            let place = (scope, &mut *taken);
            let Some(sum) = own_sums::add_apart(program, &mut part, (*sym, &base), (place, origin)) else { continue };
            before.extend(sum.before);
            after.extend(sum.after);
        }
        parts.push(part);
    }
    before.extend(match tasks {
        Some(conditions) => tasks::of(program, parts, (conditions, &shared.private), origin),
        None => construct(program, parts, shared, origin),
    });
    before.extend(after);
    before
}

/// The construct with a section for each part.
fn construct(program: &mut Program, parts: Vec<Block>, shared: &Shared, origin: Origin) -> Block {
    let mut text = "parallel sections".to_string();
    for (clause, syms) in [("private(", &shared.private), ("reduction(+:", &shared.sums)] {
        if !syms.is_empty() {
            text += &format!(" {clause}{})", names(program, syms));
        }
    }
    let span = origin.span();
    let (Ok(whole), Ok(mark)) = (parse(Sentinel::Omp, &text, span), parse(Sentinel::Omp, "section", span)) else {
        return parts.concat();
    };
    let mut body = Block::new();
    for part in parts {
        let kind = StmtKind::Directive { directive: mark.clone(), names: Vec::new(), body: None };
        body.push(Stmt::new(program.fresh_stmt(), kind, origin));
        body.extend(part);
    }
    let names = shared.private.iter().chain(&shared.sums).copied().collect();
    let kind = StmtKind::Directive { directive: whole, names, body: Some(body) };
    vec![Stmt::new(program.fresh_stmt(), kind, origin)]
}

/// A list of variables for a clause.
fn names(program: &Program, syms: &[SymId]) -> String {
    syms.iter().map(|x| program[*x].name.to_string()).collect::<Vec<_>>().join(", ")
}
