//! Memory that a callee of a call reaches by more than one name: through two of its arguments, or through an argument and
//! a variable of a module, a common block or its host.
//!
//! Fortran allows that as long as nothing of it is assigned (15.5.2.14 of the 2023 standard, with exceptions for `value`,
//! `pointer` and `target`). Codes contain more; what isn't proven apart is reported here.

use std::collections::BTreeSet;

use costate_grammar::ir::{
    Arg, Callee, Designator, Dim, Expr, ExprKind, Part, ProcId, Program, Stmt, StmtKind, Subscript, SymId,
    for_each_expr, for_each_stmt,
};

use super::{CallMap, Effects, bind, calls};
use crate::affine::{count, difference};
use crate::storage::{LocSet, Overlap, overlap, resolve, symbols};

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
    /// The piece of a dummy; `caller` is the procedure with the call.
    pub fn new(
        program: &Program,
        map: &CallMap,
        (caller, callee): (ProcId, ProcId),
        dummy: SymId,
        actual: &Expr,
    ) -> Option<Piece> {
        let d = actual.as_var()?.clone();
        let dims = program.var(dummy).map(|v| v.dims.clone()).unwrap_or_default();
        let explicit = dims.iter().all(|d| !matches!(d, Dim::Assumed(_) | Dim::Deferred));
        let sequence = (actual.rank == 0 && !dims.is_empty() && explicit).then(|| {
            if caller == callee {
                return None;
            }
            let mut total = Expr::int(1);
            for dim in &dims {
                let Dim::Explicit(lo, hi) = dim else { return None };
                let n = count(lo.as_ref().unwrap_or(&Expr::int(1)), hi);
                total = match (total.as_int(), n.as_int()) {
                    (Some(1), _) => n,
                    (_, Some(1)) => total,
                    _ => total.mul(n),
                };
            }
            let total = map.in_caller(&total);
            let scope = program[callee].scope;
            symbols(&total).iter().all(|s| program[*s].scope != scope).then_some(total)
        });
        Some(Piece { dummy, actual: d, sequence })
    }

    /// True unless the two pieces surely have no element in common.
    pub fn meets(&self, program: &Program, other: &Piece) -> bool {
        if self.sequence.is_none() && other.sequence.is_none() {
            return overlap(program, &self.actual, &other.actual) != Overlap::Apart;
        }
        let (a, b) = (array_of(&self.actual), array_of(&other.actual));
        match overlap(program, &a, &b) {
            Overlap::Apart => false,
            Overlap::Maybe => true,
            Overlap::Same => !(self.before(program, other) || other.before(program, self)),
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
            return positive(difference(next, &last.clone().add(length)));
        }
        // Whole columns: both begin at the first element of all dimensions but the last.
        let array = array_of(&self.actual);
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

/// A reference without its last subscripts.
fn array_of(d: &Designator) -> Designator {
    let mut d = d.clone();
    if let Some(Part::Subscripts(_)) = d.parts.last() {
        d.parts.pop();
    }
    d
}

impl Effects {
    /// The memory that a call shares between names that its callee knows; `caller` is the procedure with the call.
    pub fn sharings(&mut self, program: &Program, caller: ProcId, callee: ProcId, args: &[Arg]) -> Vec<Sharing> {
        let p = program[callee].clone();
        let map = CallMap::new(program, callee, args, None);
        let access = self.summaries.get(&callee).map(|s| s.access.clone()).unwrap_or_default();
        let mut pieces: Vec<(Piece, Use)> = Vec::new();
        for (dummy, actual) in p.dummies.iter().zip(bind(program, &p, args)) {
            // A copy of its own, and memory that the analyses follow by its address.
            let own = program.var(*dummy).is_none_or(|v| v.attrs.value || v.attrs.pointer);
            let piece = actual.filter(|_| !own).and_then(|e| Piece::new(program, &map, (caller, callee), *dummy, e));
            if let Some(piece) = piece {
                let used = self.use_of(program, &map, &access, |l| l == Some(*dummy));
                pieces.push((piece, used));
            }
        }
        let direct = self.use_of(program, &map, &access, |l| l.is_none_or(|s| !p.dummies.contains(&s)));
        let mut out = Vec::new();
        for (i, (piece, used)) in pieces.iter().enumerate() {
            for (other, also) in &pieces[..i] {
                if !used.touched.is_disjoint(&also.touched) && piece.meets(program, other) {
                    let changed = used.disturbs(also);
                    out.push(Sharing { dummy: piece.dummy, other: Some(other.dummy), changed });
                }
            }
            if !used.touched.is_disjoint(&direct.touched) && !self.proven_apart(program, callee, piece) {
                let changed = used.disturbs(&direct);
                out.push(Sharing { dummy: piece.dummy, other: None, changed });
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

    /// True when all references of a callee to the variable of an actual argument are to other elements.
    fn proven_apart(&self, program: &Program, callee: ProcId, piece: &Piece) -> bool {
        if piece.sequence.is_some() {
            return false;
        }
        let (mut seen, mut next, mut apart) = (vec![callee], 0, true);
        let constant = |d: &Designator| {
            d.parts.iter().all(|p| match p {
                Part::Component(_) | Part::Substring(..) => true,
                Part::Subscripts(list) => list.iter().all(|s| matches!(s, Subscript::Index(e) if e.as_int().is_some())),
            })
        };
        while let Some(&p) = seen.get(next) {
            next += 1;
            let body: &[Stmt] = self.bodies.get(&p).map(Vec::as_slice).unwrap_or_default();
            let mut look = |d: &Designator| {
                let same = d.sym == piece.actual.sym || overlap(program, d, &piece.actual) != Overlap::Apart;
                if same && !(constant(d) && overlap(program, d, &piece.actual) == Overlap::Apart) {
                    apart = false;
                }
            };
            for_each_stmt(body, &mut |s| {
                // An element that is passed on may stand for those behind it.
                let passed: &[Arg] = if let StmtKind::Call { args, .. } = &s.kind { args } else { &[] };
                passed.iter().filter_map(|a| a.value.as_var()).for_each(|d| look(&array_of(d)));
                for e in s.exprs() {
                    for_each_expr(e, &mut |x| match &x.kind {
                        ExprKind::Var(d) => look(d),
                        ExprKind::Call { callee: Callee::Proc { .. } | Callee::Bound { .. }, args } => {
                            args.iter().filter_map(|a| a.value.as_var()).for_each(|d| look(&array_of(d)));
                        }
                        _ => {}
                    });
                }
            });
            let more: BTreeSet<ProcId> = calls(program, body).into_iter().filter(|c| !seen.contains(c)).collect();
            seen.extend(more);
        }
        apart
    }
}
