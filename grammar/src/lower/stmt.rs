//! Statements without inner blocks. What isn't understood becomes `Unsupported`: passed through, refused where a derivative
//! needs it.

use super::call::Actual;
use super::decl::extent;
use super::designator::{Step, steps};
use super::{Ctx, Lowerer};
use crate::cst::{Field, Kind, Node};
use crate::diag::Code;
use crate::intrinsics::{Class, Intrinsic};
use crate::ir::{
    AllocItem, Arg, Base, BindingName, Callee, Expr, ExprKind, Name, ProcKind, StmtKind, SymId, SymbolKind, words,
};

/// A statement that is understood no further.
pub(super) fn unsupported(what: &str, n: Node<'_>) -> StmtKind {
    StmtKind::Unsupported { what: what.to_string(), text: n.text().to_string(), names: Vec::new(), body: Vec::new() }
}

impl<'t> Lowerer<'t> {
    /// Lowers a statement or construct. One that is kept as text may touch whatever it names.
    pub(super) fn statement(&mut self, ctx: Ctx<'t>, n: Node<'t>) -> StmtKind {
        let mut kind = self.understood(ctx, n);
        self.refuse_parts(ctx, n, &kind);
        if let StmtKind::Unsupported { what, text, names, .. } = &mut kind
            && !matches!(what.as_str(), "select type" | "critical" | "change team")
        {
            *names = self.named(ctx, text);
        }
        kind
    }

    /// The entities that a text names.
    fn named(&self, ctx: Ctx<'t>, text: &str) -> Vec<crate::ir::SymId> {
        let mut out: Vec<_> =
            words(text).filter_map(|w| self.program.lookup(ctx.scope, &w.to_ascii_lowercase())).collect();
        out.sort();
        out.dedup();
        out
    }

    fn understood(&mut self, ctx: Ctx<'t>, n: Node<'t>) -> StmtKind {
        match n.kind() {
            Kind::AssignmentStatement => self.one_line(ctx, n, Self::assignment),
            Kind::PointerAssociationStatement => self.one_line(ctx, n, Self::pointer_assignment),
            Kind::SubroutineCall => self.one_line(ctx, n, Self::call_statement),
            Kind::KeywordStatement => self.keyword(ctx, n),
            Kind::IfStatement => self.if_statement(ctx, n),
            Kind::SelectCaseStatement => self.select_case(ctx, n),
            Kind::DoLoop => self.do_loop(ctx, n),
            Kind::WhereStatement => self.where_statement(ctx, n),
            Kind::ForallStatement => self.forall(ctx, n),
            Kind::AssociateStatement => self.associate_construct(ctx, n),
            Kind::BlockConstruct => self.block_construct(ctx, n),
            Kind::SelectTypeStatement => self.select_type(ctx, n),
            Kind::SelectRankStatement => self.select_rank(ctx, n),
            Kind::CoarrayTeamStatement => self.with_body(ctx, n, "change team"),
            Kind::CoarrayCriticalStatement => self.with_body(ctx, n, "critical"),
            Kind::StopStatement => self.stop(ctx, n),
            Kind::AllocateStatement => self.allocate(ctx, n),
            Kind::DeallocateStatement => self.deallocate(ctx, n),
            Kind::NullifyStatement => {
                let items = n.named().map(|i| self.expr(ctx, i)).collect();
                StmtKind::Nullify(items)
            }
            Kind::PrintStatement
            | Kind::WriteStatement
            | Kind::ReadStatement
            | Kind::OpenStatement
            | Kind::CloseStatement
            | Kind::InquireStatement
            | Kind::FilePositionStatement => self.io(ctx, n),
            Kind::FormatStatement => unsupported("format", n),
            Kind::ArithmeticIf => self.arithmetic_if(ctx, n).unwrap_or_else(|| unsupported("arithmetic if", n)),
            Kind::EntryStatement => unsupported("entry", n),
            Kind::AssignStatement => unsupported("assign", n),
            Kind::CoarrayStatement => unsupported("coarray statement", n),
            Kind::IncludeStatement => unsupported("include", n),
            Kind::CallExpression | Kind::Identifier => {
                self.problem_at(ctx, Code::Syntax, n, format!("`{}` is no statement", n.text()));
                unsupported("a reference in place of a statement", n)
            }
            Kind::Error | Kind::Missing => unsupported("a statement that can't be parsed", n),
            kind => {
                self.problem_at(ctx, Code::Syntax, n, format!("the statement `{}` isn't understood", first_line(n)));
                unsupported(&format!("{kind:?}"), n)
            }
        }
    }

    /// The parser takes newlines for blanks: a statement that runs over its line was cut wrongly.
    fn one_line(&mut self, ctx: Ctx<'t>, n: Node<'t>, lower: fn(&mut Self, Ctx<'t>, Node<'t>) -> StmtKind) -> StmtKind {
        if n.on_one_line() {
            return lower(self, ctx, n);
        }
        self.problem_at(ctx, Code::Syntax, n, format!("the statement `{}` isn't complete", first_line(n)));
        unsupported("an incomplete statement", n)
    }

    fn assignment(&mut self, ctx: Ctx<'t>, n: Node<'t>) -> StmtKind {
        let (Some(left), Some(right)) = (n.field(Field::Left), n.field(Field::Right)) else {
            return unsupported("assignment", n);
        };
        let lhs = self.expr(ctx, left);
        let rhs = self.expr(ctx, right);
        if lhs.is_derived() || rhs.is_derived() {
            let args = vec![Arg::new(lhs.clone()), Arg::new(rhs.clone())];
            if let Some((sym, generic)) = self.find_operator(ctx, &Name::new("assignment(=)"), &args) {
                let callee = Callee::Proc { sym, generic, operator: Some("=".to_string()) };
                return StmtKind::Call { callee, args };
            }
        }
        if lhs.as_var().is_none() && !self.returns_pointer(&lhs) {
            self.problem_at(ctx, Code::Syntax, left, format!("`{}` can't be assigned to", left.text()));
            return unsupported("assignment to what is no variable", n);
        }
        StmtKind::Assign { lhs, rhs }
    }

    /// Is it a reference to a function whose result is a pointer?
    fn returns_pointer(&mut self, e: &Expr) -> bool {
        let ExprKind::Call { callee, .. } = &e.kind else { return false };
        let sym = match callee {
            Callee::Proc { sym, .. } => Some(*sym),
            Callee::Bound { object, binding, resolved } => resolved.or_else(|| {
                let (owner, b) = self.program.binding(object.ty.derived()?, binding.specific())?;
                self.program.bound_procedure(owner, b)
            }),
            Callee::Intrinsic(_) => None,
        };
        let info = sym.and_then(|s| self.program[s].procedure());
        let Some(p) = info.and_then(|i| i.interface.or(i.definition)) else { return false };
        self.ensure_procedure(p);
        match self.program[p].kind {
            ProcKind::Function(result) => self.program.var(result).is_some_and(|v| v.attrs.pointer),
            ProcKind::Subroutine | ProcKind::Program => false,
        }
    }

    fn pointer_assignment(&mut self, ctx: Ctx<'t>, n: Node<'t>) -> StmtKind {
        let parts: Vec<Node<'t>> = n.named().collect();
        let [left, right] = parts.as_slice() else { return unsupported("pointer assignment", n) };
        // A procedure pointer's left side is a name or component without value: no reference.
        let lhs = self.expr(ctx, *left);
        let mut rhs = self.expr(ctx, *right);
        if rhs.ty == crate::ir::Ty::NONE
            && matches!(rhs.kind, ExprKind::Call { callee: Callee::Intrinsic(Intrinsic::Null), .. })
        {
            rhs.ty = lhs.ty;
            rhs.rank = lhs.rank;
        }
        StmtKind::PointerAssign { lhs, rhs }
    }

    fn call_statement(&mut self, ctx: Ctx<'t>, n: Node<'t>) -> StmtKind {
        let Some(target) = n.field(Field::Subroutine) else { return unsupported("call", n) };
        let Some((base, mut list)) = steps(target) else { return unsupported("call", n) };
        let mut args_node = n.child(Kind::ArgumentList);
        if args_node.is_none()
            && let Some(Step::Args(a)) = list.last()
        {
            args_node = Some(*a);
            list.pop();
        }
        let actual = args_node.map_or_else(Vec::new, |a| self.arguments(ctx, a));
        if args_node.is_some_and(|a| a.named().any(|x| x.kind() == Kind::AssumedSize)) {
            return unsupported("a call with alternate returns", n);
        }
        if !list.is_empty() {
            return self.bound_call(ctx, n, target, actual);
        }
        let name = base.lower();
        let sym = match self.lookup(ctx, &name) {
            Some(sym) => {
                if self.is_placeholder(sym) {
                    self.make_procedure(sym).external = true;
                }
                sym
            }
            None => match Intrinsic::find(&name).filter(|f| f.class() == Class::Subroutine) {
                Some(f) if !self.program.globals.contains_key(name.as_str()) => {
                    let args = actual.into_iter().map(Actual::into_arg).collect();
                    return StmtKind::Call { callee: Callee::Intrinsic(f), args };
                }
                _ => self.external_symbol(ctx, &name, ctx.span(base)),
            },
        };
        self.call_symbol(ctx, n, base, sym, actual)
    }

    fn call_symbol(
        &mut self,
        ctx: Ctx<'t>,
        n: Node<'t>,
        base: Node<'t>,
        sym: SymId,
        actual: Vec<Actual<'t>>,
    ) -> StmtKind {
        let args: Vec<Arg> = actual.into_iter().map(Actual::into_arg).collect();
        let proc = |sym, generic| Callee::Proc { sym, generic, operator: None };
        match &self.program[sym].kind {
            SymbolKind::Procedure(info) => {
                let callee = info.intrinsic.map_or(proc(sym, None), Callee::Intrinsic);
                StmtKind::Call { callee, args }
            }
            SymbolKind::Generic(g) => {
                let g = g.clone();
                if let Some(s) = self.resolve(&g.specifics, &args) {
                    return StmtKind::Call { callee: proc(s, Some(sym)), args };
                }
                if let Some(f) = g.intrinsic.filter(|f| f.class() == Class::Subroutine) {
                    return StmtKind::Call { callee: Callee::Intrinsic(f), args };
                }
                self.no_specific(ctx, base, sym);
                StmtKind::Call { callee: proc(sym, Some(sym)), args }
            }
            SymbolKind::Variable(v) => {
                let callable = v.dims.is_empty() && v.init.is_none() && !v.attrs.parameter;
                if !callable {
                    self.problem_at(ctx, Code::BadExpression, base, format!("`{}` is no subroutine", base.text()));
                    return unsupported("a call of what is no subroutine", n);
                }
                // A dummy or external procedure that was never declared as one.
                self.untyped.insert(sym);
                self.make_procedure(sym).ty = None;
                StmtKind::Call { callee: proc(sym, None), args }
            }
            SymbolKind::Other(what) if what == super::ENTRY => unsupported("a call of an entry", n),
            SymbolKind::Type(_) | SymbolKind::Other(_) => {
                self.problem_at(ctx, Code::BadExpression, base, format!("`{}` is no subroutine", base.text()));
                unsupported("a call of what is no subroutine", n)
            }
        }
    }

    /// `call object%name(...)`
    fn bound_call(&mut self, ctx: Ctx<'t>, n: Node<'t>, target: Node<'t>, actual: Vec<Actual<'t>>) -> StmtKind {
        // `target` may end in the arguments themselves.
        let mut member = target;
        while member.kind() == Kind::CallExpression
            && let Some(inner) = member.named().next()
        {
            member = inner;
        }
        let (Some(object), Some(name)) = (member.named().next(), member.child(Kind::TypeMember)) else {
            return unsupported("call", n);
        };
        let object = self.expr(ctx, object);
        let args: Vec<Arg> = actual.into_iter().map(Actual::into_arg).collect();
        let text = name.lower();
        let callee = match object.ty.derived() {
            Some(t) => {
                let (interface, callee) = self.bound_target(object, t, &text, &args);
                if interface.is_none() && self.program.component(t, &text).is_none() {
                    self.problem_at(
                        ctx,
                        Code::NoSpecific,
                        name,
                        format!("no procedure is known for the binding `{text}`"),
                    );
                }
                callee
            }
            None => {
                if object.ty.base != Base::None {
                    self.problem_at(ctx, Code::BadExpression, name, "what stands before `%` isn't of a derived type");
                }
                Callee::Bound { object: Box::new(object), binding: BindingName::of(Name::new(&text)), resolved: None }
            }
        };
        StmtKind::Call { callee, args }
    }

    fn keyword(&mut self, ctx: Ctx<'t>, n: Node<'t>) -> StmtKind {
        let word: String = n.squeezed();
        let name = n.child(Kind::Identifier).map(|i| Name::new(i.text()));
        if word == "continue" {
            return StmtKind::Continue;
        }
        let first = n.children().next().map(|t| t.lower()).unwrap_or_default();
        match first.as_str() {
            "cycle" => StmtKind::Cycle(name),
            "exit" => StmtKind::Exit(name),
            "return" if n.named().next().is_none() => StmtKind::Return,
            "return" => unsupported("an alternate return", n),
            "go" | "goto" => {
                let labels: Vec<Node<'t>> = n.named().filter(|l| l.kind() == Kind::StatementLabelReference).collect();
                match labels.as_slice() {
                    [one] if n.named().count() == 1 => match one.text().parse() {
                        Ok(label) => self.goto(label),
                        Err(_) => unsupported("goto", n),
                    },
                    _ => self.computed_goto(ctx, n, &labels).unwrap_or_else(|| unsupported("a computed goto", n)),
                }
            }
            _ => {
                self.problem_at(ctx, Code::Syntax, n, format!("the statement `{}` isn't understood", first_line(n)));
                unsupported("a statement that isn't known", n)
            }
        }
    }

    /// A jump to the end of the innermost loop is a `cycle` where no statement stands there.
    pub(super) fn goto(&mut self, label: u32) -> StmtKind {
        if self.loops.last().is_some_and(|l| l.label == Some(label) && l.idle && !l.shared) {
            return StmtKind::Cycle(None);
        }
        self.jumps.insert(label);
        StmtKind::Goto(label)
    }

    fn stop(&mut self, ctx: Ctx<'t>, n: Node<'t>) -> StmtKind {
        let code = n.named().next().map(|c| self.expr(ctx, c));
        StmtKind::Stop { error: n.has_token("error"), code }
    }

    fn allocate(&mut self, ctx: Ctx<'t>, n: Node<'t>) -> StmtKind {
        let mut items = Vec::new();
        for a in n.fields(Field::Allocation) {
            match a.kind() {
                Kind::SizedAllocation => {
                    let Some(object) = a.named().next() else { continue };
                    let object = self.object(ctx, object);
                    let mut shape = Vec::new();
                    for s in a.child(Kind::Size).iter().flat_map(|s| s.named().collect::<Vec<_>>()) {
                        if s.kind() == Kind::ExtentSpecifier {
                            let (lo, hi, _) = extent(s);
                            let lo = lo.map(|e| self.expr(ctx, e));
                            if let Some(hi) = hi {
                                let hi = self.expr(ctx, hi);
                                shape.push((lo, hi));
                            }
                        } else {
                            let hi = self.expr(ctx, s);
                            shape.push((None, hi));
                        }
                    }
                    items.push(AllocItem { object, shape });
                }
                Kind::CoarrayAllocation => return unsupported("allocation of a coarray", n),
                _ => items.push(AllocItem { object: self.object(ctx, a), shape: Vec::new() }),
            }
        }
        let spec = n.children().find(|c| c.field_of() == Field::Type && !c.is_token());
        let type_spec = spec.map(|t| t.text().to_string());
        let options = self.options(ctx, n);
        StmtKind::Allocate { items, type_spec, options }
    }

    fn object(&mut self, ctx: Ctx<'t>, n: Node<'t>) -> Expr {
        self.expr(ctx, n)
    }

    fn options(&mut self, ctx: Ctx<'t>, n: Node<'t>) -> Vec<(Name, Expr)> {
        let mut out = Vec::new();
        for k in n.named().filter(|k| k.kind() == Kind::KeywordArgument) {
            if let (Some(name), Some(value)) = (k.field(Field::Name), k.field(Field::Value)) {
                out.push((Name::new(name.text()), self.expr(ctx, value)));
            }
        }
        out
    }

    fn deallocate(&mut self, ctx: Ctx<'t>, n: Node<'t>) -> StmtKind {
        let objects = n.named().filter(|i| i.kind() != Kind::KeywordArgument);
        let items = objects.map(|i| self.expr(ctx, i)).collect();
        let options = self.options(ctx, n);
        StmtKind::Deallocate { items, options }
    }
}

fn first_line(n: Node<'_>) -> String {
    n.text().lines().next().unwrap_or("").chars().take(60).collect()
}
