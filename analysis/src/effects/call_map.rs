//! What a callee's variables are at a call site.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::rc::Rc;

use costate_grammar::ir::{Arg, Base, Designator, Dim, Expr, Intent, Name, ProcId, ProcKind, Program, SymId, Variable};

use super::{Effects, bind, outlives};
use crate::affine::{count, difference};
use crate::loops::substitute;
use crate::operands::differentiable_operands;
use crate::storage::{Loc, LocBits, LocId, Root, canonical, resolve, symbols};

/// Maps a callee's locations to a call site's.
pub struct CallMap {
    by_sym: BTreeMap<SymId, Option<Designator>>,
    /// What the value of an expression among the actual arguments depends on, by dummy.
    operands: BTreeMap<SymId, Vec<Designator>>,
    /// Integers and characters among the actual arguments, by dummy.
    scalars: BTreeMap<SymId, Expr>,
    proc: ProcId,
    /// What has been mapped already: many outputs of a call have the same inputs.
    known: RefCell<BTreeMap<LocId, Rc<[LocId]>>>,
}

/// A path with more components of one name goes down in objects that hold objects of their own type.
const REPEATED: usize = 3;

impl CallMap {
    /// The map of one call; `result` is what takes a function's value.
    pub fn new(program: &Program, proc: ProcId, args: &[Arg], result: Option<&Expr>) -> CallMap {
        let p = &program[proc];
        let (mut by_sym, mut scalars) = (BTreeMap::new(), BTreeMap::new());
        let mut operands = BTreeMap::new();
        for (dummy, actual) in p.dummies.iter().zip(bind(program, p, args)) {
            by_sym.insert(*dummy, actual.and_then(|e| e.as_var()).cloned());
            if let Some(e) = actual.filter(|e| e.as_var().is_none()) {
                operands.insert(*dummy, differentiable_operands(e).into_iter().cloned().collect());
            }
            let told = |e: &&Expr| matches!(e.ty.base, Base::Integer | Base::Character) && e.rank == 0;
            scalars.extend(actual.filter(told).map(|e| (*dummy, e.clone())));
        }
        if let ProcKind::Function(r) = p.kind {
            by_sym.insert(r, result.and_then(|e| e.as_var()).cloned());
        }
        CallMap { by_sym, operands, scalars, proc, known: RefCell::default() }
    }

    /// True for a path that a recursive procedure makes longer and longer: what it leads to is refused.
    fn is_endless(&self, effects: &mut Effects, path: &[Name]) -> bool {
        let endless = path.iter().any(|n| path.iter().filter(|m| *m == n).count() > REPEATED);
        if endless {
            effects.endless.get_or_insert(self.proc);
        }
        endless
    }

    /// The caller's locations of a callee's.
    pub fn locs(&self, effects: &mut Effects, program: &Program, callee: LocId) -> Vec<LocId> {
        self.shared(effects, program, callee).to_vec()
    }

    fn shared(&self, effects: &mut Effects, program: &Program, callee: LocId) -> Rc<[LocId]> {
        if let Some(known) = self.known.borrow().get(&callee) {
            return Rc::clone(known);
        }
        let locs: Rc<[LocId]> = self.find_locs(effects, program, callee).into();
        self.known.borrow_mut().insert(callee, Rc::clone(&locs));
        locs
    }

    /// The caller's locations of several of a callee's whose values are used; for an expression, those of its operands.
    pub fn all_locs(&self, effects: &mut Effects, program: &Program, callee: &LocBits) -> LocBits {
        let mut out = LocBits::default();
        for l in callee.iter() {
            out.extend(self.shared(effects, program, l).iter().copied());
            let sym = effects.locs.get(l).sym;
            for d in self.operands.get(&sym).into_iter().flatten() {
                let leaves = effects.locs.of(program, d);
                out.extend(leaves.into_iter().filter(|l| effects.locs.is_continuous(program, *l)));
            }
        }
        out
    }

    fn find_locs(&self, effects: &mut Effects, program: &Program, callee: LocId) -> Vec<LocId> {
        let Loc { sym, path, root, association } = effects.locs.get(callee).clone();
        match self.by_sym.get(&sym).filter(|_| root == Root::Variable) {
            Some(Some(d)) => {
                let path: Vec<_> = d.path().into_iter().chain(path).collect();
                if self.is_endless(effects, &path) {
                    return Vec::new();
                }
                if association {
                    // A target that is passed for a pointer has no association.
                    return effects.locs.association(program, d.sym, &path);
                }
                effects.locs.leaves(program, d.sym, &path)
            }
            _ => self.place(effects, program, callee).into_iter().collect(),
        }
    }

    /// The caller's variable or component that stands for a callee's.
    pub(super) fn place(&self, effects: &mut Effects, program: &Program, callee: LocId) -> Option<LocId> {
        let Loc { sym, path, root, .. } = effects.locs.get(callee).clone();
        match self.by_sym.get(&sym).filter(|_| root == Root::Variable) {
            Some(Some(d)) => {
                let path: Vec<_> = d.path().into_iter().chain(path).collect();
                let path = canonical(program, d.sym, &path);
                if self.is_endless(effects, &path) {
                    return None;
                }
                Some(effects.locs.id(Loc::named(d.sym, path)))
            }
            Some(None) => None,
            None if root != Root::Variable => Some(callee),
            None => outlives(program, self.proc, sym).then_some(callee),
        }
    }

    /// True when a callee that replaces a location replaces all of the caller's.
    pub(super) fn replaces(&self, effects: &Effects, program: &Program, callee: LocId) -> bool {
        let Loc { sym, path, root, association } = effects.locs.get(callee).clone();
        match self.by_sym.get(&sym).filter(|_| root == Root::Variable) {
            Some(Some(d)) if association => {
                let path: Vec<_> = d.path().into_iter().chain(path).collect();
                effects.covers_pointer(program, d, &path)
            }
            Some(Some(d)) => effects.replaces(program, d) && self.same_extents(program, sym, d),
            Some(None) => false,
            None => true,
        }
    }

    /// True when a dummy is as large as the variable that is passed for it.
    fn same_extents(&self, program: &Program, dummy: SymId, actual: &Designator) -> bool {
        let Some((dummy, actual)) = program.var(dummy).zip(resolve(program, actual.sym, &actual.path())) else {
            return false;
        };
        let extent = |lo: &Option<Expr>, hi: &Expr| count(lo.as_ref().unwrap_or(&Expr::int(1)), hi);
        let same = |d: &Dim, a: Option<&Dim>| match (d, a) {
            (Dim::Assumed(_) | Dim::Deferred, _) => true,
            (Dim::Explicit(lo, hi), Some(Dim::Explicit(first, last))) => {
                let [lo, hi] = [lo.clone(), Some(hi.clone())].map(|e| e.map(|e| self.in_caller(&e)));
                let (taken, given) = (hi.map(|hi| extent(&lo, &hi)), extent(first, last));
                taken.is_some_and(|t| {
                    difference(&t, &given) == Some(0) && [&t, &given].iter().all(|e| self.settled(program, e))
                })
            }
            _ => false,
        };
        let like_dummy = dummy.dims.iter().all(|d| matches!(d, Dim::Assumed(_) | Dim::Deferred));
        (like_dummy || dummy.dims.len() == actual.dims.len())
            && dummy.dims.iter().enumerate().all(|(k, d)| same(d, actual.dims.get(k)))
    }

    /// An expression in the callee's dummies, in the caller's terms.
    pub fn in_caller(&self, e: &Expr) -> Expr {
        let used = symbols(e);
        self.scalars.iter().filter(|(s, _)| used.contains(s)).fold(e.clone(), |e, (s, by)| substitute(&e, *s, by))
    }

    /// True when the caller's expression has one value throughout.
    fn settled(&self, program: &Program, e: &Expr) -> bool {
        let constant = |s: &SymId| {
            let own = program[*s].scope == program[self.proc].scope;
            let fixed = |v: &Variable| v.attrs.parameter || v.intent == Some(Intent::In);
            !own && program.var(*s).is_some_and(fixed)
        };
        symbols(e).iter().all(constant)
    }
}
