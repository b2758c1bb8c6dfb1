//! Constructors of typed expressions. They fold the trivial cases (`0*x`, `1*x`, `x+0`, `-(-x)`), so that generated code
//! stays readable, and give literals the kind of their context.

use super::{Arg, Base, Callee, Designator, Expr, ExprKind, KindSuffix, Name, Part, Subscript, SymId, Ty};
use crate::intrinsics::Intrinsic;
use crate::operators::{BinaryOp, UnaryOp};

impl Expr {
    /// The literal `value` in a numeric type, spelt so that it has the type's kind: `2.0`, `2.0d0`, `2.0_16`, `2`.
    /// `value` must be finite.
    pub fn literal(value: f64, ty: Ty) -> Expr {
        if value < 0.0 {
            return Expr::literal(-value, ty).neg();
        }
        let kind = match ty.base {
            Base::Integer => {
                let suffix = (ty.kind != 4).then_some(KindSuffix::Number(u32::from(ty.kind)));
                ExprKind::Int { value: value as i64, suffix }
            }
            Base::Complex => {
                let part = Ty::new(Base::Real, ty.kind);
                let (re, im) = (Expr::literal(value, part), Expr::literal(0.0, part));
                ExprKind::ComplexLit(Box::new(re), Box::new(im))
            }
            _ => {
                let mut text = format!("{value:?}");
                if !text.contains(['.', 'e']) {
                    text.push_str(".0");
                }
                let suffix = match ty.kind {
                    4 => None,
                    8 => {
                        text = if text.contains('e') { text.replace('e', "d") } else { format!("{text}d0") };
                        None
                    }
                    k => Some(KindSuffix::Number(u32::from(k))),
                };
                ExprKind::Real { text, suffix }
            }
        };
        Expr::new(kind, ty, 0)
    }

    /// Zero of a type.
    pub fn zero(ty: Ty) -> Expr {
        match ty.base {
            Base::Logical => Expr::logical(false),
            _ => Expr::literal(0.0, ty),
        }
    }

    /// The value of a numeric literal, signs and parentheses included; `None` for complex literals and all else.
    pub fn literal_value(&self) -> Option<f64> {
        match &self.kind {
            ExprKind::Int { value, .. } => Some(*value as f64),
            ExprKind::Real { text, .. } => text.to_ascii_lowercase().replace(['d', 'q'], "e").parse().ok(),
            ExprKind::Unary(UnaryOp::Minus, e) => e.literal_value().map(|v| -v),
            ExprKind::Paren(e) => e.literal_value(),
            _ => None,
        }
    }

    /// True for a literal zero.
    pub fn is_zero(&self) -> bool {
        match &self.kind {
            ExprKind::ComplexLit(re, im) => re.is_zero() && im.is_zero(),
            _ => self.literal_value() == Some(0.0),
        }
    }

    fn is_one(&self) -> bool {
        match &self.kind {
            ExprKind::ComplexLit(re, im) => re.is_one() && im.is_zero(),
            _ => self.literal_value() == Some(1.0),
        }
    }

    /// A binary operation with its type worked out; no folding.
    pub fn binary(op: BinaryOp, a: Expr, b: Expr) -> Expr {
        let ty = Expr::binary_ty(op, a.ty, b.ty);
        let rank = a.rank.max(b.rank);
        Expr::new(ExprKind::Binary(op, Box::new(a), Box::new(b)), ty, rank)
    }

    /// The type of a binary operation.
    pub(crate) fn binary_ty(op: BinaryOp, a: Ty, b: Ty) -> Ty {
        match op {
            BinaryOp::Pow if b.base == Base::Integer => a,
            BinaryOp::Pow | BinaryOp::Mul | BinaryOp::Div | BinaryOp::Add | BinaryOp::Sub => a.promote(b),
            BinaryOp::Concat => a,
            BinaryOp::And | BinaryOp::Or | BinaryOp::Eqv | BinaryOp::Neqv => a,
            BinaryOp::Eq | BinaryOp::Ne | BinaryOp::Lt | BinaryOp::Le | BinaryOp::Gt | BinaryOp::Ge => Ty::LOGICAL,
        }
    }

    /// `-a`
    #[allow(clippy::should_implement_trait)]
    pub fn neg(self) -> Expr {
        match self.kind {
            ExprKind::Unary(UnaryOp::Minus, inner) => *inner,
            _ if self.is_zero() => self,
            _ => {
                let (ty, rank) = (self.ty, self.rank);
                Expr::new(ExprKind::Unary(UnaryOp::Minus, Box::new(self)), ty, rank)
            }
        }
    }

    /// `.not. a`, with comparisons turned round where that is exact (`==` and `/=` only: NaN).
    pub fn negated(self) -> Expr {
        match self.kind {
            ExprKind::Unary(UnaryOp::Not, inner) => *inner,
            ExprKind::Logical { value, suffix: None } => Expr::logical(!value),
            _ => {
                let (ty, rank) = (self.ty, self.rank);
                Expr::new(ExprKind::Unary(UnaryOp::Not, Box::new(self)), ty, rank)
            }
        }
    }

    /// `a + b`
    #[allow(clippy::should_implement_trait)]
    pub fn add(self, b: Expr) -> Expr {
        let ty = self.ty.promote(b.ty);
        if self.is_zero() && b.ty == ty {
            return b;
        }
        if b.is_zero() && self.ty == ty {
            return self;
        }
        if let (Some(x), Some(y), Base::Integer) = (self.as_int(), b.as_int(), ty.base) {
            return Expr::literal((x + y) as f64, ty);
        }
        match b.kind {
            ExprKind::Unary(UnaryOp::Minus, inner) => Expr::binary(BinaryOp::Sub, self, *inner),
            _ if ty.base == Base::Integer => self.add_int(b),
            _ => Expr::binary(BinaryOp::Add, self, b),
        }
    }

    /// Folds `(e + 2) + 3` and `(e - 2) + 3` for integers, so that index arithmetic stays short.
    fn add_int(self, b: Expr) -> Expr {
        let Some(y) = b.as_int() else {
            return Expr::binary(BinaryOp::Add, self, b);
        };
        let (base, x) = match &self.kind {
            ExprKind::Binary(BinaryOp::Add, e, c) if c.as_int().is_some() => (Some(e), c.as_int().unwrap_or(0)),
            ExprKind::Binary(BinaryOp::Sub, e, c) if c.as_int().is_some() => (Some(e), -c.as_int().unwrap_or(0)),
            _ => (None, 0),
        };
        let total = x + y;
        let base = base.map_or_else(|| self.clone(), |e| (**e).clone());
        match total {
            0 => base,
            t if t > 0 => Expr::binary(BinaryOp::Add, base, Expr::literal(t as f64, b.ty)),
            t => Expr::binary(BinaryOp::Sub, base, Expr::literal(-t as f64, b.ty)),
        }
    }

    /// `a - b`
    #[allow(clippy::should_implement_trait)]
    pub fn sub(self, b: Expr) -> Expr {
        let ty = self.ty.promote(b.ty);
        if b.is_zero() && self.ty == ty {
            return self;
        }
        if self.is_zero() && b.ty == ty {
            return b.neg();
        }
        if let (Some(x), Some(y), Base::Integer) = (self.as_int(), b.as_int(), ty.base) {
            return Expr::literal((x - y) as f64, ty);
        }
        if ty.base == Base::Integer {
            if self == b {
                return Expr::zero(ty);
            }
            if let Some(y) = b.as_int() {
                return self.add(Expr::literal(-y as f64, b.ty));
            }
            // n - (m + c) and (e + c) - e are what normal form makes of index shifts.
            if let ExprKind::Binary(BinaryOp::Add, e, c) = &self.kind
                && **e == b
            {
                return (**c).clone();
            }
            if let ExprKind::Binary(BinaryOp::Sub, e, c) = &self.kind
                && **e == b
            {
                return (**c).clone().neg();
            }
        }
        match b.kind {
            ExprKind::Unary(UnaryOp::Minus, inner) => Expr::binary(BinaryOp::Add, self, *inner),
            _ => Expr::binary(BinaryOp::Sub, self, b),
        }
    }

    /// `a * b`
    #[allow(clippy::should_implement_trait)]
    pub fn mul(self, b: Expr) -> Expr {
        let ty = self.ty.promote(b.ty);
        if self.is_zero() || b.is_zero() {
            return Expr::zero(ty);
        }
        if self.is_one() && b.ty == ty {
            return b;
        }
        if b.is_one() && self.ty == ty {
            return self;
        }
        match (self.kind, b.kind) {
            (ExprKind::Unary(UnaryOp::Minus, x), ExprKind::Unary(UnaryOp::Minus, y)) => x.mul(*y),
            (ExprKind::Unary(UnaryOp::Minus, x), y) => x.mul(Expr { kind: y, ..b }).neg(),
            (x, ExprKind::Unary(UnaryOp::Minus, y)) => Expr { kind: x, ..self }.mul(*y).neg(),
            (x, y) => Expr::binary(BinaryOp::Mul, Expr { kind: x, ..self }, Expr { kind: y, ..b }),
        }
    }

    /// `a / b`
    #[allow(clippy::should_implement_trait)]
    pub fn div(self, b: Expr) -> Expr {
        let ty = self.ty.promote(b.ty);
        if self.is_zero() {
            return Expr::zero(ty);
        }
        if b.is_one() && self.ty == ty {
            return self;
        }
        match self.kind {
            ExprKind::Unary(UnaryOp::Minus, x) => x.div(b).neg(),
            kind => Expr::binary(BinaryOp::Div, Expr { kind, ..self }, b),
        }
    }

    /// `a ** b`; `a**1` is `a`, `a**0` is one.
    pub fn pow(self, b: Expr) -> Expr {
        match b.as_int() {
            Some(1) => self,
            Some(0) => Expr::literal(1.0, self.ty),
            _ => Expr::binary(BinaryOp::Pow, self, b),
        }
    }

    /// `a .and. b`
    pub fn and(self, b: Expr) -> Expr {
        match (&self.kind, &b.kind) {
            (ExprKind::Logical { value: true, .. }, _) => b,
            (_, ExprKind::Logical { value: true, .. }) => self,
            _ => Expr::binary(BinaryOp::And, self, b),
        }
    }

    /// A reference to an intrinsic function, typed by the intrinsic table. Of rank 0 for reducing functions without `dim`
    /// and inquiry functions (of rank 1 for `shape`); elemental functions take the highest rank of their arguments. Other transformational functions need
    /// their rank set by the caller.
    pub fn intrinsic(f: Intrinsic, args: Vec<Expr>) -> Expr {
        let types: Vec<Ty> = args.iter().map(|a| a.ty).collect();
        let rank = match f.class() {
            crate::intrinsics::Class::Elemental => args.iter().map(|a| a.rank).max().unwrap_or(0),
            _ if f == Intrinsic::Shape => 1,
            _ => 0,
        };
        let args = args.into_iter().map(Arg::new).collect();
        Expr::new(ExprKind::Call { callee: Callee::Intrinsic(f), args }, f.result_ty(&types, None), rank)
    }

    /// True for `null()`.
    pub fn is_null(&self) -> bool {
        matches!(&self.unparen().kind, ExprKind::Call { callee: Callee::Intrinsic(Intrinsic::Null), .. })
    }

    /// `allocated(a)`
    pub fn allocated(&self) -> Expr {
        Expr::intrinsic(Intrinsic::Allocated, vec![self.clone()])
    }

    /// A component of an object, with the component's type and the rank of the reference. What is no variable stays.
    pub fn component(&self, name: &Name, ty: Ty, rank: u8) -> Expr {
        let mut out = self.clone();
        if let ExprKind::Var(d) = &mut out.kind {
            d.parts.push(Part::Component(name.clone()));
        }
        Expr { ty, rank, ..out }
    }

    /// A reference to an intrinsic function with a last argument by keyword (`size(a, dim=2)`, `real(x, kind=8)`).
    pub fn with_keyword(self, keyword: &str, value: Expr) -> Expr {
        match self.kind {
            ExprKind::Call { callee, mut args } => {
                args.push(Arg { keyword: Some(keyword.into()), value });
                Expr { kind: ExprKind::Call { callee, args }, ..self }
            }
            kind => Expr { kind, ..self },
        }
    }

    /// An element `sym(i, j)` of an array of type `ty`.
    pub fn element(sym: SymId, ty: Ty, indices: Vec<Expr>) -> Expr {
        let rank = indices.iter().map(|e| e.rank).sum();
        let parts = if indices.is_empty() {
            Vec::new()
        } else {
            vec![Part::Subscripts(indices.into_iter().map(Subscript::Index).collect())]
        };
        Expr::new(ExprKind::Var(Designator { sym, parts }), ty, rank)
    }
}
