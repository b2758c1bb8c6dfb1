//! Shapes: which part of a designator makes it an array, and the bounds of its dimensions.

use costate_grammar::intrinsics::{Class, Intrinsic};
use costate_grammar::ir::{
    Arg, Base, Callee, CtorItem, Designator, Dim, Expr, ExprKind, Part, Program, Subscript, Ty, Variable,
};
use costate_grammar::operators::BinaryOp;

use super::context::Cx;
use crate::affine;

/// The declaration of what a designator names: its base variable or its last component.
pub(super) fn declared<'a>(program: &'a Program, d: &Designator) -> Option<&'a Variable> {
    let mut var = program.var(d.sym)?;
    for part in &d.parts {
        if let Part::Component(name) = part {
            var = program.component(var.ty.derived()?, name.as_str())?;
        }
    }
    Some(var)
}

/// The array within a designator.
pub(super) struct ArrayPart {
    /// Where its subscripts stand, or would stand, among the parts.
    pub(super) at: usize,
    /// Its subscripts; `None` for a whole array.
    pub(super) subscripts: Option<Vec<Subscript>>,
    /// Its declaration.
    pub(super) var: Variable,
}

/// Finds the part that gives a designator its rank.
pub(super) fn array_part(program: &Program, d: &Designator) -> Option<ArrayPart> {
    let mut var = program.var(d.sym)?;
    let mut at = 0;
    loop {
        if var.rank() > 0 {
            match d.parts.get(at) {
                Some(Part::Subscripts(list)) => {
                    if list.iter().any(is_array) {
                        return Some(ArrayPart { at, subscripts: Some(list.clone()), var: var.clone() });
                    }
                    at += 1;
                }
                _ => {
                    return Some(ArrayPart { at, subscripts: None, var: var.clone() });
                }
            }
        }
        let Some(Part::Component(name)) = d.parts.get(at) else {
            return None;
        };
        var = program.component(var.ty.derived()?, name.as_str())?;
        at += 1;
    }
}

fn is_array(s: &Subscript) -> bool {
    match s {
        Subscript::Index(e) => e.rank > 0,
        Subscript::Range { .. } => true,
    }
}

/// True when subscripts after the designator select from a section, not from a whole array.
pub(super) fn is_section(program: &Program, d: &Designator) -> bool {
    array_part(program, d).is_some_and(|p| p.subscripts.is_some() || p.at < d.parts.len())
}

/// `list` applied to the section `d`: `x(2:n)` and `(i)` give `x(i + 1)`.
pub(super) fn subsection(program: &Program, d: &Designator, list: &[Subscript]) -> Option<Designator> {
    let part = array_part(program, d)?;
    let Some(old) = part.subscripts else {
        let mut parts = d.parts.clone();
        parts.insert(part.at, Part::Subscripts(list.to_vec()));
        return Some(Designator { sym: d.sym, parts });
    };
    let mut new = Vec::new();
    let mut given = list.iter();
    for (k, s) in old.iter().enumerate() {
        new.push(match s {
            Subscript::Index(e) if e.rank == 0 => s.clone(),
            Subscript::Index(v) => match given.next()? {
                Subscript::Index(i) => Subscript::Index(pick(v, i)?),
                Subscript::Range { lo: None, hi: None, step: None } => s.clone(),
                Subscript::Range { .. } => return None,
            },
            Subscript::Range { lo, hi, step } => {
                let lower = match lo {
                    Some(lo) => lo.clone(),
                    None => match (part.var.dims.get(k)?, step) {
                        (Dim::Explicit(None, _) | Dim::Assumed(None), None) => Expr::int(1),
                        (Dim::Explicit(Some(lo), _), None) if lo.as_int().is_some() => lo.clone(),
                        (_, None) => {
                            let base = Designator { sym: d.sym, parts: d.parts[..part.at].to_vec() };
                            inquire(Intrinsic::Lbound, base, &part.var, k)
                        }
                        (_, Some(_)) => return None,
                    },
                };
                compose(&lower, hi.as_ref(), step.as_ref(), given.next()?)
            }
        });
    }
    let mut parts = d.parts.clone();
    parts[part.at] = Part::Subscripts(new);
    Some(Designator { sym: d.sym, parts })
}

fn compose(lo: &Expr, hi: Option<&Expr>, step: Option<&Expr>, s: &Subscript) -> Subscript {
    let index = |e: &Expr| at(lo, step, &affine::minus(e, &Expr::int(1)));
    match s {
        Subscript::Index(e) => Subscript::Index(index(e)),
        Subscript::Range { lo: first, hi: last, step: by } => Subscript::Range {
            lo: Some(first.as_ref().map_or_else(|| lo.clone(), index)),
            hi: last.as_ref().map(index).or_else(|| hi.cloned()),
            step: match (step, by) {
                (None, by) => by.clone(),
                (step, None) => step.cloned(),
                (Some(a), Some(b)) => Some(a.clone().mul(b.clone())),
            },
        },
    }
}

/// The element of a vector subscript.
fn pick(v: &Expr, i: &Expr) -> Option<Expr> {
    let d = v.as_var().filter(|d| d.parts.is_empty())?;
    Some(Expr::element(d.sym, v.ty, vec![i.clone()]))
}

/// The index `offset` steps after `lo`.
pub(super) fn at(lo: &Expr, step: Option<&Expr>, offset: &Expr) -> Expr {
    match step.map(Expr::as_int) {
        None => affine::combine(offset, 1, lo),
        Some(Some(s)) => affine::combine(&scale(offset, s), 1, lo),
        Some(None) => match (step, offset.as_int()) {
            (_, Some(0)) | (None, _) => lo.clone(),
            (Some(step), _) => lo.clone().add(offset.clone().mul(step.clone())),
        },
    }
}

fn scale(e: &Expr, factor: i64) -> Expr {
    affine::combine(&Expr::new(ExprKind::Int { value: 0, suffix: None }, e.ty, 0), factor, e)
}

/// `lbound(base, k)` and the like; `k` counts from 0.
pub(super) fn inquire(f: Intrinsic, base: Designator, var: &Variable, k: usize) -> Expr {
    let array = Expr::new(ExprKind::Var(base), var.ty, var.rank());
    let mut args = vec![Arg::new(array)];
    if f != Intrinsic::Size || var.rank() > 1 {
        args.push(Arg::new(Expr::int(k as i64 + 1)));
    }
    Expr::new(ExprKind::Call { callee: Callee::Intrinsic(f), args }, Ty::INTEGER, 0)
}

/// One dimension of an array-valued designator.
#[derive(Clone, Debug)]
pub(super) enum Dimension {
    /// `lo:hi:step`
    Triplet { lo: Expr, hi: Expr, step: Option<Expr> },
    /// A vector subscript.
    Vector(Expr),
}

impl Cx<'_> {
    /// Lower bound of dimension `k` of an array.
    fn lower(&self, base: &Designator, var: &Variable, k: usize) -> Option<Expr> {
        if let Some(bounds) = self.sized(base) {
            return bounds.get(k).map(|b| b.0.clone());
        }
        Some(match var.dims.get(k)? {
            Dim::Explicit(None, _) | Dim::Assumed(None) | Dim::AssumedSize(None) => Expr::int(1),
            Dim::Explicit(Some(lo), _) | Dim::Assumed(Some(lo)) | Dim::AssumedSize(Some(lo)) => match self.bound(lo) {
                Some(lo) => lo,
                None => inquire(Intrinsic::Lbound, base.clone(), var, k),
            },
            Dim::Deferred if self.facts.starts_at_one(base) => Expr::int(1),
            Dim::Deferred => inquire(Intrinsic::Lbound, base.clone(), var, k),
            Dim::AssumedRank => return None,
        })
    }

    /// Upper bound of dimension `k` of an array.
    fn upper(&self, base: &Designator, var: &Variable, k: usize) -> Option<Expr> {
        if let Some(bounds) = self.sized(base) {
            return bounds.get(k).map(|b| b.1.clone());
        }
        match var.dims.get(k)? {
            Dim::Explicit(_, hi) => match self.bound(hi) {
                Some(hi) => Some(hi),
                None => Some(inquire(Intrinsic::Ubound, base.clone(), var, k)),
            },
            Dim::Assumed(None) => Some(inquire(Intrinsic::Size, base.clone(), var, k)),
            Dim::Deferred if self.facts.starts_at_one(base) => Some(inquire(Intrinsic::Size, base.clone(), var, k)),
            Dim::Assumed(Some(_)) | Dim::Deferred => Some(inquire(Intrinsic::Ubound, base.clone(), var, k)),
            Dim::AssumedSize(_) if k + 1 < var.dims.len() => Some(inquire(Intrinsic::Ubound, base.clone(), var, k)),
            Dim::AssumedSize(_) | Dim::AssumedRank => None,
        }
    }

    /// The value of a constant expression, named constants included.
    pub(super) fn known(&self, e: &Expr) -> Option<i64> {
        e.as_int().or_else(|| match costate_grammar::lower::fold(self.program, e)? {
            costate_grammar::lower::Const::Int(i) => Some(i),
            _ => None,
        })
    }

    /// A declared bound, where it means the same in the body.
    fn bound(&self, e: &Expr) -> Option<Expr> {
        let mut ok = self.all_visible(e);
        costate_grammar::ir::for_each_expr(e, &mut |e| ok &= self.facts.declarable(self.program, self.scope, e));
        ok.then(|| e.unparen().clone())
    }

    /// The dimensions of an array-valued designator, one for each rank.
    pub(super) fn dimensions(&self, d: &Designator) -> Option<Vec<Dimension>> {
        let part = array_part(self.program, d)?;
        let base = Designator { sym: d.sym, parts: d.parts[..part.at].to_vec() };
        let whole = |k: usize| {
            Some(Dimension::Triplet {
                lo: self.lower(&base, &part.var, k)?,
                hi: self.upper(&base, &part.var, k)?,
                step: None,
            })
        };
        let Some(list) = &part.subscripts else {
            return (0..part.var.dims.len()).map(whole).collect();
        };
        let mut out = Vec::new();
        for (k, s) in list.iter().enumerate() {
            match s {
                Subscript::Index(e) if e.rank == 0 => {}
                Subscript::Index(e) => out.push(Dimension::Vector(e.clone())),
                Subscript::Range { lo, hi, step } => {
                    let step = step.clone().filter(|s| s.as_int() != Some(1));
                    let sign = step.as_ref().map_or(Some(1), |s| self.known(s));
                    let (first, last) = (lo.clone(), hi.clone());
                    let (lo, hi) = match sign {
                        Some(s) if s > 0 => (
                            first.or_else(|| self.lower(&base, &part.var, k))?,
                            last.or_else(|| self.upper(&base, &part.var, k))?,
                        ),
                        Some(_) => (
                            first.or_else(|| self.upper(&base, &part.var, k))?,
                            last.or_else(|| self.lower(&base, &part.var, k))?,
                        ),
                        None => (first?, last?),
                    };
                    out.push(Dimension::Triplet { lo, hi, step });
                }
            }
        }
        Some(out)
    }

    /// First and last value of a loop over dimension `k` of an array expression. The first operand that is an array gives
    /// them: its own index where the stride is one, else positions from 1.
    pub(super) fn range(&self, e: &Expr, k: usize) -> Option<(Expr, Expr)> {
        match &e.kind {
            ExprKind::Var(d) => match self.dimensions(d)?.into_iter().nth(k)? {
                Dimension::Triplet { lo, hi, step: None } => Some((lo, hi)),
                Dimension::Triplet { lo, hi, step: Some(step) } => Some((Expr::int(1), strided(&lo, &hi, &step))),
                Dimension::Vector(v) => Some((Expr::int(1), self.extent(&v, 0)?)),
            },
            ExprKind::Unary(_, a) | ExprKind::Paren(a) => self.range(a, k),
            ExprKind::Binary(_, a, b) => {
                if a.rank > 0 {
                    self.range(a, k).or_else(|| (b.rank > 0).then(|| self.range(b, k))?)
                } else {
                    self.range(b, k)
                }
            }
            ExprKind::Call { callee: Callee::Intrinsic(f), args } if f.class() != Class::Elemental => {
                super::transform::range(self, *f, args, e, k)
            }
            ExprKind::Call { callee, args } => {
                let elemental = matches!(callee, Callee::Intrinsic(_)) || super::calls::elemental(self.program, callee);
                let arg = args.iter().find(|a| elemental && a.value.rank > 0)?;
                self.range(&arg.value, k)
            }
            ExprKind::ArrayCtor { items, .. } => Some((Expr::int(1), self.list_count(items)?)),
            ExprKind::Int { .. }
            | ExprKind::Real { .. }
            | ExprKind::ComplexLit(..)
            | ExprKind::Logical { .. }
            | ExprKind::Str(_)
            | ExprKind::Boz(_)
            | ExprKind::StructCtor { .. }
            | ExprKind::ProcRef(_)
            | ExprKind::Opaque(_) => None,
        }
    }

    /// How many values dimension `k` of an expression has.
    pub(super) fn extent(&self, e: &Expr, k: usize) -> Option<Expr> {
        let (lo, hi) = self.range(e, k)?;
        Some(affine::count(&lo, &hi))
    }

    /// How many values the items of an array constructor give. One item may have a negative count, and gives none then.
    pub(super) fn list_count(&self, items: &[CtorItem]) -> Option<Expr> {
        if let [one] = items {
            return self.item_count(one);
        }
        let mut total = Expr::int(0);
        for i in items {
            total = affine::plus(&total, &at_least_none(self.item_count(i)?));
        }
        Some(total)
    }

    /// How many values an item of an array constructor gives; `None` where that differs from iteration to iteration.
    pub(super) fn item_count(&self, item: &CtorItem) -> Option<Expr> {
        match item {
            CtorItem::Value(e) => {
                let mut n = Expr::int(1);
                for k in 0..usize::from(e.rank) {
                    let extent = self.extent(e, k)?;
                    n = n.mul(if e.rank > 1 { at_least_none(extent) } else { extent });
                }
                Some(n)
            }
            CtorItem::ImpliedDo { items, var, lo, hi, step } => {
                let each = self.list_count(items)?;
                let mut varies = false;
                costate_grammar::ir::for_each_expr(&each, &mut |e| varies |= e.as_var().is_some_and(|d| d.sym == *var));
                let trips = match step {
                    None => affine::count(lo, hi),
                    Some(s) => strided(lo, hi, s),
                };
                let product = match each.as_int() {
                    Some(_) => trips.mul(each),
                    None => at_least_none(trips).mul(at_least_none(each)),
                };
                (!varies).then_some(product)
            }
        }
    }
}

/// A count, or zero where it is negative.
pub(super) fn at_least_none(count: Expr) -> Expr {
    match (&count.kind, count.as_int()) {
        (_, Some(n)) => Expr::int(n.max(0)),
        (ExprKind::Call { callee: Callee::Intrinsic(Intrinsic::Size | Intrinsic::Max), .. }, None) => count,
        _ => {
            let zero = Expr { ty: count.ty, ..Expr::int(0) };
            Expr { ty: count.ty, rank: 0, ..Expr::intrinsic(Intrinsic::Max, vec![count, zero]) }
        }
    }
}

/// How many values `lo:hi:step` has.
pub(super) fn strided(lo: &Expr, hi: &Expr, step: &Expr) -> Expr {
    match step.as_int() {
        Some(1) => affine::count(lo, hi),
        Some(-1) => affine::count(hi, lo),
        Some(s) => {
            let span = affine::plus(&affine::minus(hi, lo), &Expr::int(s));
            match span.as_int() {
                // Fortran's division truncates as Rust's does.
                Some(n) if s != 0 => Expr::int(n / s),
                _ => Expr::binary(BinaryOp::Div, span, step.clone()),
            }
        }
        None => {
            let span = hi.clone().sub(lo.clone()).add(step.clone());
            Expr::binary(BinaryOp::Div, span, step.clone())
        }
    }
}

/// True for arrays whose values carry a derivative by their type: real, complex, or derived with such parts.
pub(super) fn continuous(program: &Program, ty: Ty) -> bool {
    fn look(program: &Program, ty: Ty, depth: usize) -> bool {
        match ty.base {
            Base::Real | Base::Complex => true,
            Base::Derived(t) | Base::Class(t) => {
                let Some(d) = program[t].derived() else {
                    return true;
                };
                depth > 8
                    || d.components.iter().any(|c| look(program, c.var.ty, depth + 1))
                    || d.extends.is_some_and(|p| look(program, Ty::new(Base::Derived(p), 0), depth + 1))
            }
            Base::Unlimited => true,
            Base::Integer | Base::Logical | Base::Character | Base::None => false,
        }
    }
    look(program, ty, 0)
}
