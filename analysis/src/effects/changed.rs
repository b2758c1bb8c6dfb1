//! The part of an array argument that a call may change, or may refer to at all: the column that a callee works on, say, of
//! all that are passed.

use std::collections::BTreeSet;

use costate_grammar::ir::{
    Arg, Base, Designator, Dim, Expr, ExprKind, LoopControl, Part, ProcId, Program, Stmt, StmtId, StmtKind, Subscript,
    SymId, for_each_expr, for_each_stmt,
};

use super::{CallMap, Effects, bind, call_parts, target};
use crate::affine;
use crate::dependence::mentions::for_each_value;
use crate::loops::{assigned, exit_flag};
use crate::storage::{LocSet, symbols};

/// Calls in callees are followed to this depth.
const DEPTH: usize = 8;

/// For each dimension the only index at which elements are assigned; none where there are several.
type Indices = Vec<Option<Expr>>;

/// What of an array is asked for.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Which {
    /// What may be assigned. There is such an element if anything is assigned.
    Changed,
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
        self.part_of_call(program, callee, (args, result), (dummy, actual), (Which::Changed, DEPTH))
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
        self.part_of_call(program, callee, (args, result), (dummy, actual), (Which::Touched, DEPTH))
    }

    fn part_of_call(
        &mut self,
        program: &Program,
        callee: ProcId,
        (args, result): (&[Arg], Option<&Expr>),
        (dummy, actual): (SymId, &Expr),
        (which, depth): (Which, usize),
    ) -> Option<Expr> {
        let d = actual.as_var().filter(|d| d.parts.is_empty())?;
        let (inside, outside) = (program.var(dummy)?, program.var(d.sym)?);
        let plain = |v: &costate_grammar::ir::Variable| {
            let a = &v.attrs;
            !(a.pointer || a.allocatable || a.optional || v.ty.derived().is_some())
        };
        // What is read under other names isn't looked for.
        if which == Which::Touched && inside.has_other_names() {
            return None;
        }
        if depth == 0 || !plain(inside) || !plain(outside) || inside.rank() != outside.rank() {
            return None;
        }
        let map = CallMap::new(program, callee, args, result);
        let indices = self.part_in(program, callee, dummy, (which, depth - 1))?;
        // What isn't passed has no value here.
        let dummies = &program[callee].dummies;
        let passed = bind(program, &program[callee], args);
        let missing = |s: &SymId| dummies.iter().position(|d| d == s).is_some_and(|k| passed[k].is_none());
        if indices.iter().flatten().flat_map(symbols).any(|s| missing(&s)) {
            return None;
        }
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
            list.push(match &indices[k] {
                Some(at) => Subscript::Index(affine::plus(&map.in_caller(at), &Expr::int(start - first))),
                None => Subscript::Range { lo: None, hi: None, step: None },
            });
        }
        let whole = matches!(outside.dims[last], Dim::AssumedSize(_) | Dim::AssumedRank) && indices[last].is_none();
        let rank = indices.iter().filter(|i| i.is_none()).count() as u8;
        let d = Designator { sym: d.sym, parts: vec![Part::Subscripts(list)] };
        (!whole).then(|| Expr::new(ExprKind::Var(d), actual.ty, rank))
    }

    /// Where a procedure assigns or touches elements of its dummy, at indices that are given by what it is called with.
    fn part_in(
        &mut self,
        program: &Program,
        proc: ProcId,
        dummy: SymId,
        (which, depth): (Which, usize),
    ) -> Option<Indices> {
        if self.unstructured.contains(&proc) {
            return None;
        }
        let body = self.bodies.get(&proc)?.clone();
        let mut changed = assigned(&body);
        let mut stmts: Vec<&Stmt> = Vec::new();
        for_each_stmt(&body, &mut |s| stmts.push(s));
        let mut touching = Vec::new();
        for s in stmts {
            let access = self.access(program, s);
            let of = |list: LocSet| -> BTreeSet<SymId> { list.into_iter().map(|l| self.locs.get(l).sym).collect() };
            let (reads, writes) = (of(access.reads), of(access.writes));
            if writes.contains(&dummy) || which == Which::Touched && reads.contains(&dummy) {
                touching.push(s);
            }
            changed.extend(writes);
        }
        // There may be no such element where nothing is assigned.
        let mut certain = BTreeSet::new();
        certain_in(&body, &mut certain);
        if which == Which::Changed && !touching.iter().any(|s| certain.contains(&s.id)) {
            return None;
        }
        let dummies = &program[proc].dummies;
        let given = |e: &Expr| e.rank == 0 && e.ty.base == Base::Integer && is_given(program, e, dummies, &changed);
        let mut out: Option<Indices> = None;
        for s in touching {
            for list in self.subscripts(program, s, dummy, (which, depth))? {
                let here = list.into_iter().map(|s| match s {
                    Subscript::Index(e) if given(&e) => Some(e),
                    Subscript::Index(_) | Subscript::Range { .. } => None,
                });
                let here: Indices = here.collect();
                out = Some(match out {
                    None => here,
                    Some(before) => {
                        before.into_iter().zip(here).map(|(a, b)| a.filter(|a| b.as_ref() == Some(a))).collect()
                    }
                });
            }
        }
        out.filter(|indices| indices.iter().any(Option::is_some))
    }

    /// The subscripts of the elements of an array that a statement assigns, or of all to which it refers.
    fn subscripts(
        &mut self,
        program: &Program,
        s: &Stmt,
        array: SymId,
        (which, depth): (Which, usize),
    ) -> Option<Vec<Vec<Subscript>>> {
        let of = |e: &Expr| match e.as_var()? {
            Designator { sym, parts } if *sym == array => match parts.first()? {
                Part::Subscripts(list) => Some(list.clone()),
                _ => None,
            },
            _ => None,
        };
        if let Some((callee, args, result)) = call_parts(s) {
            let proc = target(program, callee)?;
            let dummies = program[proc].dummies.clone();
            let passed = bind(program, &program[proc], args);
            let named = |e: &Expr| symbols(e).contains(&array);
            // The array is passed once, and nothing else of the call mentions it.
            let mut at = (0..passed.len()).filter(|k| passed[*k].is_some_and(named));
            let (Some(k), None) = (at.next(), at.next()) else { return None };
            if result.is_some_and(named) {
                return None;
            }
            let section = self.part_of_call(program, proc, (args, result), (dummies[k], passed[k]?), (which, depth))?;
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

/// The statements that run whenever a block does, if its loops have iterations.
fn certain_in(block: &[Stmt], out: &mut BTreeSet<StmtId>) {
    for s in block {
        out.insert(s.id);
        if let StmtKind::Do { control: LoopControl::Count { .. }, body, .. } = &s.kind
            && !s.is_region()
            && exit_flag(body).is_none()
        {
            certain_in(body, out);
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
