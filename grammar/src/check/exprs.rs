//! Types and ranks of expressions, worked out anew from declarations and compared with what the expressions say.

use super::Finding;
use super::reference::{Reference, follow};
use crate::intrinsics::{Class, Intrinsic, ResultTy};
use crate::ir::{
    Arg, Base, Callee, CtorItem, Designator, Expr, ExprKind, KindSuffix, Part, ProcId, ProcKind, Program, Subscript, Ty,
};
use crate::lower;
use crate::operators::{BinaryOp, UnaryOp};
use crate::print;
use crate::source::Span;

/// Looks at the expressions of one statement.
pub(super) struct Exprs<'p, 'o> {
    pub(super) program: &'p Program,
    pub(super) span: Span,
    pub(super) out: &'o mut Vec<Finding>,
}

impl<'p> Exprs<'p, '_> {
    /// Notes what is wrong with an expression.
    pub(super) fn wrong(&mut self, e: &Expr, what: impl std::fmt::Display) {
        let text = print::expr(self.program, e);
        self.out.push(Finding { span: self.span, what: format!("`{text}`: {what}") });
    }

    /// Notes what is wrong with the statement as a whole.
    pub(super) fn amiss(&mut self, what: impl Into<String>) {
        self.out.push(Finding { span: self.span, what: what.into() });
    }

    /// The declarations behind a reference; what can't be followed has been noted when the expression was looked at.
    pub(super) fn reference(&self, e: &Expr) -> Option<Reference<'p>> {
        follow(self.program, e.as_var()?).ok().flatten()
    }

    /// Looks at an expression and all its parts.
    pub(super) fn check(&mut self, e: &Expr) {
        e.children().into_iter().for_each(|part| self.check(part));
        match &e.kind {
            ExprKind::Int { suffix, .. } => self.literal(e, Base::Integer, suffix.as_ref(), 4),
            ExprKind::Logical { suffix, .. } => self.literal(e, Base::Logical, suffix.as_ref(), 4),
            ExprKind::Real { text, suffix } => {
                let double = text.contains(['d', 'D']);
                let kind = if double { 8 } else { self.program.default_real().kind };
                // An exponent letter for sixteen bytes is an extension.
                if !text.contains(['q', 'Q']) {
                    self.literal(e, Base::Real, suffix.as_ref(), kind);
                }
            }
            ExprKind::ComplexLit(re, im) => {
                self.agrees(e, Ty::new(Base::Complex, e.ty.kind), 0);
                if re.rank + im.rank > 0 || !re.ty.is_numeric() || !im.ty.is_numeric() {
                    self.wrong(e, "the parts of a complex literal are real or integer scalars");
                }
            }
            ExprKind::Str(_) => self.agrees(e, Ty::new(Base::Character, e.ty.kind), 0),
            ExprKind::Boz(_) | ExprKind::Opaque(_) | ExprKind::ProcRef(_) => {}
            ExprKind::Var(d) => self.variable(e, d),
            ExprKind::Unary(op, a) => self.unary(e, *op, a),
            ExprKind::Binary(op, a, b) => self.binary(e, *op, a, b),
            ExprKind::Call { callee, args } => self.function(e, callee, args),
            ExprKind::ArrayCtor { type_spec, items } => {
                self.agrees(e, e.ty, 1);
                if type_spec.is_none() {
                    items.iter().for_each(|i| self.item(e, i));
                }
            }
            ExprKind::StructCtor { ty, .. } => self.agrees(e, Ty::new(Base::Derived(*ty), e.ty.kind), 0),
            ExprKind::Paren(a) => self.agrees(e, a.ty, a.rank),
        }
    }

    /// A scalar of an intrinsic type.
    pub(super) fn scalar(&mut self, e: &Expr, fits: impl Fn(Base) -> bool, what: &str) {
        if e.rank > 0 || e.ty.base != Base::None && !fits(e.ty.base) {
            self.wrong(e, format!("{what} is expected, and this is {}", self.shown(e.ty, e.rank)));
        }
    }

    /// A type and a rank in words.
    pub(super) fn shown(&self, ty: Ty, rank: u8) -> String {
        let ty = match ty.base {
            Base::Character => "character".to_string(),
            Base::None => "without a type".to_string(),
            _ => self.program.spell(ty),
        };
        format!("{ty} of rank {rank}")
    }

    fn literal(&mut self, e: &Expr, base: Base, suffix: Option<&KindSuffix>, default: u8) {
        let kind = match suffix {
            None => default,
            Some(KindSuffix::Number(n)) => u8::try_from(*n).unwrap_or(e.ty.kind),
            // Constants of the compiler have values that only it knows.
            Some(KindSuffix::Named(s)) => {
                let value =
                    self.program.var(*s).and_then(|v| v.init.as_ref()).and_then(|i| lower::fold(self.program, i));
                match value {
                    Some(lower::Const::Int(n)) => u8::try_from(n).unwrap_or(e.ty.kind),
                    _ => e.ty.kind,
                }
            }
        };
        self.agrees(e, Ty::new(base, kind), 0);
    }

    /// Compares what an expression says of itself with what it is.
    fn agrees(&mut self, e: &Expr, ty: Ty, rank: u8) {
        if differ(e.ty, ty) || e.rank != rank {
            let (said, is) = (self.shown(e.ty, e.rank), self.shown(ty, rank));
            self.wrong(e, format!("it is taken for {said} and is {is}"));
        }
    }

    fn variable(&mut self, e: &Expr, d: &Designator) {
        for part in &d.parts {
            match part {
                Part::Subscripts(list) => list.iter().for_each(|s| self.subscript(e, s)),
                Part::Substring(lo, hi) => lo.iter().chain(hi).for_each(|b| self.integer(e, b, 0)),
                Part::Component(_) => {}
            }
        }
        match follow(self.program, d) {
            Ok(Some(found)) => {
                let rank = found.rank.unwrap_or(e.rank);
                self.agrees(e, found.ty, rank);
            }
            Ok(None) => {}
            Err(why) => self.wrong(e, why),
        }
    }

    fn subscript(&mut self, e: &Expr, s: &Subscript) {
        match s {
            Subscript::Index(i) => self.integer(e, i, 1),
            Subscript::Range { lo, hi, step } => {
                [lo, hi, step].into_iter().flatten().for_each(|b| self.integer(e, b, 0))
            }
        }
    }

    fn integer(&mut self, whole: &Expr, e: &Expr, most: u8) {
        if e.rank > most || !matches!(e.ty.base, Base::Integer | Base::None) {
            self.wrong(whole, format!("a subscript is {}", self.shown(e.ty, e.rank)));
        }
    }

    fn unary(&mut self, e: &Expr, op: UnaryOp, a: &Expr) {
        let fits = match op {
            UnaryOp::Minus | UnaryOp::Plus => a.ty.is_numeric(),
            UnaryOp::Not => a.ty.base == Base::Logical,
        };
        if !fits {
            self.wrong(e, format!("`{}` has an operand that is {}", op.text(), self.shown(a.ty, a.rank)));
        }
        self.agrees(e, a.ty, a.rank);
    }

    fn binary(&mut self, e: &Expr, op: BinaryOp, a: &Expr, b: &Expr) {
        let numeric = a.ty.is_numeric() && b.ty.is_numeric();
        let both = |base| a.ty.base == base && b.ty.base == base;
        let fits = match op {
            BinaryOp::Pow | BinaryOp::Mul | BinaryOp::Div | BinaryOp::Add | BinaryOp::Sub => numeric,
            BinaryOp::Concat => both(Base::Character),
            BinaryOp::Eq | BinaryOp::Ne => numeric || both(Base::Character),
            BinaryOp::Lt | BinaryOp::Le | BinaryOp::Gt | BinaryOp::Ge => {
                let complex = [a, b].iter().any(|x| x.ty.base == Base::Complex);
                numeric && !complex || both(Base::Character)
            }
            BinaryOp::And | BinaryOp::Or | BinaryOp::Eqv | BinaryOp::Neqv => both(Base::Logical),
        };
        let literal = [a, b].iter().any(|x| matches!(x.kind, ExprKind::Boz(_)));
        if !fits && !literal {
            let (a, b) = (self.shown(a.ty, a.rank), self.shown(b.ty, b.rank));
            return self.wrong(e, format!("`{}` has operands that are {a} and {b}", op.text()));
        }
        if a.rank != b.rank && a.rank.min(b.rank) > 0 {
            self.wrong(e, format!("operands have ranks {} and {}", a.rank, b.rank));
        }
        self.agrees(e, Expr::binary_ty(op, a.ty, b.ty), a.rank.max(b.rank));
    }

    fn item(&mut self, whole: &Expr, item: &CtorItem) {
        match item {
            CtorItem::Value(v)
                if ![v, whole].iter().any(|e| e.ty.base == Base::None)
                    && v.ty.base != whole.ty.base
                    && !v.is_derived() =>
            {
                self.wrong(whole, format!("an item is {}", self.shown(v.ty, v.rank)));
            }
            CtorItem::Value(_) => {}
            CtorItem::ImpliedDo { items, .. } => items.iter().for_each(|i| self.item(whole, i)),
        }
    }

    fn function(&mut self, e: &Expr, callee: &Callee, args: &[Arg]) {
        match callee {
            Callee::Intrinsic(f) => self.intrinsic(e, *f, args),
            Callee::Proc { sym, .. } => {
                let info = self.program[*sym].procedure();
                let known = info.and_then(|i| i.definition.or(i.interface));
                if let Some(p) = known {
                    self.arguments(p, args);
                    self.result(e, p, args);
                }
            }
            Callee::Bound { resolved, .. } => {
                let info = resolved.and_then(|s| self.program[s].procedure());
                if let Some(p) = info.and_then(|i| i.definition.or(i.interface)) {
                    self.result(e, p, args);
                }
            }
        }
    }

    fn result(&mut self, e: &Expr, p: ProcId, args: &[Arg]) {
        let proc = &self.program[p];
        let ProcKind::Function(result) = proc.kind else {
            return self.wrong(e, format!("`{}` is no function", proc.name));
        };
        let Some(v) = self.program.var(result) else { return };
        let widest = args.iter().map(|a| a.value.rank).max().unwrap_or(0);
        let rank = if proc.prefix.elemental { widest } else { v.rank() };
        self.agrees(e, v.ty, rank);
    }

    fn intrinsic(&mut self, e: &Expr, f: Intrinsic, args: &[Arg]) {
        if !lower::fits(f, args) {
            return self.wrong(e, format!("`{}` has no such arguments", f.name()));
        }
        if matches!(f.result(), ResultTy::None) && f != Intrinsic::Null {
            return self.wrong(e, format!("`{}` is no function", f.name()));
        }
        let (ty, rank) = lower::result(self.program, f, args);
        // The rank of a reshaped array is the length of an array, which only the compiler may know.
        let rank = if f == Intrinsic::Reshape { e.rank } else { rank };
        if f != Intrinsic::Null {
            self.agrees(e, ty, rank);
        }
        if f.class() == Class::Elemental {
            self.elemental(e, f, args);
        }
    }

    fn elemental(&mut self, e: &Expr, f: Intrinsic, args: &[Arg]) {
        let values = || args.iter().filter(|a| a.keyword.as_deref() != Some("kind")).map(|a| &a.value);
        if let Some(a) = values().find(|a| a.rank > 0 && a.rank != e.rank) {
            self.wrong(e, format!("arguments have ranks {} and {}", a.rank, e.rank));
        }
        // `x` is what a function of real or complex values calls its argument.
        if f.dummies() == ["x"]
            && let Some(x) = values().find(|x| !x.is_continuous() && x.ty.base != Base::None)
        {
            self.wrong(e, format!("its argument is {}", self.shown(x.ty, x.rank)));
        }
        let alike = match f.generic() {
            Intrinsic::Max | Intrinsic::Min => args.len(),
            Intrinsic::Sign | Intrinsic::Mod | Intrinsic::Modulo | Intrinsic::Dim | Intrinsic::Atan2 => 2,
            Intrinsic::Hypot | Intrinsic::Merge => 2,
            _ => return,
        };
        let Some(first) = values().next() else { return };
        if let Some(other) = values().take(alike).find(|a| differ(a.ty, first.ty)) {
            let (a, b) = (self.shown(first.ty, first.rank), self.shown(other.ty, other.rank));
            self.wrong(e, format!("its arguments are {a} and {b}"));
        }
    }
}

/// True for types that are known and aren't the same. Derived types aren't told apart: generated code has copies of them,
/// and objects of a class may be of any type that extends their own.
pub(super) fn differ(a: Ty, b: Ty) -> bool {
    let open = |t: Ty| matches!(t.base, Base::None | Base::Unlimited);
    match (a.derived(), b.derived()) {
        _ if open(a) || open(b) => false,
        (Some(_), Some(_)) => false,
        _ => a.base != b.base || a.kind != b.kind && a.base != Base::Character,
    }
}
