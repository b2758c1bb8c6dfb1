//! Integer expressions as sums of terms with whole-number factors: index arithmetic that cancels what cancels.

use costate_grammar::ir::{Base, Expr, ExprKind, SymId, Ty};
use costate_grammar::operators::{BinaryOp, UnaryOp};

/// `constant + Σ factor * term`, terms in the order in which they came. Sums are compared far more often than they are
/// written out, so the terms are those of the expressions themselves and not copies.
#[derive(Clone, Debug)]
pub struct Affine<'e> {
    terms: Vec<(&'e Expr, i64)>,
    constant: i64,
    ty: Ty,
}

impl<'e> Affine<'e> {
    /// The sum that an integer expression stands for; what is no sum becomes one term.
    pub fn of(e: &'e Expr) -> Affine<'e> {
        let mut sum = Affine { terms: Vec::new(), constant: 0, ty: e.ty };
        if !sum.collect(e, 1) {
            // Overflow of a factor: keep the expression whole.
            sum = Affine { terms: vec![(e, 1)], constant: 0, ty: e.ty };
        }
        sum
    }

    fn collect(&mut self, e: &'e Expr, factor: i64) -> bool {
        if e.ty.base != Base::Integer {
            return self.push(e, factor);
        }
        self.ty = self.ty.promote(e.ty);
        match &e.kind {
            ExprKind::Int { value, .. } => {
                let sum = value.checked_mul(factor).and_then(|v| self.constant.checked_add(v));
                self.constant = sum.unwrap_or(0);
                sum.is_some()
            }
            ExprKind::Paren(a) | ExprKind::Unary(UnaryOp::Plus, a) => self.collect(a, factor),
            ExprKind::Unary(UnaryOp::Minus, a) => self.collect(a, -factor),
            ExprKind::Binary(BinaryOp::Add, a, b) => self.collect(a, factor) && self.collect(b, factor),
            ExprKind::Binary(BinaryOp::Sub, a, b) => self.collect(a, factor) && self.collect(b, -factor),
            ExprKind::Binary(BinaryOp::Mul, a, b) => match (a.as_int(), b.as_int()) {
                (Some(v), _) => v.checked_mul(factor).is_some_and(|f| self.collect(b, f)),
                (_, Some(v)) => v.checked_mul(factor).is_some_and(|f| self.collect(a, f)),
                _ => self.push(e, factor),
            },
            _ => self.push(e, factor),
        }
    }

    fn push(&mut self, e: &'e Expr, factor: i64) -> bool {
        if let Some(t) = self.terms.iter_mut().find(|t| t.0 == e) {
            return t.1.checked_add(factor).map(|f| t.1 = f).is_some();
        }
        self.terms.push((e, factor));
        true
    }

    /// `self + other * factor`; `None` on overflow.
    pub fn plus(mut self, other: &Affine<'e>, factor: i64) -> Option<Affine<'e>> {
        for (e, f) in &other.terms {
            if !self.push(e, f.checked_mul(factor)?) {
                return None;
            }
        }
        self.constant = self.constant.checked_add(other.constant.checked_mul(factor)?)?;
        self.ty = self.ty.promote(other.ty);
        Some(self)
    }

    /// Its terms with their factors.
    pub fn terms(&self) -> impl Iterator<Item = (&'e Expr, i64)> {
        self.terms.iter().copied().filter(|t| t.1 != 0)
    }

    /// The value, if no term is left.
    pub fn constant(&self) -> Option<i64> {
        self.terms.iter().all(|t| t.1 == 0).then_some(self.constant)
    }

    /// The expression again: positive terms first, then negative ones, then the constant.
    pub fn expr(&self) -> Expr {
        let mut out: Option<Expr> = None;
        let positive = self.terms.iter().filter(|t| t.1 > 0);
        let negative = self.terms.iter().filter(|t| t.1 < 0);
        if self.constant > 0 && !self.terms.iter().any(|t| t.1 > 0) {
            out = Some(self.literal(self.constant));
        }
        let started = out.is_some();
        for (e, f) in positive.chain(negative) {
            let size = f.unsigned_abs() as i64;
            let term = (*e).clone();
            let term = if size == 1 { term } else { Expr::binary(BinaryOp::Mul, self.literal(size), term) };
            out = Some(match out {
                None if *f > 0 => term,
                None => Expr::new(ExprKind::Unary(UnaryOp::Minus, Box::new(term)), self.ty, 0),
                Some(sum) if *f > 0 => Expr::binary(BinaryOp::Add, sum, term),
                Some(sum) => Expr::binary(BinaryOp::Sub, sum, term),
            });
        }
        match (out, self.constant) {
            (None, c) => self.literal(c),
            (Some(e), 0) => e,
            (Some(e), _) if started => e,
            (Some(e), c) if c > 0 => Expr::binary(BinaryOp::Add, e, self.literal(c)),
            (Some(e), c) => Expr::binary(BinaryOp::Sub, e, self.literal(-c)),
        }
    }

    fn literal(&self, value: i64) -> Expr {
        if self.ty.kind == 4 || i32::try_from(value).is_ok() {
            Expr::int(value)
        } else {
            Expr::literal(value as f64, self.ty)
        }
    }
}

/// `a - b` where it is a known number.
pub fn difference(a: &Expr, b: &Expr) -> Option<i64> {
    // Most bounds are of these forms, and are compared again and again.
    if let (Some(a), Some(b)) = (shifted(a), shifted(b)) {
        return a.minus(b);
    }
    if a == b {
        return Some(0);
    }
    let mut sum = Affine { terms: Vec::new(), constant: 0, ty: a.ty };
    if sum.collect(a, 1) && sum.collect(b, -1) { sum.constant() } else { None }
}

/// The variable and the number of `v`, `v + 1`, `v - 1` or `1`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Shifted {
    pub(crate) var: Option<SymId>,
    pub(crate) by: i64,
}

impl Shifted {
    /// `self - other` where it is a known number.
    pub(crate) fn minus(self, other: Shifted) -> Option<i64> {
        if self.var == other.var { self.by.checked_sub(other.by) } else { None }
    }
}

/// An expression of one of these forms.
pub(crate) fn shifted(e: &Expr) -> Option<Shifted> {
    let form = |var, by| Some(Shifted { var, by });
    let whole = |e: &Expr| e.as_var().filter(|d| d.parts.is_empty() && e.ty.base == Base::Integer).map(|d| d.sym);
    match &e.kind {
        ExprKind::Int { value, .. } => form(None, *value),
        ExprKind::Var(_) => whole(e).and_then(|v| form(Some(v), 0)),
        ExprKind::Binary(BinaryOp::Add, a, b) => whole(a).zip(b.as_int()).and_then(|(v, c)| form(Some(v), c)),
        ExprKind::Binary(BinaryOp::Sub, a, b) => {
            whole(a).zip(b.as_int()).and_then(|(v, c)| form(Some(v), c.wrapping_neg()))
        }
        _ => None,
    }
}

/// `a + factor * b` with like terms brought together.
pub fn combine(a: &Expr, factor: i64, b: &Expr) -> Expr {
    match Affine::of(a).plus(&Affine::of(b), factor) {
        Some(sum) => sum.expr(),
        None => Expr::binary(BinaryOp::Add, a.clone(), Expr::binary(BinaryOp::Mul, Expr::int(factor), b.clone())),
    }
}

/// `a - b`
pub fn minus(a: &Expr, b: &Expr) -> Expr {
    combine(a, -1, b)
}

/// `a + b`
pub fn plus(a: &Expr, b: &Expr) -> Expr {
    combine(a, 1, b)
}

/// `hi - lo + 1`
pub fn count(lo: &Expr, hi: &Expr) -> Expr {
    combine(&minus(hi, lo), 1, &Expr::int(1))
}
