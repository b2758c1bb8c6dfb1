//! Actual arguments against the dummies of a procedure whose interface is known.

use super::exprs::{Exprs, differ};
use crate::ir::{Arg, Base, Callee, Dim, Expr, ExprKind, Intent, ParentUnit, Part, ProcId, ProcKind, SymId, Variable};

impl Exprs<'_, '_> {
    /// Looks at a call of a subroutine.
    pub(super) fn subroutine(&mut self, callee: &Callee, args: &[Arg]) {
        let Callee::Proc { sym, .. } = callee else { return };
        let Some(info) = self.program[*sym].procedure() else { return };
        let Some(p) = info.definition.or(info.interface) else { return };
        if matches!(self.program[p].kind, ProcKind::Function(_)) {
            self.amiss(format!("the function `{}` is called as a subroutine", self.program[p].name));
        }
        self.arguments(p, args);
    }

    /// Compares the arguments of a call with the dummies.
    pub(super) fn arguments(&mut self, p: ProcId, args: &[Arg]) {
        let proc = &self.program[p];
        let mut given: Vec<Option<&Expr>> = vec![None; proc.dummies.len()];
        for (i, a) in args.iter().enumerate() {
            let at = match &a.keyword {
                Some(k) => proc.dummies.iter().position(|d| self.program[*d].name == *k),
                None => Some(i),
            };
            match at.and_then(|at| given.get_mut(at)) {
                Some(place) if place.is_none() => *place = Some(&a.value),
                Some(_) => return self.amiss(format!("two arguments of `{}` are for one dummy", proc.name)),
                None => return self.amiss(format!("`{}` has no dummy for each argument", proc.name)),
            }
        }
        for (dummy, actual) in proc.dummies.clone().into_iter().zip(given) {
            match actual {
                Some(e) => self.argument(p, dummy, e),
                None => {
                    let optional = self.program.var(dummy).is_none_or(|v| v.attrs.optional);
                    if !optional {
                        let name = &self.program[dummy].name;
                        self.amiss(format!("a call of `{}` lacks an argument for `{name}`", self.program[p].name));
                    }
                }
            }
        }
    }

    fn argument(&mut self, p: ProcId, dummy: SymId, e: &Expr) {
        let (proc, name) = (&self.program[p], &self.program[dummy].name);
        let Some(v) = self.program.var(dummy) else { return };
        if matches!(e.kind, ExprKind::Opaque(_) | ExprKind::ProcRef(_)) || e.is_null() {
            return;
        }
        // Without an interface, storage is what counts, and older code makes use of that.
        let explicit = !matches!(proc.parent, ParentUnit::File(_));
        if explicit && differ(v.ty, e.ty) && !matches!(e.kind, ExprKind::Boz(_)) {
            let (a, d) = (self.shown(e.ty, e.rank), self.shown(v.ty, v.rank()));
            return self.wrong(e, format!("it is {a}, and the dummy `{name}` of `{}` is {d}", proc.name));
        }
        if explicit && !proc.prefix.elemental && !self.shapes_agree(v, e) {
            self.wrong(
                e,
                format!("it has rank {}, and the dummy `{name}` of `{}` has {}", e.rank, proc.name, v.rank()),
            );
        }
        if matches!(v.intent, Some(Intent::Out | Intent::InOut)) && !self.definable(e) {
            self.wrong(e, format!("`{}` defines it as `{name}`, and it can't be defined", proc.name));
        }
        let found = self.reference(e);
        if v.attrs.allocatable && found.is_none_or(|f| !f.attrs().allocatable) {
            self.wrong(e, format!("the dummy `{name}` of `{}` is allocatable, and this isn't", proc.name));
        }
    }

    fn shapes_agree(&self, v: &Variable, e: &Expr) -> bool {
        let element = || {
            let part = e.as_var().and_then(|d| d.parts.last());
            matches!(part, Some(Part::Subscripts(_) | Part::Substring(..))) || e.ty.base == Base::Character
        };
        match v.dims.first() {
            None => e.rank == 0,
            Some(Dim::AssumedRank) => true,
            Some(Dim::Assumed(_) | Dim::Deferred) => e.rank == v.rank(),
            Some(Dim::Explicit(..) | Dim::AssumedSize(_)) => e.rank > 0 || element(),
        }
    }

    /// True for what may be assigned, or isn't known.
    pub(super) fn definable(&self, e: &Expr) -> bool {
        match &e.kind {
            ExprKind::Var(d) => self.program.var(d.sym).is_none_or(|v| !v.attrs.parameter),
            // A function may return a pointer.
            ExprKind::Call { .. } | ExprKind::Opaque(_) => true,
            _ => false,
        }
    }
}
