//! Expressions: operator chains are flattened and rebuilt from the operator table, since the parser's grouping isn't
//! Fortran's; literals keep their spelling.

use super::types::suffix_value;
use super::{Ctx, Lowerer};
use crate::cst::{Field, Kind, Node};
use crate::diag::Code;
use crate::intrinsics::Intrinsic;
use crate::ir::{
    Arg, Base, Callee, CtorItem, Expr, ExprKind, KindSuffix, ModuleKind, Name, Part, SymId, SymbolKind, Ty, Variable,
};
use crate::operators::{Assoc, BinaryOp, DEFINED_BINARY, DEFINED_UNARY, UnaryOp};
use crate::source::Span;

/// A piece of a flattened operator chain.
enum Token<'t> {
    Operand(Node<'t>),
    Operator(Node<'t>),
}

struct Chain<'t> {
    tokens: Vec<Token<'t>>,
    at: usize,
}

impl<'t> Chain<'t> {
    fn operator(&self) -> Option<Node<'t>> {
        match self.tokens.get(self.at) {
            Some(Token::Operator(n)) => Some(*n),
            Some(Token::Operand(_)) | None => None,
        }
    }
}

/// A binary operator as spelt: precedence and grouping.
fn binary_row(n: Node<'_>) -> (Option<BinaryOp>, u8, Assoc) {
    match BinaryOp::parse(&n.squeezed()) {
        Some(op) => (Some(op), op.precedence(), op.assoc()),
        None => (None, DEFINED_BINARY, Assoc::Left),
    }
}

fn is_operation(kind: Kind) -> bool {
    matches!(
        kind,
        Kind::MathExpression
            | Kind::RelationalExpression
            | Kind::LogicalExpression
            | Kind::ConcatenationExpression
            | Kind::UnaryExpression
    )
}

/// Operands and operators in the order in which they are written.
fn flatten<'t>(n: Node<'t>, out: &mut Vec<Token<'t>>) {
    if !is_operation(n.kind()) {
        out.push(Token::Operand(n));
        return;
    }
    for c in n.children() {
        if c.field_of() == Field::Operator || c.is_token() || c.kind() == Kind::UserDefinedOperator {
            out.push(Token::Operator(c));
        } else {
            flatten(c, out);
        }
    }
}

impl<'t> Lowerer<'t> {
    /// Lowers an expression.
    pub(super) fn expr(&mut self, ctx: Ctx<'t>, n: Node<'t>) -> Expr {
        let span = ctx.span(n);
        let mut e = self.expr_kind(ctx, n, span);
        e.span = span;
        e
    }

    fn expr_kind(&mut self, ctx: Ctx<'t>, n: Node<'t>, span: Span) -> Expr {
        match n.kind() {
            Kind::NumberLiteral => self.number(ctx, n),
            Kind::BooleanLiteral => {
                let text = n.squeezed();
                let suffix = self.suffix(ctx, n);
                let kind = suffix_value(&self.program, suffix.as_ref()).unwrap_or(4);
                let value = text.starts_with(".t");
                Expr::new(ExprKind::Logical { value, suffix }, Ty::new(Base::Logical, kind), 0)
            }
            Kind::StringLiteral => Expr::new(ExprKind::Str(n.text().to_string()), Ty::CHARACTER, 0),
            Kind::Hollerith => Expr::new(ExprKind::Opaque(n.text().to_string()), Ty::CHARACTER, 0),
            Kind::ComplexLiteral => self.complex(ctx, n),
            Kind::ParenthesizedExpression => match n.named().next() {
                Some(inner) => {
                    let e = self.expr(ctx, inner);
                    let (ty, rank) = (e.ty, e.rank);
                    Expr::new(ExprKind::Paren(Box::new(e)), ty, rank)
                }
                None => self.not_understood(ctx, n),
            },
            Kind::ArrayLiteral => self.array_constructor(ctx, n),
            Kind::NullLiteral => {
                let args: Vec<Arg> = n.field(Field::Mold).map(|m| Arg::new(self.expr(ctx, m))).into_iter().collect();
                let ty = args.first().map_or(Ty::NONE, |a| a.value.ty);
                let rank = args.first().map_or(0, |a| a.value.rank);
                Expr::new(ExprKind::Call { callee: Callee::Intrinsic(Intrinsic::Null), args }, ty, rank)
            }
            Kind::Identifier | Kind::MemberExpression | Kind::CallExpression | Kind::Name => self.reference(ctx, n),
            kind if is_operation(kind) => self.operation(ctx, n, span),
            Kind::CoarrayExpression | Kind::ConditionalExpression => {
                self.problem_at(ctx, Code::UnsupportedExpression, n, format!("`{}` isn't supported", n.text()));
                Expr::new(ExprKind::Opaque(n.text().to_string()), Ty::NONE, 0)
            }
            _ => self.not_understood(ctx, n),
        }
    }

    fn not_understood(&mut self, ctx: Ctx<'t>, n: Node<'t>) -> Expr {
        self.problem_at(ctx, Code::BadExpression, n, format!("the expression `{}` isn't understood", n.text()));
        Expr::new(ExprKind::Opaque(n.text().to_string()), Ty::NONE, 0)
    }

    fn operation(&mut self, ctx: Ctx<'t>, n: Node<'t>, _span: Span) -> Expr {
        let mut chain = Chain { tokens: Vec::new(), at: 0 };
        flatten(n, &mut chain.tokens);
        let e = self.climb(ctx, &mut chain, 0);
        if chain.at < chain.tokens.len() {
            return self.not_understood(ctx, n);
        }
        e
    }

    /// Precedence climbing: operators that bind at least as tightly as `min`.
    fn climb(&mut self, ctx: Ctx<'t>, chain: &mut Chain<'t>, min: u8) -> Expr {
        let mut left = self.prefix(ctx, chain);
        while let Some(op) = chain.operator() {
            let (known, precedence, assoc) = binary_row(op);
            if precedence < min {
                break;
            }
            chain.at += 1;
            let tighter = if assoc == Assoc::Right { precedence } else { precedence + 1 };
            let right = self.climb(ctx, chain, tighter);
            left = self.binary(ctx, op, known, left, right);
        }
        left
    }

    /// An operand, with the unary operators before it.
    fn prefix(&mut self, ctx: Ctx<'t>, chain: &mut Chain<'t>) -> Expr {
        match chain.tokens.get(chain.at) {
            Some(Token::Operand(n)) => {
                let n = *n;
                chain.at += 1;
                self.expr(ctx, n)
            }
            Some(Token::Operator(n)) => {
                let n = *n;
                chain.at += 1;
                let op = match n.squeezed().as_str() {
                    "-" => Some(UnaryOp::Minus),
                    "+" => Some(UnaryOp::Plus),
                    ".not." => Some(UnaryOp::Not),
                    _ => None,
                };
                // A sign takes a whole term: `-a*b` is `-(a*b)`, `-a**b` is `-(a**b)`.
                let min = op.map_or(DEFINED_UNARY, |o| o.precedence() + 1);
                let operand = self.climb(ctx, chain, min);
                self.unary(ctx, n, op, operand)
            }
            None => Expr::new(ExprKind::Opaque(String::new()), Ty::NONE, 0),
        }
    }

    fn unary(&mut self, ctx: Ctx<'t>, n: Node<'t>, op: Option<UnaryOp>, operand: Expr) -> Expr {
        let span = ctx.span(n).to(operand.span);
        let spelt = n.squeezed();
        let defined = op.is_none() || operand.is_derived();
        if defined {
            let args = vec![Arg::new(operand)];
            return match self.defined_operator(ctx, &spelt, args, span) {
                Ok(e) => e,
                Err(mut args) => {
                    let operand = args.remove(0).value;
                    self.no_operator(ctx, n, &spelt);
                    let (ty, rank) = (operand.ty, operand.rank);
                    match op {
                        Some(op) => Expr { span, ..Expr::new(ExprKind::Unary(op, Box::new(operand)), ty, rank) },
                        None => Expr { span, ..Expr::new(ExprKind::Opaque(spelt), Ty::NONE, rank) },
                    }
                }
            };
        }
        let (ty, rank) = (operand.ty, operand.rank);
        let op = op.unwrap_or(UnaryOp::Plus);
        Expr { span, ..Expr::new(ExprKind::Unary(op, Box::new(operand)), ty, rank) }
    }

    fn binary(&mut self, ctx: Ctx<'t>, n: Node<'t>, op: Option<BinaryOp>, a: Expr, b: Expr) -> Expr {
        let span = a.span.to(b.span);
        let spelt = n.squeezed();
        let Some(known) = op else {
            return match self.defined_operator(ctx, &spelt, vec![Arg::new(a), Arg::new(b)], span) {
                Ok(e) => e,
                Err(_) => {
                    self.no_operator(ctx, n, &spelt);
                    Expr { span, ..Expr::new(ExprKind::Opaque(spelt), Ty::NONE, 0) }
                }
            };
        };
        let (a, b) = if may_be_defined(known, &a, &b) {
            let args = vec![Arg::new(a), Arg::new(b)];
            match self.defined_operator(ctx, known.text(), args, span) {
                Ok(e) => return e,
                Err(mut args) => {
                    let b = args.pop().map_or_else(|| Expr::int(0), |a| a.value);
                    let a = args.pop().map_or_else(|| Expr::int(0), |a| a.value);
                    match (self.handle_value(&a), self.handle_value(&b)) {
                        (Some(of_a), Some(of_b)) if a.ty == b.ty && matches!(known, BinaryOp::Eq | BinaryOp::Ne) => {
                            (of_a, of_b)
                        }
                        _ => {
                            if a.is_derived() || b.is_derived() {
                                self.no_operator(ctx, n, &spelt);
                            }
                            (a, b)
                        }
                    }
                }
            }
        } else {
            (a, b)
        };
        Expr { span, ..Expr::binary(known, a, b) }
    }

    /// The integer in a handle of `mpi_f08`, by which its operators compare (MPI 4.0, section 2.5.1).
    fn handle_value(&self, e: &Expr) -> Option<Expr> {
        let (ty, d) = (e.ty.derived()?, e.as_var()?);
        let module = self.program.module_of(self.program[ty].scope).map(|m| &self.program[m])?;
        let handles = module.kind == ModuleKind::Intrinsic && module.name.as_str() == "mpi_f08";
        let value = Name::new("mpi_val");
        self.program[ty].derived()?.components.iter().find(|c| handles && c.name == value)?;
        let mut d = d.clone();
        d.parts.push(Part::Component(value));
        Some(Expr { kind: ExprKind::Var(d), ty: Ty::INTEGER, ..e.clone() })
    }

    fn no_operator(&mut self, ctx: Ctx<'t>, n: Node<'t>, spelt: &str) {
        self.problem_at(
            ctx,
            Code::NoSpecific,
            n,
            format!("no specific procedure of `operator({spelt})` takes these operands"),
        );
    }

    fn number(&mut self, ctx: Ctx<'t>, n: Node<'t>) -> Expr {
        let text: String = n.text().chars().filter(|c| !c.is_whitespace()).collect();
        if text.contains(['\'', '"']) {
            return Expr::new(ExprKind::Boz(text), Ty::INTEGER, 0);
        }
        let digits = text.split('_').next().unwrap_or("").to_string();
        let suffix = self.suffix(ctx, n);
        let kind = suffix_value(&self.program, suffix.as_ref());
        if suffix.is_some() && kind.is_none() {
            self.problem_at(ctx, Code::BadConstant, n, format!("the kind of `{text}` can't be evaluated"));
        }
        if digits.bytes().all(|b| b.is_ascii_digit()) {
            return match digits.parse() {
                Ok(value) => Expr::new(ExprKind::Int { value, suffix }, Ty::new(Base::Integer, kind.unwrap_or(4)), 0),
                Err(_) => Expr::new(ExprKind::Opaque(text), Ty::new(Base::Integer, kind.unwrap_or(8)), 0),
            };
        }
        let by_letter = digits.bytes().find_map(|b| match b.to_ascii_lowercase() {
            b'd' => Some(8),
            b'q' => Some(16),
            _ => None,
        });
        let kind = kind.or(by_letter).unwrap_or(self.program.default_real().kind);
        Expr::new(ExprKind::Real { text: digits, suffix }, Ty::new(Base::Real, kind), 0)
    }

    /// The kind after the underscore of a literal.
    fn suffix(&mut self, ctx: Ctx<'t>, n: Node<'t>) -> Option<KindSuffix> {
        let k = n.field(Field::Kind)?;
        let text = k.lower();
        if let Ok(number) = text.parse() {
            return Some(KindSuffix::Number(number));
        }
        match self.lookup(ctx, &text) {
            Some(sym) => Some(KindSuffix::Named(sym)),
            None => {
                self.undeclared(ctx, &text, ctx.span(k));
                None
            }
        }
    }

    fn complex(&mut self, ctx: Ctx<'t>, n: Node<'t>) -> Expr {
        let parts: Vec<Node<'t>> = n.named().collect();
        let [re, im] = parts.as_slice() else { return self.not_understood(ctx, n) };
        let (re, im) = (self.expr(ctx, *re), self.expr(ctx, *im));
        let part = re.ty.promote(im.ty);
        let kind = if part.base == Base::Real { part.kind } else { 4 };
        Expr::new(ExprKind::ComplexLit(Box::new(re), Box::new(im)), Ty::new(Base::Complex, kind), 0)
    }

    fn array_constructor(&mut self, ctx: Ctx<'t>, n: Node<'t>) -> Expr {
        let mut spec = None;
        let mut items = Vec::new();
        for c in n.named() {
            if c.field_of() == Field::Type || matches!(c.kind(), Kind::IntrinsicType | Kind::DerivedType) {
                spec = Some(self.type_spec(ctx, c));
            } else {
                items.push(self.constructor_item(ctx, c));
            }
        }
        let ty = spec.as_ref().map(|s| s.ty).or_else(|| items_ty(&items)).unwrap_or(Ty::NONE);
        Expr::new(ExprKind::ArrayCtor { type_spec: spec.map(|s| s.spelling), items }, ty, 1)
    }

    fn constructor_item(&mut self, ctx: Ctx<'t>, n: Node<'t>) -> CtorItem {
        if n.kind() != Kind::ImpliedDo {
            return CtorItem::Value(self.expr(ctx, n));
        }
        let Some(control) = n.child(Kind::LoopControl) else { return CtorItem::Value(self.not_understood(ctx, n)) };
        let (var, lo, hi, step) = match self.loop_control(ctx, control) {
            Some(parts) => parts,
            None => return CtorItem::Value(self.not_understood(ctx, n)),
        };
        let values = n.named().filter(|v| !matches!(v.kind(), Kind::LoopControl | Kind::IntrinsicType));
        let items = values.map(|v| self.constructor_item(ctx, v)).collect();
        CtorItem::ImpliedDo { items, var, lo, hi, step: step.map(Box::new) }
    }

    /// `i = lo, hi, step`
    pub(super) fn loop_control(&mut self, ctx: Ctx<'t>, n: Node<'t>) -> Option<(SymId, Expr, Expr, Option<Expr>)> {
        let mut parts = n.named();
        let var = parts.next()?;
        let (lo, hi, step) = (parts.next()?, parts.next()?, parts.next());
        let var = self.index_variable(ctx, var, None)?;
        let (lo, hi) = (self.expr(ctx, lo), self.expr(ctx, hi));
        let step = step.map(|s| self.expr(ctx, s));
        Some((var, lo, hi, step))
    }

    /// The variable of a loop or implied loop; one that only the loop declares gets a symbol of its own.
    pub(super) fn index_variable(
        &mut self,
        ctx: Ctx<'t>,
        n: Node<'t>,
        ty: Option<&super::types::TypeSpec>,
    ) -> Option<SymId> {
        if n.kind() != Kind::Identifier {
            self.problem_at(ctx, Code::BadExpression, n, format!("`{}` isn't a loop variable", n.text()));
            return None;
        }
        let name = n.lower();
        match self.program.lookup(ctx.scope, &name) {
            Some(sym) if matches!(self.program[sym].kind, SymbolKind::Variable(_)) => {
                self.type_if_untyped(ctx, sym);
                Some(sym)
            }
            Some(_) if ty.is_none() => {
                self.problem_at(ctx, Code::BadExpression, n, format!("`{}` isn't a variable", n.text()));
                None
            }
            _ => match ty {
                Some(spec) => {
                    let mut var = Variable::scalar(Ty::NONE, "");
                    spec.apply(&mut var);
                    let scope = self.home(ctx.scope);
                    Some(self.new_variable(ctx, scope, Name::new(&name), ctx.span(n), var))
                }
                None => Some(self.implicit_variable(ctx, &name, ctx.span(n))),
            },
        }
    }

    /// Gives a variable that is used before its declaration said its type the implicit one.
    pub(super) fn type_if_untyped(&mut self, ctx: Ctx<'t>, sym: SymId) {
        // Within a specification part the declaration may still come.
        if self.units[ctx.unit].state == super::State::Done {
            self.type_by_name(ctx, sym);
        }
    }

    /// Gives a variable that no declaration has given a type the implicit one.
    pub(super) fn type_by_name(&mut self, ctx: Ctx<'t>, sym: SymId) {
        if !self.untyped.contains(&sym) {
            return;
        }
        let (name, span) = (self.program[sym].name.clone(), self.program[sym].span);
        let scope = self.program[sym].scope;
        match self.implicit_type(scope, &name) {
            Some(spec) => self.set_type(sym, &spec),
            None => {
                self.untyped.remove(&sym);
                self.undeclared(ctx, &name, span);
            }
        }
    }
}

fn items_ty(items: &[CtorItem]) -> Option<Ty> {
    items.iter().find_map(|i| match i {
        CtorItem::Value(v) => Some(v.ty),
        CtorItem::ImpliedDo { items, .. } => items_ty(items),
    })
}

/// Can the operator only be a defined one for these operands (or is it worth asking)?
fn may_be_defined(op: BinaryOp, a: &Expr, b: &Expr) -> bool {
    if a.is_derived() || b.is_derived() {
        return true;
    }
    if a.ty == Ty::NONE || b.ty == Ty::NONE {
        return false;
    }
    let both = |f: fn(Ty) -> bool| f(a.ty) && f(b.ty);
    let text = |t: Ty| t.base == Base::Character;
    let logical = |t: Ty| t.base == Base::Logical;
    let ranks = a.rank != b.rank && a.rank > 0 && b.rank > 0;
    ranks
        || match op {
            _ if op.is_arithmetic() => !both(Ty::is_numeric),
            BinaryOp::Concat => !both(text),
            BinaryOp::And | BinaryOp::Or | BinaryOp::Eqv | BinaryOp::Neqv => !both(logical),
            _ => !both(Ty::is_numeric) && !both(text),
        }
}
