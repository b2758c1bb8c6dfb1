//! Resolution of generics, defined operators and type-bound procedures.

use super::call::Actual;
use super::uses::operator_key;
use super::{Ctx, Lowerer};
use crate::cst::Node;
use crate::diag::Code;
use crate::ir::{
    Arg, Attrs, Base, Binding, BindingName, Callee, Dim, Expr, ExprKind, GenericSpec, Name, ProcId, SymId, SymbolKind,
    Ty,
};
use crate::source::Span;

/// How well actual arguments fit dummies; more is better.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Fit {
    /// Only if an argument whose type isn't known has the right one.
    Guess,
    /// An array element begins an array, or the like.
    Sequence,
    Elemental,
    Exact,
}

impl<'t> Lowerer<'t> {
    /// `f(args)` where `f` is generic.
    pub(super) fn generic_reference(
        &mut self,
        ctx: Ctx<'t>,
        n: Node<'t>,
        generic: SymId,
        spec: &GenericSpec,
        actual: Vec<Actual<'t>>,
    ) -> Expr {
        let values: Vec<Arg> = actual.iter().map(Actual::to_arg).collect();
        if let Some(sym) = self.resolve(&spec.specifics, &values) {
            let mut e = self.procedure_reference(ctx, n, sym, actual);
            if let ExprKind::Call { callee: Callee::Proc { generic: g, .. }, .. } = &mut e.kind {
                *g = Some(generic);
            }
            return e;
        }
        if let Some(ty) = spec.derived {
            return Expr::new(ExprKind::StructCtor { ty, args: values }, Ty::new(Base::Derived(ty), 0), 0);
        }
        if let Some(f) = spec.intrinsic {
            return self.intrinsic_call(ctx, f, actual);
        }
        self.no_specific(ctx, n, generic);
        // The type is that of all specifics where they agree.
        let types: Vec<(Ty, u8)> = spec.specifics.iter().filter_map(|s| self.result_of(*s)).collect();
        let ty = types.first().filter(|t| types.iter().all(|u| u == *t)).copied().unwrap_or((Ty::NONE, 0));
        let callee = Callee::Proc { sym: generic, generic: Some(generic), operator: None };
        Expr::new(ExprKind::Call { callee, args: values }, ty.0, ty.1)
    }

    pub(super) fn no_specific(&mut self, ctx: Ctx<'t>, n: Node<'t>, generic: SymId) {
        let name = self.program[generic].name.clone();
        self.problem_at(ctx, Code::NoSpecific, n, format!("no specific procedure of `{name}` takes these arguments"));
    }

    /// The specific that takes the arguments.
    pub(super) fn resolve(&mut self, specifics: &[SymId], args: &[Arg]) -> Option<SymId> {
        self.resolve_within(specifics, args, 0)
    }

    fn resolve_within(&mut self, specifics: &[SymId], args: &[Arg], depth: u32) -> Option<SymId> {
        let mut best: Option<(Fit, SymId)> = None;
        for &s in specifics {
            // A generic may list another one (a specific of the same name as its generic).
            if let SymbolKind::Generic(g) = &self.program[s].kind {
                let inner = g.specifics.clone();
                // Generics that list each other would never end.
                if depth < 4
                    && let Some(found) = self.resolve_within(&inner, args, depth + 1)
                {
                    return Some(found);
                }
                continue;
            }
            let Some(info) = self.program[s].procedure() else { continue };
            let Some(p) = info.interface.or(info.definition) else { continue };
            self.ensure_procedure(p);
            if let Some(fit) = self.fit(p, args)
                && best.is_none_or(|(b, _)| fit > b)
            {
                best = Some((fit, s));
            }
        }
        best.map(|(_, s)| s)
    }

    /// Do the arguments fit a procedure's dummies?
    fn fit(&self, p: ProcId, args: &[Arg]) -> Option<Fit> {
        let proc = &self.program[p];
        if args.len() > proc.dummies.len() {
            return None;
        }
        let mut given: Vec<Option<&Expr>> = vec![None; proc.dummies.len()];
        for (i, a) in args.iter().enumerate() {
            let at = match &a.keyword {
                Some(k) => proc.dummies.iter().position(|d| self.program[*d].name == *k)?,
                None => i,
            };
            given[at] = Some(&a.value);
        }
        let mut worst = Fit::Exact;
        for (dummy, value) in proc.dummies.iter().zip(given) {
            let fit = match value {
                Some(e) => self.fit_argument(*dummy, e, proc.prefix.elemental)?,
                None if self.attrs(*dummy).optional => Fit::Exact,
                None => return None,
            };
            worst = worst.min(fit);
        }
        Some(worst)
    }

    fn attrs(&self, sym: SymId) -> Attrs {
        self.program.var(sym).map_or_else(
            // An optional dummy procedure keeps no attributes; taking it as optional only widens the search.
            || Attrs { optional: self.program[sym].procedure().is_some(), ..Attrs::default() },
            |v| v.attrs,
        )
    }

    fn fit_argument(&self, dummy: SymId, e: &Expr, elemental: bool) -> Option<Fit> {
        let procedure = matches!(e.kind, ExprKind::ProcRef(_));
        let Some(v) = self.program.var(dummy) else {
            return if procedure || e.ty == Ty::NONE { Some(Fit::Exact) } else { None };
        };
        if procedure {
            return None;
        }
        let ty = self.fit_type(v.ty, e.ty)?;
        if matches!(v.dims.first(), Some(Dim::AssumedRank)) || e.rank == v.rank() {
            return Some(ty);
        }
        if e.ty == Ty::NONE {
            return Some(Fit::Guess);
        }
        if elemental && v.dims.is_empty() {
            return Some(ty.min(Fit::Elemental));
        }
        // Sequence association: an element, or an array of another rank, for an explicit-shape or assumed-size dummy.
        let sequence = matches!(v.dims.first(), Some(Dim::Explicit(..) | Dim::AssumedSize(_)))
            && !v.attrs.allocatable
            && !v.attrs.pointer
            && e.as_var().is_some();
        if sequence { Some(ty.min(Fit::Sequence)) } else { None }
    }

    fn fit_type(&self, dummy: Ty, actual: Ty) -> Option<Fit> {
        match (dummy.base, actual.base) {
            (_, Base::None) | (Base::None, _) => Some(Fit::Guess),
            (Base::Unlimited, _) => Some(Fit::Exact),
            (_, Base::Unlimited) => None,
            (Base::Derived(a), Base::Derived(b) | Base::Class(b)) => (a == b).then_some(Fit::Exact),
            (Base::Class(a), Base::Derived(b) | Base::Class(b)) if a == b => Some(Fit::Exact),
            // An extension fits less well than the type itself.
            (Base::Class(a), Base::Derived(b) | Base::Class(b)) => self.program.extends(b, a).then_some(Fit::Elemental),
            (a, b) => (a == b && dummy.kind == actual.kind).then_some(Fit::Exact),
        }
    }

    /// A defined operator on its operands; they come back when there is none.
    pub(super) fn defined_operator(
        &mut self,
        ctx: Ctx<'t>,
        spelt: &str,
        args: Vec<Arg>,
        span: Span,
    ) -> Result<Expr, Vec<Arg>> {
        let Some((sym, generic)) = self.find_operator(ctx, &operator_key(spelt), &args) else { return Err(args) };
        let (ty, mut rank) = self.result_of(sym).unwrap_or((Ty::NONE, 0));
        if self.is_elemental(sym) {
            rank = rank.max(args.iter().map(|a| a.value.rank).max().unwrap_or(0));
        }
        let callee = Callee::Proc { sym, generic, operator: Some(spelt.to_string()) };
        Ok(Expr { span, ..Expr::new(ExprKind::Call { callee, args }, ty, rank) })
    }

    /// The specific of a generic operator or assignment: of a generic in scope, or bound to the type of an operand.
    pub(super) fn find_operator(&mut self, ctx: Ctx<'t>, key: &Name, args: &[Arg]) -> Option<(SymId, Option<SymId>)> {
        // Generics of all hosts count: an inner one extends the outer.
        let mut at = Some(ctx.scope);
        while let Some(scope) = at {
            if let Some(&g) = self.program[scope].names.get(key)
                && let SymbolKind::Generic(spec) = &self.program[g].kind
            {
                let specifics = spec.specifics.clone();
                if let Some(sym) = self.resolve(&specifics, args) {
                    return Some((sym, Some(g)));
                }
            }
            at = self.program[scope].parent;
        }
        for a in args {
            let Some(t) = a.value.ty.derived() else { continue };
            let candidates: Vec<SymId> = self.specifics(t, key).into_iter().map(|(sym, _)| sym).collect();
            if let Some(sym) = self.resolve(&candidates, args) {
                return Some((sym, None));
            }
        }
        None
    }

    pub(super) fn is_elemental(&self, sym: SymId) -> bool {
        let info = self.program[sym].procedure();
        info.and_then(|i| i.interface.or(i.definition)).is_some_and(|p| self.program[p].prefix.elemental)
    }

    /// The specific procedures that a name means for objects of a type, each with its binding.
    fn specifics(&self, t: SymId, name: &str) -> Vec<(SymId, Binding)> {
        let found = self.program.specific_bindings(t, name).into_iter();
        found.filter_map(|(owner, b)| Some((self.program.bound_procedure(owner, b)?, b.clone()))).collect()
    }

    /// What `object%name` calls: the procedure whose interface the call has, and the callee.
    pub(super) fn bound_target(&mut self, object: Expr, t: SymId, name: &str, args: &[Arg]) -> (Option<SymId>, Callee) {
        let key = Name::new(name);
        let (interface, specific, resolved) = self.bound_procedure(&object, t, &key, args);
        (
            interface,
            Callee::Bound {
                object: Box::new(object),
                binding: Box::new(BindingName { name: key, specific }),
                resolved,
            },
        )
    }

    /// The procedure whose interface such a call has, the binding that a generic name stands for, and the procedure that is
    /// known to be called.
    fn bound_procedure(
        &mut self,
        object: &Expr,
        t: SymId,
        name: &Name,
        args: &[Arg],
    ) -> (Option<SymId>, Option<Name>, Option<SymId>) {
        if let Some((owner, pointed)) = self.program.procedure_component(t, name) {
            return (self.program.bound_procedure(owner, pointed), None, None);
        }
        let candidates = self.specifics(t, name);
        let generic = self.program.binding(t, name).is_some_and(|(_, b)| b.generic);
        let chosen =
            if generic { self.specific_binding(object, candidates, args) } else { candidates.into_iter().next() };
        let Some((sym, binding)) = chosen else { return (None, None, None) };
        let dynamic = matches!(object.ty.base, Base::Class(_));
        // All files are known, so a binding that no extension overrides is certain even for `class`.
        let known = !binding.deferred && (!dynamic || !self.program.overridden(t, &binding.name));
        (Some(sym), generic.then_some(binding.name), known.then_some(sym))
    }

    /// The one of a generic's bindings whose procedure takes the arguments, and the object in its place among them.
    fn specific_binding(
        &mut self,
        object: &Expr,
        candidates: Vec<(SymId, Binding)>,
        args: &[Arg],
    ) -> Option<(SymId, Binding)> {
        let mut best: Option<(Fit, (SymId, Binding))> = None;
        for (sym, binding) in candidates {
            let Some(p) = self.program[sym].procedure().and_then(|i| i.interface.or(i.definition)) else { continue };
            self.ensure_procedure(p);
            let all = self.program.with_object(&binding, sym, object, args);
            if let Some(fit) = all.and_then(|all| self.fit(p, &all))
                && best.as_ref().is_none_or(|(b, _)| fit > *b)
            {
                best = Some((fit, (sym, binding)));
            }
        }
        best.map(|(_, chosen)| chosen)
    }

    /// `object%name(args)` as a value.
    pub(super) fn bound_reference(
        &mut self,
        ctx: Ctx<'t>,
        object: Expr,
        t: SymId,
        name: Node<'t>,
        args: Node<'t>,
    ) -> Expr {
        let actual = self.arguments(ctx, args);
        let args: Vec<Arg> = actual.into_iter().map(Actual::into_arg).collect();
        let (text, of_object) = (name.lower(), object.rank);
        let span = object.span.to(ctx.span(name));
        let (interface, callee) = self.bound_target(object, t, &text, &args);
        let (ty, mut rank) = interface.and_then(|i| self.result_of(i)).unwrap_or((Ty::NONE, 0));
        if interface.is_some_and(|i| self.is_elemental(i)) {
            rank = rank.max(args.iter().map(|a| a.value.rank).max().unwrap_or(0)).max(of_object);
        }
        if interface.is_none() {
            self.problem_at(ctx, Code::NoSpecific, name, format!("no procedure is known for the binding `{text}`"));
        }
        Expr { span, ..Expr::new(ExprKind::Call { callee, args }, ty, rank) }
    }
}
