//! What goes from the forward half of an adjoint to its backward half, through the record that both have as a dummy.

use std::collections::{BTreeMap, BTreeSet};

use costate_analysis::effects::{finals_of, outlives, within};
use costate_analysis::storage::{self, LocId, LocSet, holds_allocatables};
use costate_grammar::ir::{
    Base, Block, Designator, Dim, Expr, ExprKind, Name, Part, Program, Role, ScopeId, Stmt, SymId, Ty, Variable,
};
use costate_grammar::lower::{Const, fold};

use crate::remap::mentioned;
use crate::reverse::Reverse;
use crate::runtime;

/// Why a procedure's adjoint has no halves.
pub(in crate::reverse) type Refusal = &'static str;

const ADJOINTS: Refusal = "the procedure's forward sweep handles adjoints of its arguments";
const SIZE: Refusal = "the procedure changes an array whose size isn't known";

/// How a variable goes through the record.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(in crate::reverse) enum Way {
    /// Its memory does.
    Move,
    /// Its memory does, for which it becomes allocatable.
    Own,
    /// Its value does.
    Copy,
    /// It is nothing but a component.
    Component,
}

/// A variable, or a component of one, that goes through the record.
pub(in crate::reverse) struct Crossing {
    /// The variable.
    pub sym: SymId,
    /// Components on the way to what is kept of it.
    pub path: Vec<Name>,
    /// How it goes.
    pub way: Way,
}

impl Crossing {
    /// What its component of the record is called, where nothing else is.
    pub(in crate::reverse) fn name(&self, program: &Program) -> String {
        let path = self.path.iter().map(Name::as_str);
        std::iter::once(program[self.sym].name.as_str()).chain(path).collect::<Vec<_>>().join("_")
    }

    /// A reference to it.
    pub(in crate::reverse) fn reference(&self, program: &Program) -> Expr {
        let parts = self.path.iter().cloned().map(Part::Component).collect();
        let (ty, rank) = self.declared(program).map_or((Ty::NONE, 0), |v| (v.ty, v.rank()));
        Expr::new(ExprKind::Var(Designator { sym: self.sym, parts }), ty, rank)
    }

    /// Its declaration.
    pub(in crate::reverse) fn declared<'p>(&self, program: &'p Program) -> Option<&'p Variable> {
        storage::resolve(program, self.sym, &self.path)
    }
}

impl Reverse<'_, '_> {
    /// The variables that go through a record, or that would have to go through one.
    pub(in crate::reverse) fn crossing(
        &mut self,
        used: &LocSet,
        (forward, backward): (&Block, &Block),
        record: bool,
    ) -> Result<Vec<Crossing>, Refusal> {
        let (mut before, mut after) = (BTreeSet::new(), BTreeSet::new());
        mentioned(forward, &mut before);
        mentioned(backward, &mut after);
        let foreign = |p: &SymId| outlives(self.b.program, self.b.primal, *p);
        let mut adjoints =
            self.b.shadow.iter().filter(|(p, _)| foreign(p)).map(|(_, s)| s).chain(self.b.globals.values());
        if adjoints.any(|s| before.contains(s)) {
            return Err(ADJOINTS);
        }
        let symbols: BTreeSet<SymId> = used.iter().map(|l| self.effects.locs.get(*l).sym).collect();
        let written = self.effects.summaries.get(&self.b.primal).map(|s| s.access.writes.clone()).unwrap_or_default();
        let mut lost: BTreeMap<SymId, Vec<LocId>> = BTreeMap::new();
        for l in written.intersection(used) {
            lost.entry(self.effects.locs.get(*l).sym).or_default().push(*l);
        }
        let shadows: BTreeSet<SymId> = self.b.shadow.values().copied().collect();
        let mut out = Vec::new();
        for sym in symbols.iter().chain(&after).copied().collect::<BTreeSet<_>>() {
            let Some(v) = self.b.program.var(sym).filter(|v| !v.attrs.parameter) else { continue };
            let both = before.contains(&sym) && after.contains(&sym);
            let foreign = !self.b.made.contains(&sym) && outlives(self.b.program, self.b.primal, sym);
            // Compilers fail at components that are arrays of objects with final procedures, unless they are allocatable.
            let array = v.ty.base != Base::Character && !v.dims.is_empty();
            let own = array && (!self.is_fixed(v) || !finals_of(self.b.program, v.ty).is_empty());
            let local = if own { Way::Own } else { Way::Copy };
            let way = if foreign {
                let Some(parts) = lost.get(&sym).filter(|_| !self.stays_with_callers(sym, record)) else { continue };
                if v.dims.iter().any(|d| matches!(d, Dim::AssumedSize(_) | Dim::AssumedRank)) {
                    return Err(SIZE);
                }
                if let Some(paths) = self.plain_components(sym, parts) {
                    out.extend(paths.into_iter().map(|path| Crossing { sym, path, way: Way::Copy }));
                    continue;
                }
                Some(Way::Copy)
            } else if v.rank() == 0 && (self.records.contains(&sym) || runtime::is_tape(self.b.program, sym)) {
                both.then_some(Way::Component)
            } else if v.attrs.pointer && self.b.made.contains(&sym) {
                // What stacks of records are taken apart with.
                None
            } else if v.attrs.allocatable {
                both.then_some(Way::Move)
            } else {
                // The forward sweep gives memory to components of adjoints, and the backward half frees the memory of
                // components and asks for their bounds.
                let holds = holds_allocatables(self.b.program, v.ty);
                let crosses = holds || shadows.contains(&sym) || symbols.contains(&sym);
                (both && crosses).then_some(local)
            };
            out.extend(way.map(|way| Crossing { sym, path: Vec::new(), way }));
        }
        Ok(out)
    }

    /// The memory that goes through the record.
    pub(in crate::reverse) fn leaves_that_cross(&mut self, kept: &Crossing) -> Vec<LocId> {
        self.effects.locs.leaves(self.b.program, kept.sym, &kept.path)
    }

    /// The components of an object that hold `parts` of it, where each can be named and copied by itself: numbers and truth
    /// values, and arrays of these. The others of the object aren't copied with them, and its dynamic type doesn't matter.
    fn plain_components(&self, sym: SymId, parts: &[LocId]) -> Option<Vec<Vec<Name>>> {
        let program = &*self.b.program;
        let plain = |v: &Variable| v.rank() == 0 && !v.attrs.allocatable && !v.attrs.pointer;
        let object = |v: &Variable| matches!(v.ty.base, Base::Derived(_) | Base::Class(_)) && plain(v);
        let number = |v: &Variable| {
            let fixed = v.attrs.allocatable || self.is_fixed(v);
            matches!(v.ty.base, Base::Integer | Base::Real | Base::Complex | Base::Logical) && fixed && !v.attrs.pointer
        };
        let home = program[sym].scope;
        let mut out = BTreeSet::new();
        for part in parts {
            let loc = self.effects.locs.get(*part);
            let (last, way) = loc.path.split_last().filter(|_| loc.is_named())?;
            let mut at = program.var(sym)?;
            for name in way.iter().chain([last]) {
                let (ty, component) = program.component_with_owner(at.ty.derived().filter(|_| object(at))?, name)?;
                if component.attrs.private && !within(program, home, program[ty].scope) {
                    return None;
                }
                at = component;
            }
            if !number(at) {
                return None;
            }
            out.insert(loc.path.clone());
        }
        Some(out.into_iter().collect())
    }

    /// True for an argument whose last value is left to callers to bring back: they save it where they overwrite it, and most
    /// have it still when the backward half runs. A record that there is anyway takes what is small.
    fn stays_with_callers(&self, sym: SymId, record: bool) -> bool {
        let (program, scene) = (&*self.b.program, self.b.scene());
        let plain = |v: &Variable| {
            let memory = v.attrs.allocatable || v.attrs.pointer || v.attrs.value;
            !memory
                && v.ty.derived().is_none()
                && !matches!(v.ty.base, Base::Character | Base::Class(_) | Base::Unlimited)
        };
        program[self.b.primal].dummies.contains(&sym)
            && if record {
                scene.plain_array(sym)
            } else {
                program.var(sym).is_some_and(plain) && !scene.has_other_names(sym)
            }
    }

    /// The declaration of a component of the record, which is in `module`.
    pub(in crate::reverse) fn component(&self, kept: &Crossing, module: ScopeId) -> Option<Variable> {
        let (program, way) = (&*self.b.program, kept.way);
        let v = kept.declared(program)?;
        let known = v.spelling_uses.iter().all(|s| program.var(*s).is_none_or(|v| v.attrs.parameter));
        let lasting = known && program.spelling_holds(module, v);
        let mut out = Variable::scalar(v.ty, if lasting { v.spelling.clone() } else { program.spell(v.ty) });
        if lasting {
            out.spelling_uses.clone_from(&v.spelling_uses);
        }
        out.attrs.allocatable = v.attrs.allocatable;
        out.attrs.pointer = v.attrs.pointer;
        match v.ty.base {
            Base::Derived(t) => {
                if !costate_analysis::storage::is_global(program, t) {
                    return None;
                }
                if !out.spelling_uses.contains(&t) {
                    out.spelling_uses.push(t);
                }
            }
            Base::Character if !lasting || v.spelling.contains(['*', ':']) => {
                if way != Way::Copy || v.rank() > 0 {
                    return None;
                }
                out.spelling = program.spell(v.ty);
                out.spelling_uses.clear();
                out.attrs.allocatable = true;
            }
            Base::Class(_) | Base::Unlimited | Base::None => return None,
            _ => {}
        }
        if way == Way::Copy && self.is_fixed(v) {
            let number = |e: &Expr| match fold(program, e) {
                Some(Const::Int(n)) => Expr::int(n),
                _ => e.clone(),
            };
            let plain = |d: &Dim| match d {
                Dim::Explicit(lo, hi) => Dim::Explicit(lo.as_ref().map(number), number(hi)),
                other => other.clone(),
            };
            out.dims = v.dims.iter().map(plain).collect();
        } else {
            out.dims = vec![Dim::Deferred; v.dims.len()];
            out.attrs.allocatable |= !v.dims.is_empty();
        }
        Some(out)
    }

    /// True for a variable whose bounds are constants.
    fn is_fixed(&self, v: &Variable) -> bool {
        let constant = |e: &Expr| matches!(fold(self.b.program, e), Some(Const::Int(_)));
        v.dims.iter().all(|d| match d {
            Dim::Explicit(lo, hi) => lo.as_ref().is_none_or(constant) && constant(hi),
            Dim::Assumed(_) | Dim::Deferred | Dim::AssumedSize(_) | Dim::AssumedRank => false,
        })
    }

    /// Hands what crosses over to the record (`Role::Save`) or back from `place` in it, where there is something.
    pub(in crate::reverse) fn hand_over(&mut self, kept: &Crossing, place: &Expr, anchor: &Stmt, role: Role) -> Stmt {
        let own = kept.reference(self.b.program);
        let (from, to) = if role == Role::Save { (&own, place) } else { (place, &own) };
        if matches!(kept.way, Way::Move | Way::Own) {
            return self.move_memory(from, to, anchor, role);
        }
        let mut out = self.b.assign(to.clone(), from.clone(), anchor, role);
        if kept.declared(self.b.program).is_some_and(|v| v.attrs.allocatable) {
            out = self.when(from.allocated(), vec![out], anchor);
        }
        if let Some(present) = self.presence(&own) {
            out = self.when(present, vec![out], anchor);
        }
        out
    }
}
