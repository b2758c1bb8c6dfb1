//! Memory that a callee of a call reaches by more than one name: through two of its arguments, or through an argument and
//! a variable of a module, a common block or its host.
//!
//! Fortran allows that as long as nothing of it is assigned (15.5.2.14 of the 2023 standard, with exceptions for `value`,
//! `pointer` and `target`). Codes contain more; what isn't proven apart is reported here.

use std::collections::{BTreeMap, BTreeSet};

use costate_grammar::ir::{
    Arg, Base, Callee, Designator, Dim, Expr, ExprKind, Part, ProcId, Program, Stmt, StmtId, StmtKind, Subscript,
    SymId, for_each_expr, for_each_stmt,
};

use super::{CallMap, Effects, bind};
use crate::affine::{combine, count, difference};
use crate::loops::substitute;
use crate::storage::{LocSet, Overlap, Root, overlap, resolve, symbols, through_pointer};

/// Parts of one work array of the same length, for which gaps between two of them are compared.
const WORK_ARRAYS: i64 = 32;

/// What an actual argument gives to its dummy.
#[derive(Clone, Debug)]
pub struct Piece {
    /// The dummy.
    pub dummy: SymId,
    /// The reference that stands in the call.
    pub actual: Designator,
    /// An element that stands for itself and those that follow it in memory; their number, where it is known.
    pub sequence: Option<Option<Expr>>,
}

/// What a callee does to the memory behind one of its names, in the caller's locations.
#[derive(Clone, Debug, Default)]
struct Use {
    touched: LocSet,
    written: LocSet,
}

impl Use {
    /// True when one of two uses changes what the other one sees.
    fn disturbs(&self, other: &Use) -> bool {
        !self.written.is_disjoint(&other.touched) || !self.touched.is_disjoint(&other.written)
    }
}

/// How a callee comes by the memory of an argument, beside its dummy.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Meeting {
    /// Not at all.
    Apart,
    /// Through pointers that may point to it.
    ByPointer,
    /// By a name of its own.
    ByName,
}

/// One way in which memory is shared in a call.
#[derive(Clone, Debug)]
pub struct Sharing {
    /// A dummy.
    pub dummy: SymId,
    /// The other dummy, or nothing for variables that the callee reaches by their own names.
    pub other: Option<SymId>,
    /// The callee may change what is shared.
    pub changed: bool,
}

impl Piece {
    /// Replaces variables by their values among the subscripts.
    fn substitute(&mut self, values: &[(SymId, Expr)]) {
        let put = |e: &mut Expr| *e = values.iter().fold(e.clone(), |e, (s, by)| substitute(&e, *s, by));
        let subscripts = self.actual.parts.iter_mut().filter_map(|p| match p {
            Part::Subscripts(list) => Some(list),
            Part::Component(_) | Part::Substring(..) => None,
        });
        for s in subscripts.flatten() {
            if let Subscript::Index(e) = s {
                put(e);
            }
        }
        if let Some(Some(n)) = &mut self.sequence {
            put(n);
        }
    }

    /// True unless the two pieces surely have no element in common.
    pub fn meets(&self, program: &Program, other: &Piece) -> bool {
        if self.sequence.is_none() && other.sequence.is_none() {
            return overlap(program, &self.actual, &other.actual) != Overlap::Apart;
        }
        let (a, b) = (self.actual.array(), other.actual.array());
        match overlap(program, &a, &b) {
            Overlap::Apart => false,
            Overlap::Maybe => true,
            Overlap::Same => !(self.before(program, other) || other.before(program, self)),
        }
    }

    /// How a reference in the callee meets the actual argument.
    fn met_by(&self, program: &Program, d: &Designator) -> Meeting {
        // The subscripts of the two have values of different procedures.
        let constant = d.parts.iter().all(|p| match p {
            Part::Component(_) | Part::Substring(..) => true,
            Part::Subscripts(list) => list.iter().all(|s| matches!(s, Subscript::Index(e) if e.as_int().is_some())),
        });
        let exact = constant && self.sequence.is_none();
        let bare = |d: &Designator| Designator {
            sym: d.sym,
            parts: d.parts.iter().filter(|p| matches!(p, Part::Component(_))).cloned().collect(),
        };
        let found = match exact {
            true => overlap(program, d, &self.actual),
            false => overlap(program, &bare(d), &bare(&self.actual)),
        };
        match found {
            Overlap::Apart => Meeting::Apart,
            _ if d.sym != self.actual.sym && through_pointer(program, d) => Meeting::ByPointer,
            _ => Meeting::ByName,
        }
    }

    /// True when a piece of an array surely ends before another one begins.
    fn before(&self, program: &Program, other: &Piece) -> bool {
        let elements = |p: &Piece| match p.actual.parts.last() {
            Some(Part::Subscripts(list)) => list
                .iter()
                .map(|s| match s {
                    Subscript::Index(e) if e.rank == 0 => Some(e.clone()),
                    _ => None,
                })
                .collect::<Option<Vec<Expr>>>(),
            _ => None,
        };
        let Some((from, to)) = elements(self).zip(elements(other)) else { return false };
        let length = match &self.sequence {
            Some(Some(n)) => n.clone(),
            Some(None) => return false,
            None => Expr::int(1),
        };
        let positive = |n: Option<i64>| n.is_some_and(|n| n >= 0);
        let Some(((last, lead), (next, begin))) = from.split_last().zip(to.split_last()) else { return false };
        if lead.is_empty() {
            // A gap of several lengths is none of a negative number of elements: such a piece would be empty.
            let after = |k: i64| combine(last, k, &length);
            return (1..=WORK_ARRAYS).any(|k| positive(difference(next, &after(k))));
        }
        // Whole columns: both begin at the first element of all dimensions but the last.
        let array = self.actual.array();
        let Some(v) = resolve(program, array.sym, &array.path()) else { return false };
        let mut column = Expr::int(1);
        for (k, dim) in v.dims.iter().take(lead.len()).enumerate() {
            let Dim::Explicit(lo, hi) = dim else { return false };
            let lo = lo.clone().unwrap_or(Expr::int(1));
            if difference(&lead[k], &lo) != Some(0) || difference(&begin[k], &lo) != Some(0) {
                return false;
            }
            let n = count(&lo, hi);
            column = if k == 0 { n } else { column.mul(n) };
        }
        difference(&column, &length) == Some(0) && positive(difference(next, &last.clone().add(Expr::int(1))))
    }
}

/// The subscripts of the first element of a whole array, of which a dummy of explicit shape may take fewer elements.
fn first_element(program: &Program, d: &Designator) -> Option<Part> {
    let whole = d.parts.iter().all(|p| matches!(p, Part::Component(_)));
    let v = resolve(program, d.sym, &d.path()).filter(|_| whole)?;
    let starts = v.dims.iter().map(|x| match x {
        Dim::Explicit(lo, _) | Dim::AssumedSize(lo) => Some(Subscript::Index(lo.clone().unwrap_or(Expr::int(1)))),
        Dim::Assumed(_) | Dim::Deferred | Dim::AssumedRank => None,
    });
    Some(Part::Subscripts(starts.collect::<Option<Vec<_>>>().filter(|l| !l.is_empty())?))
}

/// The number of elements of an array.
fn elements(dims: &[Dim]) -> Option<Expr> {
    let mut total = Expr::int(1);
    for dim in dims {
        let Dim::Explicit(lo, hi) = dim else { return None };
        let n = count(lo.as_ref().unwrap_or(&Expr::int(1)), hi);
        total = match (total.as_int(), n.as_int()) {
            (Some(1), _) => n,
            (_, Some(1)) => total,
            _ => total.mul(n),
        };
    }
    Some(total)
}

impl Effects {
    /// What an actual argument gives to a dummy.
    pub fn piece(
        &mut self,
        program: &Program,
        map: &CallMap,
        (caller, callee): (ProcId, ProcId),
        dummy: SymId,
        actual: &Expr,
    ) -> Option<Piece> {
        let mut d = actual.as_var()?.clone();
        let dims = program.var(dummy).map(|v| v.dims.clone()).unwrap_or_default();
        let explicit = !dims.is_empty() && dims.iter().all(|d| !matches!(d, Dim::Assumed(_) | Dim::Deferred));
        let first = first_element(program, &d).filter(|_| explicit && actual.rank > 0);
        let follows = explicit && actual.rank == 0 || first.is_some();
        d.parts.extend(first);
        let sequence = follows.then(|| {
            let length = match dims.as_slice() {
                [Dim::AssumedSize(lo)] => {
                    let last = self.last_element(program, callee, dummy)?;
                    count(lo.as_ref().unwrap_or(&Expr::int(1)), &last)
                }
                dims => elements(dims)?,
            };
            let length = map.in_caller(&length);
            let scope = program[callee].scope;
            let outside = caller != callee && symbols(&length).iter().all(|s| program[*s].scope != scope);
            outside.then_some(length)
        });
        Some(Piece { dummy, actual: d, sequence })
    }

    /// The memory that a call shares between names that its callee knows; `caller` is the procedure with the call.
    pub fn sharings(
        &mut self,
        program: &Program,
        (caller, callee): (ProcId, ProcId),
        call: StmtId,
        args: &[Arg],
    ) -> Vec<Sharing> {
        let p = program[callee].clone();
        let map = CallMap::new(program, callee, args, None);
        let access = self.summaries.get(&callee).map(|s| s.access.clone()).unwrap_or_default();
        let mut pieces: Vec<(Piece, Use)> = Vec::new();
        for (dummy, actual) in p.dummies.iter().zip(bind(program, &p, args)) {
            // A copy of its own, and memory that the analyses follow by its address.
            let own = program.var(*dummy).is_none_or(|v| v.attrs.value || v.attrs.pointer);
            let piece = actual.filter(|_| !own).and_then(|e| self.piece(program, &map, (caller, callee), *dummy, e));
            if let Some(piece) = piece {
                let used = self.use_of(program, &map, &access, |l| l == Some(*dummy));
                pieces.push((piece, used));
            }
        }
        // Without pointers of its own, a callee comes by memory without a name through its arguments only.
        let pointers = access
            .reads
            .iter()
            .map(|l| self.locs.get(*l))
            .any(|l| l.association && l.root == Root::Variable && !p.dummies.contains(&l.sym));
        let direct = self.use_of(program, &map, &access, |l| l.map_or(pointers, |s| !p.dummies.contains(&s)));
        let shares = |i: usize, (_, used): &(Piece, Use)| {
            let others = pieces[..i].iter().map(|(_, also)| also).chain([&direct]);
            others.into_iter().any(|also| !used.touched.is_disjoint(&also.touched))
        };
        if !pieces.iter().enumerate().any(|(i, p)| shares(i, p)) {
            return Vec::new();
        }
        let settled = self.settled_before(program, caller, call);
        pieces.iter_mut().for_each(|(piece, _)| piece.substitute(&settled));
        let mut out = Vec::new();
        for (i, (piece, used)) in pieces.iter().enumerate() {
            for (other, also) in &pieces[..i] {
                if !used.touched.is_disjoint(&also.touched)
                    && piece.meets(program, other)
                    && !self.are_apart(program, (caller, call), &piece.actual, &other.actual)
                {
                    out.push(Sharing { dummy: piece.dummy, other: Some(other.dummy), changed: used.disturbs(also) });
                }
            }
            if used.touched.is_disjoint(&direct.touched) {
                continue;
            }
            let changed = match self.meeting(program, callee, piece) {
                Meeting::Apart => continue,
                // What a pointer may point to is known roughly. That it does, Fortran allows for what nobody changes.
                Meeting::ByPointer if !used.written.is_disjoint(&direct.touched) => continue,
                Meeting::ByPointer => false,
                Meeting::ByName => used.disturbs(&direct),
            };
            out.push(Sharing { dummy: piece.dummy, other: None, changed });
        }
        out
    }

    /// Integers that a procedure sets once, before a call and outside of all constructs, with their values in terms of what
    /// it never changes; the last ones first. Programs pick the parts of their work arrays so.
    fn settled_before(&mut self, program: &Program, caller: ProcId, call: StmtId) -> Vec<(SymId, Expr)> {
        let body = self.bodies.get(&caller).cloned().unwrap_or_default();
        let mut writes: BTreeMap<SymId, usize> = BTreeMap::new();
        for_each_stmt(&body, &mut |s| {
            let written = self.access(program, s).writes;
            let symbols: BTreeSet<SymId> = written.iter().map(|l| self.locs.get(*l).sym).collect();
            symbols.into_iter().for_each(|s| *writes.entry(s).or_default() += 1);
        });
        let mut out: Vec<(SymId, Expr)> = Vec::new();
        for s in &body {
            let mut here = false;
            for_each_stmt(std::slice::from_ref(s), &mut |s| here |= s.id == call);
            if here {
                break;
            }
            let StmtKind::Assign { lhs, rhs } = &s.kind else { continue };
            let Some(d) = lhs.as_var().filter(|d| d.parts.is_empty() && lhs.rank == 0) else { continue };
            let local = program.var(d.sym).is_some_and(|v| !v.has_other_names() && v.ty.base == Base::Integer);
            let fixed = |s: &SymId| !writes.contains_key(s) || out.iter().any(|(known, _)| known == s);
            if local && writes.get(&d.sym) == Some(&1) && symbols(rhs).iter().all(fixed) {
                out.insert(0, (d.sym, rhs.clone()));
            }
        }
        out
    }

    fn use_of(
        &mut self,
        program: &Program,
        map: &CallMap,
        access: &super::Access,
        by: impl Fn(Option<SymId>) -> bool,
    ) -> Use {
        let mut out = Use::default();
        for (set, write) in [(&access.reads, false), (&access.writes, true)] {
            for l in set {
                let loc = self.locs.get(*l);
                if loc.association || !by(loc.is_named().then_some(loc.sym)) {
                    continue;
                }
                let places = map.locs(self, program, *l);
                if write {
                    out.written.extend(places.iter().copied());
                }
                out.touched.extend(places);
            }
        }
        out
    }

    /// How a callee comes by the memory of an actual argument, beside its dummy.
    fn meeting(&self, program: &Program, callee: ProcId, piece: &Piece) -> Meeting {
        let mut meeting = Meeting::Apart;
        for p in self.reached(program, callee) {
            let body: &[Stmt] = self.bodies.get(&p).map(Vec::as_slice).unwrap_or_default();
            let mut look = |d: &Designator| meeting = meeting.max(piece.met_by(program, d));
            for_each_stmt(body, &mut |s| {
                // An element that is passed on may stand for those behind it.
                let passed: &[Arg] = if let StmtKind::Call { args, .. } = &s.kind { args } else { &[] };
                passed.iter().filter_map(|a| a.value.as_var()).for_each(|d| look(&d.array()));
                for e in s.exprs() {
                    for_each_expr(e, &mut |x| match &x.kind {
                        ExprKind::Var(d) => look(d),
                        ExprKind::Call { callee: Callee::Proc { .. } | Callee::Bound { .. }, args } => {
                            args.iter().filter_map(|a| a.value.as_var()).for_each(|d| look(&d.array()));
                        }
                        _ => {}
                    });
                }
            });
        }
        meeting
    }
}
