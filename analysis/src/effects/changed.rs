//! The part of an array argument that a call may change, or may refer to at all: the column that a callee works on, say, of
//! all that are passed.

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use costate_grammar::intrinsics::Intrinsic;
use costate_grammar::ir::{
    Arg, Base, Block, Callee, Designator, Dim, Expr, ExprKind, LoopControl, Part, ProcId, Program, Stmt, StmtKind,
    Subscript, SymId, Variable, for_each_expr, for_each_stmt,
};

use super::counted::{Counted, with_loops};
use super::{Access, CallMap, Effects, bind, call_parts, target};
use crate::affine;
use crate::dependence::mentions::for_each_value;
use crate::loops::{assigned, exit_flag};
use crate::storage::{LocSet, is_global, symbols};

/// For each dimension of an array the first and the last index at which a procedure refers to elements, given by what it is
/// called with.
pub type Ranges = Vec<Option<(Expr, Expr)>>;

/// What the statements of a procedure read and write, in the order of the text.
#[derive(Debug)]
struct Uses {
    body: Rc<Block>,
    of: Vec<[BTreeSet<SymId>; 2]>,
}

/// What is known of parts of arrays that procedures work on, as far as that has been asked for.
#[derive(Debug, Default)]
pub(super) struct Parts {
    uses: BTreeMap<ProcId, Rc<Uses>>,
    indices: BTreeMap<(ProcId, SymId, Which), Option<Ranges>>,
}

/// What of an array is asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Which {
    /// What may be assigned. There is such an element.
    Changed,
    /// What may be assigned. There may be no such element where nothing is.
    Assigned,
    /// What may be read or assigned. The section may be beyond the array where nothing is.
    Touched,
}

impl Effects {
    /// The section of an actual argument, an array as a whole, outside of which a call leaves all elements as they are.
    /// `None` where it may change elements anywhere, or where that isn't known.
    pub fn changed_part(
        &mut self,
        program: &Program,
        callee: ProcId,
        (args, result): (&[Arg], Option<&Expr>),
        (dummy, actual): (SymId, &Expr),
    ) -> Option<Expr> {
        self.part_of_call(program, callee, (args, result), (dummy, actual), Which::Changed)
    }

    /// The section of an actual argument, an array as a whole, outside of which a call doesn't refer to any element. `None`
    /// where it may refer to all, or where that isn't known. Where it refers to none, there may be no such section.
    pub fn touched_part(
        &mut self,
        program: &Program,
        callee: ProcId,
        (args, result): (&[Arg], Option<&Expr>),
        (dummy, actual): (SymId, &Expr),
    ) -> Option<Expr> {
        self.part_of_call(program, callee, (args, result), (dummy, actual), Which::Touched)
    }

    fn part_of_call(
        &mut self,
        program: &Program,
        callee: ProcId,
        (args, result): (&[Arg], Option<&Expr>),
        (dummy, actual): (SymId, &Expr),
        which: Which,
    ) -> Option<Expr> {
        if !is_plain(program, dummy, actual) {
            return None;
        }
        // What is read under other names isn't looked for.
        if which == Which::Touched && program.var(dummy)?.has_other_names() {
            return None;
        }
        let indices = self.part_in(program, callee, dummy, which)?;
        section_of_actual(program, (callee, args, result), (dummy, actual), &indices)
    }

    /// The section of a module's array outside of which a call leaves all elements as they are (`changed`), or to which it
    /// refers. The array is no argument of the call. `None` where it may be all of the array.
    pub fn part_of_global(
        &mut self,
        program: &Program,
        callee: ProcId,
        (args, result): (&[Arg], Option<&Expr>),
        (array, changed): (SymId, bool),
    ) -> Option<Expr> {
        let which = if changed { Which::Changed } else { Which::Touched };
        self.global_of_call(program, callee, (args, result), array, which)
    }

    fn global_of_call(
        &mut self,
        program: &Program,
        callee: ProcId,
        (args, result): (&[Arg], Option<&Expr>),
        array: SymId,
        which: Which,
    ) -> Option<Expr> {
        let summary = self.summary(callee)?;
        let reshaped = summary.access.shapes.iter().any(|l| self.locs.get(*l).sym == array);
        if reshaped || !is_plain_global(program, array) {
            return None;
        }
        let indices = self.part_in(program, callee, array, which)?;
        section_of_global(program, (callee, args, result), array, &indices)
    }

    /// True where a procedure, or one that it calls, refers to a variable by its own name.
    pub fn refers_to(&self, proc: ProcId, sym: SymId) -> bool {
        let Some(summary) = self.summary(proc) else { return true };
        let Access { reads, writes, shapes, .. } = &summary.access;
        reads.iter().chain(writes).chain(shapes).any(|l| self.locs.get(*l).sym == sym)
    }

    /// Where a procedure assigns or touches elements of its dummy, at indices that are given by what it is called with.
    fn part_in(&mut self, program: &Program, proc: ProcId, dummy: SymId, which: Which) -> Option<Ranges> {
        if self.unstructured.contains(&proc) {
            return None;
        }
        let uses = self.uses(program, proc)?;
        if let Some(known) = self.parts.indices.get(&(proc, dummy, which)) {
            return known.clone();
        }
        // Of a procedure that calls itself nothing is known.
        self.parts.indices.insert((proc, dummy, which), None);
        let found = self.find_part(program, (proc, &uses), dummy, which);
        self.parts.indices.insert((proc, dummy, which), found.clone());
        found
    }

    /// What the statements of a procedure read and write.
    fn uses(&mut self, program: &Program, proc: ProcId) -> Option<Rc<Uses>> {
        let body = self.bodies.get(&proc)?.clone();
        if let Some(known) = self.parts.uses.get(&proc).filter(|u| Rc::ptr_eq(&u.body, &body)) {
            return Some(known.clone());
        }
        self.parts.indices.retain(|(of, ..), _| *of != proc);
        let mut stmts: Vec<&Stmt> = Vec::new();
        for_each_stmt(&body, &mut |s| stmts.push(s));
        let mut of = Vec::with_capacity(stmts.len());
        for s in stmts {
            let access = self.access(program, s);
            let names = |list: LocSet| list.into_iter().map(|l| self.locs.get(l).sym).collect();
            of.push([names(access.reads), names(access.writes)]);
        }
        let uses = Rc::new(Uses { body, of });
        self.parts.uses.insert(proc, uses.clone());
        Some(uses)
    }

    fn find_part(
        &mut self,
        program: &Program,
        (proc, uses): (ProcId, &Uses),
        dummy: SymId,
        which: Which,
    ) -> Option<Ranges> {
        let body = &uses.body;
        let mut changed = assigned(body);
        let mut stmts = Vec::new();
        with_loops(body, &Counted::reached(), &mut stmts);
        let mut touching = Vec::new();
        for (s, [reads, writes]) in stmts.into_iter().zip(&uses.of) {
            if writes.contains(&dummy) || which == Which::Touched && reads.contains(&dummy) {
                touching.push(s);
            }
            changed.extend(writes);
        }
        let mut lists = Vec::new();
        let possible = if which == Which::Changed { Which::Assigned } else { which };
        for (s, around) in &touching {
            lists.extend(self.subscripts(program, s, dummy, possible)?.iter().map(|list| around.all_of_each(list)));
        }
        let ranges = common_ranges(program, proc, &lists, &changed)?;
        let ranges = within_declared(program, dummy, ranges)?;
        if which == Which::Changed {
            return self.confirmed(program, (body, dummy), &touching, ranges);
        }
        Some(ranges)
    }

    /// Of the indices of elements that some statements may assign those with which there are elements whenever the procedure is
    /// called: it assigns one in any case, or refers to one there.
    fn confirmed(
        &mut self,
        program: &Program,
        (body, array): (&[Stmt], SymId),
        assigning: &[(&Stmt, Counted)],
        ranges: Ranges,
    ) -> Option<Ranges> {
        let mut certain = Vec::new();
        certain_in(body, &Counted::reached(), &mut certain);
        let single = |r: &Option<(Expr, Expr)>| r.as_ref().is_none_or(|(lo, hi)| lo == hi);
        let all_single = ranges.iter().all(single);
        let mut found: Option<Ranges> = None;
        for (s, around) in certain {
            let called = procedure_call(s).is_some();
            let assigns = assigning.iter().any(|a| a.0.id == s.id);
            let assigned = if assigns && called { self.subscripts(program, s, array, Which::Changed) } else { None };
            if assigns && all_single && (!called || assigned.is_some()) {
                return Some(ranges);
            }
            let lists = match called {
                true => assigned,
                false => self.subscripts(program, s, array, Which::Touched),
            };
            for list in lists.into_iter().flatten() {
                let same = |(r, s): (&Option<(Expr, Expr)>, &Subscript)| {
                    let (lo, hi) = r.as_ref()?;
                    let here = match s {
                        Subscript::Index(e) => lo == e && hi == e,
                        Subscript::Range { lo: Some(a), hi: Some(b), step: None } => lo == a && hi == b,
                        Subscript::Range { .. } => false,
                    };
                    here.then(|| (lo.clone(), hi.clone()))
                };
                let here: Ranges = ranges.iter().zip(&around.all_of_each(&list)).map(same).collect();
                let number = |list: &Ranges| list.iter().flatten().count();
                if number(&here) > found.as_ref().map_or(0, number) {
                    found = Some(here);
                }
            }
        }
        found
    }

    /// The subscripts of the elements of an array that a statement assigns, or of all to which it refers.
    fn subscripts(&mut self, program: &Program, s: &Stmt, array: SymId, which: Which) -> Option<Vec<Vec<Subscript>>> {
        let of = |e: &Expr| match e.as_var()? {
            Designator { sym, parts } if *sym == array => match parts.first()? {
                Part::Subscripts(list) => Some(list.clone()),
                _ => None,
            },
            _ => None,
        };
        if let Some((callee, args, result)) = procedure_call(s) {
            let proc = target(program, callee)?;
            let dummies = program[proc].dummies.clone();
            let passed = bind(program, &program[proc], args);
            let named = |e: &Expr| uses_value(e, array);
            // The array is passed once, and nothing else of the call mentions it.
            if result.is_some_and(named) {
                return None;
            }
            let mut at = (0..passed.len()).filter(|k| passed[*k].is_some_and(named));
            let section = match (at.next(), at.next()) {
                (None, _) => self.global_of_call(program, proc, (args, result), array, which)?,
                (Some(k), None) if !self.refers_to(proc, array) => {
                    let e = passed[k]?;
                    let rank = program.var(dummies[k]).map_or(0, |v| v.rank());
                    // An element may stand for those behind it.
                    let part = (e.rank > 0 || rank == 0) && !e.children().into_iter().any(named);
                    match of(e).filter(|_| part) {
                        Some(list) => return Some(vec![list]),
                        None => self.part_of_call(program, proc, (args, result), (dummies[k], e), which)?,
                    }
                }
                _ => return None,
            };
            return Some(vec![of(&section)?]);
        }
        if which == Which::Touched {
            return all_references(program, s, array, &of);
        }
        let StmtKind::Assign { lhs, rhs } = &s.kind else { return None };
        let mut calls = false;
        for e in [lhs, rhs] {
            for_each_expr(e, &mut |x| {
                calls |= matches!(&x.kind, ExprKind::Call { callee, .. } if target(program, callee).is_some())
            });
        }
        if calls { None } else { Some(vec![of(lhs)?]) }
    }
}

/// The call that a statement is, or that is all of the value that it assigns, other than one of an intrinsic procedure.
fn procedure_call(s: &Stmt) -> Option<(&Callee, &[Arg], Option<&Expr>)> {
    call_parts(s).filter(|(callee, ..)| !matches!(callee, Callee::Intrinsic(_)))
}

/// True where an expression uses elements of an array, and doesn't only ask for its extents.
fn uses_value(e: &Expr, array: SymId) -> bool {
    let mut found = false;
    for_each_value(e, &mut |x| found |= x.as_var().is_some_and(|d| d.sym == array));
    found
}

/// True where an array as a whole is passed for a dummy of the same rank, and both have their elements in them.
fn is_plain(program: &Program, dummy: SymId, actual: &Expr) -> bool {
    let Some(d) = actual.as_var().filter(|d| d.parts.is_empty()) else { return false };
    let (Some(inside), Some(outside)) = (program.var(dummy), program.var(d.sym)) else { return false };
    let plain = |v: &Variable| {
        let a = &v.attrs;
        !(a.pointer || a.allocatable || a.optional || v.ty.derived().is_some())
    };
    plain(inside) && plain(outside) && inside.rank() == outside.rank()
}

/// The section of an actual argument, an array as a whole, that elements of the dummy are in. `None` where no section is known
/// to hold them, or where it would be all of the array.
pub fn section_of_actual(
    program: &Program,
    (callee, args, result): (ProcId, &[Arg], Option<&Expr>),
    (dummy, actual): (SymId, &Expr),
    ranges: &Ranges,
) -> Option<Expr> {
    if !is_plain(program, dummy, actual) || is_missing(program, (callee, args), ranges) {
        return None;
    }
    let d = actual.as_var()?;
    let (inside, outside) = (program.var(dummy)?, program.var(d.sym)?);
    let map = CallMap::new(program, callee, args, result);
    let last = inside.dims.len().checked_sub(1)?;
    let mut list = Vec::new();
    for (k, (own, others)) in inside.dims.iter().zip(&outside.dims).enumerate() {
        let (first, own_extent) = bounds(own)?;
        let (start, extent) = bounds(others)?;
        // Elements are at other places where the dummy has another shape.
        let same = match (own, own_extent, extent) {
            (Dim::Assumed(_), ..) => true,
            (_, Some(a), Some(b)) => affine::difference(&map.in_caller(&a), &b) == Some(0),
            _ => false,
        };
        if !same && k < last {
            return None;
        }
        let here = |at: &Expr| affine::plus(&map.in_caller(at), &Expr::int(start - first));
        list.push(subscript(ranges[k].as_ref(), &here));
    }
    let whole = matches!(outside.dims[last], Dim::AssumedSize(_) | Dim::AssumedRank) && ranges[last].is_none();
    let rank = list.iter().filter(|s| matches!(s, Subscript::Range { .. })).count() as u8;
    let d = Designator { sym: d.sym, parts: vec![Part::Subscripts(list)] };
    (!whole).then(|| Expr::new(ExprKind::Var(d), actual.ty, rank))
}

/// True for an array of a module that no pointer leads to, and that has no other name.
pub fn is_plain_global(program: &Program, array: SymId) -> bool {
    let plain = |v: &Variable| v.rank() > 0 && v.ty.derived().is_none() && !v.has_other_names() && !v.directive;
    is_global(program, array) && program.var(array).is_some_and(plain)
}

/// The section that elements are in which a procedure refers to of an array that its caller knows by the same name: one of a
/// module that no pointer leads to, and that has no other name, or of the procedure around. `None` where that would be all
/// of it.
pub fn section_of_global(
    program: &Program,
    (callee, args, result): (ProcId, &[Arg], Option<&Expr>),
    array: SymId,
    ranges: &Ranges,
) -> Option<Expr> {
    if is_missing(program, (callee, args), ranges) {
        return None;
    }
    let map = CallMap::new(program, callee, args, result);
    let here = |at: &Expr| map.in_caller(at);
    let list: Vec<Subscript> = ranges.iter().map(|r| subscript(r.as_ref(), &here)).collect();
    let rank = list.iter().filter(|s| matches!(s, Subscript::Range { .. })).count() as u8;
    let parts = vec![Part::Subscripts(list)];
    let ty = program.var(array)?.ty;
    ranges.iter().any(Option::is_some).then(|| Expr::new(ExprKind::Var(Designator { sym: array, parts }), ty, rank))
}

/// A subscript of a section, in the terms of `here`.
pub fn subscript(range: Option<&(Expr, Expr)>, here: &dyn Fn(&Expr) -> Expr) -> Subscript {
    match range {
        Some((lo, hi)) if lo == hi => Subscript::Index(here(lo)),
        Some((lo, hi)) => Subscript::Range { lo: Some(here(lo)), hi: Some(here(hi)), step: None },
        None => Subscript::Range { lo: None, hi: None, step: None },
    }
}

/// True where a call leaves out an argument by which elements are found: that has no value.
fn is_missing(program: &Program, (callee, args): (ProcId, &[Arg]), ranges: &Ranges) -> bool {
    let dummies = &program[callee].dummies;
    let passed = bind(program, &program[callee], args);
    let missing = |s: SymId| dummies.iter().position(|d| *d == s).is_some_and(|k| passed[k].is_none());
    ranges.iter().flatten().flat_map(|(lo, hi)| [lo, hi]).flat_map(symbols).any(missing)
}

/// The indices that several references to an array have in common, by the subscripts of each, in a procedure that may change
/// some variables: the least and the greatest, where they are known numbers apart. `None` where there are none.
pub fn common_ranges(
    program: &Program,
    proc: ProcId,
    references: &[Vec<Subscript>],
    changed: &BTreeSet<SymId>,
) -> Option<Ranges> {
    let dummies = &program[proc].dummies;
    let given = |e: &Expr| e.rank == 0 && e.ty.base == Base::Integer && is_given(program, e, dummies, changed);
    let of = |s: &Subscript| match s {
        Subscript::Index(e) if given(e) => Some((e.clone(), e.clone())),
        Subscript::Range { lo: Some(lo), hi: Some(hi), step: None } if given(lo) && given(hi) => {
            Some((lo.clone(), hi.clone()))
        }
        Subscript::Index(_) | Subscript::Range { .. } => None,
    };
    let mut all = references.iter().map(|list| list.iter().map(of).collect::<Ranges>());
    let first = all.next()?;
    let common = all.fold(first, |known, here| known.into_iter().zip(here).map(|(a, b)| hull(a?, b?)).collect());
    common.iter().any(Option::is_some).then_some(common)
}

/// The ranges that leave out part of what is declared; `None` where none does.
fn within_declared(program: &Program, array: SymId, ranges: Ranges) -> Option<Ranges> {
    let one = Expr::int(1);
    let all = |dim: &Dim, (from, to): &(Expr, Expr)| match dim {
        Dim::Explicit(lo, hi) => {
            let same = |a, b| affine::difference(a, b) == Some(0);
            same(from, lo.as_ref().unwrap_or(&one)) && same(to, hi)
        }
        _ => false,
    };
    let dims = &program.var(array)?.dims;
    let left: Ranges =
        dims.iter().zip(ranges).map(|(dim, range)| range.filter(|r| r.0 == r.1 || !all(dim, r))).collect();
    left.iter().any(Option::is_some).then_some(left)
}

/// From the least to the greatest index of two ranges.
fn hull((a, b): (Expr, Expr), (c, d): (Expr, Expr)) -> Option<(Expr, Expr)> {
    let lo = if affine::difference(&a, &c)? <= 0 { a } else { c };
    let hi = if affine::difference(&b, &d)? >= 0 { b } else { d };
    Some((lo, hi))
}

/// The subscripts of all references to an array in an assignment, or in the header of a branch or a loop.
fn all_references(
    program: &Program,
    s: &Stmt,
    array: SymId,
    of: &dyn Fn(&Expr) -> Option<Vec<Subscript>>,
) -> Option<Vec<Vec<Subscript>>> {
    let looked_into =
        matches!(s.kind, StmtKind::Assign { .. } | StmtKind::If { .. } | StmtKind::Select { .. } | StmtKind::Do { .. });
    if !looked_into || s.is_region() {
        return None;
    }
    let (mut found, mut fine) = (Vec::new(), true);
    for e in s.exprs() {
        for_each_value(e, &mut |x| {
            if let ExprKind::Call { callee, .. } = &x.kind {
                fine &= target(program, callee).is_none();
            }
            if x.as_var().is_some_and(|d| d.sym == array) {
                match of(x) {
                    Some(list) => found.push(list),
                    None => fine = false,
                }
            }
        });
    }
    fine.then_some(found)
}

/// The statements that run whenever a block does, if its loops have iterations, with the loops around each.
fn certain_in<'s>(block: &'s [Stmt], around: &Counted, out: &mut Vec<(&'s Stmt, Counted)>) {
    for s in block {
        out.push((s, around.clone()));
        if let StmtKind::Do { control: control @ LoopControl::Count { .. }, body, .. } = &s.kind
            && !s.is_region()
            && exit_flag(body).is_none()
        {
            let mut inside = around.clone();
            inside.enter(control);
            certain_in(body, &inside, out);
        }
    }
}

/// True for an expression of numbers and of scalar dummies that keep their values.
fn is_given(program: &Program, e: &Expr, dummies: &[SymId], changed: &BTreeSet<SymId>) -> bool {
    let mut fine = true;
    for_each_expr(e, &mut |x| {
        fine &= match &x.kind {
            ExprKind::Int { .. } | ExprKind::Unary(..) | ExprKind::Binary(..) | ExprKind::Paren(_) => true,
            ExprKind::Var(d) => {
                let scalar = d.parts.is_empty() && x.rank == 0;
                let kept = dummies.contains(&d.sym) && !changed.contains(&d.sym);
                scalar && (kept || program.var(d.sym).is_some_and(|v| v.attrs.parameter))
            }
            ExprKind::Call { callee: Callee::Intrinsic(f), .. } => matches!(f, Intrinsic::Max | Intrinsic::Min),
            _ => false,
        };
    });
    fine
}

/// The first index of a dimension, where it is a number, and the extent, where that is declared.
fn bounds(dim: &Dim) -> Option<(i64, Option<Expr>)> {
    let first = |lo: &Option<Expr>| lo.as_ref().map_or(Some(1), Expr::as_int);
    match dim {
        Dim::Explicit(lo, hi) => {
            let from = lo.clone().unwrap_or_else(|| Expr::int(1));
            Some((first(lo)?, Some(affine::count(&from, hi))))
        }
        Dim::Assumed(lo) | Dim::AssumedSize(lo) => Some((first(lo)?, None)),
        Dim::Deferred | Dim::AssumedRank => None,
    }
}
