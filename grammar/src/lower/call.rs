//! Actual arguments and references to intrinsics: which argument is which, type and rank of the result.

use super::{Const, Ctx, Lowerer, fold};
use crate::cst::{Field, Kind, Node};
use crate::diag::Code;
use crate::intrinsics::{Class, Intrinsic};
use crate::ir::{Arg, Base, Callee, Expr, ExprKind, Name, Program, Ty};

/// An actual argument with its place.
pub(super) struct Actual<'t> {
    keyword: Option<Name>,
    value: Expr,
    node: Node<'t>,
}

impl Actual<'_> {
    pub(super) fn into_arg(self) -> Arg {
        Arg { keyword: self.keyword, value: self.value }
    }

    pub(super) fn to_arg(&self) -> Arg {
        Arg { keyword: self.keyword.clone(), value: self.value.clone() }
    }

    pub(super) fn rank(&self) -> u8 {
        self.value.rank
    }
}

impl<'t> Lowerer<'t> {
    /// The arguments in parentheses.
    pub(super) fn arguments(&mut self, ctx: Ctx<'t>, list: Node<'t>) -> Vec<Actual<'t>> {
        let mut out = Vec::new();
        for n in list.named() {
            let (keyword, node) = match n.kind() {
                Kind::KeywordArgument => match (n.field(Field::Name), n.field(Field::Value)) {
                    (Some(k), Some(v)) => (Some(Name::new(k.text())), v),
                    _ => (None, n),
                },
                _ => (None, n),
            };
            let value = match node.kind() {
                Kind::AssumedSize | Kind::AssumedRank | Kind::AssumedShape => {
                    Expr::new(ExprKind::Opaque(node.text().to_string()), Ty::NONE, 0)
                }
                Kind::ExtentSpecifier => {
                    self.problem_at(
                        ctx,
                        Code::BadExpression,
                        node,
                        format!("`{}` is no argument of a procedure", node.text()),
                    );
                    Expr::new(ExprKind::Opaque(node.text().to_string()), Ty::NONE, 0)
                }
                _ => self.argument(ctx, node),
            };
            out.push(Actual { keyword, value, node });
        }
        out
    }

    /// A value, or the name of an intrinsic that is passed as a procedure.
    fn argument(&mut self, ctx: Ctx<'t>, node: Node<'t>) -> Expr {
        self.expr(ctx, node)
    }

    /// A reference to an intrinsic function.
    pub(super) fn intrinsic_call(&mut self, ctx: Ctx<'t>, f: Intrinsic, args: Vec<Actual<'t>>) -> Expr {
        let node = args.first().map(|a| a.node);
        let args: Vec<Arg> = args.into_iter().map(Actual::into_arg).collect();
        if let Some(node) = node.filter(|_| !fits(f, &args)) {
            self.problem_at(
                ctx,
                Code::BadExpression,
                node,
                format!("the arguments of `{}` don't fit the intrinsic", f.name()),
            );
        }
        let (ty, rank) = result(&self.program, f, &args);
        Expr::new(ExprKind::Call { callee: Callee::Intrinsic(f), args }, ty, rank)
    }
}

/// Type and rank of the value of an intrinsic function.
pub(crate) fn result(program: &Program, f: Intrinsic, args: &[Arg]) -> (Ty, u8) {
    let bound = Bound { f, args };
    let kind = bound.get("kind").and_then(|k| fold(program, k)).and_then(|c| match c {
        Const::Int(i) => u8::try_from(i).ok(),
        Const::Real(_) | Const::Logical(_) | Const::Str(_) => None,
    });
    (bound.ty(kind, program.default_real()), bound.rank(program))
}

/// Are the numbers and keywords of the arguments possible?
pub(crate) fn fits(f: Intrinsic, args: &[Arg]) -> bool {
    let dummies = f.dummies();
    let variadic = dummies.first() == Some(&"a1");
    if variadic {
        return true;
    }
    args.len() <= dummies.len() && args.iter().all(|a| a.keyword.as_ref().is_none_or(|k| known_keyword(f, k)))
}

fn known_keyword(f: Intrinsic, k: &str) -> bool {
    // `atan(y, x)` and its one-argument form name their argument differently; so do others that gained arguments.
    f.dummies().contains(&k)
        || matches!(k, "x" | "y" | "i" | "j" | "array" | "scalar" | "a" | "shift" | "coarray" | "p" | "l")
}

/// An intrinsic's arguments by the names of its dummies.
struct Bound<'a> {
    f: Intrinsic,
    args: &'a [Arg],
}

impl<'a> Bound<'a> {
    fn get(&self, name: &str) -> Option<&'a Expr> {
        if let Some(a) = self.args.iter().find(|a| a.keyword.as_deref() == Some(name)) {
            return Some(&a.value);
        }
        let i = self.f.dummies().iter().position(|d| *d == name)?;
        self.args.get(i).filter(|a| a.keyword.is_none()).map(|a| &a.value)
    }

    fn first(&self) -> Option<&'a Expr> {
        self.f.dummies().first().and_then(|d| self.get(d)).or_else(|| self.args.first().map(|a| &a.value))
    }

    fn first_rank(&self) -> u8 {
        self.first().map_or(0, |e| e.rank)
    }

    /// `dim=`, or a second argument that is an integer where a mask could stand as well.
    fn dim(&self) -> Option<&'a Expr> {
        self.get("dim").filter(|e| e.ty.base != Base::Logical)
    }

    fn ty(&self, kind: Option<u8>, real: Ty) -> Ty {
        use Intrinsic as I;
        let mut types: Vec<Ty> = Vec::new();
        if self.f.dummies().first() == Some(&"a1") {
            types.extend(self.args.iter().map(|a| a.value.ty));
        } else {
            types.extend(self.f.dummies().iter().map_while(|d| self.get(d)).map(|e| e.ty));
        }
        if types.is_empty() {
            types.extend(self.args.first().map(|a| a.value.ty));
        }
        match self.f {
            I::DotProduct | I::Matmul => types.truncate(2),
            I::All | I::Any | I::Parity => return Ty::new(Base::Logical, types.first().map_or(4, |t| t.kind)),
            I::Ichar | I::Iachar | I::Index | I::Scan | I::Verify | I::Count | I::Maxloc | I::Minloc | I::Findloc => {}
            I::Repeat | I::Trim | I::Adjustl | I::Adjustr => return types.first().copied().unwrap_or(Ty::CHARACTER),
            // BOZ arguments take the type of the other one.
            I::Iand | I::Ior | I::Ieor if types.len() == 2 => return types[0].promote(types[1]),
            _ => {}
        }
        self.f.result_ty_of(&types, kind, real)
    }

    fn rank(&self, program: &Program) -> u8 {
        use Intrinsic as I;
        let first = self.first_rank();
        let reduced = if self.dim().is_some() { first.saturating_sub(1) } else { 0 };
        match self.f {
            I::Sum
            | I::Product
            | I::Maxval
            | I::Minval
            | I::All
            | I::Any
            | I::Count
            | I::Parity
            | I::Norm2
            | I::Iall
            | I::Iany
            | I::Iparity => reduced,
            I::Maxloc | I::Minloc | I::Findloc => {
                if self.dim().is_some() {
                    first.saturating_sub(1)
                } else {
                    1
                }
            }
            I::Cshift | I::Eoshift => first,
            I::Matmul => {
                let second = self.get("matrix_b").map_or(0, |e| e.rank);
                (first + second).saturating_sub(2)
            }
            I::Pack | I::Shape => 1,
            I::Unpack => self.get("mask").map_or(1, |e| e.rank),
            I::Reshape => self.get("shape").and_then(|s| extent(program, s)).unwrap_or(1),
            I::Spread => first + 1,
            I::Transpose => 2,
            I::Lbound | I::Ubound => u8::from(self.dim().is_none()),
            I::Transfer => {
                let array = self.get("mold").is_some_and(|e| e.rank > 0) || self.get("size").is_some();
                u8::from(array)
            }
            _ => match self.f.class() {
                Class::Elemental => self.args.iter().map(|a| a.value.rank).max().unwrap_or(0),
                Class::Transformational | Class::Inquiry | Class::Subroutine => 0,
            },
        }
    }
}

/// How many elements a rank-one expression has.
fn extent(program: &Program, e: &Expr) -> Option<u8> {
    let n = match &e.unparen().kind {
        ExprKind::ArrayCtor { items, .. } => {
            let mut n = 0;
            for i in items {
                match i {
                    crate::ir::CtorItem::Value(v) if v.rank == 0 => n += 1,
                    crate::ir::CtorItem::Value(v) => n += i64::from(extent(program, v)?),
                    crate::ir::CtorItem::ImpliedDo { lo, hi, step: None, items, .. } => {
                        let (Some(Const::Int(lo)), Some(Const::Int(hi))) = (fold(program, lo), fold(program, hi))
                        else {
                            return None;
                        };
                        n += (hi - lo + 1).max(0) * items.len() as i64;
                    }
                    crate::ir::CtorItem::ImpliedDo { .. } => return None,
                }
            }
            n
        }
        ExprKind::Call { callee: Callee::Intrinsic(Intrinsic::Shape), args } => i64::from(args.first()?.value.rank),
        ExprKind::Call { callee: Callee::Intrinsic(Intrinsic::Ubound | Intrinsic::Lbound), args } => {
            i64::from(args.first()?.value.rank)
        }
        ExprKind::Var(d) => match d.parts.as_slice() {
            [] => super::constant::size(program, &program.var(d.sym)?.dims)?,
            [crate::ir::Part::Subscripts(list)] => match list.as_slice() {
                [crate::ir::Subscript::Range { lo, hi: Some(hi), step: None }] => {
                    let lo = lo.as_ref().map_or(Some(Const::Int(1)), |l| fold(program, l));
                    match (lo, fold(program, hi)) {
                        (Some(Const::Int(lo)), Some(Const::Int(hi))) => hi - lo + 1,
                        _ => return None,
                    }
                }
                _ => return None,
            },
            _ => return None,
        },
        ExprKind::Binary(_, a, b) => return extent(program, a).or_else(|| extent(program, b)),
        ExprKind::Unary(_, a) => return extent(program, a),
        _ => return None,
    };
    u8::try_from(n).ok()
}
