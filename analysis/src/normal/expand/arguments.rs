//! What stands for the dummies of a procedure whose statements are put in place of a call.

use costate_grammar::intrinsics::Intrinsic;
use costate_grammar::ir::{
    Base, Designator, Dim, Expr, ExprKind, Intent, Name, Part, StmtKind, Subscript, SymId, SymbolKind, Variable,
};

use super::{Expansion, bounds, own_variable};
use crate::affine::{count, minus, plus};
use crate::effects::outlives;
use crate::normal::callee::is_user_call;
use crate::normal::context::Cx;
use crate::normal::two_names::reads_before_writes;
use crate::storage::{Overlap, all_components, component, holds_pointers, overlap, resolve, symbols};

/// True for a designator that leads through a pointer before its end.
fn behind_pointer(cx: &Cx, d: &Designator) -> bool {
    let path = d.path();
    (0..path.len()).any(|k| resolve(cx.program, d.sym, &path[..k]).is_none_or(|v| v.attrs.pointer))
}

/// `lbound(of, number)`
pub(super) fn lower_bound(of: &Expr, number: i64) -> Expr {
    Expr { rank: 0, ..Expr::intrinsic(Intrinsic::Lbound, vec![of.clone(), Expr::int(number)]) }
}

impl Expansion {
    /// What stands for a dummy; nothing where that isn't known to mean the same.
    pub(super) fn argument(
        &mut self,
        cx: &mut Cx,
        scope: costate_grammar::ir::ScopeId,
        dummy: SymId,
        actual: &Expr,
    ) -> Option<Expr> {
        let v = cx.program.var(dummy)?.clone();
        if v.attrs.optional || v.attrs.volatile || v.ty.base == Base::Unlimited {
            return None;
        }
        let fixed = matches!(actual.kind, ExprKind::Int { .. } | ExprKind::Logical { .. } | ExprKind::Str(_));
        if fixed && v.rank() == 0 && !v.attrs.value {
            return Some(actual.clone());
        }
        let Some(d) = actual.as_var().filter(|_| matches!(actual.kind, ExprKind::Var(_)) && !v.attrs.value).cloned()
        else {
            return self.copied(cx, scope, dummy, &v, actual);
        };
        let declared = resolve(cx.program, d.sym, &d.path())?.clone();
        let whole = !matches!(d.parts.last(), Some(Part::Subscripts(_) | Part::Substring(..)));
        if v.attrs.pointer || v.attrs.allocatable {
            let same = declared.attrs.pointer == v.attrs.pointer && declared.attrs.allocatable == v.attrs.allocatable;
            if !same || !whole || behind_pointer(cx, &d) || !same_type(&v, actual) {
                return None;
            }
            let with = self.fixed(cx, &d, actual)?;
            if v.attrs.allocatable && v.intent == Some(Intent::Out) {
                self.before.push(cx.deallocation(&with));
            }
            return Some(with);
        }
        self.check_object(cx, &v, actual, &d)?;
        if v.rank() == 0 && v.intent == Some(Intent::Out) && v.ty.derived().is_some_and(|t| is_renewed(cx, t, &v)) {
            let with = self.fixed(cx, &d, actual)?;
            self.renew_object(cx, &with, 0)?;
            return Some(with);
        }
        if v.rank() == 0 {
            let simple = v.ty.derived().is_none() && v.intent == Some(Intent::In);
            if simple && !self.is_reassigned(cx, dummy, &d) && !(d.parts.is_empty() && self.is_steady(cx, actual)) {
                return self.copied(cx, scope, dummy, &v, actual);
            }
            return self.fixed(cx, &d, actual);
        }
        let d = self.array(cx, dummy, &declared, d, actual)?;
        self.fixed(cx, &d, actual)
    }

    /// True for an input that the callee may change by another name.
    fn is_reassigned(&self, cx: &Cx, dummy: SymId, d: &Designator) -> bool {
        self.changed.assigns(d.sym) || self.others(dummy).any(|(_, of)| overlap(cx.program, of, d) != Overlap::Apart)
    }

    /// The other dummies that the callee assigns, with what is passed for them.
    fn others(&self, dummy: SymId) -> impl Iterator<Item = &(SymId, Designator)> {
        self.bases.iter().filter(move |(other, _)| *other != dummy && self.changed.assigns(*other))
    }

    /// True when what the callee does to memory that it surely knows by two names is certain.
    pub(super) fn is_certain(&self, cx: &Cx) -> bool {
        self.bases.iter().all(|(dummy, of)| {
            let free = cx.program.var(*dummy).is_some_and(|v| v.attrs.target || v.attrs.pointer);
            let shared = |(_, d): &&(SymId, Designator)| overlap(cx.program, d, of) == Overlap::Same;
            let mut names: Vec<SymId> = self.others(*dummy).filter(shared).map(|(other, _)| *other).collect();
            // The variable itself, where the callee assigns one of the two.
            let own = of.parts.is_empty();
            names.extend((own && self.changed.assigns(of.sym)).then_some(of.sym));
            let back = own && self.changed.assigns(*dummy);
            free || names.iter().all(|other| reads_before_writes(cx.program, &self.callee.body, *dummy, *other))
                && (!back || reads_before_writes(cx.program, &self.callee.body, of.sym, *dummy))
        })
    }

    /// Whether a dummy that is neither pointer nor allocatable may be another name of its actual argument.
    fn check_object(&self, cx: &mut Cx, v: &Variable, actual: &Expr, d: &Designator) -> Option<()> {
        let base = cx.program.var(d.sym)?;
        let local =
            cx.program[d.sym].scope == cx.scope && base.dummy.is_none() && !base.result && !base.attrs.parameter;
        let target = !v.attrs.target || base.attrs.target || base.attrs.pointer;
        if !target
            && local
            && let SymbolKind::Variable(own) = &mut cx.program[d.sym].kind
        {
            // Pointers to the dummy become pointers to it.
            own.attrs.target = true;
        }
        let target = target || local;
        let path = d.path();
        let pointer = (0..=path.len()).any(|k| resolve(cx.program, d.sym, &path[..k]).is_none_or(|v| v.attrs.pointer));
        let elsewhere = outlives(cx.program, cx.proc, d.sym) && self.calls;
        let moved = pointer && (self.managed.contains(&d.sym) || elsewhere);
        // What its entry does to the components of each element takes loops.
        let renewed =
            v.rank() > 0 && v.intent == Some(Intent::Out) && v.ty.derived().is_some_and(|t| is_renewed(cx, t, v));
        (target && !moved && !renewed && same_type(v, actual)).then_some(())
    }

    /// What becomes of an output of derived type at entry: its memory is freed, and default values are set.
    fn renew_object(&mut self, cx: &mut Cx, object: &Expr, depth: u8) -> Option<()> {
        let ty = object.ty.derived().filter(|_| depth < 8)?;
        if object.rank > 0 || cx.program[ty].derived().is_some_and(|d| !d.finals.is_empty()) {
            return None;
        }
        let components: Vec<(Name, Variable)> =
            all_components(cx.program, ty).iter().map(|c| (c.name.clone(), c.var.clone())).collect();
        for (name, v) in components {
            let part = component(cx.program, object, &name, v.ty, v.rank());
            if v.attrs.allocatable {
                self.before.push(cx.deallocation(&part));
            } else if v.attrs.pointer {
                match &v.init {
                    None => {}
                    Some(e) if e.is_null() => self.before.push(cx.stmt(StmtKind::Nullify(vec![part]))),
                    Some(_) => return None,
                }
            } else if let Some(init) = v.init.clone() {
                if !cx.all_visible(&init) {
                    return None;
                }
                let set = cx.assign(part, init);
                self.before.push(set);
            } else if v.ty.derived().is_some_and(|t| is_renewed(cx, t, &v)) {
                self.renew_object(cx, &part, depth + 1)?;
            }
        }
        Some(())
    }

    /// An array argument with the bounds of its dummy, or else one whose dummy is counted from 1.
    fn array(
        &mut self,
        cx: &mut Cx,
        dummy: SymId,
        declared: &Variable,
        d: Designator,
        actual: &Expr,
    ) -> Option<Designator> {
        let v = cx.program.var(dummy)?.clone();
        if let Some(found) = self.section(cx, &v, declared, d.clone(), actual) {
            return Some(found);
        }
        let moves = |e: &Expr| symbols(e).iter().any(|s| self.changed.changes(cx.program, *s));
        let from_one = bounds::from_one(&v).filter(|(_, lower)| !v.attrs.target && !lower.iter().any(moves));
        if let Some((from_one, lower)) = from_one
            && let Some(found) = self.section(cx, &from_one, declared, d.clone(), actual)
        {
            self.counted.insert(dummy, lower);
            return Some(found);
        }
        self.compared(cx, dummy, declared, d, actual)
    }

    /// An array argument with the bounds of its dummy.
    fn section(
        &self,
        cx: &Cx,
        v: &Variable,
        declared: &Variable,
        mut d: Designator,
        actual: &Expr,
    ) -> Option<Designator> {
        let whole = !matches!(d.parts.last(), Some(Part::Subscripts(_)));
        let vector = d.subscripts().any(|s| matches!(s, Subscript::Index(e) if e.rank > 0));
        let inner = d.parts.iter().rev().skip(1).any(|p| match p {
            Part::Subscripts(list) => list.iter().any(|s| !matches!(s, Subscript::Index(e) if e.rank == 0)),
            Part::Component(_) | Part::Substring(..) => false,
        });
        if vector || inner || v.ty.base == Base::Character {
            return None;
        }
        let from_one = |lo: &Option<Expr>| lo.as_ref().is_none_or(|e| e.as_int() == Some(1));
        let assumed = v.dims.iter().all(|x| matches!(x, Dim::Assumed(lo) if from_one(lo)));
        let one = Expr::int(1);
        let lower = |lo: &Option<Expr>| lo.clone().unwrap_or_else(|| one.clone());
        let equal = whole
            && v.dims.len() == declared.dims.len()
            && v.dims.iter().zip(&declared.dims).all(|(x, y)| match (x, y) {
                (Dim::Explicit(a, b), Dim::Explicit(c, e)) => {
                    self.same_extent(cx, &lower(a), &lower(c)) && self.same_extent(cx, b, e)
                }
                _ => false,
            });
        if equal {
            return Some(d);
        }
        let extent = |lo: &Option<Expr>, hi: &Expr| minus(hi, &lower(lo));
        let shaped = assumed
            || whole
                && v.dims.len() > 1
                && v.dims.len() == declared.dims.len()
                && v.dims.iter().zip(&declared.dims).all(|(x, y)| match (x, y) {
                    (Dim::Explicit(a, b), Dim::Explicit(c, e)) => {
                        from_one(a) && self.same_extent(cx, &extent(a, b), &extent(c, e))
                    }
                    _ => false,
                });
        if shaped {
            let starts = |x: &Dim| matches!(x, Dim::Explicit(lo, _) | Dim::Assumed(lo) if from_one(lo));
            if whole && !declared.dims.iter().all(starts) {
                let all = Subscript::Range { lo: None, hi: None, step: None };
                d.parts.push(Part::Subscripts(vec![all; declared.dims.len()]));
            }
            return Some(d);
        }
        self.sequence(cx, v, declared, d, actual)
    }

    /// The elements of an array that follow its start, or the one that is given (F2018 15.5.2.11), in one dimension.
    fn sequence(
        &self,
        cx: &Cx,
        v: &Variable,
        declared: &Variable,
        mut d: Designator,
        actual: &Expr,
    ) -> Option<Designator> {
        let [dim] = v.dims.as_slice() else { return None };
        let [of] = declared.dims.as_slice() else { return self.column(cx, dim, declared, d, actual) };
        let one = Expr::int(1);
        let first = match (d.parts.last(), of) {
            (Some(Part::Subscripts(list)), Dim::Explicit(..) | Dim::Deferred | Dim::AssumedSize(_)) => {
                match &list[..] {
                    [Subscript::Index(e)] if actual.rank == 0 && !declared.attrs.pointer => e.clone(),
                    [Subscript::Range { lo, step: None, .. }] => match (lo, of) {
                        (Some(lo), _) => lo.clone(),
                        (None, Dim::Explicit(lo, _)) => lo.clone().unwrap_or(one.clone()),
                        _ => return None,
                    },
                    _ => return None,
                }
            }
            (_, Dim::Explicit(lo, _) | Dim::AssumedSize(lo)) if actual.rank == 1 => lo.clone().unwrap_or(one.clone()),
            (_, Dim::Deferred) if actual.rank == 1 => lower_bound(actual, 1),
            _ => return None,
        };
        let last = match dim {
            Dim::Explicit(lo, hi) if lo.as_ref().is_none_or(|e| e.as_int() == Some(1)) => {
                let count = self.in_caller(cx, hi)?;
                Some(plus(&first, &plus(&count, &Expr::int(-1))))
            }
            Dim::AssumedSize(lo) if lo.as_ref().is_none_or(|e| e.as_int() == Some(1)) => None,
            _ => return None,
        };
        if matches!(d.parts.last(), Some(Part::Subscripts(_))) {
            d.parts.pop();
        }
        d.parts.push(Part::Subscripts(vec![Subscript::Range { lo: Some(first), hi: last, step: None }]));
        Some(d)
    }

    /// The same in one dimension of an array of several: the elements of a section of it, or a column of as many elements as
    /// the dummy has.
    fn column(&self, cx: &Cx, dim: &Dim, declared: &Variable, mut d: Designator, actual: &Expr) -> Option<Designator> {
        let Dim::Explicit(from, hi) = dim else { return None };
        // Two columns of one array are kept apart by a comparison of their subscripts, where the call stays.
        let alone = self.bases.iter().filter(|(_, b)| b.sym == d.sym).count() == 1;
        if !alone || from.as_ref().is_some_and(|e| e.as_int() != Some(1)) {
            return None;
        }
        let number = self.in_caller(cx, hi)?;
        let one = Expr::int(1);
        let array = actual.array();
        let lower = |dim: usize| match &declared.dims[dim] {
            Dim::Explicit(lo, _) => Some(lo.clone().unwrap_or(Expr::int(1))),
            Dim::Deferred => Some(lower_bound(&array, dim as i64 + 1)),
            _ => None,
        };
        let Some(Part::Subscripts(list)) = d.parts.last_mut() else { return None };
        let is_range = |s: &Subscript| matches!(s, Subscript::Range { .. });
        let (at, first) = match list.iter().position(is_range) {
            Some(at) if actual.rank == 1 => {
                let Subscript::Range { lo, step: None, .. } = &list[at] else { return None };
                (at, lo.clone().or_else(|| lower(at))?)
            }
            None if actual.rank == 0 && !declared.attrs.pointer => {
                let (Subscript::Index(e), Dim::Explicit(lo, last)) = (&list[0], &declared.dims[0]) else { return None };
                let lo = lo.clone().unwrap_or(one.clone());
                let extent = count(&lo, last);
                if *e != lo || !self.same_extent(cx, hi, &extent) {
                    return None;
                }
                (0, lo)
            }
            _ => return None,
        };
        let last = plus(&first, &plus(&number, &Expr::int(-1)));
        list[at] = Subscript::Range { lo: Some(first), hi: Some(last), step: None };
        Some(d)
    }

    /// A value of its own for a dummy.
    fn copied(
        &mut self,
        cx: &mut Cx,
        scope: costate_grammar::ir::ScopeId,
        dummy: SymId,
        v: &Variable,
        actual: &Expr,
    ) -> Option<Expr> {
        let numeric = matches!(v.ty.base, Base::Integer | Base::Real | Base::Complex | Base::Logical);
        // What a procedure without source does to an input isn't known, but that it leaves it alone.
        let input = v.attrs.value || v.intent == Some(Intent::In);
        let changed = self.changed.changes(cx.program, dummy) && !input;
        if !numeric || changed || v.attrs.pointer || v.attrs.allocatable || v.attrs.target {
            return None;
        }
        if v.rank() > 0 || actual.rank > 0 {
            return self.copied_array(cx, v, actual);
        }
        let name = cx.program[dummy].name.clone();
        let sym =
            cx.program.add_symbol(scope, name, cx.program[dummy].span, SymbolKind::Variable(Box::new(own_variable(v))));
        let own = Expr::var(sym, v.ty, 0);
        let set = cx.assign(own.clone(), actual.clone());
        self.before.push(set);
        Some(own)
    }

    /// The value of an array expression, whose lower bounds are 1. Those of a function's result may be others.
    fn copied_array(&mut self, cx: &mut Cx, v: &Variable, actual: &Expr) -> Option<Expr> {
        let value = actual.unparen();
        if v.attrs.value || is_user_call(value) || value.as_var().is_some() || actual.ty != v.ty {
            return None;
        }
        let sym = cx.deferred("argument", v.ty, actual, actual.rank);
        let whole = Expr::var(sym, v.ty, actual.rank);
        let set = cx.assign(whole.clone(), actual.clone());
        self.before.push(set);
        let all = Subscript::Range { lo: Some(Expr::int(1)), hi: None, step: None };
        let parts = vec![Part::Subscripts(vec![all; usize::from(actual.rank)])];
        let all = Designator { sym, parts };
        let declared = cx.program.var(sym)?.clone();
        let d = self.section(cx, v, &declared, all, &whole)?;
        Some(Expr { kind: ExprKind::Var(d), ..whole })
    }
}

/// True for arguments of one declared type.
fn same_type(v: &Variable, actual: &Expr) -> bool {
    match (v.ty.base, actual.ty.base) {
        (Base::Derived(a) | Base::Class(a), Base::Derived(b) | Base::Class(b)) => a == b,
        (a, b) => a == b && v.ty.kind == actual.ty.kind,
    }
}

/// True for objects whose components get memory, associations or values when they become an output.
fn is_renewed(cx: &Cx, ty: SymId, v: &Variable) -> bool {
    fn inside(cx: &Cx, ty: SymId, depth: u8) -> bool {
        depth > 8
            || all_components(cx.program, ty).iter().any(|c| {
                c.var.init.is_some()
                    || c.var.attrs.allocatable
                    || !c.var.attrs.pointer && c.var.ty.derived().is_some_and(|t| inside(cx, t, depth + 1))
            })
    }
    inside(cx, ty, 0)
        || holds_pointers(cx.program, v.ty)
        || cx.program[ty].derived().is_some_and(|d| !d.finals.is_empty())
}
