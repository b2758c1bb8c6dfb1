//! Memory that a callee of a call reaches by more than one name: through two of its arguments, or through an argument and
//! a variable of a module, a common block or its host.
//!
//! Fortran allows that as long as nothing of it is assigned (15.5.2.14 of the 2023 standard, with exceptions for `value`,
//! `pointer` and `target`). Codes contain more; what isn't proven apart is reported here.

use costate_grammar::ir::{
    Arg, Callee, Designator, Dim, Expr, ExprKind, Part, ProcId, Program, Stmt, StmtId, StmtKind, Subscript, SymId,
    for_each_expr, for_each_stmt,
};

use super::known::Known;
use super::{CallMap, Effects, bind};
use crate::affine::{count, difference};
use crate::polynomial::is_not_negative;
use crate::storage::{LocSet, Overlap, Root, deciding, ends as picked, overlap, resolve, symbols, through_pointer};

/// What an actual argument gives to its dummy.
#[derive(Clone, Debug)]
pub struct Piece {
    /// The dummy.
    pub dummy: SymId,
    /// The reference that stands in the call.
    pub actual: Designator,
    /// An element that stands for itself and those that follow it in memory; their number, where it is known.
    pub sequence: Option<Option<Expr>>,
    /// Numbers of elements of the dummy, which has none if one of them isn't positive.
    extents: Vec<Expr>,
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
    /// Unequal subscripts would make the two different elements.
    pub decidable: bool,
}

impl Piece {
    /// Puts values in the place of variables among the subscripts.
    fn settle(&mut self, known: &Known) {
        let put = |e: &mut Expr| *e = known.settle(e);
        let subscripts = self.actual.parts.iter_mut().filter_map(|p| match p {
            Part::Subscripts(list) => Some(list),
            Part::Component(_) | Part::Substring(..) => None,
        });
        for s in subscripts.flatten() {
            match s {
                Subscript::Index(e) => put(e),
                Subscript::Range { lo, hi, step } => [lo, hi, step].into_iter().flatten().for_each(put),
            }
        }
        self.sequence.iter_mut().flatten().for_each(put);
        self.extents.iter_mut().for_each(put);
    }

    /// True unless the two pieces surely have no element in common.
    fn meets(&self, program: &Program, other: &Piece, known: &Known) -> bool {
        if self.sequence.is_none() && other.sequence.is_none() {
            match overlap(program, &self.actual, &other.actual) {
                Overlap::Apart => return false,
                Overlap::Same => return true,
                Overlap::Maybe => {}
            }
        }
        let (a, b) = (self.actual.array(), other.actual.array());
        match overlap(program, &a, &b) {
            Overlap::Apart => false,
            Overlap::Maybe => !self.differs(program, other, known),
            Overlap::Same if self.differs(program, other, known) => false,
            Overlap::Same => !(self.before(program, other, known) || other.before(program, self, known)),
        }
    }

    /// True for sections of an array that a subscript keeps apart, which is known to be another one.
    fn differs(&self, program: &Program, other: &Piece, known: &Known) -> bool {
        self.deciding(program, other).is_some_and(|(x, y)| {
            let (there, back) = (x.clone().sub(y.clone()), y.sub(x));
            known.not_zero.iter().any(|e| [&there, &back].into_iter().any(|gap| difference(gap, e) == Some(0)))
        })
    }

    /// The subscripts of two sections that make them different elements if they are unequal.
    fn deciding(&self, program: &Program, other: &Piece) -> Option<(Expr, Expr)> {
        let sections = self.sequence.is_none() && other.sequence.is_none();
        deciding(program, &self.actual, &other.actual).filter(|_| sections)
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
    fn before(&self, program: &Program, other: &Piece, known: &Known) -> bool {
        let Some(to) = other.position(program, known, |ends| ends.0) else { return false };
        let end = match &self.sequence {
            Some(Some(n)) => self.position(program, known, |ends| ends.0).map(|from| from.add(n.clone())),
            Some(None) => None,
            None => self.position(program, known, |ends| ends.1).map(|last| last.add(Expr::int(1))),
        };
        let Some(end) = end else { return false };
        // Pieces without elements meet nothing.
        let length = self.sequence.iter().flatten();
        let elements = self.extents.iter().chain(&other.extents).chain(length);
        let mut given: Vec<Expr> = elements.map(|n| n.clone().sub(Expr::int(1))).collect();
        given.extend(known.not_negative.iter().cloned());
        is_not_negative(&to.sub(end), &given)
    }

    /// How many elements of the array come before one of the piece, its first or its last one: of the least and the greatest
    /// that a subscript picks, `which` tells which.
    fn position(
        &self,
        program: &Program,
        known: &Known,
        which: impl Fn((Option<Expr>, Option<Expr>)) -> Option<Expr>,
    ) -> Option<Expr> {
        let Some(Part::Subscripts(list)) = self.actual.parts.last() else { return None };
        let array = self.actual.array();
        let v = resolve(program, array.sym, &array.path())?;
        let (mut begin, mut stride) = (Expr::int(0), Expr::int(1));
        for (k, s) in list.iter().enumerate() {
            let e = which(ends(s, v.dims.get(k)?, known))?;
            // Two pieces of one array of rank 1 begin as far apart as their subscripts are.
            if list.len() == 1 {
                return Some(e.clone());
            }
            let (lo, hi) = match v.dims.get(k)? {
                Dim::Explicit(lo, hi) => (lo, Some(hi)),
                Dim::AssumedSize(lo) => (lo, None),
                Dim::Assumed(_) | Dim::Deferred | Dim::AssumedRank => return None,
            };
            let lo = lo.clone().unwrap_or(Expr::int(1));
            if [Some(&lo), hi].into_iter().flatten().any(|e| !known.keeps(e)) {
                return None;
            }
            begin = begin.add(e.clone().sub(lo.clone()).mul(stride.clone()));
            if let Some(hi) = hi {
                stride = stride.mul(count(&lo, hi));
            }
        }
        Some(begin)
    }
}

/// The least and the greatest subscript that a section picks of a dimension.
fn ends(s: &Subscript, dim: &Dim, known: &Known) -> (Option<Expr>, Option<Expr>) {
    let (first, last) = match dim {
        Dim::Explicit(lo, hi) => (Some(lo.clone().unwrap_or(Expr::int(1))), Some(hi.clone())),
        Dim::AssumedSize(lo) | Dim::Assumed(lo) => (Some(lo.clone().unwrap_or(Expr::int(1))), None),
        Dim::Deferred | Dim::AssumedRank => (None, None),
    };
    let [first, last] = [first, last].map(|e| e.filter(|e| known.keeps(e)));
    let Some((least, greatest)) = picked(s) else { return (None, None) };
    (least.cloned().or(first), greatest.cloned().or(last))
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

/// The number of elements of an array, where its shape is explicit.
pub fn elements(dims: &[Dim]) -> Option<Expr> {
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
        let scope = program[callee].scope;
        let in_caller = |e: &Expr| {
            let e = map.in_caller(e);
            let outside = caller != callee && symbols(&e).iter().all(|s| program[*s].scope != scope);
            outside.then_some(e)
        };
        let sequence = follows.then(|| {
            if let Some(told) = self.told_length(program, map, callee, dummy) {
                return Some(told);
            }
            let length = match dims.as_slice() {
                [leading @ .., Dim::AssumedSize(lo)] => {
                    let last = self.last_element(program, callee, dummy)?;
                    let last = Dim::Explicit(lo.clone(), last);
                    elements(&[leading, &[last]].concat())?
                }
                dims => elements(dims)?,
            };
            in_caller(&length)
        });
        let extents = dims.iter().filter(|_| follows).filter_map(|d| match d {
            Dim::Explicit(lo, hi) => in_caller(&count(lo.as_ref().unwrap_or(&Expr::int(1)), hi)),
            _ => None,
        });
        let extents = extents.collect();
        Some(Piece { dummy, actual: d, sequence, extents })
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
        let known = self.known_at(program, caller, call);
        pieces.iter_mut().for_each(|(piece, _)| piece.settle(&known));
        let mut out = Vec::new();
        // How far a procedure without source goes isn't known. What it changes it has by one name, as Fortran asks for.
        let declared = self.externals.contains_key(&callee);
        let relied_on = |a: &Piece, b: &Piece| declared && a.actual != b.actual;
        for (i, (piece, used)) in pieces.iter().enumerate() {
            for (other, also) in &pieces[..i] {
                if used.disturbs(also) && relied_on(piece, other) {
                    continue;
                }
                if !used.touched.is_disjoint(&also.touched)
                    && piece.meets(program, other, &known)
                    && !self.are_apart(program, (caller, call), &piece.actual, &other.actual)
                {
                    let decidable = piece.deciding(program, other).is_some();
                    let changed = used.disturbs(also);
                    out.push(Sharing { dummy: piece.dummy, other: Some(other.dummy), changed, decidable });
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
            out.push(Sharing { dummy: piece.dummy, other: None, changed, decidable: false });
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
            let body: &[Stmt] = self.bodies.get(&p).map(|b| b.as_slice()).unwrap_or_default();
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
